// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-std=CL3.0 -D _OPENCL_H_=1 -cl-kernel-arg-info`.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#if __OPENCL_C_VERSION__ >= 200
#endif
#if defined(cl_khr_fp16)
#endif
#if defined(cl_khr_fp64)
#endif
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 16
#define PACKS 8
#define CHUNKED 1
#define STREAM 0
#define INDEX_PACK uint16
#define LANES ((INDEX_PACK)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define FENCE 2
#define COMPENSATED 1
#define ORDERED 0
#define LOADED 4
#define TWO_STEPS 1
#define ITEM_BYTES 4
#define FOLLOWS 0
#define FEW 0
#define FINAL 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const float *x0,
#define ARGUMENTS x0,
#define OUTPUTS global float *restrict out0,
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
#define ITEM float
#define PACK_ITEM float16
#define STORED float
#define LOAD_FROM x0
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define LANE lane_of
static inline ITEM lane_of(const PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const float v1 = x0[v0];
    return v1;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const float16 v1 = ((global const float16 *)x0)[p];
    return v1;
}
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const float v2 = a;
    const float v3 = b;
    const float v4 = v2 + v3;
    return v4;
}
static inline PACK_ITEM COMBINE_pack(PARAMETERS const PACK_ITEM a, const PACK_ITEM b)
{
    const float16 v2 = a;
    const float16 v3 = b;
    const float16 v4 = v2 + v3;
    return v4;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v2 = item;
    out0[i] = v2;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v2 = item;
    STREAM_PACK((global float16 *)out0 + p, v2);
}
#define INLINE __attribute__((always_inline)) static inline
#define FOLDERS (GROUP < 16 ? GROUP : 16)
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
#if !FOLLOWS
#define FOLLOW COMBINE
#define FOLLOW_PACK COMBINE_PACK
#endif
#if !FEW
#define FOR_FEW_PACK FOLLOW_PACK
#endif
#if COMPENSATED
#define LOST(type, name) type name = (type)(0);
#define ACCUMULATE(type, combine, total, lost, value)                 \
    {                                                                 \
        const type value_ = (value), total_ = total + value_;         \
        const type added_ = total_ - total;                           \
        lost += (total - (total_ - added_)) + (value_ - added_);      \
        total = total_;                                               \
    }
#define SETTLE(total, lost) (isnan(lost) ? (total) : (total) + (lost))
#else
#define LOST(type, name)
#define ACCUMULATE(type, combine, total, lost, value) total = combine(total, value);
#define SETTLE(total, lost) (total)
#endif
#define UNROLLED (FENCE == 1)
#define FOLDED (GROUP / FOLDERS)
#if defined(KEEPS_FOLDS)
#define EACH_WIDTH _Pragma("unroll 1")
#else
#define EACH_WIDTH _Pragma("unroll")
#endif
#define FOLD_NEIGHBOURS(item, size)                                          \
    EACH_WIDTH for (uint half_ = (size) / 2; half_ > 0; half_ /= 2)   \
        for (uint k_ = 0; k_ < half_; ++k_)                                  \
            item[k_] = COMBINE(item[2 * k_], item[2 * k_ + 1]);
