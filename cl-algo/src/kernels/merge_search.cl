// The search for a cut of a merge in memory. It goes before the kernels that search for cuts in launches of their own.
//
// A step divides the range into WAYS parts, a power of two, and loads the items between all parts at once. So with
// 4 parts a search waits for memory half as often as with 2, and loads half as many items again.

// Leaves in `low` the number of items of the first sequence among the first `diagonal` items of the merge. At the
// begin the number is at least `low` and at most `high`, and it stays so for any comparator. Items are A_AT(i) and
// B_AT(j).
#define SEARCH_MERGE_PATH(NUMBER, low, high, diagonal, A_AT, B_AT, WAYS)                                     \
    while (low < high) {                                                                                     \
        const NUMBER search_begin = low, search_length = high - low;                                         \
        bool goes_after[WAYS];                                                                               \
        _Pragma("unroll")                                                                                    \
        for (uint k = 1; k < WAYS; ++k) {                                                                    \
            const NUMBER at = search_begin + SEARCH_PROBE(search_length, k, WAYS);                           \
            const A_ITEM a = A_AT(at), b = B_AT(diagonal - 1 - at);                                          \
            goes_after[k] = LESS(b, a);                                                                      \
        }                                                                                                    \
        bool is_found = false;                                                                               \
        _Pragma("unroll")                                                                                    \
        for (uint k = 1; k < WAYS; ++k) {                                                                    \
            const NUMBER at = search_begin + SEARCH_PROBE(search_length, k, WAYS);                           \
            high = !is_found && goes_after[k] ? at : high;                                                   \
            is_found |= goes_after[k];                                                                       \
            low = is_found ? low : at + 1;                                                                   \
        }                                                                                                    \
    }

// The items of a range before probe `k`, fewer than all.
#define SEARCH_PROBE(length, k, WAYS) ((length) / WAYS * (k) + (length) % WAYS * (k) / WAYS)
