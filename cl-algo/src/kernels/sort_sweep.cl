// One pass of a radix sort in one launch, by decoupled look-back for each digit (A. Adinets, D. Merrill,
// "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022). Uses subgroup.cl and sort_items.cl.
//
// Each tile counts its items by digit and publishes the counts, ranks its items, and orders them by digit in local
// memory. It then looks back for the counts of the tiles before it, and writes the items as contiguous ranges, one
// for each digit. The keys in local memory do not share memory with the counters. So a key is stored as soon as
// its rank is known, and the rank needs no register, of which there are few.
//
// A message is one word of 64 bits, so no fence is needed: a count, and above it the launch's epoch plus the kind
// of the message. Messages of earlier launches are older, so nothing has to be cleared.
//
// No work-group waits for ever (T. Smith, R. Levien, J. D. Owens, "Decoupled Fallback", 2025): a group that has
// looked SPINS times in vain counts the digits of the missing tile itself.
//
// Values: SUB_GROUPS, see subgroup.cl; TICKETS, 1 if tiles are taken in the order in which groups begin; SPINS;
// STALLED, a tile that never publishes anything, for tests, or -1; SEGMENTED, 1 if long segments are sorted, each by
// itself: the tiles are those of a table, which has room for more of them, and each segment has a chain of its own;
// LARGEST, the bytes of the largest word that goes through local memory.

#define COUNT_BITS 40
#define COUNT_OF(word) ((word) & (((ulong)1 << COUNT_BITS) - 1))
#define TOTAL 1u
#define PREFIX 2u
#define MESSAGE(state, count) ((ulong)(epoch + (state)) << COUNT_BITS | (ulong)(count))
// The number of tiles that are looked at together, which takes no longer than looking at one.
#define AT_ONCE 4

// Work-items rank their items in teams. A team has as many work-items as a word has bits, and contiguous rows of
// items. A team within a sub-group needs no barrier of the whole group.
#define TEAM 32
#define TEAMS (GROUP / TEAM)
#define ROWS PACKS
#define ITEMS (GROUP * ROWS)
#if SUB_GROUP_WIDTH < TEAM
#define TEAM_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define EACH_ROW(k) for (uint k = 0; k < ROWS; ++k)
#else
// Unrolled, so that arrays of rows are registers.
#define EACH_ROW(k) _Pragma("unroll") for (uint k = 0; k < ROWS; ++k)
#define TEAM_BARRIER() SUBGROUP_BARRIER()
#endif

// The index in a tile of the item of row k.
#define PLACE(k) ((me / TEAM) * (TEAM * ROWS) + (k) * TEAM + me % TEAM)

// Large values are stored at their positions directly: they fill sectors of the memory by themselves.
#define GATHERS(k) (COUNT##k == 1)

typedef VOLATILE struct {
    VOLATILE union {
        VOLATILE uint count[TEAMS][BINS]; // the position of the team's next item of the digit
        VOLATILE INDEX to[BINS];          // later: an item's position is this plus its index in the tile's order
    } digits;
#if SUB_GROUPS != 1
    VOLATILE uint peers[TEAMS][BINS]; // the lanes that have the digit, a bit each; 0 between rows
#endif
    VOLATILE ulong items[ITEMS * LARGEST / 8 + 1];
    VOLATILE uint table[BINS]; // of digits
    VOLATILE uint totals[BINS / (SUB_GROUP_WIDTH > 1 ? SUB_GROUP_WIDTH : TEAM)];
    VOLATILE uint missing;     // a tile whose counts are missing, plus 1
    VOLATILE INDEX tile;
} shared_room;

#if SEGMENTED
// The segment of each tile, the segment's first tile, and where the items of each segment, pass and digit begin.
#define TILES \
    global const uint *segment_begins, global const uint *segment_ends, global const uint *heads, \
        const uint passes, global const uint *begins,
#else
#define TILES global const ulong *begins,
#endif

