// Merges all sorted tiles of its input in one launch, for few tiles: each item is stored at its rank. The rank is the
// item's index in its own tile plus, for each other tile, the number of the items that go before it. The merge is
// stable: of equal items, those of the first tiles come first. The comparator must be a strict weak order; otherwise
// two items could get one rank.
//
// A work-group has GROUP neighbouring items of a tile. It searches each other tile for the places of its first and its
// last item. Then each item searches between these places. Neighbouring work-items read almost the same items.
//
// Filled in: the input A; the comparator LESS. Values: WIDTH, the number of items of a tile, a multiple of GROUP;
// MOST_TILES, the largest number of tiles. ITEM_BYTES only affects the shape.

// The number of tiles that an item searches at once. With 4, 2^16 `u32` in 24 tiles take 21.8 us on an NVIDIA H200;
// with 8, 37.7; with 16, 25.1.
#define AT_ONCE 4

// Returns the number of items of a tile that go before `item`, an item of the tile `own`.
static inline uint count_before(PARAMETERS const A_ITEM item, const uint own, const uint tile, const INDEX length)
{
    const INDEX begin = (INDEX)tile * WIDTH;
    uint low = 0, high = tile == own ? 0 : (uint)min((INDEX)WIDTH, length - begin);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const A_ITEM other = A_LOAD(begin + middle);
        const bool is_before = tile < own ? !LESS(item, other) : LESS(other, item);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_ranks(PARAMETERS OUTPUTS const INDEX length)
{
    local uint lows[MOST_TILES], highs[MOST_TILES];
    const uint me = get_local_id(0);
    const INDEX begin = (INDEX)get_group_id(0) * GROUP, i = begin + me;
    const A_ITEM item = A_LOAD(min(i, length - 1));
    const uint own = (uint)(begin / WIDTH), tiles = (uint)((length + (WIDTH - 1)) / WIDTH);

    for (uint k = me; k < 2 * tiles; k += GROUP) {
        const bool is_last = k % 2;
        const A_ITEM end = A_LOAD(is_last ? min(begin + (GROUP - 1), length - 1) : begin);
        const uint count = count_before(ARGUMENTS end, own, k / 2, length);
        if (is_last)
            highs[k / 2] = count;
        else
            lows[k / 2] = count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    INDEX rank = i % WIDTH;
#pragma unroll 1
    for (uint first = 0; first < tiles; first += AT_ONCE) {
        uint before[AT_ONCE], high[AT_ONCE], most = 0;
#pragma unroll
        for (uint k = 0; k < AT_ONCE; ++k) {
            before[k] = first + k < tiles ? lows[first + k] : 0;
            high[k] = first + k < tiles ? highs[first + k] : 0;
            most = max(most, high[k] - before[k]);
        }
        // From the highest power of two that is not more than the longest range.
#pragma unroll 1
        for (uint step = most == 0 ? 0 : 1u << (31 - clz(most)); step > 0; step /= 2) {
#pragma unroll
            for (uint k = 0; k < AT_ONCE; ++k) {
                const uint at = before[k] + step;
                // In place of an item behind the range, another one is read, which changes nothing.
                const bool exists = at <= high[k];
                const A_ITEM other = A_LOAD(exists ? (INDEX)(first + k) * WIDTH + (at - 1) : begin);
                const bool is_before = first + k < own ? !LESS(item, other) : LESS(other, item);
                before[k] = exists && is_before ? at : before[k];
            }
        }
#pragma unroll
        for (uint k = 0; k < AT_ONCE; ++k)
            rank += before[k];
    }
    if (i < length)
        STORE(rank, item);
    RETURN;
}
