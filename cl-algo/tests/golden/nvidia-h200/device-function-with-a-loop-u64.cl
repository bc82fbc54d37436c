// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 4
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint4
#define LANES ((INDEX_PACK)(0, 1, 2, 3))
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const ulong *x0,
#define ARGUMENTS x0,
#define OUTPUTS global uint *restrict out0,
#define OUTPUT_ARGUMENTS out0,
#define RETURN return
#define VOLATILE
static inline uint collatz_917d16093ac1197c(ulong local_n_0)
{
    ulong local_n_1 = local_n_0;
    uint local_steps_2 = 0u;
    while (local_n_1 > 1UL) {
        local_n_1 = ((((ulong)(local_n_1 % 2UL)) == 0UL) ? ((ulong)(local_n_1 / 2UL)) : ((3UL * local_n_1) + 1UL));
        local_steps_2 = (local_steps_2 + 1u);
    }
    return local_steps_2;
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
#define ITEM uint
#define PACK_ITEM uint4
#define STORED uint
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } r0;
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
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM lane_at(PARAMETERS const INDEX i, const ulong v1)
{
    const INDEX v0 = i;
    const uint v2 = collatz_917d16093ac1197c(v1);
    return v2;
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    return lane_at(ARGUMENTS i, x0[i]);
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const VOLATILE union { VOLATILE ulong4 pack; VOLATILE ulong item[PACK]; } l1 = { .pack = ((global const ulong4 *)x0)[p] };
    VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = lane_at(ARGUMENTS i * PACK + k, l1.item[k]);
        r0.item[k] = result;
    }
    return r0.pack;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const uint v3 = item;
    out0[i] = v3;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const uint4 v3 = item;
    STREAM_PACK((global uint4 *)out0 + p, v3);
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
