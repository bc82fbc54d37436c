// The index of the first item that is true, of [0, length).
//
// Each work-item goes through its packs of tile after tile. It stops at its first hit, or when it is behind a tile
// in which any work-item has a hit. So the smallest index of all hits does not depend on timing. A work-group
// passes on its smallest index. As in reduce.cl, the last work-group combines the indices of all groups if there
// is a fence; otherwise a second launch does.
//
// Filled in: the input, of `bool`s. Values: FENCE, see last_group.cl; HITS, 0 if the flags alone count. If HITS
// is 1, the items from a position on must also equal all items of a needle, if it is 2, the item must equal any
// item of the needle. For these the inputs HAYSTACK and NEEDLE are filled in, the needle's length in the input
// COUNT, and the operator SAME of two items. `hit` is the first tile so far with a hit, and NOWHERE before and
// after the launch. Without a fence it is not used: if the second launch failed, nothing could reset it, so
// work-items do not know of the others' hits.

#define NOWHERE 0xffffffffu
#define NOTHING ((ulong)-1)
// The number of tiles that a work-item goes through before it checks again whether it is behind a hit. On GPUs
// many work-items would read the same word.
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
// Returns whether item i, whose flag is true, is a hit. The first item that decides ends the comparison.
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

// Returns the index of the first hit among a work-item's packs of a tile, or NOTHING.
static inline ulong first_of_tile(PARAMETERS const PACK_ITEM *value, const INDEX first)
{
    ulong found = NOTHING;
#if HITS
    // The flags of a pack as bits, so that its items are compared in one place.
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

// Returns the index of the first hit in this work-item's share, or NOTHING.
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
    // The last work-group looks at the items after the last full tile.
    if (get_group_id(0) == get_num_groups(0) - 1)
        for (INDEX i = tiles * TILE + get_local_id(0); i < length; i += GROUP)
            if (LOAD(i) && IS_HIT(i))
                return i;
    return NOTHING;
}

// Returns, at least in work-item 0, the smallest `value` of the work-group's work-items.
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

// Computes the partial results; if FINAL, reduces `count` of them to one, in one work-group.
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
