// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL_NUMBER 0
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 4096
#define CHUNKED 1
#define STREAM 0
#define PASS 0
#define BY_NEIGHBOUR 0
#define REJECTS 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const uint s0, const uint s1, global const uint *x0,
#define ARGUMENTS s0, s1, x0,
#define OUTPUTS
#define OUTPUT_ARGUMENTS
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
#define PACK_ITEM ITEM
#define STORED uint
#define LOAD_FROM x0
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
#define pack_at item_at
#define KEEP_ITEM bool
#define KEEP_PACK_ITEM KEEP_ITEM
#define KEEP(a) KEEP_item(ARGUMENTS a)
#define KEEP_PACK(a) KEEP_pack(ARGUMENTS a)
static inline KEEP_ITEM KEEP_item(PARAMETERS const ITEM a)
{
    const uint v2 = a;
    const uint v3 = s0;
    const uint v4 = (v3 == 0 ? v2 : (uint)(v2 % v3));
    const uint v5 = s1;
    const bool v6 = (v4 < v5);
    return v6;
}
#define KEEP_pack KEEP_item
#if BY_NEIGHBOUR
static inline bool begins_run(PARAMETERS const INDEX i, const ITEM item)
{
    return i == 0 || !SAME(LOAD(i - 1), item);
}
#define IS_KEPT(i, item) begins_run(ARGUMENTS i, item)
#define IS_KEPT_AFTER(before, item) (!SAME(before, item))
#else
#define IS_KEPT(i, item) KEEP(item)
#define IS_KEPT_AFTER(before, item) KEEP(item)
#endif
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))
#if PASS == 0
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS global ulong *counts, const INDEX length)
{
    const INDEX end = BEGIN(get_group_id(0) + 1);
    INDEX kept = 0;
    for (INDEX i = BEGIN(get_group_id(0)); i < end; ++i)
        kept += IS_KEPT(i, LOAD(i)) ? 1 : 0;
    counts[get_group_id(0)] = kept;
}
#else
#define BLOCK 64
#if REJECTS == 0
#define IS_FAR (last - to >= BLOCK)
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        if (has_room) \
            STORE(to, item); \
        to += flag; \
    } while (0)
