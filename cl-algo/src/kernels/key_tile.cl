// A tile of items with keys: loads it, finds its heads, and scans its rows of packs across the lanes of a
// sub-group. Uses key_runs.cl, subgroup.cl, group_scan.cl and, if runs are counted, row_counts.cl.
//
// Heads are bits, PACK for each row. A vote tells which lanes have a head in a row. So lanes need not exchange
// heads, only values: a lane combines the values of the lanes below it as far as the nearest head.
//
// Values: COUNTS_RUNS. If it is 1, run_total.heads is a count, and the index behind the last item counts as a head,
// too. If it is 0, run_total.heads is only zero or nonzero.

// The number of packs whose heads are in one word, and the number of words for all packs.
#define HEAD_PACKS (32 / PACK)
#define HEAD_WORDS ((PACKS + HEAD_PACKS - 1) / HEAD_PACKS)
#define HEADS(heads, k) ((heads)[(k) / HEAD_PACKS] >> ((k) % HEAD_PACKS * PACK) & ((1u << PACK) - 1))

EXCHANGED(KEY_ITEM, key)
EXCHANGED(ITEM, item)

// The key before this sub-group's first key in a tile; any key if the sub-group's first key is the first of all.
static inline KEY_ITEM key_before(PARAMETERS const INDEX tile, const INDEX length)
{
    const INDEX first = (tile * TILE_PACKS + OWN_SUBGROUP * (SUB_GROUP_WIDTH * PACKS)) * PACK;
    return KEY_LOAD(first == 0 ? 0 : min(first, length) - 1);
}

// The heads of pack p. `before` is the key before the row, and afterwards the key before the next row. Both matter
// in lane 0 only.
static inline uint heads_of_pack(PARAMETERS const INDEX p, const KEY_ITEM *keys, KEY_ITEM *before)
{
    const uint lane = SUBGROUP_LANE;
    const KEY_ITEM below = key_from_lane(keys[PACK - 1], (lane + SUB_GROUP_WIDTH - 1) % SUB_GROUP_WIDTH);
    uint heads = p == 0 || !SAME(lane > 0 ? below : *before, keys[0]) ? 1 : 0;
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        heads |= SAME(keys[j - 1], keys[j]) ? 0 : 1u << j;
    *before = below;
    return heads;
}

// Removes the heads behind the last item, and adds the head at the end if COUNTS_RUNS.
static inline uint cut_heads(const uint heads, const INDEX begin, const INDEX length)
{
    if (begin + PACK <= length)
        return heads;
    const uint present = begin < length ? (uint)(length - begin) : 0;
    const uint end = COUNTS_RUNS && begin <= length ? 1u << present : 0;
    return (heads & ((1u << present) - 1)) | end;
}

// Loads the items of this work-item and finds the heads among them. Items behind the last one are arbitrary.
static inline void load_tile(PARAMETERS const INDEX tile, const INDEX length, KEY_ITEM (*keys)[PACK],
                             ITEM (*items)[PACK], uint *heads)
{
    const INDEX first = tile * TILE_PACKS + ROW_PLACE(0);
    const bool whole = (tile + 1) * TILE <= length;
    KEY_ITEM before = key_before(ARGUMENTS tile, length);
    if (whole) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            KEY_UNPACK(KEY_LOAD_PACK(first + k * SUB_GROUP_WIDTH), keys[k]);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(first + k * SUB_GROUP_WIDTH), items[k]);
    } else {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
#pragma unroll
            for (uint j = 0; j < PACK; ++j) {
                const INDEX i = min((first + k * SUB_GROUP_WIDTH) * PACK + j, length - 1);
                keys[k][j] = KEY_LOAD(i);
                items[k][j] = LOAD(i);
            }
        }
    }
#pragma unroll
    for (uint w = 0; w < HEAD_WORDS; ++w)
        heads[w] = 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = first + k * SUB_GROUP_WIDTH;
        const uint all = heads_of_pack(ARGUMENTS p, keys[k], &before);
        heads[k / HEAD_PACKS] |= (whole ? all : cut_heads(all, p * PACK, length)) << (k % HEAD_PACKS * PACK);
    }
}

