// Divides the rows of a panel below its square by the adjoint of the square's lower half, from the right. A work-item
// of a CPU has STRIP rows.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_divide(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride, const uint below,
    const uint width)
{
    global const NUMBER *square = matrix + first;
    global NUMBER *rows = matrix + first + width;
    const uint begin = get_global_id(0) * STRIP, end = min(below, begin + STRIP);
    for (uint j = 0; j < width; ++j) {
        global NUMBER *own = rows + stride * j;
        for (uint k = 0; k < j; ++k) {
            const NUMBER factor = CONJUGATE(square[stride * k + j]);
            global const NUMBER *other = rows + stride * k;
            for (uint i = begin; i < end; ++i)
                own[i] -= TIMES(other[i], factor);
        }
        const REAL pivot = REAL_PART(square[stride * j + j]);
        for (uint i = begin; i < end; ++i)
            own[i] = own[i] / pivot;
    }
    RETURN;
}
