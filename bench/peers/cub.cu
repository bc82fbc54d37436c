// Measures reductions, scans and selections of CUB and Thrust for the cases of the benchmark, under the same case
// names. `harness.h` describes the arguments.

#include <cub/cub.cuh>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include "cub.h"

template <typename T> static Work sum(const size_t n)
{
    auto x = values<T>(n), out = room<T>(1);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceReduce::Sum(own, bytes, at(x), at(out), Length(n)); }),
        [=] { return is_sum(to_host(out)[0], to_host(x)); });
}

template <typename T> static Work scan(const size_t n)
{
    auto x = values<T>(n), out = room<T>(n);
    return checked(
        step([=](void *own, size_t &bytes) { return cub::DeviceScan::InclusiveSum(own, bytes, at(x), at(out), Length(n)); }),
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

static Work unique(const size_t n, const uint64_t length)
{
    auto x = runs(n, length), out = room<uint32_t>(n);
    auto count = room<uint64_t>(1);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceSelect::Unique(own, bytes, at(x), at(out), at(count), Length(n));
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
                                                             cuda::std::plus<>(), Length(n));
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

static Vector<uint8_t> equal_bytes(const size_t n)
{
    auto x = room<uint8_t>(n);
    check(cudaMemset(at(x), fresh()(0) & 255, n));
    return x;
}

static Work histogram(const Vector<uint8_t> &x)
{
    const size_t n = x->size();
    auto counts = room<int>(256);
    return checked(step([=](void *own, size_t &bytes) {
                       return cub::DeviceHistogram::HistogramEven(own, bytes, at(x), at(counts), 257, 0, 256,
                                                                  Length(n));
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
                       return cub::DeviceScan::InclusiveSumByKey(own, bytes, at(keys), at(x), at(out), Length(n));
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
                       return cub::DeviceSelect::If(own, bytes, at(x), at(out), at(count), Length(n), Odd());
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
                       return cub::DevicePartition::If(own, bytes, at(x), at(out), at(count), Length(n), Odd());
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
        step([=](void *own, size_t &bytes) { return cub::DeviceReduce::Max(own, bytes, at(x), at(out), Length(n)); }),
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
                       return cub::DeviceReduce::ArgMax(own, bytes, at(x), at(out), at(place), Length(n));
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
        return cub::DeviceReduce::TransformReduce(own, bytes, at(x), at(out), Length(n),
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
        { "histogram, 256 bins", "u8", 1, [](size_t n) { return histogram(values<uint8_t>(n)); } },
        { "histogram, 256 bins, all in one", "u8", 1, [](size_t n) { return histogram(equal_bytes(n)); } },
        { "histogram, 256 bins, mostly small", "u8", 1, [](size_t n) { return histogram(values<uint8_t, SkewedByte>(n)); } },
    };
}

int main(const int argc, char **argv)
{
    return run_on_cuda(cases(), argc, argv);
}
