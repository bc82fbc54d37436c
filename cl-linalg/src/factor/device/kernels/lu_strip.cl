// Factorises a strip of at most COLUMNS columns and GROUP * ROWS rows by Gaussian elimination with partial pivoting, as
// lu_panel.cl does with a panel. One work-group does all, and keeps the strip in registers: each work-item has every
// GROUP-th row.
//
// Step k begins with column k in own[0], and the others after it, in a circle. Row and column of the first element in the
// matrix are `row` and `column`.

// Work-items that search the places of the whole group.
#define SHARES (GROUP < 16 ? GROUP : 16)
#define IS_BETTER(other_size, other_place, size, place) \
    ((other_size) > (size) || ((other_size) == (size) && (other_place) < (place)))

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_strip(PARAMETERS OUTPUTS global NUMBER *matrix, global uint *pivots, const INDEX first, const INDEX stride,
    const uint height, const uint width, const uint row, const uint column)
{
    local REAL sizes[GROUP], best_sizes[SHARES];
    local uint places[GROUP], best_places[SHARES];
    // Two rows: work-items that are ahead write the next ones while others read these.
    local NUMBER tops[2][COLUMNS], bottoms[2][COLUMNS];
    const uint me = get_local_id(0);
    global NUMBER *panel = matrix + first;
    NUMBER own[COLUMNS][ROWS];
#pragma unroll
    for (uint c = 0; c < COLUMNS; ++c) {
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            own[c][r] = c < width && i < height ? panel[stride * c + i] : ZERO_NUMBER;
        }
    }
#pragma unroll 1
    for (uint k = 0; k < width; ++k) {
        local NUMBER *top = tops[k % 2], *bottom = bottoms[k % 2];
        // The largest element on and below the diagonal; the first of several.
        REAL size = -1;
        uint place = 0;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            const REAL other = i >= k && i < height ? SIZE(own[0][r]) : (REAL)-1;
            place = other > size ? i : place;
            size = other > size ? other : size;
        }
        sizes[me] = size;
        places[me] = place;
        if (me == k) {
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                top[c] = own[c][0];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < SHARES) {
#pragma unroll
            for (uint other = SHARES; other < GROUP; other += SHARES) {
                const REAL other_size = sizes[other + me];
                const uint other_place = places[other + me];
                const bool is_better = IS_BETTER(other_size, other_place, size, place);
                place = is_better ? other_place : place;
                size = is_better ? other_size : size;
            }
            best_sizes[me] = size;
            best_places[me] = place;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        size = best_sizes[0];
        place = best_places[0];
#pragma unroll
        for (uint other = 1; other < SHARES; ++other) {
            const REAL other_size = best_sizes[other];
            const uint other_place = best_places[other];
            const bool is_better = IS_BETTER(other_size, other_place, size, place);
            place = is_better ? other_place : place;
            size = is_better ? other_size : size;
        }
        // Without a number that is larger than -1, the row stays.
        const uint pivot = size < 0 ? k : place;
        const bool is_zero = size == 0;
        if (me == 0)
            pivots[column + k] = row + pivot;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            if (me + GROUP * r == pivot) {
#pragma unroll
                for (uint c = 0; c < COLUMNS; ++c) {
                    bottom[c] = own[c][r];
                    own[c][r] = top[c];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me == k) {
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                own[c][0] = bottom[c];
        }
        // A column of zeros is left as it is.
        const NUMBER divisor = is_zero ? ONE_NUMBER : bottom[0], reciprocal = reciprocal_of(divisor);
        NUMBER factors[ROWS];
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            factors[r] = me + GROUP * r > k ? divided_by(own[0][r], divisor, reciprocal) : ZERO_NUMBER;
        NUMBER finished[ROWS];
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            finished[r] = me + GROUP * r > k ? factors[r] : own[0][r];
#pragma unroll
        for (uint c = 1; c < COLUMNS; ++c) {
            // Finished columns, which come after the last column, stay as they are.
            const bool is_right = k + c < COLUMNS;
            const NUMBER upper = bottom[c];
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                own[c - 1][r] = is_right && me + GROUP * r > k ? own[c][r] - TIMES(factors[r], upper) : own[c][r];
        }
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            own[COLUMNS - 1][r] = finished[r];
    }
#pragma unroll
    for (uint c = 0; c < COLUMNS; ++c) {
        const uint own_column = (width + c) % COLUMNS;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            if (own_column < width && i < height)
                panel[stride * own_column + i] = own[c][r];
        }
    }
    RETURN;
}
