// Measures VkFFT for the transforms of the benchmark, by its OpenCL back-end on the same device and under the
// same case names. `harness.h` describes the arguments. VkFFT is a header: CPLUS_INCLUDE_PATH names its folder
// `vkFFT`.

#include <memory>

#include "opencl.h"
#include "transforms.h"

#define VKFFT_BACKEND 3
#include <vkFFT.h>

static void check(const VkFFTResult result)
{
    if (result != VKFFT_SUCCESS)
        throw std::runtime_error("VkFFT's status " + std::to_string(static_cast<int>(result)));
}

// A batch of transforms in place. VkFFT keeps addresses of its arguments, so this object is never moved.
template <typename T> class Transforms {
    Place place;
    Memory<std::complex<T>> numbers;
    cl_mem memory;
    uint64_t bytes;
    VkFFTApplication application = {};

public:
    Transforms(const Place &place, const std::vector<std::complex<T>> &given, const size_t length)
        : place(place), numbers(place, given), memory(numbers.get()), bytes(given.size() * sizeof(given[0]))
    {
        VkFFTConfiguration wanted = {};
        wanted.FFTdim = 1;
        wanted.size[0] = length;
        wanted.numberBatches = given.size() / length;
        wanted.doublePrecision = sizeof(T) == 8;
        wanted.device = &this->place.device;
        wanted.context = &this->place.context;
        wanted.buffer = &memory;
        wanted.bufferSize = &bytes;
        check(initializeVkFFT(&application, wanted));
    }
    Transforms(const Transforms &) = delete;
    ~Transforms() { deleteVkFFT(&application); }

    void forward()
    {
        VkFFTLaunchParams launch = {};
        launch.commandQueue = &place.queue;
        launch.buffer = &memory;
        check(VkFFTAppend(&application, -1, &launch));
    }
    std::vector<std::complex<T>> to_host() const { return numbers.to_host(); }
};

template <typename T> static Work complex(const Place &place, const size_t length, const size_t n)
{
    const auto given = centred_pairs<T>(n);
    auto transforms = std::make_shared<Transforms<T>>(place, given, length);
    // Without normalisation the numbers grow until they are infinite, which does not change the time with
    // fast arithmetic.
    const Step step = [=] { transforms->forward(); };
    step();
    if (verifies())
        expect_transforms(given, transforms->to_host(), length, n / length, 1);
    return Work(step);
}

static std::vector<Case> cases(const Place &place)
{
    const auto singles = [=](const size_t length) { return [=](const size_t n) { return complex<float>(place, length, n); }; };
    const auto doubles = [=](const size_t length) { return [=](const size_t n) { return complex<double>(place, length, n); }; };
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
    };
}

int main(const int argc, char **argv)
{
    return run_on_opencl(argc, argv, cases);
}
