// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#if !defined(__opencl_c_generic_address_space)
#endif
#if defined(__opencl_c_generic_address_space)
#endif
#if defined(cl_khr_fp16)
#endif
#if defined(cl_khr_fp16) && !defined(__opencl_c_generic_address_space)
#endif
#if defined(cl_khr_fp16) && defined(__opencl_c_generic_address_space)
#endif
#if defined(cl_khr_fp64)
#endif
#if defined(cl_khr_fp64) && !defined(__opencl_c_generic_address_space)
#endif
#if defined(cl_khr_fp64) && defined(__opencl_c_generic_address_space)
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
#define SPACE_PARAMETERS const float s0, const float s1, global const float *x0, global const float *x1, global const float *x2, const INDEX row0_0, const INDEX row0_1, const INDEX row0_2, const INDEX row0_begin, const INDEX row1_0, const INDEX row1_1, const INDEX row1_2, const INDEX row1_begin, const INDEX row2_0, const INDEX row2_1, const INDEX row2_2, const INDEX row2_begin, const INDEX row3_0, const INDEX row3_1, const INDEX row3_2, const INDEX row3_begin, const INDEX row4_0, const INDEX row4_1, const INDEX row4_2, const INDEX row4_begin, const INDEX row5_0, const INDEX row5_1, const INDEX row5_2, const INDEX row5_begin, const INDEX row6_0, const INDEX row6_1, const INDEX row6_2, const INDEX row6_begin, const INDEX row7_0, const INDEX row7_1, const INDEX row7_begin, const INDEX row8_0, const INDEX row8_1, const INDEX row8_begin, const INDEX row9_0, const INDEX row9_1, const INDEX row9_begin, const INDEX row10_0, const INDEX row10_1, const INDEX row10_begin, const INDEX row11_0, const INDEX row11_1, const INDEX row11_begin, const INDEX row12_0, const INDEX row12_1, const INDEX row12_begin, const INDEX row13_0, const INDEX row13_1, const INDEX row13_2, const INDEX row13_begin,
#define BEGIN_ROW(row, at1, at0) const INDEX q2_ = row; const INDEX c0_ = at0; const INDEX c1_ = at1; const INDEX c2_ = q2_; const INDEX row0 = row0_begin + c0_ * row0_0 + c1_ * row0_1 + c2_ * row0_2; const INDEX row1 = row1_begin + c0_ * row1_0 + c1_ * row1_1 + c2_ * row1_2; const INDEX row2 = row2_begin + c0_ * row2_0 + c1_ * row2_1 + c2_ * row2_2; const INDEX row3 = row3_begin + c0_ * row3_0 + c1_ * row3_1 + c2_ * row3_2; const INDEX row4 = row4_begin + c0_ * row4_0 + c1_ * row4_1 + c2_ * row4_2; const INDEX row5 = row5_begin + c0_ * row5_0 + c1_ * row5_1 + c2_ * row5_2; const INDEX row6 = row6_begin + c0_ * row6_0 + c1_ * row6_1 + c2_ * row6_2; const INDEX row7 = row7_begin + c0_ * row7_0 + c1_ * row7_1; const INDEX row8 = row8_begin + c0_ * row8_0 + c1_ * row8_1; const INDEX row9 = row9_begin + c0_ * row9_0 + c1_ * row9_1; const INDEX row10 = row10_begin + c0_ * row10_0 + c1_ * row10_1; const INDEX row11 = row11_begin + c0_ * row11_0 + c1_ * row11_1; const INDEX row12 = row12_begin + c0_ * row12_0 + c1_ * row12_1; const INDEX row13 = row13_begin + c0_ * row13_0 + c1_ * row13_1 + c2_ * row13_2;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0, const float s1, global const float *x0, global const float *x1, global const float *x2, const INDEX row0, const INDEX row1, const INDEX row2, const INDEX row3, const INDEX row4, const INDEX row5, const INDEX row6, const INDEX row7, const INDEX row8, const INDEX row9, const INDEX row10, const INDEX row11, const INDEX row12, const INDEX row13,
#define ARGUMENTS s0, s1, x0, x1, x2, row0, row1, row2, row3, row4, row5, row6, row7, row8, row9, row10, row11, row12, row13,
#define OUTPUTS global float *restrict out0, global float *out1,
#define OUTPUT_ARGUMENTS out0, out1,
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
    const INDEX v0 = i;
    const INDEX v1 = row0;
    const INDEX v2 = v0 + v1;
    const float v3 = x0[v2];
    const INDEX v4 = row1;
    const INDEX v5 = v0 + v4;
    const float v6 = x0[v5];
    const INDEX v7 = row2;
    const INDEX v8 = v0 + v7;
    const float v9 = x0[v8];
    const INDEX v10 = row3;
    const INDEX v11 = v0 + v10;
    const float v12 = x0[v11];
    const INDEX v13 = row4;
    const INDEX v14 = v0 + v13;
    const float v15 = x0[v14];
    const INDEX v16 = row5;
    const INDEX v17 = v0 + v16;
    const float v18 = x0[v17];
    const INDEX v19 = row6;
    const INDEX v20 = v0 + v19;
    const float v21 = x0[v20];
    const float v22 = v21 + v18;
    const float v23 = v22 + v15;
    const float v24 = v23 + v12;
    const float v25 = v24 + v9;
    const float v26 = v25 + v6;
    const float v27 = s0;
    const float v28 = v27 * v3;
    const float v29 = v26 - v28;
    return v29;
}
static inline __attribute__((always_inline)) PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v1 = (INDEX_PACK)(row0);
    const INDEX_PACK v2 = v0 + v1;
    const float16 v3 = LOOSE_PACK(float, 16, x0 + v2.s0);
    const INDEX_PACK v4 = (INDEX_PACK)(row1);
    const INDEX_PACK v5 = v0 + v4;
    const float16 v6 = LOOSE_PACK(float, 16, x0 + v5.s0);
    const INDEX_PACK v7 = (INDEX_PACK)(row2);
    const INDEX_PACK v8 = v0 + v7;
    const float16 v9 = LOOSE_PACK(float, 16, x0 + v8.s0);
    const INDEX_PACK v10 = (INDEX_PACK)(row3);
    const INDEX_PACK v11 = v0 + v10;
    const float16 v12 = LOOSE_PACK(float, 16, x0 + v11.s0);
    const INDEX_PACK v13 = (INDEX_PACK)(row4);
    const INDEX_PACK v14 = v0 + v13;
    const float16 v15 = LOOSE_PACK(float, 16, x0 + v14.s0);
    const INDEX_PACK v16 = (INDEX_PACK)(row5);
    const INDEX_PACK v17 = v0 + v16;
    const float16 v18 = LOOSE_PACK(float, 16, x0 + v17.s0);
    const INDEX_PACK v19 = (INDEX_PACK)(row6);
    const INDEX_PACK v20 = v0 + v19;
    const float16 v21 = LOOSE_PACK(float, 16, x0 + v20.s0);
    const float16 v22 = v21 + v18;
    const float16 v23 = v22 + v15;
    const float16 v24 = v23 + v12;
    const float16 v25 = v24 + v9;
    const float16 v26 = v25 + v6;
    const float16 v27 = (float16)(s0);
    const float16 v28 = v27 * v3;
    const float16 v29 = v26 - v28;
    return v29;
}
#define INNER_ITEM ITEM
#define INNER_PACK_ITEM PACK_ITEM
#define INNER_STORED float
#define INNER_LOAD(i) INNER_item_at(ARGUMENTS i)
#define INNER_LOAD_PACK(p) INNER_pack_at(ARGUMENTS p)
#define INNER_UNPACK(pack, items) INNER_unpack_items(pack, items)
#define INNER_PACKED(items) INNER_packed_items(items)
static inline void INNER_unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM INNER_packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define INNER_LANE INNER_lane_of
static inline ITEM INNER_lane_of(const PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE float16 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM INNER_item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const INDEX v30 = row8;
    const INDEX v31 = v0 + v30;
    const float v32 = x1[v31];
    const float v33 = x2[v31];
    const INDEX v34 = row9;
    const INDEX v35 = v0 + v34;
    const float v36 = x2[v35];
    const INDEX v37 = row10;
    const INDEX v38 = v0 + v37;
    const float v39 = x2[v38];
    const INDEX v40 = row11;
    const INDEX v41 = v0 + v40;
    const float v42 = x2[v41];
    const INDEX v43 = row12;
    const INDEX v44 = v0 + v43;
    const float v45 = x2[v44];
    const INDEX v46 = v31 + (INDEX)(1);
    const float v47 = (x2 + v31)[1];
    const INDEX v48 = v31 + (INDEX)(-1);
    const float v49 = (x2 + v31)[-1];
    const float v50 = v49 + v47;
    const float v51 = v50 + v45;
    const float v52 = v51 + v42;
    const float v53 = v52 + v39;
    const float v54 = v53 + v36;
    const float v55 = s1;
    const float v56 = v55 * v33;
    const float v57 = v54 - v56;
    const float v58 = v57 + v32;
    return v58;
}
static inline __attribute__((always_inline)) PACK_ITEM INNER_pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v30 = (INDEX_PACK)(row8);
    const INDEX_PACK v31 = v0 + v30;
    const float16 v32 = LOOSE_PACK(float, 16, x1 + v31.s0);
    const float16 v33 = LOOSE_PACK(float, 16, x2 + v31.s0);
    const INDEX_PACK v34 = (INDEX_PACK)(row9);
    const INDEX_PACK v35 = v0 + v34;
    const float16 v36 = LOOSE_PACK(float, 16, x2 + v35.s0);
    const INDEX_PACK v37 = (INDEX_PACK)(row10);
    const INDEX_PACK v38 = v0 + v37;
    const float16 v39 = LOOSE_PACK(float, 16, x2 + v38.s0);
    const INDEX_PACK v40 = (INDEX_PACK)(row11);
    const INDEX_PACK v41 = v0 + v40;
    const float16 v42 = LOOSE_PACK(float, 16, x2 + v41.s0);
    const INDEX_PACK v43 = (INDEX_PACK)(row12);
    const INDEX_PACK v44 = v0 + v43;
    const float16 v45 = LOOSE_PACK(float, 16, x2 + v44.s0);
    const INDEX_PACK v46 = v31 + (INDEX_PACK)(1);
    const float16 v47 = LOOSE_PACK(float, 16, x2 + v31.s0 + (1));
    const INDEX_PACK v48 = v31 + (INDEX_PACK)(-1);
    const float16 v49 = LOOSE_PACK(float, 16, x2 + v31.s0 + (-1));
    const float16 v50 = v49 + v47;
    const float16 v51 = v50 + v45;
    const float16 v52 = v51 + v42;
    const float16 v53 = v52 + v39;
    const float16 v54 = v53 + v36;
    const float16 v55 = (float16)(s1);
    const float16 v56 = v55 * v33;
    const float16 v57 = v54 - v56;
    const float16 v58 = v57 + v32;
    return v58;
}
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v59 = item;
    out0[i + row7] = v59;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v59 = item;
    vstore16(v59, p, out0 + row7);
}
#define INNER_STORE(i, item) INNER_store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define INNER_STORE_PACK(p, pack) INNER_store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void INNER_store_item(PARAMETERS OUTPUTS const INDEX i, const INNER_ITEM item)
{
    const float v59 = item;
    out1[i + row13] = v59;
}
static inline void INNER_store_pack(PARAMETERS OUTPUTS const size_t p, const INNER_PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v59 = item;
    PUT_PACK((global float16 *)(out1 + row13) + p, v59);
}
#define LINE 16
#define KEEP_PACK(p, pack) \
    { \
        const INNER_PACK_ITEM kept = pack; \
        INNER_STORE_PACK((p) - from / PACK, kept); \
        if (is_twice) { \
            BEGIN_ROW(copy, z, y) \
            INNER_STORE_PACK((p) - from / PACK, kept); \
        } \
    }
