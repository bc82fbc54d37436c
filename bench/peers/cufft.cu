// Measures cuFFT for the transforms of the benchmark, under the same case names. `harness.h` describes the
// arguments. As in our cases, complex transforms are in place, and real ones write half of their spectra to
// other memory.

#include <cuda_runtime.h>
#include <cufft.h>

#include <memory>

#include "harness.h"
#include "transforms.h"

static void check(const cufftResult status)
{
    if (status != CUFFT_SUCCESS)
        throw std::runtime_error("cuFFT's status " + std::to_string(static_cast<int>(status)));
}

template <typename T> static std::shared_ptr<T> room(const size_t count)
{
    T *memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void **>(&memory), count * sizeof(T)));
    return std::shared_ptr<T>(memory, [](T *memory) { cudaFree(memory); });
}

class Plan {
    cufftHandle handle;

public:
    Plan(const size_t length, const size_t batch, const cufftType type)
    {
        int points = static_cast<int>(length);
        check(cufftPlanMany(&handle, 1, &points, nullptr, 1, 0, nullptr, 1, 0, type, static_cast<int>(batch)));
    }
    Plan(const Plan &) = delete;
    ~Plan() { cufftDestroy(handle); }
    void forward(cufftComplex *x) const { check(cufftExecC2C(handle, x, x, CUFFT_FORWARD)); }
    void forward(cufftDoubleComplex *x) const { check(cufftExecZ2Z(handle, x, x, CUFFT_FORWARD)); }
    void forward(cufftReal *x, cufftComplex *spectra) const { check(cufftExecR2C(handle, x, spectra)); }
};

// `Device` is cuFFT's complex number type.
template <typename T, typename Device> static Work complex(const size_t length, const size_t n)
{
    const auto given = centred_pairs<T>(n);
    auto x = room<Device>(n);
    check(cudaMemcpy(x.get(), given.data(), n * sizeof(Device), cudaMemcpyHostToDevice));
    auto plan = std::make_shared<Plan>(length, n / length, sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C);
    // Without normalisation the numbers grow until they are infinite, which does not change the time.
    const Step step = [=] { plan->forward(x.get()); };
    step();
    if (verifies()) {
        std::vector<std::complex<T>> found(n);
        check(cudaMemcpy(found.data(), x.get(), n * sizeof(Device), cudaMemcpyDeviceToHost));
        expect_transforms(given, found, length, n / length, 1);
    }
    return Work(step);
}

static Work real(const size_t length, const size_t n)
{
    const size_t numbers = n / length * (length / 2 + 1);
    const auto given = centred<float>(n);
    auto x = room<cufftReal>(n);
    auto spectra = room<cufftComplex>(numbers);
    check(cudaMemcpy(x.get(), given.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    auto plan = std::make_shared<Plan>(length, n / length, CUFFT_R2C);
    const Step step = [=] { plan->forward(x.get(), spectra.get()); };
    step();
    if (verifies()) {
        std::vector<std::complex<float>> found(numbers);
        check(cudaMemcpy(found.data(), spectra.get(), numbers * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
        expect_transforms(given, found, length, n / length, 1);
    }
    return Work(step);
}

static std::vector<Case> cases()
{
    const auto singles = [](const size_t length) { return [=](const size_t n) { return complex<float, cufftComplex>(length, n); }; };
    const auto doubles = [](const size_t length) {
        return [=](const size_t n) { return complex<double, cufftDoubleComplex>(length, n); };
    };
    const auto reals = [](const size_t length) { return [=](const size_t n) { return real(length, n); }; };
    return {
        { "FFT of 256 points", "c32", 8, singles(256), SIZE_MAX, 256 },
        { "FFT of 1024 points", "c32", 8, singles(1024), SIZE_MAX, 1024 },
        { "FFT of 4096 points", "c32", 8, singles(4096), SIZE_MAX, 4096 },
        { "FFT of 8192 points", "c32", 8, singles(8192), SIZE_MAX, 8192 },
        { "FFT of 1000 points", "c32", 8, singles(1000), SIZE_MAX, 1000 },
        { "FFT of 1009 points", "c32", 8, singles(1009), SIZE_MAX, 1009 },
        { "FFT of 2187 points", "c32", 8, singles(2187), SIZE_MAX, 2187 },
        { "FFT of 2^16 points", "c32", 8, singles(65536), SIZE_MAX, 65536 },
        { "FFT of 2^20 points", "c32", 8, singles(1048576), SIZE_MAX, 1048576 },
        { "FFT of 256 points", "c64", 16, doubles(256), SIZE_MAX, 256 },
        { "FFT of 1000 points", "c64", 16, doubles(1000), SIZE_MAX, 1000 },
        { "FFT of 1024 points", "c64", 16, doubles(1024), SIZE_MAX, 1024 },
        { "FFT of 4096 points", "c64", 16, doubles(4096), SIZE_MAX, 4096 },
        { "FFT of 2^20 points", "c64", 16, doubles(1048576), SIZE_MAX, 1048576 },
        { "real FFT of 1024 points", "f32", 4, reals(1024), SIZE_MAX, 1024 },
        { "real FFT of 2^20 points", "f32", 4, reals(1048576), SIZE_MAX, 1048576 },
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
