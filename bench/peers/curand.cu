// Measures cuRAND for the random numbers of the benchmark, with the same engine and under the same case names.
// `harness.h` describes the arguments.

#include <curand.h>

#include <cmath>
#include <memory>

#include "harness.h"

static void check(const curandStatus_t status)
{
    if (status != CURAND_STATUS_SUCCESS)
        throw std::runtime_error("cuRAND's status " + std::to_string(static_cast<int>(status)));
}

// Allocates memory for n values, which is released with its last owner.
template <typename T> static std::shared_ptr<T> room(const size_t n)
{
    T *memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void **>(&memory), n * sizeof(T)));
    return std::shared_ptr<T>(memory, [](T *memory) { cudaFree(memory); });
}

typedef std::shared_ptr<curandGenerator_st> Generator;

static Generator philox()
{
    curandGenerator_t made;
    check(curandCreateGenerator(&made, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    // This is the fastest order of values that cuRAND offers.
    check(curandSetGeneratorOrdering(made, CURAND_ORDERING_PSEUDO_DYNAMIC));
    check(curandSetPseudoRandomGeneratorSeed(made, 20261122));
    return Generator(made, [](curandGenerator_t made) { curandDestroyGenerator(made); });
}

// Fills n values by a call of cuRAND. The first values are verified: if there are enough of them, their mean and
// variance must differ from those of the distribution by at most six of their own standard deviations.
template <typename T, typename Call> static Work filled(const size_t n, const double mean, const double variance, const Call call)
{
    auto out = room<T>(n);
    auto engine = philox();
    const Step step = [=] { check(call(engine.get(), out.get(), n)); };
    step();
    if (!verifies())
        return Work(step);
    double sum = 0, squares = 0;
    for (const T value : copied(out.get(), n)) {
        sum += value - mean;
        squares += (value - mean) * (value - mean);
    }
    // The fourth central moment of each distribution here is at most three times its squared variance.
    const double allowed = 6 / std::sqrt(static_cast<double>(n));
    expect(n < 1000 || (std::abs(sum / n) <= allowed * std::sqrt(variance) && std::abs(squares / n - variance) <= 1.5 * allowed * variance));
    return Work(step);
}

static std::vector<Case> cases()
{
    return {
        { "random bits, Philox 4x32", "u32", 4, [](size_t n) { return filled<unsigned>(n, 0x1p31, 0x1p64 / 12, curandGenerate); } },
        { "uniform, Philox 4x32", "f32", 4, [](size_t n) { return filled<float>(n, 0.5, 1.0 / 12, curandGenerateUniform); } },
        { "uniform, Philox 4x32", "f64", 8, [](size_t n) { return filled<double>(n, 0.5, 1.0 / 12, curandGenerateUniformDouble); } },
        { "normal, Philox 4x32", "f32", 4,
          [](size_t n) {
              return filled<float>(n, 0, 1, [](curandGenerator_t engine, float *out, size_t n) {
                  return curandGenerateNormal(engine, out, n, 0, 1);
              });
          } },
        { "normal, Philox 4x32", "f64", 8,
          [](size_t n) {
              return filled<double>(n, 0, 1, [](curandGenerator_t engine, double *out, size_t n) {
                  return curandGenerateNormalDouble(engine, out, n, 0, 1);
              });
          } },
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
