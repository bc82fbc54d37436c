// Measures CUB and Thrust for the cases of the benchmark, under the same case names. `harness.h` describes the
// arguments.

#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstring>
#include <numeric>

#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#endif

#include "device_data.h"

// A call of CUB. The first call asks for the size of CUB's work memory, and the step repeats the second.
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

template <typename T> static std::vector<T> to_host(const Vector<T> &x)
{
    return copied(at(x), x->size());
}

// A step whose result is verified after its first evaluation.
template <typename IsRight> static Work checked(const Step step, const IsRight is_right)
{
    step();
    check(cudaDeviceSynchronize());
    if (verifies())
        expect(is_right());
    return Work(step);
}

// Returns a value that is the same for the same numbers in any order.
template <typename T> static uint64_t fingerprint(const std::vector<T> &x)
{
    uint64_t sum = 0;
    for (const T value : x) {
        uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        sum += Random { bits }(0);
    }
    return sum;
}

// Returns whether a sum is exact except for a few roundings.
static bool is_near(const double found, const double exact, const double roundoff)
{
    return std::abs(found - exact) <= roundoff * std::abs(exact);
}

template <typename T> static bool is_sum(const T found, const std::vector<T> &x)
{
    if (std::is_integral<T>::value)
        return found == std::accumulate(x.begin(), x.end(), T(0));
    return is_near(found, std::accumulate(x.begin(), x.end(), 0.0L), sizeof(T) == 4 ? 1e-5 : 1e-12);
}

template <typename T> static Work sum(const size_t n)
{
    auto x = values<T>(n), out = room<T>(1);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceReduce::Sum(own, bytes, at(x), at(out), n); }),
        [=] { return is_sum(to_host(out)[0], to_host(x)); });
}

template <typename T> static Work scan(const size_t n)
{
    auto x = values<T>(n), out = room<T>(n);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceScan::InclusiveSum(own, bytes, at(x), at(out), n); }),
        [=] {
            const auto given = to_host(x), found = to_host(out);
            T exact = 0;
            double sum = 0;
            for (size_t i = 0; i < n; ++i) {
                exact += given[i];
                sum += given[i];
                if (std::is_integral<T>::value ? found[i] != exact : !is_near(found[i], sum, 1e-5))
                    return false;
            }
            return true;
        });
}

template <typename T> static bool is_sorted_from(const std::vector<T> &found, const std::vector<T> &given)
{
    return std::is_sorted(found.begin(), found.end()) && fingerprint(found) == fingerprint(given);
}

template <typename T> static Work sort_of(const Vector<T> &x)
{
    const size_t n = x->size();
    auto out = room<T>(n);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(own, bytes, at(x), at(out), n); }),
        [=] { return is_sorted_from(to_host(out), to_host(x)); });
}

template <typename T> static Work sort(const size_t n)
{
    return sort_of(values<T>(n));
}

static Work unique(const size_t n, const uint64_t length)
{
    auto x = runs(n, length), out = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceSelect::Unique(own, bytes, at(x), at(out), at(count), n);
                   }),
                   [=] {
                       auto expected = to_host(x);
                       expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
                       return to_host(count)[0] == expected.size() && copied(at(out), expected.size()) == expected;
                   });
}

static Work reduce_by_key(const size_t n, const uint64_t length)
{
    auto keys = runs(n, length), x = values<uint32_t>(n), out = room<uint32_t>(n), sums = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceReduce::ReduceByKey(own, bytes, at(keys), at(out), at(x), at(sums), at(count),
                                                             cuda::std::plus<>(), n);
                   }),
                   [=] {
                       const auto key = to_host(keys), value = to_host(x);
                       std::vector<uint32_t> expected;
                       for (size_t i = 0; i < n; ++i)
                           if (i == 0 || key[i] != key[i - 1])
                               expected.push_back(value[i]);
                           else
                               expected.back() += value[i];
                       return to_host(count)[0] == expected.size() && copied(at(sums), expected.size()) == expected;
                   });
}

static Work histogram(const size_t n, const bool all_in_one)
{
    auto x = room<uint8_t>(n);
    if (all_in_one)
        check(cudaMemset(at(x), fresh()(0) & 255, n));
    else
        x = values<uint8_t>(n);
    auto counts = room<int>(256);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceHistogram::HistogramEven(own, bytes, at(x), at(counts), 257, 0, 256,
                                                                  static_cast<int64_t>(n));
                   }),
                   [=] {
                       std::vector<int> expected(256);
                       for (const uint8_t value : to_host(x))
                           ++expected[value];
                       return to_host(counts) == expected;
                   });
}

