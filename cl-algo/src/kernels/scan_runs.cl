// Scan in two launches, for devices that give each work-item a contiguous piece: the first launch
// computes the total of each run, the second scans each run from the totals before it. A work-item has
// RUNS neighbouring runs and goes through all of them at once, since each is one chain of operations.
//
// Filled in: the input; the operator COMBINE; the input INITIAL, if HAS_INITIAL; the output. Values:
// PASS; EXCLUSIVE. Totals are kept as words, because not every type may be a kernel's parameter.

#define WORDS ((sizeof(ITEM) + 3) / 4)

typedef union {
    ITEM value;
    uint word[WORDS];
} item_words;

// Where run r of `runs` begins.
#define BEGIN(r) ((INDEX)((ulong)length * (r) / runs))

static inline ITEM read_total(global const uint *totals, const uint run)
{
    item_words words;
    for (uint k = 0; k < WORDS; ++k)
        words.word[k] = totals[run * WORDS + k];
    return words.value;
}

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS global uint *totals, const INDEX length)
{
    const uint runs = (uint)get_num_groups(0) * RUNS, own = (uint)get_group_id(0) * RUNS;
    ITEM total[RUNS];
    INDEX begin[RUNS], shortest = length;
    for (uint r = 0; r < RUNS; ++r) {
        begin[r] = BEGIN(own + r);
        shortest = min(shortest, BEGIN(own + r + 1) - begin[r]);
    }
    // Runs are never empty: there are at least as many items.
    for (uint r = 0; r < RUNS; ++r)
        total[r] = LOAD(begin[r]);
    for (INDEX i = 1; i < shortest; ++i) {
#pragma unroll
        for (uint r = 0; r < RUNS; ++r)
            total[r] = COMBINE(total[r], LOAD(begin[r] + i));
    }
    for (uint r = 0; r < RUNS; ++r) {
        for (INDEX i = begin[r] + shortest; i < BEGIN(own + r + 1); ++i)
            total[r] = COMBINE(total[r], LOAD(i));
        const item_words words = { .value = total[r] };
        for (uint k = 0; k < WORDS; ++k)
            totals[(own + r) * WORDS + k] = words.word[k];
    }
}

#else

// Stores the result of item i, and moves the prefix on.
#define STEP(i, prefix)                                     \
    {                                                       \
        const ITEM next_ = COMBINE(prefix, LOAD(i));        \
        STORE(i, EXCLUSIVE ? prefix : next_);               \
        prefix = next_;                                     \
    }

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS OUTPUTS global const uint *totals, const INDEX length)
{
    const uint runs = (uint)get_num_groups(0) * RUNS, own = (uint)get_group_id(0) * RUNS;
    ITEM before[RUNS];
    INDEX begin[RUNS], shortest = length;
    ITEM prefix;
    bool has_prefix = false;
#if HAS_INITIAL
    prefix = INITIAL_LOAD(0);
    has_prefix = true;
#endif
    for (uint r = 0; r < own; ++r) {
        const ITEM total = read_total(totals, r);
        prefix = has_prefix ? COMBINE(prefix, total) : total;
        has_prefix = true;
    }
    for (uint r = 0; r < RUNS; ++r) {
        begin[r] = BEGIN(own + r);
        shortest = min(shortest, BEGIN(own + r + 1) - begin[r]);
        // In place, the item must be read before it is overwritten: at once, since its run is ours.
        if (has_prefix) {
            before[r] = prefix;
            STEP(begin[r], before[r])
        } else {
            before[r] = LOAD(begin[r]);
            STORE(begin[r], before[r]);
        }
        const ITEM total = read_total(totals, own + r);
        prefix = has_prefix ? COMBINE(prefix, total) : total;
        has_prefix = true;
    }
    for (INDEX i = 1; i < shortest; ++i) {
#pragma unroll
        for (uint r = 0; r < RUNS; ++r)
            STEP(begin[r] + i, before[r])
    }
    for (uint r = 0; r < RUNS; ++r) {
        for (INDEX i = begin[r] + shortest; i < BEGIN(own + r + 1); ++i)
            STEP(i, before[r])
    }
}

#endif
