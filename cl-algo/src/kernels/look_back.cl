// Decoupled look-back (D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016),
// in two levels, so that floats give the same bits whatever the timing.
//
// Tile t publishes its total; SUB_GROUP_WIDTH tiles make a block. Within a block, a sub-group scans the totals by
// a fixed tree. The last tile of a block publishes the block's total. Once it knows the combined totals of the
// blocks before, it publishes the prefix up to the block's end. Prefixes of blocks are always combined as one
// chain, ((B0 B1) B2) ..., from whichever prefix a reader begins.
//
// A message is its value in words of 32 bits, each beside a flag in one word of 64 bits. So no fence is needed,
// and values of any size are read completely: a reader reads again until all flags agree. A flag is the launch's
// epoch plus the kind of the message. Flags of earlier launches are older, so nothing has to be cleared.
//
// No work-group waits for ever (T. Smith, R. Levien, J. D. Owens, "Decoupled Fallback", 2025): a group that has
// looked SPINS times in vain computes the missing total itself, and publishes it in place of its owner. Both
// publish the same bits.
//
// Given by the template: CARRIED, the type; CARRY(a, b), the operator; tile_total(ARGUMENTS tile, room), which all
// work-items of a group compute together, with the result in sub-group 0. Given by the host: SPINS; IN_PLACE, 1 if
// tiles overwrite the items that their totals were computed from; STALLED, -1, or in tests a tile that never
// publishes its total. In place, that tile publishes its total only just before it overwrites the items. Uses
// subgroup.cl.

#define WORDS ((sizeof(CARRIED) + 3) / 4)
#define IN_TWOS (WORDS % 2 == 0)
#define TOTAL 1u
#define PREFIX 2u

// In place, a tile publishes its total before it overwrites anything.
#if !IN_PLACE
#define PUBLISHED()
#elif SUB_GROUPS == 1
#define PUBLISHED() asm volatile("membar.gl;" ::: "memory")
#else
#define PUBLISHED() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

static inline CARRIED tile_total(PARAMETERS const INDEX tile, local CARRIED *room);

static inline void publish(volatile global ulong *messages, const INDEX at, const uint flag,
                           const CARRIED value)
{
    const carried_words words = { .value = value };
    volatile global ulong *message = messages + at * WORDS;
    ulong word[WORDS];
#pragma unroll
    for (uint k = 0; k < WORDS; ++k)
        word[k] = (ulong)flag << 32 | words.word[k];
#pragma unroll
    for (uint k = 0; k < WORDS; k += IN_TWOS ? 2 : 1) {
        if (IN_TWOS)
            WRITE_MESSAGES(message + k, word[k], word[k + IN_TWOS]);
        else
            WRITE_MESSAGE(message + k, word[k]);
    }
}

// Returns the kind of a message and reads its value; 0 if it is not complete yet.
static inline uint peek(volatile global ulong *messages, const INDEX at, const uint epoch, CARRIED *value)
{
    volatile global ulong *message = messages + at * WORDS;
    carried_words words;
    uint flag = 0;
    bool whole = true;
    ulong word[WORDS];
#pragma unroll
    for (uint k = 0; k < WORDS; k += IN_TWOS ? 2 : 1) {
        if (IN_TWOS) {
            const ulong2 both = READ_MESSAGES(message + k);
            word[k] = both.x;
            word[k + IN_TWOS] = both.y;
        } else {
            word[k] = READ_MESSAGE(message + k);
        }
    }
#pragma unroll
    for (uint k = 0; k < WORDS; ++k) {
        words.word[k] = (uint)word[k];
        whole = whole && (k == 0 || (uint)(word[k] >> 32) == flag);
        flag = (uint)(word[k] >> 32);
    }
    *value = words.value;
    return whole && flag > epoch ? flag - epoch : 0;
}

// Values that sub-group 0 passes to its group.
typedef VOLATILE struct {
    VOLATILE CARRIED before;
    VOLATILE INDEX missing;
    VOLATILE uint known;
} tile_message;

// Computes the prefix before `block` from the nearest block with a prefix, further back than a sub-group can see
// at once. Returns false if a total in between is unknown.
static inline bool follow_chain(PARAMETERS volatile global ulong *blocks, const INDEX block, const uint epoch,
                                CARRIED *before)
{
    INDEX at = block - SUB_GROUP_WIDTH;
    CARRIED chain = *before, next;
    uint state = TOTAL;
    while (at > 0 && state == TOTAL)
        state = peek(blocks, --at, epoch, &chain);
    if (state != PREFIX)
        return false;
#pragma unroll 1
    for (++at; at < block; ++at) {
        // It was there a moment ago, but may be changing from a total to a prefix, word by word.
        state = peek(blocks, at, epoch, &next);
        if (state == 0)
            return false;
        chain = state == PREFIX ? next : CARRY(chain, next);
    }
    *before = chain;
    return true;
}

// Publishes the total of a block in place of its last tile. Returns true if a tile's total is missing: *missing.
static inline bool complete_block(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                                  const INDEX block, const uint epoch, INDEX *missing)
{
    CARRIED own, told;
    const lane_mask absent = VOTE(peek(totals, block * SUB_GROUP_WIDTH + SUBGROUP_LANE, epoch, &own) == 0);
    if (absent != 0) {
        *missing = block * SUB_GROUP_WIDTH + FIRST_LANE(absent);
        return true;
    }
    const CARRIED all = carried_from_lane(scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH), SUB_GROUP_WIDTH - 1);
    if (SUBGROUP_LANE == 0 && peek(blocks, block, epoch, &told) == 0)
        publish(blocks, block, epoch + (block == 0 ? PREFIX : TOTAL), all);
    return false;
}

