// Factorises a panel by Gaussian elimination with partial pivoting. One work-group does all.
//
// `matrix` begins with the panel at `first`; element (i, j) of the panel is `stride * j + i` further. Row and column of
// its first element in the matrix are `row` and `column`. `pivots[column + j]` becomes the row that is exchanged with
// row `row + j`.
//
// On a GPU each work-item has every GROUP-th row. While it updates a row, it finds the largest element of its rows in the
// next column. A work-item of a CPU has all rows, and updates column by column, as they lie in memory.

// Elements of a row that are loaded before the first of them is stored.
#define KEPT 8

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_panel(PARAMETERS OUTPUTS global NUMBER *matrix, global uint *pivots, const INDEX first, const INDEX stride,
    const uint height, const uint width, const uint row, const uint column)
{
    global NUMBER *panel = matrix + first;
#if GROUP > 1
    local REAL sizes[GROUP];
    local uint places[GROUP];
    local NUMBER upper[MOST_COLUMNS];
    const uint me = get_local_id(0);
    // The largest element on and below the diagonal; the first of several.
    REAL size = -1;
    uint place = 0;
    for (uint i = me; i < height; i += GROUP) {
        const REAL other = SIZE(panel[i]);
        place = other > size ? i : place;
        size = other > size ? other : size;
    }
    for (uint k = 0; k < width; ++k) {
        sizes[me] = size;
        places[me] = place;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (uint reach = GROUP / 2; reach > 0; reach /= 2) {
            if (me < reach) {
                const REAL other = sizes[me + reach];
                if (other > sizes[me] || (other == sizes[me] && places[me + reach] < places[me])) {
                    sizes[me] = other;
                    places[me] = places[me + reach];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        // Without a number that is larger than -1, the row stays.
        const uint pivot = sizes[0] < 0 ? k : places[0];
        const bool is_zero = sizes[0] == 0;
        if (me == 0)
            pivots[column + k] = row + pivot;
        for (uint j = me; j < width; j += GROUP) {
            const NUMBER above = panel[stride * j + k], below = panel[stride * j + pivot];
            panel[stride * j + k] = below;
            panel[stride * j + pivot] = above;
            upper[j] = below;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        // A column of zeros is left as it is.
        const NUMBER divisor = is_zero ? ONE_NUMBER : upper[k];
        size = -1;
        // The first row of this work-item below row k.
        for (uint i = me + (k + GROUP - me) / GROUP * GROUP; i < height; i += GROUP) {
            global NUMBER *own = panel + i;
            const NUMBER factor = quotient(own[stride * k], divisor);
            own[stride * k] = factor;
            for (uint j = k + 1; j < width; j += KEPT) {
                const uint count = min((uint)KEPT, width - j);
                NUMBER kept[KEPT];
#pragma unroll
                for (uint c = 0; c < KEPT; ++c)
                    kept[c] = c < count ? own[stride * (j + c)] - TIMES(factor, upper[j + c]) : ZERO_NUMBER;
                if (j == k + 1) {
                    const REAL other = SIZE(kept[0]);
                    place = other > size ? i : place;
                    size = other > size ? other : size;
                }
#pragma unroll
                for (uint c = 0; c < KEPT; ++c)
                    if (c < count)
                        own[stride * (j + c)] = kept[c];
            }
        }
    }
#else
    for (uint k = 0; k < width; ++k) {
        global NUMBER *own = panel + stride * k;
        // The largest element on and below the diagonal; the first of several.
        REAL size = -1;
        uint pivot = k;
        for (uint i = k; i < height; ++i) {
            const REAL other = SIZE(own[i]);
            pivot = other > size ? i : pivot;
            size = other > size ? other : size;
        }
        pivots[column + k] = row + pivot;
        for (uint j = 0; j < width; ++j) {
            const NUMBER above = panel[stride * j + k], below = panel[stride * j + pivot];
            panel[stride * j + k] = below;
            panel[stride * j + pivot] = above;
        }
        // A column of zeros is left as it is.
        const NUMBER divisor = size == 0 ? ONE_NUMBER : own[k];
        for (uint i = k + 1; i < height; ++i)
            own[i] = quotient(own[i], divisor);
        for (uint j = k + 1; j < width; ++j) {
            global NUMBER *other = panel + stride * j;
            const NUMBER factor = other[k];
            for (uint i = k + 1; i < height; ++i)
                other[i] -= TIMES(own[i], factor);
        }
    }
#endif
    RETURN;
}
