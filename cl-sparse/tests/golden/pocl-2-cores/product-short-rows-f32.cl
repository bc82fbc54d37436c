// Program 1 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
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
#define PACKS 16
#define CHUNKED 1
#define STREAM 0
#define LOWER 0
#define UPPER 1
#define INDEXED 0
#define ITEM_BYTES 8
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const INDEX s0, const ulong s1, global const uint *x0, global const ulong *x1,
#define ARGUMENTS s0, s1, x0, x1,
#define OUTPUTS global ulong *restrict out0,
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
#define HAYSTACK_ITEM ulong
#define HAYSTACK_PACK_ITEM HAYSTACK_ITEM
#define HAYSTACK_STORED ulong
#define HAYSTACK_LOAD(i) HAYSTACK_item_at(ARGUMENTS i)
#define HAYSTACK_LOAD_PACK(p) HAYSTACK_pack_at(ARGUMENTS p)
#define HAYSTACK_UNPACK(pack, items) (*(items) = (pack))
#define HAYSTACK_PACKED(items) (*(items))
#define HAYSTACK_LANE(pack, k) (pack)
static inline HAYSTACK_ITEM HAYSTACK_item_at(PARAMETERS const INDEX i)
{
    const INDEX v3 = i;
    const INDEX v4 = s0;
    const INDEX v5 = v3 + v4;
    const uint v6 = x0[v5];
    const ulong v7 = (ulong)(v6);
    const ulong v8 = (ulong)(v3);
    const ulong v9 = s1;
    const ulong v10 = v8 + v9;
    const ulong v11 = v7 + v10;
    return v11;
}
#define HAYSTACK_pack_at HAYSTACK_item_at
#define NEEDLE_ITEM HAYSTACK_ITEM
#define NEEDLE_PACK_ITEM HAYSTACK_PACK_ITEM
#define NEEDLE_STORED ulong
#define NEEDLE_LOAD_FROM x1
#define NEEDLE_LOAD(i) NEEDLE_item_at(ARGUMENTS i)
#define NEEDLE_LOAD_PACK(p) NEEDLE_pack_at(ARGUMENTS p)
#define NEEDLE_UNPACK(pack, items) (*(items) = (pack))
#define NEEDLE_PACKED(items) (*(items))
#define NEEDLE_LANE(pack, k) (pack)
static inline HAYSTACK_ITEM NEEDLE_item_at(PARAMETERS const INDEX i)
{
    const INDEX v3 = i;
    const ulong v12 = x1[v3];
    return v12;
}
#define NEEDLE_pack_at NEEDLE_item_at
typedef VOLATILE struct { VOLATILE ulong part0; VOLATILE ulong part1; } PLACE_ITEM;
#define PLACE_PACK_ITEM PLACE_ITEM
#define PLACE_LOAD(i) PLACE_item_at(ARGUMENTS i)
#define PLACE_LOAD_PACK(p) PLACE_pack_at(ARGUMENTS p)
#define PLACE_UNPACK(pack, items) (*(items) = (pack))
#define PLACE_PACKED(items) (*(items))
#define PLACE_LANE(pack, k) (pack)
static inline PLACE_ITEM PLACE_item_at(PARAMETERS const INDEX i)
{
    const INDEX v3 = i;
    const ulong v8 = (ulong)(v3);
    return (PLACE_ITEM){v8, v8};
}
#define PLACE_pack_at PLACE_item_at
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const PLACE_ITEM item)
{
    const ulong v1 = item.part1;
    const ulong v2 = (ulong)(v1);
    out0[i] = v2;
}
#define store_pack store_item
#define LESS_ITEM bool
#define LESS_PACK_ITEM LESS_ITEM
#define LESS(a, b) LESS_item(ARGUMENTS a, b)
#define LESS_PACK(a, b) LESS_pack(ARGUMENTS a, b)
static inline LESS_ITEM LESS_item(PARAMETERS const HAYSTACK_ITEM a, const HAYSTACK_ITEM b)
{
    const ulong v0 = a;
    const ulong v1 = b;
    const bool v13 = (v0 < v1);
    return v13;
}
#define LESS_pack LESS_item
typedef VOLATILE struct {
    VOLATILE ulong first; // the number of the first item
    VOLATILE uint shift;  // the number of low bits
    VOLATILE uint bits;   // there are 2^bits buckets
} bucket_range;
static inline bucket_range range_of(const ulong first, const ulong last, const uint bits)
{
    const uint used = 64 - (uint)clz(last - first);
    const bucket_range range = { .first = first, .shift = used > bits ? used - bits : 0, .bits = bits };
    return range;
}
static inline uint bucket_of(const bucket_range range, const ulong number)
{
    const ulong bucket = number > range.first ? (number - range.first) >> range.shift : 0;
    return (uint)min(bucket, ((ulong)1 << range.bits) - 1);
}
#define SEARCH(places, goes_before)                                                            \
    for (INDEX width = widest; width > 0; width /= 2) {                                        \
        const INDEX half_width = width - width / 2;                                            \
        for (uint k = 0; k < PACKS; ++k) {                                                     \
            const HAYSTACK_ITEM item = HAYSTACK_LOAD(places[k] + (half_width - 1));            \
            places[k] += select((INDEX)0, half_width, (INDEX)(goes_before(item, needle[k])));  \
        }                                                                                      \
    }
