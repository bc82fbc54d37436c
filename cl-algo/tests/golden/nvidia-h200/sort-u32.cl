// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 512
#define PACK 1
#define PACKS 8
#define CHUNKED 0
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
#define STAGE 0
#define COPIES 8
#define SEGMENTED 0
#define FENCE 1
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
#if FENCE == 1
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#elif FENCE == 2
#define DEVICE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#endif
#if FENCE
static inline bool is_last_group(volatile global uint *arrived, local uint *last)
{
    if (get_local_id(0) == 0) {
        DEVICE_FENCE();
        *last = atomic_inc(arrived) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!*last)
        return false;
    DEVICE_FENCE();
    return true;
}
#endif
#define PASSES_AT_ONCE 4
#if SEGMENTED
#define TILES \
    global const uint *restrict segment_begins, global const uint *restrict segment_ends, \
        global const uint *restrict heads,
#endif
#if STAGE == 0
#if FENCE
#define SUMS global ulong *begins, volatile global uint *arrived,
#else
#define SUMS
#endif
#define SHIFT(digits, pass) ((uint)((digits) >> (16 * (pass))) & 255u)
#define MASK(digits, pass) ((uint)((digits) >> (16 * (pass) + 8)) & 255u)
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_totals(PARAMETERS global const KEY *restrict keys, volatile global uint *counts, SUMS const ulong flip,
                 const ulong digits, const uint first, const uint passes,
#if SEGMENTED
                 TILES const uint size, const uint all_passes,
#endif
                 const INDEX length)
{
    local uint table[PASSES_AT_ONCE][BINS * COPIES] __attribute__((aligned(8)));
    const uint me = get_local_id(0), column = me % COPIES;
#if SEGMENTED
    const uint tile = get_group_id(0), head = heads[tile], segment_end = segment_ends[tile];
    const INDEX stride = GROUP, begin = segment_begins[tile] + (INDEX)(tile - head) * size;
    const INDEX behind = min(begin + size, (INDEX)segment_end);
#else
    const INDEX stride = (INDEX)get_num_groups(0) * GROUP, begin = 0, behind = length;
#endif
    const INDEX most = (INDEX)1 << 30;
    for (INDEX from = begin; from < behind; from += most) {
        for (uint at = me; at < PASSES_AT_ONCE * BINS * COPIES; at += GROUP)
            table[at / (BINS * COPIES)][at % (BINS * COPIES)] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const INDEX end = min(most, behind - from);
#if SEGMENTED
        INDEX i = me;
#else
        INDEX i = (INDEX)get_group_id(0) * GROUP + me;
#endif
        for (; i + (PACKS - 1) * stride < end; i += PACKS * stride) {
            KEY number[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                number[k] = ordered(keys[from + i + k * stride], flip);
#pragma unroll
            for (uint pass = 0; pass < PASSES_AT_ONCE; ++pass) {
                const uint shift = SHIFT(digits, pass), mask = MASK(digits, pass);
                if (pass < passes) {
#pragma unroll
                    for (uint k = 0; k < PACKS; ++k)
                        atomic_inc(&table[pass][DIGIT(number[k]) * COPIES + column]);
                }
            }
        }
        for (; i < end; i += stride) {
            const KEY number = ordered(keys[from + i], flip);
            for (uint pass = 0; pass < passes; ++pass) {
                const uint shift = SHIFT(digits, pass), mask = MASK(digits, pass);
                atomic_inc(&table[pass][DIGIT(number) * COPIES + column]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint at = me; at < passes * BINS; at += GROUP) {
            uint count = 0;
            for (uint copy = 0; copy < COPIES; ++copy)
                count += table[at / BINS][at % BINS * COPIES + (copy + at) % COPIES];
#if SEGMENTED
            if (count > 0)
                atomic_add(&counts[((size_t)head * all_passes + first) * BINS + at], count);
#else
            const uint to = 2 * (first * BINS + at);
            if (count > 0 && atomic_add(&counts[to], count) > UINT_MAX - count)
                atomic_inc(&counts[to + 1]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#if FENCE
    local uint last;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!is_last_group(arrived, &last))
        RETURN;
    if (me == 0)
        *arrived = 0;
    const uint rows = min((uint)GROUP / BINS, 2u), row = me / BINS, digit = me % BINS;
    local ulong *const sum = (local ulong *)table;
    for (uint from = 0; from < passes; from += rows) {
        const bool is_mine = row < rows && from + row < passes;
        const uint at = (first + from + row) * BINS + digit;
        ulong count = 0;
        if (is_mine) {
            count = counts[2 * at] + ((ulong)counts[2 * at + 1] << 32);
            counts[2 * at] = counts[2 * at + 1] = 0;
            sum[me] = count;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint distance = 1; distance < BINS; distance *= 2) {
            const ulong below = is_mine && digit >= distance ? sum[me - distance] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (is_mine)
                sum[me] += below;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (is_mine)
            begins[at] = sum[me] - count;
    }
#endif
    RETURN;
}
#elif SEGMENTED
kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void sort_totals(PARAMETERS global uint *counts, TILES const uint all_passes)
{
    local uint room[BINS];
    const uint digit = get_local_id(0), tile = get_group_id(0), begin = segment_begins[tile];
    const uint passes = heads[tile] == tile && begin < segment_ends[tile] ? all_passes : 0;
    for (uint pass = 0; pass < passes; ++pass) {
        const size_t at = ((size_t)tile * all_passes + pass) * BINS + digit;
        const uint count = counts[at];
        room[digit] = count;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint distance = 1; distance < BINS; distance *= 2) {
            const uint below = digit >= distance ? room[digit - distance] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            room[digit] += below;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        counts[at] = begin + room[digit] - count;
    }
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void sort_totals(PARAMETERS global uint *counts, global ulong *begins)
{
    local ulong room[BINS];
    const uint digit = get_local_id(0), at = (uint)get_group_id(0) * BINS + digit;
    const ulong count = counts[2 * at] + ((ulong)counts[2 * at + 1] << 32);
    counts[2 * at] = counts[2 * at + 1] = 0;
    room[digit] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < BINS; distance *= 2) {
        const ulong below = digit >= distance ? room[digit - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        room[digit] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    begins[at] = room[digit] - count;
    RETURN;
}
#endif
#undef ARGUMENTS
#undef BINS
#undef CHUNKED
#undef COPIES
#undef COUNT0
#undef COUNT1
#undef COUNT2
#undef COUNT3
#undef COUNT4
#undef COUNT5
#undef COUNT6
#undef COUNT7
#undef CUT
#undef DEFINE_VALUE
#undef DEVICE_FENCE
#undef DIGIT
#undef EACH_VALUE
#undef FAULT_ARGUMENT
#undef FAULT_PARAMETER
#undef FENCE
#undef FOR_EACH_TILE
#undef GROUP
#undef INDEX
#undef INDICES
#undef KEYS
#undef KEY_BYTES
#undef LAST_KEY
#undef MASK
#undef OUTPUTS
#undef OUTPUT_ARGUMENTS
#undef PACK
#undef PACKS
#undef PARAMETERS
#undef PART
#undef PASSES_AT_ONCE
#undef PASTE
#undef PASTE_
#undef PUT_PACK
#undef RETURN
#undef SEGMENTED
#undef SHIFT
#undef SIGNED_INDEX
#undef STAGE
#undef STREAM
#undef STREAM_PACK
#undef SUMS
#undef TILE
#undef TILES
#undef TILE_PACKS
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
#define GROUP 384
#define PACK 1
#define PACKS 23
#define CHUNKED 0
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
#define SUB_GROUPS 1
#define SUB_GROUP_WIDTH 32
#define TICKETS 0
#define SPINS 10000
#define STALLED -1
#define SEGMENTED 0
#define LARGEST 4
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS
#define ARGUMENTS
#define OUTPUTS
#define OUTPUT_ARGUMENTS
#define RETURN return
#define VOLATILE
#define lane_mask lane_mask_1
#define word_from_below word_from_below_1
#define word_from_lane word_from_lane_1
#define own_lane own_lane_1
#define vote vote_1
#define scan_lanes scan_lanes_1
#define carried_words carried_words_1
#define carried_from_below carried_from_below_1
#define carried_from_lane carried_from_lane_1
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
#define take_tile take_tile_1
#define shared_room shared_room_1
#define tell_missing tell_missing_1
#define count_below count_below_1
#define lanes_with lanes_with_1
#define lanes_below lanes_below_1
#define lanes_above lanes_above_1
#define sort_sweep sort_sweep_1
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
#define CARRIED uint
#define CARRY(a, b) ((a) + (b))
#if SUB_GROUP_WIDTH > 32
typedef ulong lane_mask;
#else
typedef uint lane_mask;
#endif
#define LANE_BIT(lane) ((lane_mask)1 << (lane))
#define LANES_BELOW(lane) (LANE_BIT(lane) - 1)
#define LANES_UP_TO(lane) (((lane_mask)2 << (lane)) - 1)
#define FIRST_LANE(lanes) ((uint)popcount(((lanes) & -(lanes)) - 1))
#define LAST_LANE(lanes) ((uint)(8 * sizeof(lane_mask) - 1) - (uint)clz(lanes))
#if SUB_GROUPS == 0
#define IN_SUBGROUPS
#define SUBGROUP_LANE 0u
#define STAY_APART()
#define FORGET(word)
#define VOTE(condition) ((condition) ? 1u : 0u)
static inline uint word_from_below(const uint word, const uint distance) { return word; }
static inline uint word_from_lane(const uint word, const uint lane) { return word; }
#elif SUB_GROUPS == 1 // NVIDIA's warps
#define IN_SUBGROUPS
static inline uint own_lane(void)
{
    uint lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
#define SUBGROUP_LANE own_lane()
#define SUBGROUP_BARRIER() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define STAY_APART() asm volatile("")
#define FORGET(word) asm volatile("" : "+r"(word))
static inline lane_mask vote(const uint condition)
{
    lane_mask lanes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(lanes) : "r"(condition));
    return lanes;
}
#define VOTE(condition) vote((condition) ? 1u : 0u)
static inline uint word_from_below(const uint word, const uint distance)
{
    uint result;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(result) : "r"(word), "r"(distance));
    return result;
}
static inline uint word_from_lane(const uint word, const uint lane)
{
    uint result;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(word), "r"(lane));
    return result;
}
#else // the functions of OpenCL's extensions
#ifdef cl_intel_required_subgroup_size
#define IN_SUBGROUPS __attribute__((intel_reqd_sub_group_size(SUB_GROUP_WIDTH)))
#else
#define IN_SUBGROUPS
#endif
#define SUBGROUP_LANE ((uint)get_sub_group_local_id())
#define SUBGROUP_BARRIER() sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#define STAY_APART()
#define FORGET(word)
#if SUB_GROUPS == 2
#if SUB_GROUP_WIDTH > 32
#define VOTE(condition) as_ulong(sub_group_ballot((condition) ? 1 : 0).xy)
#else
#define VOTE(condition) (sub_group_ballot((condition) ? 1 : 0).x)
#endif
static inline uint word_from_lane(const uint word, const uint lane) { return sub_group_shuffle(word, lane); }
#else
#define VOTE(condition) sub_group_reduce_add((condition) ? LANE_BIT(SUBGROUP_LANE) : (lane_mask)0)
static inline uint word_from_lane(const uint word, const uint lane)
{
    return intel_sub_group_shuffle(word, lane);
}
#endif
static inline uint word_from_below(const uint word, const uint distance)
{
    const uint lane = SUBGROUP_LANE;
    return word_from_lane(word, lane >= distance ? lane - distance : lane);
}
#endif
#define EXCHANGED(TYPE, NAME)                                                          \
    typedef VOLATILE union {                                                           \
        VOLATILE TYPE value;                                                           \
        VOLATILE uint word[(sizeof(TYPE) + 3) / 4];                                    \
    } NAME##_words;                                                                    \
    static inline TYPE NAME##_from_below(const TYPE value, const uint distance)        \
    {                                                                                  \
        if (SUB_GROUP_WIDTH == 1)                                                             \
            return value;                                                              \
        NAME##_words words = { .value = value };                                       \
        _Pragma("unroll") for (uint k = 0; k < sizeof(words.word) / 4; ++k)            \
            words.word[k] = word_from_below(words.word[k], distance);                  \
        return words.value;                                                            \
    }                                                                                  \
    static inline TYPE NAME##_from_lane(const TYPE value, const uint lane)             \
    {                                                                                  \
        if (SUB_GROUP_WIDTH == 1)                                                             \
            return value;                                                              \
        NAME##_words words = { .value = value };                                       \
        _Pragma("unroll") for (uint k = 0; k < sizeof(words.word) / 4; ++k)            \
            words.word[k] = word_from_lane(words.word[k], lane);                       \
        return words.value;                                                            \
    }
EXCHANGED(CARRIED, carried)
static inline CARRIED scan_lanes(PARAMETERS const CARRIED own, const uint width)
{
    CARRIED value = own;
#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2) {
        const CARRIED below = carried_from_below(value, distance);
        if (SUBGROUP_LANE >= distance)
            value = CARRY(below, value);
    }
    return value;
}
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
#if SUB_GROUPS == 1 || !defined(cl_khr_int64_base_atomics)
#define WRITE_MESSAGE(word, value) (*(word) = (value))
#define READ_MESSAGE(word) (*(word))
#define WRITE_MESSAGES(words, first, second) (*(volatile global ulong2 *)(words) = (ulong2)(first, second))
#define READ_MESSAGES(words) (*(volatile global ulong2 *)(words))
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define WRITE_MESSAGE(word, value) ((void)atom_xchg(word, value))
#define READ_MESSAGE(word) atom_add(word, 0ul)
#define WRITE_MESSAGES(words, first, second) (WRITE_MESSAGE(words, first), WRITE_MESSAGE((words) + 1, second))
#define READ_MESSAGES(words) ((ulong2)(READ_MESSAGE(words), READ_MESSAGE((words) + 1)))
#endif
#if TICKETS
static inline INDEX take_tile(volatile global uint *tickets, volatile local INDEX *room)
{
    if (get_local_id(0) == 0) {
        const uint ticket = atomic_inc(tickets);
        if (ticket == (uint)get_num_groups(0) - 1)
            atomic_xchg(tickets, 0u);
        *room = ticket;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *room;
}
#define TAKE_TILE(tickets, room) take_tile(tickets, &room)
#else
#define TAKE_TILE(tickets, room) ((INDEX)get_group_id(0))
#endif
#define COUNT_BITS 40
#define COUNT_OF(word) ((word) & (((ulong)1 << COUNT_BITS) - 1))
#define TOTAL 1u
#define PREFIX 2u
#define MESSAGE(state, count) ((ulong)(epoch + (state)) << COUNT_BITS | (ulong)(count))
#define AT_ONCE 4
#define TEAM 32
#define TEAMS (GROUP / TEAM)
#define ROWS PACKS
#define ITEMS (GROUP * ROWS)
#if SUB_GROUP_WIDTH < TEAM
#define TEAM_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define EACH_ROW(k) for (uint k = 0; k < ROWS; ++k)
#else
#define EACH_ROW(k) _Pragma("unroll") for (uint k = 0; k < ROWS; ++k)
#define TEAM_BARRIER() SUBGROUP_BARRIER()
#endif
#define PLACE(k) ((me / TEAM) * (TEAM * ROWS) + (k) * TEAM + me % TEAM)
#define GATHERS(k) (COUNT##k == 1)
typedef VOLATILE struct {
    VOLATILE union {
        VOLATILE uint count[TEAMS][BINS]; // the position of the team's next item of the digit
        VOLATILE INDEX to[BINS];          // later: an item's position is this plus its index in the tile's order
    } digits;
#if SUB_GROUPS != 1
    VOLATILE uint peers[TEAMS][BINS]; // the lanes that have the digit, a bit each; 0 between rows
#endif
    VOLATILE ulong items[ITEMS * LARGEST / 8 + 1];
    VOLATILE uint table[BINS]; // of digits
    VOLATILE uint totals[BINS / (SUB_GROUP_WIDTH > 1 ? SUB_GROUP_WIDTH : TEAM)];
    VOLATILE uint missing;     // a tile whose counts are missing, plus 1
    VOLATILE INDEX tile;
} shared_room;
#if SEGMENTED
#define TILES \
    global const uint *segment_begins, global const uint *segment_ends, global const uint *heads, \
        const uint passes, global const uint *begins,
#else
#define TILES global const ulong *begins,
#endif
static inline void tell_missing(global const KEY *keys, volatile global ulong *messages, const INDEX tile,
                                const INDEX first, const bool is_head, const ulong epoch, const ulong flip,
                                const uint shift, const uint mask, local uint *table)
{
    const uint me = get_local_id(0);
    for (uint d = me; d < BINS; d += GROUP)
        table[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < ITEMS; i += GROUP)
        atomic_inc(&table[DIGIT(ordered(keys[first + i], flip))]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = me; d < BINS; d += GROUP) {
        const ulong message = MESSAGE(is_head ? PREFIX : TOTAL, table[d]);
        if (READ_MESSAGE(messages + tile * BINS + d) < message)
            WRITE_MESSAGE(messages + tile * BINS + d, message);
    }
}
static inline uint count_below(PARAMETERS const uint count, local uint *table, local uint *totals)
{
    const uint me = get_local_id(0);
#if SUB_GROUP_WIDTH == 1
    if (me < BINS)
        table[me] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < BINS; distance *= 2) {
        const uint lower = me < BINS && me >= distance ? table[me - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < BINS)
            table[me] += lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return me < BINS ? table[me] - count : 0;
#else
    uint before = scan_lanes(ARGUMENTS count, SUB_GROUP_WIDTH) - count;
    if (me < BINS && me % SUB_GROUP_WIDTH == SUB_GROUP_WIDTH - 1)
        totals[me / SUB_GROUP_WIDTH] = before + count;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < BINS / SUB_GROUP_WIDTH; ++k)
        before += k < me / SUB_GROUP_WIDTH ? totals[k] : 0;
    return before;
#endif
}
#if SUB_GROUPS == 1
static inline uint lanes_with(const uint digit)
{
    uint lanes = 0xffffffff;
#pragma unroll
    for (uint bit = 1; bit < BINS; bit *= 2)
        asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, %2; setp.ne.u32 p, t, 0;"
                     " vote.sync.ballot.b32 t, p, 0xffffffff; @!p not.b32 t, t; and.b32 %0, %0, t; }"
                     : "+r"(lanes) : "r"(digit), "r"(bit));
    return lanes;
}
static inline uint lanes_below(void)
{
    uint lanes;
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    return lanes;
}
static inline uint lanes_above(void)
{
    uint lanes;
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(lanes));
    return lanes;
}
#endif
#define DECLARE_VALUE(k) PART(k) value_in##k[GATHERS(k) ? ROWS : 1];
#define LOAD_VALUE(k)                                                                      \
    {                                                                                      \
        EACH_ROW(row)                                                                      \
            value_in##k[GATHERS(k) ? row : 0] =                                            \
                PLACE(row) < present                                                       \
                    ? VALUE_NEAR(k, first + PLACE(0), row * TEAM).part[0] : 0;             \
    }
#define IN_TILE(DO, k)                      \
    if (present == ITEMS) {                 \
        EACH_ROW(row)                       \
            DO(k, row);                     \
    } else {                                \
        EACH_ROW(row) {                     \
            if (row * GROUP + me < present) \
                DO(k, row);                 \
        }                                   \
    }
#define PUT_VALUE(k, row) sorted##k[to[row]].part[0] = value_in##k[GATHERS(k) ? row : 0]
#define GATHER_VALUE(k)                                                                              \
    if (GATHERS(k)) {                                                                                \
        local PART(k) *gathered = (local PART(k) *)shared.items;                                     \
        if (k > 0)                                                                                   \
            LOAD_VALUE(k)                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        EACH_ROW(row)                                                                                \
            gathered[rank[row]] = value_in##k[GATHERS(k) ? row : 0];                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        EACH_ROW(row)                                                                                \
            value_in##k[GATHERS(k) ? row : 0] = gathered[row * GROUP + me];                          \
        IN_TILE(PUT_VALUE, k)                                                                        \
    } else {                                                                                         \
        EACH_ROW(row) {                                                                              \
            if (PLACE(row) < present)                                                                \
                sorted##k[shared.digits.to[DIGIT(key[row])] + rank[row]] =                           \
                    VALUE_AT(k, first + PLACE(row));                                                 \
        }                                                                                            \
    }
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void sort_sweep(PARAMETERS global const KEY *keys, global KEY *restrict sorted, VALUE_PARAMETERS
                TILES volatile global ulong *messages, volatile global uint *tickets, const ulong epoch, const uint pass,
                const ulong flip, uint shift, const uint mask, const INDEX length)
{
    local shared_room shared;
    const uint me = get_local_id(0), team = me / TEAM, lane = me % TEAM;
    const INDEX tile = TAKE_TILE(tickets, shared.tile);
#if SEGMENTED
    const INDEX head = heads[tile], origin = segment_begins[tile], end = segment_ends[tile];
    const size_t row = (size_t)head * passes + pass;
#else
    const INDEX head = 0, origin = 0, end = length;
    const size_t row = pass;
#endif
    const INDEX first = origin + (tile - head) * ITEMS;
    const uint present = (uint)min((INDEX)ITEMS, end - first);
#if SEGMENTED && SUB_GROUPS == 1
    if (present == 0)
        RETURN;
#endif
    KEY key[ROWS];
    global const KEY *mine = keys + (first + PLACE(0));
    if (present == ITEMS) {
        EACH_ROW(k)
            key[k] = ordered(mine[k * TEAM], flip);
    } else {
        EACH_ROW(k)
            key[k] = PLACE(k) < present ? ordered(mine[k * TEAM], flip) : LAST_KEY;
    }
    for (uint d = lane; d < BINS; d += TEAM) {
        shared.digits.count[team][d] = 0;
#if SUB_GROUPS != 1
        shared.peers[team][d] = 0;
#endif
    }
    TEAM_BARRIER();
    EACH_ROW(k)
        atomic_inc(&shared.digits.count[team][DIGIT(key[k])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint own = 0;
    if (me < BINS) {
#pragma unroll
        for (uint t = 0; t < TEAMS; ++t)
            own += shared.digits.count[t][me];
        if (tile != (INDEX)(STALLED))
            WRITE_MESSAGE(messages + tile * BINS + me,
                 MESSAGE(tile == head ? PREFIX : TOTAL, own - (me == mask ? ITEMS - present : 0)));
    }
    const uint lower = count_below(ARGUMENTS own, shared.table, shared.totals);
    if (me < BINS) {
        uint at = lower;
#pragma unroll
        for (uint t = 0; t < TEAMS; ++t) {
            const uint count = shared.digits.count[t][me];
            shared.digits.count[t][me] = at;
            at += count;
        }
    }
    if (me == mask)
        own -= ITEMS - present;
    barrier(CLK_LOCAL_MEM_FENCE);
    FORGET(shift);
    local KEY *gathered = (local KEY *)shared.items;
#if VALUES
    uint rank[ROWS]; // for the values
#define KEEP_RANK(k, place) rank[k] = place
#else
#define KEEP_RANK(k, place)
#endif
#if SUB_GROUPS == 1
    const uint lower_lanes = lanes_below(), upper_lanes = lanes_above();
    uint all = lanes_with(DIGIT(key[0]));
    EACH_ROW(k) {
        volatile local uint *count = &shared.digits.count[team][DIGIT(key[k])];
        const uint before = *count;
        const uint next = k + 1 < ROWS ? lanes_with(DIGIT(key[min(k + 1, ROWS - 1u)])) : 0;
        const uint place = before + popcount(all & lower_lanes);
        gathered[place] = key[k];
        KEEP_RANK(k, place);
        TEAM_BARRIER();
        if ((all & upper_lanes) == 0)
            *count = place + 1;
        TEAM_BARRIER();
        all = next;
    }
#else
    EACH_ROW(k) {
        volatile local uint *count = &shared.digits.count[team][DIGIT(key[k])];
        local uint *peers = &shared.peers[team][DIGIT(key[k])];
        atomic_or(peers, 1u << lane);
        TEAM_BARRIER();
        const uint all = *(volatile local uint *)peers, below = all & ((1u << lane) - 1);
        const uint before = *count;
        const uint place = before + popcount(below);
        gathered[place] = key[k];
        KEEP_RANK(k, place);
        TEAM_BARRIER();
        if (below == 0) {
            *(volatile local uint *)peers = 0;
            *count = before + popcount(all);
        }
        TEAM_BARRIER();
    }
#endif
    INDEX before = 0, ahead = tile - head;
    for (;;) {
        if (me == 0)
            shared.missing = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < BINS && ahead > 0) {
            for (uint spins = 0; ahead > 0; ) {
                ulong message[AT_ONCE];
#pragma unroll
                for (uint k = 0; k < AT_ONCE; ++k)
                    message[k] = READ_MESSAGE(messages + (head + (ahead > k ? ahead - 1 - k : 0)) * BINS + me);
                bool heard = true;
#pragma unroll
                for (uint k = 0; k < AT_ONCE; ++k) {
                    const ulong state = message[k] >> COUNT_BITS;
                    heard = heard && state > epoch;
                    if (heard && ahead > 0) {
                        before += (INDEX)COUNT_OF(message[k]);
                        ahead = state == epoch + PREFIX ? 0 : ahead - 1;
                    }
                }
                if (!heard && spins++ >= SPINS)
                    break;
            }
            if (ahead > 0)
                atomic_max(&shared.missing, (uint)ahead);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint missing = shared.missing;
        if (missing == 0)
            break;
        tell_missing(keys, messages, head + missing - 1, origin + (INDEX)(missing - 1) * ITEMS, missing == 1, epoch, flip,
                     shift, mask, shared.table);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (me < BINS) {
        if (tile > head && tile != (INDEX)(STALLED))
            WRITE_MESSAGE(messages + tile * BINS + me, MESSAGE(PREFIX, before + own));
        shared.digits.to[me] = (INDEX)begins[row * BINS + me] + before - lower;
    }
    EACH_VALUE(DECLARE_VALUE)
#if VALUES
    if (GATHERS(0))
        LOAD_VALUE(0)
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    FORGET(shift);
#if VALUES
    INDEX to[ROWS];
    EACH_ROW(k) {
        const KEY moved = gathered[k * GROUP + me];
        to[k] = shared.digits.to[DIGIT(moved)] + (k * GROUP + me);
        if (k * GROUP + me < present)
            sorted[to[k]] = unordered(moved, flip);
    }
    EACH_VALUE(GATHER_VALUE)
#else
    if (present == ITEMS) {
        KEY moved[ROWS];
        EACH_ROW(k)
            moved[k] = gathered[k * GROUP + me];
        EACH_ROW(k)
            sorted[shared.digits.to[DIGIT(moved[k])] + (k * GROUP + me)] = unordered(moved[k], flip);
    } else {
#pragma unroll 1
        for (uint at = me; at < present; at += GROUP) {
            const KEY moved = gathered[at];
            sorted[shared.digits.to[DIGIT(moved)] + at] = unordered(moved, flip);
        }
    }
#endif
    RETURN;
}
