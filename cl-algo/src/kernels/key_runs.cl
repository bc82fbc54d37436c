// Runs of items whose neighbouring keys are equal, and the values that runs carry from item to item. Uses
// run_totals.cl.
//
// Filled in: the input KEY; the operator SAME(before, key), which is true if a key belongs to the run of the key
// before it; the input; the operator COMBINE; the input INITIAL, a single item, if HAS_INITIAL.

// The value of a run up to an item, from the value up to the item before, which is ignored for heads.
static inline ITEM next_value(PARAMETERS const bool head, const ITEM prefix, const ITEM item)
{
#if HAS_INITIAL
    return COMBINE(head ? INITIAL_LOAD(0) : prefix, item);
#else
    return head ? item : COMBINE(prefix, item);
#endif
}

// The value of a run up to a work-item's first item, as far as the run lies in the work-item's items.
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
