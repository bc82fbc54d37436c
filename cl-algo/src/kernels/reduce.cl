// Reduction to one value, over the elements of [0, length).
//
// Each work-group reduces its share to a partial result. Then, where there is a fence among all
// work-groups, the one that finishes last combines the partial results; elsewhere, a second launch
// does. The order of operations depends on the sizes only, never on which work-group is the last,
// so the same input gives the same bits. Floats are added pairwise within a tile, and what the
// addition of a tile, or of an element that no full tile covers, loses is carried along (Knuth's
// TwoSum), so the error grows with the size of a tile, not with the length.
//
// Filled in: the input; the operator COMBINE. Values: COMPENSATED; FENCE, how the work-groups of one
// launch see each other's results: 0 not at all, and a second launch combines them, 1 by NVIDIA's PTX,
// 2 by OpenCL C 3.0; THREE, whether items are vectors of three.

#define IDENTITY 0

// Partial results lie in memory as items of vectors do, since a second launch reads them as such:
// three numbers without a gap. One by one, because vload3 and vstore3 take no volatile memory.
#if THREE
#define NUMBER(at, k) partial[3 * (INDEX)(at) + k]
#define GET_PARTIAL(at) ((ITEM)(NUMBER(at, 0), NUMBER(at, 1), NUMBER(at, 2)))
#define SET_PARTIAL(at, item)             \
    {                                     \
        const ITEM item_ = (item);        \
        NUMBER(at, 0) = item_.x;      \
        NUMBER(at, 1) = item_.y;      \
        NUMBER(at, 2) = item_.z;      \
    }
#else
#define GET_PARTIAL(at) partial[at]
#define SET_PARTIAL(at, item) partial[at] = (item);
#endif

#if FENCE == 1
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#elif FENCE == 2
#define DEVICE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#endif

#if COMPENSATED
#define ACCUMULATE(type, combine, total, lost, value)                 \
    {                                                                 \
        const type value_ = (value), total_ = total + value_;         \
        const type added_ = total_ - total;                           \
        lost += (total - (total_ - added_)) + (value_ - added_);      \
        total = total_;                                               \
    }
// Once a total is infinite or NaN, what was lost on the way is no longer a number.
#define SETTLE(total, lost) (isnan(lost) ? (total) : (total) + (lost))
#else
#define ACCUMULATE(type, combine, total, lost, value) total = combine(total, value);
#define SETTLE(total, lost) (total)
#endif

// The elements of a pack, combined pairwise.
static inline ITEM fold_pack(PARAMETERS const PACK_ITEM pack)
{
#if PACK == 1
    return pack;
#else
    union { PACK_ITEM pack; ITEM item[PACK]; } all = { .pack = pack };
#pragma unroll
    for (uint width = PACK / 2; width > 0; width /= 2)
        for (uint k = 0; k < width; ++k)
            all.item[k] = COMBINE(all.item[k], all.item[k + width]);
    return all.item[0];
#endif
}

// The values of a work-group's items, combined pairwise. Every item gets the result.
static inline ITEM fold_group(PARAMETERS const ITEM value, local ITEM *shared)
{
#if GROUP == 1
    return value;
#else
    const uint me = get_local_id(0);
    shared[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (me < width)
            shared[me] = COMBINE(shared[me], shared[me + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return shared[0];
#endif
}

// This work-group's share of the elements, combined.
static inline ITEM reduce_share(PARAMETERS local ITEM *shared, const INDEX length)
{
    const uint me = get_local_id(0);
    const INDEX tiles = length / TILE;
    PACK_ITEM total = (PACK_ITEM)(IDENTITY), lost = (PACK_ITEM)(IDENTITY);

    FOR_EACH_TILE(tile, tiles) {
        const INDEX first = tile * TILE_PACKS + me;
        PACK_ITEM value[PACKS];
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
        for (uint width = PACKS / 2; width > 0; width /= 2)
            for (uint k = 0; k < width; ++k)
                value[k] = COMBINE_PACK(value[k], value[k + width]);
        ACCUMULATE(PACK_ITEM, COMBINE_PACK, total, lost, value[0])
    }

    ITEM item_total = fold_pack(ARGUMENTS total), item_lost = fold_pack(ARGUMENTS lost);
    // What no full tile covers, less than one tile, is the last work-group's.
    if (get_group_id(0) == get_num_groups(0) - 1) {
        for (INDEX i = tiles * TILE + me; i < length; i += GROUP)
            ACCUMULATE(ITEM, COMBINE, item_total, item_lost, LOAD(i))
    }
    return fold_group(ARGUMENTS SETTLE(item_total, item_lost), shared);
}

#if !FENCE

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS global STORED *restrict partial, const INDEX length)
{
    local ITEM shared[GROUP];
    const ITEM result = reduce_share(ARGUMENTS shared, length);
    if (get_local_id(0) == 0)
        SET_PARTIAL(get_group_id(0), result)
}

#else

// The result goes to partial[0]. `arrived` is 0 before and after. Both are volatile because caches
// may hold what other work-groups have changed since.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS volatile global STORED *partial, volatile global uint *arrived, const INDEX length)
{
    local ITEM shared[GROUP];
    local uint last;
    const uint me = get_local_id(0), groups = get_num_groups(0);

    const ITEM share = reduce_share(ARGUMENTS shared, length);
    if (me == 0) {
        SET_PARTIAL(get_group_id(0), share)
        DEVICE_FENCE();
        last = atomic_inc(arrived) == groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!last)
        return;

    DEVICE_FENCE();
    ITEM total = IDENTITY, lost = IDENTITY;
#pragma unroll 8
    for (uint i = me; i < groups; i += GROUP)
        ACCUMULATE(ITEM, COMBINE, total, lost, GET_PARTIAL(i))
    const ITEM result = fold_group(ARGUMENTS SETTLE(total, lost), shared);
    if (me == 0) {
        SET_PARTIAL(0, result)
        *arrived = 0;
    }
}

#endif
