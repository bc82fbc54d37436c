// Factorises a square as L times its adjoint. The lower half is read and written. One work-group does all. A pivot that
// is not positive becomes NaN.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_cholesky_square(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride,
    const uint width)
{
    const uint me = get_local_id(0);
    global NUMBER *square = matrix + first;
    for (uint k = 0; k < width; ++k) {
        global NUMBER *own = square + stride * k;
        const REAL pivot = REAL_PART(own[k]);
        const REAL root = pivot > 0 ? sqrt(pivot) : (REAL)NAN;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (me == 0)
            own[k] = FROM_REAL(root);
        for (uint i = k + 1 + me; i < width; i += GROUP)
            own[i] = own[i] / root;
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint j = k + 1; j < width; ++j) {
            const NUMBER factor = CONJUGATE(own[j]);
            for (uint i = j + me; i < width; i += GROUP)
                square[stride * j + i] -= TIMES(own[i], factor);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    RETURN;
}
