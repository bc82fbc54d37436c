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
#define PARAMETERS const float s0, global const float *x0, global const float *x1,
#define ARGUMENTS s0, x0, x1,
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
    const float v0 = s0;
    const INDEX v1 = i;
    const float v2 = x0[v1];
    const float v3 = v0 * v2;
    const float v4 = x1[v1];
    const float v5 = v3 + v4;
    return v5;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const float16 v0 = (float16)(s0);
    const INDEX_PACK v1 = (INDEX_PACK)(i * PACK) + LANES;
    const float16 v2 = ((global const float16 *)x0)[p];
    const float16 v3 = v0 * v2;
    const float16 v4 = ((global const float16 *)x1)[p];
    const float16 v5 = v3 + v4;
    return v5;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v6 = item;
    out0[i] = v6;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v6 = item;
    STREAM_PACK((global float16 *)out0 + p, v6);
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
