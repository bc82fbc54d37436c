// Selects by order: the key of a given rank, and the items up to a given rank. Keys are unsigned numbers in the order
// of the items. An index decides between equal keys, so that no two items are equal.
//
// A sample gives two keys between which the wanted key lies, almost certainly. One read of all items counts the keys
// below the two, and copies the items between them: the candidates. The digits of the candidates are then counted,
// beginning with the highest one, as in T. Alabi, J. Blanchard, B. Gordon, R. Steinbach, "Fast k-Selection Algorithms
// for Graphics Processing Units", 2012. If the wanted key is not among the candidates, or there is not enough room for
// them, the same launches count the digits of all items instead. No launch waits for the host.
//
// Each work-group finds for itself the digit that the launch before it has counted. So no launch is needed between
// two digits.
//
// Filled in: the input, of keys; the output of one key if STAGE is 3. Values: STAGE, 0 to sample, 1 to copy the
// candidates, 2 to count a digit, 3 to store the key, 4 to store all items up to the rank.
//
// `numbers` has the two keys of the sample, then for each pass the digits that are known of key and index, the rank
// among the items with these digits, and two flags: FROM_CANDIDATES and COMPLETE. `counts` has the number of keys
// below the sample's keys, the number of keys between them, the number of stored items, and a table for each pass.

#define DIGIT_BITS 11
#define BINS (1 << DIGIT_BITS)
#define SAMPLE 2048
#define BELOW_COUNT 0
#define INSIDE_COUNT 1
#define STORED_COUNT 2
#define TABLE(pass) (4 + (size_t)(pass) * BINS)
#define PASS_NUMBERS(pass) (2 + 4 * (size_t)(pass))
#define FROM_CANDIDATES 1
#define COMPLETE 2

#define WORK_ITEMS ((INDEX)get_num_groups(0) * GROUP)
#define MY_NUMBER ((INDEX)get_group_id(0) * GROUP + get_local_id(0))

// The known digits of the wanted item before a pass, and its rank among the items with these digits.
typedef VOLATILE struct {
    VOLATILE ITEM key;
    VOLATILE uint index;
    VOLATILE uint rank;
    VOLATILE uint flags;
} known_item;

#if STAGE >= 2

