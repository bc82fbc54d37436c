// Cholesky factors of small matrices: A = L L^H. Elements above the diagonals do not matter. After G. H. Golub and
// C. F. Van Loan, "Matrix Computations", 4th edition, section 4.2.5, right-looking.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void small_cholesky(PARAMETERS OUTPUTS const INDEX count)
{
    ROOMS_OF_WORKERS
    ROOM(NUMBER, a, SIDE, SIDE)
    FOR_EACH_MATRIX(first, count) {
        FETCH_ALL(a, SIDE, SIDE, 0, i + 1, LOAD_PACK, first, count)
        FLAGS info = (FLAGS)(0);
        for (uint k = 0; k < SIDE; ++k) {
            SYNC
            // The square root of the pivot is taken again when the factor is stored, so that no work-item has to wait
            // until the others have read the pivot.
            const REALS pivot = RE(a[k][k]);
            const FLAGS is_bad = !(pivot > (REALS)(0)) || !isfinite(pivot);
            RECORD(info, is_bad, pivot, k);
            const REALS inverse = (REALS)(1) / sqrt(pivot);
            FOR_OWN(i, k + 1, SIDE)
                a[i][k] = times(a[i][k], inverse);
            SYNC
            FOR_OWN(i, k + 1, SIDE) {
                const NUMBER left = a[i][k];
                // PoCL 3.1 compiles a loop that ends at i into a wrong kernel for groups of several work-items.
                for (uint j = k + 1; j < SIDE; ++j) {
                    if (j <= i)
                        a[i][j] = minus_product(a[i][j], left, conjugate_of(a[j][k]));
                }
            }
        }
        SYNC
        PUT_ALL(STORE_PACK, j < i ? a[i][j] : number_of(j == i ? sqrt(RE(a[i][i])) : (REALS)(0)), SIDE, SIDE, first, count)
        if (me == 0)
            PUT_COUNT(INFO_STORE, info, first, count, 1, 0)
        SYNC
    }
    RETURN;
}
