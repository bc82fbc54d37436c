// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#if defined(cl_khr_fp16)
#endif
#if defined(cl_khr_fp64)
#endif
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 16384
#define CHUNKED 1
#define STREAM 0
#define KEY_BYTES 4
#define KEYS 0
#define VALUES 0
#define INDICES 0
#define WORD0 1
#define COUNT0 1
#define WORD1 1
#define COUNT1 1
#define WORD2 1
#define COUNT2 1
#define WORD3 1
#define COUNT3 1
#define WORD4 1
#define COUNT4 1
#define WORD5 1
#define COUNT5 1
#define WORD6 1
#define COUNT6 1
#define WORD7 1
#define COUNT7 1
#define PASS 0
#define PLANNED 0
#define SEGMENTED 0
#define STREAMED 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS
#define ARGUMENTS
#define OUTPUTS
#define OUTPUT_ARGUMENTS
#define RETURN return
#define VOLATILE
#define TILE_PACKS (GROUP * PACKS)
#define TILE ((INDEX)TILE_PACKS * PACK)
#define CUT(count, group) ((INDEX)((ulong)(count) * (group) / get_num_groups(0)))
#if CHUNKED
#define FOR_EACH_TILE(tile, count) \
    for (INDEX tile = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); tile < last_; ++tile)