// Computes what is known after a pass, from the pass's table. Every work-group computes the same. No barrier depends
// on a condition: PoCL's optimiser makes wrong code of a return in front of one.
static inline void advance(global const ulong *numbers, global const uint *counts, const uint passes, const uint rank,
                           const uint room, const uint shift, const uint by_index, local uint *sums,
                           local known_item *known)
{
    const uint me = get_local_id(0);
    const bool is_first = passes == 0;
    const uint done = is_first ? 0 : passes - 1;
    global const ulong *before = numbers + PASS_NUMBERS(done);
    global const uint *table = counts + TABLE(done);
    const uint below = counts[BELOW_COUNT], inside = counts[INSIDE_COUNT];
    const bool is_inside = below <= rank && rank - below < inside && inside <= room;
    const uint wanted = is_first ? (is_inside ? rank - below : rank) : (uint)before[2];
    const uint flags = is_first ? (is_inside ? FROM_CANDIDATES : 0) : (uint)before[3];
    const uint each = (BINS + GROUP - 1) / GROUP, first = min(me * each, (uint)BINS);
    const uint last = is_first ? first : min(first + each, (uint)BINS);
    uint own = 0;
    for (uint bin = first; bin < last; ++bin)
        own += table[bin];
    sums[me] = own;
    if (me == 0) {
        known->key = is_first ? 0 : (ITEM)before[0];
        known->index = is_first ? 0 : (uint)before[1];
        known->rank = wanted;
        known->flags = flags;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        const uint lower = me >= distance ? sums[me - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint at = sums[me] - own;
    if ((flags & COMPLETE) == 0 && at <= wanted && wanted - at < own) {
        uint bin = first;
        for (; bin + 1 < last && wanted - at >= table[bin]; ++bin)
            at += table[bin];
        known->rank = wanted - at;
        if (by_index)
            known->index |= bin << shift;
        else
            known->key |= (ITEM)bin << shift;
        // All items with these digits are wanted, so the rest of the index is its highest value.
        if (wanted - at + 1 == table[bin]) {
            known->index |= by_index ? (1u << shift) - 1 : ~0u;
            known->flags = flags | COMPLETE;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif

#if STAGE == 0

// The index of an item of the sample. It is a random one of a range of its own, so that no period of the input
// matters.
static inline INDEX sample_at(const uint at, const INDEX length)
{
    const INDEX begin = (INDEX)((ulong)length * at / SAMPLE), end = (INDEX)((ulong)length * (at + 1) / SAMPLE);
    uint mixed = at * 0x9e3779b9u + 0x7f4a7c15u;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed ^= mixed >> 13;
    return begin + mixed % (uint)(end - begin);
}

// Clears all counts, and finds the sample's keys of ranks `lower` and `upper`. A rank of SAMPLE or more stands for
// the end of all keys. (With `length` 0 the sample is empty.)
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_select(PARAMETERS global ulong *numbers, global uint *counts, const uint count, const uint lower,
                  const uint upper, const INDEX length)
{
    local ITEM sample[SAMPLE];
    const uint me = get_local_id(0);
    for (INDEX i = MY_NUMBER; i < count; i += WORK_ITEMS)
        counts[i] = 0;
    if (length == 0) {
        RETURN;
    }
    for (uint at = me; at < SAMPLE; at += GROUP)
        sample[at] = LOAD(sample_at(at, length));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (MY_NUMBER == 0) {
        if (lower >= SAMPLE)
            numbers[0] = 0;
        if (upper >= SAMPLE)
            numbers[1] = ~(ulong)0;
    }
    for (INDEX at = MY_NUMBER; at < SAMPLE; at += WORK_ITEMS) {
        const ITEM item = sample[at];
        // Two loops that compilers vectorise.
        uint rank = 0;
        for (uint other = 0; other < SAMPLE; ++other)
            rank += sample[other] < item ? 1 : 0;
        for (uint other = 0; other < at; ++other)
            rank += sample[other] == item ? 1 : 0;
        if (rank == lower)
            numbers[0] = item;
        if (rank == upper)
            numbers[1] = item;
    }
    RETURN;
}

#elif STAGE == 1

#if CHUNKED

// The number of items that are counted before any of them is copied.
#define BLOCK 1024
#define PART_OF_BLOCK 32

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void radix_select(PARAMETERS global const ulong *numbers, volatile global uint *counts, global ITEM *keys,
                  global uint *indices, const uint room, const INDEX length)
{
    const ITEM low = (ITEM)numbers[0], high = (ITEM)numbers[1];
    const INDEX end = CUT(length, get_group_id(0) + 1);
    uint below = 0;
    for (INDEX begin = CUT(length, get_group_id(0)); begin < end; begin += BLOCK) {
        const uint present = (uint)min((INDEX)BLOCK, end - begin);
        uint less = 0, up_to = 0;
        if (present == BLOCK) {
            for (uint k = 0; k < BLOCK; ++k) {
                const ITEM item = LOAD(begin + k);
                less += item < low ? 1 : 0;
                up_to += item <= high ? 1 : 0;
            }
        } else {
            for (uint k = 0; k < present; ++k) {
                const ITEM item = LOAD(begin + k);
                less += item < low ? 1 : 0;
                up_to += item <= high ? 1 : 0;
            }
        }
        below += less;
        if (up_to == less)
            continue;
        uint to = atomic_add(&counts[INSIDE_COUNT], up_to - less);
        for (uint part = 0; part < present; part += PART_OF_BLOCK) {
            const uint last = min(part + PART_OF_BLOCK, present);
            uint some = 0;
            for (uint k = part; k < last; ++k) {
                const ITEM item = LOAD(begin + k);
                some |= item >= low && item <= high ? 1 : 0;
            }
            if (!some)
                continue;
            // Each item is stored, and overwritten by the next one unless it is a candidate, so no branch has to be
            // predicted. There is room for one item more than for candidates.
            for (uint k = part; k < last; ++k) {
                const ITEM item = LOAD(begin + k);
                const bool inside = item >= low && item <= high;
                // Behind the block's candidates are those of another block.
                const uint place = inside ? min(to, room) : room;
                keys[place] = item;
                indices[place] = (uint)(begin + k);
                to += inside ? 1 : 0;
            }
        }
    }
    if (below > 0)
        atomic_add(&counts[BELOW_COUNT], below);
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_select(PARAMETERS global const ulong *numbers, volatile global uint *counts, global ITEM *keys,
                  global uint *indices, const uint room, const INDEX length)
{
    local uint found, base, all_below;
    const uint me = get_local_id(0);
    const ITEM low = (ITEM)numbers[0], high = (ITEM)numbers[1];
    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    uint below = 0;
    if (me == 0) {
        found = 0;
        all_below = 0;
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
        EACH_ITEM(below += item < low ? 1 : 0; inside += item >= low && item <= high ? 1 : 0;)
        if (inside > 0)
            to = atomic_add(&found, inside);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint all = found;
        if (all > 0) {
            if (me == 0)
                base = atomic_add(&counts[INSIDE_COUNT], all);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (inside > 0) {
                to += base;
                EACH_ITEM(
                    if (item >= low && item <= high) {
                        if (to < room) {
                            keys[to] = item;
                            indices[to] = (uint)i;
                        }
                        ++to;
                    })
            }
            if (me == 0)
                found = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (below > 0)
        atomic_add(&all_below, below);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0 && all_below > 0)
        atomic_add(&counts[BELOW_COUNT], all_below);
    RETURN;
}

#endif

#elif STAGE == 2

// Neighbouring items are counted in COPIES tables: CPUs should not read a counter soon after it was written.
#if CHUNKED
#define COUNT(bin, i) ++table[(i) % COPIES * BINS + (bin)]
#else
#define COUNT(bin, i) atomic_inc(&table[bin])
#endif
// The smallest number of candidates for which another work-group counts.
#define LEAST_CANDIDATES 4096

// Counts a digit of the items whose higher digits are known. `shift` and `by_index` describe the digit, and
// `shift_before` and `by_index_before` the digit of the pass before.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_select(PARAMETERS global ulong *numbers, volatile global uint *counts, global const ITEM *keys,
                  global const uint *indices, const uint room, const uint rank, const uint pass,
                  const uint shift_before, const uint by_index_before, const uint shift, const uint mask,
                  const uint by_index, const ulong known_bits, const uint known_index_bits, const INDEX length)
{
    local uint sums[GROUP];
    volatile local uint table[COPIES * BINS];
    local known_item shared;
    const uint me = get_local_id(0);
    advance(numbers, (global const uint *)counts, pass, rank, room, shift_before, by_index_before, sums, &shared);
    // The indices matter only among equal keys.
    const known_item known = shared;
    const uint flags = known.flags & (by_index ? ~0u : ~(uint)COMPLETE);
    if (get_group_id(0) == 0 && me == 0) {
        global ulong *now = numbers + PASS_NUMBERS(pass);
        now[0] = known.key;
        now[1] = by_index ? known.index : 0;
        now[2] = known.rank;
        now[3] = flags;
    }
    // The candidates are divided among few work-groups, because each of them adds a table.
    const uint count = counts[INSIDE_COUNT];
    const uint sharers = min((uint)get_num_groups(0), count / LEAST_CANDIDATES + 1);
    const bool takes_part =
        (flags & COMPLETE) == 0 && ((flags & FROM_CANDIDATES) == 0 || get_group_id(0) < sharers);
    for (uint bin = me; bin < COPIES * BINS; bin += GROUP)
        table[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ITEM bits = (ITEM)known_bits;
#define COUNT_ITEM(item, i)                                                                              \
    if (((item ^ known.key) & bits) == 0 && (((uint)(i) ^ known.index) & known_index_bits) == 0) {       \
        COUNT((by_index ? (uint)(i) >> shift : (uint)(item >> shift)) & mask, (uint)(i));                \
    }
    if (takes_part && (flags & FROM_CANDIDATES)) {
        const uint end = (uint)((ulong)count * (get_group_id(0) + 1) / sharers);
        for (uint i = (uint)((ulong)count * get_group_id(0) / sharers) + me; i < end; i += GROUP) {
            const ITEM item = keys[i];
            COUNT_ITEM(item, indices[i])
        }
    } else if (takes_part) {
        const INDEX tiles = (length + TILE - 1) / TILE;
        FOR_EACH_TILE(tile, tiles) {
            const INDEX begin = tile * TILE, end = min(begin + TILE, length);
            for (INDEX i = begin + me; i < end; i += GROUP) {
                const ITEM item = LOAD(i);
                COUNT_ITEM(item, i)
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = me; bin < BINS; bin += GROUP) {
        uint all = 0;
        for (uint copy = 0; copy < COPIES; ++copy)
            all += table[copy * BINS + bin];
        if (all > 0)
            atomic_add(&counts[TABLE(pass) + bin], all);
    }
    RETURN;
}

#elif STAGE == 3

// Stores the key of the rank. One work-group.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_select(PARAMETERS OUTPUTS global const ulong *numbers, global const uint *counts, const uint room,
                  const uint rank, const uint passes, const uint shift_before)
{
    local uint sums[GROUP];
    local known_item shared;
    advance(numbers, counts, passes, rank, room, shift_before, 0, sums, &shared);
    if (get_local_id(0) == 0)
        STORE(0, shared.key);
    RETURN;
}

#else

// Stores the items up to the rank, in any order.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_select(PARAMETERS global const ulong *numbers, volatile global uint *counts, global const ITEM *keys,
                  global const uint *indices, const uint room, const uint rank, const uint passes,
                  const uint shift_before, global ITEM *stored_keys, global uint *stored_indices,
                  const INDEX length)
{
    local uint sums[GROUP];
    local known_item shared;
    advance(numbers, (global const uint *)counts, passes, rank, room, shift_before, 1, sums, &shared);
    const known_item known = shared;
#define STORE_ITEM(item, i)                                                       \
    if (item < known.key || (item == known.key && (uint)(i) <= known.index)) {          \
        const uint to = atomic_inc(&counts[STORED_COUNT]);                        \
        if (to <= rank) {                                                         \
            stored_keys[to] = item;                                               \
            stored_indices[to] = (uint)(i);                                       \
        }                                                                         \
    }
    if (known.flags & FROM_CANDIDATES) {
        const uint count = counts[INSIDE_COUNT];
        for (INDEX i = MY_NUMBER; i < count; i += WORK_ITEMS) {
            const ITEM item = keys[i];
            STORE_ITEM(item, indices[i])
        }
    } else {
        const INDEX tiles = (length + TILE - 1) / TILE;
        FOR_EACH_TILE(tile, tiles) {
            const INDEX begin = tile * TILE, end = min(begin + TILE, length);
            for (INDEX i = begin + get_local_id(0); i < end; i += GROUP) {
                const ITEM item = LOAD(i);
                STORE_ITEM(item, i)
            }
        }
    }
    RETURN;
}

#endif
