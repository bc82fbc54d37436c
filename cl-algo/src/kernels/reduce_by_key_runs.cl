// Reductions of runs in one launch, for devices that give each work-item a contiguous chunk. Uses key_runs.cl,
// subgroup.cl and look_back.cl, whose inputs and operators are filled in, and the outputs for keys and values.
//
// A work-item reduces the runs of its tile into private memory, looks back to learn their positions in the output,
// and moves them there: each key and each item is read once.

// The number of items that are first checked at once for the beginning of a run.
#define BLOCK 32

// Reduces each run of a tile, as far as it lies in the tile. Run 0 began in an earlier tile, if it exists, and is
// counted from the beginning of the tile. The value of the last run is the value of the returned total.
//
// Each item stores a key for the next run, which the next item overwrites unless a run began with it, and a value,
// which later items of its run overwrite. So no branch has to be predicted.
static inline run_total reduce_tile(PARAMETERS const INDEX begin, const INDEX end, KEY_ITEM *run_keys,
                                    ITEM *run_values)
{
    KEY_ITEM before = KEY_LOAD(begin);
    ITEM value = LOAD(begin);
    size_t heads = is_head(ARGUMENTS begin) ? 1 : 0;
    run_keys[1] = before;
    run_values[heads] = value;
    INDEX i = begin + 1;
    for (; i + BLOCK <= end; i += BLOCK) {
        // The mask does not change the index. It tells the compiler that `first + j` does not wrap around.
        const INDEX first = i & ((INDEX)-1 >> 1);
        // This loop contains nothing else, so compilers vectorise it.
        uint changes = 0;
        for (uint j = 0; j < BLOCK; ++j)
            changes += SAME(KEY_LOAD(first + j - 1), KEY_LOAD(first + j)) ? 0 : 1;
        if (changes == 0) {
            for (uint j = 0; j < BLOCK; ++j)
                value = COMBINE(value, LOAD(first + j));
            run_values[heads] = value;
            continue;
        }
        before = KEY_LOAD(first - 1);
#pragma unroll
        for (uint j = 0; j < BLOCK; ++j) {
            const KEY_ITEM key = KEY_LOAD(first + j);
            const ITEM item = LOAD(first + j);
            const bool head = !SAME(before, key);
            value = head ? item : COMBINE(value, item);
            run_keys[heads + 1] = key;
            heads += head ? 1 : 0;
            run_values[heads] = value;
            before = key;
        }
    }
    for (; i < end; ++i) {
        const ITEM item = LOAD(i);
        const bool head = is_head(ARGUMENTS i);
        value = head ? item : COMBINE(value, item);
        run_keys[heads + 1] = KEY_LOAD(i);
        heads += head ? 1 : 0;
        run_values[heads] = value;
    }
    const run_total total = { .value = value, .heads = (INDEX)heads };
    return total;
}

// Returns the same bits as reduce_tile.
static inline run_total tile_total(PARAMETERS const INDEX tile, local run_total *room)
{
    const INDEX begin = tile * TILE, end = begin + TILE;
    INDEX heads = is_head(ARGUMENTS begin) ? 1 : 0, last = begin;
    for (INDEX i = begin + 1; i < end; ++i) {
        if (is_head(ARGUMENTS i)) {
            last = i;
            ++heads;
        }
    }
    ITEM value = LOAD(last);
    for (INDEX i = last + 1; i < end; ++i)
        value = COMBINE(value, LOAD(i));
    const run_total total = { .value = value, .heads = heads };
    return total;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void reduce_by_key_runs(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                        volatile global uint *tickets, const uint epoch, const INDEX length,
                        global ulong *count)
{
    KEY_ITEM run_keys[TILE_PACKS + 2];
    ITEM run_values[TILE_PACKS + 1];
    local run_total room[1];
    local tile_message shared;
    const INDEX tile = TAKE_TILE(tickets, shared.missing);
    const INDEX begin = tile * TILE, end = min(begin + TILE, length);
    const run_total total = reduce_tile(ARGUMENTS begin, end, run_keys, run_values);
    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    const bool earlier = tile > 0;
    const run_total before = shared.before;
    const INDEX base = earlier ? before.heads : 0;
    if (earlier && total.heads > 0)
        STORE(base - 1, is_head(ARGUMENTS begin) ? before.value : COMBINE(before.value, run_values[0]));
    // First all keys, then all values: alternating between them took more than twice as long if both vectors begin
    // at the same offset within a page.
    for (INDEX run = 0; run < total.heads; ++run)
        KEY_STORE(base + run, run_keys[run + 1]);
    for (INDEX run = 1; run < total.heads; ++run)
        STORE(base + run - 1, run_values[run]);
    if (end == length) {
        const run_total all = earlier ? CARRY(before, total) : total;
        *count = all.heads;
        STORE(all.heads - 1, all.value);
    }
    RETURN;
}