#else
#define FOR_EACH_TILE(tile, count) for (INDEX tile = get_group_id(0); tile < (count); tile += get_num_groups(0))
#endif
#define PUT_PACK(place, pack) *(place) = (pack)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define STREAM_PACK(place, pack) __builtin_nontemporal_store(pack, place)
#else
#define STREAM_PACK PUT_PACK
#endif
#define INLINE __attribute__((always_inline)) static inline
#define BINS 256
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
typedef uchar word1;
typedef ushort word2;
typedef uint word4;
typedef ulong word8;
typedef VOLATILE struct { VOLATILE ulong low, high; } word16;
typedef PASTE(word, KEY_BYTES) KEY;
#if VALUES == 0
#define EACH_VALUE(DO)
#elif VALUES == 1
#define EACH_VALUE(DO) DO(0)
#elif VALUES == 2
#define EACH_VALUE(DO) DO(0) DO(1)
#elif VALUES == 3
#define EACH_VALUE(DO) DO(0) DO(1) DO(2)
#elif VALUES == 4
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3)
#elif VALUES == 5
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4)
#elif VALUES == 6
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#elif VALUES == 7
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6)
#else
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif
#define PART(k) part##k##_
#define VALUE(k) value##k##_
#define DEFINE_VALUE(k)                   \
    typedef PASTE(word, WORD##k) PART(k); \
    typedef VOLATILE struct { VOLATILE PART(k) part[COUNT##k]; } VALUE(k);
EACH_VALUE(DEFINE_VALUE)
#define VALUE_PARAMETER(k) global const VALUE(k) *values##k, global VALUE(k) *restrict sorted##k,
#define VALUE_PARAMETERS EACH_VALUE(VALUE_PARAMETER)
#define VALUE_ARGUMENT(k) values##k, sorted##k,
#define VALUE_ARGUMENTS EACH_VALUE(VALUE_ARGUMENT)
#if INDICES
#define VALUE_AT(k, i) ((VALUE(k)){ { (PART(k))(i) } })
#define VALUE_NEAR(k, from, i) VALUE_AT(k, (from) + (i))
#else
#define VALUE_AT(k, i) values##k[i]
#define VALUE_NEAR(k, from, i) (values##k + (from))[i]
#endif
static inline KEY ordered(const KEY key, const ulong flip)
{
#if KEY_BYTES == 16
    return (KEY){ key.low ^ (0 - (flip & 1)), key.high ^ flip };
#elif KEYS == 1
    const KEY sign = (KEY)(key >> (8 * KEY_BYTES - 1));
    return (KEY)(key ^ (KEY)flip ^ ((KEY)(0 - sign) >> 1));
#elif KEYS == 2
    return (KEY)((key != 0) ^ (KEY)flip);
#else
    return (KEY)(key ^ (KEY)flip);
#endif
}
static inline KEY unordered(const KEY number, const ulong flip)
{
#if KEY_BYTES == 16
    return ordered(number, flip);
#else
    const KEY key = (KEY)(number ^ (KEY)flip);
    return ordered(key, 0);
#endif
}
#if KEY_BYTES == 16
static inline uint shifted(const KEY number, const uint shift)
{
    return (uint)(shift < 64 ? number.low >> shift | number.high << 1 << (63 - shift) : number.high >> (shift - 64));
}
#define DIGIT(number) (shifted(number, shift) & mask)
#define LAST_KEY ((KEY){ ULONG_MAX, ULONG_MAX })
#else
#define DIGIT(number) ((uint)((number) >> shift) & mask)
#define LAST_KEY ((KEY)~(KEY)0)
#endif
#define COPIES 8
INLINE void count_digits(global const KEY *restrict keys, const INDEX begin, const INDEX end, const ulong flip,
                         const uint shift, const uint mask, INDEX *counts)
{
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
#if INDICES
#define MOVED_VALUE(k, i) (is_first ? VALUE_AT(k, i) : values##k[i])
#else
#define MOVED_VALUE(k, i) values##k[i]
#endif
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
INLINE void move_items(global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
                       const INDEX begin, const INDEX end, const ulong flip, const uint shift, const uint mask,
                       const bool is_first, INDEX *next)
{
    INDEX first[BINS];
    for (uint d = 0; d < BINS; ++d)
        first[d] = next[d];
    key_line lines[BINS];
    EACH_VALUE(DEFINE_LINES)
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
INLINE void copy_items(global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
                       const INDEX begin, const INDEX end, const INDEX to, const bool is_first)
{
    for (INDEX i = begin; i < end; ++i) {
        sorted[to + (i - begin)] = keys[i];
        EACH_VALUE(COPY_VALUE)
    }
}
#if SEGMENTED
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
#define MOST_STEPS 32u
static inline ulong varying_bits(global const ulong *spread, const uint chunks, const ulong within)
{
    ulong any_key = 0, all_keys = ULONG_MAX;
    for (uint r = 0; r < chunks; ++r) {
        any_key |= spread[2 * r];
        all_keys &= spread[2 * r + 1];
    }
    return any_key & ~all_keys & within;
}
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
#define AGREE(a, b) (((ordered(keys[a], flip) ^ ordered(keys[b], flip)) & within) >> low == 0)
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
#undef AGREE
#undef ARGUMENTS
#undef BEGIN
#undef BINS
#undef CHUNKED
#undef CHUNKS
#undef CHUNKS_OF
#undef COPIES
#undef COPY_VALUE
#undef COUNT0
#undef COUNT1
#undef COUNT2
#undef COUNT3
#undef COUNT4
#undef COUNT5
#undef COUNT6
#undef COUNT7
#undef CUT
#undef DEFINE_LINES
#undef DEFINE_VALUE
#undef DIGIT
#undef DROP_VALUE
#undef EACH_VALUE
#undef END
#undef FAULT_ARGUMENT
#undef FAULT_PARAMETER
#undef FOR_EACH_TILE
#undef GATHERS
#undef GROUP
#undef HEAD
#undef HOLD_VALUE
#undef INDEX
#undef INDICES
#undef INLINE
#undef KEYS
#undef KEY_BYTES
#undef LAST_KEY
#undef LINE
#undef MOST_STEPS
#undef MOVED_ARGUMENT
#undef MOVED_PARAMETER
#undef MOVED_VALUE
#undef MOVE_VALUE
#undef OUTPUTS
#undef OUTPUT_ARGUMENTS
#undef PACK
#undef PACKS
#undef PARAMETERS
#undef PART
#undef PASS
#undef PASTE
#undef PASTE_
#undef PLAN
#undef PLANNED
#undef PUT_KEYS
#undef PUT_LINE
#undef PUT_PACK
#undef PUT_SOME_VALUES
#undef PUT_VALUES
#undef RETURN
#undef SEGMENTED
#undef SEGMENT_BEGIN
#undef SHIFT_VALUE
#undef SIGNED_INDEX
#undef STREAM
#undef STREAMED
#undef STREAM_PACK
#undef TAKE_PLAN
#undef TILE
#undef TILE_PACKS
#undef TOP_PASSES
#undef VALUE
#undef VALUES
#undef VALUE_ARGUMENT
#undef VALUE_ARGUMENTS
#undef VALUE_AT
#undef VALUE_NEAR
#undef VALUE_PARAMETER
#undef VALUE_PARAMETERS
#undef VOLATILE
#undef WORD0
#undef WORD1
#undef WORD2
#undef WORD3
#undef WORD4
#undef WORD5
#undef WORD6
#undef WORD7
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 16384
#define CHUNKED 1
#define STREAM 0
#define KEY_BYTES 4
#define KEYS 0
#define VALUES 0
#define INDICES 0
#define WORD0 1
#define COUNT0 1
#define WORD1 1
#define COUNT1 1
#define WORD2 1
#define COUNT2 1
#define WORD3 1
#define COUNT3 1
#define WORD4 1
#define COUNT4 1
#define WORD5 1
#define COUNT5 1
#define WORD6 1
#define COUNT6 1
#define WORD7 1
#define COUNT7 1
#define PASS 1
#define PLANNED 0
#define SEGMENTED 0
#define STREAMED 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS
#define ARGUMENTS
#define OUTPUTS
#define OUTPUT_ARGUMENTS
#define RETURN return
#define VOLATILE
#define word1 word1_1
#define word2 word2_1
#define word4 word4_1
#define word8 word8_1
#define word16 word16_1
#define KEY KEY_1
#define ordered ordered_1
#define unordered unordered_1
#define shifted shifted_1
#define part0_ part0__1
#define part1_ part1__1
#define part2_ part2__1
#define part3_ part3__1
#define part4_ part4__1
#define part5_ part5__1
#define part6_ part6__1
#define part7_ part7__1
#define value0_ value0__1
#define value1_ value1__1
#define value2_ value2__1
#define value3_ value3__1
#define value4_ value4__1
#define value5_ value5__1
#define value6_ value6__1
#define value7_ value7__1
#define line1 line1_1
#define line2 line2_1
#define line4 line4_1
#define line8 line8_1
#define line16 line16_1
#define key_line key_line_1
#define count_digits count_digits_1
#define move_items move_items_1
#define copy_items copy_items_1
#define varying_bits varying_bits_1
#define shift_of shift_of_1
#define count_of_digits count_of_digits_1
#define insert_items insert_items_1
#define sort_runs sort_runs_1
#define TILE_PACKS (GROUP * PACKS)
#define TILE ((INDEX)TILE_PACKS * PACK)
#define CUT(count, group) ((INDEX)((ulong)(count) * (group) / get_num_groups(0)))
#if CHUNKED
#define FOR_EACH_TILE(tile, count) \
    for (INDEX tile = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); tile < last_; ++tile)
#else
#define FOR_EACH_TILE(tile, count) for (INDEX tile = get_group_id(0); tile < (count); tile += get_num_groups(0))
#endif
#define PUT_PACK(place, pack) *(place) = (pack)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define STREAM_PACK(place, pack) __builtin_nontemporal_store(pack, place)
#else
#define STREAM_PACK PUT_PACK
#endif
#define INLINE __attribute__((always_inline)) static inline
#define BINS 256
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
typedef uchar word1;
typedef ushort word2;
typedef uint word4;
typedef ulong word8;
typedef VOLATILE struct { VOLATILE ulong low, high; } word16;
typedef PASTE(word, KEY_BYTES) KEY;
#if VALUES == 0
#define EACH_VALUE(DO)
#elif VALUES == 1
#define EACH_VALUE(DO) DO(0)
#elif VALUES == 2
#define EACH_VALUE(DO) DO(0) DO(1)
#elif VALUES == 3
#define EACH_VALUE(DO) DO(0) DO(1) DO(2)
#elif VALUES == 4
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3)
#elif VALUES == 5
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4)
#elif VALUES == 6
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#elif VALUES == 7
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6)
#else
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif
#define PART(k) part##k##_
#define VALUE(k) value##k##_
#define DEFINE_VALUE(k)                   \
    typedef PASTE(word, WORD##k) PART(k); \
    typedef VOLATILE struct { VOLATILE PART(k) part[COUNT##k]; } VALUE(k);
EACH_VALUE(DEFINE_VALUE)
#define VALUE_PARAMETER(k) global const VALUE(k) *values##k, global VALUE(k) *restrict sorted##k,
#define VALUE_PARAMETERS EACH_VALUE(VALUE_PARAMETER)
#define VALUE_ARGUMENT(k) values##k, sorted##k,
#define VALUE_ARGUMENTS EACH_VALUE(VALUE_ARGUMENT)
#if INDICES
#define VALUE_AT(k, i) ((VALUE(k)){ { (PART(k))(i) } })
#define VALUE_NEAR(k, from, i) VALUE_AT(k, (from) + (i))
#else
#define VALUE_AT(k, i) values##k[i]
#define VALUE_NEAR(k, from, i) (values##k + (from))[i]
#endif
static inline KEY ordered(const KEY key, const ulong flip)
{
#if KEY_BYTES == 16
    return (KEY){ key.low ^ (0 - (flip & 1)), key.high ^ flip };
#elif KEYS == 1
    const KEY sign = (KEY)(key >> (8 * KEY_BYTES - 1));
    return (KEY)(key ^ (KEY)flip ^ ((KEY)(0 - sign) >> 1));
#elif KEYS == 2
    return (KEY)((key != 0) ^ (KEY)flip);
#else
    return (KEY)(key ^ (KEY)flip);
#endif
}
static inline KEY unordered(const KEY number, const ulong flip)
{
#if KEY_BYTES == 16
    return ordered(number, flip);
#else
    const KEY key = (KEY)(number ^ (KEY)flip);
    return ordered(key, 0);
#endif
}
#if KEY_BYTES == 16
static inline uint shifted(const KEY number, const uint shift)
{
    return (uint)(shift < 64 ? number.low >> shift | number.high << 1 << (63 - shift) : number.high >> (shift - 64));
}
#define DIGIT(number) (shifted(number, shift) & mask)
#define LAST_KEY ((KEY){ ULONG_MAX, ULONG_MAX })
#else
#define DIGIT(number) ((uint)((number) >> shift) & mask)
#define LAST_KEY ((KEY)~(KEY)0)
#endif
#define COPIES 8
INLINE void count_digits(global const KEY *restrict keys, const INDEX begin, const INDEX end, const ulong flip,
                         const uint shift, const uint mask, INDEX *counts)
{
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
#if INDICES
#define MOVED_VALUE(k, i) (is_first ? VALUE_AT(k, i) : values##k[i])
#else
#define MOVED_VALUE(k, i) values##k[i]
#endif
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
INLINE void move_items(global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
                       const INDEX begin, const INDEX end, const ulong flip, const uint shift, const uint mask,
                       const bool is_first, INDEX *next)
{
    INDEX first[BINS];
    for (uint d = 0; d < BINS; ++d)
        first[d] = next[d];
    key_line lines[BINS];
    EACH_VALUE(DEFINE_LINES)
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
INLINE void copy_items(global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
                       const INDEX begin, const INDEX end, const INDEX to, const bool is_first)
{
    for (INDEX i = begin; i < end; ++i) {
        sorted[to + (i - begin)] = keys[i];
        EACH_VALUE(COPY_VALUE)
    }
}
#if SEGMENTED
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
#define MOST_STEPS 32u
static inline ulong varying_bits(global const ulong *spread, const uint chunks, const ulong within)
{
    ulong any_key = 0, all_keys = ULONG_MAX;
    for (uint r = 0; r < chunks; ++r) {
        any_key |= spread[2 * r];
        all_keys &= spread[2 * r + 1];
    }
    return any_key & ~all_keys & within;
}
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
#define AGREE(a, b) (((ordered(keys[a], flip) ^ ordered(keys[b], flip)) & within) >> low == 0)
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
