// The common part of the programs of transforms: the data, and the verification of results. Include it after
// `harness.h` or `opencl.h`, which have `expect`.

#pragma once

#include <cmath>
#include <complex>

// Returns random numbers between -0.5 and 0.5.
template <typename T> std::vector<T> centred(const size_t count)
{
    return drawn<T>(count, [](const uint64_t bits) { return static_cast<T>(std::ldexp(bits >> 40, -24) - 0.5); });
}

template <typename T> std::vector<std::complex<T>> centred_pairs(const size_t count)
{
    return drawn<std::complex<T>>(count, [](const uint64_t bits) {
        const auto part = [](const uint64_t half) { return static_cast<T>(std::ldexp(half >> 8, -24) - 0.5); };
        return std::complex<T>(part(bits >> 32), part(bits & 0xffffffff));
    });
}

// Compares some numbers of the first and of the last of `count` transforms with the definition times `scale`.
template <typename T, typename Number>
void expect_transforms(const std::vector<Number> &given, const std::vector<std::complex<T>> &found, const size_t length,
                       const size_t count, const double scale)
{
    const double turn = -2 * std::acos(-1.0) / length;
    for (const size_t line : { size_t(0), count - 1 })
        for (const size_t at : { size_t(1), length / 3, length / 2 }) {
            std::complex<double> sum = 0;
            for (size_t i = 0; i < length; ++i)
                sum += std::complex<double>(given[line * length + i]) * std::polar(1.0, turn * (at * i % length));
            const std::complex<double> one(found[line * (found.size() / count) + at]);
            // The numbers of a spectrum are about as large as the root of the length. The comparison
            // also rejects NaN.
            const double size = scale * std::sqrt(static_cast<double>(length));
            expect(std::abs(one - scale * sum) <= (sizeof(T) == 4 ? 1e-5 : 1e-12) * size);
        }
}
