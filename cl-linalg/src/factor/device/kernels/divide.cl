// Divides the rows of a panel below its square by the adjoint of the square's lower half, from the right. A work-item
// has STRIP rows; if it has one, it keeps KEPT elements of the row in registers.

#define KEPT (DOUBLE && COMPLEX ? 8 : 16)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_divide(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride, const uint below,
    const uint width)
{
    global const NUMBER *square = matrix + first;
    global NUMBER *rows = matrix + first + width;
    const uint begin = get_global_id(0) * STRIP, end = min(below, begin + STRIP);
#if STRIP == 1
    if (begin < end) {
        global NUMBER *row = rows + begin;
        for (uint j = 0; j < width; j += KEPT) {
            NUMBER kept[KEPT];
            // Columns beyond the last one are copies of it, which are not stored.
#pragma unroll
            for (uint c = 0; c < KEPT; ++c)
                kept[c] = row[stride * min(j + c, width - 1)];
            for (uint k = 0; k < j; ++k) {
                const NUMBER other = row[stride * k];
#pragma unroll
                for (uint c = 0; c < KEPT; ++c)
                    kept[c] -= TIMES(other, CONJUGATE(square[stride * k + min(j + c, width - 1)]));
            }
#pragma unroll
            for (uint c = 0; c < KEPT; ++c) {
                const uint at = min(j + c, width - 1);
                for (uint k = 0; k < c; ++k)
                    kept[c] -= TIMES(kept[k], CONJUGATE(square[stride * min(j + k, width - 1) + at]));
                kept[c] = kept[c] / REAL_PART(square[stride * at + at]);
            }
#pragma unroll
            for (uint c = 0; c < KEPT; ++c)
                if (j + c < width)
                    row[stride * (j + c)] = kept[c];
        }
    }
#else
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
#endif
    RETURN;
}
