// Exchanges rows of a block: row `j` with the row `pivots[j]`, for `j` from `begin` to before `end`, or in reverse order
// if `backwards` is 1. The block begins at `first` with the first row of the matrix.
//
// On a GPU a work-group has STRIP columns, and exchanges GROUP rows at a time in local memory. Loops before barriers have
// bounds that all work-items share: PoCL 3.1 miscompiles others. A work-item of a CPU has a column.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_exchange(PARAMETERS OUTPUTS global NUMBER *matrix, global const uint *pivots, const INDEX first,
    const INDEX stride, const uint columns, const uint begin, const uint end, const uint backwards)
{
#if GROUP > 1
    local NUMBER upper[STRIP][GROUP], lower[STRIP][GROUP];
    local uint rows[GROUP], keepers[GROUP];
    const uint me = get_local_id(0), column = get_group_id(0) * STRIP, own_columns = min((uint)STRIP, columns - column);
    const uint parts = (end - begin + GROUP - 1) / GROUP;
    for (uint part = 0; part < parts; ++part) {
        const uint low = begin + (backwards ? parts - 1 - part : part) * GROUP, count = min(end - low, (uint)GROUP);
        global NUMBER *own = matrix + first + stride * column + low;
        if (me < count)
            rows[me] = pivots[low + me] - low;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < count) {
            keepers[me] = keeper_of(rows, count, me);
            for (uint c = 0; c < STRIP; ++c) {
                if (c < own_columns) {
                    upper[c][me] = own[stride * c + me];
                    lower[c][me] = own[stride * c + rows[me]];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint c = 0; c < STRIP; c += GROUP)
            if (c + me < own_columns)
                exchange_all(upper[c + me], lower[c + me], rows, keepers, count, backwards);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < count) {
            for (uint c = 0; c < STRIP; ++c) {
                if (c < own_columns) {
                    own[stride * c + me] = upper[c][me];
                    if (rows[me] >= count && keepers[me] == me)
                        own[stride * c + rows[me]] = lower[c][me];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
#else
    const uint column = get_global_id(0);
    if (column < columns) {
        global NUMBER *own = matrix + first + stride * column;
        for (uint step = begin; step < end; ++step) {
            const uint j = backwards ? end - 1 - (step - begin) : step;
            const uint other = pivots[j];
            const NUMBER upper = own[j], lower = own[other];
            own[j] = lower;
            own[other] = upper;
        }
    }
#endif
    RETURN;
}
