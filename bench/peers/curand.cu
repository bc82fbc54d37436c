// cuRAND's times for the random numbers of the benchmark, by the same engine, under the names that these have
// there; `harness.h` says with which arguments.

#include <curand.h>

#include <memory>

#include "harness.h"

static void check(const curandStatus_t status)
{
    if (status != CURAND_STATUS_SUCCESS) {
        std::fprintf(stderr, "error: cuRAND's status %d\n", static_cast<int>(status));
        std::exit(1);
    }
}

// Memory for n values, for as long as somebody holds it.
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
    check(curandSetPseudoRandomGeneratorSeed(made, 20261122));
    return Generator(made, [](curandGenerator_t made) { curandDestroyGenerator(made); });
}

// Fills n values by a call of cuRAND's.
template <typename T, typename Call> static Work filled(const size_t n, const Call call)
{
    auto out = room<T>(n);
    auto engine = philox();
    return Work([=] { check(call(engine.get(), out.get(), n)); });
}

static std::vector<Case> cases()
{
    return {
        { "random bits, Philox 4x32", "u32", 4, [](size_t n) { return filled<unsigned>(n, curandGenerate); } },
        { "uniform, Philox 4x32", "f32", 4, [](size_t n) { return filled<float>(n, curandGenerateUniform); } },
        { "uniform, Philox 4x32", "f64", 8, [](size_t n) { return filled<double>(n, curandGenerateUniformDouble); } },
        { "normal, Philox 4x32", "f32", 4,
          [](size_t n) {
              return filled<float>(n, [](curandGenerator_t engine, float *out, size_t n) {
                  return curandGenerateNormal(engine, out, n, 0, 1);
              });
          } },
        { "normal, Philox 4x32", "f64", 8,
          [](size_t n) {
              return filled<double>(n, [](curandGenerator_t engine, double *out, size_t n) {
                  return curandGenerateNormalDouble(engine, out, n, 0, 1);
              });
          } },
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