static Work saxpy(const size_t n, const float a, const bool in_place)
{
    auto x = values<float>(n), y = values<float>(n), z = in_place ? y : room<float>(n);
    const auto host_x = verifies() ? to_host(x) : std::vector<float>(), host_y = verifies() ? to_host(y) : host_x;
    return checked(
        [=] { thrust::transform(thrust::cuda::par_nosync, x->begin(), x->end(), y->begin(), z->begin(), Saxpy { a }); },
        [=] {
            const auto found = to_host(z);
            for (size_t i = 0; i < n; ++i)
                if (!is_near(found[i], double(a) * host_x[i] + host_y[i], 3e-7))
                    return false;
            return true;
        });
}

static Work copy(const size_t n)
{
    auto x = values<float>(n), y = room<float>(n);
    return checked([=] { check(cudaMemcpyAsync(at(y), at(x), 4 * n, cudaMemcpyDeviceToDevice)); },
                   [=] { return to_host(y) == to_host(x); });
}

static Work scan_by_key(const size_t n)
{
    auto keys = runs(n, 4), x = values<uint32_t>(n), out = room<uint32_t>(n);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceScan::InclusiveSumByKey(own, bytes, at(keys), at(x), at(out), n);
                   }),
                   [=] {
                       const auto key = to_host(keys);
                       auto expected = to_host(x);
                       for (size_t i = 1; i < n; ++i)
                           expected[i] += key[i] == key[i - 1] ? expected[i - 1] : 0;
                       return to_host(out) == expected;
                   });
}

static Work copy_if(const size_t n)
{
    auto x = values<uint32_t>(n), out = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceSelect::If(own, bytes, at(x), at(out), at(count), n, Odd());
                   }),
                   [=] {
                       std::vector<uint32_t> expected;
                       const auto given = to_host(x);
                       std::copy_if(given.begin(), given.end(), std::back_inserter(expected), Odd());
                       return to_host(count)[0] == expected.size() && copied(at(out), expected.size()) == expected;
                   });
}

// One output: the selected items from its beginning, all others backwards from its end.
static Work partition(const size_t n)
{
    auto x = values<uint32_t>(n), out = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DevicePartition::If(own, bytes, at(x), at(out), at(count), n, Odd());
                   }),
                   [=] {
                       auto expected = to_host(x);
                       const auto middle = std::stable_partition(expected.begin(), expected.end(), Odd());
                       std::reverse(middle, expected.end());
                       return to_host(out) == expected;
                   });
}

static Work maximum(const size_t n)
{
    auto x = values<float>(n), out = room<float>(1);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceReduce::Max(own, bytes, at(x), at(out), n); }),
        [=] {
            const auto host = to_host(x);
            return to_host(out)[0] == *std::max_element(host.begin(), host.end());
        });
}

static Work max_element(const size_t n)
{
    auto x = values<float>(n), out = room<float>(1);
    auto place = room<int64_t>(1);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceReduce::ArgMax(own, bytes, at(x), at(out), at(place), static_cast<int64_t>(n));
                   }),
                   [=] {
                       const auto host = to_host(x);
                       return to_host(place)[0] == std::max_element(host.begin(), host.end()) - host.begin();
                   });
}

// The count is copied to the host, as ours is; its memory is allocated before.
static Work count_if(const size_t n)
{
    auto x = values<float>(n);
    auto out = room<int64_t>(1);
    auto count = std::make_shared<int64_t>(-1);
    const Step reduce = step([=](void *own, size_t &bytes) {
        return cub::DeviceReduce::TransformReduce(own, bytes, at(x), at(out), static_cast<int64_t>(n),
                                                  cuda::std::plus<>(), Small(), int64_t(0));
    });
    return checked(
        [=] {
            reduce();
            check(cudaMemcpy(count.get(), at(out), sizeof *count, cudaMemcpyDeviceToHost));
        },
        [=] {
            const auto host = to_host(x);
            return *count == std::count_if(host.begin(), host.end(), Small());
        });
}

static Work merge(const size_t n)
{
    auto a = ascending(n / 2), b = ascending(n - n / 2), out = room<uint32_t>(n);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceMerge::MergeKeys(own, bytes, at(a), static_cast<int64_t>(n / 2), at(b),
                                                          static_cast<int64_t>(n - n / 2), at(out), Less());
                   }),
                   [=] {
                       auto both = to_host(a);
                       const auto more = to_host(b);
                       both.insert(both.end(), more.begin(), more.end());
                       return is_sorted_from(to_host(out), both);
                   });
}

static Work merge_sort(const size_t n)
{
    auto x = values<uint32_t>(n), out = room<uint32_t>(n);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceMergeSort::SortKeysCopy(own, bytes, at(x), at(out), static_cast<int64_t>(n),
                                                                 Less());
                   }),
                   [=] { return is_sorted_from(to_host(out), to_host(x)); });
}

