// Scans of runs in two launches, for devices that give each work-item a contiguous chunk. The first launch
// computes the total of the items from the last head of each chunk on. The second scans each chunk from the total
// before it. Uses key_runs.cl, whose inputs and operators are filled in, and the output. Values: PASS.
//
// The first launch reads a chunk from its end to its last head and no further: few items, if runs are short.
// Totals are kept as words, because not every type can be a kernel's parameter.

#define WORDS (sizeof(run_total) / 4)

typedef VOLATILE union {
    VOLATILE run_total total;
    VOLATILE uint word[WORDS];
} total_words;

// The index at which chunk r begins. No chunk is empty: there are at least as many items.
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_by_key_runs(PARAMETERS global uint *totals, const INDEX length)
{
    const uint piece = get_group_id(0);
    const INDEX begin = BEGIN(piece), end = BEGIN(piece + 1);
    INDEX from = end - 1;
    while (from > begin && SAME(KEY_LOAD(from - 1), KEY_LOAD(from)))
        --from;
    const bool head = is_head(ARGUMENTS from);
    total_words words;
    words.total.heads = head ? 1 : 0;
    ITEM value = first_value(ARGUMENTS head, LOAD(from));
    for (INDEX i = from + 1; i < end; ++i)
        value = COMBINE(value, LOAD(i));
    words.total.value = value;
    for (uint k = 0; k < WORDS; ++k)
        totals[piece * WORDS + k] = words.word[k];
    RETURN;
}

#else

// Stores the result of an item; `prefix` is the value up to the item before it. Returns the value up to this item.
static inline ITEM scan_item(PARAMETERS OUTPUTS const INDEX i, const bool head, const ITEM prefix)
{
    const ITEM value = next_value(ARGUMENTS head, prefix, LOAD(i));
#if HAS_INITIAL
    STORE(i, head ? INITIAL_LOAD(0) : prefix);
#else
    STORE(i, value);
#endif
    return value;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_by_key_runs(PARAMETERS OUTPUTS global const uint *totals, const INDEX length)
{
    const uint piece = get_group_id(0);
    const INDEX begin = BEGIN(piece), end = BEGIN(piece + 1);
    total_words before;
    for (uint r = 0; r < piece; ++r) {
        total_words next;
        for (uint k = 0; k < WORDS; ++k)
            next.word[k] = totals[r * WORDS + k];
        before.total = r == 0 ? next.total : join_runs(ARGUMENTS before.total, next.total);
    }
    ITEM value = LOAD(begin);
    const bool head = is_head(ARGUMENTS begin);
    value = scan_item(ARGUMENTS OUTPUT_ARGUMENTS begin, head, piece > 0 ? before.total.value : value);
    for (INDEX i = begin + 1; i < end; ++i)
        value = scan_item(ARGUMENTS OUTPUT_ARGUMENTS i, !SAME(KEY_LOAD(i - 1), KEY_LOAD(i)), value);
    RETURN;
}

#endif
