// One pass of a radix sort in two launches, for devices that give each work-item a contiguous chunk: the first
// launch counts the digits of each chunk, the second moves the items of each chunk in order. Uses sort_items.cl.
//
// Values: PASS; STREAMED, 1 if lines are written past the caches.

// The index at which chunk r begins.
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))

#if PASS == 0

// The number of tables that are used in turn. On a 2-core EPYC under PoCL, counting 2^24 `u64` takes 34 ms of
// processor time with 4 of them, and 14 ms with 8.
#define COPIES 8

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global INDEX *restrict counts, const ulong flip,
               const uint shift, const uint mask, const INDEX length)
{
    const uint run = get_group_id(0);
    const INDEX begin = BEGIN(run), end = BEGIN(run + 1);
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
        counts[run * BINS + d] = count;
    }
    RETURN;
}

#else

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
#define PUT_KEYS(place, line)               \
    {                                       \
        PUT_LINE(&(place)->first, line.first); \
        PUT_LINE(&(place)->second, line.second); \
    }
#else
#define PUT_KEYS(place, line) PUT_LINE(place, line)
#endif

// Values are collected in lines only if they consist of one word, because larger values fill lines by themselves,
// and only for the first three vectors, because stacks are small.
#define GATHERS(k) (COUNT##k == 1 && (k) < 3)
#define DEFINE_LINES(k) typedef PASTE(line, WORD##k) line##k##_; line##k##_ lines##k[GATHERS(k) ? BINS : 1];
#define MOVE_VALUE(k)                                            \
    {                                                            \
        const VALUE(k) value = VALUE_AT(k, i);                   \
        if (GATHERS(k))                                          \
            ((PART(k) *)&lines##k[digit])[slot] = value.part[0]; \
        else                                                     \
            sorted##k[to] = value;                               \
    }
#define PUT_VALUES(k) \
    if (GATHERS(k)) PUT_LINE((global line##k##_ *)sorted##k + to / LINE, lines##k[digit]);
#define PUT_SOME_VALUES(k) \
    if (GATHERS(k)) sorted##k[j].part[0] = ((const PART(k) *)&lines##k[digit])[j % LINE];
#define COPY_VALUE(k) sorted##k[to + (i - begin)] = VALUE_AT(k, i);

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
               global const INDEX *restrict counts, const ulong flip, const uint shift,
               const uint mask, const INDEX length)
{
    const uint run = get_group_id(0), runs = get_num_groups(0);
    const INDEX begin = BEGIN(run), end = BEGIN(run + 1);

    // For each digit, the output index of the chunk's first item, and of the item that is moved next.
    INDEX first[BINS], next[BINS];
    for (uint d = 0; d < BINS; ++d)
        first[d] = next[d] = 0;
    for (uint r = 0; r < runs; ++r)
        for (uint d = 0; d < BINS; ++d) {
            first[d] += r < run ? counts[r * BINS + d] : 0;
            next[d] += counts[r * BINS + d];
        }
    INDEX all = 0;
    for (uint d = 0; d < BINS; ++d) {
        const INDEX of_digit = next[d];
        first[d] += all;
        next[d] = first[d];
        all += of_digit;
    }

    // A chunk with only one digit is copied unchanged.
    const uint only = DIGIT(ordered(keys[begin], flip));
    if (counts[run * BINS + only] == end - begin) {
        const INDEX to = first[only];
        for (INDEX i = begin; i < end; ++i) {
            sorted[to + (i - begin)] = keys[i];
            EACH_VALUE(COPY_VALUE)
        }
        RETURN;
    }

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
    RETURN;
}

#endif
