// The common part of the programs of other libraries: their cases, their arguments and their output, one JSON
// object per line: {"case", "element", "n", "calls_seconds", "host_seconds", "device_seconds"}.
//
//     program SIZE FILTER SAMPLES [DEVICE]
//
// Vectors have SIZE elements of 4 bytes, or 2^SIZE up to SIZE = 40, or as many bytes of other elements. A case runs if its name with the
// element type contains a line of FILTER.
// With SAMPLES = 0 results are compared with the host's and nothing is timed: a line has only "case", "element" and "n".
// Each clock has evaluations of its own. Each figure is the median of SAMPLES evaluations or more, or of as many as fit
// into a time, after evaluations that do not count:
//   calls   many calls back to back until the device is idle, over their number; missing where data are restored
//   host    from one call until the device is idle, without events
//   device  between two events around a call that is enqueued behind another one, so that nothing waits for the host

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using std::size_t;
typedef std::function<void()> Step;
typedef std::chrono::steady_clock Clock;

// Returns whether results are compared with the host's. VERIFY=0 turns that off, as in all but the first
// process.
inline bool verifies()
{
    const char *const variable = std::getenv("VERIFY");
    return !variable || variable[0] != '0';
}

// A step that is timed. `restore`, if it is set, makes its data anew before each evaluation.
struct Work {
    Step step, restore;
    template <typename F, typename = typename std::enable_if<!std::is_same<typename std::decay<F>::type, Work>::value>::type>
    Work(F step, Step restore = nullptr) : step(step), restore(restore)
    {
    }
};

// Returns a fresh integer of which every bit is random.
inline uint64_t random_bits()
{
    static std::mt19937_64 engine { std::random_device()() };
    return engine();
}

// Calls `work(begin, end)` for parts of the numbers below n, on all of the host's threads.
template <typename F> void in_parts(const size_t n, const F work)
{
    const size_t count = n < 65536 ? 1 : std::max<size_t>(std::thread::hardware_concurrency(), 1);
    std::vector<std::thread> threads;
    for (size_t part = 1; part < count; ++part)
        threads.emplace_back([=] { work(n / count * part, part + 1 == count ? n : n / count * (part + 1)); });
    work(size_t(0), count == 1 ? n : n / count);
    for (std::thread &thread : threads)
        thread.join();
}

// Returns the random bits of a number (Steele, Lea and Flood: SplitMix64).
inline uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
    return bits ^ (bits >> 31);
}

// Returns n fresh values, each of them a function of random bits.
template <typename T, typename F> std::vector<T> drawn(const size_t n, const F value)
{
    const uint64_t seed = random_bits();
    std::vector<T> x(n);
    T *const to = x.data();
    in_parts(n, [=](const size_t begin, const size_t end) {
        for (size_t i = begin; i < end; ++i)
            to[i] = value(mixed(seed + (i + 1) * 0x9e3779b97f4a7c15ull));
    });
    return x;
}

// Returns fresh numbers in [0, 1).
template <typename T> std::vector<T> floats(const size_t n)
{
    return drawn<T>(n, [](const uint64_t bits) {
        return static_cast<T>(sizeof(T) == 4 ? std::ldexp(bits >> 40, -24) : std::ldexp(bits >> 11, -53));
    });
}

inline void expect(const bool is_right)
{
    if (!is_right)
        throw std::runtime_error("wrong result");
}

struct Case {
    const char *name, *element;
    size_t bytes;
    // Makes the data and evaluates once; throws an error if the result is wrong.
    std::function<Work(size_t)> prepare;
    // The greatest number of elements.
    size_t at_most = SIZE_MAX;
    // The number of elements is a multiple of this one, and not zero.
    size_t unit = 1;

    // Returns the number of elements of the case for vectors of `vector_bytes` bytes.
    size_t elements(const size_t vector_bytes) const
    {
        return std::max<size_t>(std::min(vector_bytes / bytes, at_most) / unit, 1) * unit;
    }
};

struct Device {
    // Waits until the device is idle.
    Step finish;
    // Enqueues both steps without a wait between them. Returns the device's seconds for the second.
    std::function<double(const Step &before, const Step &step)> seconds;
};

