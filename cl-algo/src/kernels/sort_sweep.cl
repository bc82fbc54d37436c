// One pass of a radix sort in one launch, by decoupled look-back for each digit (A. Adinets, D. Merrill,
// "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022). Behind subgroup.cl and
// sort_items.cl.
//
// Each tile ranks its items by digit, tells how many it has of each, looks back for how many the tiles
// before it have, moves its items together in local memory and writes them as runs, one for each digit.
//
// A message is one word of 64 bits, so no fence is needed: a count, and above it the launch's epoch with
// what is told. Those of earlier launches are older, and nothing has to be cleared.
//
// No work-group waits for ever (T. Smith, R. Levien, J. D. Owens, "Decoupled Fallback", 2025): who has
// looked SPINS times in vain counts the digits of the missing tile itself.
//
// Values: SUBGROUP_BY, see subgroup.cl; TICKETS,
// whether tiles are taken in the order in which groups begin; SPINS; STALLED, a tile that never tells
// anything, for tests, or -1; LARGEST, bytes of the largest word that goes through local memory.

#define COUNT_BITS 40
#define COUNT_OF(word) ((word) & (((ulong)1 << COUNT_BITS) - 1))
#define TOTAL 1u
#define PREFIX 2u
#define MESSAGE(state, count) ((ulong)(epoch + (state)) << COUNT_BITS | (ulong)(count))

// Work-items rank their items in teams of 32, each of which takes contiguous rows of items. A team in
// step needs no barrier.
#define TEAM 32
#define TEAMS (GROUP / TEAM)
#define ROWS PACKS
#define ITEMS (GROUP * ROWS)
#if SUBGROUP == 1
#define TEAM_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define EACH_ROW(k) for (uint k = 0; k < ROWS; ++k)
#else
// So that arrays of rows are registers.
#define EACH_ROW(k) _Pragma("unroll") for (uint k = 0; k < ROWS; ++k)
#define TEAM_BARRIER() SUBGROUP_BARRIER()
#endif

// Where the item of row k is in a tile.
#define PLACE(k) ((me / TEAM) * (TEAM * ROWS) + (k) * TEAM + me % TEAM)

// Large values go to their places directly: they fill sectors of the memory by themselves.
#define GATHERS(k) (COUNT##k == 1)

typedef struct {
    union {
        struct {
            uint peers[TEAMS][BINS]; // which lanes have the digit, a bit each; 0 between rows
            uint count[TEAMS][BINS]; // how many of the digit the team has met
        } teams;
        ulong items[ITEMS * LARGEST / 8 + 1];
    } room;
    INDEX to[BINS];   // where the first item of the digit would go, were it the tile's first
    uint below[BINS]; // how many items of the tile have a lower digit
    uint totals[BINS / TEAM];
    uint missing;     // a tile whose counts did not come, plus 1
    INDEX tile;
} shared_room;

// The counts of all digits in a whole tile, published in its place.
static inline void tell_missing(global const KEY *keys, volatile global ulong *messages, const INDEX tile,
                                const ulong epoch, const ulong flip, const uint shift, const uint mask,
                                local uint *table)
{
    const uint me = get_local_id(0);
    for (uint d = me; d < BINS; d += GROUP)
        table[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < ITEMS; i += GROUP)
        atomic_inc(&table[DIGIT(keys[tile * ITEMS + i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = me; d < BINS; d += GROUP) {
        const ulong message = MESSAGE(tile == 0 ? PREFIX : TOTAL, table[d]);
        // If its owner tells a prefix meanwhile, that is lost, and others look further back.
        if (HEAR(messages + tile * BINS + d) < message)
            TELL(messages + tile * BINS + d, message);
    }
}

// From the count of the digit of each of the first BINS work-items, how many items have a lower one.
static inline void set_below(const uint count, local uint *below, local uint *totals)
{
    const uint me = get_local_id(0);
#if SUBGROUP == 1
    if (me < BINS)
        below[me] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < BINS; distance *= 2) {
        const uint lower = me < BINS && me >= distance ? below[me - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < BINS)
            below[me] += lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me < BINS)
        below[me] -= count;
#else
    uint before = scan_lanes(ARGUMENTS count, SUBGROUP) - count;
    if (me < BINS && me % SUBGROUP == SUBGROUP - 1)
        totals[me / SUBGROUP] = before + count;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < BINS / SUBGROUP; ++k)
        before += k < me / SUBGROUP ? totals[k] : 0;
    if (me < BINS)
        below[me] = before;
#endif
}

#define GATHER_VALUE(k)                                                                              \
    if (GATHERS(k)) {                                                                                \
        local part##k *gathered = (local part##k *)shared.room.items;                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        EACH_ROW(row) {                                                                              \
            if (PLACE(row) < present)                                                                \
                gathered[rank[row]] = VALUE_AT(k, first + PLACE(row)).part[0];                       \
        }                                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        EACH_ROW(row) {                                                                              \
            const uint i = row * GROUP + me;                                                         \
            if (i < present)                                                                         \
                sorted##k[to[row]].part[0] = gathered[i];                                            \
        }                                                                                            \
    } else {                                                                                         \
        EACH_ROW(row) {                                                                              \
            if (PLACE(row) < present)                                                                \
                sorted##k[shared.to[DIGIT(key[row])] + rank[row]] = VALUE_AT(k, first + PLACE(row)); \
        }                                                                                            \
    }

