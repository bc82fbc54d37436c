// The sparse matrices of the benchmark. bench/src/cases/sparse.rs makes the same ones, entry for entry, by
// generators of cl-sparse with the words of cl-random's Philox 4x32.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

// A matrix in compressed rows, whose values are small integers.
struct Matrix {
    size_t rows;
    std::vector<uint32_t> offsets, columns;
    std::vector<float> values;

    explicit Matrix(const size_t rows) : rows(rows), offsets(1, 0) {}
    void entry(const size_t column, const float value)
    {
        columns.push_back(static_cast<uint32_t>(column));
        values.push_back(value);
    }
    void end_row() { offsets.push_back(static_cast<uint32_t>(columns.size())); }
    size_t entries() const { return columns.size(); }

    // Returns the product with `x`.
    template <typename T> std::vector<T> times(const std::vector<T> &x) const
    {
        std::vector<T> y(rows, T(0));
        for (size_t row = 0; row < rows; ++row)
            for (uint32_t k = offsets[row]; k < offsets[row + 1]; ++k)
                y[row] += T(values[k]) * x[columns[k]];
        return y;
    }
};

// Philox with ten rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11),
// word by word from the first block on.
class Words {
    uint64_t blocks = 0, seed;
    std::array<uint32_t, 4> block {};
    unsigned used = 4;

    void next_block()
    {
        block = { static_cast<uint32_t>(blocks), static_cast<uint32_t>(blocks >> 32), 0, 0 };
        uint32_t key[2] = { static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32) };
        for (int round = 0; round < 10; ++round) {
            const uint64_t a = uint64_t(0xD2511F53) * block[0], b = uint64_t(0xCD9E8D57) * block[2];
            block = { static_cast<uint32_t>(b >> 32) ^ block[1] ^ key[0], static_cast<uint32_t>(b),
                      static_cast<uint32_t>(a >> 32) ^ block[3] ^ key[1], static_cast<uint32_t>(a) };
            key[0] += 0x9E3779B9;
            key[1] += 0xBB67AE85;
        }
        ++blocks;
        used = 0;
    }

public:
    explicit Words(const uint64_t seed) : seed(seed) {}

    uint32_t word()
    {
        if (used == 4)
            next_block();
        return block[used++];
    }
    uint64_t two_words()
    {
        const uint64_t low = word();
        return low | static_cast<uint64_t>(word()) << 32;
    }
    // Returns a number in [0, 1).
    float unit_float() { return (word() >> 8) / 16777216.0f; }
    double unit_double() { return (two_words() >> 11) / 9007199254740992.0; }
    size_t below(const size_t bound) { return static_cast<size_t>(static_cast<unsigned __int128>(two_words()) * bound >> 64); }
};