inline double seconds_since(const Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

inline double median(std::vector<double> times)
{
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

// As in bench/src/timing.rs: the seconds of warm-up and of sampling, and the number of samples in a time that is short.
const double warm_up = 0.02, sampling = 0.03;
const int short_samples = 10;
// Calls back to back take `back_to_back` seconds, or are `calls_per_wait` calls.
const double back_to_back = 0.01;
const double calls_per_wait = 64;

// Returns the median of the samples that fit into `seconds`, and of at least `samples` if these do not take too long. The
// first sample does not count.
template <typename Sample> double typical(const int samples, const double seconds, const Sample sample)
{
    const int least = 3;
    const double most_seconds = samples > short_samples ? 3 : 0.3;
    std::vector<double> times;
    sample();
    const auto start = Clock::now();
    for (int at = 0;; ++at) {
        const double passed = seconds_since(start);
        const bool few = at < samples && (at < least || passed < most_seconds);
        if (at > 0 && passed >= seconds && !few)
            return median(times);
        times.push_back(sample());
    }
}

inline void measure(const Case &one, const size_t n, const int samples, const Device &device)
{
    const Work work = one.prepare(n);
    if (samples == 0) {
        std::printf("{\"case\":\"%s\",\"element\":\"%s\",\"n\":%zu}\n", one.name, one.element, n);
        std::fflush(stdout);
        return;
    }
    const auto on_host = [&] {
        if (work.restore)
            work.restore();
        device.finish();
        const auto start = Clock::now();
        work.step();
        device.finish();
        return seconds_since(start);
    };
    typical(1, warm_up, on_host);
    const double host = typical(samples, sampling, on_host);
    const double on_device = typical(samples, sampling, [&] {
        device.finish();
        return device.seconds(work.restore ? work.restore : work.step, work.step);
    });
    std::printf("{\"case\":\"%s\",\"element\":\"%s\",\"n\":%zu,\"host_seconds\":%.9g,\"device_seconds\":%.9g", one.name,
                one.element, n, host, on_device);
    if (!work.restore) {
        const int count = static_cast<int>(std::min(std::max(back_to_back / host, 1.0), calls_per_wait));
        const double calls = count == 1 ? host : typical(samples > short_samples ? 9 : 5, 0, [&] {
            const auto start = Clock::now();
            for (int call = 0; call < count; ++call)
                work.step();
            device.finish();
            return seconds_since(start) / count;
        });
        std::printf(",\"calls_seconds\":%.9g", calls);
    }
    std::printf("}\n");
    std::fflush(stdout);
}

inline bool contains_a_line_of(const std::string &text, const std::string &lines)
{
    for (size_t begin = 0;;) {
        const size_t end = lines.find('\n', begin);
        if (text.find(lines.substr(begin, end == std::string::npos ? end : end - begin)) != std::string::npos)
            return true;
        if (end == std::string::npos)
            return false;
        begin = end + 1;
    }
}

// Measures all cases that the arguments name. If a case fails, only its own line is missing.
inline int run(const std::vector<Case> &cases, char **arguments, const Device &device)
{
    const size_t size = std::strtoull(arguments[1], nullptr, 10), bytes = 4 * (size <= 40 ? size_t(1) << size : size);
    int status = 0;
    for (const Case &one : cases) {
        const std::string label = std::string(one.name) + " " + one.element;
        if (!contains_a_line_of(label, arguments[2]))
            continue;
        try {
            measure(one, one.elements(bytes), std::max(std::atoi(arguments[3]), 0), device);
        } catch (const std::exception &error) {
            std::fprintf(stderr, "%s: %s\n", label.c_str(), error.what());
            status = 1;
        }
    }
    return status;
}

#ifdef __CUDACC__

inline void check(const cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(error));
}

// Returns a copy of device memory on the host.
template <typename T> std::vector<T> copied(const T *const from, const size_t count)
{
    std::vector<T> host(count);
    check(cudaMemcpy(host.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

inline int run_on_cuda(const std::vector<Case> &cases, const int argc, char **argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s SIZE FILTER SAMPLES\n", argv[0]);
        return 2;
    }
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    const Step finish = [] { check(cudaDeviceSynchronize()); };
    const auto seconds = [=](const Step &before, const Step &step) {
        before();
        check(cudaEventRecord(begin));
        step();
        check(cudaEventRecord(end));
        check(cudaDeviceSynchronize());
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        return 1e-3 * milliseconds;
    };
    return run(cases, argv, Device { finish, seconds });
}

#endif
