// A step of one-sided Jacobi rotations: pairs of rows are made orthogonal to each other.
//
// M. R. Hestenes, "Inversion of matrices by biorthogonalization and related results", J. SIAM 6 (1958). The pairs of a step
// are rows 2 k and 2 k + 1, and the rows are stored at the positions in which the next step finds its pairs: R. P. Brent and
// F. T. Luk, "The solution of singular-value and symmetric eigenvalue problems on multiprocessor arrays", SIAM J. Sci. Stat.
// Comput. 6 (1985). After as many steps as there are rows but one, all pairs have met, and the rows are in order again.
//
// A row has `packs` packs, and the products of rows are sums over the first `summed` packs. TOLERANCE is the greatest cosine
// of the angle of rows that count as orthogonal.

// A row whose square is at most LEAST_SQUARE counts as zero: the products of such a row underflow.
#if REAL_BYTES == 8
#define REAL double
#define LEAST_SQUARE 0x1p-1002
#else
#define REAL float
#define LEAST_SQUARE 0x1p-106f
#endif

// The position of a row in the next step.
static inline uint next_position(const uint row, const uint pairs)
{
    const uint pair = row / 2;
    if (row == 0 || pairs == 1)
        return row;
    if (row % 2 == 0)
        return pair + 1 == pairs ? row + 1 : row + 2;
    return pair == 0 ? 2 : row - 2;
}

#if IS_COMPLEX
#define PARTIAL REAL
#define TOTAL(partial) (partial)
#else
#define PARTIAL PACK_ITEM
#if PACK > 1
#define TOTAL(partial) total_of(partial)
static inline REAL total_of(const PACK_ITEM partial)
{
    ITEM items[PACK];
    UNPACK(partial, items);
    REAL sum = 0;
    for (uint i = 0; i < PACK; ++i)
        sum += items[i];
    return sum;
}
#else
#define TOTAL(partial) (partial)
#endif
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void jacobi(PARAMETERS OUTPUTS const INDEX pairs, const INDEX packs, const INDEX summed, const INDEX step)
{
#if CHUNKED
    const uint me = 0;
    for (INDEX pair = CUT(pairs, get_group_id(0)), last = CUT(pairs, get_group_id(0) + 1); pair < last; ++pair) {
#else
    local REAL sums[4][GROUP];
    const uint me = get_local_id(0);
    for (INDEX pair = get_group_id(0); pair < pairs; pair += get_num_groups(0)) {
#endif
        const INDEX first = 2 * pair * packs, second = first + packs;
        PARTIAL squares_partial = 0, others_partial = 0, re_partial = 0, im_partial = 0;
        for (INDEX p = me; p < summed; p += GROUP) {
            const PACK_ITEM x = LOAD_PACK(first + p), y = LOAD_PACK(second + p);
#if IS_COMPLEX
            squares_partial += x.x * x.x + x.y * x.y;
            others_partial += y.x * y.x + y.y * y.y;
            re_partial += x.x * y.x + x.y * y.y;
            im_partial += x.x * y.y - x.y * y.x;
#else
            squares_partial += x * x;
            others_partial += y * y;
            re_partial += x * y;
#endif
        }
        REAL squares = TOTAL(squares_partial), others = TOTAL(others_partial), re = TOTAL(re_partial), im = 0;
#if IS_COMPLEX
        im = TOTAL(im_partial);
#endif
#if !CHUNKED
        sums[0][me] = squares;
        sums[1][me] = others;
        sums[2][me] = re;
        sums[3][me] = im;
        for (uint half_group = GROUP / 2; half_group > 0; half_group /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (me < half_group) {
                for (uint s = 0; s < 4; ++s)
                    sums[s][me] += sums[s][me + half_group];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        squares = sums[0][0];
        others = sums[1][0];
        re = sums[2][0];
        im = sums[3][0];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        // The second row is first multiplied by a number of absolute value 1, so that the product is real.
        const REAL size = IS_COMPLEX ? hypot(re, im) : fabs(re);
        const bool rotates = squares > LEAST_SQUARE && others > LEAST_SQUARE
            && size > TOLERANCE_LOAD(0) * sqrt(squares) * sqrt(others);
        REAL c = 1, s = 0, phase_re = 1, phase_im = 0;
        if (rotates) {
            const REAL zeta = (others - squares) / (2 * size);
            const REAL t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot((REAL)1, zeta));
            c = 1 / sqrt(1 + t * t);
            s = c * t;
            phase_re = re / size;
            phase_im = -im / size;
        }
        const INDEX to_first = next_position(2 * pair, pairs) * packs, to_second = next_position(2 * pair + 1, pairs) * packs;
        for (INDEX p = me; p < packs; p += GROUP) {
            const PACK_ITEM x = LOAD_PACK(first + p);
            PACK_ITEM y = LOAD_PACK(second + p);
#if IS_COMPLEX
            y = (PACK_ITEM)(y.x * phase_re - y.y * phase_im, y.x * phase_im + y.y * phase_re);
#else
            y *= phase_re;
#endif
            STORE_PACK(to_first + p, c * x - s * y);
            STORE_PACK(to_second + p, s * x + c * y);
        }
        if (me == 0)
            ROTATED_STORE(step * pairs + pair, (uint)rotates);
    }
    RETURN;
}
