// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 128
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const ulong s0, const ulong s1, const ulong s2, const ulong s3, const int s4, const uint s5, const uint s6, const uint s7, global const int *x0,
#define ARGUMENTS s0, s1, s2, s3, s4, s5, s6, s7, x0,
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
static inline uint fold25_entry(PARAMETERS const size_t v10)
{
    const int v11 = x0[v10];
    const int v12 = s4;
    const bool v13 = (v11 > v12);
    const uint v14 = 1u;
    const uint v15 = (uint)(v10);
    const uint v16 = s5;
    const uint v17 = v15 & v16;
    const uint v18 = (uint)(v14 << (v17 & (uint)(31)));
    const uint v19 = s6;
    const uint v20 = (v13 ? v18 : v19);
    return v20;
}
static inline uint fold25_combine(PARAMETERS const uint v21, const uint v22)
{
    const uint v23 = v21 | v22;
    return v23;
}
static inline uint fold25(PARAMETERS const INDEX begin, const INDEX end)
{
    const uint v24 = s7;
    uint total = v24;
    INDEX k = begin;
#if !CHUNKED
    for (; end - k >= 8; k += 8)
        total = fold25_combine(ARGUMENTS total, fold25_combine(ARGUMENTS fold25_combine(ARGUMENTS fold25_combine(ARGUMENTS fold25_entry(ARGUMENTS k), fold25_entry(ARGUMENTS (size_t)k + (size_t)(1))), fold25_combine(ARGUMENTS fold25_entry(ARGUMENTS (size_t)k + (size_t)(2)), fold25_entry(ARGUMENTS (size_t)k + (size_t)(3)))), fold25_combine(ARGUMENTS fold25_combine(ARGUMENTS fold25_entry(ARGUMENTS (size_t)k + (size_t)(4)), fold25_entry(ARGUMENTS (size_t)k + (size_t)(5))), fold25_combine(ARGUMENTS fold25_entry(ARGUMENTS (size_t)k + (size_t)(6)), fold25_entry(ARGUMENTS (size_t)k + (size_t)(7))))));
#endif
    for (; end - k >= 4; k += 4)
        total = fold25_combine(ARGUMENTS total, fold25_combine(ARGUMENTS fold25_combine(ARGUMENTS fold25_entry(ARGUMENTS k), fold25_entry(ARGUMENTS (size_t)k + (size_t)(1))), fold25_combine(ARGUMENTS fold25_entry(ARGUMENTS (size_t)k + (size_t)(2)), fold25_entry(ARGUMENTS (size_t)k + (size_t)(3)))));
    for (; k < end; k += 1)
        total = fold25_combine(ARGUMENTS total, fold25_entry(ARGUMENTS k));
    return total;
}
#define ITEM uint
#define PACK_ITEM ITEM
#define STORED uint
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const ulong v1 = (ulong)(v0);
    const ulong v2 = s0;
    const ulong v3 = v1 + v2;
    const ulong v4 = s1;
    const ulong v5 = v3 * v4;
    const ulong v6 = s2;
    const ulong v7 = v5 + v6;
    const ulong v8 = s3;
    const ulong v9 = min(v7, v8);
    const uint v25 = fold25(ARGUMENTS (INDEX)(v5), (INDEX)(v9));
    return v25;
}
#define pack_at item_at
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const uint v26 = item;
    out0[i] = v26;
}
#define store_pack store_item
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
