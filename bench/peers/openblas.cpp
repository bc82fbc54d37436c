// Measures OpenBLAS for the products of matrices of the benchmark, on all cores of the host and under the same case
// names. `harness.h` describes the arguments.

#include <memory>

#include "host.h"

#include "dense.h"

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
};

int main(const int argc, char **argv)
{
    openblas_set_num_threads(threads());
    return run_on_host(argc, argv, cases);
}
