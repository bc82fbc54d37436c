// Scans of runs in one launch: each key and each item is read once, each result written once. Uses key_runs.cl,
// subgroup.cl, group_scan.cl, look_back.cl and key_tile.cl, whose inputs and operators are filled in, and the
// output. If HAS_INITIAL, an item's result leaves out its own value.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void scan_by_key(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                 volatile global uint *tickets, const uint epoch, const INDEX length)
{
    local run_total room[SUBGROUPS];
    local tile_message shared;
    const INDEX tile = TAKE_TILE(tickets, shared.missing);

    ITEM items[PACKS][PACK], row[PACKS];
    uint heads[HEAD_WORDS], open;
    {
        KEY_ITEM keys[PACKS][PACK];
        load_tile(ARGUMENTS tile, length, keys, items, heads);
    }
    const run_total carry = scan_subgroup(ARGUMENTS heads, items, row, &open);
    const run_total total = scan_subgroups(ARGUMENTS carry, room), below = BELOW(room);
    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    // The very first item is a head, so its prefix is not used.
    run_total before = shared.before;
    if (OWN_SUBGROUP > 0)
        before = tile > 0 ? CARRY(before, below) : below;

    const INDEX first = tile * TILE_PACKS + ROW_PLACE(0);
    const bool whole = (tile + 1) * TILE <= length;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = first + k * SUB_GROUP_WIDTH;
        const bool follows = k > 0 || SUBGROUP_LANE > 0;
        ITEM prefix = !(open >> k & 1) ? row[k] : follows ? COMBINE(before.value, row[k]) : before.value;
#pragma unroll
        for (uint j = 0; j < PACK; ++j) {
            const bool head = HEADS(heads, k) >> j & 1;
            const ITEM next = next_value(ARGUMENTS head, prefix, items[k][j]);
#if HAS_INITIAL
            items[k][j] = head ? INITIAL_LOAD(0) : prefix;
#else
            items[k][j] = next;
#endif
            prefix = next;
        }
        if (whole) {
            STORE_PACK(p, PACKED(items[k]));
        } else {
#pragma unroll
            for (uint j = 0; j < PACK; ++j) {
                if (p * PACK + j < length)
                    STORE(p * PACK + j, items[k][j]);
            }
        }
    }
    RETURN;
}
