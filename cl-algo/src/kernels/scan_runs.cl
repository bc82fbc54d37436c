// Scan in two launches, for devices that give each work-item contiguous chunks: the first launch computes the
// total of each chunk, the second scans each chunk from the totals before it.
//
// Filled in: the input; the operator COMBINE; in the second launch the input INITIAL, if EXCLUSIVE, and the
// output. Values: PASS; EXCLUSIVE, 1 if an item's result leaves out its own value; then there is an initial item;
// CHAINS, the number of neighbouring chunks that a work-item scans in turn: an addition of floats takes several
// cycles, in which additions of the other chunks begin. Totals are kept as words, because not every type can be a
// kernel's parameter.
//
// Without an initial item, chunks begin after item 0. Each chunk has STEP items. The last work-item also scans the
// items after the last chunk, of which there are fewer than chunks.

#define WORDS ((sizeof(ITEM) + 3) / 4)

typedef VOLATILE union {
    VOLATILE ITEM value;
    VOLATILE uint word[WORDS];
} item_words;

#define RUNS (CHAINS * get_num_groups(0))
#define STEP ((INDEX)((length - !EXCLUSIVE) / RUNS))
#define BEGIN(r) ((INDEX)(r) * STEP + !EXCLUSIVE)

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS global uint *totals, const INDEX length)
{
    const uint first = CHAINS * get_group_id(0);
    const INDEX begin = BEGIN(first), step = STEP;
    // If the step is 0, this is the only work-item, and the second launch needs no totals.
    if (step > 0) {
        ITEM own[CHAINS], chain[CHAINS];
#pragma unroll 1
        for (uint c = 0; c < CHAINS; ++c)
            own[c] = LOAD(begin + c * step);
#if !EXCLUSIVE
        if (first == 0)
            own[0] = COMBINE(LOAD(0), own[0]);
#endif
#pragma unroll
        for (uint c = 0; c < CHAINS; ++c)
            chain[c] = own[c];
        for (INDEX i = begin + 1; i < begin + step; ++i) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c)
                chain[c] = COMBINE(chain[c], LOAD(i + c * step));
        }
        for (uint c = 0; c < CHAINS; ++c) {
            const item_words total = { .value = chain[c] };
            for (uint k = 0; k < WORDS; ++k)
                totals[(first + c) * WORDS + k] = total.word[k];
        }
    }
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS OUTPUTS global const uint *totals, const INDEX length)
{
    const uint first = CHAINS * get_group_id(0);
    const INDEX begin = BEGIN(first), step = STEP;
    ITEM prefix;
#if EXCLUSIVE
    prefix = INITIAL_LOAD(0);
#else
    // Item 0 may be overwritten, if the scan is in place: no other work-item reads it in this launch.
    if (first == 0) {
        prefix = LOAD(0);
        STORE(0, prefix);
    }
#endif
    if (step > 0) {
        ITEM before[CHAINS], chain[CHAINS];
        for (uint r = 0; r < first + CHAINS; ++r) {
            if (r >= first)
                before[r - first] = prefix;
            item_words total;
            for (uint k = 0; k < WORDS; ++k)
                total.word[k] = totals[r * WORDS + k];
            prefix = EXCLUSIVE || r > 0 ? COMBINE(prefix, total.value) : total.value;
        }
#pragma unroll
        for (uint c = 0; c < CHAINS; ++c)
            chain[c] = before[c];
        for (INDEX i = begin; i < begin + step; ++i) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c) {
                const ITEM next = COMBINE(chain[c], LOAD(i + c * step));
                STORE(i + c * step, EXCLUSIVE ? chain[c] : next);
                chain[c] = next;
            }
        }
        prefix = chain[CHAINS - 1];
    }
    if (first + CHAINS == RUNS) {
        for (INDEX i = BEGIN(RUNS); i < length; ++i) {
            const ITEM next = COMBINE(prefix, LOAD(i));
            STORE(i, EXCLUSIVE ? prefix : next);
            prefix = next;
        }
    }
    RETURN;
}

#endif
