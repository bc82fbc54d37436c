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

// Narrows the range from `low` to `high`, as far as items at multiples of SEARCH_STRIDE tell. All searches of a launch
// read the same ones of these items, so most of the loads come from a cache. Afterwards the range has at most 4 strides.
//
// If the item `at` of the first sequence goes behind the item `below` of the second one, and not behind the item
// `above`, then its index in the output and `diagonal` differ by a stride at most.
#define SEARCH_STRIDE 1024
#define NARROW_MERGE_PATH(NUMBER, low, high, b_length, diagonal, A_AT, B_AT)                                 \
    while (high - low > 4 * SEARCH_STRIDE) {                                                                 \
        const NUMBER at = (low + (high - low) / 2) / SEARCH_STRIDE * SEARCH_STRIDE, other = diagonal - 1 - at; \
        const NUMBER below = other / SEARCH_STRIDE * SEARCH_STRIDE;                                          \
        const NUMBER above = min(below + SEARCH_STRIDE, b_length - 1);                                       \
        const A_ITEM a = A_AT(at), b_below = B_AT(below), b_above = B_AT(above);                             \
        const bool is_after_below = LESS(b_below, a), is_after_above = LESS(b_above, a);                     \
        if (is_after_below && !is_after_above) {                                                             \
            low = max(low, at - SEARCH_STRIDE);                                                              \
            high = min(high, at + SEARCH_STRIDE);                                                            \
            break;                                                                                           \
        }                                                                                                    \
        low = is_after_below ? low : at + 1;                                                                 \
        high = is_after_below ? at : high;                                                                   \
    }
