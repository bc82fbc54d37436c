// Exchanges rows of a block: row `j` with the row `pivots[j]`, for `j` from `begin` to before `end`, or in reverse order
// if `backwards` is 1. A work-item has a column. The block begins at `first` with the first row of the matrix.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_exchange(PARAMETERS OUTPUTS global NUMBER *matrix, global const uint *pivots, const INDEX first,
    const INDEX stride, const uint columns, const uint begin, const uint end, const uint backwards)
{
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
    RETURN;
}
