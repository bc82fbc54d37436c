// Goes on in the other columns of a panel after `count` columns of it, from `done` on, have been factorised: exchanges
// rows; in columns further right, solves with the triangle at the top of the factorised columns, and subtracts the
// product with the rows below it. A work-group of at least COLUMNS work-items has a column.
//
// `matrix` begins with the panel at `first`, with the first row of the triangle. This row is `row` in the matrix, and the
// triangle's first column is `column`. There are `height` rows.

// Rows of a work-item that are on their way at once.
#define FLYING (COLUMNS < 16 ? 32 / COLUMNS : 2)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_update(PARAMETERS OUTPUTS global NUMBER *matrix, global const uint *pivots, const INDEX first,
    const INDEX stride, const uint height, const uint row, const uint column, const uint done, const uint count)
{
    local NUMBER upper[COLUMNS], lower[COLUMNS], triangle[COLUMNS][COLUMNS];
    local uint rows[COLUMNS], keepers[COLUMNS];
    const uint me = get_local_id(0), place = get_group_id(0), own_column = place < done ? place : place + count;
    global const NUMBER *left = matrix + first + stride * done;
    global NUMBER *own = matrix + first + stride * own_column;
    for (uint begin = 0; begin < COLUMNS * COLUMNS; begin += GROUP) {
        const uint i = begin + me;
        if (i < count * count)
            triangle[i / count][i % count] = left[stride * (i / count) + i % count];
    }
    if (me < count) {
        rows[me] = pivots[column + me] - row;
        upper[me] = own[me];
        lower[me] = own[rows[me]];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < count)
        keepers[me] = keeper_of(rows, count, me);
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool is_right = own_column > done;
    if (me == 0) {
        exchange_all(upper, lower, rows, keepers, count, false);
        for (uint j = 0; is_right && j + 1 < count; ++j)
            for (uint i = j + 1; i < count; ++i)
                upper[i] -= TIMES(triangle[j][i], upper[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < count) {
        own[me] = upper[me];
        if (rows[me] >= count && keepers[me] == me)
            own[rows[me]] = lower[me];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    NUMBER factors[COLUMNS];
#pragma unroll
    for (uint j = 0; j < COLUMNS; ++j)
        factors[j] = j < count ? upper[j] : ZERO_NUMBER;
    const uint end = is_right ? height : 0;
    for (uint begin = count + me; begin < end; begin += GROUP * FLYING) {
        // All are on their way before the first is needed.
        NUMBER values[FLYING], lefts[COLUMNS][FLYING];
#pragma unroll
        for (uint r = 0; r < FLYING; ++r) {
            const uint i = min(begin + GROUP * r, height - 1);
            values[r] = own[i];
#pragma unroll
            for (uint j = 0; j < COLUMNS; ++j)
                lefts[j][r] = j < count ? left[stride * j + i] : ZERO_NUMBER;
        }
#pragma unroll
        for (uint r = 0; r < FLYING; ++r) {
#pragma unroll
            for (uint j = 0; j < COLUMNS; ++j)
                values[r] -= TIMES(lefts[j][r], factors[j]);
            if (begin + GROUP * r < height)
                own[begin + GROUP * r] = values[r];
        }
    }
    RETURN;
}
