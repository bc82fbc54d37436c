// Factorises a square as L times its adjoint. The lower half is read and written. One work-group does all. A pivot that
// is not positive becomes NaN.
//
// On a GPU the square has at most SQUARE_COLUMNS columns, and each work-item keeps every SIDE-th row of every ACROSS-th
// column in registers. A step eliminates AT_ONCE columns, which all work-items see in local memory. Each work-item
// factorises the square of these columns, and divides its own rows by it, so that a step has one barrier.

#if GROUP > 1
#define AT_ONCE 4
#define SIDE (GROUP < 16 ? GROUP : 16)
#define ACROSS (GROUP / SIDE)
#define OWN_ROWS ((SQUARE_COLUMNS + SIDE - 1) / SIDE)
#define OWN_COLUMNS ((SQUARE_COLUMNS + ACROSS - 1) / ACROSS)

// Divides the AT_ONCE numbers of a row by the adjoint of the square of the step.
#define DIVIDE_ROW(to, i) \
    _Pragma("unroll") for (uint q = 0; q < AT_ONCE; ++q) { \
        NUMBER value = shared[q][i]; \
        _Pragma("unroll") for (uint r = 0; r < q; ++r) \
            value -= TIMES((to)[r], CONJUGATE(pivots[q][r])); \
        (to)[q] = value * reciprocals[q]; \
    }
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_cholesky_square(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride,
    const uint width)
{
    global NUMBER *square = matrix + first;
#if GROUP > 1
    // The columns of two steps: work-items that are ahead write the next ones while others read these.
    local NUMBER columns[2][AT_ONCE][OWN_ROWS * SIDE];
    const uint row = get_local_id(0) % SIDE, column = get_local_id(0) / SIDE;
    NUMBER own[OWN_COLUMNS][OWN_ROWS];
#pragma unroll
    for (uint b = 0; b < OWN_COLUMNS; ++b) {
#pragma unroll
        for (uint a = 0; a < OWN_ROWS; ++a) {
            const uint i = row + SIDE * a, j = column + ACROSS * b;
            // The last step may have columns beyond the square: those of an identity matrix.
            own[b][a] = i < width && j <= i ? square[stride * j + i] : i == j ? ONE_NUMBER : ZERO_NUMBER;
        }
    }
    // Steps write what other work-items have read.
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint k = 0; k < width; k += AT_ONCE) {
        local NUMBER(*shared)[OWN_ROWS * SIDE] = columns[k / AT_ONCE % 2];
#pragma unroll
        for (uint b = 0; b < OWN_COLUMNS; ++b) {
            const uint j = column + ACROSS * b;
            if (j >= k && j < k + AT_ONCE) {
#pragma unroll
                for (uint a = 0; a < OWN_ROWS; ++a)
                    shared[j - k][row + SIDE * a] = own[b][a];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        NUMBER pivots[AT_ONCE][AT_ONCE];
        REAL reciprocals[AT_ONCE];
#pragma unroll
        for (uint q = 0; q < AT_ONCE; ++q) {
#pragma unroll
            for (uint p = q; p < AT_ONCE; ++p)
                pivots[p][q] = shared[q][k + p];
        }
#pragma unroll
        for (uint q = 0; q < AT_ONCE; ++q) {
            // The reciprocal of the root: neither a root nor a division that all rows would wait for.
            const REAL pivot = REAL_PART(pivots[q][q]);
            reciprocals[q] = pivot > 0 ? rsqrt(pivot) : (REAL)NAN;
#pragma unroll
            for (uint p = q + 1; p < AT_ONCE; ++p) {
                pivots[p][q] = pivots[p][q] * reciprocals[q];
#pragma unroll
                for (uint r = q + 1; r <= p; ++r)
                    pivots[p][r] -= TIMES(pivots[p][q], CONJUGATE(pivots[r][q]));
            }
        }
        const uint next = k + AT_ONCE;
        NUMBER left[OWN_ROWS][AT_ONCE];
#pragma unroll
        for (uint a = 0; a < OWN_ROWS; ++a) {
            if (SIDE * (a + 1) > next)
                DIVIDE_ROW(left[a], row + SIDE * a)
        }
#pragma unroll
        for (uint b = 0; b < OWN_COLUMNS; ++b) {
            const uint j = column + ACROSS * b;
            if (j >= next && j < width) {
                NUMBER factors[AT_ONCE];
                DIVIDE_ROW(factors, j)
#pragma unroll
                for (uint a = 0; a < OWN_ROWS; ++a) {
                    if (SIDE * (a + 1) > next) {
#pragma unroll
                        for (uint q = 0; q < AT_ONCE; ++q)
                            own[b][a] -= TIMES(left[a][q], CONJUGATE(factors[q]));
                    }
                }
            }
        }
        // One of the work-items with the same rows writes each column.
#pragma unroll
        for (uint q = 0; q < AT_ONCE; ++q) {
            global NUMBER *done = square + stride * (k + q);
            if (column == q % ACROSS && k + q < width) {
#pragma unroll
                for (uint a = 0; a < OWN_ROWS; ++a) {
                    const uint i = row + SIDE * a;
                    if (i >= next && i < width)
                        done[i] = left[a][q];
                }
                if (row == 0) {
                    // One step of Newton's method rounds the root.
                    const REAL pivot = REAL_PART(pivots[q][q]), estimate = pivot * reciprocals[q];
                    const REAL root = fma(fma(-estimate, estimate, pivot), reciprocals[q] / 2, estimate);
                    done[k + q] = FROM_REAL(root);
#pragma unroll
                    for (uint p = q + 1; p < AT_ONCE; ++p)
                        if (k + p < width)
                            done[k + p] = pivots[p][q];
                }
            }
        }
    }
#else
    for (uint k = 0; k < width; ++k) {
        global NUMBER *own = square + stride * k;
        const REAL pivot = REAL_PART(own[k]);
        const REAL root = pivot > 0 ? sqrt(pivot) : (REAL)NAN;
        own[k] = FROM_REAL(root);
        for (uint i = k + 1; i < width; ++i)
            own[i] = own[i] / root;
        for (uint j = k + 1; j < width; ++j) {
            const NUMBER factor = CONJUGATE(own[j]);
            for (uint i = j; i < width; ++i)
                square[stride * j + i] -= TIMES(own[i], factor);
        }
    }
#endif
    RETURN;
}
