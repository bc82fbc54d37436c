// Measures Eigen's Tensor module for the cases of arrays of the benchmark, on all cores of the host and under the same
// case names. `harness.h` describes the arguments.

#include <array>
#include <memory>
#include <numeric>

#include "host.h"

#include "dense.h"

#define EIGEN_USE_THREADS
#include <eigen3/unsupported/Eigen/CXX11/Tensor>

using Eigen::Index;
template <size_t RANK> using Shape = std::array<Index, RANK>;
template <typename T, int RANK> using Tensor = Eigen::Tensor<T, RANK, Eigen::RowMajor>;
template <typename T, int RANK> using Shared = std::shared_ptr<Tensor<T, RANK>>;

static Eigen::ThreadPoolDevice &device()
{
    static Eigen::ThreadPool pool(threads());
    static Eigen::ThreadPoolDevice device(&pool, threads());
    return device;
}

// As in bench/src/cases/array.rs: the longest axis is at most twice as long as the shortest. `n` is a power of two.
template <size_t RANK> static Shape<RANK> shape_of(const size_t n)
{
    Shape<RANK> shape;
    for (int axis = 0; axis < RANK; ++axis)
        shape[axis] = Index(1) << ((std::lround(std::log2(n)) + axis) / RANK);
    return shape;
}

template <typename T, size_t RANK> static Shared<T, RANK> tensor(const Shape<RANK> &shape)
{
    auto made = std::make_shared<Tensor<T, RANK>>(shape);
    made->setConstant(T(-1));
    return made;
}

template <typename T, size_t RANK> static Shared<T, RANK> whole(const Shape<RANK> &shape)
{
    auto made = tensor<T, RANK>(shape);
    const auto host = small_integers<T>(made->size());
    std::copy(host.begin(), host.end(), made->data());
    return made;
}

// Returns a step after it has given the expected elements once.
template <typename T, int RANK, typename Expected>
static Work into(const Shared<T, RANK> &out, const Step step, const Expected expected)
{
    step();
    for (Index i = 0; i < out->size(); ++i)
        expect(out->data()[i] == expected(i));
    return Work(step);
}

static Work multiply_add(const size_t n)
{
    const auto shape = shape_of<3>(n);
    auto a = whole<float>(shape), b = whole<float>(shape), c = whole<float>(shape), out = tensor<float>(shape);
    return into(out, [=] { out->device(device()) = *a * *b + *c; },
                [=](Index i) { return a->data()[i] * b->data()[i] + c->data()[i]; });
}

static Work squares(const size_t n)
{
    const auto shape = shape_of<3>(n);
    auto a = whole<float>(shape), b = whole<float>(shape), d = whole<float>(shape), e = whole<float>(shape);
    auto out = tensor<float>(shape);
    const auto square = [](const Shared<float, 3> &x, Index i) { return x->data()[i] * x->data()[i]; };
    return into(out, [=] { out->device(device()) = *a * *a + *b * *b + *d * *d + *e * *e; },
                [=](Index i) { return square(a, i) + square(b, i) + square(d, i) + square(e, i); });
}

static Work add(const size_t n)
{
    const auto shape = shape_of<2>(n);
    auto a = whole<float>(shape), b = whole<float>(shape), out = tensor<float>(shape);
    return into(out, [=] { out->device(device()) = *a + *b; }, [=](Index i) { return a->data()[i] + b->data()[i]; });
}

// Adds a row to each row, or a column to each column.
template <int AXIS> static Work add_vector(const size_t n)
{
    const auto shape = shape_of<2>(n);
    Shape<2> once = shape, times = { 1, 1 };
    once[AXIS] = 1;
    times[AXIS] = shape[AXIS];
    auto a = whole<float>(shape), vector = whole<float>(once), out = tensor<float>(shape);
    return into(out, [=] { out->device(device()) = *a + vector->broadcast(times); },
                [=](Index i) { return a->data()[i] + vector->data()[AXIS == 0 ? i % shape[1] : i / shape[1]]; });
}

