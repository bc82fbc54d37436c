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
#define PACK 16
#define PACKS 1
#define CHUNKED 1
#define STREAM 0
#define INDEX_PACK uint16
#define LANES ((INDEX_PACK)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define REAL_BYTES 4
#define IS_COMPLEX 0
#define LANES 16
#define WORKERS 1
#define MATRICES 1
#define SIDE 16
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const uint s0, global const float *x0,
#define ARGUMENTS s0, x0,
#define OUTPUTS global float *restrict out0, global uint *restrict out1,
#define OUTPUT_ARGUMENTS out0, out1,
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
#define INFO_ITEM uint
#define INFO_PACK_ITEM uint16
#define INFO_STORED uint
#define INFO_LOAD(i) INFO_item_at(ARGUMENTS i)
#define INFO_LOAD_PACK(p) INFO_pack_at(ARGUMENTS p)
#define INFO_UNPACK(pack, items) INFO_unpack_items(pack, items)
#define INFO_PACKED(items) INFO_packed_items(items)
static inline void INFO_unpack_items(const INFO_PACK_ITEM pack, INFO_ITEM *items)
{
    const VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline INFO_PACK_ITEM INFO_packed_items(const INFO_ITEM *items)
{
    VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const INFO_ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define INFO_LANE INFO_lane_of
static inline INFO_ITEM INFO_lane_of(const INFO_PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE uint16 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline INFO_ITEM INFO_item_at(PARAMETERS const INDEX i)
{
    const uint v2 = s0;
    return v2;
}
static inline INFO_PACK_ITEM INFO_pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const uint16 v2 = (uint16)(s0);
    return v2;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v3 = item;
    out0[i] = v3;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v3 = item;
    STREAM_PACK((global float16 *)out0 + p, v3);
}
#define INFO_STORE_TO out1
#define INFO_STORE(i, item) INFO_store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define INFO_STORE_PACK(p, pack) INFO_store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void INFO_store_item(PARAMETERS OUTPUTS const INDEX i, const INFO_ITEM item)
{
    const uint v4 = item;
    out1[i] = v4;
}
static inline void INFO_store_pack(PARAMETERS OUTPUTS const size_t p, const INFO_PACK_ITEM item)
{
    const INDEX i = p;
    const uint16 v4 = item;
    STREAM_PACK((global uint16 *)out1 + p, v4);
}
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#if REAL_BYTES == 8
#define REAL double
#define FLAG long
#else
#define REAL float
#define FLAG int
#endif
#if LANES > 1
#define REALS PASTE(REAL, LANES)
#define FLAGS PASTE(FLAG, LANES)
#define CHOOSE(condition, yes, no) select((no), (yes), (condition))
#else
#define REALS REAL
#define FLAGS FLAG
#define CHOOSE(condition, yes, no) ((condition) ? (yes) : (no))
#endif
#define LANE(type, numbers, l) (((type *)&(numbers))[l])
#if IS_COMPLEX
typedef VOLATILE struct {
    VOLATILE REALS re;
    VOLATILE REALS im;
} NUMBER;
#define RE(a) ((a).re)
#else
typedef REALS NUMBER;
#define RE(a) (a)
#endif
static inline NUMBER number_of(const REALS re)
{
#if IS_COMPLEX
    const NUMBER number = { re, (REALS)(0) };
    return number;
#else
    return re;
#endif
}
static inline NUMBER conjugate_of(const NUMBER a)
{
#if IS_COMPLEX
    const NUMBER number = { a.re, -a.im };
    return number;
#else
    return a;
#endif
}
static inline NUMBER times(const NUMBER a, const REALS factor)
{
#if IS_COMPLEX
    const NUMBER number = { a.re * factor, a.im * factor };
    return number;
#else
    return a * factor;
#endif
}
static inline NUMBER minus_product(const NUMBER a, const NUMBER b, const NUMBER c)
{
#if IS_COMPLEX
    const NUMBER number = { fma(-b.re, c.re, fma(b.im, c.im, a.re)), fma(-b.re, c.im, fma(-b.im, c.re, a.im)) };
    return number;
#else
    return fma(-b, c, a);
#endif
}
static inline NUMBER product_of(const NUMBER a, const NUMBER b)
{
#if IS_COMPLEX
    const NUMBER number = { a.re * b.re - a.im * b.im, fma(a.re, b.im, a.im * b.re) };
    return number;
#else
    return a * b;
#endif
}
static inline NUMBER chosen(const FLAGS condition, const NUMBER yes, const NUMBER no)
{
#if IS_COMPLEX
    const NUMBER number = { CHOOSE(condition, yes.re, no.re), CHOOSE(condition, yes.im, no.im) };
    return number;
#else
    return CHOOSE(condition, yes, no);
#endif
}
static inline REALS size_of(const NUMBER a)
{
#if IS_COMPLEX
    return fabs(a.re) + fabs(a.im);
#else
    return fabs(a);
#endif
}
static inline REALS square_of(const NUMBER a)
{
#if IS_COMPLEX
    return fma(a.re, a.re, a.im * a.im);
#else
    return a * a;
#endif
}
static inline NUMBER inverse_of(const NUMBER a)
{
#if IS_COMPLEX
    const REALS size = fmax(fabs(a.re), fabs(a.im)), re = a.re / size, im = a.im / size;
    const REALS square = fma(re, re, im * im) * size;
    const NUMBER number = { re / square, -im / square };
    return number;
#else
    return (REALS)(1) / a;
#endif
}
#if CHUNKED
#define SYNC
#define ROOM(type, name, rows, columns) type name[rows][columns];
#define ROOMS_OF_WORKERS const uint me = 0;
#define FOR_EACH_MATRIX(first, count) \
    for (INDEX pack_ = CUT(((count) + LANES - 1) / LANES, get_group_id(0)), \
               last_ = CUT(((count) + LANES - 1) / LANES, get_group_id(0) + 1), first = pack_ * LANES; \
         pack_ < last_; ++pack_, first += LANES)
#define EACH_ELEMENT(i, j, rows, columns) \
    for (uint i = 0; i < (rows); ++i) \
        for (uint j = 0; j < (columns); ++j)
#else
#define SYNC barrier(CLK_LOCAL_MEM_FENCE);
#define ROOM(type, name, rows, columns) \
    local type name##_of_group[MATRICES][rows][(columns) + 1]; \
    local type(*const name)[(columns) + 1] = name##_of_group[get_local_id(0) / WORKERS];
#define ROOMS_OF_WORKERS const uint me = get_local_id(0) % WORKERS;
#define FOR_EACH_MATRIX(first, count) \
    for (INDEX pack_ = get_group_id(0), first = pack_ * MATRICES + get_local_id(0) / WORKERS; \
         pack_ < ((count) + MATRICES - 1) / MATRICES; pack_ += get_num_groups(0), first += get_num_groups(0) * MATRICES)
#define EACH_ELEMENT(i, j, rows, columns) \
    for (uint t_ = me, i = t_ / (columns), j = t_ % (columns); t_ < (rows) * (columns); \
         t_ += WORKERS, i = t_ / (columns), j = t_ % (columns))
#endif
#define FOR_OWN(i, begin, end) for (uint i = (begin) + me; i < (end); i += WORKERS)
#if IS_COMPLEX
#define SET_LANE(number, l, item) \
    { \
        const ITEM item_ = item; \
        LANE(REAL, (number).re, l) = item_.x; \
        LANE(REAL, (number).im, l) = item_.y; \
    }
#define ITEM_OF_LANE(number, l) ((ITEM)(LANE(REAL, (number).re, l), LANE(REAL, (number).im, l)))
#else
#define SET_LANE(number, l, item) LANE(REAL, number, l) = item;
#define ITEM_OF_LANE(number, l) LANE(REAL, number, l)
#endif
#define FETCH(number, load, first, count, size, at) \
    { \
        NUMBER fetched_; \
        _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) \
            SET_LANE(fetched_, l_, load(((first) + l_ < (count) ? (first) + l_ : (count)-1) * (size) + (at))) \
        number = fetched_; \
    }
#define PUT(store, number, first, count, size, at) \
    { \
        NUMBER put_ = number; \
        _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) { \
            if ((first) + l_ < (count)) \
                store(((first) + l_) * (size) + (at), ITEM_OF_LANE(put_, l_)); \
        } \
    }
