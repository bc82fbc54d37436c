// Measures radix sorts of CUB for the cases of the benchmark, under the same case names. `harness.h` describes the
// arguments.

#include <cub/cub.cuh>

#include "cub.h"

template <typename T> static Work sort_of(const Vector<T> &x)
{
    const size_t n = x->size();
    auto out = room<T>(n);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(own, bytes, at(x), at(out), Length(n)); }),
        [=] { return is_sorted_from(to_host(out), to_host(x)); });
}

template <typename T> static Work sort(const size_t n)
{
    return sort_of(values<T>(n));
}

// The values equal the keys, which shows whether they moved together.
static Work sort_by_key(const Vector<uint32_t> &x)
{
    const size_t n = x->size();
    auto keys = room<uint32_t>(n), out = room<uint32_t>(n);
    auto y = std::make_shared<thrust::device_vector<uint32_t>>(*x);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceRadixSort::SortPairs(own, bytes, at(x), at(keys), at(y), at(out), Length(n));
                   }),
                   [=] {
                       const auto found = to_host(keys);
                       return found == to_host(out) && is_sorted_from(found, to_host(x));
                   });
}

static std::vector<Case> cases()
{
    return {
        { "sort", "u32", 4, sort<uint32_t> },
        { "sort", "f32", 4, sort<float> },
        { "sort", "u64", 8, sort<uint64_t> },
        { "sort", "u8", 1, sort<uint8_t> },
        { "sort", "u16", 2, sort<uint16_t> },
        { "sort", "i32", 4, sort<int32_t> },
        { "sort", "f64", 8, sort<double> },
        { "sort, 10000019 elements", "u32", 4, sort<uint32_t>, 10000019 },
        { "sort, already sorted", "u32", 4, [](size_t n) { return sort_of(ascending(n)); } },
        { "sort, 16 values", "u32", 4, [](size_t n) { return sort_of(values<uint32_t, Few>(n)); } },
        { "sort, mostly small", "u32", 4, [](size_t n) { return sort_of(values<uint32_t, Skewed>(n)); } },
        { "sort_by_key, one vector of u32", "u32", 4, [](size_t n) { return sort_by_key(values<uint32_t>(n)); } },
        { "sort_by_key, already sorted", "u32", 4, [](size_t n) { return sort_by_key(ascending(n)); } },
        { "sort_by_key, mostly small", "u32", 4, [](size_t n) { return sort_by_key(values<uint32_t, Skewed>(n)); } },
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
