// Reductions of runs in one launch, for devices that give each work-item a contiguous piece. Behind
// key_runs.cl, subgroup.cl and look_back.cl, whose inputs and operators are filled in, and the outputs for
// keys and values.
//
// A work-item counts the heads of its tile, looks back to learn where its runs go, and goes through the
// tile again, which is in its cache by then: two launches would read the keys from memory twice.

// Items with keys from `begin` to `end`; *from is the last head, or the first item.
static inline run_total total_between(PARAMETERS const INDEX begin, const INDEX end, INDEX *from)
{
    // Nothing else in this loop: it becomes vectors.
    INDEX heads = 0;
    for (INDEX i = begin + 1; i < end; ++i)
        heads += SAME(KEY_LOAD(i - 1), KEY_LOAD(i)) ? 0 : 1;
    INDEX last = end - 1;
    while (last > begin && SAME(KEY_LOAD(last - 1), KEY_LOAD(last)))
        --last;
    ITEM value = LOAD(last);
    for (INDEX i = last + 1; i < end; ++i)
        value = COMBINE(value, LOAD(i));
    const run_total total = { .value = value, .heads = heads + (is_head(ARGUMENTS begin) ? 1 : 0) };
    *from = last;
    return total;
}

static inline run_total tile_total(PARAMETERS const INDEX tile, local run_total *room)
{
    INDEX from;
    return total_between(ARGUMENTS tile * TILE, (tile + 1) * TILE, &from);
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void reduce_by_key_runs(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                        volatile global uint *tickets, const uint epoch, const INDEX length,
                        global ulong *count)
{
    local run_total room[1];
    local tile_message shared;
    const INDEX tile = TAKE_TILE(tickets, shared);
    const INDEX begin = tile * TILE, end = min(begin + TILE, length);
    INDEX from;
    run_total before;
    const run_total total = total_between(ARGUMENTS begin, end, &from);
    const bool earlier = prefix_of_tile(ARGUMENTS totals, blocks, tile, total, epoch, &shared, room, &before);
    const run_total all = earlier ? CARRY(before, total) : total;
    if (total.heads > 0) {
        // The run that comes from earlier tiles ends at the first head.
        INDEX i = begin, to = earlier ? before.heads : 0;
        if (earlier) {
            ITEM value = before.value;
            for (; !is_head(ARGUMENTS i); ++i)
                value = COMBINE(value, LOAD(i));
            STORE(to - 1, value);
        }
        KEY_ITEM key = KEY_LOAD(i), run = key;
        KEY_STORE(to, key);
        if (i < from) {
            // Up to the last head, a run's key and value are stored anew with each of its items: no branch
            // has to be guessed.
            ITEM value = LOAD(i);
            STORE(to, value);
            for (++i; i < from; ++i) {
                const KEY_ITEM own = KEY_LOAD(i);
                const ITEM item = LOAD(i);
                const bool head = !SAME(key, own);
                to += head ? 1 : 0;
                run = head ? own : run;
                value = head ? item : COMBINE(value, item);
                KEY_STORE(to, run);
                STORE(to, value);
                key = own;
            }
            KEY_STORE(to + 1, KEY_LOAD(from));
        }
    }
    if (end == length) {
        *count = all.heads;
        STORE(all.heads - 1, all.value);
    }
}