#elif REJECTS == 1
#define IS_FAR (last - to >= BLOCK && last_reject - reject >= BLOCK)
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        if (has_room) \
            STORE(to, item); \
        if (has_reject_room) \
            REJECT_STORE(reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#else
#define IS_FAR true
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        STORE(flag ? to : reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#endif
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS OUTPUTS global const ulong *counts, const INDEX length, global ulong *count)
{
    const uint run = get_group_id(0), runs = get_num_groups(0);
    const INDEX begin = BEGIN(run), end = BEGIN(run + 1);
    INDEX to = 0;
    for (uint r = 0; r < run; ++r)
        to += (INDEX)counts[r];
    const INDEX last = to + (INDEX)counts[run];
    if (run == runs - 1)
        *count = last;
#if REJECTS
    INDEX reject = begin - to;
#if REJECTS == 1
    const INDEX last_reject = end - last;
#else
    reject += last;
    for (uint r = run + 1; r < runs; ++r)
        reject += (INDEX)counts[r];
#endif
#endif
    INDEX i = begin;
    for (; end - i >= BLOCK && IS_FAR; i += BLOCK) {
        ITEM items[BLOCK];
        uint flags[BLOCK];
        for (uint k = 0; k < BLOCK; ++k)
            items[k] = LOAD(i + k);
        for (uint k = 0; k < BLOCK; ++k)
            flags[k] = IS_KEPT(i + k, items[k]) ? 1 : 0;
#pragma unroll 8
        for (uint k = 0; k < BLOCK; ++k)
            PLACE(flags[k], items[k], true, true);
    }
    for (; i < end; ++i) {
        const ITEM item = LOAD(i);
        const uint flag = IS_KEPT(i, item) ? 1 : 0;
        PLACE(flag, item, to < last, reject < last_reject);
    }
}
#endif
#undef ARGUMENTS
#undef BEGIN
#undef BLOCK
#undef BY_NEIGHBOUR
#undef CHUNKED
#undef CUT
#undef FAULT_ARGUMENT
#undef FAULT_PARAMETER
#undef FOR_EACH_TILE
#undef GROUP
#undef INDEX
#undef IS_FAR
#undef IS_KEPT
#undef IS_KEPT_AFTER
#undef ITEM
#undef KEEP
#undef KEEP_ITEM
#undef KEEP_PACK
#undef KEEP_PACK_ITEM
#undef KEEP_pack
#undef KERNEL_NUMBER
#undef LANE
#undef LOAD
#undef LOAD_FROM
#undef LOAD_PACK
#undef OUTPUTS
#undef OUTPUT_ARGUMENTS
#undef PACK
#undef PACKED
#undef PACKS
#undef PACK_ITEM
#undef PARAMETERS
#undef PASS
#undef PLACE
#undef PUT_PACK
#undef REJECTS
#undef SIGNED_INDEX
#undef STORED
#undef STREAM
#undef STREAM_PACK
#undef TILE
#undef TILE_PACKS
#undef UNPACK
#undef pack_at
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL_NUMBER 1
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 4096
#define CHUNKED 1
#define STREAM 0
#define PASS 1
#define BY_NEIGHBOUR 0
#define REJECTS 0
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const uint s0, const uint s1, global const uint *x0,
#define ARGUMENTS s0, s1, x0,
#define OUTPUTS global uint *restrict out0,
#define OUTPUT_ARGUMENTS out0,
#define item_at item_at_1
#define KEEP_item KEEP_item_1
#define store_item store_item_1
#define begins_run begins_run_1
#define select_runs select_runs_1
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
#define PACK_ITEM ITEM
#define STORED uint
#define LOAD_FROM x0
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
#define pack_at item_at
#define KEEP_ITEM bool
#define KEEP_PACK_ITEM KEEP_ITEM
#define KEEP(a) KEEP_item(ARGUMENTS a)
#define KEEP_PACK(a) KEEP_pack(ARGUMENTS a)
static inline KEEP_ITEM KEEP_item(PARAMETERS const ITEM a)
{
    const uint v2 = a;
    const uint v3 = s0;
    const uint v4 = (v3 == 0 ? v2 : (uint)(v2 % v3));
    const uint v5 = s1;
    const bool v6 = (v4 < v5);
    return v6;
}
#define KEEP_pack KEEP_item
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const uint v2 = item;
    out0[i] = v2;
}
#define store_pack store_item
#if BY_NEIGHBOUR
static inline bool begins_run(PARAMETERS const INDEX i, const ITEM item)
{
    return i == 0 || !SAME(LOAD(i - 1), item);
}
#define IS_KEPT(i, item) begins_run(ARGUMENTS i, item)
#define IS_KEPT_AFTER(before, item) (!SAME(before, item))
#else
#define IS_KEPT(i, item) KEEP(item)
#define IS_KEPT_AFTER(before, item) KEEP(item)
#endif
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))
#if PASS == 0
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS global ulong *counts, const INDEX length)
{
    const INDEX end = BEGIN(get_group_id(0) + 1);
    INDEX kept = 0;
    for (INDEX i = BEGIN(get_group_id(0)); i < end; ++i)
        kept += IS_KEPT(i, LOAD(i)) ? 1 : 0;
    counts[get_group_id(0)] = kept;
}
#else
#define BLOCK 64
#if REJECTS == 0
#define IS_FAR (last - to >= BLOCK)
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        if (has_room) \
            STORE(to, item); \
        to += flag; \
    } while (0)
#elif REJECTS == 1
#define IS_FAR (last - to >= BLOCK && last_reject - reject >= BLOCK)
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        if (has_room) \
            STORE(to, item); \
        if (has_reject_room) \
            REJECT_STORE(reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#else
#define IS_FAR true
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        STORE(flag ? to : reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#endif
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS OUTPUTS global const ulong *counts, const INDEX length, global ulong *count)
{
    const uint run = get_group_id(0), runs = get_num_groups(0);
    const INDEX begin = BEGIN(run), end = BEGIN(run + 1);
    INDEX to = 0;
    for (uint r = 0; r < run; ++r)
        to += (INDEX)counts[r];
    const INDEX last = to + (INDEX)counts[run];
    if (run == runs - 1)
        *count = last;
#if REJECTS
    INDEX reject = begin - to;
#if REJECTS == 1
    const INDEX last_reject = end - last;
#else
    reject += last;
    for (uint r = run + 1; r < runs; ++r)
        reject += (INDEX)counts[r];
#endif
#endif
    INDEX i = begin;
    for (; end - i >= BLOCK && IS_FAR; i += BLOCK) {
        ITEM items[BLOCK];
        uint flags[BLOCK];
        for (uint k = 0; k < BLOCK; ++k)
            items[k] = LOAD(i + k);
        for (uint k = 0; k < BLOCK; ++k)
            flags[k] = IS_KEPT(i + k, items[k]) ? 1 : 0;
#pragma unroll 8
        for (uint k = 0; k < BLOCK; ++k)
            PLACE(flags[k], items[k], true, true);
    }
    for (; i < end; ++i) {
        const ITEM item = LOAD(i);
        const uint flag = IS_KEPT(i, item) ? 1 : 0;
        PLACE(flag, item, to < last, reject < last_reject);
    }
}
#endif
