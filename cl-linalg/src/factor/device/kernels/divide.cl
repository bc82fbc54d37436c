// Divides rows of a panel by the adjoint of a square's lower half, from the right. The square is `width` columns wide. The
// rows begin `height` rows below its first row. There are `below` of them.
//
// On a GPU a work-item has a row, and the square has at most SQUARE_COLUMNS columns. A block of the row, AT_ONCE numbers, is in
// registers. The blocks before it are in local memory, as the square is. A work-item of a CPU has STRIP rows.

#if GROUP > 1
// `BLOCK` in panels.rs, which chooses a GROUP that local memory has room for.
#define AT_ONCE 16
#define BLOCKS ((SQUARE_COLUMNS + AT_ONCE - 1) / AT_ONCE)
// The index of a block of the lower half of the square: that of rows and columns AT_ONCE * down and AT_ONCE * across.
#define BLOCK_OF(down, across) ((down) * ((down) + 1) / 2 + (across))
#define BLOCK_ITEMS (AT_ONCE * AT_ONCE)
// The share of a work-item in a block.
#define SHARE ((BLOCK_ITEMS + GROUP - 1) / GROUP)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_divide(PARAMETERS OUTPUTS global NUMBER *matrix, const INDEX first, const INDEX stride, const uint height,
    const uint below, const uint width)
{
    global const NUMBER *square = matrix + first;
    global NUMBER *rows = matrix + first + height;
#if GROUP > 1
    // The conjugates of the elements of each block, column by column.
    local NUMBER factors[BLOCK_OF(BLOCKS, 0) * BLOCK_ITEMS] __attribute__((aligned(16)));
    local REAL reciprocals[BLOCKS * AT_ONCE];
    local NUMBER before[(BLOCKS - 1) * AT_ONCE][GROUP];
    const uint me = get_local_id(0), row = get_global_id(0);
    global NUMBER *own = rows + row;
    const bool is_row = row < below;
    NUMBER ahead[AT_ONCE], kept[BLOCK_OF(BLOCKS, 0)][SHARE];
#pragma unroll
    for (uint j = 0; j < AT_ONCE; ++j)
        ahead[j] = is_row && j < width ? own[stride * j] : ZERO_NUMBER;
#pragma unroll
    for (uint down = 0; down < BLOCKS; ++down) {
#pragma unroll
        for (uint across = 0; across <= down; ++across) {
#pragma unroll
            for (uint s = 0; s < SHARE; ++s) {
                // Neighbouring work-items read neighbouring rows.
                const uint at = me + GROUP * s, i = AT_ONCE * down + at % AT_ONCE, j = AT_ONCE * across + at / AT_ONCE;
                kept[BLOCK_OF(down, across)][s] = i < width && j <= i && at < BLOCK_ITEMS ? square[stride * j + i] : ONE_NUMBER;
            }
        }
    }
#pragma unroll
    for (uint b = 0; b < BLOCK_OF(BLOCKS, 0); ++b) {
#pragma unroll
        for (uint s = 0; s < SHARE; ++s) {
            if (me + GROUP * s < BLOCK_ITEMS)
                factors[BLOCK_ITEMS * b + me + GROUP * s] = CONJUGATE(kept[b][s]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = me; k < BLOCKS * AT_ONCE; k += GROUP) {
        const uint down = k / AT_ONCE;
        reciprocals[k] = 1 / REAL_PART(factors[BLOCK_OF(down, down) * BLOCK_ITEMS + k % AT_ONCE * (AT_ONCE + 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint down = 0; AT_ONCE * down < width; ++down) {
        const uint begin = AT_ONCE * down;
        NUMBER values[AT_ONCE];
#pragma unroll
        for (uint j = 0; j < AT_ONCE; ++j) {
            const uint after = begin + AT_ONCE + j;
            values[j] = ahead[j];
            ahead[j] = is_row && after < width ? own[stride * after] : ZERO_NUMBER;
        }
        for (uint across = 0; across < down; ++across) {
            local const NUMBER *block = factors + BLOCK_OF(down, across) * BLOCK_ITEMS;
#pragma unroll
            for (uint k = 0; k < AT_ONCE; ++k) {
                const NUMBER value = before[AT_ONCE * across + k][me];
#pragma unroll
                for (uint j = 0; j < AT_ONCE; ++j)
                    values[j] -= TIMES(value, block[AT_ONCE * k + j]);
            }
        }
        local const NUMBER *block = factors + BLOCK_OF(down, down) * BLOCK_ITEMS;
#pragma unroll
        for (uint k = 0; k < AT_ONCE; ++k) {
            values[k] = values[k] * reciprocals[begin + k];
#pragma unroll
            for (uint j = k + 1; j < AT_ONCE; ++j)
                values[j] -= TIMES(values[k], block[AT_ONCE * k + j]);
        }
#pragma unroll
        for (uint j = 0; j < AT_ONCE; ++j) {
            if (is_row && begin + j < width)
                own[stride * (begin + j)] = values[j];
            if (begin + AT_ONCE < width)
                before[begin + j][me] = values[j];
        }
    }
#else
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
#endif
    RETURN;
}