static Work lower_bounds(const size_t n)
{
    auto x = ascending(n), needles = values<uint32_t>(n), out = room<uint32_t>(n);
    return checked(
        [=] {
            thrust::lower_bound(thrust::cuda::par_nosync, x->begin(), x->end(), needles->begin(), needles->end(),
                                out->begin());
        },
        [=] {
            const auto sorted = to_host(x), needle = to_host(needles), found = to_host(out);
            for (size_t i = 0; i < n; ++i)
                if (found[i] > n || (found[i] > 0 && sorted[found[i] - 1] >= needle[i])
                    || (found[i] < n && sorted[found[i]] < needle[i]))
                    return false;
            return true;
        });
}

// The values equal the keys, which shows whether they moved together.
static Work sort_by_key(const size_t n)
{
    auto x = values<uint32_t>(n), keys = room<uint32_t>(n), out = room<uint32_t>(n);
    auto y = std::make_shared<thrust::device_vector<uint32_t>>(*x);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceRadixSort::SortPairs(own, bytes, at(x), at(keys), at(y), at(out), n);
                   }),
                   [=] {
                       const auto found = to_host(keys);
                       return found == to_host(out) && is_sorted_from(found, to_host(x));
                   });
}

// Two sorted sequences of n elements in all, whose values are random numbers below n, as ours.
static std::pair<Vector<uint32_t>, Vector<uint32_t>> sequences(const size_t n)
{
    const auto of = [=](const size_t count) {
        auto x = room<uint32_t>(count);
        thrust::transform(thrust::counting_iterator<uint64_t>(0), thrust::counting_iterator<uint64_t>(count), x->begin(),
                          Below { fresh(), n });
        thrust::sort(x->begin(), x->end());
        return x;
    };
    return { of(n / 2), of(n - n / 2) };
}

// Thrust returns the end of the result, so a call waits for the device.
static Work set_union(const size_t n)
{
    const auto both = sequences(n);
    const auto a = both.first, b = both.second;
    auto out = room<uint32_t>(n);
    auto count = std::make_shared<size_t>(0);
    return checked(
        [=] { *count = thrust::set_union(a->begin(), a->end(), b->begin(), b->end(), out->begin()) - out->begin(); },
        [=] {
            const auto first = to_host(a), second = to_host(b);
            std::vector<uint32_t> expected;
            std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(expected));
            return *count == expected.size() && copied(at(out), expected.size()) == expected;
        });
}

static Work set_intersection(const size_t n)
{
    const auto both = sequences(n);
    const auto a = both.first, b = both.second;
    auto out = room<uint32_t>(n);
    auto count = std::make_shared<size_t>(0);
    return checked(
        [=] {
            *count = thrust::set_intersection(a->begin(), a->end(), b->begin(), b->end(), out->begin()) - out->begin();
        },
        [=] {
            const auto first = to_host(a), second = to_host(b);
            std::vector<uint32_t> expected;
            std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(expected));
            return *count == expected.size() && copied(at(out), expected.size()) == expected;
        });
}

// The first items of segments with random lengths from 1 to 2 * mean - 1, and the number of all items. `one_long` puts a
// segment with half of all items between them.
static std::vector<uint32_t> segments(const size_t n, const size_t mean, const bool one_long = false)
{
    const size_t in_short = one_long ? n - n / 2 : n;
    std::vector<size_t> lengths;
    for (size_t left = in_short; left > 0; left -= lengths.back())
        lengths.push_back(std::min<size_t>(1 + random_bits() % (2 * mean - 1), left));
    if (one_long)
        lengths.insert(lengths.begin() + lengths.size() / 2, n / 2);
    std::vector<uint32_t> offsets { 0 };
    for (const size_t length : lengths)
        offsets.push_back(offsets.back() + length);
    return offsets;
}

static Work segment_sums(const size_t n, const size_t mean, const bool one_long = false)
{
    const auto host = segments(n, mean, one_long);
    const auto count = static_cast<int64_t>(host.size() - 1);
    auto offsets = std::make_shared<thrust::device_vector<uint32_t>>(host.begin(), host.end());
    auto x = values<uint32_t>(n), out = room<uint32_t>(count);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceSegmentedReduce::Sum(own, bytes, at(x), at(out), count, at(offsets),
                                                              at(offsets) + 1);
                   }),
                   [=] {
                       const auto given = to_host(x), found = to_host(out);
                       for (int64_t k = 0; k < count; ++k)
                           if (found[k] != std::accumulate(given.begin() + host[k], given.begin() + host[k + 1], 0u))
                               return false;
                       return true;
                   });
}

