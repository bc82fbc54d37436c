// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 1
#define CHUNKED 0
#define STREAM 0
#define WIDE_OFFSETS 0
#define GROUP_ITEMS 256
#define LANES_OF_ROW 16
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
#define STEPS 4
#define ROOM (GROUP_ITEMS * STEPS)
#define PLACE(at) ((at) + (at) / 32)
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_lanes(PARAMETERS OUTPUTS global const OFFSET *offsets, const INDEX rows)
{
    local ITEM staged[ROOM];
    local ITEM sums[PLACE(GROUP_ITEMS)];
    const uint me = get_local_id(0), lane = me % LANES_OF_ROW, together = GROUP_ITEMS / LANES_OF_ROW;
    const INDEX first = (INDEX)get_group_id(0) * together, row = first + me / LANES_OF_ROW;
    const INDEX group_begin = (INDEX)offsets[first], group_end = (INDEX)offsets[min(first + together, rows)];
    const INDEX begin = (INDEX)offsets[min(row, rows)], end = (INDEX)offsets[min(row + 1, rows)];
    const ITEM initial = INITIAL_LOAD(0);
    ITEM total = initial;
    for (INDEX base = group_begin; base < group_end; base += ROOM) {
        ITEM value[STEPS];
#pragma unroll
        for (uint step = 0; step < STEPS; ++step) {
            const INDEX at = base + step * GROUP_ITEMS + me;
            value[step] = initial;
            if (at < group_end)
                value[step] = LOAD(at);
        }
#pragma unroll
        for (uint step = 0; step < STEPS; ++step)
            staged[step * GROUP_ITEMS + me] = value[step];
        barrier(CLK_LOCAL_MEM_FENCE);
        const INDEX from = max(begin, base), to = min(end, base + ROOM);
        for (INDEX k = from + lane; k < to; k += LANES_OF_ROW)
            total = COMBINE(total, staged[k - base]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[PLACE(me)] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < together && first + me < rows) {
        ITEM sum = sums[PLACE(me * LANES_OF_ROW)];
        for (uint k = 1; k < LANES_OF_ROW; ++k)
            sum = COMBINE(sum, sums[PLACE(me * LANES_OF_ROW + k)]);
        STORE(first + me, sum);
    }
    RETURN;
}
