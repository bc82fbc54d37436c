// Measures ViennaCL for the sparse cases, the products and factorisations of matrices of the benchmark, on the same device through OpenCL and under the same
// case names. `harness.h` describes the arguments.

#include <memory>

#include "matrices.h"
#include "opencl.h"

#include "dense.h"
#include "linalg.h"

#define VIENNACL_WITH_OPENCL
#define VIENNACL_WITH_UBLAS
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <boost/numeric/ublas/vector.hpp>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/linalg/qr.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

typedef Matrix (*Make)(size_t rows);

// A matrix and a vector on the device, and their exact product: all numbers are small integers.
template <typename T> struct System {
    viennacl::compressed_matrix<T> matrix;
    viennacl::vector<T> x, y;
    std::vector<T> expected;

    explicit System(const Matrix &host) : x(host.rows), y(host.rows)
    {
        const std::vector<T> values(host.values.begin(), host.values.end());
        matrix.set(host.offsets.data(), host.columns.data(), values.data(), host.rows, host.rows, host.entries());
        std::vector<T> numbers(host.rows);
        for (size_t i = 0; i < host.rows; ++i)
            numbers[i] = static_cast<T>(whole(i));
        viennacl::copy(numbers, x);
        expected = host.times(numbers);
    }

    void multiply() { y = viennacl::linalg::prod(matrix, x); }
};

template <typename T> static Work product(const Make make, const size_t rows)
{
    auto system = std::make_shared<System<T>>(make(rows));
    system->multiply();
    std::vector<T> found(system->expected.size());
    viennacl::copy(system->y, found);
    expect(found == system->expected);
    return Work([=] { system->multiply(); });
}

// A fixed number of iterations, which begin with a solution of zeros. The tolerance ends none of them earlier.
static Work conjugate_gradients(const size_t rows)
{
    const unsigned iterations = 100;
    auto system = std::make_shared<System<double>>(poisson(rows));
    auto iterate = [=] {
        viennacl::linalg::cg_tag tag(1e-300, iterations);
        system->y = viennacl::linalg::solve(system->matrix, system->x, tag);
        return tag;
    };
    const viennacl::linalg::cg_tag tag = iterate();
    // All iterations must have run, and the error must have decreased. The comparison also rejects NaN.
    expect(tag.iters() == iterations && tag.error() < 1);
    return Work([=] { iterate(); });
}

template <typename T, bool LEFT, bool RIGHT>
static void multiply(const viennacl::matrix<T> &a, const viennacl::matrix<T> &b, viennacl::matrix<T> &c)
{
    using viennacl::trans;
    using viennacl::linalg::prod;
    if (LEFT && RIGHT)
        c = prod(trans(a), trans(b));
    else if (LEFT)
        c = prod(trans(a), b);
    else if (RIGHT)
        c = prod(a, trans(b));
    else
        c = prod(a, b);
}

template <typename T, bool LEFT = false, bool RIGHT = false> static Work dense_product(const size_t n)
{
    const Factors<T> factors(n, LEFT, RIGHT);
    const size_t edge = factors.edge;
    const auto on_device = [=](const std::vector<T> &host) {
        std::vector<std::vector<T>> rows(edge);
        for (size_t i = 0; i < edge; ++i)
            rows[i].assign(host.begin() + i * edge, host.begin() + (i + 1) * edge);
        auto matrix = std::make_shared<viennacl::matrix<T>>(edge, edge);
        viennacl::copy(rows, *matrix);
        return matrix;
    };
    auto a = on_device(factors.a), b = on_device(factors.b), c = on_device(std::vector<T>(n));
    multiply<T, LEFT, RIGHT>(*a, *b, *c);
    std::vector<std::vector<T>> rows(edge, std::vector<T>(edge));
    viennacl::copy(*c, rows);
    std::vector<T> found;
    for (const std::vector<T> &row : rows)
        found.insert(found.end(), row.begin(), row.end());
    factors.check(found);
    return Work([=] { multiply<T, LEFT, RIGHT>(*a, *b, *c); });
}

typedef viennacl::matrix<double, viennacl::column_major> DeviceMatrix;

