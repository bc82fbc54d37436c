// Solutions of small triangular systems, by substitution: G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th
// edition, algorithms 3.1.3 and 3.1.4. The elements of the other triangle do not matter.
//
// IS_LOWER says which one it is, IS_UNIT that its diagonal is 1, IS_ADJOINT that the system is T^H X = B. IS_ORDERED says
// that row i of B is the row that the input ORDER names.

#define ELEMENT(i, j) (IS_ADJOINT ? conjugate_of(a[j][i]) : a[i][j])

// Computes row k of the solution, then subtracts it from the rows from `begin` to `end`.
#define SUBSTITUTE(k, begin, end) \
    { \
        SYNC \
        if (!IS_UNIT) { \
            const NUMBER inverse_ = inverse_of(ELEMENT(k, k)); \
            FOR_OWN(c_, 0, width) \
                b[k][c_] = product_of(b[k][c_], inverse_); \
            SYNC \
        } \
        FOR_OWN(i_, begin, end) { \
            const NUMBER factor_ = ELEMENT(i_, k); \
            for (uint c_ = 0; c_ < width; ++c_) \
                b[i_][c_] = minus_product(b[i_][c_], factor_, b[k][c_]); \
        } \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void small_triangles(PARAMETERS OUTPUTS const INDEX count, const INDEX columns)
{
    ROOMS_OF_WORKERS
    ROOM(NUMBER, a, SIDE, SIDE)
    ROOM(NUMBER, b, SIDE, CHUNK)
    FOR_EACH_MATRIX(first, count) {
        FETCH_ALL(a, SIDE, SIDE, IS_LOWER ? 0 : i, IS_LOWER ? i + 1 : SIDE, LOAD_PACK, first, count)
        FLAGS info = (FLAGS)(0);
        SYNC
        for (uint k = 0; k < SIDE && !IS_UNIT; ++k) {
            const REALS size = size_of(a[k][k]);
            RECORD(info, !(size > (REALS)(0)) || !isfinite(size), size, k);
        }
        for (INDEX begin = 0; begin < columns; begin += CHUNK) {
            const uint width = columns - begin < CHUNK ? columns - begin : CHUNK;
            FOR_OWN(i, 0, SIDE) {
                for (uint c = 0; c < width; ++c)
#if IS_ORDERED
                    FETCH(b[i][c], RIGHT_LOAD, first, count, SIDE * columns,
                          (INDEX)ORDER_LOAD((first + l_ < count ? first + l_ : count - 1) * SIDE + i) * columns + begin + c)
#else
                    FETCH(b[i][c], RIGHT_LOAD, first, count, SIDE * columns, i * columns + begin + c)
#endif
            }
            if (IS_LOWER != IS_ADJOINT) {
                for (uint k = 0; k < SIDE; ++k)
                    SUBSTITUTE(k, k + 1, SIDE)
            } else {
                for (uint k = SIDE; k-- > 0;)
                    SUBSTITUTE(k, 0, k)
            }
            SYNC
            FOR_OWN(i, 0, SIDE) {
                for (uint c = 0; c < width; ++c)
                    PUT(STORE, b[i][c], first, count, SIDE * columns, i * columns + begin + c)
            }
        }
        if (me == 0)
            PUT_COUNT(INFO_STORE, info, first, count, 1, 0)
        SYNC
    }
    RETURN;
}
