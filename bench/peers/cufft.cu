// cuFFT's times for the transforms of the benchmark, under the names that these have there; `harness.h` says with which
// arguments. As ours: complex numbers in place, real ones to half of their spectra in another place.

#include <cuda_runtime.h>
#include <cufft.h>

#include <complex>
#include <memory>

#include "harness.h"

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

// Numbers around 0.
template <typename T> static std::vector<T> centred(const size_t count)
{
    std::mt19937_64 engine { std::random_device()() };
    std::uniform_real_distribution<T> numbers(T(-0.5), T(0.5));
    std::vector<T> x(count);
    for (T &value : x)
        value = numbers(engine);
    return x;
}

// Some numbers of the first and the last transform, by the definition, against those that were found.
template <typename T, typename Number>
static void expect_transforms(const std::vector<Number> &given, const std::vector<std::complex<T>> &found,
                              const size_t length, const size_t count)
{
    const double turn = -2 * std::acos(-1.0) / length;
    for (const size_t line : { size_t(0), count - 1 })
        for (const size_t at : { size_t(1), length / 3, length / 2 }) {
            std::complex<double> sum = 0;
            for (size_t i = 0; i < length; ++i)
                sum += std::complex<double>(given[line * length + i]) * std::polar(1.0, turn * (at * i % length));
            const std::complex<double> one(found[line * (found.size() / count) + at]);
            // A NaN is wrong, too.
            expect(std::abs(one - sum) <= (sizeof(T) == 4 ? 1e-5 : 1e-12) * std::sqrt(static_cast<double>(length)));
        }
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

// `Device` is cuFFT's own complex number.
template <typename T, typename Device> static Work complex(const size_t length, const size_t n)
{
    const auto parts = centred<T>(2 * n);
    std::vector<std::complex<T>> given(n), found(n);
    for (size_t i = 0; i < n; ++i)
        given[i] = { parts[2 * i], parts[2 * i + 1] };
    auto x = room<Device>(n);
    check(cudaMemcpy(x.get(), given.data(), n * sizeof(Device), cudaMemcpyHostToDevice));
    auto plan = std::make_shared<Plan>(length, n / length, sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C);
    // Unnormalised, numbers grow until they are infinite, which does not change the time.
    const Step step = [=] { plan->forward(x.get()); };
    step();
    check(cudaMemcpy(found.data(), x.get(), n * sizeof(Device), cudaMemcpyDeviceToHost));
    expect_transforms(given, found, length, n / length);
    return Work(step);
}

static Work real(const size_t length, const size_t n)
{
    const size_t numbers = n / length * (length / 2 + 1);
    const auto given = centred<float>(n);
    std::vector<std::complex<float>> found(numbers);
    auto x = room<cufftReal>(n);
    auto spectra = room<cufftComplex>(numbers);
    check(cudaMemcpy(x.get(), given.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    auto plan = std::make_shared<Plan>(length, n / length, CUFFT_R2C);
    const Step step = [=] { plan->forward(x.get(), spectra.get()); };
    step();
    check(cudaMemcpy(found.data(), spectra.get(), numbers * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
    expect_transforms(given, found, length, n / length);
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