static std::shared_ptr<DeviceMatrix> on_device(const Square &host)
{
    auto matrix = std::make_shared<DeviceMatrix>(host.n, host.n);
    boost::numeric::ublas::matrix<double> values(host.n, host.n);
    for (size_t i = 0; i < host.n; ++i)
        for (size_t j = 0; j < host.n; ++j)
            values(i, j) = host(i, j);
    viennacl::copy(values, *matrix);
    return matrix;
}

// The panels are factorised on the host, and the rest of the matrix is updated on the device.
static Work qr(const size_t count)
{
    const Square host(count);
    const auto a = on_device(host);
    const auto factors = std::make_shared<DeviceMatrix>(*a);
    const Step step = [=] { viennacl::linalg::inplace_qr(*factors); };
    step();
    boost::numeric::ublas::matrix<double> r(host.n, host.n);
    viennacl::copy(*factors, r);
    expect_triangle(host, [&](const size_t i, const size_t j) { return r(i, j); });
    return Work(step, [=] { *factors = *a; });
}

static std::vector<Case> cases(const Place &place)
{
    viennacl::ocl::setup_context(0, place.context, place.device, place.queue);
    viennacl::ocl::switch_context(0);
    return {
        { "sparse product, 5-point stencil", "f32", 4, [](size_t n) { return product<float>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil", "f64", 8, [](size_t n) { return product<double>(poisson, n); }, 4000000 },
        { "sparse product, 32 anywhere in a row", "f32", 4, [](size_t n) { return product<float>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row", "f64", 8, [](size_t n) { return product<double>(uniform, n); }, 2000000 },
        { "sparse product, power law", "f32", 4, [](size_t n) { return product<float>(power_law, n); }, 1000000 },
        { "sparse product, power law", "f64", 8, [](size_t n) { return product<double>(power_law, n); }, 1000000 },
        { "100 iterations of CG, 5-point stencil", "f64", 8, conjugate_gradients, 65025 },
        { "array: product, 512 x 512", "f32", 4, dense_product<float>, 512 * 512 },
        { "array: product, 512 x 512", "f64", 8, dense_product<double>, 512 * 512 },
        { "array: product, 1000 x 1000", "f32", 4, dense_product<float>, 1000 * 1000 },
        { "array: product, 1000 x 1000", "f64", 8, dense_product<double>, 1000 * 1000 },
        { "array: product, 1023 x 1023", "f32", 4, dense_product<float>, 1023 * 1023 },
        { "array: product, 1023 x 1023", "f64", 8, dense_product<double>, 1023 * 1023 },
        { "array: product, 1024 x 1024", "f32", 4, dense_product<float>, 1024 * 1024 },
        { "array: product, 1024 x 1024", "f64", 8, dense_product<double>, 1024 * 1024 },
        { "array: product, 2048 x 2048", "f32", 4, dense_product<float>, 2048 * 2048 },
        { "array: product, 2048 x 2048", "f64", 8, dense_product<double>, 2048 * 2048 },
        { "array: product, 2049 x 2049", "f32", 4, dense_product<float>, 2049 * 2049 },
        { "array: product, 2049 x 2049", "f64", 8, dense_product<double>, 2049 * 2049 },
        { "array: product, 1024 x 1024, left transposed", "f32", 4, dense_product<float, true>, 1024 * 1024 },
        { "array: product, 1024 x 1024, left transposed", "f64", 8, dense_product<double, true>, 1024 * 1024 },
        { "array: product, 1024 x 1024, right transposed", "f32", 4, dense_product<float, false, true>, 1024 * 1024 },
        { "array: product, 1024 x 1024, right transposed", "f64", 8, dense_product<double, false, true>, 1024 * 1024 },
        { "array: product, 1024 x 1024, both transposed", "f32", 4, dense_product<float, true, true>, 1024 * 1024 },
        { "array: product, 1024 x 1024, both transposed", "f64", 8, dense_product<double, true, true>, 1024 * 1024 },
        { "linalg: qr 1000", "f64", 8, qr, 1000 * 1000 },
    };
}

int main(const int argc, char **argv)
{
    return run_on_opencl(argc, argv, cases);
}
