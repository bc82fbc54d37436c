// Measures ViennaCL for the sparse cases of the benchmark, on the same device through OpenCL and under the same
// case names. `harness.h` describes the arguments.

#include <memory>

#include "matrices.h"
#include "opencl.h"

#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/prod.hpp>
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
    };
}

int main(const int argc, char **argv)
{
    return run_on_opencl(argc, argv, cases);
}
