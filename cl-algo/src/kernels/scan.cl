// Scan in one launch: each item is read once and written once. Behind subgroup.cl, group_scan.cl and
// look_back.cl.
//
// Filled in: the input; the operator COMBINE; the input INITIAL, a single item, if HAS_INITIAL; the
// output. Values: EXCLUSIVE, whether an item's own value is left out of its result, for which there
// is an initial one; TICKETS, whether tiles are taken in the order in which groups begin, as the
// host knows of no other order.
//
// There is at least one whole pack. Work-items keep their packs in registers from the first load to the last store, and rows of packs
// are scanned across the lanes of a sub-group as they lie: nothing is transposed through local memory.


// The total of a tile, as the tile itself computes it, with few registers.
static inline ITEM tile_total(PARAMETERS const INDEX tile, local ITEM *room)
{
    ITEM carry, below;
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        ITEM items[PACK];
        // Only tiles before another one are computed for others, so nothing is missing.
        UNPACK(LOAD_PACK(tile * TILE_PACKS + ROW_PLACE(k)), items);
        for (uint j = 1; j < PACK; ++j)
            items[j] = COMBINE(items[j - 1], items[j]);
        const ITEM row = from_lane(scan_lanes(ARGUMENTS items[PACK - 1], SUBGROUP), SUBGROUP - 1);
        carry = k == 0 ? row : COMBINE(carry, row);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_subgroups(ARGUMENTS carry, room, &below);
}

// Scans the items from `begin` on, one after the other.
static inline void scan_serially(PARAMETERS OUTPUTS const INDEX begin, const INDEX length, bool has_prefix,
                                 ITEM prefix)
{
#pragma unroll 1
    for (INDEX i = begin; i < length; ++i) {
        const ITEM item = LOAD(i), next = has_prefix ? COMBINE(prefix, item) : item;
        STORE(i, EXCLUSIVE ? prefix : next);
        prefix = next;
        has_prefix = true;
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
          volatile global uint *tickets, const uint epoch, const INDEX length)
{
    local ITEM room[SUBGROUPS];
    local tile_message shared;
    const uint lane = SUBGROUP_LANE;
    const INDEX tile = TAKE_TILE(tickets, shared);

    // Behind the last whole pack that pack is read again: what comes after does not matter to a scan.
    const INDEX whole = length / PACK, first = tile * TILE_PACKS + ROW_PLACE(0);
    ITEM items[PACKS][PACK], row[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        UNPACK(LOAD_PACK(min(first + k * SUBGROUP, whole - 1)), items[k]);

    // Inclusive in each pack, then across the lanes, all rows at once, then over the rows.
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        ITEM total = items[k][0];
#pragma unroll
        for (uint j = 1; j < PACK; ++j)
            total = COMBINE(total, items[k][j]);
        row[k] = total;
    }
#pragma unroll
    for (uint distance = 1; distance < SUBGROUP; distance *= 2) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const ITEM below = from_below(row[k], distance);
            if (lane >= distance)
                row[k] = COMBINE(below, row[k]);
        }
    }
    ITEM carry = from_lane(row[0], SUBGROUP - 1);
    row[0] = from_below(row[0], 1);
#pragma unroll
    for (uint k = 1; k < PACKS; ++k) {
        const ITEM total = from_lane(row[k], SUBGROUP - 1), below = from_below(row[k], 1);
        row[k] = lane > 0 ? COMBINE(carry, below) : carry;
        carry = COMBINE(carry, total);
    }

    ITEM below, before;
    const ITEM total = scan_subgroups(ARGUMENTS carry, room, &below);
    bool has_before = prefix_of_tile(ARGUMENTS totals, blocks, tile, total, epoch, &shared, room, &before);
#if HAS_INITIAL
    before = has_before ? COMBINE(INITIAL_LOAD(0), before) : INITIAL_LOAD(0);
    has_before = true;
#endif
    if (OWN_SUBGROUP > 0) {
        before = has_before ? COMBINE(before, below) : below;
        has_before = true;
    }

#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = first + k * SUBGROUP;
        const bool has_row = k > 0 || lane > 0, has = has_before || has_row;
        ITEM prefix = has_before ? (has_row ? COMBINE(before, row[k]) : before) : row[k];
        if (p < whole) {
#pragma unroll
            for (uint j = 0; j < PACK; ++j) {
                const ITEM next = j > 0 || has ? COMBINE(prefix, items[k][j]) : items[k][j];
                items[k][j] = EXCLUSIVE ? prefix : next;
                prefix = next;
            }
            STORE_PACK(p, PACKED(items[k]));
        } else if (p == whole) {
            // Less than a pack is left, if anything.
            scan_serially(ARGUMENTS OUTPUT_ARGUMENTS p * PACK, length, true, prefix);
        }
    }
}
