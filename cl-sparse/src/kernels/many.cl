// Products with several vectors at once. The vectors are interleaved: element j of x is VECTORS neighbouring numbers.
//
// The generator defines LOAD(k), the value of entry k; X_LOAD(i), element i of the interleaved vectors; TIMES and PLUS.

#if CHUNKED

// A work-item has contiguous rows, and multiplies them with BLOCK vectors at a time.
#define BLOCK 8

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void row_many(PARAMETERS OUTPUTS global const OFFSET *offsets, global const OFFSET *columns, global const ulong *cuts,
              const INDEX rows, const INDEX vectors)
{
    const INDEX last = (INDEX)cuts[get_group_id(0) + 1];
    for (INDEX row = (INDEX)cuts[get_group_id(0)]; row < last; ++row) {
        const INDEX begin = (INDEX)offsets[row], end = (INDEX)offsets[row + 1];
        INDEX first = 0;
        for (; vectors - first >= BLOCK; first += BLOCK) {
            ITEM total[BLOCK];
            for (uint j = 0; j < BLOCK; ++j)
                total[j] = INITIAL_LOAD(0);
            for (INDEX k = begin; k < end; ++k) {
                const ITEM value = LOAD(k);
                const INDEX at = (INDEX)columns[k] * vectors + first;
                for (uint j = 0; j < BLOCK; ++j)
                    total[j] = PLUS(total[j], TIMES(value, X_LOAD(at + j)));
            }
            for (uint j = 0; j < BLOCK; ++j)
                STORE(row * vectors + first + j, total[j]);
        }
        for (; first < vectors; ++first) {
            ITEM total = INITIAL_LOAD(0);
            for (INDEX k = begin; k < end; ++k)
                total = PLUS(total, TIMES(LOAD(k), X_LOAD((INDEX)columns[k] * vectors + first)));
            STORE(row * vectors + first, total);
        }
    }
    RETURN;
}

#else

// A work-item computes one number of the result. Neighbouring work-items read the same entry of the matrix, and
// neighbouring elements of the interleaved vectors.
#define STEPS 4

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_many(PARAMETERS OUTPUTS global const OFFSET *offsets, global const OFFSET *columns, const INDEX rows,
              const INDEX vectors)
{
    const INDEX at = get_global_id(0), row = at / vectors, vector = at % vectors;
    if (row >= rows)
        RETURN;
    const INDEX end = (INDEX)offsets[row + 1];
    INDEX k = (INDEX)offsets[row];
    ITEM total = INITIAL_LOAD(0);
    for (; end - k >= STEPS; k += STEPS) {
        ITEM term[STEPS];
#pragma unroll
        for (uint step = 0; step < STEPS; ++step)
            term[step] = TIMES(LOAD(k + step), X_LOAD((INDEX)columns[k + step] * vectors + vector));
        total = PLUS(total, PLUS(PLUS(term[0], term[1]), PLUS(term[2], term[3])));
    }
    for (; k < end; ++k)
        total = PLUS(total, TIMES(LOAD(k), X_LOAD((INDEX)columns[k] * vectors + vector)));
    STORE(at, total);
    RETURN;
}

#endif
