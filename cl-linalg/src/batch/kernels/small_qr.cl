// Householder's factorisation of small matrices, A = Q R, with as many columns of Q as the matrix has columns. After
// G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, algorithms 5.1.1 and 5.2.1; complex reflectors as in
// LAPACK's larfg, so that the diagonal of R is real. Columns are scaled before their squares are added.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void small_qr(PARAMETERS OUTPUTS const INDEX count)
{
    ROOMS_OF_WORKERS
    ROOM(NUMBER, a, ROWS, COLUMNS)
    ROOM(NUMBER, q, ROWS, COLUMNS)
    // The factors of the reflectors, and the diagonal of R.
    ROOM(NUMBER, factors, 2, COLUMNS)
    FOR_EACH_MATRIX(first, count) {
        FETCH_ALL(a, ROWS, COLUMNS, 0, COLUMNS, LOAD_PACK, first, count)
        FLAGS info = (FLAGS)(0);
        for (uint k = 0; k < COLUMNS; ++k) {
            SYNC
            REALS largest = (REALS)(0), is_finite = (REALS)(0);
            for (uint i = k; i < ROWS; ++i) {
                largest = fmax(largest, size_of(a[i][k]));
                // 0, or NaN if an element is NaN or infinite.
                is_finite += (REALS)(0) * size_of(a[i][k]);
            }
            RECORD(info, is_finite != (REALS)(0), is_finite, k);
            const FLAGS is_zero = !(largest > (REALS)(0));
            const REALS scale = CHOOSE(is_zero, (REALS)(1), largest);
            REALS below = (REALS)(0);
            for (uint i = k + 1; i < ROWS; ++i)
                below += square_of(times(a[i][k], (REALS)(1) / scale));
            const NUMBER top = times(a[k][k], (REALS)(1) / scale);
            const REALS norm = sqrt(below + square_of(top));
            const REALS alpha = CHOOSE(RE(top) > (REALS)(0), -norm, norm);
            // A column of zeros needs no reflection.
            const NUMBER difference = minus_product(top, number_of(alpha), number_of((REALS)(1)));
            const NUMBER safe = chosen(is_zero, number_of((REALS)(1)), difference);
            const NUMBER inverse = times(inverse_of(safe), (REALS)(1) / scale);
            // The conjugate of tau = (alpha - top) / alpha, for the adjoint of the reflector.
            const NUMBER tau = times(conjugate_of(difference), (REALS)(-1) / CHOOSE(is_zero, (REALS)(1), alpha));
            const NUMBER factor = chosen(is_zero, number_of((REALS)(0)), tau);
            SYNC
            FOR_OWN(i, k + 1, ROWS)
                a[i][k] = product_of(a[i][k], inverse);
            if (me == 0) {
                factors[0][k] = factor;
                factors[1][k] = number_of(CHOOSE(is_zero, (REALS)(0), alpha * scale));
            }
            SYNC
            FOR_OWN(j, k + 1, COLUMNS) {
                NUMBER sum = a[k][j];
                for (uint i = k + 1; i < ROWS; ++i)
                    sum = minus_product(sum, times(conjugate_of(a[i][k]), (REALS)(-1)), a[i][j]);
                sum = product_of(sum, factor);
                a[k][j] = minus_product(a[k][j], sum, number_of((REALS)(1)));
                for (uint i = k + 1; i < ROWS; ++i)
                    a[i][j] = minus_product(a[i][j], a[i][k], sum);
            }
        }
        EACH_ELEMENT(i, j, ROWS, COLUMNS)
            q[i][j] = number_of((REALS)(i == j));
        for (uint k = COLUMNS; k-- > 0;) {
            SYNC
            const NUMBER factor = conjugate_of(factors[0][k]);
            FOR_OWN(j, k, COLUMNS) {
                NUMBER sum = q[k][j];
                for (uint i = k + 1; i < ROWS; ++i)
                    sum = minus_product(sum, times(conjugate_of(a[i][k]), (REALS)(-1)), q[i][j]);
                sum = product_of(sum, factor);
                q[k][j] = minus_product(q[k][j], sum, number_of((REALS)(1)));
                for (uint i = k + 1; i < ROWS; ++i)
                    q[i][j] = minus_product(q[i][j], a[i][k], sum);
            }
        }
        SYNC
        PUT_ALL(STORE_PACK, q[i][j], ROWS, COLUMNS, first, count)
        EACH_ELEMENT(i, j, COLUMNS, COLUMNS)
            PUT(R_STORE, i < j ? a[i][j] : i == j ? factors[1][i] : number_of((REALS)(0)), first, count,
                COLUMNS * COLUMNS, i * COLUMNS + j)
        if (me == 0)
            PUT_COUNT(INFO_STORE, info, first, count, 1, 0)
        SYNC
    }
    RETURN;
}
