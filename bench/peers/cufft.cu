// cuFFT's times, in lines of a name and milliseconds:
//
//     cufft [--points K] [--samples K] [NAMES]
//
// Names are as c2c-f32-1024, r2c-f32-4096, c2c-f64-1000, c2c-f32-4096x4096, and mean what they mean to
// cl-fft/examples/fft_timing.rs: complex numbers in place, real ones to another place; transforms of one axis
// batched to 2^27 points of f32 (K), half as many of f64. Times are those between two events around one call,
// medians of 15 after some that do not count.
//
//     nvcc -std=c++17 -O3 -arch=native -o cufft cufft.cu -lcufft

#include <cuda_runtime.h>
#include <cufft.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using std::size_t;

static const char *const USUAL[] = {
    "c2c-f32-256",     "c2c-f32-1024",     "c2c-f32-4096",     "c2c-f32-1000",        "c2c-f32-2187",
    "c2c-f32-8192",    "c2c-f32-65536",    "c2c-f32-1048576",  "c2c-f32-16777216",    "c2c-f32-1009",
    "c2c-f64-256",     "c2c-f64-1024",     "c2c-f64-4096",     "c2c-f64-1000",        "c2c-f64-2187",
    "c2c-f64-65536",   "c2c-f64-1048576",  "r2c-f32-1024",     "r2c-f32-4096",        "r2c-f32-1048576",
    "c2c-f32-4096x4096", "c2c-f32-512x512x512",
};

static void check(const cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

static void check(const cufftResult error)
{
    if (error != CUFFT_SUCCESS) {
        std::fprintf(stderr, "error: cuFFT says %d\n", static_cast<int>(error));
        std::exit(1);
    }
}

// Numbers from -1/2 to 1/2 that look random (Steele, Lea and Flood: SplitMix64).
template <typename T> __global__ void fill(T *const values, const size_t count)
{
    const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        unsigned long long z = (i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        values[i] = static_cast<T>((z ^ (z >> 31)) >> 40) * static_cast<T>(0x1p-24) - static_cast<T>(0.5);
    }
}

struct Problem {
    bool real, doubles;
    std::vector<int> lengths;
};

static Problem parse(const std::string &name)
{
    const std::string kind = name.substr(0, 4), number = name.size() > 8 ? name.substr(4, 4) : "";
    const bool known = (kind == "c2c-" || kind == "r2c-") && (number == "f32-" || number == "f64-");
    Problem problem { kind == "r2c-", number == "f64-", {} };
    for (size_t at = 8; known && at < name.size();) {
        const size_t end = std::min(name.find('x', at), name.size());
        problem.lengths.push_back(std::atoi(name.substr(at, end - at).c_str()));
        at = end + 1;
    }
    if (problem.lengths.empty() || *std::min_element(problem.lengths.begin(), problem.lengths.end()) < 1) {
        std::fprintf(stderr, "error: %s is no name such as c2c-f32-1024\n", name.c_str());
        std::exit(1);
    }
    return problem;
}

template <typename Call> static float median(const int samples, const Call call)
{
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int sample = -3; sample < samples; ++sample) {
        check(cudaEventRecord(begin));
        call();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        if (sample >= 0)
            times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

template <typename T> static float measure(Problem problem, const int points, const int samples)
{
    size_t length = 1;
    for (const int part : problem.lengths)
        length *= part;
    const size_t room = size_t { 1 } << (points - (problem.doubles ? 1 : 0));
    const size_t batch = problem.lengths.size() > 1 ? 1 : std::max<size_t>(room / length, 1);
    const int rank = static_cast<int>(problem.lengths.size()), last = problem.lengths.back();
    const size_t half = length / last * (last / 2 + 1);

    const size_t numbers = length * batch * (problem.real ? 1 : 2);
    T *input = nullptr, *output = nullptr;
    check(cudaMalloc(&input, numbers * sizeof(T)));
    if (problem.real)
        check(cudaMalloc(&output, half * batch * 2 * sizeof(T)));
    fill<<<1024, 256>>>(input, numbers);
    check(cudaGetLastError());

    const cufftType type = problem.doubles ? (problem.real ? CUFFT_D2Z : CUFFT_Z2Z)
                                           : (problem.real ? CUFFT_R2C : CUFFT_C2C);
    cufftHandle plan;
    check(cufftPlanMany(&plan, rank, problem.lengths.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                        static_cast<int>(batch)));
    const float ms = median(samples, [&] {
        // Unnormalised, numbers grow until they are infinite, which does not change the time.
        check(problem.doubles
                  ? (problem.real ? cufftExecD2Z(plan, reinterpret_cast<double *>(input),
                                                 reinterpret_cast<cufftDoubleComplex *>(output))
                                  : cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex *>(input),
                                                 reinterpret_cast<cufftDoubleComplex *>(input), CUFFT_FORWARD))
                  : (problem.real ? cufftExecR2C(plan, reinterpret_cast<float *>(input),
                                                 reinterpret_cast<cufftComplex *>(output))
                                  : cufftExecC2C(plan, reinterpret_cast<cufftComplex *>(input),
                                                 reinterpret_cast<cufftComplex *>(input), CUFFT_FORWARD)));
    });
    check(cufftDestroy(plan));
    check(cudaFree(input));
    check(cudaFree(output));
    return ms;
}

int main(const int count, char **const arguments)
{
    int points = 27, samples = 15;
    std::vector<std::string> names;
    for (int at = 1; at < count; ++at) {
        const std::string argument = arguments[at];
        if ((argument == "--points" || argument == "--samples") && at + 1 < count)
            (argument == "--points" ? points : samples) = std::max(std::atoi(arguments[++at]), 1);
        else
            names.push_back(argument);
    }
    if (names.empty())
        names.assign(std::begin(USUAL), std::end(USUAL));
    for (const std::string &name : names) {
        const Problem problem = parse(name);
        const float ms = problem.doubles ? measure<double>(problem, points, samples)
                                         : measure<float>(problem, points, samples);
        std::printf("%s %.5f\n", name.c_str(), ms);
        std::fflush(stdout);
    }
    return 0;
}