static Work transpose(const size_t n)
{
    const auto shape = shape_of<2>(n);
    auto a = whole<float>(shape), out = tensor<float>(Shape<2> { shape[1], shape[0] });
    return into(out, [=] { out->device(device()) = a->shuffle(Shape<2> { 1, 0 }); },
                [=](Index i) { return (*a)(i % shape[0], i / shape[0]); });
}

static Work transpose_and_add(const size_t n)
{
    const auto shape = shape_of<2>(n);
    const Shape<2> other = { shape[1], shape[0] };
    auto a = whole<float>(shape), b = whole<float>(other), out = tensor<float>(other);
    return into(out, [=] { out->device(device()) = a->shuffle(Shape<2> { 1, 0 }) + *b; },
                [=](Index i) { return (*a)(i % shape[0], i / shape[0]) + b->data()[i]; });
}

static Work permute(const size_t n)
{
    const auto shape = shape_of<3>(n);
    auto a = whole<float>(shape), out = tensor<float>(Shape<3> { shape[2], shape[0], shape[1] });
    return into(out, [=] { out->device(device()) = a->shuffle(Shape<3> { 2, 0, 1 }); },
                [=](Index i) { return (*a)(i / shape[1] % shape[0], i % shape[1], i / shape[1] / shape[0]); });
}

static Work sum(const size_t n)
{
    auto a = whole<float>(shape_of<2>(n));
    auto out = std::make_shared<Tensor<float, 0>>();
    const Step step = [=] { out->device(device()) = a->sum(); };
    step();
    const double exact = std::accumulate(a->data(), a->data() + n, 0.0);
    expect(std::abs((*out)() - exact) <= 1e-4 * exact);
    return Work(step);
}

// Adds up along an axis.
template <int AXIS> static Work sums(const size_t n)
{
    const auto shape = shape_of<2>(n);
    auto a = whole<float>(shape);
    auto out = tensor<float>(Shape<1> { shape[1 - AXIS] });
    return into(out, [=] { out->device(device()) = a->sum(Shape<1> { AXIS }); }, [=](Index at) {
        float sum = 0;
        for (Index k = 0; k < shape[AXIS]; ++k)
            sum += AXIS == 0 ? (*a)(k, at) : (*a)(at, k);
        return sum;
    });
}

static bool is_close(const float found, const double exact, const double allowed)
{
    return std::abs(found - exact) <= allowed * exact;
}

// Stores exp(a) + b * b, or adds it up along the rows.
template <bool STORED> static Work exponentials(const size_t n)
{
    const auto shape = shape_of<2>(n);
    auto a = tensor<float>(shape), b = tensor<float>(shape), all = tensor<float>(shape);
    const auto host_a = floats<float>(n), host_b = floats<float>(n);
    std::copy(host_a.begin(), host_a.end(), a->data());
    std::copy(host_b.begin(), host_b.end(), b->data());
    auto sums = tensor<float>(Shape<1> { shape[0] });
    const Step step = [=] {
        if (STORED)
            all->device(device()) = a->exp() + *b * *b;
        else
            sums->device(device()) = (a->exp() + *b * *b).sum(Shape<1> { 1 });
    };
    step();
    for (Index row = 0; row < shape[0]; ++row) {
        double sum = 0;
        for (Index at = row * shape[1]; at < (row + 1) * shape[1]; ++at) {
            const double exact = std::exp(double(host_a[at])) + double(host_b[at]) * host_b[at];
            expect(!STORED || is_close(all->data()[at], exact, 1e-6));
            sum += exact;
        }
        expect(STORED || is_close(sums->data()[row], sum, 1e-4));
    }
    return Work(step);
}

