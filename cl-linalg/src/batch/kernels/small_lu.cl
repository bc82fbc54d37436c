// Small matrices by Gaussian elimination with partial pivoting, P A = L U: factors, solutions, inverses or determinants.
// After G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, algorithm 3.4.1. Pivots of complex matrices are
// compared by |re| + |im|, as in LAPACK.
//
// TASK is one of the four numbers below. The right-hand sides have `columns` columns, and CHUNK of them are solved for at
// once.

#define FACTORS 0
#define SOLUTIONS 1
#define INVERSES 2
#define DETERMINANTS 3

#if CHUNKED
// Exchanges rows k and `row`, which may differ among the matrices.
#define EXCHANGE(k, row) \
    for (uint l_ = 0; l_ < LANES; ++l_) { \
        const uint other_ = (uint)LANE(FLAG, row, l_); \
        if (other_ != k) { \
            for (uint j_ = 0; j_ < SIDE; ++j_) { \
                SWAP(REAL, RE(a[k][j_]), RE(a[other_][j_]), l_) \
                SWAP_IMAGINARY(a[k][j_], a[other_][j_], l_) \
            } \
            SWAP(FLAG, order[0][k], order[0][other_], l_) \
        } \
    }
#define SWAP(type, x, y, l) \
    { \
        const type kept_ = LANE(type, x, l); \
        LANE(type, x, l) = LANE(type, y, l); \
        LANE(type, y, l) = kept_; \
    }
#if IS_COMPLEX
#define SWAP_IMAGINARY(x, y, l) SWAP(REAL, (x).im, (y).im, l)
#else
#define SWAP_IMAGINARY(x, y, l)
#endif
#else
#define EXCHANGE(k, row) \
    if (row != k) { \
        FOR_OWN(j_, 0, SIDE) { \
            const NUMBER kept_ = a[k][j_]; \
            a[k][j_] = a[row][j_]; \
            a[row][j_] = kept_; \
        } \
        if (me == 0) { \
            const FLAGS kept_ = order[0][k]; \
            order[0][k] = order[0][row]; \
            order[0][row] = kept_; \
        } \
    }
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void small_lu(PARAMETERS OUTPUTS const INDEX count, const INDEX columns)
{
    ROOMS_OF_WORKERS
    ROOM(NUMBER, a, SIDE, SIDE)
    ROOM(FLAGS, order, 1, SIDE)
#if TASK == SOLUTIONS || TASK == INVERSES
    ROOM(NUMBER, b, SIDE, CHUNK)
#endif
    FOR_EACH_MATRIX(first, count) {
        FETCH_ALL(a, SIDE, SIDE, 0, SIDE, LOAD_PACK, first, count)
        FOR_OWN(i, 0, SIDE)
            order[0][i] = (FLAGS)(i);
        FLAGS info = (FLAGS)(0);
        NUMBER determinant = number_of((REALS)(1));
        for (uint k = 0; k < SIDE; ++k) {
            SYNC
            REALS largest = size_of(a[k][k]);
            FLAGS row = (FLAGS)(k);
            for (uint i = k + 1; i < SIDE; ++i) {
                const REALS size = size_of(a[i][k]);
                const FLAGS is_larger = size > largest;
                largest = CHOOSE(is_larger, size, largest);
                row = CHOOSE(is_larger, (FLAGS)(i), row);
            }
            SYNC
            EXCHANGE(k, row)
            SYNC
            const NUMBER pivot = a[k][k];
            const FLAGS is_bad = !(size_of(pivot) > (REALS)(0)) || !isfinite(size_of(pivot));
            RECORD(info, is_bad, size_of(pivot), k);
            // A matrix with NaN or infinities is not singular, wherever these are.
            info = CHOOSE(info > (FLAGS)(0) && info < (FLAGS)(NOT_FINITE) && !isfinite(size_of(pivot)), info + (FLAGS)(NOT_FINITE), info);
            determinant = product_of(determinant, times(pivot, CHOOSE(row != (FLAGS)(k), (REALS)(-1), (REALS)(1))));
            // A zero pivot is the end of the elimination: the matrix has no further pivot that counts.
            const NUMBER inverse = inverse_of(chosen(is_bad, number_of((REALS)(1)), pivot));
            FOR_OWN(i, k + 1, SIDE) {
                const NUMBER factor = product_of(a[i][k], inverse);
                a[i][k] = factor;
                for (uint j = k + 1; j < SIDE; ++j)
                    a[i][j] = minus_product(a[i][j], factor, a[k][j]);
            }
        }
        SYNC
#if TASK == FACTORS
        PUT_ALL(STORE_PACK, a[i][j], SIDE, SIDE, first, count)
        FOR_OWN(i, 0, SIDE)
            PUT_COUNT(ORDER_STORE, order[0][i], first, count, SIDE, i)
#elif TASK == DETERMINANTS
        // The product of pivots of a singular matrix is NaN if others overflow.
        const FLAGS is_singular = info > (FLAGS)(0) && info < (FLAGS)(NOT_FINITE);
        determinant = chosen(is_singular, number_of((REALS)(0)), determinant);
        if (me == 0)
            PUT(STORE, determinant, first, count, 1, 0)
#else
        for (INDEX begin = 0; begin < columns; begin += CHUNK) {
            const uint width = columns - begin < CHUNK ? columns - begin : CHUNK;
            FOR_OWN(i, 0, SIDE) {
                for (uint c = 0; c < width; ++c) {
#if TASK == INVERSES
                    b[i][c] = number_of(CHOOSE(order[0][i] == (FLAGS)(begin + c), (REALS)(1), (REALS)(0)));
#else
                    FLAGS at = order[0][i];
                    FETCH(b[i][c], RIGHT_LOAD, first, count, SIDE * columns,
                          (INDEX)LANE(FLAG, at, l_) * columns + begin + c)
#endif
                }
            }
            for (uint k = 0; k < SIDE; ++k) {
                SYNC
                FOR_OWN(i, k + 1, SIDE) {
                    const NUMBER factor = a[i][k];
                    for (uint c = 0; c < width; ++c)
                        b[i][c] = minus_product(b[i][c], factor, b[k][c]);
                }
            }
            for (uint k = SIDE; k-- > 0;) {
                SYNC
                const NUMBER inverse = inverse_of(a[k][k]);
                FOR_OWN(c, 0, width)
                    b[k][c] = product_of(b[k][c], inverse);
                SYNC
                FOR_OWN(i, 0, k) {
                    const NUMBER factor = a[i][k];
                    for (uint c = 0; c < width; ++c)
                        b[i][c] = minus_product(b[i][c], factor, b[k][c]);
                }
            }
            SYNC
            FOR_OWN(i, 0, SIDE) {
                for (uint c = 0; c < width; ++c)
                    PUT(STORE, b[i][c], first, count, SIDE * columns, i * columns + begin + c)
            }
        }
#endif
        if (me == 0)
            PUT_COUNT(INFO_STORE, info, first, count, 1, 0)
        SYNC
    }
    RETURN;
}
