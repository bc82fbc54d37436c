// For rows of middling length that differ little: LANES neighbouring work-items go through a row together.
//
// Lanes leave their sums in local memory, and one work-item a row adds them up: that is one barrier, and neighbouring
// work-items store neighbouring rows.

// Entries of a row that are on their way at once.
#define STEPS 4
// Room between sub-groups, so that those who add up read from different banks.
#define PLACE(at) ((at) + (at) / 32)

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_lanes(PARAMETERS OUTPUTS global const OFFSET *offsets, const INDEX rows)
{
    local ITEM sums[PLACE(GROUP_ITEMS)];
    const uint me = get_local_id(0), lane = me % LANES_OF_ROW, together = GROUP_ITEMS / LANES_OF_ROW;
    const INDEX first = (INDEX)get_group_id(0) * together, row = first + me / LANES_OF_ROW;
    const ITEM initial = INITIAL_LOAD(0);

    ITEM total = initial;
    if (row < rows) {
        const INDEX end = (INDEX)offsets[row + 1];
        for (INDEX k = (INDEX)offsets[row] + lane; k < end; k += STEPS * LANES_OF_ROW) {
            ITEM value[STEPS];
#pragma unroll
            for (uint step = 0; step < STEPS; ++step) {
                const INDEX at = k + step * LANES_OF_ROW;
                value[step] = initial;
                if (at < end)
                    value[step] = LOAD(at);
            }
            total = COMBINE(total, COMBINE(COMBINE(value[0], value[1]), COMBINE(value[2], value[3])));
        }
    }
    sums[PLACE(me)] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < together && first + me < rows) {
        ITEM sum = sums[PLACE(me * LANES_OF_ROW)];
        for (uint k = 1; k < LANES_OF_ROW; ++k)
            sum = COMBINE(sum, sums[PLACE(me * LANES_OF_ROW + k)]);
        STORE(first + me, sum);
    }
}
