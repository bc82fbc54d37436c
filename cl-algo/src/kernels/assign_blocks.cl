// Elementwise evaluation of an index space with inputs that are contiguous across rows, as in a transposition.
//
// The unit of work is a block: one pack of each of BLOCK neighbouring rows. BEGIN_BLOCK(p) reads the elements of such
// inputs across the rows, so that each line of memory is read once, into private memory. LOAD_PACK takes them from there.
// The rows of a block agree in all coordinates but one, of which there are `across`.
//
// Units are taken in squares of SQUARE blocks by SQUARE packs: a CPU finds the pages of a square in its translation
// buffer, and a GPU the lines in its caches. `squares_across` and `squares_along` are the numbers of squares in the two
// directions. `across_upper` and `across_shift` divide by the first, `along_upper` and `along_shift` by the second.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_blocks(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX rows, const INDEX across,
    const INDEX squares_across, const INDEX squares_along, const INDEX across_upper, const INDEX across_shift,
    const INDEX along_upper, const INDEX along_shift)
{
    const INDEX packs = length / PACK;
    const INDEX units = rows / across * squares_across * squares_along * (SQUARE * SQUARE);
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX square = unit / (SQUARE * SQUARE), within = unit % (SQUARE * SQUARE);
        const INDEX line = divided(square, along_upper, along_shift), along = square - line * squares_along;
        const INDEX outer = divided(line, across_upper, across_shift), beside = line - outer * squares_across;
        const INDEX p = along * SQUARE + within % SQUARE, begin = (beside * SQUARE + within / SQUARE) * BLOCK;
        const INDEX top = outer * across + begin;
        if (begin >= across || p * PACK >= length)
            continue;
        if (p < packs && begin + BLOCK <= across) {
            BEGIN_ROW(top)
            BEGIN_BLOCK(p)
#pragma unroll
            for (uint k = 0; k < BLOCK; ++k) {
                BEGIN_ROW(top + k)
                BEGIN_BLOCK_ROW(k)
                STORE_PACK(p, LOAD_PACK(p));
            }
        } else {
            const INDEX bottom = begin + BLOCK < across ? top + BLOCK : (outer + 1) * across;
            const INDEX end = p < packs ? (p + 1) * PACK : length;
            for (INDEX row = top; row < bottom; ++row) {
                BEGIN_ROW(row)
                NO_BLOCK
                for (INDEX i = p * PACK; i < end; ++i)
                    STORE(i, LOAD(i));
            }
        }
    }
    RETURN;
}
