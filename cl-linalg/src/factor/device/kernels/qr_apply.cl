// Multiplies the columns of a panel by the adjoint of I - V T V^H, where V is a strip of the panel, from the left. A
// work-group has a column. From the columns left of the strip, which are vectors, come instead their inner products with
// those of the strip, for the factor T of the panel: see qr_merge.cl. `before` and `after` are the numbers of columns on
// both sides of the strip, `width` is that of the strip.
//
// If ROWS is not 0, the work-group keeps V and the column in registers.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_qr_apply(PARAMETERS OUTPUTS global NUMBER *matrix, global NUMBER *factors, const INDEX first,
    const INDEX stride, const INDEX factor_first, const INDEX factor_stride, const uint height, const uint before,
    const uint width)
{
    ROOM_FOR_SUMS
    local NUMBER amounts[COLUMNS];
    const uint me = get_local_id(0), group = get_group_id(0);
    global const NUMBER *strip = matrix + first + stride * before;
    global NUMBER *column = matrix + first + stride * (group < before ? group : group + width);
    global NUMBER *factor = factors + factor_first + factor_stride * before;
    NUMBER values[COLUMNS];
#pragma unroll
    for (uint c = 0; c < COLUMNS; ++c)
        values[c] = ZERO_NUMBER;
#if ROWS
    NUMBER vectors[COLUMNS][ROWS], own[ROWS];
#pragma unroll
    for (uint r = 0; r < ROWS; ++r) {
        const uint i = me + GROUP * r;
        own[r] = i < height ? column[i] : ZERO_NUMBER;
#pragma unroll
        for (uint c = 0; c < COLUMNS; ++c)
            vectors[c][r] = c < width && c < i && i < height ? strip[stride * c + i] : c == i ? ONE_NUMBER : ZERO_NUMBER;
    }
#pragma unroll
    for (uint r = 0; r < ROWS; ++r) {
#pragma unroll
        for (uint c = 0; c < COLUMNS; ++c)
            values[c] = plus_product(values[c], CONJUGATE(vectors[c][r]), own[r]);
    }
#else
    for (uint i = me; i < height; i += GROUP) {
        const NUMBER own = column[i];
#pragma unroll
        for (uint c = 0; c < COLUMNS; ++c) {
            const NUMBER other = c < width && c < i ? strip[stride * c + i] : c == i ? ONE_NUMBER : ZERO_NUMBER;
            values[c] = plus_product(values[c], CONJUGATE(other), own);
        }
    }
#endif
    COMBINE(PLUS, values)
    if (me < width) {
        if (group < before) {
            factor[factor_stride * me + group] = CONJUGATE(totals[me]);
        } else {
            NUMBER amount = ZERO_NUMBER;
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                if (c <= me)
                    amount = plus_product(amount, CONJUGATE(factor[factor_stride * me + before + c]), totals[c]);
            amounts[me] = -amount;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group >= before) {
#if ROWS
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                if (c < width)
                    own[r] = plus_product(own[r], vectors[c][r], amounts[c]);
            if (i < height)
                column[i] = own[r];
        }
#else
        for (uint i = me; i < height; i += GROUP) {
            NUMBER own = column[i];
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c) {
                if (c < width && c <= i)
                    own = plus_product(own, c < i ? strip[stride * c + i] : ONE_NUMBER, amounts[c]);
            }
            column[i] = own;
        }
#endif
    }
    RETURN;
}
