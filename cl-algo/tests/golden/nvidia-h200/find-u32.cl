// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 512
#define PACK 4
#define PACKS 4
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint4
#define LANES ((INDEX_PACK)(0, 1, 2, 3))
#define FENCE 1
#define HITS 0
#define LOADED 4
#define FINAL 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const uint s0, global const uint *x0,
#define ARGUMENTS s0, x0,
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
#define ITEM bool
#define PACK_ITEM char4
#define STORED uchar
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE char4 pack; VOLATILE char item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k] != 0;
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE char4 pack; VOLATILE char item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = items[k];
        r0.item[k] = -result;
    }
    return r0.pack;
}
#define LANE lane_of
static inline ITEM lane_of(const PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE char4 pack; VOLATILE char item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k] != 0;
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    const uint v2 = s0;
    const bool v3 = (v1 == v2);
    return v3;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const uint4 v1 = ((global const uint4 *)x0)[p];
    const uint4 v2 = (uint4)(s0);
    const int4 v3 = (v1 == v2);
    return convert_char4(v3);
}
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
#define NOWHERE 0xffffffffu
#define NOTHING ((ulong)-1)
#define LOOK_EACH (CHUNKED ? 1 : 8)
#if FENCE
#define HIT_PARAMETER volatile global uint *hit,
#define HIT_ARGUMENT hit,
#else
#define HIT_PARAMETER
#define HIT_ARGUMENT
#endif
#if PACK == 1
#define HAS_HIT(pack) (pack)
#else
#define HAS_HIT(pack) any(pack)
#endif
#if HITS
static inline bool is_hit(PARAMETERS const INDEX i)
{
    const INDEX count = COUNT_LOAD(0);
    for (INDEX k = 0; k < count; ++k)
#if HITS == 1
        if (!SAME(HAYSTACK_LOAD(i + k), NEEDLE_LOAD(k)))
            return false;
    return true;
#else
        if (SAME(HAYSTACK_LOAD(i), NEEDLE_LOAD(k)))
            return true;
    return false;
#endif
}
#define IS_HIT(i) is_hit(ARGUMENTS i)
#else
#define IS_HIT(i) true
#endif
static inline ulong first_of_tile(PARAMETERS const PACK_ITEM *value, const INDEX first)
{
    ulong found = NOTHING;
#if HITS
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        if (found != NOTHING || !HAS_HIT(value[k]))
            continue;
        uint flags = 0;
#pragma unroll
        for (uint lane = 0; lane < PACK; ++lane)
            flags |= LANE(value[k], lane) ? 1u << lane : 0;
        const INDEX begin = (first + k * GROUP) * PACK;
        for (uint lane = 0; found == NOTHING && flags >> lane != 0 && lane < PACK; ++lane)
            if ((flags >> lane & 1) && IS_HIT(begin + lane))
                found = begin + lane;
    }
#else
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        if (found != NOTHING || !HAS_HIT(value[k]))
            continue;
#pragma unroll
        for (uint lane = 0; lane < PACK; ++lane)
            if (found == NOTHING && LANE(value[k], lane))
                found = (ulong)(first + k * GROUP) * PACK + lane;
    }
#endif
    return found;
}
static inline ulong find_share(PARAMETERS HIT_PARAMETER const INDEX length)
{
    const INDEX tiles = length / TILE;
#if CHUNKED
    const INDEX begin = CUT(tiles, get_group_id(0)), end = CUT(tiles, get_group_id(0) + 1), step = 1;
#else
    const INDEX begin = get_group_id(0), end = tiles, step = get_num_groups(0);
#endif
#if FENCE
    uint until_look = LOOK_EACH;
#endif
    for (INDEX tile = begin; tile < end; tile += step) {
#if FENCE
        if (--until_look == 0) {
            until_look = LOOK_EACH;
            if (*hit < tile)
                return NOTHING;
        }
#endif
        const INDEX first = tile * TILE_PACKS + get_local_id(0);
        PACK_ITEM value[PACKS];
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            value[k] = LOAD_PACK(first + k * GROUP);
        const ulong found = first_of_tile(ARGUMENTS value, first);
        if (found != NOTHING) {
#if FENCE
            if (tile < NOWHERE)
                atomic_min(hit, (uint)tile);
#endif
            return found;
        }
    }
    if (get_group_id(0) == get_num_groups(0) - 1)
        for (INDEX i = tiles * TILE + get_local_id(0); i < length; i += GROUP)
            if (LOAD(i) && IS_HIT(i))
                return i;
    return NOTHING;
}
static inline ulong min_of_group(ulong value, local ulong *shared)
{
#if GROUP == 1
    return value;
#else
    const uint me = get_local_id(0);
    shared[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (me < width)
            shared[me] = min(shared[me], shared[me + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return shared[0];
#endif
}
static inline ulong
min_of_partials(const volatile global ulong *partial, const uint count, local ulong *shared)
{
    ulong found = NOTHING;
    for (uint i = get_local_id(0); i < count; i += GROUP)
        found = min(found, partial[i]);
    return min_of_group(found, shared);
}
#if !FENCE
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void find(PARAMETERS global ulong *partial, const INDEX length, const uint count)
{
    local ulong shared[GROUP];
#if !FINAL
    {
        const ulong found = min_of_group(find_share(ARGUMENTS HIT_ARGUMENT length), shared);
        if (get_local_id(0) == 0)
            partial[get_group_id(0)] = found;
    }
#else
    const ulong found = min_of_partials(partial, count, shared);
    if (get_local_id(0) == 0)
        partial[0] = found;
#endif
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void find(PARAMETERS volatile global ulong *partial, volatile global uint *hit, volatile global uint *arrived,
          const INDEX length)
{
    local ulong shared[GROUP];
    local uint last;
    const uint me = get_local_id(0), groups = get_num_groups(0);
    const ulong share = min_of_group(find_share(ARGUMENTS HIT_ARGUMENT length), shared);
    if (me == 0)
        partial[get_group_id(0)] = share;
    if (!is_last_group(arrived, &last))
        RETURN;
    const ulong found = min_of_partials(partial, groups, shared);
    if (me == 0) {
        partial[0] = found;
        *hit = NOWHERE;
        *arrived = 0;
    }
    RETURN;
}
#endif
