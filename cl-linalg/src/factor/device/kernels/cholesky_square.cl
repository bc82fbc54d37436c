// Factorises a square as L times its adjoint. The lower half is read and written. One work-group does all: on a GPU in
// local memory, which holds SQUARE_COLUMNS columns. A pivot that is not positive becomes NaN.

#if GROUP > 1
#define SQUARE_SIDE (GROUP < 16 ? GROUP : 16)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_cholesky_square(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride,
    const uint width)
{
    global NUMBER *square = matrix + first;
#if GROUP > 1
    local NUMBER lower[SQUARE_COLUMNS * SQUARE_COLUMNS];
    const uint me = get_local_id(0), row = me % SQUARE_SIDE, column = me / SQUARE_SIDE;
    for (uint j = column; j < width; j += GROUP / SQUARE_SIDE)
        for (uint i = j + row; i < width; i += SQUARE_SIDE)
            lower[SQUARE_COLUMNS * j + i] = square[stride * j + i];
    for (uint k = 0; k < width; ++k) {
        local NUMBER *own = lower + SQUARE_COLUMNS * k;
        barrier(CLK_LOCAL_MEM_FENCE);
        const REAL pivot = REAL_PART(own[k]);
        const REAL root = pivot > 0 ? sqrt(pivot) : (REAL)NAN;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = k + me; i < width; i += GROUP)
            own[i] = i == k ? FROM_REAL(root) : own[i] / root;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = k + 1 + column; j < width; j += GROUP / SQUARE_SIDE) {
            const NUMBER factor = CONJUGATE(own[j]);
            for (uint i = j + row; i < width; i += SQUARE_SIDE)
                lower[SQUARE_COLUMNS * j + i] -= TIMES(own[i], factor);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = column; j < width; j += GROUP / SQUARE_SIDE)
        for (uint i = j + row; i < width; i += SQUARE_SIDE)
            square[stride * j + i] = lower[SQUARE_COLUMNS * j + i];
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