#if CHUNKED
#define FETCH_ALL(a, rows, columns, begin, end, load, first, count) \
    { \
        ITEM read_[LANES][(rows) * (columns)]; \
        for (uint l_ = 0; l_ < LANES; ++l_) { \
            const INDEX from_ = ((first) + l_ < (count) ? (first) + l_ : (count)-1) * ((rows) * (columns) / PACK); \
            for (uint p_ = 0; p_ < (rows) * (columns) / PACK; ++p_) \
                UNPACK(load(from_ + p_), &read_[l_][p_ * PACK]); \
        } \
        for (uint i = 0; i < (rows); ++i) { \
            for (uint j = (begin); j < (end); ++j) { \
                NUMBER number_; \
                _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) \
                    SET_LANE(number_, l_, read_[l_][i * (columns) + j]) \
                a[i][j] = number_; \
            } \
        } \
    }
#define PUT_ALL(store, number, rows, columns, first, count) \
    { \
        ITEM stored_[LANES][(rows) * (columns)]; \
        EACH_ELEMENT(i, j, rows, columns) { \
            NUMBER number_ = number; \
            _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) \
                stored_[l_][i * (columns) + j] = ITEM_OF_LANE(number_, l_); \
        } \
        for (uint l_ = 0; l_ < LANES && (first) + l_ < (count); ++l_) { \
            for (uint p_ = 0; p_ < (rows) * (columns) / PACK; ++p_) \
                store(((first) + l_) * ((rows) * (columns) / PACK) + p_, PACKED(&stored_[l_][p_ * PACK])); \
        } \
    }
