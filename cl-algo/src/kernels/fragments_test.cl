// The product of two small matrices by fragments.cl, for the host to compare. `first` is an argument so that the compiler does
// not know the elements: those of the left matrix are first + line + number, those of the right matrix first + line + 2 number.

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

// A word of a chunk: one number, or two.
static inline uint test_word(const uint line, const uint word, const uint step, const uint first, const uint by)
{
#if FORMAT == 0
    return number_bits(first + line + by * (2 * step + word));
#else
    const uint k = 4 * step + 2 * word;
    return number_bits(first + line + by * k) | number_bits(first + line + by * (k + 1)) << 16;
#endif
}

static inline uint4 test_chunk(const uint lane, const uint first, const uint by)
{
    const uint line = FRAGMENT_LINE(lane), step = FRAGMENT_STEP(lane);
    return (uint4)(test_word(line, 0, step, first, by), test_word(line, 1, step, first, by),
        test_word(line + 8, 0, step, first, by), test_word(line + 8, 1, step, first, by));
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void test_fragments(PARAMETERS global uint *answers, const uint first)
{
    const uint me = get_local_id(0);
    const uint4 left = test_chunk(me, first, 1), right = test_chunk(me, first, 2);
    float total[2][4] = { { first, first, first, first }, { first, first, first, first } };
    MULTIPLY_FRAGMENTS(total[0], left, right.x, right.y);
    MULTIPLY_FRAGMENTS(total[1], left, right.z, right.w);
    for (uint k = 0; k < 8; ++k) {
        const uint row = FRAGMENT_LINE(me) + k % 4 / 2 * 8, column = k / 4 * 8 + 2 * FRAGMENT_STEP(me) + k % 2;
        answers[row * 16 + column] = (uint)total[k / 4][k % 4];
    }
    RETURN;
}
