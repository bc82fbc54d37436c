// Sorts the items of a tile in local memory, stably. Each work-item sorts PACKS items in registers, by exchanges of
// neighbours. Then the sorted runs of the work-group are merged pairwise. Uses merge_agree.cl and merge_local.cl.

// Exchanges two items if the second one is less than the first; equal items keep their order.
#define ORDER(first, second)                       \
    {                                              \
        const A_ITEM left = first, right = second; \
        const bool swap = LESS(right, left);       \
        first = swap ? right : left;               \
        second = swap ? left : right;              \
    }

#if !CHUNKED

// Stores a work-item's items, as far as they exist, in local memory. In a full tile all items exist, so its loop
// has no comparison.
#define PUT_ITEMS(place, way)                          \
    if (whole) {                                       \
        _Pragma("unroll")                              \
        for (int k = 0; k < PACKS; ++k)                \
            shared[(place) + (way) * k] = item[k];     \
    } else {                                           \
        _Pragma("unroll")                              \
        for (int k = 0; k < PACKS; ++k)                \
            if (mine + k < count)                      \
                shared[(place) + (way) * k] = item[k]; \
    }

// Sorts the first `count` items of `shared`. If items are in segments, which the comparator keeps in their order,
// `longest` is the length of the longest segment, or more. As soon as a sorted run is twice as long, each segment lies
// in one run or in the neighbouring halves of two runs, so a merge of such halves is the last one. All work-items of
// the group call it, after a barrier, and a barrier ends it.
INLINE void sort_tile(PARAMETERS local A_ITEM *shared, local uint *cuts, local uint *disagree, const uint count,
                      const uint longest)
{
    const uint me = get_local_id(0), mine = me * PACKS;
    const bool whole = count == TILE_PACKS;
    A_ITEM item[PACKS];
    if (mine < count && mine + PACKS > count) {
        // Fewer than PACKS items are sorted by insertion: no other item could stand for the missing ones.
#pragma unroll 1
        for (uint k = mine + 1; k < count; ++k) {
            const A_ITEM inserted = shared[k];
            uint place = k;
#pragma unroll 1
            for (; place > mine && LESS(inserted, shared[place - 1]); --place)
                shared[place] = shared[place - 1];
            shared[place] = inserted;
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = shared[min(mine + k, count - 1)];
    } else if (mine < count) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = shared[mine + k];
        // The bounds of the loops are constants, because otherwise compilers keep the items in memory.
#pragma unroll
        for (uint round = 0; round < PACKS; round += 2) {
#pragma unroll
            for (uint k = 0; k + 1 < PACKS; k += 2)
                ORDER(item[k], item[k + 1])
            if (round + 1 < PACKS) {
#pragma unroll
                for (uint k = 1; k + 1 < PACKS; k += 2)
                    ORDER(item[k], item[k + 1])
            }
        }
    }

    bool is_last = false;
#pragma unroll 1
    for (uint runs = PACKS; runs < count && !is_last; runs *= 2) {
        is_last = runs >= 2 * PACKS && runs / 2 >= longest;
        // The first half of the first run has no partner in the last merge.
        const uint alone = is_last ? runs / 2 : 0, width = is_last ? runs / 2 : runs;
        const bool is_alone = mine < alone;
        const uint pair = min(is_alone ? 0 : alone + (mine - alone) / (2 * width) * (2 * width), count);
        const uint a_length = min(width, count - pair), b_length = is_alone ? 0 : min(width, count - pair - a_length);
        // The second run of each pair is stored backwards: see merge_local.cl.
        const bool backwards = mine >= pair + width;
        const int way = backwards ? -1 : 1;
        const int place = backwards ? 2 * pair + 2 * a_length + b_length - 1 - mine : mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        PUT_ITEMS(place, way)
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint diagonal = min(mine - pair, a_length + b_length);
        const uint first_alone = alone / PACKS, pairs = 2 * width / PACKS;
        const uint first = is_alone ? 0 : first_alone + (me - first_alone) / pairs * pairs;
        const uint span = is_alone ? first_alone : min(pairs, GROUP - first);
        merge_local(ARGUMENTS shared + pair, cuts, disagree, first, span, a_length, b_length, diagonal, item);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    PUT_ITEMS((int)mine, 1)
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
