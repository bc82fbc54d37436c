// CUB's and Thrust's times for the cases of the benchmark, under the names that these have there; `harness.h` says
// with which arguments.

#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <memory>

#include "harness.h"

// Random bits of an index (Steele, Lea and Flood: SplitMix64).
struct Random {
    uint64_t seed;
    __host__ __device__ uint64_t operator()(const uint64_t index) const
    {
        uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
};

// Integers of all bits, floats in [0, 1).
template <typename T> struct Value {
    Random random;
    __host__ __device__ T operator()(const uint64_t index) const { return static_cast<T>(random(index) >> 32); }
};
template <> struct Value<uint64_t> {
    Random random;
    __host__ __device__ uint64_t operator()(const uint64_t index) const { return random(index); }
};
template <> struct Value<float> {
    Random random;
    __host__ __device__ float operator()(const uint64_t index) const { return (random(index) >> 40) * 0x1p-24f; }
};
template <> struct Value<double> {
    Random random;
    __host__ __device__ double operator()(const uint64_t index) const { return (random(index) >> 11) * 0x1p-53; }
};

struct Begins {
    Random random;
    uint64_t length;
    __host__ __device__ uint32_t operator()(const uint64_t index) const { return random(index) % length == 0; }
};
struct Odd {
    __host__ __device__ bool operator()(const uint32_t x) const { return x & 1; }
};
struct Large {
    __host__ __device__ bool operator()(const float x) const { return x > 0.5f; }
};
struct Less {
    __host__ __device__ bool operator()(const uint32_t a, const uint32_t b) const { return a < b; }
};
struct Saxpy {
    float a;
    __host__ __device__ float operator()(const float x, const float y) const { return a * x + y; }
};

static Random fresh()
{
    std::random_device device;
    return Random { static_cast<uint64_t>(device()) << 32 | device() };
}

template <typename T> using Vector = std::shared_ptr<thrust::device_vector<T>>;

template <typename T> static Vector<T> room(const size_t n)
{
    return std::make_shared<thrust::device_vector<T>>(n);
}

template <typename T> static Vector<T> values(const size_t n)
{
    auto x = room<T>(n);
    thrust::transform(thrust::counting_iterator<uint64_t>(0), thrust::counting_iterator<uint64_t>(n), x->begin(),
                      Value<T> { fresh() });
    return x;
}

static Vector<uint32_t> ascending(const size_t n)
{
    auto x = values<uint32_t>(n);
    thrust::sort(x->begin(), x->end());
    return x;
}

// Numbers that grow by one where a run begins.
static Vector<uint32_t> runs(const size_t n, const uint64_t length)
{
    auto x = room<uint32_t>(n);
    thrust::transform(thrust::counting_iterator<uint64_t>(0), thrust::counting_iterator<uint64_t>(n), x->begin(),
                      Begins { fresh(), length });
    thrust::inclusive_scan(x->begin(), x->end(), x->begin());
    return x;
}

template <typename T> static T *at(const Vector<T> &x)
{
    return thrust::raw_pointer_cast(x->data());
}

// A call of CUB's: once for the size of what it wants to have for itself, and then again and again.
template <typename Call> static Step step(const Call call)
{
    size_t bytes = 0;
    check(call(static_cast<void *>(nullptr), bytes));
    auto storage = room<uint8_t>(std::max<size_t>(bytes, 1));
    return [=] {
        size_t size = bytes;
        check(call(static_cast<void *>(at(storage)), size));
    };
}

template <typename T> static Step sum(const size_t n)
{
    auto x = values<T>(n), out = room<T>(1);
    return step([=](void *own, size_t &bytes) { return cub::DeviceReduce::Sum(own, bytes, at(x), at(out), n); });
}

template <typename T> static Step scan(const size_t n)
{
    auto x = values<T>(n), out = room<T>(n);
    return step(
        [=](void *own, size_t &bytes) { return cub::DeviceScan::InclusiveSum(own, bytes, at(x), at(out), n); });
}

template <typename T> static Step sort(const size_t n)
{
    auto x = values<T>(n), out = room<T>(n);
    return step(
        [=](void *own, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(own, bytes, at(x), at(out), n); });
}

static Step unique(const size_t n, const uint64_t length)
{
    auto x = runs(n, length), out = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return step([=](void *own, size_t &bytes) {
        return cub::DeviceSelect::Unique(own, bytes, at(x), at(out), at(count), n);
    });
}

static Step reduce_by_key(const size_t n, const uint64_t length)
{
    auto keys = runs(n, length), x = values<uint32_t>(n), out = room<uint32_t>(n), sums = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return step([=](void *own, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(own, bytes, at(keys), at(out), at(x), at(sums), at(count),
                                              cuda::std::plus<>(), n);
    });
}

static Step histogram(const size_t n, const bool all_in_one)
{
    auto x = room<uint8_t>(n);
    if (all_in_one)
        check(cudaMemset(at(x), fresh()(0) & 255, n));
    else
        thrust::transform(thrust::counting_iterator<uint64_t>(0), thrust::counting_iterator<uint64_t>(n), x->begin(),
                          Value<uint8_t> { fresh() });
    auto counts = room<int>(256);
    return step([=](void *own, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(own, bytes, at(x), at(counts), 257, 0, 256,
                                                   static_cast<int64_t>(n));
    });
}

static std::vector<Case> cases()
{
    return {
        { "copy (clEnqueueCopyBuffer)", "f32", 4,
          [](size_t n) {
              auto x = values<float>(n), y = room<float>(n);
              return [=] { check(cudaMemcpyAsync(at(y), at(x), 4 * n, cudaMemcpyDeviceToDevice)); };
          } },
        { "saxpy z = a x + y", "f32", 4,
          [](size_t n) {
              auto x = values<float>(n), y = values<float>(n), z = room<float>(n);
              return [=] {
                  thrust::transform(thrust::cuda::par_nosync, x->begin(), x->end(), y->begin(), z->begin(),
                                    Saxpy { 2.5f });
              };
          } },
        { "saxpy y = a x + y, in place", "f32", 4,
          [](size_t n) {
              auto x = values<float>(n), y = values<float>(n);
              return [=] {
                  thrust::transform(thrust::cuda::par_nosync, x->begin(), x->end(), y->begin(), y->begin(),
                                    Saxpy { 0.5f });
              };
          } },
        { "sum", "f32", 4, sum<float> },
        { "sum", "u32", 4, sum<uint32_t> },
        { "sum", "f64", 8, sum<double> },
        { "inclusive scan", "u32", 4, scan<uint32_t> },
        { "inclusive scan", "f32", 4, scan<float> },
        { "inclusive scan", "u64", 8, scan<uint64_t> },
        { "scan by key, runs of 4", "u32", 4,
          [](size_t n) {
              auto keys = runs(n, 4), x = values<uint32_t>(n), out = room<uint32_t>(n);
              return step([=](void *own, size_t &bytes) {
                  return cub::DeviceScan::InclusiveSumByKey(own, bytes, at(keys), at(x), at(out), n);
              });
          } },
        { "reduce_by_key, runs of 4", "u32", 4, [](size_t n) { return reduce_by_key(n, 4); } },
        { "reduce_by_key, runs of 1000", "u32", 4, [](size_t n) { return reduce_by_key(n, 1000); } },
        { "copy_if, half kept", "u32", 4,
          [](size_t n) {
              auto x = values<uint32_t>(n), out = room<uint32_t>(n);
              auto count = room<uint64_t>(1);
              return step([=](void *own, size_t &bytes) {
                  return cub::DeviceSelect::If(own, bytes, at(x), at(out), at(count), n, Odd());
              });
          } },
        // One output, what is not selected from its end on, backwards.
        { "partition_copy, half", "u32", 4,
          [](size_t n) {
              auto x = values<uint32_t>(n), out = room<uint32_t>(n);
              auto count = room<uint64_t>(1);
              return step([=](void *own, size_t &bytes) {
                  return cub::DevicePartition::If(own, bytes, at(x), at(out), at(count), n, Odd());
              });
          } },
        { "unique, runs of 4", "u32", 4, [](size_t n) { return unique(n, 4); } },
        { "unique, runs of 1000", "u32", 4, [](size_t n) { return unique(n, 1000); } },
        { "maximum", "f32", 4,
          [](size_t n) {
              auto x = values<float>(n), out = room<float>(1);
              return step(
                  [=](void *own, size_t &bytes) { return cub::DeviceReduce::Max(own, bytes, at(x), at(out), n); });
          } },
        { "max_element", "f32", 4,
          [](size_t n) {
              auto x = values<float>(n), out = room<float>(1);
              auto place = room<int64_t>(1);
              return step([=](void *own, size_t &bytes) {
                  return cub::DeviceReduce::ArgMax(own, bytes, at(x), at(out), at(place), static_cast<int64_t>(n));
              });
          } },
        { "count_if", "f32", 4,
          [](size_t n) {
              auto x = values<float>(n);
              return [=] { (void)thrust::count_if(x->begin(), x->end(), Large()); };
          } },
        { "merge of two halves", "u32", 4,
          [](size_t n) {
              auto a = ascending(n / 2), b = ascending(n - n / 2), out = room<uint32_t>(n);
              return step([=](void *own, size_t &bytes) {
                  return cub::DeviceMerge::MergeKeys(own, bytes, at(a), static_cast<int64_t>(n / 2), at(b),
                                                     static_cast<int64_t>(n - n / 2), at(out), Less());
              });
          } },
        { "merge sort of random numbers", "u32", 4,
          [](size_t n) {
              auto x = values<uint32_t>(n), out = room<uint32_t>(n);
              return step([=](void *own, size_t &bytes) {
                  return cub::DeviceMergeSort::SortKeysCopy(own, bytes, at(x), at(out), static_cast<int64_t>(n),
                                                            Less());
              });
          } },
        { "lower bounds, random needles", "u32", 4,
          [](size_t n) {
              auto x = ascending(n), needles = values<uint32_t>(n), out = room<uint32_t>(n);
              return [=] {
                  thrust::lower_bound(thrust::cuda::par_nosync, x->begin(), x->end(), needles->begin(),
                                      needles->end(), out->begin());
              };
          } },
        { "histogram, 256 bins", "u8", 1, [](size_t n) { return histogram(n, false); } },
        { "histogram, 256 bins, all in one", "u8", 1, [](size_t n) { return histogram(n, true); } },
        { "sort", "u32", 4, sort<uint32_t> },
        { "sort", "f32", 4, sort<float> },
        { "sort", "u64", 8, sort<uint64_t> },
        { "sort_by_key, one vector of u32", "u32", 4,
          [](size_t n) {
              auto x = values<uint32_t>(n), y = values<uint32_t>(n), keys = room<uint32_t>(n), out = room<uint32_t>(n);
              return step([=](void *own, size_t &bytes) {
                  return cub::DeviceRadixSort::SortPairs(own, bytes, at(x), at(keys), at(y), at(out), n);
              });
          } },
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