INLINE void fold_pack(PARAMETERS ITEM *total, const PACK_ITEM pack)
{
#if PACK == 1
    *total = pack;
#else
    ITEM item[PACK];
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        item[k] = LANE(pack, k);
    FOLD_NEIGHBOURS(item, PACK)
    *total = item[0];
#endif
}
INLINE void fold_group(PARAMETERS ITEM *value, local ITEM *shared, local ITEM *folded, const uint count)
{
#if GROUP > 1
    const uint me = get_local_id(0);
    shared[me] = *value;
    barrier(CLK_LOCAL_MEM_FENCE);
#if TWO_STEPS || ORDERED
    if (me < FOLDERS) {
        const uint begin = ORDERED ? me * FOLDED : me, step = ORDERED ? 1 : FOLDERS;
        ITEM total = shared[begin];
        if (UNROLLED && count == GROUP) {
            ITEM item[FOLDED];
#pragma unroll
            for (uint k = 0; k < FOLDED; ++k)
                item[k] = shared[begin + k * step];
            FOLD_NEIGHBOURS(item, FOLDED)
            total = item[0];
        } else {
            for (uint k = begin + step; k < min(count, begin + FOLDED * step); k += step)
                total = COMBINE(total, shared[k]);
        }
        folded[me] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ITEM total = folded[0];
    if (UNROLLED && count == GROUP) {
        ITEM item[FOLDERS];
#pragma unroll
        for (uint k = 0; k < FOLDERS; ++k)
            item[k] = folded[k];
        FOLD_NEIGHBOURS(item, FOLDERS)
        total = item[0];
    } else {
        const uint there = ORDERED ? (count + FOLDED - 1) / FOLDED : min(count, (uint)FOLDERS);
        for (uint k = 1; k < there; ++k)
            total = COMBINE(total, folded[k]);
    }
    *value = total;
#else
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (me < width && me + width < count)
            shared[me] = COMBINE(shared[me], shared[me + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *value = shared[0];
#endif
#endif
}
#if ORDERED
INLINE void fold_tile(PARAMETERS ITEM *total, const INDEX tile)
{
    const INDEX first = tile * TILE_PACKS + get_local_id(0) * PACKS;
    PACK_ITEM value[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        value[k] = LOAD_PACK(first + k);
    ITEM item[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        fold_pack(ARGUMENTS &item[k], value[k]);
    FOLD_NEIGHBOURS(item, PACKS)
    *total = item[0];
}
INLINE void reduce_share(PARAMETERS ITEM *result, local ITEM *shared, local ITEM *folded, const INDEX length)
{
    const uint me = get_local_id(0);
    const INDEX tiles = length / TILE, begin = tiles * TILE;
    const bool is_last = get_group_id(0) == get_num_groups(0) - 1;
    ITEM total;
    if (tiles > 0) {
        const INDEX first = CUT(tiles, get_group_id(0)), end = CUT(tiles, get_group_id(0) + 1);
        fold_tile(ARGUMENTS &total, first);
        fold_group(ARGUMENTS &total, shared, folded, GROUP);
        for (INDEX tile = first + 1; tile < end; ++tile) {
            ITEM next;
            fold_tile(ARGUMENTS &next, tile);
            fold_group(ARGUMENTS &next, shared, folded, GROUP);
            total = COMBINE(total, next);
        }
    } else {
        total = LOAD(0);
    }
    if (is_last && begin < length) {
        const uint rest = length - begin, each = (rest + GROUP - 1) / GROUP;
        const INDEX from = begin + me * each, to = min(from + each, length);
        ITEM mine = LOAD(min(from, length - 1)); // ignored if no element is left
        for (INDEX i = from + 1; i < to; ++i)
            mine = COMBINE(mine, LOAD(i));
        fold_group(ARGUMENTS &mine, shared, folded, (rest + each - 1) / each);
        if (tiles > 0)
            total = COMBINE(total, mine);
        else
            total = mine;
    }
    *result = total;
}
#else
INLINE void fold_tile(PARAMETERS PACK_ITEM *total, const INDEX tile)
{
    const INDEX first = tile * TILE_PACKS + get_local_id(0);
    PACK_ITEM value[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
    for (uint width = PACKS / 2; width > 0; width /= 2)
#pragma unroll
        for (uint k = 0; k < width; ++k)
            value[k] = FOLLOWS || FEW ? FOR_FEW_PACK(value[2 * k], value[2 * k + 1])
                                      : COMBINE_PACK(value[k], value[k + width]);
    *total = value[0];
}
INLINE void reduce_share(PARAMETERS ITEM *result, local ITEM *shared, local ITEM *folded, const INDEX length)
{
    const uint me = get_local_id(0);
    const INDEX tiles = length / TILE;
    ITEM item_total;
    LOST(ITEM, item_lost)
    INDEX i = tiles * TILE + me;
    if (tiles > 0) {
#if CHUNKED
        const INDEX first = CUT(tiles, get_group_id(0)), end = CUT(tiles, get_group_id(0) + 1), step = 1;
#else
        const INDEX first = get_group_id(0), end = tiles, step = get_num_groups(0);
#endif
        PACK_ITEM total;
        fold_tile(ARGUMENTS &total, first);
        LOST(PACK_ITEM, lost)
        for (INDEX tile = first + step; tile < end; tile += step) {
            PACK_ITEM next;
            fold_tile(ARGUMENTS &next, tile);
            ACCUMULATE(PACK_ITEM, FOLLOW_PACK, total, lost, next)
        }
        fold_pack(ARGUMENTS &item_total, total);
#if COMPENSATED
        fold_pack(ARGUMENTS &item_lost, lost);
#endif
    } else {
        item_total = LOAD(min(i, length - 1)); // ignored if no element is left
        i += GROUP;
    }
    if (get_group_id(0) == get_num_groups(0) - 1) {
        for (; i < length; i += GROUP)
            ACCUMULATE(ITEM, FOLLOW, item_total, item_lost, LOAD(i))
    }
    const uint count = tiles > 0 || length > GROUP ? GROUP : (uint)length;
    *result = SETTLE(item_total, item_lost);
    fold_group(ARGUMENTS result, shared, folded, count);
}
#endif
INLINE void fold_partials(PARAMETERS ITEM *result, const volatile global ITEM *partial, const uint count,
                          local ITEM *shared, local ITEM *folded)
{
    const uint me = get_local_id(0);
#if ORDERED
    const uint each = (count + GROUP - 1) / GROUP, step = 1;
    const uint begin = me * each, end = min(begin + each, count), items = (count + each - 1) / each;
#else
    const uint begin = me, end = count, step = GROUP, items = min(count, (uint)GROUP);
#endif
    ITEM total = partial[min(begin, count - 1)]; // ignored if no result is left
    LOST(ITEM, lost)
#pragma unroll 8
    for (uint i = begin + step; i < end; i += step) {
        const ITEM next = partial[i];
        ACCUMULATE(ITEM, COMBINE, total, lost, next)
    }
    *result = SETTLE(total, lost);
    fold_group(ARGUMENTS result, shared, folded, items);
}
#if !FENCE
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS OUTPUTS global ulong *partials, const INDEX length, const uint count)
{
    local ITEM shared[GROUP], folded[FOLDERS];
    global ITEM *partial = (global ITEM *)partials;
#if !FINAL
    {
        ITEM share;
        reduce_share(ARGUMENTS &share, shared, folded, length);
        if (get_local_id(0) == 0) {
            if (get_num_groups(0) == 1)
                STORE(0, share);
            else
                partial[get_group_id(0)] = share;
        }
    }
#else
    ITEM result;
    fold_partials(ARGUMENTS &result, partial, count, shared, folded);
    if (get_local_id(0) == 0)
        STORE(0, result);
#endif
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS OUTPUTS volatile global ulong *partials, volatile global uint *arrived, const INDEX length)
{
    local ITEM shared[GROUP], folded[FOLDERS];
    local uint last;
    volatile global ITEM *partial = (volatile global ITEM *)partials;
    const uint me = get_local_id(0), groups = get_num_groups(0);
    ITEM share;
    reduce_share(ARGUMENTS &share, shared, folded, length);
    if (groups == 1) {
        if (me == 0)
            STORE(0, share);
        RETURN;
    }
    if (me == 0)
        partial[get_group_id(0)] = share;
    if (!is_last_group(arrived, &last))
        RETURN;
    ITEM result;
    fold_partials(ARGUMENTS &result, partial, groups, shared, folded);
    if (me == 0) {
        STORE(0, result);
        *arrived = 0;
    }
    RETURN;
}
#endif
