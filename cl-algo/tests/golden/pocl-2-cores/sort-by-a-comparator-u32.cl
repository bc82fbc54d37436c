// Program 1 of 3, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
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
#define PACKS 4096
#define CHUNKED 1
#define STREAM 0
#define ITEM_BYTES 4
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
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
    const bool v4 = (v0 > v3);
    return v4;
}
#define LESS_pack LESS_item
#define INLINE __attribute__((always_inline)) static inline
#if !CHUNKED
static inline uint agreed_cuts(
    local uint *cuts,
    local uint *disagree,
    uint *cut,
    const uint first,
    const uint span,
    const uint step,
    const uint distance,
    const uint a_length)
{
    const uint me = get_local_id(0);
    const bool is_last = me + 1 == first + span;
    cuts[me] = *cut;
    if (me == 0)
        *disagree = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = is_last ? a_length : cuts[me + 1];
    if (next < *cut || next - *cut > distance)
        *disagree = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (*disagree && me == first) {
#pragma unroll 1
        for (uint k = first + 1; k < first + span; ++k)
            cuts[k] = cuts[k - 1] + min(step, max(cuts[k], cuts[k - 1]) - cuts[k - 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *cut = cuts[me];
    return is_last ? a_length : cuts[me + 1];
}
#endif
#define MERGE_JUMPS 1
#if !CHUNKED
static inline uint merge_path_local(
    PARAMETERS local const A_ITEM *restrict a,
    const uint a_length,
    const uint b_length,
    const uint diagonal)
{
    local const A_ITEM *restrict opposite = a + (a_length + b_length - diagonal);
    uint low = diagonal - min(diagonal, b_length), high = min(diagonal, a_length);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool goes_after = LESS(opposite[middle], a[middle]);
        low = goes_after ? low : middle + 1;
        high = goes_after ? middle : high;
    }
    return low;
}
static inline void merge_local(
    PARAMETERS local const A_ITEM *restrict shared,
    local uint *cuts,
    local uint *disagree,
    const uint first,
    const uint span,
    const uint a_length,
    const uint b_length,
    const uint diagonal,
    A_ITEM *result)
{
    const uint length = a_length + b_length, last = length - 1;
    const uint count = min((uint)PACKS, length - diagonal);
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    const uint i_end = agreed_cuts(cuts, disagree, &i, first, span, PACKS, count, a_length);
    if (count == 0)
        return;
    uint j = last - (diagonal - i);
    const uint j_end = last - (diagonal + count - i_end);
    A_ITEM a = shared[min(i, last)], b = shared[min(j, last)];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool second = (i >= i_end) | ((j != j_end) & LESS(b, a));
        result[k] = second ? b : a;
        i += !second;
        j -= second;
#if MERGE_JUMPS
        if (second)
            b = shared[min(j, last)];
        else
            a = shared[min(i, last)];
#else
        const A_ITEM next = shared[min(second ? j : i, last)];
        a = second ? a : next;
        b = second ? next : b;
#endif
    }
}
#endif
#define ORDER(first, second)                       \
    {                                              \
        const A_ITEM left = first, right = second; \
        const bool swap = LESS(right, left);       \
        first = swap ? right : left;               \
        second = swap ? left : right;              \
    }
#if !CHUNKED
#define PUT_ITEMS(place, way)                          \
    if (whole) {                                       \
        _Pragma("unroll")                              \
        for (int k = 0; k < PACKS; ++k)                \
            shared[(place) + (way) * k] = item[k];     \
    } else {                                           \
        _Pragma("unroll")                              \
        for (int k = 0; k < PACKS; ++k)                \
            if (mine + k < count)                      \
                shared[(place) + (way) * k] = item[k]; \
    }
INLINE void sort_tile(PARAMETERS local A_ITEM *shared, local uint *cuts, local uint *disagree, const uint count,
                      const uint longest)
{
    const uint me = get_local_id(0), mine = me * PACKS;
    const bool whole = count == TILE_PACKS;
    A_ITEM item[PACKS];
    if (mine < count && mine + PACKS > count) {
#pragma unroll 1
        for (uint k = mine + 1; k < count; ++k) {
            const A_ITEM inserted = shared[k];
            uint place = k;
#pragma unroll 1
            for (; place > mine && LESS(inserted, shared[place - 1]); --place)
                shared[place] = shared[place - 1];
            shared[place] = inserted;
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = shared[min(mine + k, count - 1)];
    } else if (mine < count) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = shared[mine + k];
#pragma unroll
        for (uint round = 0; round < PACKS; round += 2) {
#pragma unroll
            for (uint k = 0; k + 1 < PACKS; k += 2)
                ORDER(item[k], item[k + 1])
            if (round + 1 < PACKS) {
#pragma unroll
                for (uint k = 1; k + 1 < PACKS; k += 2)
                    ORDER(item[k], item[k + 1])
            }
        }
    }
    bool is_last = false;
#pragma unroll 1
    for (uint runs = PACKS; runs < count && !is_last; runs *= 2) {
        is_last = runs >= 2 * PACKS && runs / 2 >= longest;
        const uint alone = is_last ? runs / 2 : 0, width = is_last ? runs / 2 : runs;
        const bool is_alone = mine < alone;
        const uint pair = min(is_alone ? 0 : alone + (mine - alone) / (2 * width) * (2 * width), count);
        const uint a_length = min(width, count - pair), b_length = is_alone ? 0 : min(width, count - pair - a_length);
        const bool backwards = mine >= pair + width;
        const int way = backwards ? -1 : 1;
        const int place = backwards ? 2 * pair + 2 * a_length + b_length - 1 - mine : mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        PUT_ITEMS(place, way)
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint diagonal = min(mine - pair, a_length + b_length);
        const uint first_alone = alone / PACKS, pairs = 2 * width / PACKS;
        const uint first = is_alone ? 0 : first_alone + (me - first_alone) / pairs * pairs;
        const uint span = is_alone ? first_alone : min(pairs, GROUP - first);
        merge_local(ARGUMENTS shared + pair, cuts, disagree, first, span, a_length, b_length, diagonal, item);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    PUT_ITEMS((int)mine, 1)
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif
#if CHUNKED
#define BASE 8
static inline bool merge_both_ends(PARAMETERS local const A_ITEM *from, local A_ITEM *to, const int width)
{
    int i = 0, j = width, p = width - 1, q = 2 * width - 1;
    for (int k = 0; k < width; ++k) {
        const A_ITEM a = from[i], b = from[j], y = from[p], z = from[q];
        const bool second = LESS(b, a), first = LESS(z, y);
        to[k] = second ? b : a;
        i += !second;
        j += second;
        to[2 * width - 1 - k] = first ? y : z;
        p -= first;
        q -= !first;
    }
    return i == p + 1;
}
static inline void merge_rest(
    PARAMETERS local const A_ITEM *from,
    local A_ITEM *to,
    const int width,
    const int length)
{
    int i = 0, j = min(width, length);
    const int middle = j;
    for (int k = 0; k < length; ++k) {
        const bool second = j < length && (i >= middle || LESS(from[j], from[i]));
        to[k] = from[second ? j : i];
        i += !second;
        j += second;
    }
}
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_blocks(PARAMETERS OUTPUTS const INDEX length)
{
    local A_ITEM shared[2 * TILE_PACKS];
    const INDEX tiles = (length + TILE - 1) / TILE;
    FOR_EACH_TILE(tile, tiles) {
        const INDEX begin = tile * TILE;
        const int count = (int)min(TILE, length - begin);
        local A_ITEM *from = shared, *to = shared + TILE_PACKS;
        int done = 0;
        for (; done + BASE <= count; done += BASE) {
            A_ITEM item[BASE];
#pragma unroll
            for (int k = 0; k < BASE; ++k)
                item[k] = A_LOAD(begin + done + k);
#pragma unroll
            for (int round = 0; round < BASE; ++round)
#pragma unroll
                for (int k = round % 2; k + 1 < BASE; k += 2)
                    ORDER(item[k], item[k + 1])
#pragma unroll
            for (int k = 0; k < BASE; ++k)
                from[done + k] = item[k];
        }
        for (int k = done; k < count; ++k) {
            const A_ITEM item = A_LOAD(begin + k);
            int place = k;
            for (; place > done && LESS(item, from[place - 1]); --place)
                from[place] = from[place - 1];
            from[place] = item;
        }
        for (int width = BASE; width < count; width *= 2) {
            int at = 0;
            for (; at + 2 * width <= count; at += 2 * width)
                if (!merge_both_ends(ARGUMENTS from + at, to + at, width))
                    merge_rest(ARGUMENTS from + at, to + at, width, 2 * width);
            merge_rest(ARGUMENTS from + at, to + at, width, count - at);
            local A_ITEM *const other = from;
            from = to;
            to = other;
        }
        for (int k = 0; k < count; ++k)
            STORE(begin + k, from[k]);
    }
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_blocks(PARAMETERS OUTPUTS const INDEX length)
{
    local A_ITEM shared[TILE_PACKS];
    local uint cuts[GROUP], disagree;
    const uint me = get_local_id(0);
    const INDEX begin = (INDEX)get_group_id(0) * TILE_PACKS;
    const uint count = (uint)min((INDEX)TILE_PACKS, length - begin);
    const bool whole = count == TILE_PACKS;
    A_ITEM item[PACKS];
    if (whole) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = A_LOAD(begin + (k * GROUP + me));
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            shared[at] = A_LOAD(begin + at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_tile(ARGUMENTS shared, cuts, &disagree, count, TILE_PACKS);
    if (whole) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            STORE(begin + (k * GROUP + me), shared[k * GROUP + me]);
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            STORE(begin + at, shared[at]);
    }
    RETURN;
}
#endif
// Program 2 of 3, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
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
#define PACKS 1
#define CHUNKED 1
#define STREAM 0
#define ITEM_BYTES 4
#define RUNS 1
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
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
    const bool v4 = (v0 > v3);
    return v4;
}
#define LESS_pack LESS_item
typedef VOLATILE struct {
    VOLATILE INDEX a, a_length;
    VOLATILE INDEX b, b_length;
    VOLATILE INDEX begin;
} pair_of_runs;
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
#if !CHUNKED
static inline uint agreed_cuts(
    local uint *cuts,
    local uint *disagree,
    uint *cut,
    const uint first,
    const uint span,
    const uint step,
    const uint distance,
    const uint a_length)
{
    const uint me = get_local_id(0);
    const bool is_last = me + 1 == first + span;
    cuts[me] = *cut;
    if (me == 0)
        *disagree = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = is_last ? a_length : cuts[me + 1];
    if (next < *cut || next - *cut > distance)
        *disagree = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (*disagree && me == first) {
#pragma unroll 1
        for (uint k = first + 1; k < first + span; ++k)
            cuts[k] = cuts[k - 1] + min(step, max(cuts[k], cuts[k - 1]) - cuts[k - 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *cut = cuts[me];
    return is_last ? a_length : cuts[me + 1];
}
#endif
#define MERGE_JUMPS 0
#if !CHUNKED
static inline uint merge_path_local(
    PARAMETERS local const A_ITEM *restrict a,
    const uint a_length,
    const uint b_length,
    const uint diagonal)
{
    local const A_ITEM *restrict opposite = a + (a_length + b_length - diagonal);
    uint low = diagonal - min(diagonal, b_length), high = min(diagonal, a_length);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool goes_after = LESS(opposite[middle], a[middle]);
        low = goes_after ? low : middle + 1;
        high = goes_after ? middle : high;
    }
    return low;
}
static inline void merge_local(
    PARAMETERS local const A_ITEM *restrict shared,
    local uint *cuts,
    local uint *disagree,
    const uint first,
    const uint span,
    const uint a_length,
    const uint b_length,
    const uint diagonal,
    A_ITEM *result)
{
    const uint length = a_length + b_length, last = length - 1;
    const uint count = min((uint)PACKS, length - diagonal);
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    const uint i_end = agreed_cuts(cuts, disagree, &i, first, span, PACKS, count, a_length);
    if (count == 0)
        return;
    uint j = last - (diagonal - i);
    const uint j_end = last - (diagonal + count - i_end);
    A_ITEM a = shared[min(i, last)], b = shared[min(j, last)];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool second = (i >= i_end) | ((j != j_end) & LESS(b, a));
        result[k] = second ? b : a;
        i += !second;
        j -= second;
#if MERGE_JUMPS
        if (second)
            b = shared[min(j, last)];
        else
            a = shared[min(i, last)];
#else
        const A_ITEM next = shared[min(second ? j : i, last)];
        a = second ? a : next;
        b = second ? next : b;
#endif
    }
}
#endif
#if CHUNKED
static inline pair_of_runs part_of_group(PARAMETERS const pair_of_runs whole, const INDEX total)
{
    pair_of_runs pair = whole;
    for (uint low = 0, high = get_num_groups(0); high - low > 1;) {
        const uint middle = low + (high - low) / 2;
        const INDEX at = CUT(total, middle), size = pair.a_length + pair.b_length;
        const bool is_before = get_group_id(0) < middle;
        if (at > pair.begin && at - pair.begin < size) {
            const INDEX diagonal = at - pair.begin, cut = merge_path(ARGUMENTS pair, diagonal);
            pair = is_before ? part_of_pair(pair, 0, 0, diagonal, cut)
                             : part_of_pair(pair, diagonal, cut, size, pair.a_length);
        }
        low = is_before ? low : middle;
        high = is_before ? middle : high;
    }
    return pair;
}
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS)
{
    const INDEX total = PAIRS_TOTAL;
    const INDEX end = CUT(total, get_group_id(0) + 1);
    for (INDEX at = CUT(total, get_group_id(0)); at < end;) {
        const pair_of_runs pair = part_of_group(ARGUMENTS PAIR_AT(at), total);
        INDEX i = pair.a, a_end = i + pair.a_length;
        INDEX j = pair.b, b_end = j + pair.b_length;
        const INDEX next = at + pair.a_length + pair.b_length;
        INDEX back = next;
        for (;;) {
            const INDEX steps = min(a_end - i, b_end - j) / 2;
            if (steps == 0)
                break;
            for (INDEX step = 0; step < steps; ++step) {
                const A_ITEM a = A_LOAD(i), b = B_LOAD(j), y = A_LOAD(a_end - 1), z = B_LOAD(b_end - 1);
                const bool second = LESS(b, a), first = LESS(z, y);
                STORE(at, second ? b : a);
                ++at;
                i += !second;
                j += second;
                --back;
                STORE(back, first ? y : z);
                a_end -= first;
                b_end -= !first;
            }
        }
        while (i < a_end && j < b_end) {
            const A_ITEM a = A_LOAD(i), b = B_LOAD(j);
            const bool second = LESS(b, a);
            STORE(at, second ? b : a);
            ++at;
            i += !second;
            j += second;
        }
        for (; i < a_end; ++at, ++i)
            STORE(at, A_LOAD(i));
        for (; j < b_end; ++at, ++j)
            STORE(at, B_LOAD(j));
        at = next;
    }
    RETURN;
}
#else
#if RUNS
#define ITEM_AT(at) A_LOAD((at) < a_count ? a + (at) : b + (count - 1 - (at)))
#else
#define ITEM_AT(at) ((at) < a_count ? A_LOAD(a + (at)) : B_LOAD(b + (count - 1 - (at))))
#endif
static inline INDEX consistent_cut(
    global const ulong *restrict cuts,
    const INDEX tiles,
    const INDEX tile,
    const INDEX a_length,
    const INDEX total)
{
    INDEX low = 0, high = tiles, low_cut = 0, high_cut = a_length;
    while (low < tile && tile < high) {
        const INDEX middle = low + (high - low) / 2, at = middle * TILE_PACKS;
        const INDEX before = at - low * TILE_PACKS, after = (high < tiles ? high * TILE_PACKS : total) - at;
        const INDEX length = high_cut - low_cut;
        const INDEX cut =
            clamp((INDEX)cuts[middle], high_cut - min(length, after), low_cut + min(length, before));
        const bool is_behind = tile < middle;
        low = is_behind ? low : middle;
        low_cut = is_behind ? low_cut : cut;
        high = is_behind ? middle : high;
        high_cut = is_behind ? cut : high_cut;
    }
    return low < tile ? high_cut : low_cut;
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS, global const ulong *restrict cuts, volatile global ulong *contradiction,
           const uint epoch)
{
    local A_ITEM shared[TILE_PACKS];
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0), begin = tile * TILE_PACKS;
    const pair_of_runs pair = PAIR_AT(begin);
    const INDEX diagonal = begin - pair.begin, total = pair.a_length + pair.b_length;
    const uint count = (uint)min((INDEX)TILE_PACKS, total - diagonal);
    local uint cuts_here[GROUP], disagree;
    const bool is_last = diagonal + count == total;
    INDEX from = (INDEX)cuts[tile], to = is_last ? pair.a_length : (INDEX)cuts[tile + 1];
    if (*contradiction == epoch) {
        const INDEX before = pair.begin / TILE_PACKS, tiles = (total + (TILE_PACKS - 1)) / TILE_PACKS;
        from = consistent_cut(cuts + before, tiles, tile - before, pair.a_length, total);
        to = consistent_cut(cuts + before, tiles, tile - before + 1, pair.a_length, total);
    }
    const uint a_count = (uint)(to - from);
    const INDEX a = pair.a + from, b = pair.b + (diagonal - from);
    A_ITEM item[PACKS];
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = ITEM_AT(k * GROUP + me);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            shared[at] = ITEM_AT(at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mine = min(me * PACKS, count);
    merge_local(ARGUMENTS shared, cuts_here, &disagree, 0, GROUP, a_count, count - a_count, mine, item);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[me * PACKS + k] = item[k];
    } else {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            if (me * PACKS + k < count)
                shared[me * PACKS + k] = item[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            STORE(begin + (k * GROUP + me), shared[k * GROUP + me]);
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            STORE(begin + at, shared[at]);
    }
    RETURN;
}
#endif
// Program 3 of 3, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
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
#define PACKS 1
#define CHUNKED 1
#define STREAM 0
#define ITEM_BYTES 4
#define RUNS 1
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
#define OUTPUTS global uint *out0,
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
    const bool v4 = (v0 > v3);
    return v4;
}
#define LESS_pack LESS_item
typedef VOLATILE struct {
    VOLATILE INDEX a, a_length;
    VOLATILE INDEX b, b_length;
    VOLATILE INDEX begin;
} pair_of_runs;
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
#if !CHUNKED
static inline uint agreed_cuts(
    local uint *cuts,
    local uint *disagree,
    uint *cut,
    const uint first,
    const uint span,
    const uint step,
    const uint distance,
    const uint a_length)
{
    const uint me = get_local_id(0);
    const bool is_last = me + 1 == first + span;
    cuts[me] = *cut;
    if (me == 0)
        *disagree = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = is_last ? a_length : cuts[me + 1];
    if (next < *cut || next - *cut > distance)
        *disagree = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (*disagree && me == first) {
#pragma unroll 1
        for (uint k = first + 1; k < first + span; ++k)
            cuts[k] = cuts[k - 1] + min(step, max(cuts[k], cuts[k - 1]) - cuts[k - 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *cut = cuts[me];
    return is_last ? a_length : cuts[me + 1];
}
#endif
#define MERGE_JUMPS 0
#if !CHUNKED
static inline uint merge_path_local(
    PARAMETERS local const A_ITEM *restrict a,
    const uint a_length,
    const uint b_length,
    const uint diagonal)
{
    local const A_ITEM *restrict opposite = a + (a_length + b_length - diagonal);
    uint low = diagonal - min(diagonal, b_length), high = min(diagonal, a_length);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool goes_after = LESS(opposite[middle], a[middle]);
        low = goes_after ? low : middle + 1;
        high = goes_after ? middle : high;
    }
    return low;
}
static inline void merge_local(
    PARAMETERS local const A_ITEM *restrict shared,
    local uint *cuts,
    local uint *disagree,
    const uint first,
    const uint span,
    const uint a_length,
    const uint b_length,
    const uint diagonal,
    A_ITEM *result)
{
    const uint length = a_length + b_length, last = length - 1;
    const uint count = min((uint)PACKS, length - diagonal);
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    const uint i_end = agreed_cuts(cuts, disagree, &i, first, span, PACKS, count, a_length);
    if (count == 0)
        return;
    uint j = last - (diagonal - i);
    const uint j_end = last - (diagonal + count - i_end);
    A_ITEM a = shared[min(i, last)], b = shared[min(j, last)];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool second = (i >= i_end) | ((j != j_end) & LESS(b, a));
        result[k] = second ? b : a;
        i += !second;
        j -= second;
#if MERGE_JUMPS
        if (second)
            b = shared[min(j, last)];
        else
            a = shared[min(i, last)];
#else
        const A_ITEM next = shared[min(second ? j : i, last)];
        a = second ? a : next;
        b = second ? next : b;
#endif
    }
}
#endif
#if CHUNKED
static inline pair_of_runs part_of_group(PARAMETERS const pair_of_runs whole, const INDEX total)
{
    pair_of_runs pair = whole;
    for (uint low = 0, high = get_num_groups(0); high - low > 1;) {
        const uint middle = low + (high - low) / 2;
        const INDEX at = CUT(total, middle), size = pair.a_length + pair.b_length;
        const bool is_before = get_group_id(0) < middle;
        if (at > pair.begin && at - pair.begin < size) {
            const INDEX diagonal = at - pair.begin, cut = merge_path(ARGUMENTS pair, diagonal);
            pair = is_before ? part_of_pair(pair, 0, 0, diagonal, cut)
                             : part_of_pair(pair, diagonal, cut, size, pair.a_length);
        }
        low = is_before ? low : middle;
        high = is_before ? middle : high;
    }
    return pair;
}
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS)
{
    const INDEX total = PAIRS_TOTAL;
    const INDEX end = CUT(total, get_group_id(0) + 1);
    for (INDEX at = CUT(total, get_group_id(0)); at < end;) {
        const pair_of_runs pair = part_of_group(ARGUMENTS PAIR_AT(at), total);
        INDEX i = pair.a, a_end = i + pair.a_length;
        INDEX j = pair.b, b_end = j + pair.b_length;
        const INDEX next = at + pair.a_length + pair.b_length;
        INDEX back = next;
        for (;;) {
            const INDEX steps = min(a_end - i, b_end - j) / 2;
            if (steps == 0)
                break;
            for (INDEX step = 0; step < steps; ++step) {
                const A_ITEM a = A_LOAD(i), b = B_LOAD(j), y = A_LOAD(a_end - 1), z = B_LOAD(b_end - 1);
                const bool second = LESS(b, a), first = LESS(z, y);
                STORE(at, second ? b : a);
                ++at;
                i += !second;
                j += second;
                --back;
                STORE(back, first ? y : z);
                a_end -= first;
                b_end -= !first;
            }
        }
        while (i < a_end && j < b_end) {
            const A_ITEM a = A_LOAD(i), b = B_LOAD(j);
            const bool second = LESS(b, a);
            STORE(at, second ? b : a);
            ++at;
            i += !second;
            j += second;
        }
        for (; i < a_end; ++at, ++i)
            STORE(at, A_LOAD(i));
        for (; j < b_end; ++at, ++j)
            STORE(at, B_LOAD(j));
        at = next;
    }
    RETURN;
}
#else
#if RUNS
#define ITEM_AT(at) A_LOAD((at) < a_count ? a + (at) : b + (count - 1 - (at)))
#else
#define ITEM_AT(at) ((at) < a_count ? A_LOAD(a + (at)) : B_LOAD(b + (count - 1 - (at))))
#endif
static inline INDEX consistent_cut(
    global const ulong *restrict cuts,
    const INDEX tiles,
    const INDEX tile,
    const INDEX a_length,
    const INDEX total)
{
    INDEX low = 0, high = tiles, low_cut = 0, high_cut = a_length;
    while (low < tile && tile < high) {
        const INDEX middle = low + (high - low) / 2, at = middle * TILE_PACKS;
        const INDEX before = at - low * TILE_PACKS, after = (high < tiles ? high * TILE_PACKS : total) - at;
        const INDEX length = high_cut - low_cut;
        const INDEX cut =
            clamp((INDEX)cuts[middle], high_cut - min(length, after), low_cut + min(length, before));
        const bool is_behind = tile < middle;
        low = is_behind ? low : middle;
        low_cut = is_behind ? low_cut : cut;
        high = is_behind ? middle : high;
        high_cut = is_behind ? cut : high_cut;
    }
    return low < tile ? high_cut : low_cut;
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS, global const ulong *restrict cuts, volatile global ulong *contradiction,
           const uint epoch)
{
    local A_ITEM shared[TILE_PACKS];
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0), begin = tile * TILE_PACKS;
    const pair_of_runs pair = PAIR_AT(begin);
    const INDEX diagonal = begin - pair.begin, total = pair.a_length + pair.b_length;
    const uint count = (uint)min((INDEX)TILE_PACKS, total - diagonal);
    local uint cuts_here[GROUP], disagree;
    const bool is_last = diagonal + count == total;
    INDEX from = (INDEX)cuts[tile], to = is_last ? pair.a_length : (INDEX)cuts[tile + 1];
    if (*contradiction == epoch) {
        const INDEX before = pair.begin / TILE_PACKS, tiles = (total + (TILE_PACKS - 1)) / TILE_PACKS;
        from = consistent_cut(cuts + before, tiles, tile - before, pair.a_length, total);
        to = consistent_cut(cuts + before, tiles, tile - before + 1, pair.a_length, total);
    }
    const uint a_count = (uint)(to - from);
    const INDEX a = pair.a + from, b = pair.b + (diagonal - from);
    A_ITEM item[PACKS];
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = ITEM_AT(k * GROUP + me);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            shared[at] = ITEM_AT(at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mine = min(me * PACKS, count);
    merge_local(ARGUMENTS shared, cuts_here, &disagree, 0, GROUP, a_count, count - a_count, mine, item);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[me * PACKS + k] = item[k];
    } else {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            if (me * PACKS + k < count)
                shared[me * PACKS + k] = item[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            STORE(begin + (k * GROUP + me), shared[k * GROUP + me]);
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            STORE(begin + at, shared[at]);
    }
    RETURN;
}
#endif
