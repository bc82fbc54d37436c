// What the programs of other libraries have in common: their cases, their arguments and what they print, one
// JSON object a line: {"case", "element", "n", "device_seconds", "host_seconds"}.
//
//     program LOG2 FILTER SAMPLES [DEVICE]
//
// 2^LOG2 elements of 4 bytes, or as many bytes of others; the cases whose name and element type contain a line of
// FILTER.
// Device times are those between two events around one call, host times those from the call until the device has
// finished; medians of SAMPLES, or of as many as a few seconds allow, after some calls that do not count.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using std::size_t;
typedef std::function<void()> Step;
typedef std::chrono::steady_clock Clock;

// A step that is timed, and what makes its data anew before each time.
struct Work {
    Step step, restore;
    template <typename F, typename = typename std::enable_if<!std::is_same<typename std::decay<F>::type, Work>::value>::type>
    Work(F step, Step restore = [] {}) : step(step), restore(restore)
    {
    }
};

struct Case {
    const char *name, *element;
    size_t bytes;
    // Makes the data and evaluates once; throws what is wrong with the result.
    std::function<Work(size_t)> prepare;
    // Elements at most.
    size_t at_most = SIZE_MAX;
    // Elements come in multiples of so many, once at least.
    size_t unit = 1;

    // How many there are where a vector has so many bytes.
    size_t elements(const size_t vector_bytes) const
    {
        return std::max<size_t>(std::min(vector_bytes / bytes, at_most) / unit, 1) * unit;
    }
};

struct Times {
    double device, host;
};

// Runs a step once and says how long it took.
typedef std::function<Times(const Step &)> Timer;

inline double seconds_since(const Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

inline double median(std::vector<double> times)
{
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

inline void measure(const Case &one, const size_t n, const int samples, const Timer &timer)
{
    const int warm_up = 2, least = 3;
    const double most_seconds = 8;
    const Work work = one.prepare(n);
    std::vector<double> device, host;
    const auto start = Clock::now();
    for (int sample = -warm_up; sample < samples; ++sample) {
        if (sample >= least && seconds_since(start) > most_seconds)
            break;
        work.restore();
        const Times times = timer(work.step);
        if (sample < 0)
            continue;
        device.push_back(times.device);
        host.push_back(times.host);
    }
    std::printf("{\"case\":\"%s\",\"element\":\"%s\",\"n\":%zu,\"device_seconds\":%.9g,\"host_seconds\":%.9g}\n",
                one.name, one.element, n, median(device), median(host));
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

// All cases that the arguments name. One that fails costs its own line only.
inline int run(const std::vector<Case> &cases, char **arguments, const Timer &timer)
{
    const size_t bytes = size_t(4) << std::atoi(arguments[1]);
    int status = 0;
    for (const Case &one : cases) {
        const std::string label = std::string(one.name) + " " + one.element;
        if (!contains_a_line_of(label, arguments[2]))
            continue;
        try {
            measure(one, one.elements(bytes), std::max(std::atoi(arguments[3]), 1), timer);
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
    if (error != cudaSuccess) {
        std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

inline int run_on_cuda(const std::vector<Case> &cases, const int argc, char **argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s LOG2 FILTER SAMPLES\n", argv[0]);
        return 2;
    }
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    return run(cases, argv, [=](const Step &step) {
        check(cudaDeviceSynchronize());
        const auto start = Clock::now();
        check(cudaEventRecord(begin));
        step();
        check(cudaEventRecord(end));
        check(cudaDeviceSynchronize());
        const double host = seconds_since(start);
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        return Times { 1e-3 * milliseconds, host };
    });
}

#endif
