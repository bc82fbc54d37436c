// Solves a small triangular system for many right-hand sides, in place. A work-item has a right-hand side, a column.
// `lower`, `unit` and `adjoint` are 0 or 1. The adjoint's rows are the conjugates of the columns.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_solve(PARAMETERS OUTPUTS global const NUMBER *matrix, global NUMBER *right, const INDEX first,
    const INDEX stride, const INDEX right_first, const INDEX right_stride, const uint size, const uint columns,
    const uint lower, const uint unit, const uint adjoint)
{
    const uint column = get_global_id(0);
    if (column < columns) {
        global const NUMBER *triangle = matrix + first;
        global NUMBER *own = right + right_first + right_stride * column;
        const bool forwards = lower != adjoint;
        for (uint step = 0; step < size; ++step) {
            const uint k = forwards ? step : size - 1 - step;
            global const NUMBER *line = triangle + stride * k;
            // The rows of column k of the triangle that are not on the diagonal.
            const uint begin = lower ? k + 1 : 0, end = lower ? size : k;
            NUMBER value = own[k];
            if (adjoint) {
                for (uint i = begin; i < end; ++i)
                    value -= TIMES(CONJUGATE(line[i]), own[i]);
                if (!unit)
                    value = quotient(value, CONJUGATE(line[k]));
            } else {
                if (!unit)
                    value = quotient(value, line[k]);
                for (uint i = begin; i < end; ++i)
                    own[i] -= TIMES(line[i], value);
            }
            own[k] = value;
        }
    }
    RETURN;
}