#define KEEP_ITEM(i, item) \
    { \
        const INNER_ITEM kept = item; \
        INNER_STORE((i) - from, kept); \
        if (is_twice) { \
            BEGIN_ROW(copy, z, y) \
            INNER_STORE((i) - from, kept); \
        } \
    }
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_layers(SPACE_PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const INDEX kept_length,
    const INDEX rows, const INDEX layers, const INDEX wide, const INDEX tall, const INDEX deep,
    const INDEX more_items, const INDEX more_rows, const INDEX more_layers,
    const INDEX row_stride, const INDEX layer_stride, const INDEX slab_stride,
    const INDEX blocks_across, const INDEX across_upper, const INDEX across_shift,
    const INDEX blocks_down, const INDEX down_upper, const INDEX down_shift, const INDEX units)
{
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX block = divided(unit, across_upper, across_shift);
        const INDEX left = (unit - block * blocks_across) * wide, right = min(left + wide, length);
        const INDEX part = divided(block, down_upper, down_shift);
        const INDEX top = (block - part * blocks_down) * tall, bottom = min(top + tall, rows);
        const INDEX front = part * deep, back = min(front + deep, layers);
        const INDEX from = left > begin ? (left - begin) / LINE * LINE : 0, to = right - begin + more_items;
        const INDEX last_kept = min((to + PACK - 1) / PACK, kept_length / PACK);
        const INDEX origin = get_group_id(0) * slab_stride - top * row_stride;
        INDEX slot = 0;
        for (INDEX z = front; z < back + more_layers; ++z) {
            const INDEX next = slot == more_layers ? 0 : slot + 1;
            const INDEX place = origin + (slot - z) * layer_stride, copy = place + (more_layers + 1) * layer_stride;
            const bool is_twice = slot < more_layers;
            for (INDEX y = top; y < bottom + more_rows; ++y) {
                BEGIN_ROW(place, z, y)
                for (INDEX p = from / PACK; p < last_kept; ++p)
                    KEEP_PACK(p, INNER_LOAD_PACK(p))
                for (INDEX i = max(from, last_kept * PACK); i < to; ++i)
                    KEEP_ITEM(i, INNER_LOAD(i))
            }
            slot = next;
            if (z < front + more_layers)
                continue;
            const INDEX layer = z - more_layers;
            const INDEX window = (origin + (next - layer) * layer_stride) * LINE - from;
            for (INDEX y = top; y < bottom; ++y) {
                BEGIN_ROW(window, layer, y)
                INDEX first = left / PACK;
                const INDEX last = right / PACK;
                if (begin > 0 && left == 0) {
                    first = (begin + PACK - 1) / PACK;
                    for (INDEX i = begin; i < min(first * PACK, right); ++i)
                        STORE(i, LOAD(i));
                }
                for (INDEX p = first; p < last; ++p)
                    STORE_PACK(p, LOAD_PACK(p));
                for (INDEX i = max(first, last) * PACK; i < right; ++i)
                    STORE(i, LOAD(i));
            }
        }
    }
    RETURN;
}
