// Fresh data in the memory of NVIDIA's devices.

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <memory>

#include "harness.h"

// Returns the random bits of an index (Steele, Lea and Flood: SplitMix64).
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

// Integers of which every bit is random, or floats in [0, 1).
template <typename T> struct Value {
    Random random;
    __host__ __device__ T operator()(const uint64_t index) const { return static_cast<T>(random(index) >> 32); }
};
// Mostly small numbers, as many keys are; for signed integers, too.
struct Skewed {
    Random random;
    __host__ __device__ uint32_t operator()(const uint64_t index) const
    {
        const uint64_t bits = random(index);
        return static_cast<uint32_t>(bits >> 32) >> (bits & 31);
    }
};
// Mostly small bytes.
struct SkewedByte {
    Random random;
    __host__ __device__ uint8_t operator()(const uint64_t index) const
    {
        const uint64_t bits = random(index);
        return static_cast<uint8_t>(bits >> 56 >> (bits & 7));
    }
};
struct Few {
    Random random;
    __host__ __device__ uint32_t operator()(const uint64_t index) const { return random(index) & 15; }
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
// Numbers below a limit.
struct Below {
    Random random;
    uint64_t limit;
    __host__ __device__ uint32_t operator()(const uint64_t index) const { return (random(index) >> 32) * limit >> 32; }
};
struct Odd {
    __host__ __device__ bool operator()(const uint32_t x) const { return x & 1; }
};
struct Small {
    __host__ __device__ int64_t operator()(const float x) const { return x < 0.25f; }
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

template <typename T, typename Make = Value<T>> static Vector<T> values(const size_t n)
{
    auto x = room<T>(n);
    thrust::transform(thrust::counting_iterator<uint64_t>(0), thrust::counting_iterator<uint64_t>(n), x->begin(),
                      Make { fresh() });
    return x;
}

// These are templates so that only the programs that call them compile them.
template <typename T = uint32_t> static Vector<T> ascending(const size_t n)
{
    auto x = values<T>(n);
    thrust::sort(x->begin(), x->end());
    return x;
}

// Numbers that grow by one where a run begins.
template <typename T = uint32_t> static Vector<T> runs(const size_t n, const uint64_t length)
{
    auto x = room<T>(n);
    thrust::transform(thrust::counting_iterator<uint64_t>(0), thrust::counting_iterator<uint64_t>(n), x->begin(),
                      Begins { fresh(), length });
    thrust::inclusive_scan(x->begin(), x->end(), x->begin());
    return x;
}

template <typename T> static T *at(const Vector<T> &x)
{
    return thrust::raw_pointer_cast(x->data());
}
