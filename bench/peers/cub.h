// The common part of the programs of CUB and Thrust: calls, and the verification of results.

#include <atomic>
#include <cstring>
#include <numeric>

#include "device_data.h"

// The type of the lengths that CUB is given. CUB computes with indices of as many bits.
#ifdef LENGTHS_OF_32_BITS
typedef int32_t Length;
#else
typedef int64_t Length;
#endif

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
    std::atomic<uint64_t> sum(0);
    in_parts(x.size(), [&](const size_t begin, const size_t end) {
        uint64_t part = 0;
        for (size_t i = begin; i < end; ++i) {
            uint64_t bits = 0;
            std::memcpy(&bits, &x[i], sizeof x[i]);
            part += Random { bits }(0);
        }
        sum += part;
    });
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

template <typename T> static bool is_sorted_from(const std::vector<T> &found, const std::vector<T> &given)
{
    return std::is_sorted(found.begin(), found.end()) && fingerprint(found) == fingerprint(given);
}
