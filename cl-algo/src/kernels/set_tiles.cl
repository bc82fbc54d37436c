// Set operations on two sorted sequences in one launch, after set_cuts.cl has cut the sequences into tiles.
// Uses set_path.cl, group_scan.cl and look_back.cl.
//
// A work-group loads a tile into local memory and cuts it into pieces. Each work-item goes through one piece,
// of PACKS + 1 items at most, and marks the items to store. They are compacted in local memory and written as
// one contiguous range, whose begin the group learns by look-back.
//
// Filled in: as in set_path.cl; the input CUT, two cuts for each tile and two for the end; the output. The
// kernel stores *count. No more than `limit` items are stored.

#define A_IN_TILE(i) shared[i]
#define B_IN_TILE(j) shared[a_length + (j)]
#define SEQUENCES_IN_TILE local const A_ITEM *restrict shared,
DEFINE_BALANCED_CUT(balanced_local, uint, SEQUENCES_IN_TILE, A_IN_TILE, B_IN_TILE, 2)
// Finds the same cuts of a tile in memory, also of items that are not sorted.
DEFINE_BALANCED_CUT(balanced_halves, INDEX, SEQUENCES_IN_MEMORY, A_IN_MEMORY, B_IN_MEMORY, 2)

// A tile has one item more than TILE_PACKS if two partners lie on both sides of the end.
#define ROOM (TILE_PACKS + 1)

// A tile's items: `a` and `b` begin in the sequences.
typedef VOLATILE struct {
    VOLATILE INDEX a, b;
    VOLATILE uint a_length, b_length;
} set_tile;

static inline set_tile tile_at(PARAMETERS const INDEX tile)
{
    const INDEX a = CUT_LOAD(2 * tile), b = CUT_LOAD(2 * tile + 1);
    const INDEX a_end = CUT_LOAD(2 * tile + 2), b_end = CUT_LOAD(2 * tile + 3);
    // The bounds matter only if the cuts contradict each other.
    const uint a_length = (uint)min((INDEX)ROOM, max(a_end, a) - a);
    const uint b_length = (uint)min((INDEX)(ROOM - a_length), max(b_end, b) - b);
    const set_tile whole = { a, b, a_length, b_length };
    return whole;
}

static inline INDEX tile_total(PARAMETERS const INDEX tile, local INDEX *room)
{
    const uint me = get_local_id(0);
    const set_tile whole = tile_at(ARGUMENTS tile);
    const INDEX length = whole.a_length + whole.b_length;
    INDEX j, j_end;
    const INDEX i = balanced_halves_cut(ARGUMENTS whole.a, whole.b, whole.a_length, whole.b_length,
                                        min((INDEX)(me * PACKS), length), &j);
    INDEX i_end = whole.a_length;
    j_end = whole.b_length;
    if (me + 1 < GROUP)
        i_end = balanced_halves_cut(ARGUMENTS whole.a, whole.b, whole.a_length, whole.b_length,
                                    min((INDEX)((me + 1) * PACKS), length), &j_end);
    const INDEX own = count_kept(ARGUMENTS whole.a + i, whole.a + max(i, i_end), whole.b + j,
                                 whole.b + max(j, j_end), PACKS + 1);
    const INDEX scanned = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    barrier(CLK_LOCAL_MEM_FENCE);
    return min((INDEX)ROOM,
               scan_subgroups(ARGUMENTS carried_from_lane(scanned, SUB_GROUP_WIDTH - 1), room));
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void set_tiles(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
               volatile global uint *tickets, const uint epoch, const INDEX tiles, const INDEX limit,
               global ulong *count)
{
    // Behind the last item each work-item has room for one that is not used.
    local A_ITEM shared[ROOM + GROUP];
    local uint a_cuts[GROUP], b_cuts[GROUP];
    local INDEX room[SUBGROUPS];
    local tile_message message;
    const uint me = get_local_id(0);
    const INDEX tile = TAKE_TILE(tickets, message.missing);
    const set_tile whole = tile_at(ARGUMENTS tile);
    const uint a_length = whole.a_length, b_length = whole.b_length, length = a_length + b_length;

    A_ITEM item[PACKS + 1];
    // All loads of a whole tile are in flight before the first item is stored.
    if (length >= TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const uint at = k * GROUP + me;
            if (at < a_length)
                item[k] = A_LOAD(whole.a + at);
            else
                item[k] = B_LOAD(whole.b + (at - a_length));
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
        if (me == 0 && length > TILE_PACKS) {
            if (b_length > 0)
                shared[TILE_PACKS] = B_LOAD(whole.b + (b_length - 1));
            else
                shared[TILE_PACKS] = A_LOAD(whole.a + (a_length - 1));
        }
    } else {
#pragma unroll 1
        for (uint at = me; at < length; at += GROUP) {
            if (at < a_length)
                shared[at] = A_LOAD(whole.a + at);
            else
                shared[at] = B_LOAD(whole.b + (at - a_length));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint j;
    const uint i = balanced_local_cut(ARGUMENTS shared, a_length, b_length, min(me * PACKS, length), &j);
    a_cuts[me] = i;
    b_cuts[me] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool is_last = me == GROUP - 1;
    const uint i_end = is_last ? a_length : a_cuts[is_last ? me : me + 1];
    const uint j_end = is_last ? b_length : b_cuts[is_last ? me : me + 1];
    uint p = i, q = a_length + j, flags = 0;
    const uint p_end = i_end, q_end = a_length + j_end;
    // Behind the last item of a sequence, some other item is read, and not used.
    A_ITEM a = shared[p], b = shared[q];
#pragma unroll
    for (uint k = 0; k <= PACKS; ++k) {
        const bool has_a = p < p_end, has_b = q < q_end;
        // An item is taken even if each one is before the other.
        const bool take_a = has_a & !(has_b & LESS(b, a)), take_b = has_b & !(take_a & LESS(a, b));
        const bool is_kept = (FIRST & take_a & !take_b) | (SECOND & take_b & !take_a) | (BOTH & take_a & take_b);
        flags |= is_kept ? 1u << k : 0;
        item[k] = SECOND && !take_a ? b : a;
        if (take_a)
            a = shared[++p];
        if (take_b)
            b = shared[++q];
    }

    const INDEX own = popcount(flags), scanned = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    // The barriers in here are also those between the last read of `shared` and the first write below.
    // Pieces of contradictory cuts may keep more items than there is room for. Those are dropped.
    const INDEX all = min(
        (INDEX)ROOM, scan_subgroups(ARGUMENTS carried_from_lane(scanned, SUB_GROUP_WIDTH - 1), room));
    uint to = (uint)(scanned - own + (OWN_SUBGROUP > 0 ? BELOW(room) : 0));
#if FIRST && SECOND && BOTH
    // Each step keeps an item, until all are taken.
#pragma unroll
    for (uint k = 0; k <= PACKS; ++k)
        if (k < own && to + k < ROOM)
            shared[to + k] = item[k];
#else
#pragma unroll
    for (uint k = 0; k <= PACKS; ++k) {
        const uint is_kept = (flags >> k & 1) & (to < ROOM);
        shared[is_kept ? to : ROOM + me] = item[k];
        to += is_kept;
    }
#endif
    tell_total(totals, tile, all, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, all, epoch, &message))
        compute_missing(ARGUMENTS totals, epoch, &message, room);
    const INDEX before = tile > 0 ? message.before : 0;
    if (me == 0 && tile + 1 == tiles)
        *count = before + all;
    for (INDEX k = me; k < all && before + k < limit; k += GROUP)
        STORE(before + k, shared[k]);
    RETURN;
}
