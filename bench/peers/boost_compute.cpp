// Measures Boost.Compute for the cases of the benchmark, on the same device and under the same case names.
// `harness.h` describes the arguments.

#include <array>
#include <memory>
#include <numeric>

#include "opencl.h"

#define BOOST_DISABLE_ASSERTS
#include <boost/compute.hpp>
// The header of all algorithms does not include this one.
#include <boost/compute/algorithm/stable_sort_by_key.hpp>

namespace compute = boost::compute;
using compute::uint_;
using compute::lambda::_1;
using compute::lambda::_2;

template <typename T> using Vector = std::shared_ptr<compute::vector<T>>;

static compute::command_queue queue;

template <typename T> static Vector<T> room(const size_t n)
{
    return std::make_shared<compute::vector<T>>(n, queue.get_context());
}

template <typename T> static Vector<T> on_device(const std::vector<T> &host)
{
    auto x = room<T>(host.size());
    compute::copy(host.begin(), host.end(), x->begin(), queue);
    return x;
}

template <typename T> static std::vector<T> to_host(const Vector<T> &x, const size_t count)
{
    std::vector<T> host(count);
    compute::copy_n(x->begin(), count, host.begin(), queue);
    return host;
}

// A step that fills a vector. The first evaluation must give the expected elements at the beginning of `out`.
template <typename T> static Work into(const Vector<T> &out, const std::vector<T> &expected, const Step step)
{
    step();
    expect(to_host(out, expected.size()) == expected);
    return Work(step);
}

// Numbers that grow by one where a run begins.
static std::vector<uint_> runs(const size_t n, const uint64_t length)
{
    std::vector<uint_> x(n);
    uint_ run = 0;
    for (uint_ &value : x)
        value = run += random_bits() % length == 0;
    return x;
}

static Work copy(const size_t n)
{
    const auto host = floats<float>(n);
    auto x = on_device(host), y = room<float>(n);
    return into(y, host, [=] { compute::copy(x->begin(), x->end(), y->begin(), queue); });
}

// Random integers; every bit is random.
template <typename T> static std::vector<T> bits(const size_t n)
{
    std::vector<T> x(n);
    for (T &value : x)
        value = static_cast<T>(random_bits());
    return x;
}

static Work saxpy(const size_t n)
{
    const float a = 1.5f;
    const auto host_x = floats<float>(n), host_y = floats<float>(n);
    auto x = on_device(host_x), y = on_device(host_y), z = room<float>(n);
    const Step step = [=] { compute::transform(x->begin(), x->end(), y->begin(), z->begin(), a * _1 + _2, queue); };
    step();
    // The device may round a multiply-add once or twice.
    const auto found = to_host(z, n);
    for (size_t i = 0; i < n; ++i)
        expect(std::abs(found[i] - (a * host_x[i] + host_y[i])) <= 2e-7f * found[i]);
    return Work(step);
}

// A step that sums up numbers. It is first verified with `countable`, whose sum is exact.
template <typename T> static Work sum(const std::vector<T> &countable, const std::vector<T> &numbers)
{
    auto x = on_device(countable), out = room<T>(1);
    const Work work = into(out, { std::accumulate(countable.begin(), countable.end(), T(0)) },
                           [=] { compute::reduce(x->begin(), x->end(), out->begin(), compute::plus<T>(), queue); });
    compute::copy(numbers.begin(), numbers.end(), x->begin(), queue);
    return work;
}

static Work dot(const size_t n)
{
    const auto host_x = countable<float>(n), host_y = countable<float>(n);
    auto x = on_device(host_x), y = on_device(host_y);
    const auto product = [=] { return compute::inner_product(x->begin(), x->end(), y->begin(), 0.0f, queue); };
    expect(product() == std::inner_product(host_x.begin(), host_x.end(), host_y.begin(), 0.0f));
    for (const auto &vector : { x, y }) {
        const auto numbers = floats<float>(n);
        compute::copy(numbers.begin(), numbers.end(), vector->begin(), queue);
    }
    return Work([=] { product(); });
}

static Work maximum(const size_t n)
{
    const auto host = floats<float>(n);
    auto x = on_device(host), out = room<float>(1);
    return into(out, { *std::max_element(host.begin(), host.end()) },
                [=] { compute::reduce(x->begin(), x->end(), out->begin(), compute::max<float>(), queue); });
}

static Work max_element(const size_t n)
{
    const auto host = floats<float>(n);
    auto x = on_device(host);
    const auto search = [=] { return compute::max_element(x->begin(), x->end(), queue) - x->begin(); };
    const size_t found = search();
    expect(found < n && host[found] == *std::max_element(host.begin(), host.end()));
    return Work([=] { search(); });
}

