// Totals of neighbouring items that are divided into runs. The first item of a run is its head.
//
// Filled in: the input; the operator COMBINE.

// The total of some neighbouring items.
typedef VOLATILE struct {
    VOLATILE ITEM value;  // of the items from the last head on, or of all if none is a head
    VOLATILE INDEX heads; // the number of heads
} run_total;

static inline run_total join_runs(PARAMETERS const run_total a, const run_total b)
{
    const run_total joined = {
        .value = b.heads > 0 ? b.value : COMBINE(a.value, b.value),
        .heads = a.heads + b.heads,
    };
    return joined;
}

