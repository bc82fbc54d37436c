// Program 1 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 1
#define PACKS 23
#define CHUNKED 0
#define STREAM 0
#define ITEM_BYTES 4
#define RUNS 0
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
    const bool v4 = (v0 < v3);
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
// Program 2 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 64
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define ITEM_BYTES 4
#define RUNS 0
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
#define A_OF_PAIR(i) A_LOAD(pair.a + (i))
#define B_OF_PAIR(j) B_LOAD(pair.b + (j))
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_cuts(PARAMETERS PAIRS, const INDEX piece, const INDEX count, global ulong *cuts,
                volatile global ulong *contradiction, const uint epoch)
{
    local INDEX shared[GROUP];
    const uint me = get_local_id(0);
    const INDEX i = get_group_id(0) * (INDEX)(GROUP - 1) + me;
    const INDEX at = i < count ? i * piece : PAIRS_TOTAL;
    const pair_of_runs pair = PAIR_AT(at);
    const INDEX diagonal = at - pair.begin, left = pair.a_length + pair.b_length - diagonal;
    INDEX cut = diagonal - min(diagonal, pair.b_length), high = min(diagonal, pair.a_length);
    SEARCH_MERGE_PATH(INDEX, cut, high, diagonal, A_OF_PAIR, B_OF_PAIR, 4)
    shared[me] = cut;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count && me + 1 < GROUP) {
        const INDEX next = left > piece ? shared[me + 1] : cut;
        if (next < cut || next - cut > piece)
            *contradiction = epoch;
        cuts[i] = cut;
    }
    RETURN;
}
