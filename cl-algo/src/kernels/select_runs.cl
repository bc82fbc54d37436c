// Stream compaction in one launch, for devices that give each work-item a contiguous chunk. Filled in as in
// select.cl. Uses look_back.cl and kept.cl.
//
// A work-item finds the items of its tile that are kept, looks back to learn their positions in the output, and
// moves them there while the tile is in its caches: memory is read once. If REJECTS is 2, a first launch, whose
// `pass` is 0, counts the kept items. Both launches use the same code, because another kernel may round the
// condition differently.

// The number of items of a block. For each block, the number of its kept items decides how the items are moved. If
// all or hardly any of them are kept, few instructions are needed. Compilers vectorise the condition of a block.
#define BLOCK 64
#define BLOCKS ((TILE_PACKS + BLOCK - 1) / BLOCK)
// The number of kept items of a block up to which they are found one after the other. In other blocks each item is
// stored, kept or not.
#define FEW 4

#if REJECTS == 2
#define REJECT_STORE STORE
#endif

// Stores an item at the next position of its output. `flag` is 1 if the item is kept, otherwise 0. An item that is
// not kept is stored, too, and overwritten by the next kept item, so no branch has to be predicted. Nothing is
// stored behind the tile's last position, because later positions may belong to another tile. IS_FAR is true if a
// whole block fits before that position, so that no comparison is needed. The variables in arguments that PLACE
// does not use need not be declared.
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
// Each item has a position of its own.
#define IS_FAR true
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        STORE(flag ? to : reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#endif

// The number of kept items of a whole tile.
static inline INDEX tile_total(PARAMETERS const INDEX tile, local INDEX *room)
{
    INDEX kept = 0;
    for (INDEX i = tile * TILE; i < (tile + 1) * TILE; ++i)
        kept += IS_KEPT(i, LOAD(i)) ? 1 : 0;
    return kept;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                 volatile global uint *tickets, const uint epoch, const INDEX length, global ulong *count
#if REJECTS == 2
                 , const uint pass
#endif
                 )
{
    // One byte for each item, 1 or 0; `eight` has eight of them in a word.
    VOLATILE union {
        VOLATILE uchar flag[BLOCKS * BLOCK];
        VOLATILE ulong eight[BLOCKS * BLOCK / 8];
    } kept;
    local INDEX room[1];
    local tile_message shared;
    const INDEX tile = TAKE_TILE(tickets, shared.missing), begin = tile * TILE;
    const uint present = (uint)min((INDEX)TILE, length - begin);

    // Item 0 has no item before it to be compared with.
    const uint first = begin == 0 ? 1 : 0;
    uint total = 0;
    if (begin == 0) {
        total = IS_KEPT(0, LOAD(0)) ? 1 : 0;
        kept.flag[0] = total;
    }
    for (uint k = first; k < present; ++k) {
        const uchar flag = IS_KEPT_AFTER(LOAD(begin + k - 1), LOAD(begin + k)) ? 1 : 0;
        kept.flag[k] = flag;
        total += flag;
    }
    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);

    INDEX to = tile > 0 ? shared.before : 0;
    const INDEX last = to + total;
#if REJECTS == 2
    if (pass == 0) {
        if (begin + present == length)
            *count = last;
        RETURN;
    }
#else
    if (begin + present == length)
        *count = last;
#endif
#if REJECTS
    INDEX reject = begin - to + (REJECTS == 2 ? (INDEX)*count : 0);
    const INDEX last_reject = reject + (present - total);
#endif
    // Whatever the condition returns, and however often it is evaluated, nothing is stored where there is no room.
    bool fits = last <= length;
#if REJECTS
    fits = fits && reject <= length && present - total <= length - reject;
#endif
    if (!fits) {
        RETURN;
    }
    for (uint b = 0; b < present; b += BLOCK) {
        if (present - b >= BLOCK) {
            ulong sums = 0;
            for (uint k = 0; k < BLOCK / 8; ++k)
                sums += kept.eight[b / 8 + k];
            const uint here = (uint)(sums * 0x0101010101010101ul >> 56);
            if (here == BLOCK) {
                for (uint k = 0; k < BLOCK; ++k)
                    STORE(to + k, LOAD(begin + b + k));
                to += BLOCK;
                continue;
            }
#if REJECTS
            if (here == 0) {
                for (uint k = 0; k < BLOCK; ++k)
                    REJECT_STORE(reject + k, LOAD(begin + b + k));
                reject += BLOCK;
                continue;
            }
#else
            if (here <= FEW) {
                for (uint k = 0; here > 0 && k < BLOCK / 8; ++k) {
                    for (ulong left = kept.eight[b / 8 + k]; left != 0; left &= left - 1)
                        STORE(to++, LOAD(begin + b + 8 * k + popcount((left & -left) - 1) / 8));
                }
                continue;
            }
#endif
            if (IS_FAR) {
                ITEM items[BLOCK];
                for (uint k = 0; k < BLOCK; ++k)
                    items[k] = LOAD(begin + b + k);
#pragma unroll 8
                for (uint k = 0; k < BLOCK; ++k)
                    PLACE(kept.flag[b + k], items[k], true, true);
                continue;
            }
        }
        for (uint k = b; k < min(b + BLOCK, present); ++k) {
            const ITEM item = LOAD(begin + k);
            PLACE(kept.flag[k], item, to < last, reject < last_reject);
        }
    }
    RETURN;
}
