// Measures OpenBLAS, with LAPACK, for the products, solves and factorisations of matrices of the benchmark, on all cores of
// the host and under the same case names. `harness.h` describes the arguments.

#include <memory>

#include "host.h"

#include "dense.h"
#include "linalg.h"

#include <cblas.h>

static void multiply(const CBLAS_TRANSPOSE left, const CBLAS_TRANSPOSE right, const int edge, const float *const a,
                     const float *const b, float *const c)
{
    cblas_sgemm(CblasRowMajor, left, right, edge, edge, edge, 1, a, edge, b, edge, 0, c, edge);
}

static void multiply(const CBLAS_TRANSPOSE left, const CBLAS_TRANSPOSE right, const int edge, const double *const a,
                     const double *const b, double *const c)
{
    cblas_dgemm(CblasRowMajor, left, right, edge, edge, edge, 1, a, edge, b, edge, 0, c, edge);
}

template <typename T, bool LEFT = false, bool RIGHT = false> static Work product(const size_t n)
{
    auto factors = std::make_shared<Factors<T>>(n, LEFT, RIGHT);
    auto c = std::make_shared<std::vector<T>>(n);
    const Step step = [=] {
        multiply(LEFT ? CblasTrans : CblasNoTrans, RIGHT ? CblasTrans : CblasNoTrans, factors->edge, factors->a.data(),
                 factors->b.data(), c->data());
    };
    step();
    factors->check(*c);
    return Work(step);
}

extern "C" {
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda, const int *pivots, double *b,
             const int *ldb, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
             const int *lwork, int *iwork, const int *liwork, int *info);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u, const int *ldu,
             double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info);
}

static Work lu(const size_t count)
{
    const auto a = std::make_shared<Square>(count);
    const auto factors = std::make_shared<std::vector<double>>(a->values);
    const int n = a->n;
    const auto pivots = std::make_shared<std::vector<int>>(n);
    const Step step = [=] {
        int info = 0;
        dgetrf_(&n, &n, factors->data(), &n, pivots->data(), &info);
        expect(info == 0);
    };
    step();
    // The solution of a system whose right-hand side is the first column.
    std::vector<double> x(a->values.begin(), a->values.begin() + n);
    const int one = 1;
    int info = 0;
    dgetrs_("N", &n, &one, factors->data(), &n, pivots->data(), x.data(), &n, &info);
    for (int i = 0; i < n; ++i)
        expect(std::abs(x[i] - (i == 0)) < 1e-6);
    return Work(step, [=] { *factors = a->values; });
}

static Work cholesky(const size_t count)
{
    const auto a = std::make_shared<Square>(count);
    a->make_positive();
    const auto factor = std::make_shared<std::vector<double>>(a->values);
    const int n = a->n;
    const Step step = [=] {
        int info = 0;
        dpotrf_("L", &n, factor->data(), &n, &info);
        expect(info == 0);
    };
    step();
    expect_close(n, n, [&](const size_t i, const size_t j, double &found, double &expected) {
        for (size_t k = 0; k <= std::min(i, j); ++k)
            found += (*factor)[k * n + i] * (*factor)[k * n + j];
        expected = (*a)(i, j);
    });
    return Work(step, [=] { *factor = a->values; });
}

static Work qr(const size_t count)
{
    const auto a = std::make_shared<Square>(count);
    const auto factors = std::make_shared<std::vector<double>>(a->values);
    const int n = a->n, query = -1;
    int info = 0;
    double room = 0, none = 0;
    dgeqrf_(&n, &n, factors->data(), &n, &none, &room, &query, &info);
    const int most = room;
    const auto tau = std::make_shared<std::vector<double>>(n), work = std::make_shared<std::vector<double>>(most);
    const Step step = [=] {
        int info = 0;
        dgeqrf_(&n, &n, factors->data(), &n, tau->data(), work->data(), &most, &info);
        expect(info == 0);
    };
    step();
    expect_triangle(*a, [&](const size_t i, const size_t j) { return (*factors)[j * n + i]; });
    return Work(step, [=] { *factors = a->values; });
}

