// Program 1 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 64
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define FIRST 1
#define SECOND 1
#define BOTH 1
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
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
#define A_ITEM uint
#define A_PACK_ITEM A_ITEM
#define A_STORED uint
#define A_LOAD_FROM x0
#define A_LOAD(i) A_item_at(ARGUMENTS i)
#define A_LOAD_PACK(p) A_pack_at(ARGUMENTS p)
#define A_UNPACK(pack, items) (*(items) = (pack))
#define A_PACKED(items) (*(items))
#define A_LANE(pack, k) (pack)
static inline A_ITEM A_item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
#define A_pack_at A_item_at
#define B_ITEM A_ITEM
#define B_PACK_ITEM A_PACK_ITEM
#define B_STORED uint
#define B_LOAD_FROM x0
#define B_LOAD(i) B_item_at(ARGUMENTS i)
#define B_LOAD_PACK(p) B_pack_at(ARGUMENTS p)
#define B_UNPACK(pack, items) (*(items) = (pack))
#define B_PACKED(items) (*(items))
#define B_LANE(pack, k) (pack)
static inline A_ITEM B_item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
#define B_pack_at B_item_at
#define LESS_ITEM bool
#define LESS_PACK_ITEM LESS_ITEM
#define LESS(a, b) LESS_item(ARGUMENTS a, b)
#define LESS_PACK(a, b) LESS_pack(ARGUMENTS a, b)
static inline LESS_ITEM LESS_item(PARAMETERS const A_ITEM a, const A_ITEM b)
{
    const uint v2 = a;
    const uint v3 = b;
    const bool v4 = (v2 < v3);
    return v4;
}
#define LESS_pack LESS_item
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
#define SEARCH_PROBE(length, k, WAYS) ((length) / WAYS * (k) + (length) % WAYS * (k) / WAYS)
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
#define SEQUENCES_IN_MEMORY const INDEX a_begin, const INDEX b_begin,
#define A_IN_MEMORY(i) A_LOAD(a_begin + (i))
#define B_IN_MEMORY(j) B_LOAD(b_begin + (j))
DEFINE_BALANCED_CUT(balanced, INDEX, SEQUENCES_IN_MEMORY, A_IN_MEMORY, B_IN_MEMORY, 4)
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
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void set_cuts(PARAMETERS const INDEX a_length, const INDEX b_length, const INDEX piece, const INDEX count,
              global ulong *cuts)
{
    const INDEX k = get_global_id(0);
    if (k < count) {
        INDEX b_cut;
        const INDEX diagonal = min(k * piece, a_length + b_length);
        const INDEX a_cut = balanced_cut(ARGUMENTS 0, 0, a_length, b_length, diagonal, &b_cut);
        cuts[2 * k] = a_cut;
        cuts[2 * k + 1] = b_cut;
    }
    RETURN;
}
// Program 2 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 1
#define PACKS 23
#define CHUNKED 0
#define STREAM 0
#define SUB_GROUPS 1
#define SUB_GROUP_WIDTH 32
#define TICKETS 0
#define SPINS 10000
#define STALLED -1
#define FIRST 1
#define SECOND 1
#define BOTH 1
#define ITEM_BYTES 4
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0, global const ulong *x1,
#define ARGUMENTS x0, x1,
#define OUTPUTS global uint *restrict out0,
#define OUTPUT_ARGUMENTS out0,
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
#define A_ITEM uint
#define A_PACK_ITEM A_ITEM
#define A_STORED uint
#define A_LOAD_FROM x0
#define A_LOAD(i) A_item_at(ARGUMENTS i)
#define A_LOAD_PACK(p) A_pack_at(ARGUMENTS p)
#define A_UNPACK(pack, items) (*(items) = (pack))
#define A_PACKED(items) (*(items))
#define A_LANE(pack, k) (pack)
static inline A_ITEM A_item_at(PARAMETERS const INDEX i)
{
    const INDEX v1 = i;
    const uint v2 = x0[v1];
    return v2;
}
#define A_pack_at A_item_at
#define B_ITEM A_ITEM
#define B_PACK_ITEM A_PACK_ITEM
#define B_STORED uint
#define B_LOAD_FROM x0
#define B_LOAD(i) B_item_at(ARGUMENTS i)
#define B_LOAD_PACK(p) B_pack_at(ARGUMENTS p)
#define B_UNPACK(pack, items) (*(items) = (pack))
#define B_PACKED(items) (*(items))
#define B_LANE(pack, k) (pack)
static inline A_ITEM B_item_at(PARAMETERS const INDEX i)
{
    const INDEX v1 = i;
    const uint v2 = x0[v1];
    return v2;
}
#define B_pack_at B_item_at
#define CUT_ITEM ulong
#define CUT_PACK_ITEM CUT_ITEM
#define CUT_STORED ulong
#define CUT_LOAD_FROM x1
#define CUT_LOAD(i) CUT_item_at(ARGUMENTS i)
#define CUT_LOAD_PACK(p) CUT_pack_at(ARGUMENTS p)
#define CUT_UNPACK(pack, items) (*(items) = (pack))
#define CUT_PACKED(items) (*(items))
#define CUT_LANE(pack, k) (pack)
static inline CUT_ITEM CUT_item_at(PARAMETERS const INDEX i)
{
    const INDEX v1 = i;
    const ulong v5 = x1[v1];
    return v5;
}
#define CUT_pack_at CUT_item_at
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const A_ITEM item)
{
    const uint v0 = item;
    out0[i] = v0;
}
#define store_pack store_item
#define LESS_ITEM bool
#define LESS_PACK_ITEM LESS_ITEM
#define LESS(a, b) LESS_item(ARGUMENTS a, b)
#define LESS_PACK(a, b) LESS_pack(ARGUMENTS a, b)
static inline LESS_ITEM LESS_item(PARAMETERS const A_ITEM a, const A_ITEM b)
{
    const uint v0 = a;
    const uint v3 = b;
    const bool v4 = (v0 < v3);
    return v4;
}
#define LESS_pack LESS_item
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
#define SEARCH_PROBE(length, k, WAYS) ((length) / WAYS * (k) + (length) % WAYS * (k) / WAYS)
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
#define SEQUENCES_IN_MEMORY const INDEX a_begin, const INDEX b_begin,
#define A_IN_MEMORY(i) A_LOAD(a_begin + (i))
#define B_IN_MEMORY(j) B_LOAD(b_begin + (j))
DEFINE_BALANCED_CUT(balanced, INDEX, SEQUENCES_IN_MEMORY, A_IN_MEMORY, B_IN_MEMORY, 4)
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
#define CARRIED INDEX
#define CARRY(a, b) ((a) + (b))
#define IN_PLACE 0
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
#define SUBGROUPS (GROUP / SUB_GROUP_WIDTH)
#define OWN_SUBGROUP ((uint)get_local_id(0) / SUB_GROUP_WIDTH)
#define ROW_PLACE(k) \
    (OWN_SUBGROUP * (SUB_GROUP_WIDTH * PACKS) + (uint)get_local_id(0) % SUB_GROUP_WIDTH + (k) * SUB_GROUP_WIDTH)
