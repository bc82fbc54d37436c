// Program 1 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 512
#define PACK 16
#define PACKS 4
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint16
#define LANES ((INDEX_PACK)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define CAPACITY 256
#define COPIES 32
#define ITEM_BYTES 1
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uchar *x0,
#define ARGUMENTS x0,
#define OUTPUTS
#define OUTPUT_ARGUMENTS
#define RETURN return
#define VOLATILE
#ifdef cl_nv_pragma_unroll
static inline uint2 kept_uint2(const uint2 words)
{
    uint a = words.x, b = words.y;
    asm("" : "+r"(a), "+r"(b));
    return (uint2)(a, b);
}
static inline uint4 kept_uint4(const uint4 words)
{
    return (uint4)(kept_uint2(words.lo), kept_uint2(words.hi));
}
#define GET_SMALL(type, words, pointer, p) as_##type(kept_##words(((global const words *)(pointer))[p]))
#define PUT_SMALL(put, type, words, pointer, p, pack) ((global words *)(pointer))[p] = kept_##words(as_##words(pack))
#else
#define GET_SMALL(type, words, pointer, p) (((global const type *)(pointer))[p])
#define PUT_SMALL(put, type, words, pointer, p, pack) put((global type *)(pointer) + p, pack)
#endif
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
#define PACK_ITEM uint16
#define STORED uint
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } r0;
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
    const VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uchar v1 = x0[v0];
    const uint v2 = (uint)(v1);
    return v2;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const uchar16 v1 = GET_SMALL(uchar16, uint4, x0, p);
    const uint16 v2 = convert_uint16(v1);
    return v2;
}
#define STRIDE (CAPACITY + 16)
#if CAPACITY && CHUNKED
#define COUNT(bin, lane) ++table[((lane) % COPIES) * STRIDE + min((uint)(bin), (uint)CAPACITY)]
#elif CAPACITY
#define OUTSIDE 32
#define COUNT(bin, lane) atomic_inc(&table[(bin) < CAPACITY ? (bin) * COPIES + column : outside])
#elif CHUNKED
#define COUNT(bin, lane) if ((bin) < bins) ++mine[bin]
#else
#define COUNT(bin, lane) if ((bin) < bins) atomic_inc((volatile global uint *)&mine[bin])
#endif
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram(PARAMETERS global uint *tables, const INDEX length, const uint bins, const uint table_count)
{
    const uint me = get_local_id(0);
    global uint *const mine = tables + (size_t)bins * (get_group_id(0) % table_count);
#if CAPACITY && CHUNKED
    local uint table[COPIES * STRIDE];
    for (uint k = 0; k < COPIES * STRIDE; ++k)
        table[k] = 0;
#elif CAPACITY
    volatile local uint table[COPIES * CAPACITY + OUTSIDE];
    const uint column = me % COPIES, outside = COPIES * CAPACITY + me % OUTSIDE;
    for (uint k = me; k < COPIES * CAPACITY; k += GROUP)
        table[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#elif CHUNKED
    for (uint k = 0; k < bins; ++k)
        mine[k] = 0;
#endif
    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            VOLATILE union { VOLATILE PACK_ITEM pack; VOLATILE ITEM item[PACK]; } bin[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                bin[k].pack = LOAD_PACK(tile * TILE_PACKS + (k * GROUP + me));
#if CHUNKED
#pragma unroll 1
#else
#pragma unroll
#endif
            for (uint k = 0; k < PACKS; ++k)
#pragma unroll
                for (uint lane = 0; lane < PACK; ++lane)
                    COUNT(bin[k].item[lane], lane);
        } else {
            for (INDEX i = tile * TILE + me; i < length; i += GROUP) {
                const uint bin = LOAD(i);
                COUNT(bin, 0);
            }
        }
    }
#if CAPACITY
#if !CHUNKED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (uint k = me; k < bins; k += GROUP) {
        uint total = 0;
        for (uint copy = 0; copy < COPIES; ++copy)
            total += table[CHUNKED ? copy * STRIDE + k : k * COPIES + (copy + k) % COPIES];
        mine[k] = total;
    }
#endif
    RETURN;
}
// Program 2 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 512
#define PACK 2
#define PACKS 4
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint2
#define LANES ((INDEX_PACK)(0, 1))
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS
#define ARGUMENTS
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
#define ITEM ulong
#define PACK_ITEM ulong2
#define STORED ulong
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE ulong2 pack; VOLATILE ulong item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE ulong2 pack; VOLATILE ulong item[PACK]; } r0;
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
    const VOLATILE union { VOLATILE ulong2 pack; VOLATILE ulong item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const ulong v1 = (ulong)(v0);
    return v1;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const ulong2 v1 = convert_ulong2(v0);
    return v1;
}
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const ulong v2 = item;
    const uint v3 = (uint)(v2);
    out0[i] = v3;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const ulong2 v2 = item;
    const uint2 v3 = convert_uint2(v2);
    STREAM_PACK((global uint2 *)out0 + p, v3);
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_total(
    PARAMETERS OUTPUTS global const uint *restrict tables,
    const uint bins,
    const uint table_count)
{
#if CHUNKED
    for (uint bin = CUT(bins, get_group_id(0)), end = CUT(bins, get_group_id(0) + 1); bin < end; ++bin) {
        ulong total = 0;
        for (uint table = 0; table < table_count; ++table)
            total += tables[(size_t)bins * table + bin];
        STORE(bin, total);
    }
#else
    local ulong shared[GROUP];
    const uint me = get_local_id(0), columns = min(16, GROUP), rows = GROUP / columns;
    const uint row = me / columns, bin = get_group_id(0) * columns + me % columns;
    ulong total = 0;
    if (bin < bins) {
#pragma unroll 8
        for (uint table = row; table < table_count; table += rows)
            total += tables[(size_t)bins * table + bin];
    }
    shared[me] = total;
    for (uint width = rows / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < width)
            shared[me] += shared[me + width * columns];
    }
    if (row == 0 && bin < bins)
        STORE(bin, shared[me]);
#endif
    RETURN;
}
