// The product of a step of two matrices of 64 lines by fragments.cl, for the host to compare. `first` is an argument so that
// the compiler does not know the elements: those of the left matrix are first + line + number, those of the right matrix
// first + line + 2 number.

// The bits of an integer below 256 as a number of the format.
static inline uint number_bits(const uint number)
{
    const uint bits = as_uint((float)number);
#if FORMAT == 0
    return bits;
#elif FORMAT == 1
    return bits >> 16;
#else
    return (bits >> 13) - (112u << 10);
#endif
}

// Writes a chunk whose numbers begin with `number`, and grow by `by`.
static inline void put_test_chunk(local uint *const chunk, const uint number, const uint by)
{
    for (uint word = 0; word < 4; ++word) {
#if FORMAT == 0
        chunk[word] = number_bits(number + by * word);
#else
        chunk[word] = number_bits(number + by * 2 * word) | number_bits(number + by * (2 * word + 1)) << 16;
#endif
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void test_fragments(PARAMETERS global uint *answers, const uint first)
{
    local uint words[2][128 * 4] __attribute__((aligned(128)));
    const uint me = get_local_id(0), line = me / 16 * 8 + me % 8, number = me / 8 % 2 * AT_ONCE;
    put_test_chunk(words[0] + 4 * me, first + line + number, 1);
    put_test_chunk(words[1] + 4 * me, first + line + 2 * number, 2);
    asm volatile("fence.proxy.async;" ::: "memory");
    barrier(CLK_LOCAL_MEM_FENCE);
    float total[WIDTH / 2];
    for (uint k = 0; k < WIDTH / 2; ++k)
        total[k] = first;
    BEGIN_PRODUCTS;
    MULTIPLY_FRAGMENTS(total, FRAGMENTS_AT((uint)(size_t)words[0]), FRAGMENTS_AT((uint)(size_t)words[1]), 1);
    COMMIT_PRODUCTS;
    AWAIT_PRODUCTS(0);
    SETTLE_TOTALS(total);
    for (uint k = 0; k < WIDTH / 2; ++k) {
        const uint row = FRAGMENT_LINE(me) + k / 2 % 2 * 8, column = k / 4 * 8 + FRAGMENT_COLUMN(me) + k % 2;
        answers[row * WIDTH + column] = (uint)total[k];
    }
    RETURN;
}
