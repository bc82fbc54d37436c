// Stream compaction in one launch: the items that are kept, in their order, and on request the rejected ones.
// Uses subgroup.cl, group_scan.cl, look_back.cl, row_counts.cl and kept.cl.
//
// Filled in: the input; the operator of kept.cl; the output; the output REJECT if REJECTS is 1. If REJECTS is 2,
// rejected items follow all kept items in the same output, and *count, the number of kept items, is given before
// the launch. Otherwise the kernel stores *count.
//
// Each tile ranks its items, compacts them in local memory and writes them as one contiguous range.

#if REJECTS == 2
#define REJECT_STORE STORE
#endif

// The items of pack p that are kept, one bit each.
static inline uint kept_of(PARAMETERS const INDEX p, const ITEM *items)
{
    uint flags = IS_KEPT(p * PACK, items[0]) ? 1 : 0;
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        flags |= IS_KEPT_AFTER(items[j - 1], items[j]) ? 1u << j : 0;
    return flags;
}

// The number of kept items of the tile.
static inline INDEX tile_total(PARAMETERS const INDEX tile, local INDEX *room)
{
    uint kept = 0;
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = tile * TILE_PACKS + ROW_PLACE(k);
        ITEM items[PACK];
        // A work-group computes this only for an earlier tile than its own, so the tile is complete.
        UNPACK(LOAD_PACK(p), items);
        uint count = popcount(kept_of(ARGUMENTS p, items));
        kept += rank_packs(&count, 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_subgroups(ARGUMENTS kept, room);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void select_items(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                  volatile global uint *tickets, const uint epoch, const INDEX length, global ulong *count)
{
    local ITEM sorted[TILE_PACKS * PACK];
    local INDEX room[SUBGROUPS];
    local tile_message shared;
    const uint me = get_local_id(0);
    const INDEX tile = TAKE_TILE(tickets, shared.missing);
    // 64 bits, so that packs are at fixed distances from one address.
    const size_t first = tile * TILE_PACKS + ROW_PLACE(0);
    const uint present = (uint)min((INDEX)TILE, length - tile * TILE);

    ITEM items[PACKS][PACK];
    uint flags[PACKS], rank[PACKS];
    if (present == TILE) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(first + k * SUB_GROUP_WIDTH), items[k]);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            flags[k] = kept_of(ARGUMENTS first + k * SUB_GROUP_WIDTH, items[k]);
    } else {
        // Behind the end of the input, other items are read again, and not kept. Instead of a pack behind the
        // last whole pack, that whole pack is read again. In an incomplete pack, the last item is repeated.
        const INDEX whole = length / PACK;
        if (whole > 0) {
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                UNPACK(LOAD_PACK(min((INDEX)first + k * SUB_GROUP_WIDTH, whole - 1)), items[k]);
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const INDEX p = first + k * SUB_GROUP_WIDTH;
            if (p == whole || whole == 0) {
#pragma unroll
                for (uint j = 0; j < PACK; ++j)
                    items[k][j] = LOAD(min(p * PACK + j, length - 1));
            }
            const uint here = p < whole ? PACK : p == whole ? (uint)(length % PACK) : 0;
            flags[k] = kept_of(ARGUMENTS min(p, whole), items[k]) & ((1u << here) - 1);
        }
        STAY_APART();
    }

    // The rank of each pack's first kept item among the kept items of the sub-group.
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        rank[k] = popcount(flags[k]);
    const uint kept = rank_packs(rank, PACKS);
    const uint all = (uint)scan_subgroups(ARGUMENTS kept, room);
    const uint lower = OWN_SUBGROUP > 0 ? (uint)BELOW(room) : 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        uint to = lower + rank[k];
        const uint place = ROW_PLACE(k) * PACK;
#pragma unroll
        for (uint j = 0; j < PACK; ++j) {
            if (flags[k] >> j & 1)
                sorted[to++] = items[k][j];
#if REJECTS
            else if (place + j < present)
                sorted[all + place + j - to] = items[k][j];
#endif
        }
    }
    tell_total(totals, tile, all, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, all, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    const INDEX before = tile > 0 ? shared.before : 0;
#if REJECTS < 2
    if (me == 0 && (tile + 1) * TILE >= length)
        *count = before + all;
#endif
    for (uint i = me; i < all; i += GROUP)
        STORE(before + i, sorted[i]);
#if REJECTS
    const INDEX rejected = tile * TILE - before + (REJECTS == 2 ? (INDEX)*count : 0);
    // If *count is given, the kernel that counted may have rounded the condition differently. So nothing is
    // stored behind the end.
    for (uint i = me; i < present - all && (REJECTS < 2 || rejected + i < length); i += GROUP)
        REJECT_STORE(rejected + i, sorted[all + i]);
#endif
    RETURN;
}
