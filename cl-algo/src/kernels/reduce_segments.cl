// Reductions of segments that have items, in two launches. Uses group_scan.cl.
//
// The first launch (!JOINS) gives each work-group a tile of items. A work-item owns contiguous items of it, and finds
// where segments begin among them by a bit for each item. The results of the segments that lie within the tile are
// stored. Two others may reach out of the tile: of a segment that begins before the tile, the result of its items in the
// tile is LEFT; otherwise, of a segment that ends behind the tile, it is RIGHT.
//
// In the second launch (JOINS) a work-group combines the parts of the segment that begins in a tile and ends behind it:
// the right part of this tile, and the left parts of the tiles that follow.
//
// Items are combined in their order, by a tree that depends on the segments and the shape only.
//
// Filled in: the input; the operator COMBINE; the output, which has an item for each segment. Values: JOINS;
// JOINED, the number of items of a tile of the first launch, for the second one; CELL_ITEMS; sub-groups, see
// subgroup.cl.
//
// `offsets` are the begins of the segments, and the number of all items at the end. `cells` are the numbers of the
// segments that the items at multiples of CELL belong to, followed by that of the last item's segment.

#define OWN_ITEMS (PACKS * PACK)
#define HEAD_WORDS ((TILE_PACKS * PACK + 31) / 32)
#define SPAN (JOINS ? JOINED : TILE)
#define CELL (SPAN < CELL_ITEMS ? SPAN : CELL_ITEMS)
#define CELL_AT(tile) min((tile) * (SPAN / CELL), (length - 1) / CELL + 1)
#define LEFT(parts, tile) parts[tile]
#define RIGHT(parts, tile) parts[get_num_groups(0) + (tile)]

typedef VOLATILE struct {
    VOLATILE uint first, last;         // the numbers of the segments of the tile's first and last item
    VOLATILE uint from_left, to_right; // 1 if the first one begins before the tile, and if the last one ends behind it
} segments_of_tile;

static inline segments_of_tile find_segments(global const uint *offsets, global const uint *cells, const INDEX tile,
                                             const INDEX length)
{
    segments_of_tile found;
    const bool full = length - tile * SPAN >= SPAN;
    const uint begin = tile * SPAN, end = full ? begin + SPAN : (uint)length;
    const uint next = cells[CELL_AT(tile + 1)];
    found.first = cells[CELL_AT(tile)];
    // The item behind a full tile may be the first one of its segment.
    found.last = offsets[next] >= end && next > found.first ? next - 1 : next;
    found.from_left = offsets[found.first] < begin ? 1 : 0;
    found.to_right = offsets[found.last + 1] > end ? 1 : 0;
    return found;
}

#if !JOINS

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void reduce_segments(PARAMETERS OUTPUTS global ulong *partials, global const uint *restrict offsets,
                     global const uint *restrict cells, const INDEX length)
{
    local run_total room[SUBGROUPS];
    local uint heads[HEAD_WORDS];
    global ITEM *parts = (global ITEM *)partials;
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0), begin = tile * TILE;
    const bool full = length - begin >= TILE;

    ITEM items[OWN_ITEMS];
    if (full) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(tile * TILE_PACKS + me * PACKS + k), items + k * PACK);
    } else {
#pragma unroll
        for (uint j = 0; j < OWN_ITEMS; ++j)
            items[j] = LOAD(min(begin + me * OWN_ITEMS + j, length - 1));
    }
    const segments_of_tile segments = find_segments(offsets, cells, tile, length);

    for (uint k = me; k < HEAD_WORDS; k += GROUP)
        heads[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // In 64 bits: the numbers of segments reach to the end of uint.
    for (ulong s = (ulong)segments.first + 1 + me; s <= segments.last; s += GROUP) {
        const uint at = offsets[s] - (uint)begin;
        atomic_or(&heads[at / 32], 1u << at % 32);
    }
    // The items behind the last one are a run of their own.
    if (!full && me == 0)
        atomic_or(&heads[(uint)(length - begin) / 32], 1u << (uint)(length - begin) % 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint from = me * OWN_ITEMS, own_heads = heads[from / 32] >> from % 32;

    run_total own = { .value = items[0], .heads = own_heads & 1 };
#pragma unroll
    for (uint j = 1; j < OWN_ITEMS; ++j) {
        const bool head = own_heads >> j & 1;
        own.value = head ? items[j] : COMBINE(own.value, items[j]);
        own.heads += head ? 1 : 0;
    }
    const run_total scanned = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    const run_total below = carried_from_below(scanned, 1);
    const run_total total =
        scan_subgroups(ARGUMENTS carried_from_lane(scanned, SUB_GROUP_WIDTH - 1), room);

    if (own.heads > 0) {
        const run_total earlier = BELOW(room);
        run_total before = SUBGROUP_LANE > 0 ? below : earlier;
        if (SUBGROUP_LANE > 0 && OWN_SUBGROUP > 0)
            before = CARRY(earlier, below);
        uint run = segments.first + (me > 0 ? (uint)before.heads : 0);
        ITEM prefix = before.value;
#pragma unroll
        for (uint j = 0; j < OWN_ITEMS; ++j) {
            if (own_heads >> j & 1) {
                if (run == segments.first && segments.from_left)
                    LEFT(parts, tile) = prefix;
                else
                    STORE(run, prefix);
                ++run;
                prefix = items[j];
            } else {
                // The tile's first item has no item before it.
                prefix = me == 0 && j == 0 ? items[j] : COMBINE(prefix, items[j]);
            }
        }
    }
    if (full && me == GROUP - 1) {
        if (segments.first == segments.last && segments.from_left)
            LEFT(parts, tile) = total.value;
        else if (segments.to_right)
            RIGHT(parts, tile) = total.value;
        else
            STORE(segments.last, total.value);
    }
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_segments(PARAMETERS OUTPUTS global ulong *partials, global const uint *restrict offsets,
                     global const uint *restrict cells, const INDEX length)
{
    local ITEM shared[GROUP];
    global const ITEM *parts = (global const ITEM *)partials;
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0);
    const segments_of_tile segments = find_segments(offsets, cells, tile, length);
    const bool begins = segments.to_right && !(segments.from_left && segments.first == segments.last);
    const uint following = begins ? (uint)((offsets[segments.last + 1] - 1) / SPAN - tile) : 0;
    const uint each = (following + GROUP) / GROUP, busy = following / each + 1;
    const uint from = me * each;
    if (begins && me < busy) {
        ITEM total = from == 0 ? RIGHT(parts, tile) : LEFT(parts, tile + from);
#pragma unroll 4
        for (uint k = from + 1; k < min(from + each, following + 1); ++k)
            total = COMBINE(total, LEFT(parts, tile + k));
        shared[me] = total;
    }
    for (uint width = 1; width < GROUP; width *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (begins && me % (2 * width) == 0 && me + width < busy)
            shared[me] = COMBINE(shared[me], shared[me + width]);
    }
    if (begins && me == 0)
        STORE(segments.last, shared[0]);
    RETURN;
}

#endif
