// The product of two small matrices by matrix_units.cl, for the host to compare. `first` is an argument so that the compiler does
// not know the elements: those of the left matrix are first + line + number, those of the right matrix first + line + 2 number.

// The unit whose numbers begin with `number`, and grow by `by`.
#if FORMAT == 3
#define UNIT_NUMBERS 1
#define TEST_UNIT(number, by) (double)(number)
#elif FORMAT == 0
#define UNIT_NUMBERS 2
#define TEST_UNIT(number, by) (uint2)(unit_word(number, 0), unit_word((number) + (by), 0))
#else
#define UNIT_NUMBERS 4
#define TEST_UNIT(number, by) \
    (uint2)(unit_word(number, (number) + (by)), unit_word((number) + 2 * (by), (number) + 3 * (by)))
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void test_matrix_units(PARAMETERS global uint *answers, const uint first)
{
    const uint me = get_local_id(0), line = UNIT_LINE(me), step = UNIT_STEP(me), number = step * UNIT_NUMBERS;
#if FORMAT == 3
    double total[4] = { first, first, first, first };
#else
    float total[4] = { first, first, first, first };
#endif
    MULTIPLY_UNITS(total, TEST_UNIT(first + line + number, 1), TEST_UNIT(first + line + 8 + number, 1),
        TEST_UNIT(first + line + 2 * number, 2));
    for (uint k = 0; k < 4; ++k)
        answers[(line + k / 2 * 8) * 8 + 2 * step + k % 2] = (uint)total[k];
    RETURN;
}
