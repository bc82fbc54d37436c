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
#define SEGMENT 1
#define SPACE_PARAMETERS global const float *x0, const INDEX row0_0, const INDEX row0_begin,
#define BEGIN_ROW(row) const INDEX q0_ = row; const INDEX c0_ = q0_; const INDEX row0 = row0_begin + c0_ * row0_0;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const float *x0, const INDEX row0,
#define ARGUMENTS x0, row0,
#define OUTPUTS global float *restrict out0,
#define OUTPUT_ARGUMENTS out0,
#define RETURN return
#define VOLATILE
#ifdef POCL_DEVICE_ADDRESS_BITS
#define LOOSE_PACK(type, width, pointer) \
    (((global const VOLATILE struct __attribute__((packed, aligned(sizeof(type)))) { VOLATILE type##width pack; } *) \
        (pointer))->pack)
#else
#define LOOSE_PACK(type, width, pointer) vload##width(0, pointer)
#endif
static inline INDEX divided(const INDEX n, const INDEX upper, const INDEX shift)
{
    const INDEX added = shift & 1 ? upper : 0;
    if (sizeof(INDEX) == 8) {
        const ulong high = mul_hi((ulong)n, (ulong)upper) + ((ulong)n * upper + added < added);
        return (INDEX)(high >> (shift >> 1));
    }
    return (INDEX)(((ulong)n * upper + added) >> 32) >> (shift >> 1);
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
#define PACK_ITEM float4
#define STORED float
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE float4 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE float4 pack; VOLATILE float item[PACK]; } r0;
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
    const VOLATILE union { VOLATILE float4 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const INDEX v1 = row0;
    const INDEX v2 = v0 + v1;
    const float v3 = x0[v2];
    const float v4 = x0[v0];
    const float v5 = v3 + v4;
    return v5;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v1 = (INDEX_PACK)(row0);
    const INDEX_PACK v2 = v0 + v1;
    const float4 v3 = LOOSE_PACK(float, 4, x0 + v2.s0);
    const float4 v4 = ((global const float4 *)x0)[p];
    const float4 v5 = v3 + v4;
    return v5;
}
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v6 = item;
    out0[i + row0] = v6;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float4 v6 = item;
    vstore4(v6, p, out0 + row0);
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_rows(SPACE_PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const INDEX rows,
    const INDEX segments, const INDEX upper, const INDEX shift)
{
    const INDEX units = rows * segments, packs = length / PACK;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX row = divided(unit, upper, shift), segment = unit - row * segments;
        BEGIN_ROW(row)
        const INDEX last = min(segment * SEGMENT + SEGMENT, packs);
        INDEX first = segment * SEGMENT;
#if CHUNKED
        if (begin > 0 && segment == 0) {
            first = (begin + PACK - 1) / PACK;
            for (INDEX i = begin; i < first * PACK; ++i)
                STORE(i, LOAD(i));
        }
#endif
        if (first + SEGMENT == last) {
            for (uint k = 0; k < SEGMENT; ++k)
                STORE_PACK(first + k, LOAD_PACK(first + k));
        } else {
            for (INDEX p = first; p < last; ++p)
                STORE_PACK(p, LOAD_PACK(p));
            if (segment + 1 == segments) {
                for (INDEX i = packs * PACK; i < length; ++i)
                    STORE(i, LOAD(i));
            }
        }
    }
    RETURN;
}
