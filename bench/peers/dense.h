// Dense matrices of small integers, and products of square ones. Include `harness.h` first.

// Returns `n` fresh integers from 0 to 15. Their sums and products are exact in any order.
template <typename T> std::vector<T> small_integers(const size_t n)
{
    return drawn<T>(n, [](const uint64_t bits) { return static_cast<T>(bits >> 60); });
}

// Two square matrices, stored row by row or transposed.
template <typename T> struct Factors {
    size_t edge;
    bool left_transposed, right_transposed;
    std::vector<T> a, b;

    // `n` is the number of elements of a matrix.
    Factors(const size_t n, const bool left_transposed, const bool right_transposed)
        : edge(std::lround(std::sqrt(n))), left_transposed(left_transposed), right_transposed(right_transposed),
          a(small_integers<T>(n)), b(small_integers<T>(n))
    {
    }

    T left(const size_t i, const size_t k) const { return left_transposed ? a[k * edge + i] : a[i * edge + k]; }
    T right(const size_t k, const size_t j) const { return right_transposed ? b[j * edge + k] : b[k * edge + j]; }

    // Throws an error unless some rows are those of the product. The host takes long for all of them.
    void check(const std::vector<T> &product) const
    {
        if (!verifies())
            return;
        for (const size_t i : { size_t(0), edge / 3, edge / 2, edge - 1 }) {
            std::vector<double> sums(edge, 0);
            for (size_t outer = 0; outer < edge; ++outer)
                for (size_t inner = 0; inner < edge; ++inner) {
                    // The matrix on the right is read in the order in which it is stored.
                    const size_t k = right_transposed ? inner : outer, j = right_transposed ? outer : inner;
                    sums[j] += double(left(i, k)) * right(k, j);
                }
            for (size_t j = 0; j < edge; ++j)
                expect(product[i * edge + j] == sums[j]);
        }
    }
};

// The edge of the small matrices that are multiplied in pairs, and the number of their elements.
const size_t small = 8, small_elements = small * small;

// Throws an error unless all products of pairs of small matrices are right.
inline void check_small(const std::vector<float> &a, const std::vector<float> &b, const std::vector<float> &products)
{
    for (size_t first = 0; first < products.size(); first += small_elements)
        for (size_t i = 0; i < small; ++i)
            for (size_t j = 0; j < small; ++j) {
                float sum = 0;
                for (size_t k = 0; k < small; ++k)
                    sum += a[first + i * small + k] * b[first + k * small + j];
                expect(products[first + i * small + j] == sum);
            }
}
