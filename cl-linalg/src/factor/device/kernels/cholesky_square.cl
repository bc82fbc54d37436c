// Factorises a square as L times its adjoint. The lower half is read and written. One work-group does all. A pivot that
// is not positive becomes NaN.
//
// On a GPU the square has at most SQUARE_COLUMNS columns, and each work-item keeps every SIDE-th row of every ACROSS-th
// column in registers. The work-items see each other's column k in local memory.

#if GROUP > 1
#define SIDE (GROUP < 16 ? GROUP : 16)
#define ACROSS (GROUP / SIDE)
#define OWN_ROWS ((SQUARE_COLUMNS + SIDE - 1) / SIDE)
#define OWN_COLUMNS ((SQUARE_COLUMNS + ACROSS - 1) / ACROSS)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_cholesky_square(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride,
    const uint width)
{
    global NUMBER *square = matrix + first;
#if GROUP > 1
    // Two columns: work-items that are ahead write the next one while others read this one.
    local NUMBER columns[2][OWN_ROWS * SIDE];
    const uint row = get_local_id(0) % SIDE, column = get_local_id(0) / SIDE;
    NUMBER own[OWN_COLUMNS][OWN_ROWS];
#pragma unroll
    for (uint b = 0; b < OWN_COLUMNS; ++b) {
#pragma unroll
        for (uint a = 0; a < OWN_ROWS; ++a) {
            const uint i = row + SIDE * a, j = column + ACROSS * b;
            own[b][a] = i < width && j <= i ? square[stride * j + i] : ZERO_NUMBER;
        }
    }
    for (uint k = 0; k < width; ++k) {
        local NUMBER *shared = columns[k % 2];
#pragma unroll
        for (uint b = 0; b < OWN_COLUMNS; ++b)
            if (column + ACROSS * b == k)
#pragma unroll
                for (uint a = 0; a < OWN_ROWS; ++a)
                    shared[row + SIDE * a] = own[b][a];
        barrier(CLK_LOCAL_MEM_FENCE);
        // The root, without a division that all columns would wait for: one step of Newton's method rounds it.
        const REAL pivot = REAL_PART(shared[k]), reciprocal = pivot > 0 ? rsqrt(pivot) : (REAL)NAN;
        const REAL estimate = pivot * reciprocal;
        const REAL root = fma(fma(-estimate, estimate, pivot), reciprocal / 2, estimate);
        NUMBER left[OWN_ROWS];
#pragma unroll
        for (uint a = 0; a < OWN_ROWS; ++a)
            left[a] = shared[row + SIDE * a] * reciprocal;
#pragma unroll
        for (uint b = 0; b < OWN_COLUMNS; ++b) {
            const uint j = column + ACROSS * b;
            if (j > k && j < width) {
                const NUMBER factor = CONJUGATE(shared[j] * reciprocal);
#pragma unroll
                for (uint a = 0; a < OWN_ROWS; ++a)
                    own[b][a] -= TIMES(left[a], factor);
            } else if (j == k) {
#pragma unroll
                for (uint a = 0; a < OWN_ROWS; ++a)
                    own[b][a] = row + SIDE * a == k ? FROM_REAL(root) : left[a];
            }
        }
    }
#pragma unroll
    for (uint b = 0; b < OWN_COLUMNS; ++b) {
#pragma unroll
        for (uint a = 0; a < OWN_ROWS; ++a) {
            const uint i = row + SIDE * a, j = column + ACROSS * b;
            if (i < width && j <= i)
                square[stride * j + i] = own[b][a];
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
