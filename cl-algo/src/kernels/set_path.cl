// Cuts of two sorted sequences into pieces that a set operation can work on independently. It goes before the
// kernels of set operations.
//
// Item number i of a run of equal items in the first sequence is the partner of item number i of the run in the
// second. In the balanced order, equal items are ordered by their numbers, and an item of the first sequence
// goes just before its partner (balanced path: S. Baxter, moderngpu, 2013). So a piece that begins between two
// pairs finds the same partners as the whole sequences: it needs no numbers, and the loop of the STL's
// algorithms.
//
// A cut is searched for in logarithmic time, however long the runs are. For any comparator it lies in both
// sequences. The cuts of a comparator that is not a strict weak order may contradict each other, and pieces may
// then overlap: kernels bound what they load and store.
//
// Filled in: the inputs A and B, of items of one type; the comparator LESS(a, b). Values: FIRST, SECOND and
// BOTH, 1 if an item of the first sequence without a partner is stored, an item of the second without one, and
// the first of two partners.

// Defines the function NAME_cut, with numbers of type NUMBER and items A_AT(i) and B_AT(j). It returns the
// number of items of the first sequence among the first `diagonal` items of the balanced order, and the number
// of items of the second: *b_cut. If `diagonal` lies between two partners, the cut is before both. WAYS is that of
// merge_search.cl, which goes before.
#define DEFINE_BALANCED_CUT(NAME, NUMBER, SEQUENCES, A_AT, B_AT, WAYS)                                       \
    static inline NUMBER NAME##_cut(PARAMETERS SEQUENCES const NUMBER a_length, const NUMBER b_length,       \
                              const NUMBER diagonal, NUMBER *b_cut)                                          \
    {                                                                                                        \
        /* First the cut in the order of a merge: of equal items, those of the first sequence go first. */   \
        NUMBER i = diagonal - min(diagonal, b_length), i_high = min(diagonal, a_length);                     \
        SEARCH_MERGE_PATH(NUMBER, i, i_high, diagonal, A_AT, B_AT, WAYS)                                     \
        NUMBER j = diagonal - i;                                                                             \
        *b_cut = j;                                                                                          \
        if (diagonal == 0 || diagonal == a_length + b_length)                                                \
            return i;                                                                                        \
        A_ITEM last;                                                                                         \
        if (j == 0) {                                                                                        \
            last = A_AT(i - 1);                                                                              \
        } else {                                                                                             \
            last = B_AT(j - 1);                                                                              \
            if (i > 0) {                                                                                     \
                const A_ITEM a = A_AT(i - 1);                                                                \
                if (LESS(last, a))                                                                           \
                    last = a;                                                                                \
            }                                                                                                \
        }                                                                                                    \
        /* The beginning of the last item's run in both sequences, in steps that double. */                  \
        NUMBER a_run = i, b_run = j, before = 0;                                                             \
        for (NUMBER step = 1; a_run > before; step *= 2) {                                                   \
            const NUMBER probe = a_run - min(step, a_run);                                                   \
            const A_ITEM item = A_AT(probe);                                                                 \
            before = LESS(item, last) ? probe + 1 : before;                                                  \
            a_run = before > 0 ? a_run : probe;                                                              \
            if (before > 0)                                                                                  \
                break;                                                                                       \
        }                                                                                                    \
        while (before < a_run) {                                                                             \
            const NUMBER middle = before + (a_run - before) / 2;                                             \
            const A_ITEM item = A_AT(middle);                                                                \
            const bool is_before = LESS(item, last);                                                         \
            before = is_before ? middle + 1 : before;                                                        \
            a_run = is_before ? a_run : middle;                                                              \
        }                                                                                                    \
        before = 0;                                                                                          \
        for (NUMBER step = 1; b_run > before; step *= 2) {                                                   \
            const NUMBER probe = b_run - min(step, b_run);                                                   \
            const A_ITEM item = B_AT(probe);                                                                 \
            before = LESS(item, last) ? probe + 1 : before;                                                  \
            b_run = before > 0 ? b_run : probe;                                                              \
            if (before > 0)                                                                                  \
                break;                                                                                       \
        }                                                                                                    \
        while (before < b_run) {                                                                             \
            const NUMBER middle = before + (b_run - before) / 2;                                             \
            const A_ITEM item = B_AT(middle);                                                                \
            const bool is_before = LESS(item, last);                                                         \
            before = is_before ? middle + 1 : before;                                                        \
            b_run = is_before ? b_run : middle;                                                              \
        }                                                                                                    \
        /* Half of the run's items before the diagonal come from each sequence, as far as it has so many. */ \
        const NUMBER count = (i - a_run) + (j - b_run), wanted = max(count / 2, j - b_run);                  \
        NUMBER high = min(b_length, b_run + wanted);                                                         \
        for (NUMBER step = 1; j < high; step *= 2) {                                                         \
            const NUMBER probe = min(j + step, high) - 1;                                                    \
            const A_ITEM item = B_AT(probe);                                                                 \
            if (LESS(last, item)) {                                                                          \
                high = probe;                                                                                \
                break;                                                                                       \
            }                                                                                                \
            j = probe + 1;                                                                                   \
        }                                                                                                    \
        while (j < high) {                                                                                   \
            const NUMBER middle = j + (high - j) / 2;                                                        \
            const A_ITEM item = B_AT(middle);                                                                \
            const bool is_behind = LESS(last, item);                                                         \
            high = is_behind ? middle : high;                                                                \
            j = is_behind ? j : middle + 1;                                                                  \
        }                                                                                                    \
        i = a_run + count - (j - b_run);                                                                     \
        *b_cut = j;                                                                                          \
        if (i - a_run == j - b_run + 1 && j < b_length) {                                                    \
            const A_ITEM partner = B_AT(j);                                                                  \
            i -= !LESS(last, partner);                                                                       \
        }                                                                                                    \
        return i;                                                                                            \
    }

// Sequences in memory.
#define SEQUENCES_IN_MEMORY const INDEX a_begin, const INDEX b_begin,
#define A_IN_MEMORY(i) A_LOAD(a_begin + (i))
#define B_IN_MEMORY(j) B_LOAD(b_begin + (j))
DEFINE_BALANCED_CUT(balanced, INDEX, SEQUENCES_IN_MEMORY, A_IN_MEMORY, B_IN_MEMORY, 4)

// The number of stored items of a piece.
static inline INDEX count_kept(PARAMETERS const INDEX a_begin, const INDEX a_end, const INDEX b_begin,
                               const INDEX b_end, const INDEX most)
{
    INDEX i = a_begin, j = b_begin, kept = 0, left = most;
    for (; i < a_end && j < b_end && left > 0; --left) {
        const A_ITEM a = A_LOAD(i), b = B_LOAD(j);
        const bool only_b = LESS(b, a), only_a = !only_b && LESS(a, b);
        kept += only_a ? FIRST : only_b ? SECOND : BOTH;
        i += !only_b;
        j += !only_a;
    }
    return kept + FIRST * min(left, max(a_end, i) - i) + SECOND * min(left, max(b_end, j) - j);
}