#else
#define FETCH_ALL(a, rows, columns, begin, end, load, first, count) \
    EACH_ELEMENT(i, j, rows, columns) { \
        if ((begin) <= j && j < (end)) \
            FETCH(a[i][j], load, first, count, (rows) * (columns), i * (columns) + j) \
    }
#define PUT_ALL(store, number, rows, columns, first, count) \
    EACH_ELEMENT(i, j, rows, columns) \
        PUT(store, number, first, count, (rows) * (columns), i * (columns) + j)
#endif
#define PUT_COUNT(store, numbers, first, count, size, at) \
    { \
        FLAGS put_ = numbers; \
        _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) { \
            if ((first) + l_ < (count)) \
                store(((first) + l_) * (size) + (at), (uint)LANE(FLAG, put_, l_)); \
        } \
    }
#define NOT_FINITE 0x10000
#define RECORD(info, is_bad, pivot, k) \
    info = CHOOSE((info) == (FLAGS)(0) && (is_bad), \
                  CHOOSE(isfinite(pivot) != (FLAGS)(0), (FLAGS)((k) + 1), (FLAGS)((k) + 1 + NOT_FINITE)), info)
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void small_cholesky(PARAMETERS OUTPUTS const INDEX count)
{
    ROOMS_OF_WORKERS
    ROOM(NUMBER, a, SIDE, SIDE)
    FOR_EACH_MATRIX(first, count) {
        FETCH_ALL(a, SIDE, SIDE, 0, i + 1, LOAD_PACK, first, count)
        FLAGS info = (FLAGS)(0);
        for (uint k = 0; k < SIDE; ++k) {
            SYNC
            const REALS pivot = RE(a[k][k]);
            const FLAGS is_bad = !(pivot > (REALS)(0)) || !isfinite(pivot);
            RECORD(info, is_bad, pivot, k);
            const REALS inverse = (REALS)(1) / sqrt(pivot);
            FOR_OWN(i, k + 1, SIDE)
                a[i][k] = times(a[i][k], inverse);
            SYNC
            FOR_OWN(i, k + 1, SIDE) {
                const NUMBER left = a[i][k];
                for (uint j = k + 1; j < SIDE; ++j) {
                    if (j <= i)
                        a[i][j] = minus_product(a[i][j], left, conjugate_of(a[j][k]));
                }
            }
        }
        SYNC
        PUT_ALL(STORE_PACK, j < i ? a[i][j] : number_of(j == i ? sqrt(RE(a[i][i])) : (REALS)(0)), SIDE, SIDE, first, count)
        if (me == 0)
            PUT_COUNT(INFO_STORE, info, first, count, 1, 0)
        SYNC
    }
    RETURN;
}
// Program 2 of 2, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-std=CL3.0 -D _OPENCL_H_=1 -cl-kernel-arg-info`.
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
#define PACK_ITEM char16
#define STORED uchar
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE char16 pack; VOLATILE char item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k] != 0;
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE char16 pack; VOLATILE char item[PACK]; } r0;
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
    const VOLATILE union { VOLATILE char16 pack; VOLATILE char item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k] != 0;
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    const uint v2 = s0;
    const bool v3 = (v1 != v2);
    return v3;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const uint16 v1 = ((global const uint16 *)x0)[p];
    const uint16 v2 = (uint16)(s0);
    const int16 v3 = (v1 != v2);
    return convert_char16(v3);
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
