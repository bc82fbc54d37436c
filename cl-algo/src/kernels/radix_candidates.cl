// Counts the keys below and up to the two keys of a sample, and copies the items between them: the candidates of a
// selection by order. Uses radix_counts.cl; see radix_select.cl.
//
// Filled in: the input, of keys. Value: INDICES, 1 if candidates have indices and no lower bound: then nothing is compared
// with the lower key.

#if INDICES
#define KEEP_INDEX(place, i) indices[place] = (uint)(i)
#else
#define KEEP_INDEX(place, i)
#endif
// True if an item is a candidate.
#if INDICES
#define IS_INSIDE(item) (item < high)
#define COUNT_LOW(item)
#else
#define IS_INSIDE(item) (item < high && item > low)
#define COUNT_LOW(item)                      \
    below_low += item < low ? 1 : 0;         \
    up_to_low += item <= low ? 1 : 0;
#endif
#define COUNT_BOUNDS(item)                   \
    do {                                     \
        COUNT_LOW(item)                      \
        below_high += item < high ? 1 : 0;   \
        up_to_high += item <= high ? 1 : 0;  \
    } while (0)

#if CHUNKED

// The number of items that are counted before any of them is copied.
#define BLOCK 1024

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void radix_candidates(PARAMETERS global const ulong *numbers, volatile global uint *counts, global ITEM *keys,
#if INDICES
                  global uint *indices,
#endif
                  const uint room, const INDEX length)
{
    // One byte for each item, 1 or 0; `eight` has eight of them in a word.
    VOLATILE union {
        VOLATILE uchar flag[BLOCK];
        VOLATILE ulong eight[BLOCK / 8];
    } inside;
    const ITEM low = (ITEM)numbers[0], high = (ITEM)numbers[1];
    const INDEX end = CUT(length, get_group_id(0) + 1);
    uint all[4] = { 0, 0, 0, 0 };
    for (INDEX begin = CUT(length, get_group_id(0)); begin < end; begin += BLOCK) {
        const uint present = (uint)min((INDEX)BLOCK, end - begin);
        uint below_low = 0, up_to_low = 0, below_high = 0, up_to_high = 0;
        if (present == BLOCK) {
            for (uint k = 0; k < BLOCK; ++k) {
                const ITEM item = LOAD(begin + k);
                COUNT_BOUNDS(item);
                inside.flag[k] = IS_INSIDE(item) ? 1 : 0;
            }
        } else {
            for (uint k = 0; k < BLOCK; ++k) {
                inside.flag[k] = 0;
                if (k < present) {
                    const ITEM item = LOAD(begin + k);
                    COUNT_BOUNDS(item);
                    inside.flag[k] = IS_INSIDE(item) ? 1 : 0;
                }
            }
        }
        all[0] += below_low;
        all[1] += up_to_low;
        all[2] += below_high;
        all[3] += up_to_high;
        // If many items have the sample's keys, the lower one is not below the higher one.
        if (below_high <= up_to_low)
            continue;
        uint to = atomic_add(&counts[INSIDE_COUNT], below_high - up_to_low);
        for (uint first = 0; first < BLOCK; first += 64) {
            // One bit for each of 64 items.
            ulong left = 0;
            for (uint k = 0; k < 64; k += 8)
                left |= (inside.eight[(first + k) / 8] * 0x0102040810204080ul >> 56) << k;
            for (; left != 0; left &= left - 1) {
                const uint k = first + popcount((left & -left) - 1);
                if (to < room) {
                    keys[to] = LOAD(begin + k);
                    KEEP_INDEX(to, begin + k);
                }
                ++to;
            }
        }
    }
    for (uint bound = 0; bound < 4; ++bound)
        if (all[bound] > 0)
            atomic_add(&counts[BELOW_LOW + bound], all[bound]);
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_candidates(PARAMETERS global const ulong *numbers, volatile global uint *counts, global ITEM *keys,
#if INDICES
                  global uint *indices,
#endif
                  const uint room, const INDEX length)
{
    local uint found, base;
    local uint all[4];
    const uint me = get_local_id(0);
    const ITEM low = (ITEM)numbers[0], high = (ITEM)numbers[1];
    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    uint below_low = 0, up_to_low = 0, below_high = 0, up_to_high = 0;
    if (me == 0) {
        found = 0;
        for (uint bound = 0; bound < 4; ++bound)
            all[bound] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_EACH_TILE(tile, tiles) {
        VOLATILE union { VOLATILE PACK_ITEM pack; VOLATILE ITEM item[PACK]; } items[PACKS];
        uint inside = 0, to = 0;
        if (tile < full) {
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                items[k].pack = LOAD_PACK(tile * TILE_PACKS + (k * GROUP + me));
        } else {
            // Behind the last item, the last one is read again, and not counted.
            for (uint k = 0; k < PACKS; ++k)
                for (uint j = 0; j < PACK; ++j)
                    items[k].item[j] = LOAD(min((tile * TILE_PACKS + (k * GROUP + me)) * PACK + j, length - 1));
        }
#define EACH_ITEM(DO)                                                                      \
    _Pragma("unroll") for (uint k = 0; k < PACKS; ++k)                                     \
        _Pragma("unroll") for (uint j = 0; j < PACK; ++j) {                                \
            const INDEX i = (tile * TILE_PACKS + (k * GROUP + me)) * PACK + j;             \
            const ITEM item = items[k].item[j];                                            \
            if (i < length) {                                                              \
                DO                                                                         \
            }                                                                              \
        }
        EACH_ITEM(COUNT_BOUNDS(item); inside += IS_INSIDE(item) ? 1 : 0;)
        if (inside > 0)
            to = atomic_add(&found, inside);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint here = found;
        if (here > 0) {
            if (me == 0)
                base = atomic_add(&counts[INSIDE_COUNT], here);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (inside > 0) {
                to += base;
                EACH_ITEM(
                    if (IS_INSIDE(item)) {
                        if (to < room) {
                            keys[to] = item;
                            KEEP_INDEX(to, i);
                        }
                        ++to;
                    })
            }
            if (me == 0)
                found = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    atomic_add(&all[0], below_low);
    atomic_add(&all[1], up_to_low);
    atomic_add(&all[2], below_high);
    atomic_add(&all[3], up_to_high);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bound = me; bound < 4; bound += GROUP) {
        if (all[bound] > 0)
            atomic_add(&counts[BELOW_LOW + bound], all[bound]);
    }
    RETURN;
}

#endif
