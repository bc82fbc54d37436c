// Boost.Compute's times for the cases of the benchmark, on the same device, under the names that these have there;
// `harness.h` says with which arguments.

#define CL_TARGET_OPENCL_VERSION 120
#define BOOST_DISABLE_ASSERTS
#include <boost/compute.hpp>
// What the header of all algorithms leaves out.
#include <boost/compute/algorithm/stable_sort_by_key.hpp>

#include <memory>

#include "harness.h"

namespace compute = boost::compute;
using compute::uint_;
using compute::lambda::_1;
using compute::lambda::_2;

template <typename T> using Vector = std::shared_ptr<compute::vector<T>>;

static compute::command_queue queue;

static compute::command_queue queue_of(const std::string &wanted)
{
    for (const compute::device &device : compute::system::devices())
        if (device.name() + " (" + device.platform().name() + ")" == wanted)
            return compute::command_queue(compute::context(device), device,
                                          compute::command_queue::enable_profiling);
    std::fprintf(stderr, "error: Boost.Compute does not see %s\n", wanted.c_str());
    std::exit(1);
}

static std::mt19937_64 &random_bits()
{
    static std::mt19937_64 engine { std::random_device()() };
    return engine;
}

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

// Integers of all bits, floats in [0, 1).
static std::vector<uint_> integers(const size_t n)
{
    std::vector<uint_> x(n);
    for (uint_ &value : x)
        value = random_bits()() >> 32;
    return x;
}

static std::vector<float> floats(const size_t n)
{
    std::vector<float> x(n);
    for (float &value : x)
        value = (random_bits()() >> 40) * (1.0f / (1 << 24));
    return x;
}

// Numbers that grow by one where a run begins.
static std::vector<uint_> runs(const size_t n, const uint64_t length)
{
    std::vector<uint_> x(n);
    uint_ run = 0;
    for (uint_ &value : x)
        value = run += random_bits()() % length == 0;
    return x;
}

static Vector<uint_> ascending(const size_t n)
{
    auto x = integers(n);
    std::sort(x.begin(), x.end());
    return on_device(x);
}

template <typename T> static Work sum(const std::vector<T> &host)
{
    auto x = on_device(host), out = room<T>(1);
    return Work([=] { compute::reduce(x->begin(), x->end(), out->begin(), compute::plus<T>(), queue); });
}

template <typename T> static Work scan(const std::vector<T> &host)
{
    auto x = on_device(host), out = room<T>(host.size());
    return Work([=] { compute::inclusive_scan(x->begin(), x->end(), out->begin(), queue); });
}

template <typename T> static Work sort(const std::vector<T> &host)
{
    auto unsorted = on_device(host), x = room<T>(host.size());
    return Work([=] { compute::sort(x->begin(), x->end(), queue); },
                [=] { compute::copy(unsorted->begin(), unsorted->end(), x->begin(), queue); });
}

static Work unique(const size_t n, const uint64_t length)
{
    auto x = on_device(runs(n, length)), out = room<uint_>(n);
    return Work([=] { compute::unique_copy(x->begin(), x->end(), out->begin(), queue); });
}

static Work reduce_by_key(const size_t n, const uint64_t length)
{
    auto keys = on_device(runs(n, length)), x = on_device(integers(n)), out = room<uint_>(n), sums = room<uint_>(n);
    return Work([=] {
        compute::reduce_by_key(keys->begin(), keys->end(), x->begin(), out->begin(), sums->begin(),
                               compute::plus<uint_>(), queue);
    });
}

