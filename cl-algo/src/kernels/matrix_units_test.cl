// The product of two small matrices by matrix_units.cl, for the host to compare. `first` is an argument so that the
// compiler does not know the elements.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void test_matrix_units(PARAMETERS global uint *answers, const uint first)
{
    const uint me = get_local_id(0), line = UNIT_LINE(me), step = UNIT_STEP(me);
    double total[4] = { first, first, first, first };
    MULTIPLY_TILES(total, (double)(first + 4 * line + step), (double)(first + 4 * (line + 8) + step),
        (double)(first + 8 * step + line));
    for (uint k = 0; k < 4; ++k)
        answers[(line + k / 2 * 8) * 8 + 2 * step + k % 2] = (uint)total[k];
    RETURN;
}
