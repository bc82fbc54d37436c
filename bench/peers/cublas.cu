// Measures cuBLAS for the cases of the benchmark that are routines of BLAS, under the same case names. Products of shorter
// formats have operands of that format, which ours rounds on the way. `harness.h` describes the arguments. Scalar results stay on the device, as ours do.

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <memory>

#include "harness.h"

#include "dense.h"

static void check(const cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error("cuBLAS' status " + std::to_string(static_cast<int>(status)));
}

template <typename T> std::shared_ptr<T> on_device(const std::vector<T> &host)
{
    T *memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void **>(&memory), host.size() * sizeof(T)));
    check(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return std::shared_ptr<T>(memory, [](T *memory) { cudaFree(memory); });
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
    const auto host = floats<float>(n);
    auto x = on_device(host), y = on_device(std::vector<float>(n));
    const auto blas = handle(CUBLAS_POINTER_MODE_HOST);
    const Step step = [=] { check(cublasScopy(blas, static_cast<int>(n), x.get(), 1, y.get(), 1)); };
    step();
    if (verifies())
        expect(copied(y.get(), n) == host);
    return Work(step);
}

static Work saxpy(const size_t n)
{
    const float a = 0.5f;
    const auto host_x = floats<float>(n), host_y = floats<float>(n);
    auto x = on_device(host_x), y = on_device(host_y);
    const auto blas = handle(CUBLAS_POINTER_MODE_HOST);
    const Step step = [=] { check(cublasSaxpy(blas, static_cast<int>(n), &a, x.get(), 1, y.get(), 1)); };
    step();
    const auto found = verifies() ? copied(y.get(), n) : std::vector<float>();
    for (size_t i = 0; i < found.size(); ++i)
        expect(std::abs(found[i] - (double(a) * host_x[i] + host_y[i])) <= 3e-7 * found[i]);
    return Work(step);
}

static Work dot(const size_t n)
{
    const auto host_x = floats<float>(n), host_y = floats<float>(n);
    auto x = on_device(host_x), y = on_device(host_y), out = on_device(std::vector<float> { 0 });
    const auto blas = handle(CUBLAS_POINTER_MODE_DEVICE);
    const Step step = [=] { check(cublasSdot(blas, static_cast<int>(n), x.get(), 1, y.get(), 1, out.get())); };
    step();
    if (!verifies())
        return Work(step);
    double exact = 0;
    for (size_t i = 0; i < n; ++i)
        exact += double(host_x[i]) * host_y[i];
    expect(std::abs(copied(out.get(), 1)[0] - exact) <= 1e-4 * exact);
    return Work(step);
}

// The products of two matrices of `Stored` items, whose elements are added up as `Sum`.
template <typename Stored, typename Sum, cudaDataType STORED, cudaDataType SUM, cublasComputeType_t COMPUTE>
static Work product(const size_t n)
{
    const Factors<Sum> factors(n, false, false);
    const auto stored = [](const std::vector<Sum> &host) { return on_device(std::vector<Stored>(host.begin(), host.end())); };
    auto a = stored(factors.a), b = stored(factors.b);
    auto c = on_device(std::vector<Sum>(n));
    const auto blas = handle(CUBLAS_POINTER_MODE_HOST);
    const int edge = static_cast<int>(factors.edge);
    const Step step = [=] {
        // cuBLAS stores matrices by columns: it computes the transposed product.
        const Sum one = 1, zero = 0;
        check(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, edge, edge, edge, &one, b.get(), STORED, edge, a.get(), STORED,
            edge, &zero, c.get(), SUM, edge, COMPUTE, CUBLAS_GEMM_DEFAULT));
    };
    step();
    if (verifies())
        factors.check(copied(c.get(), n));
    return Work(step);
}

const auto f32 = product<float, float, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F>;
const auto f64 = product<double, double, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F>;
const auto tf32 = product<float, float, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32>;
const auto bf16 = product<__nv_bfloat16, float, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F>;
const auto f16 = product<__half, float, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F>;

int main(const int argc, char **argv)
{
    const std::vector<Case> cases = {
        { "copy (kernel)", "f32", 4, copy },
        { "saxpy y = a x + y, in place", "f32", 4, saxpy },
        { "dot product", "f32", 4, dot },
        { "array: product, 512 x 512", "f32", 4, f32, 512 * 512 },
        { "array: product, 512 x 512", "f64", 4, f64, 512 * 512 },
        { "array: product, 1024 x 1024", "f32", 4, f32, 1024 * 1024 },
        { "array: product, 1024 x 1024", "f64", 4, f64, 1024 * 1024 },
        { "array: product, 2048 x 2048", "f32", 4, f32, 2048 * 2048 },
        { "array: product, 2048 x 2048", "f64", 4, f64, 2048 * 2048 },
        { "array: product, 4096 x 4096", "f32", 4, f32, 4096 * 4096 },
        { "array: product, 4096 x 4096", "f64", 4, f64, 4096 * 4096 },
        { "array: product, 8192 x 8192", "f32", 4, f32, 8192 * 8192 },
        { "array: product in TF32, 1024 x 1024", "f32", 4, tf32, 1024 * 1024 },
        { "array: product in TF32, 2048 x 2048", "f32", 4, tf32, 2048 * 2048 },
        { "array: product in TF32, 4096 x 4096", "f32", 4, tf32, 4096 * 4096 },
        { "array: product in TF32, 8192 x 8192", "f32", 4, tf32, 8192 * 8192 },
        { "array: product in BF16, 1024 x 1024", "f32", 4, bf16, 1024 * 1024 },
        { "array: product in BF16, 2048 x 2048", "f32", 4, bf16, 2048 * 2048 },
        { "array: product in BF16, 4096 x 4096", "f32", 4, bf16, 4096 * 4096 },
        { "array: product in BF16, 8192 x 8192", "f32", 4, bf16, 8192 * 8192 },
        { "array: product in F16, 1024 x 1024", "f32", 4, f16, 1024 * 1024 },
        { "array: product in F16, 2048 x 2048", "f32", 4, f16, 2048 * 2048 },
        { "array: product in F16, 4096 x 4096", "f32", 4, f16, 4096 * 4096 },
        { "array: product in F16, 8192 x 8192", "f32", 4, f16, 8192 * 8192 },
    };
    return run_on_cuda(cases, argc, argv);
}
