// Merge path: the cuts of two sorted sequences after a given number of merged items (Green, McColl and Bader, GPU
// Merge Path, ICS 2012). It goes before the kernels that merge.
//
// Equal items keep their order, all of the first sequence before those of the second. The comparator LESS(a, b)
// should be a strict weak order, and only compares items that exist. With any other comparator a search still
// returns a number between the ends, but searches on two diagonals may contradict each other. So on CPUs only
// part_of_pair divides a pair: each part begins where the part before it ends, in both sequences, and the parts
// together have each item once, whatever the comparator returns. On GPUs see consistent_cut in merge.cl.
//
// Filled in: the inputs A and B, of items of one type; the comparator. Value: RUNS, the sequences that are merged:
// 0 for A with B, 1 for neighbouring pairs of sorted runs of A, which is also B. (ITEM_BYTES only affects the
// shape.)

// A pair of sequences, and the index in the output at which its merge begins.
typedef VOLATILE struct {
    VOLATILE INDEX a, a_length;
    VOLATILE INDEX b, b_length;
    VOLATILE INDEX begin;
} pair_of_runs;

// The parameters that describe the merge, and the pair that writes to an index of the output.
#if RUNS
#define PAIRS const INDEX length, const INDEX width
#define PAIRS_TOTAL length
#define PAIR_AT(at) pair_at(length, width, at)
static inline pair_of_runs pair_at(const INDEX length, const INDEX width, const INDEX at)
{
    const INDEX begin = at / (2 * width) * (2 * width);
    const INDEX middle = begin + min(width, length - begin);
    const pair_of_runs pair = { begin, middle - begin, middle, min(width, length - middle), begin };
    return pair;
}
#else
#define PAIRS const INDEX a_length, const INDEX b_length
#define PAIRS_TOTAL (a_length + b_length)
#define PAIR_AT(at) pair_of(a_length, b_length)
static inline pair_of_runs pair_of(const INDEX a_length, const INDEX b_length)
{
    const pair_of_runs pair = { 0, a_length, 0, b_length, 0 };
    return pair;
}
#endif

// The part of a pair between two diagonals, given the cut on each.
static inline pair_of_runs part_of_pair(
    const pair_of_runs pair,
    const INDEX from,
    const INDEX from_cut,
    const INDEX to,
    const INDEX to_cut)
{
    const pair_of_runs part = {
        pair.a + from_cut,
        to_cut - from_cut,
        pair.b + (from - from_cut),
        (to - to_cut) - (from - from_cut),
        pair.begin + from,
    };
    return part;
}

// The number of items of the first sequence among the first `diagonal` items of a pair's merge.
static inline INDEX merge_path(PARAMETERS const pair_of_runs pair, const INDEX diagonal)
{
    INDEX low = diagonal - min(diagonal, pair.b_length), high = min(diagonal, pair.a_length);
    while (low < high) {
        const INDEX middle = low + (high - low) / 2;
        const A_ITEM a = A_LOAD(pair.a + middle), b = B_LOAD(pair.b + (diagonal - 1 - middle));
        const bool goes_after = LESS(b, a);
        low = goes_after ? low : middle + 1;
        high = goes_after ? middle : high;
    }
    return low;
}