// Chooses `count` of the numbers below a bound, in increasing order.
inline void choose(const size_t count, const size_t bound, Words &words, std::vector<size_t> &chosen)
{
    chosen.clear();
    // If these are more than half of the numbers, the ones to leave out are chosen.
    const size_t few = std::min(count, bound - count);
    while (chosen.size() < few) {
        for (size_t missing = few - chosen.size(); missing > 0; --missing)
            chosen.push_back(words.below(bound));
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
    if (few < count) {
        std::vector<size_t> rest;
        for (size_t number = 0, at = 0; number < bound; ++number) {
            if (at < chosen.size() && chosen[at] == number)
                ++at;
            else
                rest.push_back(number);
        }
        chosen = rest;
    }
}

const uint64_t MATRIX_SEED = 20261122;

// The five-point stencil on a square grid.
inline Matrix poisson(const size_t rows)
{
    size_t edge = static_cast<size_t>(std::sqrt(static_cast<double>(rows)));
    while (edge * edge > rows)
        --edge;
    while ((edge + 1) * (edge + 1) <= rows)
        ++edge;
    Matrix matrix(edge * edge);
    for (size_t i = 0; i < edge; ++i)
        for (size_t j = 0; j < edge; ++j) {
            const size_t row = i * edge + j;
            if (i > 0)
                matrix.entry(row - edge, -1);
            if (j > 0)
                matrix.entry(row - 1, -1);
            matrix.entry(row, 4);
            if (j + 1 < edge)
                matrix.entry(row + 1, -1);
            if (i + 1 < edge)
                matrix.entry(row + edge, -1);
            matrix.end_row();
        }
    return matrix;
}

// Reads a matrix from the folder of BENCH_MATRICES, or makes it and writes it there, as bench/src/matrices.rs does: words of
// 32 bits with the number of rows, the number of entries, the offsets, the columns and the values.
template <typename Make> Matrix kept(const char *const name, const size_t rows, const Make make)
{
    const char *const folder = std::getenv("BENCH_MATRICES");
    if (!folder)
        return make(rows);
    const std::string path = std::string(folder) + "/" + name + "-" + std::to_string(rows);
    uint32_t counts[2];
    if (std::FILE *const file = std::fopen(path.c_str(), "rb")) {
        bool is_whole = std::fread(counts, 4, 2, file) == 2;
        Matrix matrix(counts[0]);
        const auto read = [&](auto &vector, const size_t count) {
            vector.resize(count);
            is_whole = is_whole && std::fread(vector.data(), 4, count, file) == count;
        };
        read(matrix.offsets, size_t(counts[0]) + 1);
        read(matrix.columns, counts[1]);
        read(matrix.values, counts[1]);
        std::fclose(file);
        if (is_whole)
            return matrix;
    }
    const Matrix matrix = make(rows);
    // Another process may write the same matrix: a file has its name as soon as it is complete.
    const std::string own = path + "." + std::to_string(static_cast<uint64_t>(std::random_device()()));
    if (std::FILE *const file = std::fopen(own.c_str(), "wb")) {
        counts[0] = static_cast<uint32_t>(matrix.rows);
        counts[1] = static_cast<uint32_t>(matrix.entries());
        bool is_whole = std::fwrite(counts, 4, 2, file) == 2;
        const auto write = [&](const auto &vector) {
            is_whole = is_whole && std::fwrite(vector.data(), 4, vector.size(), file) == vector.size();
        };
        write(matrix.offsets);
        write(matrix.columns);
        write(matrix.values);
        if (std::fclose(file) == 0 && is_whole)
            std::rename(own.c_str(), path.c_str());
    }
    return matrix;
}

// A matrix with 32 entries in each row, at random columns.
inline Matrix make_uniform(const size_t rows)
{
    Words words(MATRIX_SEED);
    Matrix matrix(rows);
    std::vector<size_t> chosen;
    for (size_t row = 0; row < rows; ++row) {
        choose(std::min<size_t>(32, rows), rows, words, chosen);
        for (const size_t column : chosen)
            matrix.entry(column, words.unit_float() < 0.5f ? -1 : 1);
        matrix.end_row();
    }
    return matrix;
}

// A matrix whose rows have at least 8 entries, with lengths by a power law; the longest row has a ninth of all
// columns.
inline Matrix make_power_law(const size_t rows)
{
    const size_t shortest = std::min<size_t>(8, rows), longest = std::min(std::max<size_t>(rows / 9, 8), rows);
    const double exponent = 2.3;
    Words words(MATRIX_SEED);
    Matrix matrix(rows);
    std::vector<size_t> chosen;
    for (size_t row = 0; row < rows; ++row) {
        const double chance = 1.0 - words.unit_double();
        const size_t length = static_cast<size_t>(shortest * std::pow(chance, -1.0 / (exponent - 1.0)));
        choose(std::min(std::max(length, shortest), longest), rows, words, chosen);
        for (const size_t column : chosen)
            matrix.entry(column, 1);
        matrix.end_row();
    }
    return matrix;
}

inline Matrix uniform(const size_t rows)
{
    return kept("random", rows, make_uniform);
}

inline Matrix power_law(const size_t rows)
{
    return kept("power-law", rows, make_power_law);
}

// Returns an element of the vector that matrices are multiplied with.
inline double whole(const size_t i)
{
    return static_cast<double>(i % 7) - 3;
}
