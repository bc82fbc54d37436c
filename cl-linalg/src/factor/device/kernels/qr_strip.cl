// Factorises a strip of at most COLUMNS columns and GROUP * ROWS rows by reflectors, as qr_panel.cl does with a panel. One
// work-group does all, and keeps the strip in registers: each work-item has every GROUP-th row.
//
// Step k begins with column k in own[0], and the others after it, in a circle. It needs one sum over the work-group,
// unless numbers are very large or small: with v = x / d below the diagonal, the inner product of v and c is that of
// x and c, divided by the conjugate of d.

// Sums of squares between these limits neither overflowed nor lost digits, and products with other columns lost none unless
// these are about as small as numbers can be.
#define LEAST_SQUARE ((REAL)0x1p-40)
#if DOUBLE
#define MOST_SQUARE 0x1p900
#else
#define MOST_SQUARE 0x1p100f
#endif

// Adds up the products of column k, below the diagonal, and all columns.
#define MULTIPLY_COLUMNS \
    { \
        _Pragma("unroll") for (uint c = 0; c < COLUMNS; ++c) \
            values[c] = ZERO_NUMBER; \
        _Pragma("unroll") for (uint r = 0; r < ROWS; ++r) { \
            const NUMBER x = r > 0 || me > k ? CONJUGATE(own[0][r]) : ZERO_NUMBER; \
            _Pragma("unroll") for (uint c = 0; c < COLUMNS; ++c) \
                values[c] = plus_product(values[c], x, own[c][r]); \
        } \
        COMBINE(PLUS, values) \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_qr_strip(PARAMETERS OUTPUTS global NUMBER *matrix, global NUMBER *factors, const INDEX first,
    const INDEX stride, const INDEX factor_first, const INDEX factor_stride, const uint height, const uint width)
{
    ROOM_FOR_SUMS
    // Row k of all columns: work-items that are ahead write the next one while others read this one.
    local NUMBER heads[2][COLUMNS];
    // The inner products of vector k and vector j.
    local NUMBER vector_products[COLUMNS][COLUMNS];
    local REAL weights[COLUMNS];
    const uint me = get_local_id(0);
    global NUMBER *panel = matrix + first, *factor = factors + factor_first;
    NUMBER own[COLUMNS][ROWS], values[COLUMNS];
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
        if (me == k) {
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                heads[k % 2][c] = own[c][0];
        }
        MULTIPLY_COLUMNS
        NUMBER head = heads[k % 2][0], overflow = ZERO_NUMBER;
        const REAL sum = REAL_PART(totals[0]), square = SQUARE(head);
        // 0, or NaN if a product is NaN or infinite.
#pragma unroll
        for (uint c = 0; c < COLUMNS; ++c)
            overflow += totals[c] * 0;
        bool is_safe = sum >= LEAST_SQUARE && sum <= MOST_SQUARE && square <= MOST_SQUARE && SQUARE(overflow) == 0;
#if COMPLEX
        is_safe = is_safe && (square >= LEAST_SQUARE || LARGEST(head) == 0);
#endif
        REAL weight = 0;
        if (is_safe) {
#if COMPLEX
            const REAL size = sqrt(square);
            const NUMBER phase = size > 0 ? head / size : ONE_NUMBER;
#else
            const REAL size = fabs(head);
            const NUMBER phase = head < 0 ? -ONE_NUMBER : ONE_NUMBER;
#endif
            const REAL norm = sqrt(square + sum), divisor = size + norm, inverse = 1 / (norm * divisor);
            const NUMBER factor_of_vector = SCALED(CONJUGATE(phase), norm * inverse);
            weight = divisor * divisor * inverse;
            head = -SCALED(phase, norm);
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                if (r > 0 || me > k)
                    own[0][r] = TIMES(own[0][r], factor_of_vector);
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                values[c] = TIMES(CONJUGATE(factor_of_vector), totals[c]);
        } else {
            // The norm of the elements below the diagonal, by the largest of them.
            REAL largest = 0;
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                if (r > 0 || me > k)
                    largest = fmax(largest, LARGEST(own[0][r]));
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                values[c] = FROM_REAL(largest);
            COMBINE(fmax, values)
            largest = REAL_PART(totals[0]);
            REAL parts = 0;
#pragma unroll
            for (uint r = 0; r < ROWS; ++r) {
                const NUMBER part = own[0][r] / (largest > 0 ? largest : 1);
                if (r > 0 || me > k)
                    parts += SQUARE(part);
            }
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                values[c] = FROM_REAL(parts);
            COMBINE(PLUS, values)
            const REAL tail = largest * sqrt(REAL_PART(totals[0]));
            REAL size = ABSOLUTE(head);
            if (size < SMALLEST) {
                head = ZERO_NUMBER;
                size = 0;
            }
            if (tail >= SMALLEST) {
                const REAL norm = hypot(size, tail);
                const NUMBER signed_norm = size > 0 ? SCALED(head / size, norm) : FROM_REAL(norm);
                const NUMBER divisor = head + signed_norm;
                const REAL ratio = tail / ABSOLUTE(divisor);
                weight = 2 / (1 + ratio * ratio);
                head = -signed_norm;
#pragma unroll
                for (uint r = 0; r < ROWS; ++r)
                    if (r > 0 || me > k)
                        own[0][r] = quotient(own[0][r], divisor);
            }
            MULTIPLY_COLUMNS
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                values[c] = totals[c];
        }
#pragma unroll
        for (uint c = 0; c < COLUMNS; ++c)
            values[c] += heads[k % 2][c];
        if (me == 0) {
#pragma unroll
            for (uint c = 1; c < COLUMNS; ++c)
                vector_products[k][(k + c) % COLUMNS] = values[c];
            weights[k] = weight;
        }
        NUMBER finished[ROWS];
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            finished[r] = own[0][r];
        // The vector is 1 at row k and 0 above it.
        const NUMBER top = me > k ? own[0][0] : me == k ? ONE_NUMBER : ZERO_NUMBER;
#pragma unroll
        for (uint c = 1; c < COLUMNS; ++c) {
            // Vectors, which come after the last column, stay as they are.
            const NUMBER amount = k + c < COLUMNS ? -SCALED(values[c], weight) : ZERO_NUMBER;
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                own[c - 1][r] = plus_product(own[c][r], r > 0 ? finished[r] : top, amount);
        }
        if (me == k)
            finished[0] = head;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            own[COLUMNS - 1][r] = finished[r];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint c = 0; c < COLUMNS; ++c) {
        const uint column = (width + c) % COLUMNS;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            if (column < width && i < height)
                panel[stride * column + i] = own[c][r];
        }
    }
    if (me < width) {
        NUMBER row[COLUMNS];
#pragma unroll
        for (uint k = 0; k < COLUMNS; ++k) {
            row[k] = ZERO_NUMBER;
            if (k < width) {
                if (me == k)
                    row[k] = FROM_REAL(weights[k]);
#pragma unroll
                for (uint j = 0; j < k; ++j)
                    row[k] -= SCALED(TIMES(row[j], CONJUGATE(vector_products[k][j])), weights[k]);
                factor[factor_stride * k + me] = row[k];
            }
        }
    }
    RETURN;
}
