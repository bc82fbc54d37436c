// Measures merges, searches, set operations and operations on segments of CUB and Thrust for the cases of the
// benchmark, under the same case names. `harness.h` describes the arguments.

#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#endif

#include "cub.h"

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
                       in_parts(count, [&](const size_t begin, const size_t end) {
                           for (size_t k = begin; k < end; ++k)
                               std::sort(expected.begin() + host[k], expected.begin() + host[k + 1]);
                       });
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
                       std::partial_sort(expected.begin(), expected.begin() + k, expected.end(), std::greater<float>());
                       std::sort(found.begin(), found.end(), std::greater<float>());
                       return std::equal(found.begin(), found.end(), expected.begin());
                   });
}
#endif

static std::vector<Case> cases()
{
    return {
        { "merge of two halves", "u32", 4, merge },
        { "merge sort of random numbers", "u32", 4, merge_sort },
        { "lower bounds, random needles", "u32", 4, lower_bounds },
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
