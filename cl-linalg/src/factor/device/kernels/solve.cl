// Solves a small triangular system for many right-hand sides, in place. `lower`, `unit` and `adjoint` are 0 or 1. The
// adjoint's rows are the conjugates of the columns.
//
// On a GPU a work-group has STRIP right-hand sides, of which each work-item keeps every GROUP-th number in registers. A
// work-item of a CPU has a right-hand side.

#if GROUP > 1
#define OWN ((MOST_COLUMNS + GROUP - 1) / GROUP)
// Lines of the triangle that are on their way at once.
#define AHEAD 8
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_solve(PARAMETERS OUTPUTS global const NUMBER *matrix, global NUMBER *right, const INDEX first,
    const INDEX stride, const INDEX right_first, const INDEX right_stride, const uint size, const uint columns,
    const uint lower, const uint unit, const uint adjoint)
{
    global const NUMBER *triangle = matrix + first;
    const bool forwards = lower != adjoint;
#if GROUP > 1
    // Two lines: work-items that are ahead write the next one while others read this one.
    local NUMBER solved[2][STRIP];
    const uint me = get_local_id(0), side = get_group_id(0) * STRIP;
    // Steps from one number of a line of the triangle to the next, and from line to line.
    const INDEX along = adjoint ? stride : 1, between = adjoint ? 1 : stride;
    global NUMBER *own = right + right_first + right_stride * side;
    NUMBER values[OWN][STRIP], reciprocals[OWN];
#pragma unroll
    for (uint r = 0; r < OWN; ++r) {
        const uint i = me + GROUP * r;
#pragma unroll
        for (uint c = 0; c < STRIP; ++c) {
            values[r][c] = i < size && side + c < columns ? own[right_stride * c + i] : ZERO_NUMBER;
        }
        const NUMBER pivot = unit ? ONE_NUMBER : triangle[(stride + 1) * min(i, size - 1)];
        reciprocals[r] = reciprocal_of(adjoint ? CONJUGATE(pivot) : pivot);
    }
    for (uint begin = 0; begin < size; begin += AHEAD) {
        NUMBER factors[AHEAD][OWN];
#pragma unroll
        for (uint s = 0; s < AHEAD; ++s) {
            const uint step = min(begin + s, size - 1), k = forwards ? step : size - 1 - step;
#pragma unroll
            for (uint r = 0; r < OWN; ++r) {
                const NUMBER factor = triangle[along * min(me + GROUP * r, size - 1) + between * k];
                factors[s][r] = adjoint ? CONJUGATE(factor) : factor;
            }
        }
#pragma unroll
        for (uint s = 0; s < AHEAD; ++s) {
            const uint step = begin + s, k = forwards ? step : size - 1 - step;
            local NUMBER *line = solved[step % 2];
#pragma unroll
            for (uint r = 0; r < OWN; ++r) {
                if (step < size && me + GROUP * r == k) {
#pragma unroll
                    for (uint c = 0; c < STRIP; ++c) {
                        values[r][c] = unit ? values[r][c] : divided_by(values[r][c], factors[s][r], reciprocals[r]);
                        line[c] = values[r][c];
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
            for (uint r = 0; r < OWN; ++r) {
                const uint i = me + GROUP * r;
                if (step < size && (forwards ? i > k : i < k)) {
#pragma unroll
                    for (uint c = 0; c < STRIP; ++c)
                        values[r][c] -= TIMES(factors[s][r], line[c]);
                }
            }
        }
    }
#pragma unroll
    for (uint r = 0; r < OWN; ++r) {
        const uint i = me + GROUP * r;
#pragma unroll
        for (uint c = 0; c < STRIP; ++c)
            if (i < size && side + c < columns)
                own[right_stride * c + i] = values[r][c];
    }
#else
    const uint column = get_global_id(0);
    if (column < columns) {
        global NUMBER *own = right + right_first + right_stride * column;
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
#endif
    RETURN;
}