// The value of a pack's last run, as far as it lies in the pack.
static inline ITEM value_of_pack(PARAMETERS const ITEM *items, const uint heads)
{
    ITEM value = first_value(ARGUMENTS heads & 1, items[0]);
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        value = next_value(ARGUMENTS heads >> j & 1, value, items[j]);
    return value;
}

// Combines the value of each pack, in `rows` rows, with those of the packs before it in the row. `lanes` are the
// lanes that have heads.
static inline void scan_rows(PARAMETERS ITEM *row, const lane_mask *lanes, const uint rows)
{
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2) {
#pragma unroll
        for (uint k = 0; k < rows; ++k) {
            const uint nearest = LAST_LANE((lanes[k] & LANES_UP_TO(SUBGROUP_LANE)) | 1);
            const ITEM below = item_from_below(row[k], distance);
            if (SUBGROUP_LANE >= nearest + distance)
                row[k] = COMBINE(below, row[k]);
        }
    }
}

// Computes, from the heads and items of a work-item, the values before each pack in its sub-group: `row` has a
// value for each row, and `open` has a bit for each row before which no run has begun. Returns the total of the
// whole sub-group.
static inline run_total scan_subgroup(PARAMETERS const uint *heads, ITEM (*items)[PACK], ITEM *row, uint *open)
{
    const uint lane = SUBGROUP_LANE;
    lane_mask lanes[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        row[k] = value_of_pack(ARGUMENTS items[k], HEADS(heads, k));
        lanes[k] = VOTE(HEADS(heads, k) != 0);
    }
    scan_rows(ARGUMENTS row, lanes, PACKS);
    run_total carry;
    *open = 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const ITEM value = item_from_lane(row[k], SUB_GROUP_WIDTH - 1), below = item_from_below(row[k], 1);
        const bool begun = (lanes[k] & LANES_BELOW(lane)) != 0;
        if (k == 0) {
            *open |= begun ? 0 : 1;
            row[k] = below; // undefined in lane 0
            carry.value = value;
            carry.heads = lanes[k] != 0;
        } else {
            *open |= begun || carry.heads > 0 ? 0 : 1u << k;
            row[k] = lane == 0 ? carry.value : begun ? below : COMBINE(carry.value, below);
            carry.value = lanes[k] != 0 ? value : COMBINE(carry.value, value);
            carry.heads += lanes[k] != 0;
        }
    }
    return carry;
}

// A tile's total is seldom computed for another tile. Inlined, this function would cost every work-item 16 of
// NVIDIA's registers.
#if SUB_GROUPS == 1
#define SELDOM __attribute__((noinline))
#else
#define SELDOM
#endif

// The total of a tile, equal to the one that the tile itself computes, with few registers.
SELDOM static inline run_total tile_total(PARAMETERS const INDEX tile, local run_total *room)
{
    // Only tiles before another one are computed for others, so they are complete.
    KEY_ITEM before = key_before(ARGUMENTS tile, (tile + 1) * TILE);
    run_total carry, below;
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = tile * TILE_PACKS + ROW_PLACE(k);
        KEY_ITEM keys[PACK];
        ITEM items[PACK];
        KEY_UNPACK(KEY_LOAD_PACK(p), keys);
        UNPACK(LOAD_PACK(p), items);
        const uint heads = heads_of_pack(ARGUMENTS p, keys, &before);
        const lane_mask lanes = VOTE(heads != 0);
        // An array: Mesa 22 crashes when the address of a struct is taken that is an array's item elsewhere.
        ITEM row[1] = {value_of_pack(ARGUMENTS items, heads)};
        scan_rows(ARGUMENTS row, &lanes, 1);
        const ITEM value = item_from_lane(row[0], SUB_GROUP_WIDTH - 1);
        carry.value = k == 0 || lanes != 0 ? value : COMBINE(carry.value, value);
#if COUNTS_RUNS
        uint count = popcount(heads);
        count = rank_packs(&count, 1);
#else
        const uint count = lanes != 0;
#endif
        carry.heads = k == 0 ? count : carry.heads + count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_subgroups(ARGUMENTS carry, room);
}
