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

// Goes on with an item, from the value up to it of run *to.
static inline ITEM reduce_item(PARAMETERS OUTPUTS const INDEX i, const ITEM value, INDEX *to)
{
    const bool head = !SAME(KEY_LOAD(i - 1), KEY_LOAD(i));
    const ITEM item = LOAD(i);
    STORE(*to, value);
    *to += head ? 1 : 0;
    return head ? item : COMBINE(value, item);
}

// The same for BLOCK items before the last head. Where runs begin among them, each stores a key and a value
// that later ones may overwrite: no branch has to be guessed. Keys and values in turn: going back and forth
// between them took more than twice as long, where both vectors begin at the same place of a page.
#define BLOCK 16

static inline ITEM reduce_block(PARAMETERS OUTPUTS const INDEX begin, ITEM value, INDEX *to)
{
    uint heads = 0;
    for (uint j = 0; j < BLOCK; ++j)
        heads += SAME(KEY_LOAD(begin + j - 1), KEY_LOAD(begin + j)) ? 0 : 1;
    if (heads == 0) {
        for (uint j = 0; j < BLOCK; ++j)
            value = COMBINE(value, LOAD(begin + j));
        return value;
    }
    INDEX next = *to + 1;
    for (uint j = 0; j < BLOCK; ++j) {
        KEY_STORE(next, KEY_LOAD(begin + j));
        next += SAME(KEY_LOAD(begin + j - 1), KEY_LOAD(begin + j)) ? 0 : 1;
    }
    for (uint j = 0; j < BLOCK; ++j)
        value = reduce_item(ARGUMENTS OUTPUT_ARGUMENTS begin + j, value, to);
    return value;
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
    const run_total total = total_between(ARGUMENTS begin, end, &from);
    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    const bool earlier = tile > 0;
    const run_total before = shared.before;
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
        KEY_STORE(to, KEY_LOAD(i));
        if (i < from) {
            ITEM value = LOAD(i);
            for (++i; i + BLOCK <= from; i += BLOCK)
                value = reduce_block(ARGUMENTS OUTPUT_ARGUMENTS i, value, &to);
            for (; i < from; ++i) {
                KEY_STORE(to + 1, KEY_LOAD(i));
                value = reduce_item(ARGUMENTS OUTPUT_ARGUMENTS i, value, &to);
            }
            STORE(to, value);
            KEY_STORE(to + 1, KEY_LOAD(from));
        }
    }
    if (end == length) {
        *count = all.heads;
        STORE(all.heads - 1, all.value);
    }
}
