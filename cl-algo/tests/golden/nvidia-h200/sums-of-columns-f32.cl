// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
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
#define INNER 0
#define SPLIT 1
#define BY_ROWS 0
#define FOLLOWS 0
#define LANES_OF_ROW 1
#define SEGMENT 1
#define OUTPUTS_AT_ONCE 1
#define BYTES 4
#define SPACE_PARAMETERS global const float *x0, const INDEX row0_0, const INDEX row0_begin, const INDEX row1_begin,
#define BEGIN_ROW(row) const INDEX q0_ = row; const INDEX c0_ = q0_; const INDEX row0 = row0_begin + c0_ * row0_0; const INDEX row1 = row1_begin;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const float *x0, const INDEX row0, const INDEX row1,
#define ARGUMENTS x0, row0, row1,
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
    return v3;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v1 = (INDEX_PACK)(row0);
    const INDEX_PACK v2 = v0 + v1;
    const float4 v3 = LOOSE_PACK(float, 4, x0 + v2.s0);
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
    out0[i + row1] = v4;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float4 v4 = item;
    STREAM_PACK((global float4 *)(out0 + row1) + p, v4);
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
#undef ARGUMENTS
#undef BEGIN_ROW
#undef BYTES
#undef BY_ROWS
#undef CHUNKED
#undef COMBINE
#undef COMBINE_PACK
#undef CUT
#undef DECLARE_PIECE
#undef FAULT_ARGUMENT
#undef FAULT_PARAMETER
#undef FOLD_NEXT
#undef FOLD_OUTPUTS
#undef FOLD_ROWS
#undef FOLLOW
#undef FOLLOWS
#undef FOLLOW_PACK
#undef FOR_EACH_TILE
#undef GROUP
#undef INDEX
#undef INDEX_PACK
#undef INNER
#undef ITEM
#undef LANE
#undef LANES
#undef LANES_OF_ROW
#undef LOAD
#undef LOAD_PACK
#undef OUTPUTS
#undef OUTPUTS_AT_ONCE
#undef OUTPUT_ARGUMENTS
#undef PACK
#undef PACKED
#undef PACKS
#undef PACK_ITEM
#undef PARAMETERS
#undef PUT_ITEM_OF
#undef PUT_PACK
#undef PUT_PACK_OF
#undef RETURN
#undef ROWS_AT_ONCE
#undef SEGMENT
#undef SIGNED_INDEX
#undef SPACE_PARAMETERS
#undef SPLIT
#undef STORE
#undef STORED
#undef STORE_PACK
#undef STREAM
#undef STREAM_PACK
#undef TILE
#undef TILE_PACKS
#undef UNPACK
#undef VOLATILE
#undef WORDS
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 128
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define LANES 4
#define BYTES 4
#define SPACE_PARAMETERS global const float *x0, const INDEX row0_0, const INDEX row0_begin, const INDEX row1_begin,
#define BEGIN_ROW(row) const INDEX q0_ = row; const INDEX c0_ = q0_; const INDEX row0 = row0_begin + c0_ * row0_0; const INDEX row1 = row1_begin;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const float *x0, const INDEX row0, const INDEX row1,
#define ARGUMENTS x0, row0, row1,
#define OUTPUTS global float *restrict out0,
#define OUTPUT_ARGUMENTS out0,
#define RETURN return
#define VOLATILE
#define item_at item_at_1
#define COMBINE_item COMBINE_item_1
#define store_item store_item_1
#define item_words item_words_1
#define put_part put_part_1
#define get_part get_part_1
#define fold_parts fold_parts_1
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
    const INDEX v1 = row0;
    const INDEX v2 = v0 + v1;
    const float v3 = x0[v2];
    return v3;
}
#define pack_at item_at
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const float v4 = a;
    const float v5 = b;
    const float v6 = v4 + v5;
    return v6;
}
#define COMBINE_pack COMBINE_item
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v4 = item;
    out0[i + row1] = v4;
}
#define store_pack store_item
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
#if CHUNKED
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_parts(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global const uint *parts)
{
    const INDEX units = outputs * length;
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
        const INDEX output = divided(unit, upper, shift), i = unit - output * length;
        BEGIN_ROW(output * folded)
        ITEM total = get_part(parts, output * chunks * length + i);
        for (INDEX chunk = 1; chunk < chunks; ++chunk)
            total = COMBINE(total, get_part(parts, (output * chunks + chunk) * length + i));
        STORE(i, total);
    }
    RETURN;
}
#else
#define ACROSS (GROUP / LANES)
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_parts(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global const uint *parts)
{
    local ITEM shared[GROUP];
    const uint me = get_local_id(0), lane = me / ACROSS;
    const uint busy = chunks < LANES ? (uint)chunks : LANES;
    const INDEX units = outputs * length, at_once = (INDEX)get_num_groups(0) * ACROSS;
    for (INDEX begin = get_group_id(0) * ACROSS; begin < units; begin += at_once) {
        const INDEX unit = begin + me % ACROSS;
        const INDEX output = divided(unit, upper, shift), i = unit - output * length;
        BEGIN_ROW(output * folded)
        if (unit < units && lane < busy) {
            ITEM total = get_part(parts, (output * chunks + lane) * length + i);
            for (INDEX chunk = lane + LANES; chunk < chunks; chunk += LANES)
                total = COMBINE(total, get_part(parts, (output * chunks + chunk) * length + i));
            shared[me] = total;
        }
        uint left = busy;
        for (uint width = LANES / 2; width > 0; width /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (unit < units && lane < width && lane + width < left)
                shared[me] = COMBINE(shared[me], shared[me + width * ACROSS]);
            left = left < width ? left : width;
        }
        if (unit < units && lane == 0)
            STORE(i, shared[me]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}
#endif