// Looks for the combined totals of the tiles before `tile`. Returns true once they are known. Then *within is the
// total of the tiles before it in its block, if it is not the block's first; and *before is the prefix before the
// block, if it is not the first block. Returns false if the group should compute the total of tile *missing, which
// is late. The whole sub-group 0 calls it.
//
// All registers of the group's items stay in use meanwhile, so there are few variables here.
static inline bool look_back(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                             const INDEX tile, const CARRIED total, const uint epoch, CARRIED *within,
                             CARRIED *before, INDEX *missing)
{
    const uint lane = SUBGROUP_LANE, place = (uint)(tile % SUB_GROUP_WIDTH);
    const INDEX block = tile / SUB_GROUP_WIDTH;
    // Each lane looks at one tile of this block, and at one block before it. `own` is first the total of the lane's
    // tile. Once all totals of the block are there, it is the total of the tiles up to the lane's. `told` is first
    // the message of the lane's block. Once has_before is true, it is the prefix before this block.
    CARRIED own = total, told = total;
    bool here = lane >= place, has_within = false, has_before = block == 0;
    uint state = 0;
    for (uint spins = 0;; ++spins) {
        // Both levels in one round, because each look takes a full memory latency.
        CARRIED heard;
        if (!here && peek(totals, tile - place + lane, epoch, &heard) == TOTAL) {
            own = heard;
            here = true;
        }
        if (!has_before && state != PREFIX && lane < block)
            state = peek(blocks, block - 1 - lane, epoch, &told);

        const lane_mask absent = VOTE(!here);
        if (!has_within && absent == 0) {
            own = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
            has_within = true;
            if (place == SUB_GROUP_WIDTH - 1 && block > 0 && lane == place)
                publish(blocks, block, epoch + TOTAL, own);
        }
        const lane_mask prefixes = VOTE(state == PREFIX), unknown = VOTE(state == 0 && lane < block);
        if (!has_before) {
            // The nearest prefix, and all totals between it and this block.
            const lane_mask nearest = prefixes & -prefixes;
            if (prefixes != 0 && (unknown & (nearest - 1)) == 0) {
                uint k = FIRST_LANE(prefixes);
                CARRIED chain = carried_from_lane(told, k);
                while (k > 0)
                    chain = CARRY(chain, carried_from_lane(told, --k));
                told = chain;
                has_before = true;
            } else if (prefixes == 0 && unknown == 0 && block > SUB_GROUP_WIDTH) {
                CARRIED chain = told;
                // Lanes may have read different messages.
                if ((VOTE(follow_chain(ARGUMENTS blocks, block, epoch, &chain)) & 1) != 0) {
                    told = carried_from_lane(chain, 0);
                    has_before = true;
                }
            }
        }
        if (has_within && has_before)
            break;
        if (spins >= SPINS) {
            if (!has_within) {
                *missing = tile - place + FIRST_LANE(absent);
                return false;
            }
            // All totals of a block may be there, and only its last tile has not combined them yet.
            const INDEX late = block - 1 - FIRST_LANE(unknown);
            if (unknown != 0 && complete_block(ARGUMENTS totals, blocks, late, epoch, missing))
                return false;
            spins = 0;
        }
    }
    *before = told;
    *within = carried_from_lane(own, place - 1);
    if (place == SUB_GROUP_WIDTH - 1 && lane == place)
        publish(blocks, block, epoch + PREFIX, block > 0 ? CARRY(told, own) : own);
    return true;
}

// Publishes the total of a tile.
static inline void tell_total(volatile global ulong *totals, const INDEX tile, const CARRIED total,
                              const uint epoch)
{
    if (get_local_id(0) == 0 && tile != (INDEX)(STALLED)) {
        publish(totals, tile, epoch + TOTAL, total);
        PUBLISHED();
    }
}

// Looks for the combined totals of the tiles before `tile`: shared->before, if there are any. Returns false if
// shared->missing must be computed first. `total` matters in sub-group 0 only. The whole group calls it.
static inline bool find_prefix(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                               const INDEX tile, const CARRIED total, const uint epoch,
                               local tile_message *shared)
{
    if (get_local_id(0) < SUB_GROUP_WIDTH) {
        CARRIED within, before;
        INDEX missing = 0;
        const bool known =
            look_back(ARGUMENTS totals, blocks, tile, total, epoch, &within, &before, &missing);
        if (get_local_id(0) == 0) {
            shared->known = known;
            shared->missing = missing;
            if (known) {
#if IN_PLACE && STALLED >= 0
                // The tile is about to overwrite the items that others would compute its total from.
                if (tile == (INDEX)(STALLED)) {
                    publish(totals, tile, epoch + TOTAL, total);
                    PUBLISHED();
                }
#endif
                const bool has_within = tile % SUB_GROUP_WIDTH > 0, has_before = tile / SUB_GROUP_WIDTH > 0;
                shared->before = !has_within ? before : has_before ? CARRY(before, within) : within;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared->known;
}

// Computes the total of shared->missing, and publishes it.
static inline void compute_missing(PARAMETERS volatile global ulong *totals, const uint epoch,
                                   local tile_message *shared, local CARRIED *room)
{
    const INDEX missing = shared->missing;
    const CARRIED computed = tile_total(ARGUMENTS missing, room);
    // In place, its owner may have begun to overwrite the items that were read here, but only after publishing its
    // total.
    CARRIED told;
    if (get_local_id(0) == 0 && peek(totals, missing, epoch, &told) == 0)
        publish(totals, missing, epoch + TOTAL, computed);
    barrier(CLK_LOCAL_MEM_FENCE);
}
