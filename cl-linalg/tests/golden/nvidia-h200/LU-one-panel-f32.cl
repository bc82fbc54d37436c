// Program 1 of 5, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
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
#define SIDE 64
#define IN_PLACE 0
#define SPACE_PARAMETERS const INDEX s0, global const float *x0, const INDEX row0_0, const INDEX row0_begin, const INDEX row1_0, const INDEX row1_begin,
#define BEGIN_ROW(row) const INDEX q0_ = row; const INDEX c0_ = q0_; const INDEX row0 = row0_begin + c0_ * row0_0; const INDEX row1 = row1_begin + c0_ * row1_0;
#define BLOCKS local float block4_items[SIDE * BLOCK_STRIDE] BLOCK_ALIGNMENT;
#define FILL_BLOCKS const INDEX block4_begin = row0 + column * s0; FILL_BLOCK(float, 8, block4_items, x0, block4_begin, s0)
#define PREFETCH_NEXT { BEGIN_ROW(top + beyond + m) PREFETCH(x0 + (INDEX)(block4_begin + beyond + (ahead + m) * s0)) }
#define BEGIN_PACK(m, j) const local float *block4 = block4_items + (m) * BLOCK_STRIDE + (j) * PACK;
#define NO_PACK const local float *block4 = 0;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const INDEX s0, global const float *x0, const INDEX row0, const INDEX row1, const local float *block4,
#define ARGUMENTS s0, x0, row0, row1, block4,
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
    const INDEX v2 = s0;
    const INDEX v3 = v0 * v2 + v1;
    const float v4 = x0[v3];
    return v4;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v1 = (INDEX_PACK)(row0);
    const INDEX_PACK v2 = (INDEX_PACK)(s0);
    const INDEX_PACK v3 = v0 * v2 + v1;
    const float4 v4 = vload4(0, block4);
    return v4;
}
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v5 = item;
    out0[i + row1] = v5;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float4 v5 = item;
    STREAM_PACK((global float4 *)(out0 + row1) + p, v5);
}
#define LINE_AT(x, at, stride, k) x + (INDEX)((at) + (INDEX)(k) * (stride))
#define TRANSPOSE_4(T, x, at, stride, to) \
    { \
        const T##4 a0 = vload4(0, LINE_AT(x, at, stride, 0)), a1 = vload4(0, LINE_AT(x, at, stride, 1)); \
        const T##4 a2 = vload4(0, LINE_AT(x, at, stride, 2)), a3 = vload4(0, LINE_AT(x, at, stride, 3)); \
        const T##4 b0 = (T##4)(a0.s0, a1.s0, a0.s2, a1.s2), b1 = (T##4)(a0.s1, a1.s1, a0.s3, a1.s3); \
        const T##4 b2 = (T##4)(a2.s0, a3.s0, a2.s2, a3.s2), b3 = (T##4)(a2.s1, a3.s1, a2.s3, a3.s3); \
        *(T##4 *)(to) = (T##4)(b0.lo, b2.lo); \
        *(T##4 *)(to + BLOCK_STRIDE) = (T##4)(b1.lo, b3.lo); \
        *(T##4 *)(to + 2 * BLOCK_STRIDE) = (T##4)(b0.hi, b2.hi); \
        *(T##4 *)(to + 3 * BLOCK_STRIDE) = (T##4)(b1.hi, b3.hi); \
    }
#define LOW_ITEMS(T, a, b) (T##8)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define HIGH_ITEMS(T, a, b) (T##8)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define LOW_PAIRS(T, a, b) (T##8)(a.s01, b.s01, a.s45, b.s45)
#define HIGH_PAIRS(T, a, b) (T##8)(a.s23, b.s23, a.s67, b.s67)
#define TRANSPOSE_8(T, x, at, stride, to) \
    { \
        const T##8 a0 = vload8(0, LINE_AT(x, at, stride, 0)), a1 = vload8(0, LINE_AT(x, at, stride, 1)); \
        const T##8 a2 = vload8(0, LINE_AT(x, at, stride, 2)), a3 = vload8(0, LINE_AT(x, at, stride, 3)); \
        const T##8 a4 = vload8(0, LINE_AT(x, at, stride, 4)), a5 = vload8(0, LINE_AT(x, at, stride, 5)); \
        const T##8 a6 = vload8(0, LINE_AT(x, at, stride, 6)), a7 = vload8(0, LINE_AT(x, at, stride, 7)); \
        const T##8 b0 = LOW_ITEMS(T, a0, a1), b1 = HIGH_ITEMS(T, a0, a1); \
        const T##8 b2 = LOW_ITEMS(T, a2, a3), b3 = HIGH_ITEMS(T, a2, a3); \
        const T##8 b4 = LOW_ITEMS(T, a4, a5), b5 = HIGH_ITEMS(T, a4, a5); \
        const T##8 b6 = LOW_ITEMS(T, a6, a7), b7 = HIGH_ITEMS(T, a6, a7); \
        const T##8 c0 = LOW_PAIRS(T, b0, b2), c1 = HIGH_PAIRS(T, b0, b2); \
        const T##8 c2 = LOW_PAIRS(T, b1, b3), c3 = HIGH_PAIRS(T, b1, b3); \
        const T##8 c4 = LOW_PAIRS(T, b4, b6), c5 = HIGH_PAIRS(T, b4, b6); \
        const T##8 c6 = LOW_PAIRS(T, b5, b7), c7 = HIGH_PAIRS(T, b5, b7); \
        *(T##8 *)(to) = (T##8)(c0.lo, c4.lo); \
        *(T##8 *)(to + BLOCK_STRIDE) = (T##8)(c1.lo, c5.lo); \
        *(T##8 *)(to + 2 * BLOCK_STRIDE) = (T##8)(c2.lo, c6.lo); \
        *(T##8 *)(to + 3 * BLOCK_STRIDE) = (T##8)(c3.lo, c7.lo); \
        *(T##8 *)(to + 4 * BLOCK_STRIDE) = (T##8)(c0.hi, c4.hi); \
        *(T##8 *)(to + 5 * BLOCK_STRIDE) = (T##8)(c1.hi, c5.hi); \
        *(T##8 *)(to + 6 * BLOCK_STRIDE) = (T##8)(c2.hi, c6.hi); \
        *(T##8 *)(to + 7 * BLOCK_STRIDE) = (T##8)(c3.hi, c7.hi); \
    }
#if CHUNKED
#define BLOCK_STRIDE SIDE
#define BLOCK_ALIGNMENT __attribute__((aligned(64)))
#else
#define BLOCK_STRIDE (SIDE + 1)
#define BLOCK_ALIGNMENT
#endif
#if IN_PLACE
#define BLOCKS_READ (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define BLOCKS_READ CLK_LOCAL_MEM_FENCE
#endif
#if STREAM && __has_builtin(__builtin_prefetch)
#define PREFETCHES 1
#define PREFETCH(x) \
    for (uint j = 0; j < SIDE; j += 64 / sizeof(*(x))) \
        __builtin_prefetch(x + j);
#else
#define PREFETCHES 0
#endif
#if CHUNKED
#define FILL_BLOCK(T, N, items, x, begin, stride) \
    { \
        for (uint j = 0; j + N <= columns; j += N) { \
            for (uint m = 0; m + N <= tall; m += N) \
                TRANSPOSE_##N(T, x, begin + j * stride + m, stride, items + m * BLOCK_STRIDE + j) \
        } \
        for (uint j = 0; j < columns; ++j) { \
            for (uint m = j < columns / N * N ? tall / N * N : 0; m < tall; ++m) \
                items[m * BLOCK_STRIDE + j] = x[(INDEX)(begin + j * stride + m)]; \
        } \
    }
#else
#define FILL_BLOCK(T, N, items, x, begin, stride) \
    { \
        for (uint k = get_local_id(0); k < SIDE * SIDE; k += GROUP) { \
            const uint j = k / SIDE, m = k % SIDE; \
            if (j < columns && m < tall) \
                items[m * BLOCK_STRIDE + j] = x[(INDEX)(begin + j * stride + m)]; \
        } \
    }
#endif
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_blocks(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX rows, const INDEX across,
    const INDEX blocks_across, const INDEX blocks_along, const INDEX across_upper, const INDEX across_shift,
    const INDEX along_upper, const INDEX along_shift)
{
    const INDEX units = rows / across * blocks_across * blocks_along;
    BLOCKS
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
#endif
        const INDEX line = divided(unit, across_upper, across_shift), beside = (unit - line * blocks_across) * SIDE;
        const INDEX outer = divided(line, along_upper, along_shift), column = (line - outer * blocks_along) * SIDE;
        const INDEX top = outer * across + beside, first = column / PACK;
        const uint tall = min((INDEX)SIDE, across - beside), wide = min((INDEX)SIDE, length - column);
        const uint packs = wide / PACK, columns = packs * PACK;
        const bool is_last = beside + SIDE >= across;
        const INDEX beyond = is_last ? -beside : SIDE, ahead = is_last ? SIDE : 0;
        BEGIN_ROW(top)
        FILL_BLOCKS
#if CHUNKED
        for (uint m = 0; m < tall; ++m) {
#if PREFETCHES
            PREFETCH_NEXT
#endif
            BEGIN_ROW(top + m)
            for (uint j = 0; j < packs; ++j) {
                BEGIN_PACK(m, j)
                STORE_PACK(first + j, LOAD_PACK(first + j));
            }
            NO_PACK
            for (INDEX i = column + columns; i < column + wide; ++i)
                STORE(i, LOAD(i));
        }
#else
        barrier(BLOCKS_READ);
        for (uint k = get_local_id(0); k < tall * (SIDE / PACK); k += GROUP) {
            const uint m = k / (SIDE / PACK), j = k % (SIDE / PACK);
            BEGIN_ROW(top + m)
            if (j < packs) {
                BEGIN_PACK(m, j)
                STORE_PACK(first + j, LOAD_PACK(first + j));
            } else {
                NO_PACK
                for (uint i = j * PACK; i < min(j * PACK + PACK, wide); ++i)
                    STORE(column + i, LOAD(column + i));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    RETURN;
}
// Program 2 of 5, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 128
#define PACK 4
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint4
#define LANES ((INDEX_PACK)(0, 1, 2, 3))
#define INNER 1
#define SPLIT 0
#define BY_ROWS 0
#define FOLLOWS 0
#define LANES_OF_ROW 64
#define SEGMENT 1
#define OUTPUTS_AT_ONCE 1
#define BYTES 4
#define SPACE_PARAMETERS const float s0, global const float *x0, const INDEX row0_begin,
#define BEGIN_ROW(row) const INDEX q0_ = row; const INDEX row0 = row0_begin;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0, global const float *x0, const INDEX row0,
#define ARGUMENTS s0, x0, row0,
#define OUTPUTS global float *restrict out0, const INDEX stride0,
#define OUTPUT_ARGUMENTS out0, stride0,
#define RETURN return
#define VOLATILE
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
    const float v1 = x0[v0];
    const float v2 = s0;
    const float v3 = v1 * v2;
    return v3;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const float4 v1 = ((global const float4 *)x0)[p];
    const float4 v2 = (float4)(s0);
    const float4 v3 = v1 * v2;
    return v3;
}
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const float v4 = a;
    const float v5 = b;
    const float v6 = v4 + v5;
    return v6;
}
static inline PACK_ITEM COMBINE_pack(PARAMETERS const PACK_ITEM a, const PACK_ITEM b)
{
    const float4 v4 = a;
    const float4 v5 = b;
    const float4 v6 = v4 + v5;
    return v6;
}
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v4 = item;
    out0[i * stride0 + row0] = v4;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float4 v4 = item;
    const float4 stored0 = v4;
    out0[(i * PACK + 0) * stride0 + row0] = stored0.s0;
    out0[(i * PACK + 1) * stride0 + row0] = stored0.s1;
    out0[(i * PACK + 2) * stride0 + row0] = stored0.s2;
    out0[(i * PACK + 3) * stride0 + row0] = stored0.s3;
}
#define WORDS ((sizeof(ITEM) + 3) / 4)
typedef VOLATILE union {
    VOLATILE ITEM value;
    VOLATILE uint word[WORDS];
} item_words;
static inline void put_part(global uint *parts, const INDEX at, const ITEM value)
{
    const item_words words = { .value = value };
    for (uint k = 0; k < WORDS; ++k)
        parts[at * WORDS + k] = words.word[k];
}
static inline ITEM get_part(global const uint *parts, const INDEX at)
{
    item_words words;
    for (uint k = 0; k < WORDS; ++k)
        words.word[k] = parts[at * WORDS + k];
    return words.value;
}
#if !FOLLOWS
#define FOLLOW COMBINE
#define FOLLOW_PACK COMBINE_PACK
#endif
static inline ITEM fold_items(PARAMETERS const PACK_ITEM pack)
{
    ITEM items[PACK];
    UNPACK(pack, items);
#pragma unroll
    for (uint width = PACK / 2; width > 0; width /= 2) {
#pragma unroll
        for (uint k = 0; k < width; ++k)
            items[k] = COMBINE(items[k], items[k + width]);
    }
    return items[0];
}
static inline PACK_ITEM fold_packs(PARAMETERS const INDEX first, const INDEX last, const INDEX step)
{
    PACK_ITEM total = LOAD_PACK(first);
    INDEX p = first + step;
    if (p + 3 * step < last) {
        PACK_ITEM second = LOAD_PACK(p), third = LOAD_PACK(p + step), fourth = LOAD_PACK(p + 2 * step);
        for (p += 3 * step; p + 3 * step < last; p += 4 * step) {
            total = FOLLOW_PACK(total, LOAD_PACK(p));
            second = FOLLOW_PACK(second, LOAD_PACK(p + step));
            third = FOLLOW_PACK(third, LOAD_PACK(p + 2 * step));
            fourth = FOLLOW_PACK(fourth, LOAD_PACK(p + 3 * step));
        }
        total = COMBINE_PACK(COMBINE_PACK(total, second), COMBINE_PACK(third, fourth));
    }
    for (; p < last; p += step)
        total = FOLLOW_PACK(total, LOAD_PACK(p));
    return total;
}
#if INNER
#if BY_ROWS
#define DECLARE_PIECE(output, chunk) \
    const INDEX first = 0, last = packs, top = (output) * folded + (INDEX)((ulong)folded * (chunk) / chunks), \
        bottom = (output) * folded + (INDEX)((ulong)folded * ((chunk) + 1) / chunks);
#else
#define DECLARE_PIECE(output, chunk) \
    const INDEX first = (INDEX)((ulong)packs * (chunk) / chunks), \
        last = (INDEX)((ulong)packs * ((chunk) + 1) / chunks), top = (output) * folded, bottom = top + folded;
#endif
static inline ITEM fold_row(PARAMETERS const INDEX length, const INDEX first, const INDEX last)
{
    const INDEX packs = length / PACK;
    INDEX i = packs * PACK;
    ITEM total;
    if (first < last)
        total = fold_items(ARGUMENTS fold_packs(ARGUMENTS first, last, 1));
    else
        total = LOAD(i++);
    if (last == packs) {
        for (; i < length; ++i)
            total = COMBINE(total, LOAD(i));
    }
    return total;
}
#if CHUNKED
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global uint *parts)
{
    const INDEX units = outputs * chunks, packs = length / PACK;
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX output = divided(unit, upper, shift), chunk = unit - output * chunks;
        DECLARE_PIECE(output, chunk)
        ITEM total;
        {
            BEGIN_ROW(top)
            total = fold_row(ARGUMENTS length, first, last);
        }
        for (INDEX row = top + 1; row < bottom; ++row) {
            BEGIN_ROW(row)
            total = COMBINE(total, fold_row(ARGUMENTS length, first, last));
        }
#if SPLIT
        put_part(parts, unit, total);
#else
        BEGIN_ROW(output * folded)
        STORE(0, total);
#endif
    }
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global uint *parts)
{
    local ITEM shared[GROUP];
    const uint me = get_local_id(0), lane = me % LANES_OF_ROW;
    const INDEX units = outputs * chunks, packs = length / PACK;
    const INDEX at_once = (INDEX)get_num_groups(0) * (GROUP / LANES_OF_ROW);
    for (INDEX begin = get_group_id(0) * (GROUP / LANES_OF_ROW); begin < units; begin += at_once) {
        const INDEX unit = begin + me / LANES_OF_ROW;
        const INDEX output = divided(unit, upper, shift), chunk = unit - output * chunks;
        DECLARE_PIECE(output, chunk)
        BEGIN_ROW(output * folded)
        const INDEX count = first < last ? last - first : length - packs * PACK;
        const uint busy = count < LANES_OF_ROW ? (uint)count : LANES_OF_ROW;
        if (unit < units && lane < busy) {
            ITEM total;
            for (INDEX row = top; row < bottom; ++row) {
                BEGIN_ROW(row)
                INDEX i = packs * PACK;
                ITEM own;
                if (first < last) {
                    own = fold_items(ARGUMENTS fold_packs(ARGUMENTS first + lane, last, LANES_OF_ROW));
                    i += lane;
                } else {
                    own = LOAD(i + lane);
                    i += lane + LANES_OF_ROW;
                }
                if (last == packs) {
                    for (; i < length; i += busy)
                        own = COMBINE(own, LOAD(i));
                }
                if (row == top)
                    total = own;
                else
                    total = COMBINE(total, own);
            }
            shared[me] = total;
        }
        uint left = busy;
        for (uint width = LANES_OF_ROW / 2; width > 0; width /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (unit < units && lane < width && lane + width < left)
                shared[me] = COMBINE(shared[me], shared[me + width]);
            left = left < width ? left : width;
        }
        if (unit < units && lane == 0) {
#if SPLIT
            put_part(parts, unit, shared[me]);
#else
            STORE(0, shared[me]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}
#endif
#else
#if SPLIT
#define PUT_PACK_OF(part, output, p, pack) put_pack(parts, (part) * length + (p) * PACK, pack);
#define PUT_ITEM_OF(part, output, i, item) put_part(parts, (part) * length + (i), item);
static inline void put_pack(global uint *parts, const INDEX at, const PACK_ITEM pack)
{
    ITEM items[PACK];
    UNPACK(pack, items);
    for (uint k = 0; k < PACK; ++k)
        put_part(parts, at + k, items[k]);
}
#else
#define PUT_PACK_OF(part, output, p, pack) { BEGIN_ROW((output) * folded) STORE_PACK(p, pack); }
#define PUT_ITEM_OF(part, output, i, item) { BEGIN_ROW((output) * folded) STORE(i, item); }
#endif
#if CHUNKED && OUTPUTS_AT_ONCE == 1
#define ROWS_AT_ONCE 4
#if FOLLOWS
#define FOLD_NEXT(AT_ONCE, T, total, LOAD_AT, COMBINE_T, FOLLOW_T, i) \
    _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
        BEGIN_ROW(row + r) \
        total = FOLLOW_T(total, LOAD_AT(i)); \
    }
#else
#define FOLD_NEXT(AT_ONCE, T, total, LOAD_AT, COMBINE_T, FOLLOW_T, i) \
    { \
        T next[AT_ONCE]; \
        _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
            BEGIN_ROW(row + r) \
            next[r] = LOAD_AT(i); \
        } \
        BEGIN_ROW(row) \
        _Pragma("unroll") for (uint width = AT_ONCE / 2; width > 0; width /= 2) { \
            _Pragma("unroll") for (uint r = 0; r < width; ++r) \
                next[r] = COMBINE_T(next[r], next[r + width]); \
        } \
        total = COMBINE_T(total, next[0]); \
    }
#endif
#define FOLD_ROWS(T, totals, LOAD_AT, COMBINE_T, FOLLOW_T, from, to) \
    { \
        { \
            BEGIN_ROW(top) \
            for (INDEX i = from; i < to; ++i) \
                totals[i - (from)] = LOAD_AT(i); \
        } \
        INDEX row = top + 1; \
        for (; row + ROWS_AT_ONCE <= bottom; row += ROWS_AT_ONCE) { \
            for (INDEX i = from; i < to; ++i) \
                FOLD_NEXT(ROWS_AT_ONCE, T, totals[i - (from)], LOAD_AT, COMBINE_T, FOLLOW_T, i) \
        } \
        for (; row < bottom; ++row) { \
            for (INDEX i = from; i < to; ++i) \
                FOLD_NEXT(1, T, totals[i - (from)], LOAD_AT, COMBINE_T, FOLLOW_T, i) \
        } \
    }
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX segments, const INDEX upper, const INDEX shift, const INDEX chunks_upper,
    const INDEX chunks_shift, global uint *parts)
{
    const INDEX packs = length / PACK, units = outputs * chunks * segments;
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX part = divided(unit, upper, shift), segment = unit - part * segments;
        const INDEX output = divided(part, chunks_upper, chunks_shift), chunk = part - output * chunks;
        const INDEX top = output * folded + (INDEX)((ulong)folded * chunk / chunks);
        const INDEX bottom = output * folded + (INDEX)((ulong)folded * (chunk + 1) / chunks);
        const INDEX first = segment * SEGMENT, last = min(first + SEGMENT, packs);
        PACK_ITEM totals[SEGMENT];
        FOLD_ROWS(PACK_ITEM, totals, LOAD_PACK, COMBINE_PACK, FOLLOW_PACK, first, last)
        for (INDEX p = first; p < last; ++p)
            PUT_PACK_OF(part, output, p, totals[p - first])
        if (segment + 1 == segments && packs * PACK < length) {
            ITEM rest[PACK];
            FOLD_ROWS(ITEM, rest, LOAD, COMBINE, FOLLOW, packs * PACK, length)
            for (INDEX i = packs * PACK; i < length; ++i)
                PUT_ITEM_OF(part, output, i, rest[i - packs * PACK])
        }
    }
    RETURN;
}
#else
#define FOLD_OUTPUTS(AT_ONCE, total) \
    { \
        _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
            BEGIN_ROW(top + r * folded) \
            _Pragma("unroll") for (uint k = 0; k < SEGMENT; ++k) \
                total[r][k] = LOAD_PACK(first + k); \
        } \
        for (INDEX row = top + 1; row < bottom; ++row) { \
            _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
                BEGIN_ROW(row + r * folded) \
                _Pragma("unroll") for (uint k = 0; k < SEGMENT; ++k) \
                    total[r][k] = COMBINE_PACK(total[r][k], LOAD_PACK(first + k)); \
            } \
        } \
    }
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX segments, const INDEX upper, const INDEX shift, const INDEX chunks_upper,
    const INDEX chunks_shift, global uint *parts)
{
    const INDEX packs = length / PACK;
    const INDEX units = (outputs + OUTPUTS_AT_ONCE - 1) / OUTPUTS_AT_ONCE * chunks * segments;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX several = divided(unit, upper, shift), segment = unit - several * segments;
        const INDEX begin = divided(several, chunks_upper, chunks_shift), chunk = several - begin * chunks;
        const INDEX first = segment * SEGMENT;
        INDEX output = begin * OUTPUTS_AT_ONCE;
        const INDEX last = output + OUTPUTS_AT_ONCE < outputs ? output + OUTPUTS_AT_ONCE : outputs;
#if OUTPUTS_AT_ONCE > 1
        if (output + OUTPUTS_AT_ONCE <= outputs && first + SEGMENT <= packs) {
            const INDEX top = output * folded + (INDEX)((ulong)folded * chunk / chunks);
            const INDEX bottom = output * folded + (INDEX)((ulong)folded * (chunk + 1) / chunks);
            PACK_ITEM total[OUTPUTS_AT_ONCE][SEGMENT];
            FOLD_OUTPUTS(OUTPUTS_AT_ONCE, total)
#pragma unroll
            for (uint r = 0; r < OUTPUTS_AT_ONCE; ++r) {
#pragma unroll
                for (uint k = 0; k < SEGMENT; ++k)
                    PUT_PACK_OF((output + r) * chunks + chunk, output + r, first + k, total[r][k]);
            }
            continue;
        }
#endif
        for (; output < last; ++output) {
            const INDEX top = output * folded + (INDEX)((ulong)folded * chunk / chunks);
            const INDEX bottom = output * folded + (INDEX)((ulong)folded * (chunk + 1) / chunks);
            const INDEX part = output * chunks + chunk;
            if (first + SEGMENT <= packs) {
                PACK_ITEM total[1][SEGMENT];
                FOLD_OUTPUTS(1, total)
#pragma unroll
                for (uint k = 0; k < SEGMENT; ++k)
                    PUT_PACK_OF(part, output, first + k, total[0][k]);
                continue;
            }
            for (INDEX p = first; p < packs; ++p) {
                PACK_ITEM total;
                {
                    BEGIN_ROW(top)
                    total = LOAD_PACK(p);
                }
                for (INDEX row = top + 1; row < bottom; ++row) {
                    BEGIN_ROW(row)
                    total = COMBINE_PACK(total, LOAD_PACK(p));
                }
                PUT_PACK_OF(part, output, p, total);
            }
            for (INDEX i = packs * PACK; i < length; ++i) {
                ITEM total;
                {
                    BEGIN_ROW(top)
                    total = LOAD(i);
                }
                for (INDEX row = top + 1; row < bottom; ++row) {
                    BEGIN_ROW(row)
                    total = COMBINE(total, LOAD(i));
                }
                PUT_ITEM_OF(part, output, i, total);
            }
        }
    }
    RETURN;
}
#endif
#endif
// Program 3 of 5, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define DOUBLE 0
#define COMPLEX 0
#define GROUP 256
#define ROWS 4
#define COLUMNS 16
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0,
#define ARGUMENTS s0,
#define OUTPUTS
#define OUTPUT_ARGUMENTS
#define RETURN return
#define VOLATILE
#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define SMALLEST DBL_MIN
#else
#define REAL float
#define SMALLEST FLT_MIN
#endif
#if COMPLEX
#if DOUBLE
#define NUMBER double2
#else
#define NUMBER float2
#endif
#define REAL_PART(z) ((z).x)
#define FROM_REAL(z) ((NUMBER)((z), 0))
#define CONJUGATE(z) ((NUMBER)((z).x, -(z).y))
#define SIZE(z) (fabs((z).x) + fabs((z).y))
#define LARGEST(z) fmax(fabs((z).x), fabs((z).y))
#define ABSOLUTE(z) hypot((z).x, (z).y)
#define SQUARE(z) ((z).x * (z).x + (z).y * (z).y)
#else
#define NUMBER REAL
#define REAL_PART(z) (z)
#define FROM_REAL(z) (z)
#define CONJUGATE(z) (z)
#define SIZE(z) fabs(z)
#define LARGEST(z) fabs(z)
#define ABSOLUTE(z) fabs(z)
#define SQUARE(z) ((z) * (z))
#endif
#define ZERO_NUMBER FROM_REAL((REAL)0)
#define ONE_NUMBER FROM_REAL((REAL)1)
#define TIMES(a, b) product(a, b)
#define SCALED(z, by) ((z) * (by))
static inline NUMBER product(const NUMBER a, const NUMBER b)
{
#if COMPLEX
    return (NUMBER)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
#else
    return a * b;
#endif
}
static inline NUMBER quotient(const NUMBER a, const NUMBER b)
{
#if COMPLEX
    const REAL scale = LARGEST(b);
    const NUMBER c = a / scale, d = b / scale;
    return product(c, CONJUGATE(d)) / SQUARE(d);
#else
    return a / b;
#endif
}
#define HAS_RECIPROCAL(b) (LARGEST(b) >= SMALLEST && LARGEST(b) <= 1 / (4 * SMALLEST))
static inline NUMBER reciprocal_of(const NUMBER b)
{
    return HAS_RECIPROCAL(b) ? quotient(ONE_NUMBER, b) : ZERO_NUMBER;
}
static inline NUMBER divided_by(const NUMBER a, const NUMBER b, const NUMBER reciprocal)
{
    return HAS_RECIPROCAL(b) ? product(a, reciprocal) : quotient(a, b);
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
#define PACK_ITEM ITEM
#define STORED float
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const float v0 = s0;
    return v0;
}
#define pack_at item_at
#define FIND_BETTER(from, step) \
    { \
        REAL sizes_[3]; \
        uint places_[3]; \
        _Pragma("unroll") for (uint q_ = 0; q_ < 3; ++q_) { \
            sizes_[q_] = sizes[(from) + (q_ + 1) * (step)]; \
            places_[q_] = places[(from) + (q_ + 1) * (step)]; \
        } \
        _Pragma("unroll") for (uint q_ = 0; q_ < 3; ++q_) { \
            const bool is_better_ = sizes_[q_] > size || (sizes_[q_] == size && places_[q_] < place); \
            place = is_better_ ? places_[q_] : place; \
            size = is_better_ ? sizes_[q_] : size; \
        } \
    }
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_strip(PARAMETERS OUTPUTS global NUMBER *matrix, global uint *pivots, const INDEX first, const INDEX stride,
    const uint height, const uint width, const uint row, const uint column)
{
    local REAL sizes[GROUP];
    local uint places[GROUP];
    local NUMBER tops[2][COLUMNS], bottoms[2][COLUMNS];
    const uint me = get_local_id(0);
    global NUMBER *panel = matrix + first;
    NUMBER own[COLUMNS][ROWS];
#pragma unroll
    for (uint c = 0; c < COLUMNS; ++c) {
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            own[c][r] = c < width && i < height ? panel[stride * c + i] : ZERO_NUMBER;
        }
    }
#pragma unroll 1
    for (uint k = 0; k < width; ++k) {
        local NUMBER *top = tops[k % 2], *bottom = bottoms[k % 2];
        REAL size = -1;
        uint place = 0;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            const REAL other = i >= k && i < height ? SIZE(own[0][r]) : (REAL)-1;
            place = other > size ? i : place;
            size = other > size ? other : size;
        }
        sizes[me] = size;
        places[me] = place;
        if (me == k) {
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                top[c] = own[c][0];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint left = GROUP; left > 4; left /= 4) {
            if (me < left / 4) {
                FIND_BETTER(me, left / 4)
                sizes[me] = size;
                places[me] = place;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        size = sizes[0];
        place = places[0];
        FIND_BETTER(0, 1)
        const uint pivot = size < 0 ? k : place;
        const bool is_zero = size == 0;
        if (me == 0)
            pivots[column + k] = row + pivot;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            if (me + GROUP * r == pivot) {
#pragma unroll
                for (uint c = 0; c < COLUMNS; ++c) {
                    bottom[c] = own[c][r];
                    own[c][r] = top[c];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me == k) {
#pragma unroll
            for (uint c = 0; c < COLUMNS; ++c)
                own[c][0] = bottom[c];
        }
        const NUMBER divisor = is_zero ? ONE_NUMBER : bottom[0], reciprocal = reciprocal_of(divisor);
        NUMBER factors[ROWS];
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            factors[r] = me + GROUP * r > k ? product(own[0][r], reciprocal) : ZERO_NUMBER;
        if (!HAS_RECIPROCAL(divisor)) {
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                factors[r] = me + GROUP * r > k ? quotient(own[0][r], divisor) : ZERO_NUMBER;
        }
        NUMBER finished[ROWS];
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            finished[r] = me + GROUP * r > k ? factors[r] : own[0][r];
#pragma unroll
        for (uint c = 1; c < COLUMNS; ++c) {
            const bool is_right = k + c < COLUMNS;
            const NUMBER upper = bottom[c];
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                own[c - 1][r] = is_right && me + GROUP * r > k ? own[c][r] - TIMES(factors[r], upper) : own[c][r];
        }
#pragma unroll
        for (uint r = 0; r < ROWS; ++r)
            own[COLUMNS - 1][r] = finished[r];
    }
#pragma unroll
    for (uint c = 0; c < COLUMNS; ++c) {
        const uint own_column = (width + c) % COLUMNS;
#pragma unroll
        for (uint r = 0; r < ROWS; ++r) {
            const uint i = me + GROUP * r;
            if (own_column < width && i < height)
                panel[stride * own_column + i] = own[c][r];
        }
    }
    RETURN;
}
// Program 4 of 5, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define DOUBLE 0
#define COMPLEX 0
#define GROUP 256
#define ROWS 0
#define COLUMNS 16
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0,
#define ARGUMENTS s0,
#define OUTPUTS
#define OUTPUT_ARGUMENTS
#define RETURN return
#define VOLATILE
#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define SMALLEST DBL_MIN
#else
#define REAL float
#define SMALLEST FLT_MIN
#endif
#if COMPLEX
#if DOUBLE
#define NUMBER double2
#else
#define NUMBER float2
#endif
#define REAL_PART(z) ((z).x)
#define FROM_REAL(z) ((NUMBER)((z), 0))
#define CONJUGATE(z) ((NUMBER)((z).x, -(z).y))
#define SIZE(z) (fabs((z).x) + fabs((z).y))
#define LARGEST(z) fmax(fabs((z).x), fabs((z).y))
#define ABSOLUTE(z) hypot((z).x, (z).y)
#define SQUARE(z) ((z).x * (z).x + (z).y * (z).y)
#else
#define NUMBER REAL
#define REAL_PART(z) (z)
#define FROM_REAL(z) (z)
#define CONJUGATE(z) (z)
#define SIZE(z) fabs(z)
#define LARGEST(z) fabs(z)
#define ABSOLUTE(z) fabs(z)
#define SQUARE(z) ((z) * (z))
#endif
#define ZERO_NUMBER FROM_REAL((REAL)0)
#define ONE_NUMBER FROM_REAL((REAL)1)
#define TIMES(a, b) product(a, b)
#define SCALED(z, by) ((z) * (by))
static inline NUMBER product(const NUMBER a, const NUMBER b)
{
#if COMPLEX
    return (NUMBER)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
#else
    return a * b;
#endif
}
static inline NUMBER quotient(const NUMBER a, const NUMBER b)
{
#if COMPLEX
    const REAL scale = LARGEST(b);
    const NUMBER c = a / scale, d = b / scale;
    return product(c, CONJUGATE(d)) / SQUARE(d);
#else
    return a / b;
#endif
}
#define HAS_RECIPROCAL(b) (LARGEST(b) >= SMALLEST && LARGEST(b) <= 1 / (4 * SMALLEST))
static inline NUMBER reciprocal_of(const NUMBER b)
{
    return HAS_RECIPROCAL(b) ? quotient(ONE_NUMBER, b) : ZERO_NUMBER;
}
static inline NUMBER divided_by(const NUMBER a, const NUMBER b, const NUMBER reciprocal)
{
    return HAS_RECIPROCAL(b) ? product(a, reciprocal) : quotient(a, b);
}
static inline uint keeper_of(local const uint *rows, const uint count, const uint j)
{
    uint keeper = j;
    for (uint i = 0; i < count; ++i)
        keeper = i < keeper && rows[i] == rows[j] ? i : keeper;
    return keeper;
}
static inline void exchange_all(local NUMBER *upper, local NUMBER *lower, local const uint *rows, local const uint *keepers,
    const uint count, const bool backwards)
{
    for (uint step = 0; step < count; ++step) {
        const uint j = backwards ? count - 1 - step : step;
        local NUMBER *other = rows[j] < count ? upper + rows[j] : lower + keepers[j];
        const NUMBER value = upper[j];
        upper[j] = *other;
        *other = value;
    }
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
#define PACK_ITEM ITEM
#define STORED float
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const float v0 = s0;
    return v0;
}
#define pack_at item_at
#define FLYING (COLUMNS < 16 ? 32 / COLUMNS : 2)
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_lu_update(PARAMETERS OUTPUTS global NUMBER *matrix, global const uint *pivots, const INDEX first,
    const INDEX stride, const uint height, const uint row, const uint column, const uint done, const uint count)
{
    local NUMBER upper[COLUMNS], lower[COLUMNS], triangle[COLUMNS][COLUMNS];
    local uint rows[COLUMNS], keepers[COLUMNS];
    const uint me = get_local_id(0), place = get_group_id(0), own_column = place < done ? place : place + count;
    global const NUMBER *left = matrix + first + stride * done;
    global NUMBER *own = matrix + first + stride * own_column;
    for (uint begin = 0; begin < COLUMNS * COLUMNS; begin += GROUP) {
        const uint i = begin + me;
        if (i < count * count)
            triangle[i / count][i % count] = left[stride * (i / count) + i % count];
    }
    if (me < count) {
        rows[me] = pivots[column + me] - row;
        upper[me] = own[me];
        lower[me] = own[rows[me]];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < count)
        keepers[me] = keeper_of(rows, count, me);
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool is_right = own_column > done;
    if (me == 0) {
        exchange_all(upper, lower, rows, keepers, count, false);
        for (uint j = 0; is_right && j + 1 < count; ++j)
            for (uint i = j + 1; i < count; ++i)
                upper[i] -= TIMES(triangle[j][i], upper[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < count) {
        own[me] = upper[me];
        if (rows[me] >= count && keepers[me] == me)
            own[rows[me]] = lower[me];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    NUMBER factors[COLUMNS];
#pragma unroll
    for (uint j = 0; j < COLUMNS; ++j)
        factors[j] = j < count ? upper[j] : ZERO_NUMBER;
    const uint end = is_right ? height : 0;
    for (uint begin = count + me; begin < end; begin += GROUP * FLYING) {
        NUMBER values[FLYING], lefts[COLUMNS][FLYING];
#pragma unroll
        for (uint r = 0; r < FLYING; ++r) {
            const uint i = min(begin + GROUP * r, height - 1);
            values[r] = own[i];
#pragma unroll
            for (uint j = 0; j < COLUMNS; ++j)
                lefts[j][r] = j < count ? left[stride * j + i] : ZERO_NUMBER;
        }
#pragma unroll
        for (uint r = 0; r < FLYING; ++r) {
#pragma unroll
            for (uint j = 0; j < COLUMNS; ++j)
                values[r] -= TIMES(lefts[j][r], factors[j]);
            if (begin + GROUP * r < height)
                own[begin + GROUP * r] = values[r];
        }
    }
    RETURN;
}
// Program 5 of 5, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
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
#define PARAMETERS const INDEX s0, const INDEX s1, global const float *x0,
#define ARGUMENTS s0, s1, x0,
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
    const INDEX v1 = s0;
    const INDEX v2 = s1;
    const INDEX v3 = v0 * v1 + v2;
    const float v4 = x0[v3];
    return v4;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v1 = (INDEX_PACK)(s0);
    const INDEX_PACK v2 = (INDEX_PACK)(s1);
    const INDEX_PACK v3 = v0 * v1 + v2;
    const float4 v4 = (float4)(x0[v3.s0], x0[v3.s1], x0[v3.s2], x0[v3.s3]);
    return v4;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v5 = item;
    out0[i] = v5;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float4 v5 = item;
    STREAM_PACK((global float4 *)out0 + p, v5);
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
