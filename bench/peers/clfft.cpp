// Measures clFFT for the transforms of the benchmark, on the same device and under the same case names.
// `harness.h` describes the arguments. clFFT supports lengths with the prime factors 2, 3, 5, 7, 11 and 13, so
// the case of 1009 points is missing.

#include <memory>

#include "opencl.h"
#include "transforms.h"

#include <clFFT.h>

// clFFT takes scales as floats, even for doubles. The root of the length keeps the size of the numbers constant
// when they are transformed again and again.
static cl_float scale_of(const size_t length)
{
    return static_cast<cl_float>(1 / std::sqrt(static_cast<double>(length)));
}

class Plan {
    clfftPlanHandle plan;

public:
    Plan(const Place &place, const size_t length, const size_t batch, const bool real, const bool doubles)
    {
        cl_command_queue queue = place.queue;
        check(clfftCreateDefaultPlan(&plan, place.context, CLFFT_1D, &length), "clfftCreateDefaultPlan");
        check(clfftSetPlanPrecision(plan, doubles ? CLFFT_DOUBLE : CLFFT_SINGLE), "clfftSetPlanPrecision");
        check(clfftSetLayout(plan, real ? CLFFT_REAL : CLFFT_COMPLEX_INTERLEAVED,
                             real ? CLFFT_HERMITIAN_INTERLEAVED : CLFFT_COMPLEX_INTERLEAVED),
              "clfftSetLayout");
        check(clfftSetResultLocation(plan, real ? CLFFT_OUTOFPLACE : CLFFT_INPLACE), "clfftSetResultLocation");
        check(clfftSetPlanBatchSize(plan, batch), "clfftSetPlanBatchSize");
        check(clfftSetPlanDistance(plan, length, real ? length / 2 + 1 : length), "clfftSetPlanDistance");
        check(clfftSetPlanScale(plan, CLFFT_FORWARD, scale_of(length)), "clfftSetPlanScale");
        check(clfftBakePlan(plan, 1, &queue, nullptr, nullptr), "clfftBakePlan");
    }
    Plan(const Plan &) = delete;
    ~Plan() { clfftDestroyPlan(&plan); }

    // Transforms in place if `to` is null.
    void forward(cl_command_queue queue, cl_mem from, cl_mem to) const
    {
        check(clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &queue, 0, nullptr, nullptr, &from, to ? &to : nullptr, nullptr),
              "clfftEnqueueTransform");
    }
};

// Complex transforms in place.
template <typename T> static Work complex(const Place &place, const size_t length, const size_t n)
{
    const auto given = centred_pairs<T>(n);
    auto x = std::make_shared<Memory<std::complex<T>>>(place, given);
    auto plan = std::make_shared<Plan>(place, length, n / length, false, sizeof(T) == 8);
    const Step step = [=] { plan->forward(place.queue, x->get(), nullptr); };
    step();
    expect_transforms(given, x->to_host(), length, n / length, scale_of(length));
    return Work(step);
}

// Transforms real numbers into half of their spectra.
static Work real(const Place &place, const size_t length, const size_t n)
{
    const auto given = centred<float>(n);
    auto x = std::make_shared<Memory<float>>(place, given);
    const std::vector<std::complex<float>> zeros(n / length * (length / 2 + 1));
    auto spectra = std::make_shared<Memory<std::complex<float>>>(place, zeros);
    auto plan = std::make_shared<Plan>(place, length, n / length, true, false);
    const Step step = [=] { plan->forward(place.queue, x->get(), spectra->get()); };
    step();
    expect_transforms(given, spectra->to_host(), length, n / length, scale_of(length));
    return Work(step);
}

static std::vector<Case> cases(const Place &place)
{
    const auto singles = [=](const size_t length) { return [=](const size_t n) { return complex<float>(place, length, n); }; };
    const auto doubles = [=](const size_t length) { return [=](const size_t n) { return complex<double>(place, length, n); }; };
    const auto reals = [=](const size_t length) { return [=](const size_t n) { return real(place, length, n); }; };
    return {
        { "FFT of 256 points", "c32", 8, singles(256), SIZE_MAX, 256 },
        { "FFT of 1024 points", "c32", 8, singles(1024), SIZE_MAX, 1024 },
        { "FFT of 4096 points", "c32", 8, singles(4096), SIZE_MAX, 4096 },
        { "FFT of 8192 points", "c32", 8, singles(8192), SIZE_MAX, 8192 },
        { "FFT of 1000 points", "c32", 8, singles(1000), SIZE_MAX, 1000 },
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
    clfftSetupData setup;
    if (clfftInitSetupData(&setup) != CLFFT_SUCCESS || clfftSetup(&setup) != CLFFT_SUCCESS) {
        std::fprintf(stderr, "clFFT cannot be set up\n");
        return 1;
    }
    const int status = run_on_opencl(argc, argv, cases);
    clfftTeardown();
    return status;
}
