// Measures cuSPARSE for the products of the benchmark, under the same case names. `harness.h` describes the
// arguments. Indices have 32 bits. Each product runs by the algorithm that is fastest for the matrix. The
// preparation of each algorithm is not timed. The algorithms work on compressed rows, and in the cases
// "optimized" on sliced ELL, too.

#include <cusparse.h>

#include <memory>

#include "harness.h"
#include "matrices.h"

static void check(const cusparseStatus_t status)
{
    if (status != CUSPARSE_STATUS_SUCCESS)
        throw std::runtime_error(cusparseGetErrorString(status));
}

// A vector in device memory.
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
    size_t size() const { return length; }
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

// Keeps the last matrix: a matrix's case for `double` follows its case for `float`.
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

// A matrix in sliced ELL: each slice of rows is as wide as its longest row, and is stored column by column.
struct Slices {
    static const int rows = 32;
    std::vector<int> offsets, columns;
    std::vector<float> values;

    explicit Slices(const Matrix &host) : offsets(1, 0)
    {
        for (size_t first = 0; first < host.rows; first += rows) {
            const size_t end = std::min(first + rows, host.rows);
            uint32_t width = 0;
            for (size_t row = first; row < end; ++row)
                width = std::max(width, host.offsets[row + 1] - host.offsets[row]);
            for (uint32_t k = 0; k < width; ++k)
                for (size_t row = first; row < first + rows; ++row) {
                    const bool is_there = row < end && k < host.offsets[row + 1] - host.offsets[row];
                    columns.push_back(is_there ? static_cast<int>(host.columns[host.offsets[row] + k]) : -1);
                    values.push_back(is_there ? host.values[host.offsets[row] + k] : 0);
                }
            offsets.push_back(static_cast<int>(columns.size()));
        }
    }
};

// The arrays of a matrix, which several descriptions of it share.
template <typename T> struct Arrays {
    Vector<int> offsets, columns;
    Vector<T> values;

    // `from` has `offsets`, `columns` and `values`.
    template <typename From>
    explicit Arrays(const From &from)
        : offsets(std::vector<int>(from.offsets.begin(), from.offsets.end())),
          columns(std::vector<int>(from.columns.begin(), from.columns.end())),
          values(std::vector<T>(from.values.begin(), from.values.end()))
    {
    }
};

static cusparseHandle_t handle()
{
    static cusparseHandle_t one = nullptr;
    if (!one)
        check(cusparseCreate(&one));
    return one;
}