// Counts the digits of a full tile, whose items begin at `first`, and publishes the counts in place of the tile's owner.
static inline void tell_missing(global const KEY *keys, volatile global ulong *messages, const INDEX tile,
                                const INDEX first, const bool is_head, const ulong epoch, const ulong flip,
                                const uint shift, const uint mask, local uint *table)
{
    const uint me = get_local_id(0);
    for (uint d = me; d < BINS; d += GROUP)
        table[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < ITEMS; i += GROUP)
        atomic_inc(&table[DIGIT(ordered(keys[first + i], flip))]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = me; d < BINS; d += GROUP) {
        const ulong message = MESSAGE(is_head ? PREFIX : TOTAL, table[d]);
        // If its owner publishes a prefix meanwhile, the prefix is lost, and others look further back.
        if (READ_MESSAGE(messages + tile * BINS + d) < message)
            WRITE_MESSAGE(messages + tile * BINS + d, message);
    }
}

// Returns the number of the tile's items whose digit is lower than the work-item's digit. Each of the first BINS
// work-items has a digit, and passes the number of items that have this digit as `count`.
static inline uint count_below(PARAMETERS const uint count, local uint *table, local uint *totals)
{
    const uint me = get_local_id(0);
#if SUB_GROUP_WIDTH == 1
    if (me < BINS)
        table[me] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < BINS; distance *= 2) {
        const uint lower = me < BINS && me >= distance ? table[me - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < BINS)
            table[me] += lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return me < BINS ? table[me] - count : 0;
#else
    uint before = scan_lanes(ARGUMENTS count, SUB_GROUP_WIDTH) - count;
    if (me < BINS && me % SUB_GROUP_WIDTH == SUB_GROUP_WIDTH - 1)
        totals[me / SUB_GROUP_WIDTH] = before + count;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < BINS / SUB_GROUP_WIDTH; ++k)
        before += k < me / SUB_GROUP_WIDTH ? totals[k] : 0;
    return before;
#endif
}

#if SUB_GROUPS == 1
// The lanes that have the same digit, a bit each, by a vote for each bit of the digit. (match.any of PTX takes
// 2.75 ms of a pass on an NVIDIA H200, the votes 1.61 ms.)
static inline uint lanes_with(const uint digit)
{
    uint lanes = 0xffffffff;
#pragma unroll
    for (uint bit = 1; bit < BINS; bit *= 2)
        asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, %2; setp.ne.u32 p, t, 0;"
                     " vote.sync.ballot.b32 t, p, 0xffffffff; @!p not.b32 t, t; and.b32 %0, %0, t; }"
                     : "+r"(lanes) : "r"(digit), "r"(bit));
    return lanes;
}

// The lanes below this one, and those above it, kept in registers: no compiler computes them again in each row.
static inline uint lanes_below(void)
{
    uint lanes;
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    return lanes;
}

static inline uint lanes_above(void)
{
    uint lanes;
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(lanes));
    return lanes;
}
#endif

// All loads are in flight before the first of the values is stored.
#define DECLARE_VALUE(k) PART(k) value_in##k[GATHERS(k) ? ROWS : 1];
#define LOAD_VALUE(k)                                                                      \
    {                                                                                      \
        EACH_ROW(row)                                                                      \
            value_in##k[GATHERS(k) ? row : 0] =                                            \
                PLACE(row) < present                                                       \
                    ? VALUE_NEAR(k, first + PLACE(0), row * TEAM).part[0] : 0;             \
    }

// Does DO for each row whose item exists in the tile. In a full tile all items exist. It has a loop without a
// comparison, because a jump around each store would wait for the loaded value.
#define IN_TILE(DO, k)                      \
    if (present == ITEMS) {                 \
        EACH_ROW(row)                       \
            DO(k, row);                     \
    } else {                                \
        EACH_ROW(row) {                     \
            if (row * GROUP + me < present) \
                DO(k, row);                 \
        }                                   \
    }
#define PUT_VALUE(k, row) sorted##k[to[row]].part[0] = value_in##k[GATHERS(k) ? row : 0]

