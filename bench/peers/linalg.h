// Matrices to factorise, stored column by column, and checks of factors. Include `harness.h` first.

#include <initializer_list>

// A square matrix of numbers in [-0.5, 0.5).
struct Square {
    size_t n;
    std::vector<double> values;

    // `count` is the number of elements.
    explicit Square(const size_t count) : n(std::lround(std::sqrt(count))), values(floats<double>(n * n))
    {
        for (double &value : values)
            value -= 0.5;
    }

    double operator()(const size_t i, const size_t j) const { return values[j * n + i]; }

    // Makes the matrix symmetric, and positive definite by a large diagonal.
    void make_positive()
    {
        for (size_t j = 0; j < n; ++j) {
            for (size_t i = 0; i < j; ++i)
                values[j * n + i] = values[i * n + j];
            values[j * n + j] += n;
        }
    }
};

// Calls a function with some rows and columns, and throws an error unless it returns two numbers whose difference is a few
// roundings of `scale`.
template <typename F> void expect_close(const size_t n, const double scale, const F both)
{
    if (!verifies())
        return;
    for (const size_t i : { size_t(0), n / 3, n / 2, n - 1 })
        for (size_t j = 0; j < n; j += std::max<size_t>(n / 64, 1)) {
            double found = 0, expected = 0;
            both(i, j, found, expected);
            expect(std::abs(found - expected) <= 1e-13 * scale);
        }
}

// Throws an error unless the upper triangle of `r` is that of a QR factorisation of `a`: both have the same inner products
// of columns.
template <typename R> void expect_triangle(const Square &a, const R r)
{
    expect_close(a.n, a.n * 1.0, [&](const size_t i, const size_t j, double &found, double &expected) {
        for (size_t k = 0; k <= std::min(i, j); ++k)
            found += r(k, i) * r(k, j);
        for (size_t k = 0; k < a.n; ++k)
            expected += a(k, i) * a(k, j);
    });
}