static Work count_if(const size_t n)
{
    const auto host = floats<float>(n);
    auto x = on_device(host);
    const auto count = [=] { return compute::count_if(x->begin(), x->end(), _1 < 0.25f, queue); };
    expect(count() == size_t(std::count_if(host.begin(), host.end(), [](const float x) { return x < 0.25f; })));
    return Work([=] { count(); });
}

static Work find_nothing(const size_t n)
{
    auto x = on_device(floats<float>(n));
    const auto search = [=] { return compute::find(x->begin(), x->end(), 2.0f, queue) == x->end(); };
    expect(search());
    return Work([=] { search(); });
}

template <typename T> static Work scan(const std::vector<T> &host)
{
    std::vector<T> expected(host.size());
    std::partial_sum(host.begin(), host.end(), expected.begin());
    auto x = on_device(host), out = room<T>(host.size());
    return into(out, expected, [=] { compute::inclusive_scan(x->begin(), x->end(), out->begin(), queue); });
}

static bool is_odd(const uint_ x)
{
    return (x & 1) == 1;
}

static Work copy_if(const size_t n)
{
    const auto host = integers(n);
    std::vector<uint_> expected;
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), is_odd);
    auto x = on_device(host), out = room<uint_>(n);
    return into(out, expected,
                [=] { compute::copy_if(x->begin(), x->end(), out->begin(), (_1 & 1) == 1, queue); });
}

static Work partition_copy(const size_t n)
{
    const auto host = integers(n);
    std::vector<uint_> odd, even;
    std::partition_copy(host.begin(), host.end(), std::back_inserter(odd), std::back_inserter(even), is_odd);
    auto x = on_device(host), out = room<uint_>(n), rest = room<uint_>(n);
    const Work work = into(out, odd, [=] {
        compute::partition_copy(x->begin(), x->end(), out->begin(), rest->begin(), (_1 & 1) == 1, queue);
    });
    expect(to_host(rest, even.size()) == even);
    return work;
}

static Work unique(const size_t n, const uint64_t length)
{
    const auto host = runs(n, length);
    std::vector<uint_> expected;
    std::unique_copy(host.begin(), host.end(), std::back_inserter(expected));
    auto x = on_device(host), out = room<uint_>(n);
    return into(out, expected, [=] { compute::unique_copy(x->begin(), x->end(), out->begin(), queue); });
}

static Work reduce_by_key(const size_t n, const uint64_t length)
{
    const auto host_keys = runs(n, length), host = integers(n);
    std::vector<uint_> expected;
    for (size_t i = 0; i < n; ++i)
        if (i == 0 || host_keys[i] != host_keys[i - 1])
            expected.push_back(host[i]);
        else
            expected.back() += host[i];
    auto keys = on_device(host_keys), x = on_device(host), out = room<uint_>(n), sums = room<uint_>(n);
    return into(sums, expected, [=] {
        compute::reduce_by_key(keys->begin(), keys->end(), x->begin(), out->begin(), sums->begin(), compute::plus<uint_>(),
                               queue);
    });
}

static Work merge(const size_t n)
{
    auto host = integers(n);
    const auto middle = host.begin() + n / 2;
    std::sort(host.begin(), middle);
    std::sort(middle, host.end());
    auto a = on_device(std::vector<uint_>(host.begin(), middle)), b = on_device(std::vector<uint_>(middle, host.end()));
    auto out = room<uint_>(n);
    std::sort(host.begin(), host.end());
    return into(out, host,
                [=] { compute::merge(a->begin(), a->end(), b->begin(), b->end(), out->begin(), queue); });
}

// Two sorted sequences of `n` numbers below `n` in all, for set operations.
static std::array<std::vector<uint_>, 2> sequences(const size_t n)
{
    const auto host = integers(n);
    std::array<std::vector<uint_>, 2> both = { std::vector<uint_>(host.begin(), host.begin() + n / 2),
                                               std::vector<uint_>(host.begin() + n / 2, host.end()) };
    for (auto &one : both) {
        for (uint_ &value : one)
            value = static_cast<uint_>(static_cast<uint64_t>(value) * n >> 32);
        std::sort(one.begin(), one.end());
    }
    return both;
}

static Work set_union(const size_t n)
{
    const auto host = sequences(n);
    std::vector<uint_> expected;
    std::set_union(host[0].begin(), host[0].end(), host[1].begin(), host[1].end(), std::back_inserter(expected));
    auto a = on_device(host[0]), b = on_device(host[1]), out = room<uint_>(n);
    return into(out, expected,
                [=] { compute::set_union(a->begin(), a->end(), b->begin(), b->end(), out->begin(), queue); });
}

