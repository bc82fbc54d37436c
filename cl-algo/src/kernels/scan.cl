// Scan in one launch: each item is read once and written once. Uses subgroup.cl, group_scan.cl and look_back.cl.
//
// Filled in: the input; the operator COMBINE; the input INITIAL, a single item, if HAS_INITIAL; the output.
// Values: EXCLUSIVE, 1 if an item's result leaves out its own value; then there is an initial item; TICKETS, 1 if
// tiles are taken in the order in which groups begin, because the host knows no other order.
//
// There is at least one whole pack. Work-items keep their packs in registers from the first load to the last
// store, and rows of packs are scanned across the lanes of a sub-group without moving items: nothing is transposed
// through local memory. Registers decide how many groups run at once, so rarely needed code is separate, and loads
// the items again.

// The combined items before a pack in its row, of which each lane of the sub-group has one pack; undefined in the
// first lane. *total is that of the row.
static inline ITEM scan_row(PARAMETERS const ITEM *items, ITEM *total)
{
    ITEM own = items[0];
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        own = COMBINE(own, items[j]);
    own = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    *total = carried_from_lane(own, SUB_GROUP_WIDTH - 1);
    return carried_from_below(own, 1);
}

// Computes the results of a pack. `before` is the prefix before it, if has_prefix.
static inline void scan_pack(PARAMETERS const bool has_prefix, const ITEM before, ITEM *items)
{
    ITEM prefix = before;
#pragma unroll
    for (uint j = 0; j < PACK; ++j) {
        const ITEM next = j > 0 || has_prefix ? COMBINE(prefix, items[j]) : items[j];
        items[j] = EXCLUSIVE ? prefix : next;
        prefix = next;
    }
}

// The whole prefix before a pack: `row` is the part in its sub-group, `before` the part before that, if they
// exist.
static inline ITEM prefix_of_pack(PARAMETERS const bool has_before, const ITEM before, const bool has_row,
                                  const ITEM row)
{
    return !has_before ? row : has_row ? COMBINE(before, row) : before;
}

// Computes the prefix before the sub-group, *before; returns false if no item and no initial item come before it.
// `prefix` is the prefix before its tile, and `below` the part before it in the tile.
static inline bool prefix_of_subgroup(PARAMETERS const INDEX tile, const ITEM prefix, const ITEM below,
                                      ITEM *before)
{
    bool has_before = tile > 0;
    *before = prefix;
#if HAS_INITIAL
    *before = has_before ? COMBINE(INITIAL_LOAD(0), prefix) : INITIAL_LOAD(0);
    has_before = true;
#endif
    if (OWN_SUBGROUP > 0) {
        *before = has_before ? COMBINE(*before, below) : below;
        has_before = true;
    }
    return has_before;
}

// The total of a tile, equal to the one that the tile itself computes, with few registers. Behind pack `last` that
// pack is read again.
static inline ITEM total_to(PARAMETERS const INDEX tile, const INDEX last, local ITEM *room)
{
    ITEM carry;
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        ITEM items[PACK], row;
        UNPACK(LOAD_PACK(min(tile * TILE_PACKS + ROW_PLACE(k), last)), items);
        scan_row(ARGUMENTS items, &row);
        carry = k == 0 ? row : COMBINE(carry, row);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_subgroups(ARGUMENTS carry, room);
}

static inline ITEM tile_total(PARAMETERS const INDEX tile, local ITEM *room)
{
    // Only tiles before another one are computed for others, so they are complete.
    return total_to(ARGUMENTS tile, (tile + 1) * TILE_PACKS - 1, room);
}

// Scans the items from `begin` on, one after the other.
static inline void scan_serially(PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const ITEM before)
{
    ITEM prefix = before;
#pragma unroll 1
    for (INDEX i = begin; i < length; ++i) {
        const ITEM next = COMBINE(prefix, LOAD(i));
        STORE(i, EXCLUSIVE ? prefix : next);
        prefix = next;
    }
}

#ifndef BEGINS_AGAIN
// Value: 1 if a work-group that has to compute the total of another tile drops its own items meanwhile, and loads
// them again afterwards. It is 0 on devices whose registers are unknown: PoCL 3.1 compiles barriers in a branch to
// code that crashes.
#define BEGINS_AGAIN (SUB_GROUPS == 1)
#endif

