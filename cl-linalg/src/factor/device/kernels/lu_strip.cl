// Factorises a strip of at most COLUMNS columns and GROUP * ROWS rows by Gaussian elimination with partial pivoting, as
// lu_panel.cl does with a panel. One work-group does all, and keeps the strip in registers: each work-item has every
// GROUP-th row.
//
// Step k begins with column k in own[0], and the others after it, in a circle. Row and column of the first element in the
// matrix are `row` and `column`.

// Compares the largest element with those of three other work-items, the next of which is `step` further.
#define FIND_BETTER(from, step) \
    { \
        REAL sizes_[3]; \
        uint places_[3]; \
        _Pragma("unroll") for (uint q_ = 0; q_ < 3; ++q_) { \
            sizes_[q_] = sizes[(from) + (q_ + 1) * (step)]; \
            places_[q_] = places[(from) + (q_ + 1) * (step)]; \
        } \
        _Pragma("unroll") for (uint q_ = 0; q_ < 3; ++q_) { \
            const bool is_better_ = sizes_[q_] > size || (sizes_[q_] == size && places_[q_] < place); \
            place = is_better_ ? places_[q_] : place; \
            size = is_better_ ? sizes_[q_] : size; \
        } \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_strip(PARAMETERS OUTPUTS global NUMBER *matrix, global uint *pivots, const INDEX first, const INDEX stride,
    const uint height, const uint width, const uint row, const uint column)
{
    local REAL sizes[GROUP];
    local uint places[GROUP];
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
        for (uint left = GROUP; left > 4; left /= 4) {
            if (me < left / 4) {
                FIND_BETTER(me, left / 4)
                sizes[me] = size;
                places[me] = place;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        size = sizes[0];
        place = places[0];
        FIND_BETTER(0, 1)
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
            factors[r] = me + GROUP * r > k ? product(own[0][r], reciprocal) : ZERO_NUMBER;
        if (!HAS_RECIPROCAL(divisor)) {
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                factors[r] = me + GROUP * r > k ? quotient(own[0][r], divisor) : ZERO_NUMBER;
        }
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
