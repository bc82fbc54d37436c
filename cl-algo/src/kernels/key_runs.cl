// Runs of items whose neighbouring keys are equal: what those before an item mean to it.
//
// The first item of a run is its head. Filled in: the input KEY; the operator SAME(before, key), whether
// a key belongs to the run of the one before it; the input; the operator COMBINE; the input INITIAL, a
// single item, if HAS_INITIAL.

// Of some neighbouring items.
typedef VOLATILE struct {
    VOLATILE ITEM value;  // of those from the last head on, or of all where none is a head
    VOLATILE INDEX heads; // how many there are
} run_total;

static inline run_total join_runs(PARAMETERS const run_total a, const run_total b)
{
    const run_total joined = {
        .value = b.heads > 0 ? b.value : COMBINE(a.value, b.value),
        .heads = a.heads + b.heads,
    };
    return joined;
}

// The value of a run up to an item, from that up to the item before, which does not matter to heads.
static inline ITEM next_value(PARAMETERS const bool head, const ITEM prefix, const ITEM item)
{
#if HAS_INITIAL
    return COMBINE(head ? INITIAL_LOAD(0) : prefix, item);
#else
    return head ? item : COMBINE(prefix, item);
#endif
}

// The same where the item before is somebody else's.
static inline ITEM first_value(PARAMETERS const bool head, const ITEM item)
{
#if HAS_INITIAL
    return head ? COMBINE(INITIAL_LOAD(0), item) : item;
#else
    return item;
#endif
}

static inline bool is_head(PARAMETERS const INDEX i)
{
    return i == 0 || !SAME(KEY_LOAD(i - 1), KEY_LOAD(i));
}
