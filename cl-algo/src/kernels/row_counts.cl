// Ranks of packs: the number of counted items before a pack. Uses subgroup.cl.

// The number of rows that are counted at once, in the bytes or halves of a word: a byte holds PACK for each lane,
// 255 at most.
#define ROWS_TOGETHER (SUB_GROUP_WIDTH * PACK < 256 ? 4 : 2)
#define PART_BITS (32 / ROWS_TOGETHER)
#define PART(word, k) ((word) >> (PART_BITS * (k)) & ((1u << PART_BITS) - 1))

// `counts` are those of this lane's packs, in `rows` rows. Replaces each by the number of counted items before the
// pack in its sub-group. Returns the number in the whole sub-group.
static inline uint rank_packs(uint *counts, const uint rows)
{
    uint all = 0;
#pragma unroll
    for (uint begin = 0; begin < rows; begin += ROWS_TOGETHER) {
        uint own = 0;
#pragma unroll
        for (uint k = begin; k < begin + ROWS_TOGETHER && k < rows; ++k)
            own |= counts[k] << (PART_BITS * (k - begin));
        uint scanned = own;
#pragma unroll
        for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2) {
            const uint below = word_from_below(scanned, distance);
            if (SUBGROUP_LANE >= distance)
                scanned += below;
        }
        const uint last = word_from_lane(scanned, SUB_GROUP_WIDTH - 1);
#pragma unroll
        for (uint k = begin; k < begin + ROWS_TOGETHER && k < rows; ++k) {
            counts[k] = all + PART(scanned - own, k - begin);
            all += PART(last, k - begin);
        }
    }
    return all;
}