// Solves with a lower triangle and `vectors` right-hand sides.
static Work triangular_solve(const size_t count)
{
    const int vectors = 256;
    const auto a = std::make_shared<Square>(count);
    a->make_positive();
    const int n = a->n;
    const auto b = std::make_shared<std::vector<double>>(floats<double>(size_t(n) * vectors));
    const auto x = std::make_shared<std::vector<double>>(*b);
    const Step step = [=] {
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, vectors, 1, a->values.data(), n,
                    x->data(), n);
    };
    step();
    for (const int j : { 0, vectors / 2, vectors - 1 }) {
        double sum = 0;
        for (int k = 0; k < n; ++k)
            sum += (*a)(n - 1, k) * (*x)[size_t(j) * n + k];
        expect(std::abs(sum - (*b)[size_t(j) * n + n - 1]) < 1e-9);
    }
    return Work(step, [=] { *x = *b; });
}

static void multiply(const CBLAS_TRANSPOSE side, const int n, const float *a, const float *x, float *y)
{
    cblas_sgemv(CblasRowMajor, side, n, n, 1, a, n, x, 1, 0, y, 1);
}

static void multiply(const CBLAS_TRANSPOSE side, const int n, const double *a, const double *x, double *y)
{
    cblas_dgemv(CblasRowMajor, side, n, n, 1, a, n, x, 1, 0, y, 1);
}

template <typename T, bool TRANSPOSED> static Work matrix_vector(const size_t count)
{
    const size_t n = std::lround(std::sqrt(count));
    const auto a = std::make_shared<std::vector<T>>(small_integers<T>(n * n));
    const auto x = std::make_shared<std::vector<T>>(small_integers<T>(n));
    const auto y = std::make_shared<std::vector<T>>(n);
    const Step step = [=] { multiply(TRANSPOSED ? CblasTrans : CblasNoTrans, n, a->data(), x->data(), y->data()); };
    step();
    for (const size_t i : { size_t(0), n / 3, n - 1 }) {
        double sum = 0;
        for (size_t k = 0; k < n; ++k)
            sum += double((*a)[TRANSPOSED ? k * n + i : i * n + k]) * (*x)[k];
        expect((*y)[i] == sum);
    }
    return Work(step);
}

static Work symmetric_eigen(const size_t count)
{
    const auto a = std::make_shared<Square>(count);
    a->make_positive();
    const int n = a->n, query = -1;
    const auto vectors = std::make_shared<std::vector<double>>(a->values), values = std::make_shared<std::vector<double>>(n);
    double room = 0;
    int rooms = 0, info = 0;
    dsyevd_("V", "L", &n, vectors->data(), &n, values->data(), &room, &query, &rooms, &query, &info);
    const int most = room, most_integers = rooms;
    const auto work = std::make_shared<std::vector<double>>(most);
    const auto integers = std::make_shared<std::vector<int>>(most_integers);
    const Step step = [=] {
        int info = 0;
        dsyevd_("V", "L", &n, vectors->data(), &n, values->data(), work->data(), &most, integers->data(), &most_integers, &info);
        expect(info == 0);
    };
    step();
    double sum = 0, trace = 0;
    for (int i = 0; i < n; ++i) {
        sum += (*values)[i];
        trace += (*a)(i, i);
    }
    expect(std::abs(sum - trace) < 1e-10 * trace);
    return Work(step, [=] { *vectors = a->values; });
}

