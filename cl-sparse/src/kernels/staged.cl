// For short rows of similar lengths, such as those of stencils: one work-item per row. The entries of a work-group's
// rows are consecutive. So all work-items of the group load them into local memory, neighbouring work-items
// neighbouring entries. Then each work-item reads the entries of its row from local memory.

#define ROOM (GROUP_ITEMS * PER)

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_staged(PARAMETERS OUTPUTS global const OFFSET *offsets, const INDEX rows)
{
    local ITEM staged[ROOM];
    const uint me = get_local_id(0);
    const INDEX first = (INDEX)get_group_id(0) * GROUP_ITEMS, row = first + me;
    const INDEX group_begin = (INDEX)offsets[first], group_end = (INDEX)offsets[min(first + GROUP_ITEMS, rows)];
    const INDEX begin = (INDEX)offsets[min(row, rows)], end = (INDEX)offsets[min(row + 1, rows)];

    const ITEM initial = INITIAL_LOAD(0);
    ITEM total = initial;
    // One iteration, unless rows are unusually long.
    for (INDEX base = group_begin; base < group_end; base += ROOM) {
        ITEM value[PER];
#pragma unroll
        for (uint step = 0; step < PER; ++step) {
            const INDEX at = base + step * GROUP_ITEMS + me;
            value[step] = initial;
            if (at < group_end)
                value[step] = LOAD(at);
        }
#pragma unroll
        for (uint step = 0; step < PER; ++step)
            staged[step * GROUP_ITEMS + me] = value[step];
        barrier(CLK_LOCAL_MEM_FENCE);
        const INDEX from = max(begin, base), to = min(end, base + ROOM);
        for (INDEX k = from; k < to; ++k)
            total = COMBINE(total, staged[k - base]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows)
        STORE(row, total);
    RETURN;
}
