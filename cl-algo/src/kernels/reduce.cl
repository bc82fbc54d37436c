// Reduction to one value, over the elements of [0, length), of which there is at least one.
//
// Each work-group reduces its share to a partial result. Then, if there is a fence among all work-groups, the one
// that finishes last combines the partial results; otherwise a second launch does. The order of operations depends
// on the sizes only, never on which work-group is the last, so the same input gives the same bits. No identity is
// needed: every total begins with an element.
//
// If the operator commutes, a work-item combines the elements at the same index of each tile, pack by pack, and
// the work-items combine their totals at the end. Otherwise the order of the elements is kept: a work-group owns a
// contiguous sequence of tiles and combines each of them to one value, and a work-item owns contiguous packs of a
// tile.
//
// Floats are added pairwise within a tile. The rounding error of adding a tile, or an element after the last full
// tile, is carried along (Knuth's TwoSum), so the error grows with the size of a tile, not with the length.
//
// Filled in: the input; the operator COMBINE; an output for the result, which is item 0. Values: FENCE, see
// last_group.cl; COMPENSATED; ORDERED; FOLLOWS, 1 if there is also an operator FOLLOW, which equals COMBINE if all
// items of the first operand come before those of the second; FEW, 1 if there is also an operator FOR_FEW, which
// equals FOLLOW for a work-item's items of one tile; TWO_STEPS, 1 if a work-group combines the values of its
// work-items in two steps, 0 if it halves their number repeatedly.

#if !FOLLOWS
#define FOLLOW COMBINE
#define FOLLOW_PACK COMBINE_PACK
#endif
#if !FEW
#define FOR_FEW_PACK FOLLOW_PACK
#endif

// Inlined functions return nothing: for a function that returns a struct clang generates code that Oclgrind 21.10
// cannot run.

#if COMPENSATED
#define LOST(type, name) type name = (type)(0);
#define ACCUMULATE(type, combine, total, lost, value)                 \
    {                                                                 \
        const type value_ = (value), total_ = total + value_;         \
        const type added_ = total_ - total;                           \
        lost += (total - (total_ - added_)) + (value_ - added_);      \
        total = total_;                                               \
    }
// Once a total is infinite or NaN, the carried error is not a number.
#define SETTLE(total, lost) (isnan(lost) ? (total) : (total) + (lost))
#else
#define LOST(type, name)
#define ACCUMULATE(type, combine, total, lost, value) total = combine(total, value);
#define SETTLE(total, lost) (total)
#endif

// Value: 1 if a work-group's values are combined without loops. This is faster on NVIDIA's devices. PoCL, with a
// GPU's forced shape, takes 3 s to compile it, and 1 s with loops.
#define UNROLLED (FENCE == 1)

// The number of values that each of a work-group's FOLDERS combines to one.
#define FOLDED (GROUP / FOLDERS)

// Combines neighbours, then neighbours of the results, until item[0] is the combination of all, in their order.
#if defined(KEEPS_FOLDS)
#define EACH_WIDTH _Pragma("unroll 1")
#else
#define EACH_WIDTH _Pragma("unroll")
#endif
#define FOLD_NEIGHBOURS(item, size)                                          \
    EACH_WIDTH for (uint half_ = (size) / 2; half_ > 0; half_ /= 2)   \
        for (uint k_ = 0; k_ < half_; ++k_)                                  \
            item[k_] = COMBINE(item[2 * k_], item[2 * k_ + 1]);

// Combines the elements of a pack pairwise.
INLINE void fold_pack(PARAMETERS ITEM *total, const PACK_ITEM pack)
{
#if PACK == 1
    *total = pack;
#else
    ITEM item[PACK];
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        item[k] = LANE(pack, k);
    FOLD_NEIGHBOURS(item, PACK)
    *total = item[0];
#endif
}

