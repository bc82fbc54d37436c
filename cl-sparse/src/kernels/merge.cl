// For rows of very different lengths: work-groups share rows and entries evenly, however long a row is.
//
// The ends of the rows and the entries, each a sorted list, are merged: an end comes before the entries behind it. Each
// work-group has TILE_ITEMS neighbouring items of the merged list, each work-item PER of them: for an entry it adds, for
// an end it has a sum. Rows that go on beyond a work-item are added up in local memory, rows that go on beyond a
// work-group by a second kernel, which takes what each group has begun and what the next ones have found. After
// D. Merrill and M. Garland, "Merge-based parallel sparse matrix-vector multiplication" (2016), with the groups' shares
// of rows, `cuts`, found once for a matrix.

#define TILE_ITEMS (GROUP_ITEMS * PER)

#if !FINAL

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_merge(PARAMETERS OUTPUTS global const OFFSET *offsets, global const ulong *cuts, global ulong *partials,
               const INDEX rows, const INDEX entries)
{
    // The values of the entries, and behind them the sums of the rows that end here: together a tile at most.
    local ITEM value[TILE_ITEMS];
    local ushort row_end[TILE_ITEMS];
    // Twice, to be read and written in turn.
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

    // Where this work-item's items begin: how many ends come before them.
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

    // What is open at the end of each work-item, up to where a row ended last.
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

    // The first row that ends here may have begun elsewhere: the second kernel stores it.
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

// Tiles that are looked at at once.
#define WALK 8

// The rows that ended first in each tile, with what the tiles before had of them.
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_merge(PARAMETERS OUTPUTS global const ulong *cuts, global const ulong *partials, const INDEX tiles)
{
    const INDEX tile = get_global_id(0);
    if (tile >= tiles || cuts[tile] == cuts[tile + 1])
        RETURN;
    global const ITEM *heads = (global const ITEM *)partials, *tails = heads + tiles;
    ITEM sum = heads[tile];
    // A long row has many tiles: several of them are on their way at once.
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
