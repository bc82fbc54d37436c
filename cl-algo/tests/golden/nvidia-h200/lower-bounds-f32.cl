// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define LOWER 1
#define UPPER 0
#define INDEXED 0
#define ITEM_BYTES 4
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const float *x0, global const float *x1,
#define ARGUMENTS x0, x1,
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
#define HAYSTACK_ITEM float
#define HAYSTACK_PACK_ITEM HAYSTACK_ITEM
#define HAYSTACK_STORED float
#define HAYSTACK_LOAD_FROM x0
#define HAYSTACK_LOAD(i) HAYSTACK_item_at(ARGUMENTS i)
#define HAYSTACK_LOAD_PACK(p) HAYSTACK_pack_at(ARGUMENTS p)
#define HAYSTACK_UNPACK(pack, items) (*(items) = (pack))
#define HAYSTACK_PACKED(items) (*(items))
#define HAYSTACK_LANE(pack, k) (pack)
static inline HAYSTACK_ITEM HAYSTACK_item_at(PARAMETERS const INDEX i)
{
    const INDEX v3 = i;
    const float v4 = x0[v3];
    return v4;
}
#define HAYSTACK_pack_at HAYSTACK_item_at
#define NEEDLE_ITEM HAYSTACK_ITEM
#define NEEDLE_PACK_ITEM HAYSTACK_PACK_ITEM
#define NEEDLE_STORED float
#define NEEDLE_LOAD_FROM x1
#define NEEDLE_LOAD(i) NEEDLE_item_at(ARGUMENTS i)
#define NEEDLE_LOAD_PACK(p) NEEDLE_pack_at(ARGUMENTS p)
#define NEEDLE_UNPACK(pack, items) (*(items) = (pack))
#define NEEDLE_PACKED(items) (*(items))
#define NEEDLE_LANE(pack, k) (pack)
static inline HAYSTACK_ITEM NEEDLE_item_at(PARAMETERS const INDEX i)
{
    const INDEX v3 = i;
    const float v5 = x1[v3];
    return v5;
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
    const ulong v6 = (ulong)(v3);
    return (PLACE_ITEM){v6, v6};
}
#define PLACE_pack_at PLACE_item_at
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const PLACE_ITEM item)
{
    const ulong v0 = item.part0;
    const uint v2 = (uint)(v0);
    out0[i] = v2;
}
#define store_pack store_item
#define LESS_ITEM bool
#define LESS_PACK_ITEM LESS_ITEM
#define LESS(a, b) LESS_item(ARGUMENTS a, b)
#define LESS_PACK(a, b) LESS_pack(ARGUMENTS a, b)
static inline LESS_ITEM LESS_item(PARAMETERS const HAYSTACK_ITEM a, const HAYSTACK_ITEM b)
{
    const float v7 = a;
    const float v8 = b;
    const int v9 = as_int(v7);
    const int v10 = 31;
    const int v11 = (int)(v9 >> (v10 & (int)(31)));
    const int v12 = 2147483647;
    const int v13 = v11 & v12;
    const int v14 = v9 ^ v13;
    const int v15 = as_int(v8);
    const int v16 = (int)(v15 >> (v10 & (int)(31)));
    const int v17 = v16 & v12;
    const int v18 = v15 ^ v17;
    const bool v19 = (v14 < v18);
    return v19;
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
