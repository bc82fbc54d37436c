// A step of a panel's factorisation as L times its adjoint: applies the columns before a square to the square and the rows
// below it, factorises the square, and divides the rows below by the adjoint of the factor, from the right. Of the square the
// lower half is read. A pivot that is not positive becomes NaN.
//
// The square is `width` columns wide, at most SQUARE_COLUMNS. There are `below` rows below it, of which each work-group has
// STRIP, and `before` columns of the panel before it. Each work-group factorises the square: it would wait for another one as
// long. The first one writes the factor into `squares`, because others may not have read the square yet.
//
// The lines of a work-group are the rows of the square and its own rows below. A work-item keeps items of them in registers,
// as cholesky_items.cl or cholesky_units.cl says. STEP_COLUMNS columns are eliminated at once: all work-items see them in local
// memory. A work-item for each line factorises the square of these columns, and divides the line by it. Then all work-items
// subtract products of the quotients from their items.

#define LINES (SQUARE_COLUMNS + STRIP)
#define STEP_COLUMNS 4
// The number of columns before the square that are read at once: 128 bytes of a line.
#define DEPTH (128 / (uint)sizeof(NUMBER))
#define SHARE ((DEPTH * LINES + GROUP - 1) / GROUP)
#define HAS_LINE(line) ((line) < SQUARE_COLUMNS ? (line) < width : begin + (line) - SQUARE_COLUMNS < below)
#define ROW_OF(line) ((line) < SQUARE_COLUMNS ? (line) : width + begin + (line) - SQUARE_COLUMNS)

// Reads the share of a work-item in DEPTH columns before the square.
#define FETCH(k) \
    _Pragma("unroll") for (uint t = 0; t < SHARE; ++t) { \
        const uint at = me + GROUP * t, line = at % LINES, j = (k) + at / LINES; \
        next[t] = at < DEPTH * LINES && j < before && HAS_LINE(line) ? panel[stride * j + ROW_OF(line)] : ZERO_NUMBER; \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_cholesky_step(PARAMETERS OUTPUTS global NUMBER *matrix, global NUMBER *squares, const INDEX first,
    const INDEX stride, const INDEX square_first, const INDEX square_stride, const uint width, const uint below,
    const uint before)
{
    local NUMBER lines[2][DEPTH][PITCH];
    global NUMBER *panel = matrix + first, *columns = panel + stride * before, *square = squares + square_first;
    const uint me = get_local_id(0), begin = get_group_id(0) * STRIP;
    DECLARE_OWN
    // The last step may have columns beyond the square: those of an identity matrix.
    EACH_OWN(OWN = HAS_LINE(line) && j < width && j <= line ? columns[stride * j + ROW_OF(line)]
                 : line == j                               ? ONE_NUMBER
                                                           : ZERO_NUMBER;)
    if (before > 0) {
        NUMBER next[SHARE];
        FETCH(0)
        for (uint k = 0; k < before; k += DEPTH) {
            local NUMBER(*const others)[PITCH] = lines[k / DEPTH % 2];
#pragma unroll
            for (uint t = 0; t < SHARE; ++t) {
                const uint at = me + GROUP * t;
                if (at < DEPTH * LINES)
                    others[at / LINES][at % LINES] = next[t];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (k + DEPTH < before)
                FETCH(k + DEPTH)
            for (uint part = 0; part < DEPTH; part += STEP_COLUMNS)
                UPDATE_OWN(others + part, 0)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    local NUMBER(*const shared)[PITCH] = lines[0], (*const solved)[PITCH] = lines[1];
    for (uint k = 0; k < width; k += STEP_COLUMNS) {
        EACH_OWN(if (j >= k && j < k + STEP_COLUMNS) shared[j - k][line] = OWN;)
        barrier(CLK_LOCAL_MEM_FENCE);
        // Lines above are done.
        for (uint line = me; line < LINES; line += GROUP) {
            if (line >= k) {
                NUMBER pivots[STEP_COLUMNS][STEP_COLUMNS], values[STEP_COLUMNS];
#pragma unroll
                for (uint q = 0; q < STEP_COLUMNS; ++q) {
                    values[q] = shared[q][line];
#pragma unroll
                    for (uint p = q; p < STEP_COLUMNS; ++p)
                        pivots[p][q] = shared[q][k + p];
                }
#pragma unroll
                for (uint q = 0; q < STEP_COLUMNS; ++q) {
                    // The reciprocal of the root: neither a root nor a division that all lines would wait for. One step of
                    // Newton's method rounds the root, which is NaN unless the pivot is positive.
                    const REAL pivot = REAL_PART(pivots[q][q]), reciprocal = rsqrt(pivot), root = pivot * reciprocal;
                    const REAL rounded = fma(fma(-root, root, pivot), reciprocal / 2, root);
                    values[q] = values[q] * reciprocal;
#pragma unroll
                    for (uint p = q + 1; p < STEP_COLUMNS; ++p)
                        pivots[p][q] = pivots[p][q] * reciprocal;
#pragma unroll
                    for (uint p = q + 1; p < STEP_COLUMNS; ++p) {
                        const NUMBER factor = CONJUGATE(pivots[p][q]);
                        values[p] -= TIMES(values[q], factor);
#pragma unroll
                        for (uint r = p; r < STEP_COLUMNS; ++r)
                            pivots[r][p] -= TIMES(pivots[r][q], factor);
                    }
                    solved[q][line] = line == k + q ? FROM_REAL(rounded) : values[q];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UPDATE_OWN(solved, k + STEP_COLUMNS)
        for (uint at = me; at < STEP_COLUMNS * LINES; at += GROUP) {
            const uint line = at % LINES, q = at / LINES, j = k + q;
            if (j < width && j <= line && HAS_LINE(line)) {
                if (line >= SQUARE_COLUMNS)
                    columns[stride * j + ROW_OF(line)] = solved[q][line];
                else if (begin == 0)
                    square[square_stride * j + line] = solved[q][line];
            }
        }
    }
    RETURN;
}