// Sorts into other memory, so that nothing has to be restored.
static Work segment_sorts(const size_t n, const size_t mean)
{
    const auto host = segments(n, mean);
    const auto count = static_cast<int64_t>(host.size() - 1);
    auto offsets = std::make_shared<thrust::device_vector<uint32_t>>(host.begin(), host.end());
    auto x = values<uint32_t>(n), out = room<uint32_t>(n);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceSegmentedSort::SortKeys(own, bytes, at(x), at(out), static_cast<int64_t>(n), count,
                                                                 at(offsets), at(offsets) + 1);
                   }),
                   [=] {
                       auto expected = to_host(x);
                       for (int64_t k = 0; k < count; ++k)
                           std::sort(expected.begin() + host[k], expected.begin() + host[k + 1]);
                       return to_host(out) == expected;
                   });
}

#if __has_include(<cub/device/device_topk.cuh>)
// In any order, where ours sorts the largest ones.
static Work top_100(const size_t n)
{
    const size_t k = std::min<size_t>(n, 100);
    auto x = values<float>(n), out = room<float>(k);
    return checked(step([=](void *own, size_t &bytes) {
                       const auto requirements = cuda::execution::require(
                           cuda::execution::determinism::not_guaranteed, cuda::execution::output_ordering::unsorted);
                       return cub::DeviceTopK::MaxKeys(own, bytes, at(x), at(out), n, k, requirements);
                   }),
                   [=] {
                       auto expected = to_host(x), found = to_host(out);
                       std::sort(expected.begin(), expected.end(), std::greater<float>());
                       std::sort(found.begin(), found.end(), std::greater<float>());
                       return std::equal(found.begin(), found.end(), expected.begin());
                   });
}
#endif

static std::vector<Case> cases()
{
    return {
        { "copy (clEnqueueCopyBuffer)", "f32", 4, copy },
        { "saxpy z = a x + y", "f32", 4, [](size_t n) { return saxpy(n, 2.5f, false); } },
        { "saxpy y = a x + y, in place", "f32", 4, [](size_t n) { return saxpy(n, 0.5f, true); } },
        { "sum", "f32", 4, sum<float> },
        { "sum", "u32", 4, sum<uint32_t> },
        { "sum", "f64", 8, sum<double> },
        { "inclusive scan", "u32", 4, scan<uint32_t> },
        { "inclusive scan, 10000019 elements", "u32", 4, scan<uint32_t>, 10000019 },
        { "inclusive scan", "f32", 4, scan<float> },
        { "inclusive scan", "u64", 8, scan<uint64_t> },
        { "scan by key, runs of 4", "u32", 4, scan_by_key },
        { "reduce_by_key, runs of 4", "u32", 4, [](size_t n) { return reduce_by_key(n, 4); } },
        { "reduce_by_key, runs of 1000", "u32", 4, [](size_t n) { return reduce_by_key(n, 1000); } },
        { "copy_if, half kept", "u32", 4, copy_if },
        { "partition_copy, half", "u32", 4, partition },
        { "unique, runs of 4", "u32", 4, [](size_t n) { return unique(n, 4); } },
        { "unique, runs of 1000", "u32", 4, [](size_t n) { return unique(n, 1000); } },
        { "maximum", "f32", 4, maximum },
        { "max_element", "f32", 4, max_element },
        { "count_if", "f32", 4, count_if },
        { "merge of two halves", "u32", 4, merge },
        { "merge sort of random numbers", "u32", 4, merge_sort },
        { "lower bounds, random needles", "u32", 4, lower_bounds },
        { "histogram, 256 bins", "u8", 1, [](size_t n) { return histogram(n, false); } },
        { "histogram, 256 bins, all in one", "u8", 1, [](size_t n) { return histogram(n, true); } },
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
        { "sort_by_key, one vector of u32", "u32", 4, sort_by_key },
        { "set: union of two halves", "u32", 4, set_union },
        { "set: intersection of two halves", "u32", 4, set_intersection },
        { "segment: sums, of 4 items", "u32", 4, [](size_t n) { return segment_sums(n, 4); } },
        { "segment: sums, of 100 items", "u32", 4, [](size_t n) { return segment_sums(n, 100); } },
        { "segment: sums, of 100000 items", "u32", 4, [](size_t n) { return segment_sums(n, 100000); } },
        { "segment: sums, of 4 items and half of all", "u32", 4, [](size_t n) { return segment_sums(n, 4, true); } },
        { "segment: sorts, of 4 items", "u32", 4, [](size_t n) { return segment_sorts(n, 4); } },
        { "segment: sorts, of 100 items", "u32", 4, [](size_t n) { return segment_sorts(n, 100); } },
        { "segment: sorts, of 100000 items", "u32", 4, [](size_t n) { return segment_sorts(n, 100000); } },
#if __has_include(<cub/device/device_topk.cuh>)
        { "select: top 100", "f32", 4, top_100 },
#endif
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
