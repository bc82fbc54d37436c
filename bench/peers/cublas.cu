// Measures cuBLAS for the cases of the benchmark that are routines of BLAS, under the same case names.
// `harness.h` describes the arguments. Scalar results stay on the device, as ours do.

#include <cublas_v2.h>

#include <cmath>
#include <memory>

#include "harness.h"

static void check(const cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error("cuBLAS' status " + std::to_string(static_cast<int>(status)));
}

typedef std::shared_ptr<float> Vector;

static Vector on_device(const std::vector<float> &host)
{
    float *memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void **>(&memory), host.size() * sizeof(float)));
    check(cudaMemcpy(memory, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    return Vector(memory, [](float *memory) { cudaFree(memory); });
}

static std::vector<float> numbers(const size_t n)
{
    std::mt19937_64 engine { std::random_device()() };
    std::vector<float> x(n);
    for (float &value : x)
        value = std::ldexp(static_cast<float>(engine() >> 40), -24);
    return x;
}

static cublasHandle_t handle(const cublasPointerMode_t mode)
{
    static cublasHandle_t one = nullptr;
    if (!one)
        check(cublasCreate(&one));
    check(cublasSetPointerMode(one, mode));
    return one;
}

static Work copy(const size_t n)
{
    const auto host = numbers(n);
    auto x = on_device(host), y = on_device(std::vector<float>(n));
    const auto blas = handle(CUBLAS_POINTER_MODE_HOST);
    const Step step = [=] { check(cublasScopy(blas, static_cast<int>(n), x.get(), 1, y.get(), 1)); };
    step();
    expect(copied(y.get(), n) == host);
    return Work(step);
}

static Work saxpy(const size_t n)
{
    const float a = 0.5f;
    const auto host_x = numbers(n), host_y = numbers(n);
    auto x = on_device(host_x), y = on_device(host_y);
    const auto blas = handle(CUBLAS_POINTER_MODE_HOST);
    const Step step = [=] { check(cublasSaxpy(blas, static_cast<int>(n), &a, x.get(), 1, y.get(), 1)); };
    step();
    const auto found = copied(y.get(), n);
    for (size_t i = 0; i < n; ++i)
        expect(std::abs(found[i] - (double(a) * host_x[i] + host_y[i])) <= 3e-7 * found[i]);
    return Work(step);
}

static Work dot(const size_t n)
{
    const auto host_x = numbers(n), host_y = numbers(n);
    auto x = on_device(host_x), y = on_device(host_y), out = on_device({ 0 });
    const auto blas = handle(CUBLAS_POINTER_MODE_DEVICE);
    const Step step = [=] { check(cublasSdot(blas, static_cast<int>(n), x.get(), 1, y.get(), 1, out.get())); };
    step();
    double exact = 0;
    for (size_t i = 0; i < n; ++i)
        exact += double(host_x[i]) * host_y[i];
    expect(std::abs(copied(out.get(), 1)[0] - exact) <= 1e-4 * exact);
    return Work(step);
}

int main(const int argc, char **argv)
{
    const std::vector<Case> cases = {
        { "copy (kernel)", "f32", 4, copy },
        { "saxpy y = a x + y, in place", "f32", 4, saxpy },
        { "dot product", "f32", 4, dot },
    };
    return run_on_cuda(cases, argc, argv);
}
