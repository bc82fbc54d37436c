// cuSPARSE's times for the products of the benchmark, under the names that these have there; `harness.h` says with which
// arguments. Compressed rows with indices of 32 bits, by whichever of its algorithms is the fastest for the matrix, each
// after its own preparation, which is not timed.

#include <cusparse.h>

#include <memory>

#include "harness.h"
#include "matrices.h"

static void check(const cusparseStatus_t status)
{
    if (status != CUSPARSE_STATUS_SUCCESS) {
        std::fprintf(stderr, "error: %s\n", cusparseGetErrorString(status));
        std::exit(1);
    }
}

// Memory of the device.
template <typename T> class Vector {
    T *items = nullptr;
    size_t length;

public:
    explicit Vector(const size_t length) : length(length) { check(cudaMalloc(&items, std::max<size_t>(length, 1) * sizeof(T))); }
    explicit Vector(const std::vector<T> &host) : Vector(host.size())
    {
        check(cudaMemcpy(items, host.data(), length * sizeof(T), cudaMemcpyHostToDevice));
    }
    Vector(const Vector &) = delete;
    ~Vector() { cudaFree(items); }
    T *get() const { return items; }
    std::vector<T> to_host() const
    {
        std::vector<T> host(length);
        check(cudaMemcpy(host.data(), items, length * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
};

template <typename T> struct TypeOf;
template <> struct TypeOf<float> {
    static const cudaDataType type = CUDA_R_32F;
};
template <> struct TypeOf<double> {
    static const cudaDataType type = CUDA_R_64F;
};

typedef Matrix (*Make)(size_t rows);

// A matrix's case for `double` follows the one for `float`: it is made once.
static const Matrix &made(const Make make, const size_t rows)
{
    static Make by = nullptr;
    static size_t of = 0;
    static std::unique_ptr<Matrix> matrix;
    if (by != make || of != rows)
        matrix.reset(new Matrix(make(rows)));
    by = make;
    of = rows;
    return *matrix;
}

// A matrix, a vector, and their product by one of the algorithms.
template <typename T> class Product {
    cusparseHandle_t handle;
    Vector<int> offsets, columns;
    Vector<T> values, x, y;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t from, to;
    cusparseSpMVAlg_t algorithm;
    std::unique_ptr<Vector<char>> buffer;
    const T one = 1, zero = 0;

public:
    Product(const Matrix &host, const std::vector<T> &numbers, const cusparseSpMVAlg_t algorithm)
        : offsets(std::vector<int>(host.offsets.begin(), host.offsets.end())),
          columns(std::vector<int>(host.columns.begin(), host.columns.end())),
          values(std::vector<T>(host.values.begin(), host.values.end())), x(numbers), y(host.rows), algorithm(algorithm)
    {
        check(cusparseCreate(&handle));
        check(cusparseCreateCsr(&matrix, host.rows, host.rows, host.entries(), offsets.get(), columns.get(), values.get(),
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, TypeOf<T>::type));
        check(cusparseCreateDnVec(&from, host.rows, x.get(), TypeOf<T>::type));
        check(cusparseCreateDnVec(&to, host.rows, y.get(), TypeOf<T>::type));
        size_t bytes;
        check(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                                      TypeOf<T>::type, algorithm, &bytes));
        buffer.reset(new Vector<char>(bytes));
        check(cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                                      TypeOf<T>::type, algorithm, buffer->get()));
    }
    Product(const Product &) = delete;
    ~Product()
    {
        cusparseDestroyDnVec(from);
        cusparseDestroyDnVec(to);
        cusparseDestroySpMat(matrix);
        cusparseDestroy(handle);
    }

    void multiply() const
    {
        check(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, TypeOf<T>::type,
                           algorithm, buffer->get()));
    }
    std::vector<T> result() const { return y.to_host(); }

    // Milliseconds of the fastest of some calls.
    float fastest() const
    {
        cudaEvent_t begin, end;
        check(cudaEventCreate(&begin));
        check(cudaEventCreate(&end));
        float best = 1e30f;
        for (int run = 0; run < 7; ++run) {
            check(cudaEventRecord(begin));
            multiply();
            check(cudaEventRecord(end));
            check(cudaDeviceSynchronize());
            float milliseconds;
            check(cudaEventElapsedTime(&milliseconds, begin, end));
            best = std::min(best, milliseconds);
        }
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
        return best;
    }
};

// The fastest algorithm's, whose results are right: all numbers are whole and small.
template <typename T> static Work product(const Make make, const size_t rows)
{
    const Matrix &host = made(make, rows);
    std::vector<T> numbers(host.rows);
    for (size_t i = 0; i < host.rows; ++i)
        numbers[i] = static_cast<T>(whole(i));
    const std::vector<T> expected = host.times(numbers);
    std::shared_ptr<Product<T>> best;
    for (const cusparseSpMVAlg_t algorithm : { CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2 }) {
        auto one = std::make_shared<Product<T>>(host, numbers, algorithm);
        const float time = one->fastest();
        if (one->result() != expected) {
            std::fprintf(stderr, "error: algorithm %d has a wrong result\n", static_cast<int>(algorithm));
            std::exit(1);
        }
        std::fprintf(stderr, "%zu rows, %zu entries of %zu bytes, algorithm %d: %.1f us\n", host.rows, host.entries(),
                     sizeof(T), static_cast<int>(algorithm), 1e3 * time);
        if (!best || time < best->fastest())
            best = one;
    }
    return Work([=] { best->multiply(); });
}

int main(const int argc, char **argv)
{
    // "optimized" is about our forms: what cuSPARSE has best for compressed rows stands beside both.
    const std::vector<Case> cases = {
        { "sparse product, 5-point stencil", "f32", 4, [](size_t n) { return product<float>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil", "f64", 8, [](size_t n) { return product<double>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil, optimized", "f32", 4, [](size_t n) { return product<float>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil, optimized", "f64", 8, [](size_t n) { return product<double>(poisson, n); }, 4000000 },
        { "sparse product, 32 anywhere in a row", "f32", 4, [](size_t n) { return product<float>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row", "f64", 8, [](size_t n) { return product<double>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row, optimized", "f32", 4, [](size_t n) { return product<float>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row, optimized", "f64", 8, [](size_t n) { return product<double>(uniform, n); }, 2000000 },
        { "sparse product, power law", "f32", 4, [](size_t n) { return product<float>(power_law, n); }, 1000000 },
        { "sparse product, power law", "f64", 8, [](size_t n) { return product<double>(power_law, n); }, 1000000 },
        { "sparse product, power law, optimized", "f32", 4, [](size_t n) { return product<float>(power_law, n); }, 1000000 },
        { "sparse product, power law, optimized", "f64", 8, [](size_t n) { return product<double>(power_law, n); }, 1000000 },
    };
    return run_on_cuda(cases, argc, argv);
}
