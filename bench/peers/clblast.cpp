// Measures CLBlast for the cases of the benchmark that are routines of BLAS, on the same device and under the
// same case names. `harness.h` describes the arguments. Scalar results stay on the device, as ours do.

#include <memory>
#include <numeric>

#include "opencl.h"

#include "dense.h"

#include <clblast.h>

using clblast::StatusCode;

template <typename T> using Vector = std::shared_ptr<Memory<T>>;

template <typename T> static Vector<T> on_device(const Place &place, const std::vector<T> &host)
{
    return std::make_shared<Memory<T>>(place, host);
}

// A routine that leaves one value on the device.
template <typename T, typename Call> static Work reduction(const Place &place, const Call call, const std::function<bool(T)> is_right)
{
    auto out = on_device(place, std::vector<T>(1));
    cl_command_queue queue = place.queue;
    const Step step = [=]() mutable { check(static_cast<long>(call(out->get(), &queue)), "CLBlast"); };
    step();
    expect(is_right(out->to_host()[0]));
    return Work(step);
}

static Work copy(const Place &place, const size_t n)
{
    const auto host = floats<float>(n);
    auto x = on_device(place, host), y = on_device(place, std::vector<float>(n));
    cl_command_queue queue = place.queue;
    const Step step = [=]() mutable {
        check(static_cast<long>(clblast::Copy<float>(n, x->get(), 0, 1, y->get(), 0, 1, &queue)), "CLBlast");
    };
    step();
    expect(y->to_host() == host);
    return Work(step);
}

static Work saxpy(const Place &place, const size_t n)
{
    const float a = 1.5f;
    const auto host_x = floats<float>(n), host_y = floats<float>(n);
    auto x = on_device(place, host_x), y = on_device(place, host_y);
    cl_command_queue queue = place.queue;
    const Step step = [=]() mutable {
        check(static_cast<long>(clblast::Axpy<float>(n, a, x->get(), 0, 1, y->get(), 0, 1, &queue)), "CLBlast");
    };
    step();
    // The device may round a multiply-add once or twice.
    const auto found = y->to_host();
    for (size_t i = 0; i < n; ++i)
        expect(std::abs(found[i] - (a * host_x[i] + host_y[i])) <= 2e-7f * found[i]);
    return Work(step);
}

template <typename T> static Work sum(const Place &place, const size_t n)
{
    const auto host = countable<T>(n);
    auto x = on_device(place, host);
    const T exact = std::accumulate(host.begin(), host.end(), T(0));
    const Work work = reduction<T>(
        place, [=](cl_mem out, cl_command_queue *queue) { return clblast::Sum<T>(n, out, 0, x->get(), 0, 1, queue); },
        [=](const T found) { return found == exact; });
    x->fill(floats<T>(n));
    return work;
}

static Work dot(const Place &place, const size_t n)
{
    const auto host_x = countable<float>(n), host_y = countable<float>(n);
    auto x = on_device(place, host_x), y = on_device(place, host_y);
    const float exact = std::inner_product(host_x.begin(), host_x.end(), host_y.begin(), 0.0f);
    const Work work = reduction<float>(
        place,
        [=](cl_mem out, cl_command_queue *queue) {
            return clblast::Dot<float>(n, out, 0, x->get(), 0, 1, y->get(), 0, 1, queue);
        },
        [=](const float found) { return found == exact; });
    x->fill(floats<float>(n));
    y->fill(floats<float>(n));
    return work;
}

// CLBlast returns only the index, of any of the greatest elements.
static Work max_element(const Place &place, const size_t n)
{
    const auto host = floats<float>(n);
    auto x = on_device(place, host);
    const float greatest = *std::max_element(host.begin(), host.end());
    return reduction<cl_uint>(
        place, [=](cl_mem out, cl_command_queue *queue) { return clblast::Max<float>(n, out, 0, x->get(), 0, 1, queue); },
        [=](const cl_uint found) { return found < n && host[found] == greatest; });
}

template <typename T, bool LEFT = false, bool RIGHT = false> static Work product(const Place &place, const size_t n)
{
    const Factors<T> factors(n, LEFT, RIGHT);
    const size_t edge = factors.edge;
    auto a = on_device(place, factors.a), b = on_device(place, factors.b), c = on_device(place, std::vector<T>(n));
    cl_command_queue queue = place.queue;
    const auto form = [](const bool transposed) { return transposed ? clblast::Transpose::kYes : clblast::Transpose::kNo; };
    const Step step = [=]() mutable {
        check(static_cast<long>(clblast::Gemm<T>(clblast::Layout::kRowMajor, form(LEFT), form(RIGHT), edge, edge, edge, T(1),
                                                 a->get(), 0, edge, b->get(), 0, edge, T(0), c->get(), 0, edge, &queue)),
              "CLBlast");
    };
    step();
    factors.check(c->to_host());
    return Work(step);
}