#if BEGINS_AGAIN
// Scans the tile of a work-group that had to compute the totals of other tiles. The results have the same bits as
// in the kernel, but the rows are scanned one after the other.
static inline void scan_late(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                             const INDEX tile, const uint epoch, const INDEX length,
                             local tile_message *shared, local ITEM *room)
{
    const INDEX whole = length / PACK;
    const bool after_first = SUBGROUP_LANE > 0;
    ITEM before, carry;
    const ITEM own = total_to(ARGUMENTS tile, whole - 1, room), below = BELOW(room);
    do {
        compute_missing(ARGUMENTS totals, epoch, shared, room);
    } while (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, shared));
    const bool has_before = prefix_of_subgroup(ARGUMENTS tile, shared->before, below, &before);
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = tile * TILE_PACKS + ROW_PLACE(k);
        ITEM items[PACK], total;
        UNPACK(LOAD_PACK(min(p, whole - 1)), items);
        ITEM row = scan_row(ARGUMENTS items, &total);
        if (k > 0) {
            row = after_first ? COMBINE(carry, row) : carry;
            total = COMBINE(carry, total);
        }
        carry = total;
        const bool has_row = k > 0 || after_first;
        const ITEM prefix = prefix_of_pack(ARGUMENTS has_before, before, has_row, row);
        scan_pack(ARGUMENTS has_before || has_row, prefix, items);
        if (p < whole)
            STORE_PACK(p, PACKED(items));
        else if (p == whole)
            scan_serially(ARGUMENTS OUTPUT_ARGUMENTS whole * PACK, length, prefix);
    }
}
#endif

// Value: 1 if a work-item stores the prefixes of its packs in local memory while it looks back, when registers are
// scarcest. Large items have no room there.
#define PUTS_ASIDE (SUB_GROUP_WIDTH > 1 && PACK > 1)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void scan(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
          volatile global uint *tickets, const uint epoch, const INDEX length)
{
    local ITEM room[SUBGROUPS];
    local tile_message shared;
#if PUTS_ASIDE
    local ITEM aside[PACKS][GROUP];
#endif
    const uint lane = SUBGROUP_LANE;
    const INDEX tile = TAKE_TILE(tickets, shared.missing), whole = length / PACK;
    const bool is_full = (tile + 1) * TILE_PACKS <= whole;
    // 64 bits, so that packs are at fixed distances from one address.
    const size_t first = tile * TILE_PACKS + ROW_PLACE(0);

    ITEM items[PACKS][PACK], row[PACKS];
    if (is_full) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(first + k * SUB_GROUP_WIDTH), items[k]);
    } else {
        // Behind the last whole pack that pack is read again: later items do not matter to a scan.
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(min(first + k * SUB_GROUP_WIDTH, (size_t)whole - 1)), items[k]);
        STAY_APART();
    }

    // Scans each pack, then across the lanes for all rows at once, then over the rows.
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        row[k] = items[k][0];
#pragma unroll
        for (uint j = 1; j < PACK; ++j)
            row[k] = COMBINE(row[k], items[k][j]);
    }
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const ITEM below = carried_from_below(row[k], distance);
            if (lane >= distance)
                row[k] = COMBINE(below, row[k]);
        }
    }
    ITEM carry = carried_from_lane(row[0], SUB_GROUP_WIDTH - 1);
    row[0] = carried_from_below(row[0], 1);
#pragma unroll
    for (uint k = 1; k < PACKS; ++k) {
        const ITEM total = carried_from_lane(row[k], SUB_GROUP_WIDTH - 1), below = carried_from_below(row[k], 1);
        row[k] = lane > 0 ? COMBINE(carry, below) : carry;
        carry = COMBINE(carry, total);
    }
#if PUTS_ASIDE
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        aside[k][get_local_id(0)] = row[k];
#endif

    const ITEM own = scan_subgroups(ARGUMENTS carry, room);
    tell_total(totals, tile, own, epoch);
#if BEGINS_AGAIN
    if (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, &shared)) {
        scan_late(ARGUMENTS OUTPUT_ARGUMENTS totals, blocks, tile, epoch, length, &shared, room);
        RETURN;
    }
    const ITEM below = BELOW(room);
#else
    const ITEM below = BELOW(room);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
#endif
    ITEM before;
    const bool has_before = prefix_of_subgroup(ARGUMENTS tile, shared.before, below, &before);
    const uint left = whole > first ? (uint)min(whole - (INDEX)first, (INDEX)TILE_PACKS) : 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool has_row = k > 0 || lane > 0;
#if PUTS_ASIDE
        row[k] = aside[k][get_local_id(0)];
#endif
        row[k] = prefix_of_pack(ARGUMENTS has_before, before, has_row, row[k]);
        scan_pack(ARGUMENTS has_before || has_row, row[k], items[k]);
        if (k * SUB_GROUP_WIDTH < left)
            STORE_PACK(first + k * SUB_GROUP_WIDTH, PACKED(items[k]));
    }
    if (!is_full) {
        // At most one incomplete pack is left.
        ITEM prefix = row[0];
        bool has_rest = first == whole;
#pragma unroll
        for (uint k = 1; k < PACKS; ++k) {
            if (first + k * SUB_GROUP_WIDTH == whole) {
                prefix = row[k];
                has_rest = true;
            }
        }
        if (has_rest)
            scan_serially(ARGUMENTS OUTPUT_ARGUMENTS whole * PACK, length, prefix);
    }
    RETURN;
}
