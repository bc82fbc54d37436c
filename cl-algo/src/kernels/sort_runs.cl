// One pass of a radix sort in two launches, for devices that give each work-item a contiguous chunk: the first
// launch counts the digits of each chunk, the second moves the items of each chunk in order. Uses sort_chunk.cl.
//
// If PLANNED is not 0, the device chooses the digits of keys of 64 bits, and skips bits that all keys have in common. Another
// launch (PASS 2) finds these bits. The first PLANNED passes sort by the highest digits that differ. If there are more
// digits, few keys are equal so far, as a rule, and one more launch (PASS 3) sorts these by insertion. If they are many,
// it sets `unsorted`, and all digits are sorted by the other passes, which otherwise do nothing.
//
// Values: PASS; PLANNED; SEGMENTED, 1 if long segments are sorted, each by itself. The chunks are then those of a table, which
// has room for more of them: the others are empty.

#if SEGMENTED
// The segment of each chunk, and the segment's first chunk. Chunks have `size` items, the last one of a segment fewer.
#define CHUNKS \
    global const uint *restrict segment_begins, global const uint *restrict segment_ends, \
        global const uint *restrict heads, const INDEX size,
#define SEGMENT_BEGIN(r) (INDEX)segment_begins[r]
#define HEAD(r) heads[r]
#define BEGIN(r) (SEGMENT_BEGIN(r) + (INDEX)((r) - heads[r]) * size)
#define END(r) min(BEGIN(r) + size, (INDEX)segment_ends[r])
#define CHUNKS_OF(r) (uint)((segment_ends[r] - segment_begins[r] + size - 1) / size)
#else
#define CHUNKS
#define SEGMENT_BEGIN(r) (INDEX)0
#define HEAD(r) 0u
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))
#define END(r) BEGIN((r) + 1)
#define CHUNKS_OF(r) (uint)get_num_groups(0)
#endif

#if PLANNED
#define TOP_PASSES (uint)PLANNED
// The largest distance that an insertion moves an item.
#define MOST_STEPS 32u

// Returns the bits of `within` that differ among keys. `spread` has for each chunk the bits that any key has, and those that
// all keys have.
static inline ulong varying_bits(global const ulong *spread, const uint chunks, const ulong within)
{
    ulong any_key = 0, all_keys = ULONG_MAX;
    for (uint r = 0; r < chunks; ++r) {
        any_key |= spread[2 * r];
        all_keys &= spread[2 * r + 1];
    }
    return any_key & ~all_keys & within;
}

// Returns the shift of a digit of the varying bits, or 64 if it has no bits. Digit 0 is the highest.
static inline uint shift_of(ulong varying, const uint digit)
{
    uint shift = 64;
    for (uint d = 0; d <= digit; ++d) {
        const uint high = 64 - (uint)clz(varying);
        if (high == 0)
            return 64;
        shift = high > 8 ? high - 8 : 0;
        varying &= ((ulong)1 << shift) - 1;
    }
    return shift;
}

static inline uint count_of_digits(const ulong varying)
{
    uint digits = 0;
    while (shift_of(varying, digits) < 64)
        ++digits;
    return digits;
}

// Defines the digit of a pass, or returns if the pass is not needed. The number of passes that move items is even, because
// every second pass stores them at home. The first two always move them. Without bits, a digit is 0 for all items.
#define PLAN global const ulong *restrict spread, global const uint *restrict unsorted, const ulong within, const uint pass
#define TAKE_PLAN                                                                \
    const ulong varying = varying_bits(spread, (uint)get_num_groups(0), within); \
    const bool is_top = pass < TOP_PASSES;                                       \
    const uint before = is_top ? pass : pass - TOP_PASSES;                       \
    const uint digits = min(count_of_digits(varying), is_top ? TOP_PASSES : 8u); \
    const uint needed = (digits + 1) / 2 * 2;                                    \
    if (is_top ? before >= max(needed, 2u) : *unsorted == 0 || before >= needed) \
        RETURN;                                                                  \
    const bool has_bits = before < digits;                                       \
    const uint shift = has_bits ? shift_of(varying, digits - 1 - before) : 0;    \
    const uint mask = has_bits ? (uint)(within >> shift) & 255 : 0;
#else
#define PLAN const uint shift, const uint mask
#define TAKE_PLAN
#endif

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global INDEX *restrict counts, CHUNKS const ulong flip,
               PLAN, const INDEX length)
{
    TAKE_PLAN
    const uint run = get_group_id(0);
    INDEX count[BINS];
    count_digits(keys, BEGIN(run), END(run), flip, shift, mask, count);
    for (uint d = 0; d < BINS; ++d)
        counts[run * BINS + d] = count[d];
    RETURN;
}

