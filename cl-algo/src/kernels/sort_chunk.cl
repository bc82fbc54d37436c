// The two steps of a pass of a radix sort for a range of keys and one work-item: the digits are counted, and the items
// are moved in order. Uses sort_items.cl.
//
// Value: STREAMED, 1 if lines are written past the caches.

// The number of tables that are used in turn. On a 2-core EPYC under PoCL, counting 2^24 `u64` takes 34 ms of
// processor time with 4 of them, and 14 ms with 8.
#define COPIES 8

// Counts the digits of the keys from `begin` up to `end`.
INLINE void count_digits(global const KEY *restrict keys, const INDEX begin, const INDEX end, const ulong flip,
                         const uint shift, const uint mask, INDEX *counts)
{
    // Neighbouring keys are counted in different tables, so that keys with equal digits do not wait for each
    // other's count. The gap of 16 counts behind each table makes the addresses of one digit's counts differ in
    // their low bits; otherwise processors mistake them for one another.
    INDEX table[COPIES][BINS + 16];
    for (uint c = 0; c < COPIES; ++c)
        for (uint d = 0; d < BINS; ++d)
            table[c][d] = 0;
    INDEX i = begin;
    for (; i + COPIES <= end; i += COPIES) {
#pragma unroll
        for (uint c = 0; c < COPIES; ++c)
            ++table[c][DIGIT(ordered(keys[i + c], flip))];
    }
    for (; i < end; ++i)
        ++table[0][DIGIT(ordered(keys[i], flip))];
    for (uint d = 0; d < BINS; ++d) {
        INDEX count = 0;
        for (uint c = 0; c < COPIES; ++c)
            count += table[c][d];
        counts[d] = count;
    }
}

// Items are collected in a line for each digit, which is written as a whole: scattered stores of single items
// would each wait for a line of the cache and an entry of the page table.
#define LINE 16
typedef uchar16 line1;
typedef ushort16 line2;
typedef uint16 line4;
typedef ulong16 line8;
typedef VOLATILE struct { VOLATILE ulong16 first, second; } line16;
typedef PASTE(line, KEY_BYTES) key_line;

#if STREAMED && __has_builtin(__builtin_nontemporal_store)
#define PUT_LINE(place, line) __builtin_nontemporal_store(line, place)
#else
#define PUT_LINE(place, line) *(place) = (line)
#endif

#if KEY_BYTES == 16
#define PUT_KEYS(place, line)                    \
    {                                            \
        PUT_LINE(&(place)->first, line.first);   \
        PUT_LINE(&(place)->second, line.second); \
    }
#else
#define PUT_KEYS(place, line) PUT_LINE(place, line)
#endif

// The value of an item. The first pass makes the values that are indices.
#if INDICES
#define MOVED_VALUE(k, i) (is_first ? VALUE_AT(k, i) : values##k[i])
#else
#define MOVED_VALUE(k, i) values##k[i]
#endif

// Values are collected in lines only if they consist of one word, because larger values fill lines by themselves,
// and only for the first three vectors, because stacks are small.
#define GATHERS(k) (COUNT##k == 1 && (k) < 3)
#define DEFINE_LINES(k) typedef PASTE(line, WORD##k) line##k##_; line##k##_ lines##k[GATHERS(k) ? BINS : 1];
#define MOVE_VALUE(k)                                            \
    {                                                            \
        const VALUE(k) value = MOVED_VALUE(k, i);                \
        if (GATHERS(k))                                          \
            ((PART(k) *)&lines##k[digit])[slot] = value.part[0]; \
        else                                                     \
            sorted##k[to] = value;                               \
    }
#define PUT_VALUES(k) \
    if (GATHERS(k)) PUT_LINE((global line##k##_ *)sorted##k + to / LINE, lines##k[digit]);
#define PUT_SOME_VALUES(k) \
    if (GATHERS(k)) sorted##k[j].part[0] = ((const PART(k) *)&lines##k[digit])[j % LINE];
#define COPY_VALUE(k) sorted##k[to + (i - begin)] = MOVED_VALUE(k, i);

// Moves the items from `begin` up to `end` to their positions. `next` has the position of the first item of each digit,
// and afterwards the position behind the last one.
INLINE void move_items(global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
                       const INDEX begin, const INDEX end, const ulong flip, const uint shift, const uint mask,
                       const bool is_first, INDEX *next)
{
    INDEX first[BINS];
    for (uint d = 0; d < BINS; ++d)
        first[d] = next[d];
    key_line lines[BINS];
    EACH_VALUE(DEFINE_LINES)
    // Unrolled, so that neighbouring items have branches of their own: on a 2-core EPYC under PoCL, moving 2^24
    // `u64` takes 58 ms of processor time, and 102 ms otherwise.
#pragma unroll 4
    for (INDEX i = begin; i < end; ++i) {
        const KEY key = keys[i];
        const uint digit = DIGIT(ordered(key, flip));
        const INDEX to = next[digit];
        const uint slot = to % LINE;
        next[digit] = to + 1;
        ((KEY *)&lines[digit])[slot] = key;
        EACH_VALUE(MOVE_VALUE)
        if (slot < LINE - 1)
            continue;
        if (to - first[digit] >= LINE - 1) {
            PUT_KEYS((global key_line *)sorted + to / LINE, lines[digit]);
            EACH_VALUE(PUT_VALUES)
        } else {
            // The first items of the line in memory belong to another chunk.
            for (INDEX j = first[digit]; j <= to; ++j) {
                sorted[j] = ((const KEY *)&lines[digit])[j % LINE];
                EACH_VALUE(PUT_SOME_VALUES)
            }
        }
    }
    for (uint digit = 0; digit < BINS; ++digit) {
        const INDEX last = next[digit], line = last - last % LINE;
        for (INDEX j = max(line, first[digit]); j < last; ++j) {
            sorted[j] = ((const KEY *)&lines[digit])[j % LINE];
            EACH_VALUE(PUT_SOME_VALUES)
        }
    }
}

// Copies the items from `begin` up to `end` unchanged, because all of them have the same digit.
INLINE void copy_items(global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
                       const INDEX begin, const INDEX end, const INDEX to, const bool is_first)
{
    for (INDEX i = begin; i < end; ++i) {
        sorted[to + (i - begin)] = keys[i];
        EACH_VALUE(COPY_VALUE)
    }
}
