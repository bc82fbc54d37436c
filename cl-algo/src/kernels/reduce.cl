// Reduction to one value a work-group, over the elements of [0, length).
//
// The order of operations depends on the sizes only, so the same input gives the same bits. Floats
// are added pairwise within a tile, and what each addition of a tile loses is carried along
// (Knuth's TwoSum), so the error grows with the size of a tile, not with the length.
//
// Given by the generator: COMBINE(a, b), COMBINE_PACK(a, b), IDENTITY, COMPENSATED.

#if COMPENSATED
#define ACCUMULATE(type, total, lost, value)                          \
    {                                                                 \
        const type value_ = (value), total_ = total + value_;         \
        const type added_ = total_ - total;                           \
        lost += (total - (total_ - added_)) + (value_ - added_);      \
        total = total_;                                               \
    }
// Once a total is infinite or NaN, what was lost on the way is no longer a number.
#define SETTLE(total, lost) (isnan(lost) ? (total) : (total) + (lost))
#else
#define ACCUMULATE(type, total, lost, value) total = COMBINE_PACK(total, value);
#define SETTLE(total, lost) (total)
#endif

// The elements of a pack, combined pairwise.
inline ITEM fold_pack(const PACK_ITEM pack)
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

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS global ITEM *restrict partial, const INDEX length)
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
        ACCUMULATE(PACK_ITEM, total, lost, value[0])
    }

    const ITEM total_lost = fold_pack(lost);
    const ITEM total_item = fold_pack(total);
    ITEM sum = SETTLE(total_item, total_lost);

    // What no full tile covers, less than one tile, is the last work-group's.
    if (get_group_id(0) == get_num_groups(0) - 1) {
        for (INDEX i = tiles * TILE + me; i < length; i += GROUP)
            sum = COMBINE(sum, LOAD(i));
    }

#if GROUP > 1
    local ITEM shared[GROUP];
    shared[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (me < width)
            shared[me] = COMBINE(shared[me], shared[me + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = shared[0];
#endif
    if (me == 0)
        partial[get_group_id(0)] = sum;
}