// Multiplies small matrices in pairs: `n` elements of results.
static Work small_products(const Place &place, const size_t n)
{
    const auto host_a = small_integers<float>(n), host_b = small_integers<float>(n);
    auto a = on_device(place, host_a), b = on_device(place, host_b), c = on_device(place, std::vector<float>(n));
    cl_command_queue queue = place.queue;
    const Step step = [=]() mutable {
        check(static_cast<long>(clblast::GemmStridedBatched<float>(
                  clblast::Layout::kRowMajor, clblast::Transpose::kNo, clblast::Transpose::kNo, small, small, small, 1,
                  a->get(), 0, small, small_elements, b->get(), 0, small, small_elements, 0, c->get(), 0, small,
                  small_elements, n / small_elements, &queue)),
              "CLBlast");
    };
    step();
    check_small(host_a, host_b, c->to_host());
    return Work(step);
}

static std::vector<Case> cases(const Place &place)
{
    return {
        { "copy (kernel)", "f32", 4, [=](size_t n) { return copy(place, n); } },
        { "saxpy y = a x + y, in place", "f32", 4, [=](size_t n) { return saxpy(place, n); } },
        { "sum", "f32", 4, [=](size_t n) { return sum<float>(place, n); } },
        { "sum", "f64", 8, [=](size_t n) { return sum<double>(place, n); } },
        { "dot product", "f32", 4, [=](size_t n) { return dot(place, n); } },
        { "max_element", "f32", 4, [=](size_t n) { return max_element(place, n); } },
        { "array: product, 512 x 512", "f32", 4, [=](size_t n) { return product<float>(place, n); }, 512 * 512 },
        { "array: product, 512 x 512", "f64", 8, [=](size_t n) { return product<double>(place, n); }, 512 * 512 },
        { "array: product, 1000 x 1000", "f32", 4, [=](size_t n) { return product<float>(place, n); }, 1000 * 1000 },
        { "array: product, 1000 x 1000", "f64", 8, [=](size_t n) { return product<double>(place, n); }, 1000 * 1000 },
        { "array: product, 1023 x 1023", "f32", 4, [=](size_t n) { return product<float>(place, n); }, 1023 * 1023 },
        { "array: product, 1023 x 1023", "f64", 8, [=](size_t n) { return product<double>(place, n); }, 1023 * 1023 },
        { "array: product, 1024 x 1024", "f32", 4, [=](size_t n) { return product<float>(place, n); }, 1024 * 1024 },
        { "array: product, 1024 x 1024", "f64", 8, [=](size_t n) { return product<double>(place, n); }, 1024 * 1024 },
        { "array: product, 2048 x 2048", "f32", 4, [=](size_t n) { return product<float>(place, n); }, 2048 * 2048 },
        { "array: product, 2048 x 2048", "f64", 8, [=](size_t n) { return product<double>(place, n); }, 2048 * 2048 },
        { "array: product, 2049 x 2049", "f32", 4, [=](size_t n) { return product<float>(place, n); }, 2049 * 2049 },
        { "array: product, 2049 x 2049", "f64", 8, [=](size_t n) { return product<double>(place, n); }, 2049 * 2049 },
        { "array: product, 1024 x 1024, left transposed", "f32", 4, [=](size_t n) { return product<float, true>(place, n); }, 1024 * 1024 },
        { "array: product, 1024 x 1024, left transposed", "f64", 8, [=](size_t n) { return product<double, true>(place, n); }, 1024 * 1024 },
        { "array: product, 1024 x 1024, right transposed", "f32", 4, [=](size_t n) { return product<float, false, true>(place, n); }, 1024 * 1024 },
        { "array: product, 1024 x 1024, right transposed", "f64", 8, [=](size_t n) { return product<double, false, true>(place, n); }, 1024 * 1024 },
        { "array: product, 1024 x 1024, both transposed", "f32", 4, [=](size_t n) { return product<float, true, true>(place, n); }, 1024 * 1024 },
        { "array: product, 1024 x 1024, both transposed", "f64", 8, [=](size_t n) { return product<double, true, true>(place, n); }, 1024 * 1024 },
        { "array: products, 8 x 8", "f32", 4, [=](size_t n) { return small_products(place, n); }, 100000 * small_elements, small_elements },
    };
}

int main(const int argc, char **argv)
{
    return run_on_opencl(argc, argv, cases);
}