static Work singular_values(const size_t count)
{
    const auto a = std::make_shared<Square>(count);
    const int n = a->n, query = -1;
    const auto rest = std::make_shared<std::vector<double>>(a->values), values = std::make_shared<std::vector<double>>(n);
    const auto u = std::make_shared<std::vector<double>>(size_t(n) * n), vt = std::make_shared<std::vector<double>>(size_t(n) * n);
    const auto integers = std::make_shared<std::vector<int>>(8 * n);
    double room = 0;
    int info = 0;
    dgesdd_("S", &n, &n, rest->data(), &n, values->data(), u->data(), &n, vt->data(), &n, &room, &query, integers->data(), &info);
    const int most = room;
    const auto work = std::make_shared<std::vector<double>>(most);
    const Step step = [=] {
        int info = 0;
        dgesdd_("S", &n, &n, rest->data(), &n, values->data(), u->data(), &n, vt->data(), &n, work->data(), &most, integers->data(),
                &info);
        expect(info == 0);
    };
    step();
    double squares = 0, norm = 0;
    for (const double value : *values)
        squares += value * value;
    for (const double value : a->values)
        norm += value * value;
    expect(std::abs(squares - norm) < 1e-10 * norm);
    return Work(step, [=] { *rest = a->values; });
}

static const std::vector<Case> cases = {
    { "array: product, 512 x 512", "f32", 4, product<float>, 512 * 512 },
    { "array: product, 512 x 512", "f64", 8, product<double>, 512 * 512 },
    { "array: product, 1000 x 1000", "f32", 4, product<float>, 1000 * 1000 },
    { "array: product, 1000 x 1000", "f64", 8, product<double>, 1000 * 1000 },
    { "array: product, 1023 x 1023", "f32", 4, product<float>, 1023 * 1023 },
    { "array: product, 1023 x 1023", "f64", 8, product<double>, 1023 * 1023 },
    { "array: product, 1024 x 1024", "f32", 4, product<float>, 1024 * 1024 },
    { "array: product, 1024 x 1024", "f64", 8, product<double>, 1024 * 1024 },
    { "array: product, 2048 x 2048", "f32", 4, product<float>, 2048 * 2048 },
    { "array: product, 2048 x 2048", "f64", 8, product<double>, 2048 * 2048 },
    { "array: product, 2049 x 2049", "f32", 4, product<float>, 2049 * 2049 },
    { "array: product, 2049 x 2049", "f64", 8, product<double>, 2049 * 2049 },
    { "array: product, 1024 x 1024, left transposed", "f32", 4, product<float, true>, 1024 * 1024 },
    { "array: product, 1024 x 1024, left transposed", "f64", 8, product<double, true>, 1024 * 1024 },
    { "array: product, 1024 x 1024, right transposed", "f32", 4, product<float, false, true>, 1024 * 1024 },
    { "array: product, 1024 x 1024, right transposed", "f64", 8, product<double, false, true>, 1024 * 1024 },
    { "array: product, 1024 x 1024, both transposed", "f32", 4, product<float, true, true>, 1024 * 1024 },
    { "array: product, 1024 x 1024, both transposed", "f64", 8, product<double, true, true>, 1024 * 1024 },
    { "linalg: lu 2048", "f64", 8, lu, 2048 * 2048 },
    { "linalg: cholesky 2048", "f64", 8, cholesky, 2048 * 2048 },
    { "linalg: qr 1000", "f64", 8, qr, 1000 * 1000 },
    { "linalg: trsm 2048x256", "f64", 8, triangular_solve, 2048 * 2048 },
    { "linalg: gemv 4096", "f32", 4, matrix_vector<float, false>, 4096 * 4096 },
    { "linalg: gemv 4096", "f64", 8, matrix_vector<double, false>, 4096 * 4096 },
    { "linalg: gemv 4096, transposed", "f32", 4, matrix_vector<float, true>, 4096 * 4096 },
    { "linalg: gemv 4096, transposed", "f64", 8, matrix_vector<double, true>, 4096 * 4096 },
    { "linalg: eigh, 256 x 256", "f64", 8, symmetric_eigen, 256 * 256 },
    { "linalg: svd, 256 x 256", "f64", 8, singular_values, 256 * 256 },
};

int main(const int argc, char **argv)
{
    openblas_set_num_threads(threads());
    return run_on_host(argc, argv, cases);
}
