// For rows of very different lengths: work-groups share rows and entries evenly, however long a row is.
//
// The kernel merges two sorted lists: the ends of the rows and the entries. In the merged list, the end of a row comes
// after the entries of the row and before the entries of the next row. Each work-group has TILE_ITEMS neighbouring
// items of the merged list. It loads the entries into local memory, neighbouring work-items neighbouring entries. Then
// several work-items share each row. They leave long rows to the whole group. Rows that cross work-groups are added up
// by a second kernel. The second kernel combines the first sum of the group in which a row ends with the open sums of
// the groups before. The division among groups is that of D. Merrill and M. Garland, "Merge-based parallel sparse
// matrix-vector multiplication" (2016); here it is computed once for a matrix, in `cuts`.
//
// If each work-item merges its own items instead, as in that article, rows by a power law of `f64` take 288 us on an H200,
// and 282 us so. The loads alone take 275 us.

#define TILE_ITEMS (GROUP_ITEMS * PER)
// The largest number of work-items that share a row.
#define MOST_LANES 32
// The largest number of entries of a row that each of them adds up. Longer rows are left to the whole group.
#define MOST_STEPS 16
// The slot of a sum in local memory. A free slot after every 32 sums lets work-items that add up the sums of different
// rows read from different banks.
#define PLACE(at) ((at) + (at) / 32)

#if !FINAL

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_merge(PARAMETERS OUTPUTS global const OFFSET *offsets, global const ulong *cuts, global ulong *partials,
               const INDEX rows, const INDEX entries)
{
    // The values of the entries, followed by the sums of the rows that end in this tile and of the row that is open at
    // its end.
    local ITEM value[TILE_ITEMS + 1];
    local ushort row_end[TILE_ITEMS];
    local ITEM sums[PLACE(GROUP_ITEMS)];
    local ushort long_rows[TILE_ITEMS / MOST_STEPS + 1];
    local uint long_count;
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
    if (me == 0)
        long_count = 0;
    for (uint at = me; at < ends; at += GROUP_ITEMS)
        row_end[at] = (ushort)((INDEX)offsets[first_row + at + 1] - first_entry);
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint parts = ends + 1;
    uint lanes = 1;
    while (lanes < MOST_LANES && 2 * lanes * parts <= GROUP_ITEMS)
        lanes *= 2;
    const uint together = GROUP_ITEMS / lanes, lane = me % lanes;
    for (uint first = 0; first < parts; first += together) {
        const uint row = first + me / lanes;
        ITEM total = initial;
        if (row < parts) {
            const uint begin = row > 0 ? row_end[row - 1] : 0;
            const uint end = row < ends ? row_end[row] : count;
            if (end - begin <= MOST_STEPS * lanes) {
                for (uint k = begin + lane; k < end; k += lanes)
                    total = COMBINE(total, value[k]);
            } else if (lane == 0) {
                // The order of long rows in the list may vary. Their sums do not depend on it.
                long_rows[atomic_inc(&long_count)] = (ushort)row;
            }
        }
        sums[PLACE(me)] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < together && first + me < parts) {
            ITEM sum = sums[PLACE(me * lanes)];
            for (uint k = 1; k < lanes; ++k)
                sum = COMBINE(sum, sums[PLACE(me * lanes + k)]);
            value[count + first + me] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // The whole group shares the long rows.
    const uint many = long_count;
    uint sharers = GROUP_ITEMS;
    while (sharers > 1 && sharers * many > GROUP_ITEMS)
        sharers /= 2;
    const uint at_once = GROUP_ITEMS / sharers, sharer = me % sharers;
    for (uint first = 0; first < many; first += at_once) {
        const uint at = first + me / sharers, row = at < many ? long_rows[at] : 0;
        ITEM total = initial;
        if (at < many) {
            const uint end = row < ends ? row_end[row] : count;
            for (uint k = (row > 0 ? row_end[row - 1] : 0) + sharer; k < end; k += sharers)
                total = COMBINE(total, value[k]);
        }
        sums[me] = total;
        for (uint distance = sharers / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (sharer < distance)
                sums[me] = COMBINE(sums[me], sums[me + distance]);
        }
        if (at < many && sharer == 0)
            value[count + row] = sums[me];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // The first row that ends in this tile may have begun in another one: the second kernel stores it.
    global ITEM *heads = (global ITEM *)partials, *tails = heads + get_num_groups(0);
    if (me == 0) {
        heads[tile] = ends > 0 ? value[count] : initial;
        tails[tile] = value[count + ends];
    }
    for (uint at = me + 1; at < ends; at += GROUP_ITEMS)
        STORE(first_row + at, value[count + at]);
    RETURN;
}

#else

// The number of tiles that a work-item reads at once.
#define WALK (sizeof(ITEM) < 4 ? 32 : 128 / sizeof(ITEM))

// Completes the row that ended first in each tile with the open sums of the tiles before.
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_merge(PARAMETERS OUTPUTS global const OFFSET *offsets, global const ulong *cuts, global const ulong *partials,
               const INDEX tiles, const INDEX tile_items)
{
    const INDEX tile = get_global_id(0);
    if (tile >= tiles || cuts[tile] == cuts[tile + 1])
        RETURN;
    global const ITEM *heads = (global const ITEM *)partials, *tails = heads + tiles;
    const INDEX row = (INDEX)cuts[tile];
    // As many row ends as its index precede the row in the merged list.
    const INDEX first = ((INDEX)offsets[row] + row) / tile_items;
    ITEM sum = heads[tile];
    // A long row has many tiles, so several of them are loaded at once. Rows of `f32` by a power law, the longest with
    // 111111 entries: this kernel takes 8 us with eight tiles at once on an H200.
    for (INDEX end = tile; end > first; end -= min(end - first, (INDEX)WALK)) {
        ITEM tail[WALK];
#pragma unroll
        for (uint i = 0; i < WALK; ++i)
            tail[i] = tails[end - first > i ? end - 1 - i : first];
#pragma unroll
        for (uint i = 0; i < WALK; ++i)
            if (end - first > i)
                sum = COMBINE(tail[i], sum);
    }
    STORE(row, sum);
    RETURN;
}

#endif
