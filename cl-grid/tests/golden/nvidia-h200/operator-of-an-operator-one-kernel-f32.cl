// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 2
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint2
#define LANES ((INDEX_PACK)(0, 1))
#define SEGMENT 1
#define SPACE_PARAMETERS const float s0, const float s1, global const float *x0, global const float *x1, const INDEX extent0, const INDEX upper0, const INDEX shift0, const INDEX row0_0, const INDEX row0_1, const INDEX row0_begin, const INDEX row1_0, const INDEX row1_1, const INDEX row1_begin, const INDEX row2_0, const INDEX row2_1, const INDEX row2_begin, const INDEX row3_0, const INDEX row3_1, const INDEX row3_begin, const INDEX row4_0, const INDEX row4_1, const INDEX row4_begin, const INDEX row5_0, const INDEX row5_1, const INDEX row5_begin, const INDEX row6_0, const INDEX row6_1, const INDEX row6_begin, const INDEX row7_0, const INDEX row7_1, const INDEX row7_begin, const INDEX row8_0, const INDEX row8_1, const INDEX row8_begin, const INDEX row9_0, const INDEX row9_1, const INDEX row9_begin, const INDEX row10_0, const INDEX row10_1, const INDEX row10_begin, const INDEX row11_0, const INDEX row11_1, const INDEX row11_begin, const INDEX row12_0, const INDEX row12_1, const INDEX row12_begin,
#define BEGIN_ROW(row) const INDEX q0_ = row; const INDEX q1_ = divided(q0_, upper0, shift0), c0_ = q0_ - q1_ * extent0; const INDEX c1_ = q1_; const INDEX row0 = row0_begin + c0_ * row0_0 + c1_ * row0_1; const INDEX row1 = row1_begin + c0_ * row1_0 + c1_ * row1_1; const INDEX row2 = row2_begin + c0_ * row2_0 + c1_ * row2_1; const INDEX row3 = row3_begin + c0_ * row3_0 + c1_ * row3_1; const INDEX row4 = row4_begin + c0_ * row4_0 + c1_ * row4_1; const INDEX row5 = row5_begin + c0_ * row5_0 + c1_ * row5_1; const INDEX row6 = row6_begin + c0_ * row6_0 + c1_ * row6_1; const INDEX row7 = row7_begin + c0_ * row7_0 + c1_ * row7_1; const INDEX row8 = row8_begin + c0_ * row8_0 + c1_ * row8_1; const INDEX row9 = row9_begin + c0_ * row9_0 + c1_ * row9_1; const INDEX row10 = row10_begin + c0_ * row10_0 + c1_ * row10_1; const INDEX row11 = row11_begin + c0_ * row11_0 + c1_ * row11_1; const INDEX row12 = row12_begin + c0_ * row12_0 + c1_ * row12_1;
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const float s0, const float s1, global const float *x0, global const float *x1, const INDEX row0, const INDEX row1, const INDEX row2, const INDEX row3, const INDEX row4, const INDEX row5, const INDEX row6, const INDEX row7, const INDEX row8, const INDEX row9, const INDEX row10, const INDEX row11, const INDEX row12,
#define ARGUMENTS s0, s1, x0, x1, row0, row1, row2, row3, row4, row5, row6, row7, row8, row9, row10, row11, row12,
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
#define PACK_ITEM float2
#define STORED float
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE float2 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE float2 pack; VOLATILE float item[PACK]; } r0;
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
    const VOLATILE union { VOLATILE float2 pack; VOLATILE float item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const INDEX v1 = row0;
    const INDEX v2 = v0 + v1;
    const float v3 = x0[v2];
    const float v4 = x1[v2];
    const INDEX v5 = row1;
    const INDEX v6 = v0 + v5;
    const float v7 = x1[v6];
    const INDEX v8 = row2;
    const INDEX v9 = v0 + v8;
    const float v10 = x1[v9];
    const INDEX v11 = row3;
    const INDEX v12 = v0 + v11;
    const float v13 = x1[v12];
    const INDEX v14 = row4;
    const INDEX v15 = v0 + v14;
    const float v16 = x1[v15];
    const INDEX v17 = v2 + (INDEX)(1);
    const float v18 = (x1 + v2)[1];
    const INDEX v19 = v2 + (INDEX)(-1);
    const float v20 = (x1 + v2)[-1];
    const float v21 = v20 + v18;
    const float v22 = v21 + v16;
    const float v23 = v22 + v13;
    const float v24 = v23 + v10;
    const float v25 = v24 + v7;
    const float v26 = s0;
    const float v27 = v26 * v4;
    const float v28 = v25 - v27;
    const float v29 = v28 + v3;
    const float v30 = x0[v6];
    const INDEX v31 = row5;
    const INDEX v32 = v0 + v31;
    const float v33 = x1[v32];
    const INDEX v34 = row6;
    const INDEX v35 = v0 + v34;
    const float v36 = x1[v35];
    const INDEX v37 = row7;
    const INDEX v38 = v0 + v37;
    const float v39 = x1[v38];
    const INDEX v40 = v6 + (INDEX)(1);
    const float v41 = (x1 + v6)[1];
    const INDEX v42 = v6 + (INDEX)(-1);
    const float v43 = (x1 + v6)[-1];
    const float v44 = v43 + v41;
    const float v45 = v44 + v39;
    const float v46 = v45 + v36;
    const float v47 = v46 + v4;
    const float v48 = v47 + v33;
    const float v49 = v26 * v7;
    const float v50 = v48 - v49;
    const float v51 = v50 + v30;
    const float v52 = x0[v9];
    const INDEX v53 = row8;
    const INDEX v54 = v0 + v53;
    const float v55 = x1[v54];
    const INDEX v56 = row9;
    const INDEX v57 = v0 + v56;
    const float v58 = x1[v57];
    const INDEX v59 = row10;
    const INDEX v60 = v0 + v59;
    const float v61 = x1[v60];
    const INDEX v62 = v9 + (INDEX)(1);
    const float v63 = (x1 + v9)[1];
    const INDEX v64 = v9 + (INDEX)(-1);
    const float v65 = (x1 + v9)[-1];
    const float v66 = v65 + v63;
    const float v67 = v66 + v61;
    const float v68 = v67 + v58;
    const float v69 = v68 + v55;
    const float v70 = v69 + v4;
    const float v71 = v26 * v10;
    const float v72 = v70 - v71;
    const float v73 = v72 + v52;
    const float v74 = x0[v12];
    const INDEX v75 = row11;
    const INDEX v76 = v0 + v75;
    const float v77 = x1[v76];
    const INDEX v78 = v12 + (INDEX)(1);
    const float v79 = (x1 + v12)[1];
    const INDEX v80 = v12 + (INDEX)(-1);
    const float v81 = (x1 + v12)[-1];
    const float v82 = v81 + v79;
    const float v83 = v82 + v4;
    const float v84 = v83 + v77;
    const float v85 = v84 + v58;
    const float v86 = v85 + v36;
    const float v87 = v26 * v13;
    const float v88 = v86 - v87;
    const float v89 = v88 + v74;
    const float v90 = x0[v15];
    const INDEX v91 = row12;
    const INDEX v92 = v0 + v91;
    const float v93 = x1[v92];
    const INDEX v94 = v15 + (INDEX)(1);
    const float v95 = (x1 + v15)[1];
    const INDEX v96 = v15 + (INDEX)(-1);
    const float v97 = (x1 + v15)[-1];
    const float v98 = v97 + v95;
    const float v99 = v98 + v93;
    const float v100 = v99 + v4;
    const float v101 = v100 + v61;
    const float v102 = v101 + v39;
    const float v103 = v26 * v16;
    const float v104 = v102 - v103;
    const float v105 = v104 + v90;
    const float v106 = (x0 + v2)[1];
    const INDEX v107 = v2 + (INDEX)(2);
    const float v108 = (x1 + v2)[2];
    const float v109 = v4 + v108;
    const float v110 = v109 + v95;
    const float v111 = v110 + v79;
    const float v112 = v111 + v63;
    const float v113 = v112 + v41;
    const float v114 = v26 * v18;
    const float v115 = v113 - v114;
    const float v116 = v115 + v106;
    const float v117 = (x0 + v2)[-1];
    const INDEX v118 = v2 + (INDEX)(-2);
    const float v119 = (x1 + v2)[-2];
    const float v120 = v119 + v4;
    const float v121 = v120 + v97;
    const float v122 = v121 + v81;
    const float v123 = v122 + v65;
    const float v124 = v123 + v43;
    const float v125 = v26 * v20;
    const float v126 = v124 - v125;
    const float v127 = v126 + v117;
    const float v128 = v127 + v116;
    const float v129 = v128 + v105;
    const float v130 = v129 + v89;
    const float v131 = v130 + v73;
    const float v132 = v131 + v51;
    const float v133 = s1;
    const float v134 = v133 * v29;
    const float v135 = v132 - v134;
    return v135;
}
static inline __attribute__((always_inline)) PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const INDEX_PACK v1 = (INDEX_PACK)(row0);
    const INDEX_PACK v2 = v0 + v1;
    const float2 v3 = LOOSE_PACK(float, 2, x0 + v2.s0);
    const float2 v4 = LOOSE_PACK(float, 2, x1 + v2.s0);
    const INDEX_PACK v5 = (INDEX_PACK)(row1);
    const INDEX_PACK v6 = v0 + v5;
    const float2 v7 = LOOSE_PACK(float, 2, x1 + v6.s0);
    const INDEX_PACK v8 = (INDEX_PACK)(row2);
    const INDEX_PACK v9 = v0 + v8;
    const float2 v10 = LOOSE_PACK(float, 2, x1 + v9.s0);
    const INDEX_PACK v11 = (INDEX_PACK)(row3);
    const INDEX_PACK v12 = v0 + v11;
    const float2 v13 = LOOSE_PACK(float, 2, x1 + v12.s0);
    const INDEX_PACK v14 = (INDEX_PACK)(row4);
    const INDEX_PACK v15 = v0 + v14;
    const float2 v16 = LOOSE_PACK(float, 2, x1 + v15.s0);
    const INDEX_PACK v17 = v2 + (INDEX_PACK)(1);
    const float2 v18 = LOOSE_PACK(float, 2, x1 + v2.s0 + (1));
    const INDEX_PACK v19 = v2 + (INDEX_PACK)(-1);
    const float2 v20 = LOOSE_PACK(float, 2, x1 + v2.s0 + (-1));
    const float2 v21 = v20 + v18;
    const float2 v22 = v21 + v16;
    const float2 v23 = v22 + v13;
    const float2 v24 = v23 + v10;
    const float2 v25 = v24 + v7;
    const float2 v26 = (float2)(s0);
    const float2 v27 = v26 * v4;
    const float2 v28 = v25 - v27;
    const float2 v29 = v28 + v3;
    const float2 v30 = LOOSE_PACK(float, 2, x0 + v6.s0);
    const INDEX_PACK v31 = (INDEX_PACK)(row5);
    const INDEX_PACK v32 = v0 + v31;
    const float2 v33 = LOOSE_PACK(float, 2, x1 + v32.s0);
    const INDEX_PACK v34 = (INDEX_PACK)(row6);
    const INDEX_PACK v35 = v0 + v34;
    const float2 v36 = LOOSE_PACK(float, 2, x1 + v35.s0);
    const INDEX_PACK v37 = (INDEX_PACK)(row7);
    const INDEX_PACK v38 = v0 + v37;
    const float2 v39 = LOOSE_PACK(float, 2, x1 + v38.s0);
    const INDEX_PACK v40 = v6 + (INDEX_PACK)(1);
    const float2 v41 = LOOSE_PACK(float, 2, x1 + v6.s0 + (1));
    const INDEX_PACK v42 = v6 + (INDEX_PACK)(-1);
    const float2 v43 = LOOSE_PACK(float, 2, x1 + v6.s0 + (-1));
    const float2 v44 = v43 + v41;
    const float2 v45 = v44 + v39;
    const float2 v46 = v45 + v36;
    const float2 v47 = v46 + v4;
    const float2 v48 = v47 + v33;
    const float2 v49 = v26 * v7;
    const float2 v50 = v48 - v49;
    const float2 v51 = v50 + v30;
    const float2 v52 = LOOSE_PACK(float, 2, x0 + v9.s0);
    const INDEX_PACK v53 = (INDEX_PACK)(row8);
    const INDEX_PACK v54 = v0 + v53;
    const float2 v55 = LOOSE_PACK(float, 2, x1 + v54.s0);
    const INDEX_PACK v56 = (INDEX_PACK)(row9);
    const INDEX_PACK v57 = v0 + v56;
    const float2 v58 = LOOSE_PACK(float, 2, x1 + v57.s0);
    const INDEX_PACK v59 = (INDEX_PACK)(row10);
    const INDEX_PACK v60 = v0 + v59;
    const float2 v61 = LOOSE_PACK(float, 2, x1 + v60.s0);
    const INDEX_PACK v62 = v9 + (INDEX_PACK)(1);
    const float2 v63 = LOOSE_PACK(float, 2, x1 + v9.s0 + (1));
    const INDEX_PACK v64 = v9 + (INDEX_PACK)(-1);
    const float2 v65 = LOOSE_PACK(float, 2, x1 + v9.s0 + (-1));
    const float2 v66 = v65 + v63;
    const float2 v67 = v66 + v61;
    const float2 v68 = v67 + v58;
    const float2 v69 = v68 + v55;
    const float2 v70 = v69 + v4;
    const float2 v71 = v26 * v10;
    const float2 v72 = v70 - v71;
    const float2 v73 = v72 + v52;
    const float2 v74 = LOOSE_PACK(float, 2, x0 + v12.s0);
    const INDEX_PACK v75 = (INDEX_PACK)(row11);
    const INDEX_PACK v76 = v0 + v75;
    const float2 v77 = LOOSE_PACK(float, 2, x1 + v76.s0);
    const INDEX_PACK v78 = v12 + (INDEX_PACK)(1);
    const float2 v79 = LOOSE_PACK(float, 2, x1 + v12.s0 + (1));
    const INDEX_PACK v80 = v12 + (INDEX_PACK)(-1);
    const float2 v81 = LOOSE_PACK(float, 2, x1 + v12.s0 + (-1));
    const float2 v82 = v81 + v79;
    const float2 v83 = v82 + v4;
    const float2 v84 = v83 + v77;
    const float2 v85 = v84 + v58;
    const float2 v86 = v85 + v36;
    const float2 v87 = v26 * v13;
    const float2 v88 = v86 - v87;
    const float2 v89 = v88 + v74;
    const float2 v90 = LOOSE_PACK(float, 2, x0 + v15.s0);
    const INDEX_PACK v91 = (INDEX_PACK)(row12);
    const INDEX_PACK v92 = v0 + v91;
    const float2 v93 = LOOSE_PACK(float, 2, x1 + v92.s0);
    const INDEX_PACK v94 = v15 + (INDEX_PACK)(1);
    const float2 v95 = LOOSE_PACK(float, 2, x1 + v15.s0 + (1));
    const INDEX_PACK v96 = v15 + (INDEX_PACK)(-1);
    const float2 v97 = LOOSE_PACK(float, 2, x1 + v15.s0 + (-1));
    const float2 v98 = v97 + v95;
    const float2 v99 = v98 + v93;
    const float2 v100 = v99 + v4;
    const float2 v101 = v100 + v61;
    const float2 v102 = v101 + v39;
    const float2 v103 = v26 * v16;
    const float2 v104 = v102 - v103;
    const float2 v105 = v104 + v90;
    const float2 v106 = LOOSE_PACK(float, 2, x0 + v2.s0 + (1));
    const INDEX_PACK v107 = v2 + (INDEX_PACK)(2);
    const float2 v108 = LOOSE_PACK(float, 2, x1 + v2.s0 + (2));
    const float2 v109 = v4 + v108;
    const float2 v110 = v109 + v95;
    const float2 v111 = v110 + v79;
    const float2 v112 = v111 + v63;
    const float2 v113 = v112 + v41;
    const float2 v114 = v26 * v18;
    const float2 v115 = v113 - v114;
    const float2 v116 = v115 + v106;
    const float2 v117 = LOOSE_PACK(float, 2, x0 + v2.s0 + (-1));
    const INDEX_PACK v118 = v2 + (INDEX_PACK)(-2);
    const float2 v119 = LOOSE_PACK(float, 2, x1 + v2.s0 + (-2));
    const float2 v120 = v119 + v4;
    const float2 v121 = v120 + v97;
    const float2 v122 = v121 + v81;
    const float2 v123 = v122 + v65;
    const float2 v124 = v123 + v43;
    const float2 v125 = v26 * v20;
    const float2 v126 = v124 - v125;
    const float2 v127 = v126 + v117;
    const float2 v128 = v127 + v116;
    const float2 v129 = v128 + v105;
    const float2 v130 = v129 + v89;
    const float2 v131 = v130 + v73;
    const float2 v132 = v131 + v51;
    const float2 v133 = (float2)(s1);
    const float2 v134 = v133 * v29;
    const float2 v135 = v132 - v134;
    return v135;
}
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v136 = item;
    out0[i + row0] = v136;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float2 v136 = item;
    vstore2(v136, p, out0 + row0);
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
