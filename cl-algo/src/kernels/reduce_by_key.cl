// Reductions of runs in one launch: each key and each item is read once, and only the results are written. Uses
// key_runs.cl, subgroup.cl, group_scan.cl, look_back.cl, row_counts.cl and key_tile.cl, whose inputs and operators
// are filled in, and the outputs for keys and values.
//
// A head stores the key of its own run and the value of the run before it, which it ends. The end of the last run
// is a head, too. Each tile compacts its results in local memory. So before the tile has looked back, only the
// value of the run that comes from earlier tiles is unknown.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void reduce_by_key(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                   volatile global uint *tickets, const uint epoch, const INDEX length, global ulong *count)
{
    local KEY_ITEM run_keys[TILE_PACKS * PACK];
    local ITEM run_values[TILE_PACKS * PACK];
    local run_total room[SUBGROUPS];
    local tile_message shared;
    const uint me = get_local_id(0);
    const INDEX tile = TAKE_TILE(tickets, shared.missing);

    KEY_ITEM keys[PACKS][PACK];
    ITEM items[PACKS][PACK], row[PACKS];
    uint heads[HEAD_WORDS], rank[PACKS], open;
    load_tile(ARGUMENTS tile, length, keys, items, heads);
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        rank[k] = popcount(HEADS(heads, k));
    const uint own = rank_packs(rank, PACKS);
    run_total carry = scan_subgroup(ARGUMENTS heads, items, row, &open);
    carry.heads = own;
    const run_total total = scan_subgroups(ARGUMENTS carry, room), below = BELOW(room);

    const bool has_below = OWN_SUBGROUP > 0;
    const uint lower = has_below ? (uint)below.heads : 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool follows = k > 0 || SUBGROUP_LANE > 0;
        ITEM prefix = row[k];
        if (has_below && (open >> k & 1))
            prefix = follows ? COMBINE(below.value, row[k]) : below.value;
        uint to = lower + rank[k];
#pragma unroll
        for (uint j = 0; j < PACK; ++j) {
            const bool head = HEADS(heads, k) >> j & 1;
            if (head) {
                run_keys[to] = keys[k][j];
                run_values[to++] = prefix;
            }
            // The tile's first item has no item before it in the tile.
            const bool has_prefix = follows || has_below || j > 0;
            prefix = head || !has_prefix ? items[k][j] : COMBINE(prefix, items[k][j]);
        }
    }

    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    const bool earlier = tile > 0;
    const run_total before = shared.before;
    const INDEX base = earlier ? before.heads : 0;
    const uint all = (uint)total.heads;
    const bool last = (tile + 1) * TILE > length;
    if (me == 0 && last)
        *count = base + all - 1;
    for (uint i = me; i < all - (last ? 1 : 0); i += GROUP)
        KEY_STORE(base + i, run_keys[i]);
    if (me == 0 && all > 0 && earlier) {
        const bool ends_earlier = heads[0] & 1;
        STORE(base - 1, ends_earlier ? before.value : COMBINE(before.value, run_values[0]));
    }
    for (uint i = me > 0 ? me : GROUP; i < all; i += GROUP)
        STORE(base + i - 1, run_values[i]);
    RETURN;
}