static Work argmax(const size_t n)
{
    const auto shape = shape_of<2>(n);
    auto a = tensor<float>(shape);
    const auto host = floats<float>(n);
    std::copy(host.begin(), host.end(), a->data());
    auto out = tensor<Index>(Shape<1> { shape[0] });
    const Step step = [=] { out->device(device()) = a->argmax(1); };
    step();
    // Of equal elements, any may be found.
    for (Index row = 0; row < shape[0]; ++row) {
        const float *const first = a->data() + row * shape[1];
        expect(first[out->data()[row]] == *std::max_element(first, first + shape[1]));
    }
    return Work(step);
}

template <typename T> static Work seven_point(const size_t n)
{
    const auto shape = shape_of<3>(n);
    auto f = whole<T>(shape), g = whole<T>(shape), out = tensor<T>(shape);
    const Shape<3> inside = { shape[0] - 2, shape[1] - 2, shape[2] - 2 };
    const Step step = [=] {
        const auto at = [=](Index z, Index y, Index x) { return (*f + *g).slice(Shape<3> { z, y, x }, inside); };
        out->slice(Shape<3> { 1, 1, 1 }, inside).device(device()) = at(1, 1, 0) + at(1, 1, 2) + at(1, 0, 1)
            + at(1, 2, 1) + at(0, 1, 1) + at(2, 1, 1) - at(1, 1, 1) * T(6);
    };
    const auto sum = [=](Index z, Index y, Index x) { return (*f)(z, y, x) + (*g)(z, y, x); };
    return into(out, step, [=](Index i) {
        const Index x = i % shape[2], y = i / shape[2] % shape[1], z = i / shape[2] / shape[1];
        if (x == 0 || y == 0 || z == 0 || x == shape[2] - 1 || y == shape[1] - 1 || z == shape[0] - 1)
            return T(-1);
        return sum(z, y, x - 1) + sum(z, y, x + 1) + sum(z, y - 1, x) + sum(z, y + 1, x) + sum(z - 1, y, x)
            + sum(z + 1, y, x) - 6 * sum(z, y, x);
    });
}

static Work convolution(const size_t n)
{
    const Index edge = 7;
    const auto shape = shape_of<2>(n);
    const Shape<2> inside = { shape[0] + 1 - edge, shape[1] + 1 - edge };
    auto x = whole<float>(shape), weights = whole<float>(Shape<2> { edge, edge }), out = tensor<float>(inside);
    return into(out, [=] { out->device(device()) = x->convolve(*weights, Shape<2> { 0, 1 }); }, [=](Index i) {
        float sum = 0;
        for (Index row = 0; row < edge; ++row)
            for (Index column = 0; column < edge; ++column)
                sum += (*weights)(row, column) * (*x)(i / inside[1] + row, i % inside[1] + column);
        return sum;
    });
}

static const std::vector<Case> cases = {
    { "array: a * b + c", "f32", 4, multiply_add },
    { "array: a * a + b * b + d * d + e * e", "f32", 4, squares },
    { "array: a + b", "f32", 4, add },
    { "array: a + row", "f32", 4, add_vector<0> },
    { "array: a + column", "f32", 4, add_vector<1> },
    { "array: transposed copy", "f32", 4, transpose },
    { "array: transposed a + b", "f32", 4, transpose_and_add },
    { "array: permutation (2, 0, 1)", "f32", 4, permute },
    { "array: sum", "f32", 4, sum },
    { "array: sums of rows", "f32", 4, sums<1> },
    { "array: sums of columns", "f32", 4, sums<0> },
    { "array: sums of rows of exp(a) + b * b", "f32", 4, exponentials<false> },
    { "array: exp(a) + b * b", "f32", 4, exponentials<true> },
    { "array: argmax of rows", "f32", 4, argmax },
    { "array: 7-point operator of f + g", "f32", 4, seven_point<float> },
    { "array: 7-point operator of f + g", "f64", 8, seven_point<double> },
    { "array: convolution, 7 x 7", "f32", 4, convolution },
};

int main(const int argc, char **argv)
{
    return run_on_host(argc, argv, cases);
}
