// ViennaCL's times for the sparse cases of the benchmark, on the same device through OpenCL, under the names that these
// have there; `harness.h` says with which arguments.

#define CL_TARGET_OPENCL_VERSION 120
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/vector.hpp>

#include <memory>

#include "harness.h"
#include "matrices.h"

typedef Matrix (*Make)(size_t rows);

// A matrix and a vector on the device, and what their product has to be: all numbers are whole and small.
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

static void fail(const char *what)
{
    std::fprintf(stderr, "error: %s\n", what);
    std::exit(1);
}

template <typename T> static Work product(const Make make, const size_t rows)
{
    auto system = std::make_shared<System<T>>(make(rows));
    system->multiply();
    std::vector<T> found(system->expected.size());
    viennacl::copy(system->y, found);
    if (found != system->expected)
        fail("a wrong product");
    return Work([=] { system->multiply(); });
}

// Iterations that begin with a solution of zeros, and no tolerance that would end them earlier.
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
    // A NaN is wrong, too.
    if (tag.iters() != iterations || !(tag.error() < 1))
        fail("another number of iterations, or no progress");
    return Work([=] { iterate(); });
}

static bool choose_device(const std::string &wanted)
{
    for (viennacl::ocl::platform &platform : viennacl::ocl::get_platforms()) {
        char name[256] = "";
        clGetPlatformInfo(platform.id(), CL_PLATFORM_NAME, sizeof(name), name, nullptr);
        for (const viennacl::ocl::device &device : platform.devices(CL_DEVICE_TYPE_ALL))
            if (device.name() + " (" + name + ")" == wanted) {
                viennacl::ocl::setup_context(0, device);
                viennacl::ocl::switch_context(0);
                return true;
            }
    }
    return false;
}

int main(const int argc, char **argv)
{
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s LOG2 FILTER SAMPLES DEVICE\n", argv[0]);
        return 2;
    }
    if (!choose_device(argv[4]))
        fail("ViennaCL does not see the device");
    const std::vector<Case> cases = {
        { "sparse product, 5-point stencil", "f32", 4, [](size_t n) { return product<float>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil", "f64", 8, [](size_t n) { return product<double>(poisson, n); }, 4000000 },
        { "sparse product, 32 anywhere in a row", "f32", 4, [](size_t n) { return product<float>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row", "f64", 8, [](size_t n) { return product<double>(uniform, n); }, 2000000 },
        { "sparse product, power law", "f32", 4, [](size_t n) { return product<float>(power_law, n); }, 1000000 },
        { "sparse product, power law", "f64", 8, [](size_t n) { return product<double>(power_law, n); }, 1000000 },
        { "100 iterations of CG, 5-point stencil", "f64", 8, conjugate_gradients, 65025 },
    };
    return run(cases, argv, [](const Step &step) {
        viennacl::backend::finish();
        const auto start = Clock::now();
        step();
        viennacl::backend::finish();
        // ViennaCL's queue records no events.
        const double host = seconds_since(start);
        return Times { host, host };
    });
}