#if SUB_GROUPS == 1
#define ALSO_READ CLK_LOCAL_MEM_FENCE
#else
#define ALSO_READ (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
static inline CARRIED scan_subgroups(PARAMETERS const CARRIED own, local CARRIED *room)
{
    const uint at = OWN_SUBGROUP;
#if SUB_GROUP_WIDTH == 1
    room[at] = own;
    barrier(ALSO_READ);
    for (uint distance = 1; distance < SUBGROUPS; distance *= 2) {
        CARRIED value = room[at];
        if (at >= distance)
            value = CARRY(room[at - distance], value);
        barrier(CLK_LOCAL_MEM_FENCE);
        room[at] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    if (SUBGROUP_LANE == 0)
        room[at] = own;
    barrier(ALSO_READ);
    if (at == 0) {
        const uint lane = SUBGROUP_LANE;
        const CARRIED scanned = scan_lanes(ARGUMENTS room[lane < SUBGROUPS ? lane : 0], SUBGROUPS);
        if (lane < SUBGROUPS)
            room[lane] = scanned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    return room[SUBGROUPS - 1];
}
#define BELOW(room) room[OWN_SUBGROUP > 0 ? OWN_SUBGROUP - 1 : 0]
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
#define WORDS ((sizeof(CARRIED) + 3) / 4)
#define IN_TWOS (WORDS % 2 == 0)
#define TOTAL 1u
#define PREFIX 2u
#if !IN_PLACE
#define PUBLISHED()
#elif SUB_GROUPS == 1
#define PUBLISHED() asm volatile("membar.gl;" ::: "memory")
#else
#define PUBLISHED() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
static inline CARRIED tile_total(PARAMETERS const INDEX tile, local CARRIED *room);
static inline void publish(volatile global ulong *messages, const INDEX at, const uint flag,
                           const CARRIED value)
{
    const carried_words words = { .value = value };
    volatile global ulong *message = messages + at * WORDS;
    ulong word[WORDS];
#pragma unroll
    for (uint k = 0; k < WORDS; ++k)
        word[k] = (ulong)flag << 32 | words.word[k];
#pragma unroll
    for (uint k = 0; k < WORDS; k += IN_TWOS ? 2 : 1) {
        if (IN_TWOS)
            WRITE_MESSAGES(message + k, word[k], word[k + IN_TWOS]);
        else
            WRITE_MESSAGE(message + k, word[k]);
    }
}
static inline uint peek(volatile global ulong *messages, const INDEX at, const uint epoch, CARRIED *value)
{
    volatile global ulong *message = messages + at * WORDS;
    carried_words words;
    uint flag = 0;
    bool whole = true;
    ulong word[WORDS];
#pragma unroll
    for (uint k = 0; k < WORDS; k += IN_TWOS ? 2 : 1) {
        if (IN_TWOS) {
            const ulong2 both = READ_MESSAGES(message + k);
            word[k] = both.x;
            word[k + IN_TWOS] = both.y;
        } else {
            word[k] = READ_MESSAGE(message + k);
        }
    }
#pragma unroll
    for (uint k = 0; k < WORDS; ++k) {
        words.word[k] = (uint)word[k];
        whole = whole && (k == 0 || (uint)(word[k] >> 32) == flag);
        flag = (uint)(word[k] >> 32);
    }
    *value = words.value;
    return whole && flag > epoch ? flag - epoch : 0;
}
typedef VOLATILE struct {
    VOLATILE CARRIED before;
    VOLATILE INDEX missing;
    VOLATILE uint known;
} tile_message;
static inline bool follow_chain(PARAMETERS volatile global ulong *blocks, const INDEX block, const uint epoch,
                                CARRIED *before)
{
    INDEX at = block - SUB_GROUP_WIDTH;
    CARRIED chain = *before, next;
    uint state = TOTAL;
    while (at > 0 && state == TOTAL)
        state = peek(blocks, --at, epoch, &chain);
    if (state != PREFIX)
        return false;
#pragma unroll 1
    for (++at; at < block; ++at) {
        state = peek(blocks, at, epoch, &next);
        if (state == 0)
            return false;
        chain = state == PREFIX ? next : CARRY(chain, next);
    }
    *before = chain;
    return true;
}
static inline bool complete_block(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                                  const INDEX block, const uint epoch, INDEX *missing)
{
    CARRIED own, told;
    const lane_mask absent = VOTE(peek(totals, block * SUB_GROUP_WIDTH + SUBGROUP_LANE, epoch, &own) == 0);
    if (absent != 0) {
        *missing = block * SUB_GROUP_WIDTH + FIRST_LANE(absent);
        return true;
    }
    const CARRIED all = carried_from_lane(scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH), SUB_GROUP_WIDTH - 1);
    if (SUBGROUP_LANE == 0 && peek(blocks, block, epoch, &told) == 0)
        publish(blocks, block, epoch + (block == 0 ? PREFIX : TOTAL), all);
    return false;
}
static inline bool look_back(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                             const INDEX tile, const CARRIED total, const uint epoch, CARRIED *within,
                             CARRIED *before, INDEX *missing)
{
    const uint lane = SUBGROUP_LANE, place = (uint)(tile % SUB_GROUP_WIDTH);
    const INDEX block = tile / SUB_GROUP_WIDTH;
    CARRIED own = total, told = total;
    bool here = lane >= place, has_within = false, has_before = block == 0;
    uint state = 0;
    for (uint spins = 0;; ++spins) {
        CARRIED heard;
        if (!here && peek(totals, tile - place + lane, epoch, &heard) == TOTAL) {
            own = heard;
            here = true;
        }
        if (!has_before && state != PREFIX && lane < block)
            state = peek(blocks, block - 1 - lane, epoch, &told);
        const lane_mask absent = VOTE(!here);
        if (!has_within && absent == 0) {
            own = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
            has_within = true;
            if (place == SUB_GROUP_WIDTH - 1 && block > 0 && lane == place)
                publish(blocks, block, epoch + TOTAL, own);
        }
        const lane_mask prefixes = VOTE(state == PREFIX), unknown = VOTE(state == 0 && lane < block);
        if (!has_before) {
            const lane_mask nearest = prefixes & -prefixes;
            if (prefixes != 0 && (unknown & (nearest - 1)) == 0) {
                uint k = FIRST_LANE(prefixes);
                CARRIED chain = carried_from_lane(told, k);
                while (k > 0)
                    chain = CARRY(chain, carried_from_lane(told, --k));
                told = chain;
                has_before = true;
            } else if (prefixes == 0 && unknown == 0 && block > SUB_GROUP_WIDTH) {
                CARRIED chain = told;
                if ((VOTE(follow_chain(ARGUMENTS blocks, block, epoch, &chain)) & 1) != 0) {
                    told = carried_from_lane(chain, 0);
                    has_before = true;
                }
            }
        }
        if (has_within && has_before)
            break;
        if (spins >= SPINS) {
            if (!has_within) {
                *missing = tile - place + FIRST_LANE(absent);
                return false;
            }
            const INDEX late = block - 1 - FIRST_LANE(unknown);
            if (unknown != 0 && complete_block(ARGUMENTS totals, blocks, late, epoch, missing))
                return false;
            spins = 0;
        }
    }
    *before = told;
    *within = carried_from_lane(own, place - 1);
    if (place == SUB_GROUP_WIDTH - 1 && lane == place)
        publish(blocks, block, epoch + PREFIX, block > 0 ? CARRY(told, own) : own);
    return true;
}
static inline void tell_total(volatile global ulong *totals, const INDEX tile, const CARRIED total,
                              const uint epoch)
{
    if (get_local_id(0) == 0 && tile != (INDEX)(STALLED)) {
        publish(totals, tile, epoch + TOTAL, total);
        PUBLISHED();
    }
}
static inline bool find_prefix(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                               const INDEX tile, const CARRIED total, const uint epoch,
                               local tile_message *shared)
{
    if (get_local_id(0) < SUB_GROUP_WIDTH) {
        CARRIED within, before;
        INDEX missing = 0;
        const bool known =
            look_back(ARGUMENTS totals, blocks, tile, total, epoch, &within, &before, &missing);
        if (get_local_id(0) == 0) {
            shared->known = known;
            shared->missing = missing;
            if (known) {
#if IN_PLACE && STALLED >= 0
                if (tile == (INDEX)(STALLED)) {
                    publish(totals, tile, epoch + TOTAL, total);
                    PUBLISHED();
                }
#endif
                const bool has_within = tile % SUB_GROUP_WIDTH > 0, has_before = tile / SUB_GROUP_WIDTH > 0;
                shared->before = !has_within ? before : has_before ? CARRY(before, within) : within;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared->known;
}
static inline void compute_missing(PARAMETERS volatile global ulong *totals, const uint epoch,
                                   local tile_message *shared, local CARRIED *room)
{
    const INDEX missing = shared->missing;
    const CARRIED computed = tile_total(ARGUMENTS missing, room);
    CARRIED told;
    if (get_local_id(0) == 0 && peek(totals, missing, epoch, &told) == 0)
        publish(totals, missing, epoch + TOTAL, computed);
    barrier(CLK_LOCAL_MEM_FENCE);
}
#define A_IN_TILE(i) shared[i]
#define B_IN_TILE(j) shared[a_length + (j)]
#define SEQUENCES_IN_TILE local const A_ITEM *restrict shared,
DEFINE_BALANCED_CUT(balanced_local, uint, SEQUENCES_IN_TILE, A_IN_TILE, B_IN_TILE, 2)
DEFINE_BALANCED_CUT(balanced_halves, INDEX, SEQUENCES_IN_MEMORY, A_IN_MEMORY, B_IN_MEMORY, 2)
#define ROOM (TILE_PACKS + 1)
typedef VOLATILE struct {
    VOLATILE INDEX a, b;
    VOLATILE uint a_length, b_length;
} set_tile;
static inline set_tile tile_at(PARAMETERS const INDEX tile)
{
    const INDEX a = CUT_LOAD(2 * tile), b = CUT_LOAD(2 * tile + 1);
    const INDEX a_end = CUT_LOAD(2 * tile + 2), b_end = CUT_LOAD(2 * tile + 3);
    const uint a_length = (uint)min((INDEX)ROOM, max(a_end, a) - a);
    const uint b_length = (uint)min((INDEX)(ROOM - a_length), max(b_end, b) - b);
    const set_tile whole = { a, b, a_length, b_length };
    return whole;
}
static inline INDEX tile_total(PARAMETERS const INDEX tile, local INDEX *room)
{
    const uint me = get_local_id(0);
    const set_tile whole = tile_at(ARGUMENTS tile);
    const INDEX length = whole.a_length + whole.b_length;
    INDEX j, j_end;
    const INDEX i = balanced_halves_cut(ARGUMENTS whole.a, whole.b, whole.a_length, whole.b_length,
                                        min((INDEX)(me * PACKS), length), &j);
    INDEX i_end = whole.a_length;
    j_end = whole.b_length;
    if (me + 1 < GROUP)
        i_end = balanced_halves_cut(ARGUMENTS whole.a, whole.b, whole.a_length, whole.b_length,
                                    min((INDEX)((me + 1) * PACKS), length), &j_end);
    const INDEX own = count_kept(ARGUMENTS whole.a + i, whole.a + max(i, i_end), whole.b + j,
                                 whole.b + max(j, j_end), PACKS + 1);
    const INDEX scanned = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    barrier(CLK_LOCAL_MEM_FENCE);
    return min((INDEX)ROOM,
               scan_subgroups(ARGUMENTS carried_from_lane(scanned, SUB_GROUP_WIDTH - 1), room));
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void set_tiles(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
               volatile global uint *tickets, const uint epoch, const INDEX tiles, const INDEX limit,
               global ulong *count)
{
    local A_ITEM shared[ROOM + GROUP];
    local uint a_cuts[GROUP], b_cuts[GROUP];
    local INDEX room[SUBGROUPS];
    local tile_message message;
    const uint me = get_local_id(0);
    const INDEX tile = TAKE_TILE(tickets, message.missing);
    const set_tile whole = tile_at(ARGUMENTS tile);
    const uint a_length = whole.a_length, b_length = whole.b_length, length = a_length + b_length;
    A_ITEM item[PACKS + 1];
    if (length >= TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const uint at = k * GROUP + me;
            if (at < a_length)
                item[k] = A_LOAD(whole.a + at);
            else
                item[k] = B_LOAD(whole.b + (at - a_length));
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
        if (me == 0 && length > TILE_PACKS) {
            if (b_length > 0)
                shared[TILE_PACKS] = B_LOAD(whole.b + (b_length - 1));
            else
                shared[TILE_PACKS] = A_LOAD(whole.a + (a_length - 1));
        }
    } else {
#pragma unroll 1
        for (uint at = me; at < length; at += GROUP) {
            if (at < a_length)
                shared[at] = A_LOAD(whole.a + at);
            else
                shared[at] = B_LOAD(whole.b + (at - a_length));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint j;
    const uint i = balanced_local_cut(ARGUMENTS shared, a_length, b_length, min(me * PACKS, length), &j);
    a_cuts[me] = i;
    b_cuts[me] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool is_last = me == GROUP - 1;
    const uint i_end = is_last ? a_length : a_cuts[is_last ? me : me + 1];
    const uint j_end = is_last ? b_length : b_cuts[is_last ? me : me + 1];
    uint p = i, q = a_length + j, flags = 0;
    const uint p_end = i_end, q_end = a_length + j_end;
    A_ITEM a = shared[p], b = shared[q];
#pragma unroll
    for (uint k = 0; k <= PACKS; ++k) {
        const bool has_a = p < p_end, has_b = q < q_end;
        const bool take_a = has_a & !(has_b & LESS(b, a)), take_b = has_b & !(take_a & LESS(a, b));
        const bool is_kept = (FIRST & take_a & !take_b) | (SECOND & take_b & !take_a) | (BOTH & take_a & take_b);
        flags |= is_kept ? 1u << k : 0;
        item[k] = SECOND && !take_a ? b : a;
        if (take_a)
            a = shared[++p];
        if (take_b)
            b = shared[++q];
    }
    const INDEX own = popcount(flags), scanned = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    const INDEX all = min(
        (INDEX)ROOM, scan_subgroups(ARGUMENTS carried_from_lane(scanned, SUB_GROUP_WIDTH - 1), room));
    uint to = (uint)(scanned - own + (OWN_SUBGROUP > 0 ? BELOW(room) : 0));
#if FIRST && SECOND && BOTH
#pragma unroll
    for (uint k = 0; k <= PACKS; ++k)
        if (k < own && to + k < ROOM)
            shared[to + k] = item[k];
#else
#pragma unroll
    for (uint k = 0; k <= PACKS; ++k) {
        const uint is_kept = (flags >> k & 1) & (to < ROOM);
        shared[is_kept ? to : ROOM + me] = item[k];
        to += is_kept;
    }
#endif
    tell_total(totals, tile, all, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, all, epoch, &message))
        compute_missing(ARGUMENTS totals, epoch, &message, room);
    const INDEX before = tile > 0 ? message.before : 0;
    if (me == 0 && tile + 1 == tiles)
        *count = before + all;
    for (INDEX k = me; k < all && before + k < limit; k += GROUP)
        STORE(before + k, shared[k]);
    RETURN;
}
