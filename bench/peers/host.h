// The common part of the programs of libraries that run on the host's processor.

#include <thread>

#include "harness.h"

// The number of threads that a library may use: one for each core.
inline int threads()
{
    return std::max<int>(std::thread::hardware_concurrency(), 1);
}

// The main function. A step ends when its call returns, so all three clocks are the host's.
inline int run_on_host(const int argc, char **argv, const std::vector<Case> &cases)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s SIZE FILTER SAMPLES\n", argv[0]);
        return 2;
    }
    const auto seconds = [](const Step &before, const Step &step) {
        before();
        const auto start = Clock::now();
        step();
        return seconds_since(start);
    };
    return run(cases, argv, Device { [] {}, seconds });
}