static Work set_intersection(const size_t n)
{
    const auto host = sequences(n);
    std::vector<uint_> expected;
    std::set_intersection(host[0].begin(), host[0].end(), host[1].begin(), host[1].end(),
                          std::back_inserter(expected));
    auto a = on_device(host[0]), b = on_device(host[1]), out = room<uint_>(n);
    return into(out, expected, [=] {
        compute::set_intersection(a->begin(), a->end(), b->begin(), b->end(), out->begin(), queue);
    });
}

// A step that sorts `x`. `unsorted` restores `x` before each evaluation.
template <typename T> static Work sorted(const Vector<T> &x, std::vector<T> host, const Step step)
{
    auto unsorted = on_device(host);
    const Step restore = [=] { compute::copy(unsorted->begin(), unsorted->end(), x->begin(), queue); };
    restore();
    std::sort(host.begin(), host.end());
    into(x, host, step);
    return Work(step, restore);
}

template <typename T> static Work sort(const std::vector<T> &host)
{
    auto x = room<T>(host.size());
    return sorted(x, host, [=] { compute::sort(x->begin(), x->end(), queue); });
}

// The values equal the keys, which shows whether they moved together.
static Work sort_by_key(const size_t n)
{
    const auto host = integers(n);
    auto keys = room<uint_>(n), values = on_device(host);
    const Work work =
        sorted(keys, host, [=] { compute::sort_by_key(keys->begin(), keys->end(), values->begin(), queue); });
    expect(to_host(values, n) == to_host(keys, n));
    return work;
}

static std::vector<Case> cases(const Place &place)
{
    queue = compute::command_queue(place.queue);
    return {
        { "copy (clEnqueueCopyBuffer)", "f32", 4, copy },
        { "saxpy z = a x + y", "f32", 4, saxpy },
        { "sum", "f32", 4, [](size_t n) { return sum(countable<float>(n), floats<float>(n)); } },
        { "sum", "u32", 4,
          [](size_t n) {
              const auto numbers = integers(n);
              return sum(numbers, numbers);
          } },
        { "dot product", "f32", 4, dot },
        { "maximum", "f32", 4, maximum },
        { "max_element", "f32", 4, max_element },
        { "count_if", "f32", 4, count_if },
        { "find what is not there", "f32", 4, find_nothing },
        { "inclusive scan", "u32", 4, [](size_t n) { return scan(integers(n)); } },
        { "inclusive scan", "f32", 4, [](size_t n) { return scan(countable<float>(n)); } },
        { "copy_if, half kept", "u32", 4, copy_if },
        { "partition_copy, half", "u32", 4, partition_copy },
        { "unique, runs of 4", "u32", 4, [](size_t n) { return unique(n, 4); } },
        { "unique, runs of 1000", "u32", 4, [](size_t n) { return unique(n, 1000); } },
        { "reduce_by_key, runs of 4", "u32", 4, [](size_t n) { return reduce_by_key(n, 4); } },
        { "reduce_by_key, runs of 1000", "u32", 4, [](size_t n) { return reduce_by_key(n, 1000); } },
        { "merge of two halves", "u32", 4, merge },
        { "set: union of two halves", "u32", 4, set_union },
        { "set: intersection of two halves", "u32", 4, set_intersection },
        { "sort", "u32", 4, [](size_t n) { return sort(integers(n)); } },
        { "sort", "f32", 4, [](size_t n) { return sort(floats<float>(n)); } },
        { "sort", "u64", 8, [](size_t n) { return sort(bits<compute::ulong_>(n)); } },
        { "sort", "i32", 4, [](size_t n) { return sort(bits<compute::int_>(n)); } },
        { "sort", "f64", 8, [](size_t n) { return sort(floats<double>(n)); } },
        { "sort, 10000019 elements", "u32", 4, [](size_t n) { return sort(integers(n)); }, 10000019 },
        { "sort, 16 values", "u32", 4,
          [](size_t n) {
              auto few = integers(n);
              for (uint_ &value : few)
                  value &= 15;
              return sort(few);
          } },
        { "inclusive scan, 10000019 elements", "u32", 4, [](size_t n) { return scan(integers(n)); }, 10000019 },
        { "sort_by_key, one vector of u32", "u32", 4, sort_by_key },
    };
}

int main(const int argc, char **argv)
{
    return run_on_opencl(argc, argv, cases);
}
