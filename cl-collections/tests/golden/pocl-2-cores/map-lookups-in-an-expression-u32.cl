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
#define PACK 16
#define PACKS 4
#define CHUNKED 1
#define STREAM 0
#define INDEX_PACK uint16
#define LANES ((INDEX_PACK)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0, const ulong s1, const ulong s2, const float s3, global const uint *x0, global const uint *x1, global const float *x2,
#define ARGUMENTS s0, s1, s2, s3, x0, x1, x2,
#define OUTPUTS global float *restrict out0,
#define OUTPUT_ARGUMENTS out0,
#define RETURN return
#define VOLATILE
static inline ulong position_50387f9e7d1d0c3d(uint key, global const uint *sorted, ulong sorted_len)
{
    ulong begin = 0;
    for (ulong width = sorted_len; width > 0; width /= 2) {
        const ulong upper = width - width / 2;
        begin += sorted[begin + upper - 1] < key ? upper : 0;
    }
    return begin;
}
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
static inline ITEM lane_at(PARAMETERS const INDEX i, const uint v2)
{
    const float v0 = s0;
    const INDEX v1 = i;
    const ulong v4 = s1;
    const ulong v5 = position_50387f9e7d1d0c3d(v2, x1, v4);
    const ulong v6 = s2;
    const ulong v7 = min(v5, v6);
    const INDEX v8 = (INDEX)(v7);
    const uint v9 = x1[v8];
    const bool v10 = (v9 == v2);
    const float v11 = x2[v8];
    const float v12 = s3;
    const float v13 = (v10 ? v11 : v12);
    const float v14 = v0 * v13;
    return v14;
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    return lane_at(ARGUMENTS i, x0[i]);
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } l2 = { .pack = ((global const uint16 *)x0)[p] };
    VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = lane_at(ARGUMENTS i * PACK + k, l2.item[k]);
        r0.item[k] = result;
    }
    return r0.pack;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v15 = item;
    out0[i] = v15;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v15 = item;
    STREAM_PACK((global float16 *)out0 + p, v15);
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign(PARAMETERS OUTPUTS const INDEX length)
{
    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            const INDEX first = tile * TILE_PACKS + get_local_id(0);
            PACK_ITEM value[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                STORE_PACK(first + k * GROUP, value[k]);
        } else {
            for (INDEX i = tile * TILE + get_local_id(0); i < length; i += GROUP)
                STORE(i, LOAD(i));
        }
    }
    RETURN;
}