#elif PASS == 1

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
               global const INDEX *restrict counts, CHUNKS const ulong flip, PLAN, const INDEX length)
{
    TAKE_PLAN
    const uint run = get_group_id(0), head = HEAD(run), behind = head + CHUNKS_OF(run);
    const INDEX begin = BEGIN(run), end = END(run);
    if (begin >= end)
        RETURN;

    // For each digit, the output index of the chunk's first item, and the number of items in all chunks.
    INDEX next[BINS], count[BINS];
    for (uint d = 0; d < BINS; ++d)
        next[d] = count[d] = 0;
    for (uint r = head; r < behind; ++r)
        for (uint d = 0; d < BINS; ++d) {
            next[d] += r < run ? counts[r * BINS + d] : 0;
            count[d] += counts[r * BINS + d];
        }
    INDEX all = SEGMENT_BEGIN(run);
    for (uint d = 0; d < BINS; ++d) {
        next[d] += all;
        all += count[d];
    }

    const uint only = DIGIT(ordered(keys[begin], flip));
    if (counts[run * BINS + only] == end - begin)
        copy_items(keys, sorted, VALUE_ARGUMENTS begin, end, next[only], true);
    else
        move_items(keys, sorted, VALUE_ARGUMENTS begin, end, flip, shift, mask, true, next);
    RETURN;
}

#elif PASS == 2

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global ulong *restrict spread, global uint *unsorted,
               const ulong flip, const INDEX length)
{
    const uint run = get_group_id(0);
    const INDEX begin = BEGIN(run), end = END(run);
    ulong any_key = 0, all_keys = ULONG_MAX;
    for (INDEX i = begin; i < end; ++i) {
        const ulong number = ordered(keys[i], flip);
        any_key |= number;
        all_keys &= number;
    }
    spread[2 * run] = any_key;
    spread[2 * run + 1] = all_keys;
    if (run == 0)
        *unsorted = 0;
    RETURN;
}

#else

#define MOVED_PARAMETER(k) global VALUE(k) *sorted##k,
#define MOVED_ARGUMENT(k) sorted##k,
#define HOLD_VALUE(k) const VALUE(k) held##k = sorted##k[i];
#define SHIFT_VALUE(k) sorted##k[j] = sorted##k[j - 1];
#define DROP_VALUE(k) sorted##k[j] = held##k;

// Sorts the items from `begin` up to `end` by insertion. Returns `false` if an item belongs too far to the front.
static inline bool insert_items(global KEY *keys, EACH_VALUE(MOVED_PARAMETER) const INDEX begin, const INDEX end,
                                const ulong flip, const ulong within)
{
    for (INDEX i = begin + 1; i < end; ++i) {
        const KEY key = keys[i];
        const ulong number = ordered(key, flip) & within;
        if ((ordered(keys[i - 1], flip) & within) <= number)
            continue;
        EACH_VALUE(HOLD_VALUE)
        INDEX j = i;
        for (; j > begin && i - j < MOST_STEPS && (ordered(keys[j - 1], flip) & within) > number; --j) {
            keys[j] = keys[j - 1];
            EACH_VALUE(SHIFT_VALUE)
        }
        keys[j] = key;
        EACH_VALUE(DROP_VALUE)
        if (i - j == MOST_STEPS)
            return false;
    }
    return true;
}

// 1 if two keys agree in the digits that are sorted so far.
#define AGREE(a, b) (((ordered(keys[a], flip) ^ ordered(keys[b], flip)) & within) >> low == 0)

// Sorts items that agree in their highest digits. First a work-item for each of `chunks` sorts those of its chunk, except
// for the first ones and the last ones, which may agree with items of other chunks. A launch of one work-item, with
// `at_cuts`, sorts the items at the ends of chunks.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global KEY *keys, EACH_VALUE(MOVED_PARAMETER) global const ulong *spread,
               global uint *unsorted, const ulong flip, const ulong within, const uint chunks, const uint at_cuts,
               const INDEX length)
{
    const ulong varying = varying_bits(spread, chunks, within);
    if (count_of_digits(varying) <= TOP_PASSES)
        RETURN;
    const uint low = shift_of(varying, TOP_PASSES - 1);
    bool is_sorted = true;
    const uint first = at_cuts ? 0 : (uint)get_group_id(0), last = at_cuts ? chunks : first;
    for (uint r = first; r <= last && is_sorted; ++r) {
        const INDEX cut = (ulong)length * r / chunks, next_cut = (ulong)length * (r + 1) / chunks;
        INDEX begin = cut, end = at_cuts ? cut : next_cut;
        if (at_cuts) {
            while (begin > 0 && AGREE(begin - 1, cut - 1))
                --begin;
            while (end < length && AGREE(end, cut))
                ++end;
        } else {
            while (begin < next_cut && AGREE(begin, cut))
                ++begin;
            while (end > begin && AGREE(end - 1, next_cut - 1))
                --end;
        }
        is_sorted = insert_items(keys, EACH_VALUE(MOVED_ARGUMENT) begin, end, flip, within);
    }
    if (!is_sorted)
        *unsorted = 1;
    RETURN;
}

#endif