// `keys` is not restrict: NVIDIA's compiler moves what it takes for constant to where it is used, and then it
// is loaded late.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void sort_sweep(global const KEY *keys, global KEY *restrict sorted, VALUE_PARAMETERS
                global const ulong *begins, volatile global ulong *messages, volatile global uint *tickets,
                const ulong epoch, const uint pass, const ulong flip, uint shift,
                const uint mask, const INDEX length)
{
    local shared_room shared;
    const uint me = get_local_id(0), team = me / TEAM, lane = me % TEAM;

#if TICKETS
    if (me == 0) {
        const uint ticket = atomic_inc(tickets);
        // The last to take one sets the counter back.
        if (ticket == (uint)get_num_groups(0) - 1)
            atomic_xchg(tickets, 0u);
        shared.tile = ticket;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const INDEX tile = shared.tile;
#else
    const INDEX tile = get_group_id(0);
#endif
    const INDEX first = tile * ITEMS;
    const uint present = (uint)min((INDEX)ITEMS, length - first);

    KEY key[ROWS];
    uint rank[ROWS];
    EACH_ROW(k)
        key[k] = PLACE(k) < present ? keys[first + PLACE(k)] : 0;
    for (uint d = lane; d < BINS; d += TEAM)
        shared.room.teams.peers[team][d] = shared.room.teams.count[team][d] = 0;
    TEAM_BARRIER();

    // The rank of each item among those of its digit in the team's rows. What lies behind the last item
    // counts as if it had the last digit: it comes after all that is there.
#define OWN_DIGIT(k) (PLACE(k) < present ? DIGIT(key[k]) : BINS - 1)
    EACH_ROW(k) {
        local uint *peers = &shared.room.teams.peers[team][OWN_DIGIT(k)];
        local uint *count = &shared.room.teams.count[team][OWN_DIGIT(k)];
        atomic_or(peers, 1u << lane);
        TEAM_BARRIER();
        const uint all = *(volatile local uint *)peers, below = all & ((1u << lane) - 1);
        const uint before = *(volatile local uint *)count;
        rank[k] = before + popcount(below);
        TEAM_BARRIER();
        if (below == 0) {
            *(volatile local uint *)peers = 0;
            *(volatile local uint *)count = before + popcount(all);
        }
        TEAM_BARRIER();
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Digits are cheaper to compute again than to keep, with all that is addressed by them: 80 registers
    // of NVIDIA's where it took 152.
    FORGET(shift);

    // Each of the first BINS work-items has a digit from here on: its items in the tile, and in the teams
    // before each.
    uint own = 0, counted = 0;
    if (me < BINS) {
#pragma unroll
        for (uint t = 0; t < TEAMS; ++t) {
            const uint count = shared.room.teams.count[t][me];
            shared.room.teams.count[t][me] = own;
            own += count;
        }
        counted = own;
        if (me == BINS - 1)
            own -= ITEMS - present;
        if (tile != (INDEX)(STALLED))
            TELL(messages + tile * BINS + me, MESSAGE(tile == 0 ? PREFIX : TOTAL, own));
    }
    set_below(counted, shared.below, shared.totals);
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH_ROW(k)
        rank[k] += shared.room.teams.count[team][OWN_DIGIT(k)] + shared.below[OWN_DIGIT(k)];
    barrier(CLK_LOCAL_MEM_FENCE);

    FORGET(shift);

    // How many items of the digit the tiles before this one have.
    INDEX before = 0, ahead = tile;
    for (;;) {
        if (me == 0)
            shared.missing = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < BINS && ahead > 0) {
            for (uint spins = 0; ahead > 0; ) {
                const ulong message = HEAR(messages + (ahead - 1) * BINS + me);
                const ulong state = message >> COUNT_BITS;
                if (state <= epoch) {
                    if (spins++ < SPINS)
                        continue;
                    break;
                }
                before += (INDEX)COUNT_OF(message);
                ahead = state == epoch + PREFIX ? 0 : ahead - 1;
            }
            if (ahead > 0)
                atomic_max(&shared.missing, (uint)ahead);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint missing = shared.missing;
        if (missing == 0)
            break;
        tell_missing(keys, messages, (INDEX)missing - 1, epoch, flip, shift, mask,
                     shared.room.teams.count[0]);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (me < BINS) {
        if (tile > 0 && tile != (INDEX)(STALLED))
            TELL(messages + tile * BINS + me, MESSAGE(PREFIX, before + own));
        shared.to[me] = (INDEX)begins[pass * BINS + me] + before - shared.below[me];
    }

    // Together in local memory, and from there to their places, neighbours to neighbours.
    local KEY *gathered = (local KEY *)shared.room.items;
    EACH_ROW(k) {
        if (PLACE(k) < present)
            gathered[rank[k]] = key[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    INDEX to[ROWS];
    EACH_ROW(k) {
        const uint i = k * GROUP + me;
        if (i < present) {
            const KEY moved = gathered[i];
            to[k] = shared.to[DIGIT(moved)] + i;
            sorted[to[k]] = moved;
        }
    }
    EACH_VALUE(GATHER_VALUE)
}