// A matrix, a vector, and their product by one of the algorithms.
template <typename T> class Product {
    std::shared_ptr<Arrays<T>> arrays;
    std::shared_ptr<Vector<T>> x;
    Vector<T> y;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t from, to;
    cusparseSpMVAlg_t algorithm;
    std::unique_ptr<Vector<char>> buffer;
    const T one = 1, zero = 0;

    void prepare()
    {
        check(cusparseCreateDnVec(&from, x->size(), x->get(), TypeOf<T>::type));
        check(cusparseCreateDnVec(&to, y.size(), y.get(), TypeOf<T>::type));
        size_t bytes;
        check(cusparseSpMV_bufferSize(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                                      TypeOf<T>::type, algorithm, &bytes));
        buffer.reset(new Vector<char>(bytes));
    }

public:
    // A product with compressed rows.
    Product(const Matrix &host, const std::shared_ptr<Arrays<T>> &arrays, const std::shared_ptr<Vector<T>> &x,
            const cusparseSpMVAlg_t algorithm)
        : arrays(arrays), x(x), y(host.rows), algorithm(algorithm)
    {
        check(cusparseCreateCsr(&matrix, host.rows, host.rows, host.entries(), arrays->offsets.get(), arrays->columns.get(),
                                arrays->values.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                TypeOf<T>::type));
        prepare();
        check(cusparseSpMV_preprocess(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                                      TypeOf<T>::type, algorithm, buffer->get()));
    }
    // A product with sliced ELL.
    Product(const Matrix &host, const Slices &slices, const std::shared_ptr<Vector<T>> &x)
        : arrays(std::make_shared<Arrays<T>>(slices)), x(x), y(host.rows), algorithm(CUSPARSE_SPMV_SELL_ALG1)
    {
        check(cusparseCreateSlicedEll(&matrix, host.rows, host.rows, host.entries(), slices.values.size(), Slices::rows,
                                      arrays->offsets.get(), arrays->columns.get(), arrays->values.get(),
                                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, TypeOf<T>::type));
        prepare();
    }
    Product(const Product &) = delete;
    ~Product()
    {
        cusparseDestroyDnVec(from);
        cusparseDestroyDnVec(to);
        cusparseDestroySpMat(matrix);
    }

    void multiply() const
    {
        check(cusparseSpMV(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, TypeOf<T>::type,
                           algorithm, buffer->get()));
    }
    std::vector<T> result() const { return y.to_host(); }

    // Returns the milliseconds of the fastest of several calls.
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

// The product by the fastest algorithm. Every algorithm must give the exact result, because all numbers are
// small integers.
template <typename T> static Work product(const Make make, const size_t rows, const bool is_optimized = false)
{
    const Matrix &host = made(make, rows);
    std::vector<T> numbers(host.rows);
    for (size_t i = 0; i < host.rows; ++i)
        numbers[i] = static_cast<T>(whole(i));
    const std::vector<T> expected = verifies() ? host.times(numbers) : std::vector<T>();
    const auto arrays = std::make_shared<Arrays<T>>(host);
    const auto x = std::make_shared<Vector<T>>(numbers);
    std::shared_ptr<Product<T>> best;
    float least = 0;
    const auto try_one = [&](const std::shared_ptr<Product<T>> one, const char *const name) {
        const float time = one->fastest();
        if (verifies() && one->result() != expected)
            throw std::runtime_error(std::string("wrong result of ") + name);
        std::fprintf(stderr, "%zu rows, %zu entries of %zu bytes, %s: %.1f us\n", host.rows, host.entries(), sizeof(T), name,
                     1e3 * time);
        if (!best || time < least) {
            best = one;
            least = time;
        }
    };
    try_one(std::make_shared<Product<T>>(host, arrays, x, CUSPARSE_SPMV_ALG_DEFAULT), "default");
    try_one(std::make_shared<Product<T>>(host, arrays, x, CUSPARSE_SPMV_CSR_ALG1), "CSR, 1");
    try_one(std::make_shared<Product<T>>(host, arrays, x, CUSPARSE_SPMV_CSR_ALG2), "CSR, 2");
    if (is_optimized) {
        const Slices slices(host);
        // A matrix with rows by a power law would be mostly padding.
        if (slices.values.size() <= 4 * host.entries())
            try_one(std::make_shared<Product<T>>(host, slices, x), "sliced ELL");
    }
    return Work([=] { best->multiply(); });
}

int main(const int argc, char **argv)
{
    const std::vector<Case> cases = {
        { "sparse product, 5-point stencil", "f32", 4, [](size_t n) { return product<float>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil", "f64", 8, [](size_t n) { return product<double>(poisson, n); }, 4000000 },
        { "sparse product, 5-point stencil, optimized", "f32", 4, [](size_t n) { return product<float>(poisson, n, true); }, 4000000 },
        { "sparse product, 5-point stencil, optimized", "f64", 8, [](size_t n) { return product<double>(poisson, n, true); }, 4000000 },
        { "sparse product, 32 anywhere in a row", "f32", 4, [](size_t n) { return product<float>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row", "f64", 8, [](size_t n) { return product<double>(uniform, n); }, 2000000 },
        { "sparse product, 32 anywhere in a row, optimized", "f32", 4, [](size_t n) { return product<float>(uniform, n, true); }, 2000000 },
        { "sparse product, 32 anywhere in a row, optimized", "f64", 8, [](size_t n) { return product<double>(uniform, n, true); }, 2000000 },
        { "sparse product, power law", "f32", 4, [](size_t n) { return product<float>(power_law, n); }, 1000000 },
        { "sparse product, power law", "f64", 8, [](size_t n) { return product<double>(power_law, n); }, 1000000 },
        { "sparse product, power law, optimized", "f32", 4, [](size_t n) { return product<float>(power_law, n, true); }, 1000000 },
        { "sparse product, power law, optimized", "f64", 8, [](size_t n) { return product<double>(power_law, n, true); }, 1000000 },
    };
    return run_on_cuda(cases, argc, argv);
}
