// Factorises a panel by Gaussian elimination with partial pivoting. One work-group does all.
//
// `matrix` begins with the panel at `first`; element (i, j) of the panel is `stride * j + i` further. Row and column of
// its first element in the matrix are `row` and `column`. `pivots[column + j]` becomes the row that is exchanged with
// row `row + j`.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_panel(PARAMETERS OUTPUTS global NUMBER *matrix, global uint *pivots, const INDEX first, const INDEX stride,
    const uint height, const uint width, const uint row, const uint column)
{
    local REAL sizes[GROUP];
    local uint places[GROUP];
    const uint me = get_local_id(0);
    global NUMBER *panel = matrix + first;
    for (uint k = 0; k < width; ++k) {
        global NUMBER *own = panel + stride * k;
        // The largest element on and below the diagonal; the first of several.
        REAL size = -1;
        uint place = k;
        for (uint i = k + me; i < height; i += GROUP) {
            const REAL other = SIZE(own[i]);
            place = other > size ? i : place;
            size = other > size ? other : size;
        }
        sizes[me] = size;
        places[me] = place;
        barrier(CLK_LOCAL_MEM_FENCE);
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
        const uint pivot = places[0];
        const bool is_zero = sizes[0] == 0;
        if (me == 0)
            pivots[column + k] = row + pivot;
        for (uint j = me; j < width; j += GROUP) {
            const NUMBER upper = panel[stride * j + k], lower = panel[stride * j + pivot];
            panel[stride * j + k] = lower;
            panel[stride * j + pivot] = upper;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        // A column of zeros is left as it is.
        const NUMBER divisor = is_zero ? ONE_NUMBER : own[k];
        for (uint i = k + 1 + me; i < height; i += GROUP)
            own[i] = quotient(own[i], divisor);
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint j = k + 1; j < width; ++j) {
            global NUMBER *other = panel + stride * j;
            const NUMBER factor = other[k];
            for (uint i = k + 1 + me; i < height; i += GROUP)
                other[i] -= TIMES(own[i], factor);
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}
