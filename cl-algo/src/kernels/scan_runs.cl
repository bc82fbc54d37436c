// Scan in two launches, for devices that give each work-item a contiguous piece: the first launch
// computes the total of each run, the second scans each run from the totals before it.
//
// Filled in: the input; the operator COMBINE; the input INITIAL, if HAS_INITIAL; the output. Values:
// PASS; EXCLUSIVE. Totals are kept as words, because not every type may be a kernel's parameter.

#define WORDS ((sizeof(ITEM) + 3) / 4)

typedef VOLATILE union {
    VOLATILE ITEM value;
    VOLATILE uint word[WORDS];
} item_words;

// Where run r begins. No run is empty: there are at least as many items.
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS global uint *totals, const INDEX length)
{
    const uint run = get_group_id(0);
    const INDEX begin = BEGIN(run), end = BEGIN(run + 1);
    item_words total = { .value = LOAD(begin) };
    for (INDEX i = begin + 1; i < end; ++i)
        total.value = COMBINE(total.value, LOAD(i));
    for (uint k = 0; k < WORDS; ++k)
        totals[run * WORDS + k] = total.word[k];
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS OUTPUTS global const uint *totals, const INDEX length)
{
    const uint run = get_group_id(0);
    const INDEX end = BEGIN(run + 1);
    INDEX i = BEGIN(run);
    ITEM prefix;
    bool has_prefix = false;
#if HAS_INITIAL
    prefix = INITIAL_LOAD(0);
    has_prefix = true;
#endif
    for (uint r = 0; r < run; ++r) {
        item_words total;
        for (uint k = 0; k < WORDS; ++k)
            total.word[k] = totals[r * WORDS + k];
        prefix = has_prefix ? COMBINE(prefix, total.value) : total.value;
        has_prefix = true;
    }
    if (!has_prefix) {
        prefix = LOAD(i);
        STORE(i, prefix);
        ++i;
    }
    for (; i < end; ++i) {
        const ITEM next = COMBINE(prefix, LOAD(i));
        STORE(i, EXCLUSIVE ? prefix : next);
        prefix = next;
    }
    RETURN;
}

#endif
