// Factorises a square as L times its adjoint. The lower half is read and written. One work-item does all. A pivot that is not
// positive becomes NaN.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_cholesky_square(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride,
    const uint width)
{
    global NUMBER *square = matrix + first;
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
    RETURN;
}