#define IS_LESS(item, needle) LESS(item, needle)
#define IS_NOT_GREATER(item, needle) !LESS(needle, item)
#if INDEXED
#define BUCKETS , global const uint *bucket_begins, const uint bucket_bits
#else
#define BUCKETS
#endif
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void search(PARAMETERS OUTPUTS const INDEX length, const INDEX count BUCKETS)
{
#if INDEXED
    const bucket_range range = range_of(NUMBER(HAYSTACK_LOAD(0)), NUMBER(HAYSTACK_LOAD(length - 1)), bucket_bits);
#endif
    const INDEX tiles = (count + TILE_PACKS - 1) / TILE_PACKS;
    FOR_EACH_TILE(tile, tiles) {
        const INDEX first = tile * TILE_PACKS + get_local_id(0);
        HAYSTACK_ITEM needle[PACKS];
        INDEX begin[PACKS], end[PACKS];
        if (CHUNKED && first + TILE_PACKS <= count) {
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                needle[k] = NEEDLE_LOAD(first + k * GROUP);
        } else {
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                needle[k] = NEEDLE_LOAD(min(first + k * GROUP, count - 1));
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            begin[k] = end[k] = 0;
#if INDEXED
        INDEX widest = 0;
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const INDEX bucket = bucket_of(range, NUMBER(needle[k]));
            const INDEX from = min((INDEX)bucket_begins[bucket], length), to = min((INDEX)bucket_begins[bucket + 1], length);
            begin[k] = from;
            widest = max(widest, (INDEX)(max(from, to) - from));
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            begin[k] = min(begin[k], (INDEX)(length - widest));
            end[k] = begin[k];
        }
#else
        const INDEX widest = length;
#endif
#if LOWER
        SEARCH(begin, IS_LESS)
#endif
#if UPPER
        SEARCH(end, IS_NOT_GREATER)
#endif
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const PLACE_ITEM places = { LOWER ? begin[k] : 0, UPPER ? end[k] : 0 };
            if (first + k * GROUP < count)
                STORE(first + k * GROUP, places);
        }
    }
    RETURN;
}
// Program 2 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
#define INDEX ulong
#define SIGNED_INDEX long
#define GROUP 1
#define PACK 1
#define PACKS 1
#define CHUNKED 1
#define STREAM 1
#define WIDE_OFFSETS 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0, global const float *x0, global const uint *x1, global const float *x2,
#define ARGUMENTS s0, x0, x1, x2,
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
#define PACK_ITEM ITEM
#define STORED float
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const float v3 = x0[v0];
    const uint v4 = x1[v0];
    const INDEX v5 = (INDEX)(v4);
    const float v6 = x2[v5];
    const float v7 = v3 * v6;
    return v7;
}
#define pack_at item_at
#define INITIAL_ITEM ITEM
#define INITIAL_PACK_ITEM PACK_ITEM
#define INITIAL_STORED float
#define INITIAL_LOAD(i) INITIAL_item_at(ARGUMENTS i)
#define INITIAL_LOAD_PACK(p) INITIAL_pack_at(ARGUMENTS p)
#define INITIAL_UNPACK(pack, items) (*(items) = (pack))
#define INITIAL_PACKED(items) (*(items))
#define INITIAL_LANE(pack, k) (pack)
static inline ITEM INITIAL_item_at(PARAMETERS const INDEX i)
{
    const float v9 = s0;
    return v9;
}
#define INITIAL_pack_at INITIAL_item_at
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const float v1 = a;
    const float v2 = b;
    const float v8 = v1 + v2;
    return v8;
}
#define COMBINE_pack COMBINE_item
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v1 = item;
    out0[i] = v1;
}
#define store_pack store_item
#if WIDE_OFFSETS
typedef ulong OFFSET;
#else
typedef uint OFFSET;
#endif
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void row_chunks(PARAMETERS OUTPUTS global const OFFSET *offsets, global const ulong *cuts)
{
    const INDEX last = (INDEX)cuts[get_group_id(0) + 1];
    INDEX row = (INDEX)cuts[get_group_id(0)];
    INDEX k = (INDEX)offsets[row];
    for (; row < last; ++row) {
        const INDEX end = (INDEX)offsets[row + 1];
        ITEM total = INITIAL_LOAD(0);
        for (; end - k >= 4; k += 4) {
            const ITEM low = COMBINE(LOAD(k), LOAD(k + 1));
            const ITEM high = COMBINE(LOAD(k + 2), LOAD(k + 3));
            total = COMBINE(total, COMBINE(low, high));
        }
        for (; k < end; ++k)
            total = COMBINE(total, LOAD(k));
        STORE(row, total);
    }
    RETURN;
}