#define GATHER_VALUE(k)                                                                              \
    if (GATHERS(k)) {                                                                                \
        local PART(k) *gathered = (local PART(k) *)shared.items;                                     \
        if (k > 0)                                                                                   \
            LOAD_VALUE(k)                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        EACH_ROW(row)                                                                                \
            gathered[rank[row]] = value_in##k[GATHERS(k) ? row : 0];                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        EACH_ROW(row)                                                                                \
            value_in##k[GATHERS(k) ? row : 0] = gathered[row * GROUP + me];                          \
        IN_TILE(PUT_VALUE, k)                                                                        \
    } else {                                                                                         \
        EACH_ROW(row) {                                                                              \
            if (PLACE(row) < present)                                                                \
                sorted##k[shared.digits.to[DIGIT(key[row])] + rank[row]] =                           \
                    VALUE_AT(k, first + PLACE(row));                                                 \
        }                                                                                            \
    }

// `keys` and values are not restrict: NVIDIA's compiler moves loads that it knows to be constant to their first
// use, so that they are issued late.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void sort_sweep(PARAMETERS global const KEY *keys, global KEY *restrict sorted, VALUE_PARAMETERS
                TILES volatile global ulong *messages, volatile global uint *tickets, const ulong epoch, const uint pass,
                const ulong flip, uint shift, const uint mask, const INDEX length)
{
    local shared_room shared;
    const uint me = get_local_id(0), team = me / TEAM, lane = me % TEAM;

    const INDEX tile = TAKE_TILE(tickets, shared.tile);
#if SEGMENTED
    const INDEX head = heads[tile], origin = segment_begins[tile], end = segment_ends[tile];
    const size_t row = (size_t)head * passes + pass;
#else
    const INDEX head = 0, origin = 0, end = length;
    const size_t row = pass;
#endif
    const INDEX first = origin + (tile - head) * ITEMS;
    const uint present = (uint)min((INDEX)ITEMS, end - first);
#if SEGMENTED && SUB_GROUPS == 1
    // On other devices, a tile without items changes nothing.
    if (present == 0)
        RETURN;
#endif

    // Items behind the last one must come after all others, so they have the last digit.
    KEY key[ROWS];
    global const KEY *mine = keys + (first + PLACE(0));
    if (present == ITEMS) {
        EACH_ROW(k)
            key[k] = ordered(mine[k * TEAM], flip);
    } else {
        EACH_ROW(k)
            key[k] = PLACE(k) < present ? ordered(mine[k * TEAM], flip) : LAST_KEY;
    }
    for (uint d = lane; d < BINS; d += TEAM) {
        shared.digits.count[team][d] = 0;
#if SUB_GROUPS != 1
        shared.peers[team][d] = 0;
#endif
    }
    TEAM_BARRIER();
    EACH_ROW(k)
        atomic_inc(&shared.digits.count[team][DIGIT(key[k])]);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Each of the first BINS work-items has a digit. It computes the number of the tile's items with this digit,
    // and the position of each team's first item with this digit.
    uint own = 0;
    if (me < BINS) {
#pragma unroll
        for (uint t = 0; t < TEAMS; ++t)
            own += shared.digits.count[t][me];
        if (tile != (INDEX)(STALLED))
            WRITE_MESSAGE(messages + tile * BINS + me,
                 MESSAGE(tile == head ? PREFIX : TOTAL, own - (me == mask ? ITEMS - present : 0)));
    }
    const uint lower = count_below(ARGUMENTS own, shared.table, shared.totals);
    if (me < BINS) {
        uint at = lower;
#pragma unroll
        for (uint t = 0; t < TEAMS; ++t) {
            const uint count = shared.digits.count[t][me];
            shared.digits.count[t][me] = at;
            at += count;
        }
    }
    if (me == mask)
        own -= ITEMS - present;
    barrier(CLK_LOCAL_MEM_FENCE);

    // Computing digits again, with all addresses that depend on them, is cheaper than keeping them.
    FORGET(shift);

    local KEY *gathered = (local KEY *)shared.items;
#if VALUES
    uint rank[ROWS]; // for the values
#define KEEP_RANK(k, place) rank[k] = place
#else
#define KEEP_RANK(k, place)
#endif
#if SUB_GROUPS == 1
    const uint lower_lanes = lanes_below(), upper_lanes = lanes_above();
    uint all = lanes_with(DIGIT(key[0]));
    EACH_ROW(k) {
        volatile local uint *count = &shared.digits.count[team][DIGIT(key[k])];
        const uint before = *count;
        // The votes for the next row are issued during the current one.
        const uint next = k + 1 < ROWS ? lanes_with(DIGIT(key[min(k + 1, ROWS - 1u)])) : 0;
        const uint place = before + popcount(all & lower_lanes);
        gathered[place] = key[k];
        KEEP_RANK(k, place);
        TEAM_BARRIER();
        if ((all & upper_lanes) == 0)
            *count = place + 1;
        TEAM_BARRIER();
        all = next;
    }
#else
    EACH_ROW(k) {
        volatile local uint *count = &shared.digits.count[team][DIGIT(key[k])];
        local uint *peers = &shared.peers[team][DIGIT(key[k])];
        atomic_or(peers, 1u << lane);
        TEAM_BARRIER();
        const uint all = *(volatile local uint *)peers, below = all & ((1u << lane) - 1);
        const uint before = *count;
        const uint place = before + popcount(below);
        gathered[place] = key[k];
        KEEP_RANK(k, place);
        TEAM_BARRIER();
        if (below == 0) {
            *(volatile local uint *)peers = 0;
            *count = before + popcount(all);
        }
        TEAM_BARRIER();
    }
#endif

    // The number of items of the digit in the tiles before this one.
    INDEX before = 0, ahead = tile - head;
    for (;;) {
        if (me == 0)
            shared.missing = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < BINS && ahead > 0) {
            for (uint spins = 0; ahead > 0; ) {
                ulong message[AT_ONCE];
#pragma unroll
                for (uint k = 0; k < AT_ONCE; ++k)
                    message[k] = READ_MESSAGE(messages + (head + (ahead > k ? ahead - 1 - k : 0)) * BINS + me);
                bool heard = true;
#pragma unroll
                for (uint k = 0; k < AT_ONCE; ++k) {
                    const ulong state = message[k] >> COUNT_BITS;
                    heard = heard && state > epoch;
                    if (heard && ahead > 0) {
                        before += (INDEX)COUNT_OF(message[k]);
                        ahead = state == epoch + PREFIX ? 0 : ahead - 1;
                    }
                }
                if (!heard && spins++ >= SPINS)
                    break;
            }
            if (ahead > 0)
                atomic_max(&shared.missing, (uint)ahead);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint missing = shared.missing;
        if (missing == 0)
            break;
        tell_missing(keys, messages, head + missing - 1, origin + (INDEX)(missing - 1) * ITEMS, missing == 1, epoch, flip,
                     shift, mask, shared.table);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (me < BINS) {
        if (tile > head && tile != (INDEX)(STALLED))
            WRITE_MESSAGE(messages + tile * BINS + me, MESSAGE(PREFIX, before + own));
        shared.digits.to[me] = (INDEX)begins[row * BINS + me] + before - lower;
    }
    EACH_VALUE(DECLARE_VALUE)
#if VALUES
    if (GATHERS(0))
        LOAD_VALUE(0)
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    FORGET(shift);

    // Then the items go to their final positions, neighbouring work-items storing neighbouring items.
#if VALUES
    // One row after the other: the keys of all rows at once would leave no registers for ranks and values.
    INDEX to[ROWS];
    EACH_ROW(k) {
        const KEY moved = gathered[k * GROUP + me];
        to[k] = shared.digits.to[DIGIT(moved)] + (k * GROUP + me);
        if (k * GROUP + me < present)
            sorted[to[k]] = unordered(moved, flip);
    }
    EACH_VALUE(GATHER_VALUE)
#else
    if (present == ITEMS) {
        KEY moved[ROWS];
        EACH_ROW(k)
            moved[k] = gathered[k * GROUP + me];
        EACH_ROW(k)
            sorted[shared.digits.to[DIGIT(moved[k])] + (k * GROUP + me)] = unordered(moved[k], flip);
    } else {
#pragma unroll 1
        for (uint at = me; at < present; at += GROUP) {
            const KEY moved = gathered[at];
            sorted[shared.digits.to[DIGIT(moved)] + at] = unordered(moved, flip);
        }
    }
#endif
    RETURN;
}