static std::vector<Case> cases()
{
    return {
        { "copy (clEnqueueCopyBuffer)", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n)), y = room<float>(n);
              return Work([=] { compute::copy(x->begin(), x->end(), y->begin(), queue); });
          } },
        { "saxpy z = a x + y", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n)), y = on_device(floats(n)), z = room<float>(n);
              return Work([=] {
                  compute::transform(x->begin(), x->end(), y->begin(), z->begin(), 2.5f * _1 + _2, queue);
              });
          } },
        { "sum", "f32", 4, [](size_t n) { return sum(floats(n)); } },
        { "sum", "u32", 4, [](size_t n) { return sum(integers(n)); } },
        { "dot product", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n)), y = on_device(floats(n));
              return Work([=] { compute::inner_product(x->begin(), x->end(), y->begin(), 0.0f, queue); });
          } },
        { "maximum", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n)), out = room<float>(1);
              return Work([=] { compute::reduce(x->begin(), x->end(), out->begin(), compute::max<float>(), queue); });
          } },
        { "max_element", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n));
              return Work([=] { compute::max_element(x->begin(), x->end(), queue); });
          } },
        { "count_if", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n));
              return Work([=] { compute::count_if(x->begin(), x->end(), _1 < 0.25f, queue); });
          } },
        { "find what is not there", "f32", 4,
          [](size_t n) {
              auto x = on_device(floats(n));
              return Work([=] { compute::find(x->begin(), x->end(), 2.0f, queue); });
          } },
        { "inclusive scan", "u32", 4, [](size_t n) { return scan(integers(n)); } },
        { "inclusive scan", "f32", 4, [](size_t n) { return scan(floats(n)); } },
        { "copy_if, half kept", "u32", 4,
          [](size_t n) {
              auto x = on_device(integers(n)), out = room<uint_>(n);
              return Work([=] { compute::copy_if(x->begin(), x->end(), out->begin(), (_1 & 1) == 1, queue); });
          } },
        { "partition_copy, half", "u32", 4,
          [](size_t n) {
              auto x = on_device(integers(n)), out = room<uint_>(n), rest = room<uint_>(n);
              return Work([=] {
                  compute::partition_copy(x->begin(), x->end(), out->begin(), rest->begin(), (_1 & 1) == 1, queue);
              });
          } },
        { "unique, runs of 4", "u32", 4, [](size_t n) { return unique(n, 4); } },
        { "unique, runs of 1000", "u32", 4, [](size_t n) { return unique(n, 1000); } },
        { "reduce_by_key, runs of 4", "u32", 4, [](size_t n) { return reduce_by_key(n, 4); } },
        { "reduce_by_key, runs of 1000", "u32", 4, [](size_t n) { return reduce_by_key(n, 1000); } },
        { "merge of two halves", "u32", 4,
          [](size_t n) {
              auto a = ascending(n / 2), b = ascending(n - n / 2), out = room<uint_>(n);
              return Work([=] {
                  compute::merge(a->begin(), a->end(), b->begin(), b->end(), out->begin(), queue);
              });
          } },
        { "sort", "u32", 4, [](size_t n) { return sort(integers(n)); } },
        { "sort", "f32", 4, [](size_t n) { return sort(floats(n)); } },
        { "sort_by_key, one vector of u32", "u32", 4,
          [](size_t n) {
              auto unsorted = on_device(integers(n)), keys = room<uint_>(n), values = on_device(integers(n));
              return Work([=] { compute::sort_by_key(keys->begin(), keys->end(), values->begin(), queue); },
                          [=] { compute::copy(unsorted->begin(), unsorted->end(), keys->begin(), queue); });
          } },
    };
}

int main(const int argc, char **argv)
{
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s LOG2 FILTER SAMPLES DEVICE\n", argv[0]);
        return 2;
    }
    queue = queue_of(argv[4]);
    return run(cases(), argv, [](const Step &step) {
        queue.finish();
        const auto start = Clock::now();
        compute::event begin = queue.enqueue_marker();
        step();
        compute::event end = queue.enqueue_marker();
        queue.finish();
        const double host = seconds_since(start);
        const auto began = begin.get_profiling_info<cl_ulong>(CL_PROFILING_COMMAND_END);
        const auto ended = end.get_profiling_info<cl_ulong>(CL_PROFILING_COMMAND_START);
        return Times { 1e-9 * (ended - began), host };
    });
}
