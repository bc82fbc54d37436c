// Measures cuSOLVER for the factorisations of the benchmark, under the same case names. `harness.h` describes the
// arguments. As ours, each step keeps the matrix: it copies the matrix, and factorises the copy.

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <memory>

#include "harness.h"

#include "linalg.h"

static void check(const cusolverStatus_t status)
{
    if (status != CUSOLVER_STATUS_SUCCESS)
        throw std::runtime_error("cuSOLVER's status " + std::to_string(static_cast<int>(status)));
}

template <typename T> static std::shared_ptr<T> room(const size_t count)
{
    T *memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void **>(&memory), std::max<size_t>(count, 1) * sizeof(T)));
    return std::shared_ptr<T>(memory, [](T *memory) { cudaFree(memory); });
}

static cusolverDnHandle_t handle()
{
    static cusolverDnHandle_t one = nullptr;
    if (!one)
        check(cusolverDnCreate(&one));
    return one;
}

// A matrix on the device, its copy that is factorised, and room for the rest of the result.
struct Factors {
    int n;
    std::shared_ptr<double> matrix, copy, tau;
    std::shared_ptr<int> pivots, info;

    explicit Factors(const Square &a)
        : n(static_cast<int>(a.n)), matrix(room<double>(a.n * a.n)), copy(room<double>(a.n * a.n)), tau(room<double>(a.n)),
          pivots(room<int>(a.n)), info(room<int>(1))
    {
        check(cudaMemcpy(matrix.get(), a.values.data(), a.values.size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    double *fresh_copy() const
    {
        const size_t bytes = size_t(n) * n * sizeof(double);
        check(cudaMemcpyAsync(copy.get(), matrix.get(), bytes, cudaMemcpyDeviceToDevice));
        return copy.get();
    }
    // Returns the factors, after the last factorisation has succeeded.
    std::vector<double> found() const
    {
        expect(copied(info.get(), 1)[0] == 0);
        return copied(copy.get(), size_t(n) * n);
    }
};

static Work lu(const size_t count)
{
    const Square a(count);
    const Factors f(a);
    int size = 0;
    check(cusolverDnDgetrf_bufferSize(handle(), f.n, f.n, f.copy.get(), f.n, &size));
    const auto work = room<double>(size);
    const Step step = [=] {
        double *const x = f.fresh_copy();
        check(cusolverDnDgetrf(handle(), f.n, f.n, x, f.n, work.get(), f.pivots.get(), f.info.get()));
    };
    step();
    const auto found = f.found();
    // The rows of the matrix in the order of the factors.
    std::vector<size_t> rows(a.n);
    for (size_t i = 0; i < a.n; ++i)
        rows[i] = i;
    const auto pivots = copied(f.pivots.get(), a.n);
    for (size_t i = 0; i < a.n; ++i)
        std::swap(rows[i], rows.at(pivots[i] - 1));
    expect_close(a.n, 10.0 * a.n, [&](const size_t i, const size_t j, double &sum, double &expected) {
        for (size_t k = 0; k <= std::min(i, j); ++k)
            sum += (k == i ? 1.0 : found[k * a.n + i]) * found[j * a.n + k];
        expected = a(rows[i], j);
    });
    return Work(step);
}

static Work cholesky(const size_t count)
{
    Square a(count);
    a.make_positive();
    const Factors f(a);
    int size = 0;
    check(cusolverDnDpotrf_bufferSize(handle(), CUBLAS_FILL_MODE_LOWER, f.n, f.copy.get(), f.n, &size));
    const auto work = room<double>(size);
    const Step step = [=] {
        double *const x = f.fresh_copy();
        check(cusolverDnDpotrf(handle(), CUBLAS_FILL_MODE_LOWER, f.n, x, f.n, work.get(), size, f.info.get()));
    };
    step();
    const auto found = f.found();
    expect_close(a.n, a.n, [&](const size_t i, const size_t j, double &sum, double &expected) {
        for (size_t k = 0; k <= std::min(i, j); ++k)
            sum += found[k * a.n + i] * found[k * a.n + j];
        expected = a(i, j);
    });
    return Work(step);
}

static Work qr(const size_t count)
{
    const Square a(count);
    const Factors f(a);
    int size = 0;
    check(cusolverDnDgeqrf_bufferSize(handle(), f.n, f.n, f.copy.get(), f.n, &size));
    const auto work = room<double>(size);
    const Step step = [=] {
        double *const x = f.fresh_copy();
        check(cusolverDnDgeqrf(handle(), f.n, f.n, x, f.n, f.tau.get(), work.get(), size, f.info.get()));
    };
    step();
    const auto found = f.found();
    expect_triangle(a, [&](const size_t i, const size_t j) { return found[j * a.n + i]; });
    return Work(step);
}

int main(const int argc, char **argv)
{
    const std::vector<Case> cases = {
        { "linalg: lu 2048", "f64", 8, lu, 2048 * 2048 },
        { "linalg: lu 4096", "f64", 8, lu, 4096 * 4096 },
        { "linalg: cholesky 2048", "f64", 8, cholesky, 2048 * 2048 },
        { "linalg: cholesky 4096", "f64", 8, cholesky, 4096 * 4096 },
        { "linalg: qr 1000", "f64", 8, qr, 1000 * 1000 },
        { "linalg: qr 4096", "f64", 8, qr, 4096 * 4096 },
    };
    return run_on_cuda(cases, argc, argv);
}