// Combines the values of the first `count` of the work-group's work-items, in their order if ORDERED. Work-item 0
// gets the result, in place of its value. Another call may follow immediately.
INLINE void fold_group(PARAMETERS ITEM *value, local ITEM *shared, local ITEM *folded, const uint count)
{
#if GROUP > 1
    const uint me = get_local_id(0);
    shared[me] = *value;
    barrier(CLK_LOCAL_MEM_FENCE);
#if TWO_STEPS || ORDERED
    if (me < FOLDERS) {
        const uint begin = ORDERED ? me * FOLDED : me, step = ORDERED ? 1 : FOLDERS;
        ITEM total = shared[begin];
        if (UNROLLED && count == GROUP) {
            ITEM item[FOLDED];
#pragma unroll
            for (uint k = 0; k < FOLDED; ++k)
                item[k] = shared[begin + k * step];
            FOLD_NEIGHBOURS(item, FOLDED)
            total = item[0];
        } else {
            for (uint k = begin + step; k < min(count, begin + FOLDED * step); k += step)
                total = COMBINE(total, shared[k]);
        }
        folded[me] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ITEM total = folded[0];
    if (UNROLLED && count == GROUP) {
        ITEM item[FOLDERS];
#pragma unroll
        for (uint k = 0; k < FOLDERS; ++k)
            item[k] = folded[k];
        FOLD_NEIGHBOURS(item, FOLDERS)
        total = item[0];
    } else {
        const uint there = ORDERED ? (count + FOLDED - 1) / FOLDED : min(count, (uint)FOLDERS);
        for (uint k = 1; k < there; ++k)
            total = COMBINE(total, folded[k]);
    }
    *value = total;
#else
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (me < width && me + width < count)
            shared[me] = COMBINE(shared[me], shared[me + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *value = shared[0];
#endif
#endif
}

#if ORDERED

// Combines this work-item's packs of a tile.
INLINE void fold_tile(PARAMETERS ITEM *total, const INDEX tile)
{
    const INDEX first = tile * TILE_PACKS + get_local_id(0) * PACKS;
    PACK_ITEM value[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        value[k] = LOAD_PACK(first + k);
    ITEM item[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        fold_pack(ARGUMENTS &item[k], value[k]);
    FOLD_NEIGHBOURS(item, PACKS)
    *total = item[0];
}

// Combines this work-group's share of the elements; work-item 0 gets the result.
INLINE void reduce_share(PARAMETERS ITEM *result, local ITEM *shared, local ITEM *folded, const INDEX length)
{
    const uint me = get_local_id(0);
    const INDEX tiles = length / TILE, begin = tiles * TILE;
    const bool is_last = get_group_id(0) == get_num_groups(0) - 1;
    ITEM total;
    if (tiles > 0) {
        const INDEX first = CUT(tiles, get_group_id(0)), end = CUT(tiles, get_group_id(0) + 1);
        fold_tile(ARGUMENTS &total, first);
        fold_group(ARGUMENTS &total, shared, folded, GROUP);
        for (INDEX tile = first + 1; tile < end; ++tile) {
            ITEM next;
            fold_tile(ARGUMENTS &next, tile);
            fold_group(ARGUMENTS &next, shared, folded, GROUP);
            total = COMBINE(total, next);
        }
    } else {
        total = LOAD(0);
    }
    // The last work-group combines the elements after the last full tile, contiguous ones for each work-item.
    if (is_last && begin < length) {
        const uint rest = length - begin, each = (rest + GROUP - 1) / GROUP;
        const INDEX from = begin + me * each, to = min(from + each, length);
        ITEM mine = LOAD(min(from, length - 1)); // ignored if no element is left
        for (INDEX i = from + 1; i < to; ++i)
            mine = COMBINE(mine, LOAD(i));
        fold_group(ARGUMENTS &mine, shared, folded, (rest + each - 1) / each);
        if (tiles > 0)
            total = COMBINE(total, mine);
        else
            total = mine;
    }
    *result = total;
}

#else

// Combines this work-item's packs of a tile pairwise: neighbouring packs, if FOLLOW or FOR_FEW is used.
INLINE void fold_tile(PARAMETERS PACK_ITEM *total, const INDEX tile)
{
    const INDEX first = tile * TILE_PACKS + get_local_id(0);
    PACK_ITEM value[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
    for (uint width = PACKS / 2; width > 0; width /= 2)
#pragma unroll
        for (uint k = 0; k < width; ++k)
            value[k] = FOLLOWS || FEW ? FOR_FEW_PACK(value[2 * k], value[2 * k + 1])
                                      : COMBINE_PACK(value[k], value[k + width]);
    *total = value[0];
}

// Combines this work-group's share of the elements; work-item 0 gets the result.
INLINE void reduce_share(PARAMETERS ITEM *result, local ITEM *shared, local ITEM *folded, const INDEX length)
{
    const uint me = get_local_id(0);
    const INDEX tiles = length / TILE;
    ITEM item_total;
    LOST(ITEM, item_lost)
    INDEX i = tiles * TILE + me;
    if (tiles > 0) {
#if CHUNKED
        const INDEX first = CUT(tiles, get_group_id(0)), end = CUT(tiles, get_group_id(0) + 1), step = 1;
#else
        const INDEX first = get_group_id(0), end = tiles, step = get_num_groups(0);
#endif
        PACK_ITEM total;
        fold_tile(ARGUMENTS &total, first);
        LOST(PACK_ITEM, lost)
        for (INDEX tile = first + step; tile < end; tile += step) {
            PACK_ITEM next;
            fold_tile(ARGUMENTS &next, tile);
            ACCUMULATE(PACK_ITEM, FOLLOW_PACK, total, lost, next)
        }
        fold_pack(ARGUMENTS &item_total, total);
#if COMPENSATED
        fold_pack(ARGUMENTS &item_lost, lost);
#endif
    } else {
        item_total = LOAD(min(i, length - 1)); // ignored if no element is left
        i += GROUP;
    }
    // The last work-group combines the elements after the last full tile, less than one tile.
    if (get_group_id(0) == get_num_groups(0) - 1) {
        for (; i < length; i += GROUP)
            ACCUMULATE(ITEM, FOLLOW, item_total, item_lost, LOAD(i))
    }
    const uint count = tiles > 0 || length > GROUP ? GROUP : (uint)length;
    *result = SETTLE(item_total, item_lost);
    fold_group(ARGUMENTS result, shared, folded, count);
}

#endif

// Combines `count` partial results in one work-group; work-item 0 gets the result.
INLINE void fold_partials(PARAMETERS ITEM *result, const volatile global ITEM *partial, const uint count,
                          local ITEM *shared, local ITEM *folded)
{
    const uint me = get_local_id(0);
#if ORDERED
    const uint each = (count + GROUP - 1) / GROUP, step = 1;
    const uint begin = me * each, end = min(begin + each, count), items = (count + each - 1) / each;
#else
    const uint begin = me, end = count, step = GROUP, items = min(count, (uint)GROUP);
#endif
    ITEM total = partial[min(begin, count - 1)]; // ignored if no result is left
    LOST(ITEM, lost)
#pragma unroll 8
    for (uint i = begin + step; i < end; i += step) {
        const ITEM next = partial[i];
        ACCUMULATE(ITEM, COMBINE, total, lost, next)
    }
    *result = SETTLE(total, lost);
    fold_group(ARGUMENTS result, shared, folded, items);
}

#if !FENCE

// Computes the shares; if FINAL, combines `count` partial results, in one work-group. FINAL is a macro and not an
// argument, because PoCL 3.1 hangs if there are barriers on both sides of a branch.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS OUTPUTS global ulong *partials, const INDEX length, const uint count)
{
    local ITEM shared[GROUP], folded[FOLDERS];
    global ITEM *partial = (global ITEM *)partials;

#if !FINAL
    {
        ITEM share;
        reduce_share(ARGUMENTS &share, shared, folded, length);
        if (get_local_id(0) == 0) {
            if (get_num_groups(0) == 1)
                STORE(0, share);
            else
                partial[get_group_id(0)] = share;
        }
    }
#else
    ITEM result;
    fold_partials(ARGUMENTS &result, partial, count, shared, folded);
    if (get_local_id(0) == 0)
        STORE(0, result);
#endif
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce(PARAMETERS OUTPUTS volatile global ulong *partials, volatile global uint *arrived, const INDEX length)
{
    local ITEM shared[GROUP], folded[FOLDERS];
    local uint last;
    volatile global ITEM *partial = (volatile global ITEM *)partials;
    const uint me = get_local_id(0), groups = get_num_groups(0);

    ITEM share;
    reduce_share(ARGUMENTS &share, shared, folded, length);
    if (groups == 1) {
        if (me == 0)
            STORE(0, share);
        RETURN;
    }
    if (me == 0)
        partial[get_group_id(0)] = share;
    if (!is_last_group(arrived, &last))
        RETURN;
    ITEM result;
    fold_partials(ARGUMENTS &result, partial, groups, shared, folded);
    if (me == 0) {
        STORE(0, result);
        *arrived = 0;
    }
    RETURN;
}

#endif
