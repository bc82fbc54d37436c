// For rows of very different lengths: work-groups share rows and entries evenly, however long a row is.
//
// The kernel merges two sorted lists: the ends of the rows and the entries. In the merged list, the end of a row comes
// after the entries of the row and before the entries of the next row. Each work-group has TILE_ITEMS neighbouring
// items of the merged list, and each work-item has PER of them. A work-item adds each entry to its sum, and completes
// the sum at a row's end. Rows that cross work-items are added up in local memory. Rows that cross work-groups are
// added up by a second kernel. The second kernel combines the first sum of the group in which a row ends with the open
// sums of the groups before. After D. Merrill and M. Garland, "Merge-based parallel sparse matrix-vector
// multiplication" (2016); here the division of rows among groups, `cuts`, is computed once for a matrix.

#define TILE_ITEMS (GROUP_ITEMS * PER)

#if !FINAL

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_merge(PARAMETERS OUTPUTS global const OFFSET *offsets, global const ulong *cuts, global ulong *partials,
               const INDEX rows, const INDEX entries)
{
    // The values of the entries, followed by the sums of the rows that end in this tile: at most TILE_ITEMS together.
    local ITEM value[TILE_ITEMS];
    local ushort row_end[TILE_ITEMS];
    // Two halves, read and written in turn.
    local ITEM open_sum[2 * GROUP_ITEMS];
    local uchar has_end[2 * GROUP_ITEMS];
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0);
    const INDEX from = tile * TILE_ITEMS, to = min(from + TILE_ITEMS, rows + entries);
    const INDEX first_row = (INDEX)cuts[tile], first_entry = from - first_row;
    const uint ends = (uint)((INDEX)cuts[tile + 1] - first_row), count = (uint)(to - from) - ends;
    const ITEM initial = INITIAL_LOAD(0);

    ITEM loaded[PER];
#pragma unroll
    for (uint step = 0; step < PER; ++step) {
        const uint at = step * GROUP_ITEMS + me;
        if (at < count)
            loaded[step] = LOAD(first_entry + at);
    }
#pragma unroll
    for (uint step = 0; step < PER; ++step) {
        const uint at = step * GROUP_ITEMS + me;
        if (at < count)
            value[at] = loaded[step];
    }
    for (uint at = me; at < ends; at += GROUP_ITEMS)
        row_end[at] = (ushort)((INDEX)offsets[first_row + at + 1] - first_entry);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Counts the row ends that precede this work-item's first item, by binary search.
    const uint begin = min(me * PER, ends + count);
    uint low = begin > count ? begin - count : 0, high = min(begin, ends);
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (row_end[middle] + middle + 1 <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    uint row = low, entry = begin - low;
    const uint own = min((uint)PER, ends + count - begin);
    ITEM total = initial, head = initial;
    uint first_end = ends;
    for (uint step = 0; step < own; ++step) {
        if (row < ends && row_end[row] <= entry) {
            if (first_end == ends) {
                first_end = row;
                head = total;
            } else {
                value[count + row] = total;
            }
            total = initial;
            ++row;
        } else {
            total = COMBINE(total, value[entry]);
            ++entry;
        }
    }

    // The sum after the last row end of each work-item, and a flag for having a row end.
    open_sum[me] = total;
    has_end[me] = first_end < ends;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint side = 0;
    for (uint distance = 1; distance < GROUP_ITEMS; distance *= 2) {
        const uint at = side + me;
        ITEM sum = open_sum[at];
        uchar ended = has_end[at];
        if (me >= distance && !ended) {
            sum = COMBINE(open_sum[at - distance], sum);
            ended = has_end[at - distance];
        }
        side = GROUP_ITEMS - side;
        open_sum[side + me] = sum;
        has_end[side + me] = ended;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (first_end < ends)
        value[count + first_end] = me > 0 ? COMBINE(open_sum[side + me - 1], head) : head;
    barrier(CLK_LOCAL_MEM_FENCE);

    // The first row that ends in this tile may have begun in another one: the second kernel stores it.
    global ITEM *heads = (global ITEM *)partials, *tails = heads + get_num_groups(0);
    if (me == 0) {
        heads[tile] = ends > 0 ? value[count] : initial;
        tails[tile] = open_sum[side + GROUP_ITEMS - 1];
    }
    for (uint at = me + 1; at < ends; at += GROUP_ITEMS)
        STORE(first_row + at, value[count + at]);
    RETURN;
}

#else

// The number of tiles that a work-item reads at once.
#define WALK 8

// Completes the row that ended first in each tile with the open sums of the tiles before.
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_merge(PARAMETERS OUTPUTS global const ulong *cuts, global const ulong *partials, const INDEX tiles)
{
    const INDEX tile = get_global_id(0);
    if (tile >= tiles || cuts[tile] == cuts[tile + 1])
        RETURN;
    global const ITEM *heads = (global const ITEM *)partials, *tails = heads + tiles;
    ITEM sum = heads[tile];
    // A long row has many tiles, so several of them are loaded at once.
    for (INDEX before = tile; before > 0;) {
        ITEM tail[WALK];
        ulong cut[WALK + 1];
        cut[0] = cuts[before];
#pragma unroll
        for (uint i = 0; i < WALK; ++i) {
            const INDEX at = before > i ? before - 1 - i : 0;
            tail[i] = tails[at];
            cut[i + 1] = cuts[at];
        }
        bool more = true;
#pragma unroll
        for (uint i = 0; i < WALK; ++i)
            if (more && before > i) {
                sum = COMBINE(tail[i], sum);
                more = cut[i + 1] == cut[i];
            }
        if (!more)
            break;
        before = before > WALK ? before - WALK : 0;
    }
    STORE((INDEX)cuts[tile], sum);
    RETURN;
}

#endif
