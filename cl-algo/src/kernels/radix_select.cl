// Selects by order: the key of a given rank, and the items up to a given rank. Keys are unsigned numbers in the order
// of the items. Of equal keys, those of the lowest indices come first.
//
// A sample gives two keys between which the wanted key lies, almost certainly. One read of all items counts the keys
// below and up to each of the two, and copies the items between them: the candidates. Often the wanted key is one of
// the two, because many items have it. Otherwise a range of keys is narrowed until one key is left: the items of each
// of BINS parts of the range are counted, and the part with the wanted rank is the next range, as in T. Alabi,
// J. Blanchard, B. Gordon, R. Steinbach, "Fast k-Selection Algorithms for Graphics Processing Units", 2012. The first
// range begins and ends at the sample's keys, so that its parts have few items each. If the wanted key is neither one
// of the two nor a candidate, or there is not enough room for the candidates, the same launches count all items
// instead, in the range of all keys. No launch waits for the host.
//
// Each work-group finds for itself the part that the launch before it has counted. So no launch is needed between two
// parts. One work-group alone narrows the range of a sample.
//
// Filled in: the input, of keys; the output of one key if STAGE is 2. Values: STAGE, 0 to sample, 1 to narrow the
// range, 2 to store the key, 3 to list or count the equal keys, 4 to store all items up to the rank; COPIES,
// the number of tables of a work-group. radix_candidates.cl copies the candidates, between stages 0 and 1. Uses
// radix_counts.cl and group_count.cl.
//
// `numbers` has the two keys of the sample, then the range before each pass.

#define PASS_NUMBERS(pass) (2 + 6 * (size_t)(pass))
// The flags of a range: all items below it are candidates; all items inside it are candidates.
#define LESS_INSIDE 1
#define EQUAL_INSIDE 2

// ARE_ALL_WANTED: true if all items with the last key are wanted. HAS_LIST: true if only some are, and their indices are listed.
#define ARE_ALL_WANTED(range) ((range).rank + 1 == (range).count)
#define HAS_LIST(range)                                                                     \
    (!ARE_ALL_WANTED(range) && (range).count <= LISTED                                      \
     && ((range).flags & (LESS_INSIDE | EQUAL_INSIDE)) == (LESS_INSIDE | EQUAL_INSIDE))

#define WORK_ITEMS ((INDEX)get_num_groups(0) * GROUP)
#define MY_NUMBER ((INDEX)get_group_id(0) * GROUP + get_local_id(0))

// A range of keys that contains the wanted one: 2^bits keys from `low` on. The key is found if `bits` is 0.
typedef VOLATILE struct {
    VOLATILE ITEM low;
    VOLATILE uint bits;
    // The rank of the wanted item among the items in the range, and the number of these.
    VOLATILE uint rank;
    VOLATILE uint count;
    // The number of items below the range.
    VOLATILE uint less;
    VOLATILE uint flags;
} key_range;

static inline void load_range(global const ulong *from, local key_range *known)
{
    known->low = (ITEM)from[0];
    known->bits = (uint)from[1];
    known->rank = (uint)from[2];
    known->count = (uint)from[3];
    known->less = (uint)from[4];
    known->flags = (uint)from[5];
}

#if STAGE == 0 || STAGE == 1 || STAGE == 3

static inline void store_range(global ulong *to, local const key_range *known)
{
    to[0] = known->low;
    to[1] = known->bits;
    to[2] = known->rank;
    to[3] = known->count;
    to[4] = known->less;
    to[5] = known->flags;
}

#endif

#if STAGE < 4

// The number of low bits of a distance that its part of a range of 2^bits keys does not depend on.
#define PART_SHIFT(bits) ((bits) > DIGIT_BITS ? (bits) - DIGIT_BITS : 0)
#define BITS_OF(number) ((uint)(8 * sizeof(ITEM)) - (uint)clz((ITEM)(number)))

// Makes the range the part with the wanted rank. `table` has the number of items of each part.
static inline void narrow(PARAMETERS volatile local uint *table, local uint *room, local key_range *known)
{
    const uint me = get_local_id(0);
    const uint each = (BINS + GROUP - 1) / GROUP, first = min(me * each, (uint)BINS);
    const uint last = min(first + each, (uint)BINS);
    const uint wanted = known->rank, bits = known->bits, shift = PART_SHIFT(bits);
    uint own = 0, all;
    for (uint bin = first; bin < last; ++bin)
        own += table[bin];
    uint at = count_before(ARGUMENTS own, room, &all);
    if (bits > 0 && at <= wanted && wanted - at < own) {
        uint bin = first;
        for (; bin + 1 < last && wanted - at >= table[bin]; ++bin)
            at += table[bin];
        known->low += (ITEM)bin << shift;
        known->bits = shift;
        known->rank = wanted - at;
        known->count = table[bin];
        known->less += at;
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
}

// Neighbouring items are counted in COPIES tables: CPUs should not read a counter soon after it was written.
#if CHUNKED
#define COUNT(bin, i) ++table[(i) % COPIES * BINS + (bin)]
#else
#define COUNT(bin, i) atomic_inc(&table[bin])
#endif
// Counts an item in its part of the range. (Items behind the range may be counted as behind it.) On CPUs, which mispredict
// whether an item is below a narrow range, items of up to 32 bits are compared once, as greater numbers.
#define COUNT_ITEM(item, i)                                                    \
    do {                                                                       \
        if (CHUNKED && sizeof(ITEM) <= 4) {                                    \
            const ulong part = ((ulong)item - (ulong)low) >> shift;            \
            if (part < BINS)                                                   \
                COUNT((uint)part, (uint)(i));                                  \
        } else {                                                               \
            const ITEM part = (ITEM)(item - low) >> shift;                     \
            if (item >= low && part < BINS)                                    \
                COUNT((uint)part, (uint)(i));                                  \
        }                                                                      \
    } while (0)

#endif

#if STAGE == 1 || STAGE == 2 || STAGE == 3

// Computes the range after `passes` passes. Every work-group computes the same. No barrier depends on a condition:
// PoCL's optimiser makes wrong code of a return in front of one.
static inline void advance(PARAMETERS global const ulong *numbers, global const uint *counts, const uint passes,
                           const uint rank, const uint room, const uint how, const uint length,
                           volatile local uint *table, local uint *sums, local key_range *known)
{
    const uint me = get_local_id(0);
    if (me == 0 && passes > 0)
        load_range(numbers + PASS_NUMBERS(passes - 1), known);
    if (me == 0 && passes == 0) {
        known->low = 0;
        known->bits = KEY_BITS(how);
        known->rank = rank;
        known->count = length;
        known->less = 0;
        known->flags = 0;
        const uint below_low = counts[BELOW_LOW], up_to_low = counts[UP_TO_LOW];
        const uint below_high = counts[BELOW_HIGH], up_to_high = counts[UP_TO_HIGH];
        const ITEM low = (ITEM)numbers[0], high = (ITEM)numbers[1];
        const bool fits = counts[INSIDE_COUNT] <= room;
        if ((how & SAMPLED) && below_low <= rank && rank < up_to_low) {
            known->low = low;
            known->bits = 0;
            known->rank = rank - below_low;
            known->count = up_to_low - below_low;
            known->less = below_low;
        } else if ((how & SAMPLED) && below_high <= rank && rank < up_to_high) {
            known->low = high;
            known->bits = 0;
            known->rank = rank - below_high;
            known->count = up_to_high - below_high;
            known->less = below_high;
            known->flags = (how & OPEN) && fits ? LESS_INSIDE : 0;
        } else if ((how & SAMPLED) && up_to_low <= rank && rank < below_high && fits) {
            known->low = low;
            // An open upper end is the greatest ITEM, which may be wider than a key.
            known->bits = min(BITS_OF(high - low), KEY_BITS(how));
            known->rank = rank - up_to_low;
            known->count = counts[INSIDE_COUNT];
            known->less = up_to_low;
            known->flags = LESS_INSIDE | EQUAL_INSIDE;
        }
    }
    for (uint bin = me; bin < BINS; bin += GROUP)
        table[bin] = passes > 0 ? counts[TABLE(passes - 1) + bin] : 0;
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    narrow(ARGUMENTS table, sums, known);
}

#endif

#if STAGE == 0

// The largest number of times that a range must be narrowed.
#define MOST_ROUNDS ((8 * sizeof(ITEM) + DIGIT_BITS - 1) / DIGIT_BITS)

// The number of keys that a work-item loads before it uses any of them. CPUs do so by themselves.
#if CHUNKED
#define LOADED 1
#else
#define LOADED 8
#endif

// Narrows a range of `count` keys until it has at most `enough` of them, or one key. One work-group.
static inline void narrow_alone(PARAMETERS global const ITEM *keys, const uint count, const uint enough,
                                const uint rounds, volatile local uint *table, local uint *sums,
                                local key_range *known)
{
    const uint me = get_local_id(0);
    for (uint round = 0; round < rounds && known->bits > 0 && known->count > enough; ++round) {
        const ITEM low = known->low;
        const uint shift = PART_SHIFT(known->bits);
        for (uint bin = me; bin < COPIES * BINS; bin += GROUP)
            table[bin] = 0;
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (uint first = me; first < count; first += LOADED * GROUP) {
            ITEM items[LOADED];
#pragma unroll
            for (uint k = 0; k < LOADED; ++k)
                items[k] = keys[min(first + k * GROUP, count - 1)];
#pragma unroll
            for (uint k = 0; k < LOADED; ++k)
                if (first + k * GROUP < count)
                    COUNT_ITEM(items[k], first);
        }
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (uint bin = me; bin < BINS; bin += GROUP)
            for (uint copy = 1; copy < COPIES; ++copy)
                table[bin] += table[copy * BINS + bin];
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
        narrow(ARGUMENTS table, sums, known);
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
}

// The index of item `at` of a sample of 2^bits items. It is a random one of a range of its own, so that no period of
// the input matters.
static inline INDEX sample_at(const uint at, const uint bits, const INDEX length)
{
    const INDEX begin = (INDEX)((ulong)length * at >> bits), end = (INDEX)((ulong)length * (at + 1) >> bits);
    uint mixed = at * 0x9e3779b9u + 0x7f4a7c15u;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed ^= mixed >> 13;
    return begin + mul_hi(mixed, (uint)(end - begin));
}

// Clears the counts, and finds two keys around those of the ranks `lower` and `upper` in a sample of 2^sample_bits
// items, with at most `enough` keys of the sample between these and the found ones. A rank of the sample's size or more
// stands for the end of all keys. If there are at most SAMPLE items, finds the key of `rank` instead. (With `length` 0
// the sample is empty.) One work-group.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void radix_select(PARAMETERS global ulong *numbers, global uint *counts, global ITEM *sample, const uint clear,
                  const uint lower, const uint upper, const uint enough, const uint rank, const uint sample_bits,
                  const INDEX length)
{
    volatile local uint table[COPIES * BINS];
    local uint sums[SUBGROUPS];
    local ITEM least[GROUP], greatest[GROUP];
    local key_range known;
    const bool is_whole = length <= SAMPLE;
    const uint me = get_local_id(0), count = is_whole ? (uint)length : 1u << sample_bits;
    for (uint i = me; i < clear; i += GROUP)
        counts[i] = 0;
    ITEM low = ~(ITEM)0, high = 0;
    // The loads are far from each other: several of them wait at once.
    for (uint first = me; first < count; first += LOADED * GROUP) {
        ITEM items[LOADED];
#pragma unroll
        for (uint k = 0; k < LOADED; ++k) {
            const uint at = min(first + k * GROUP, count - 1);
            items[k] = LOAD(is_whole ? at : sample_at(at, sample_bits, length));
        }
#pragma unroll
        for (uint k = 0; k < LOADED; ++k) {
            low = min(low, items[k]);
            high = max(high, items[k]);
            if (first + k * GROUP < count)
                sample[first + k * GROUP] = items[k];
        }
    }
    least[me] = low;
    greatest[me] = high;
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        if (me % (2 * distance) == 0 && me + distance < GROUP) {
            least[me] = min(least[me], least[me + distance]);
            greatest[me] = max(greatest[me], greatest[me + distance]);
        }
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
    for (uint side = 0; side < 2; ++side) {
        const uint wanted = is_whole ? rank : side == 0 ? lower : upper;
        if (me == 0) {
            known.low = least[0];
            known.bits = count > 0 ? BITS_OF(greatest[0] - least[0]) : 0;
            known.rank = wanted;
            known.count = wanted < count ? count : 0;
            known.less = 0;
            known.flags = 0;
        }
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
        const uint rounds = side == 0 && is_whole ? 0 : MOST_ROUNDS;
        narrow_alone(ARGUMENTS sample, count, is_whole ? 0 : enough, rounds, table, sums, &known);
        if (me == 0) {
            const ITEM others = ((ITEM)1 << known.bits) - 1, rest = ~(ITEM)0 - known.low;
            const ITEM bound = side == 0 ? known.low : known.low + min(others, rest);
            const ITEM end = side == 0 ? 0 : ~(ITEM)0;
            numbers[side] = wanted < count ? bound : end;
        }
    }
    if (is_whole && me == 0)
        store_range(numbers + PASS_NUMBERS(0), &known);
    RETURN;
}

#elif STAGE == 1

// The smallest number of candidates for which another work-group counts.
#define LEAST_CANDIDATES 4096

// Computes the range before a pass, and counts the items in each part of it.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void radix_select(PARAMETERS global ulong *numbers, volatile global uint *counts, global const ITEM *keys,
                  const uint room, const uint rank, const uint how, const uint pass, const INDEX length)
{
    volatile local uint table[COPIES * BINS];
    local uint sums[SUBGROUPS];
    local key_range known;
    const uint me = get_local_id(0);
    advance(ARGUMENTS numbers, (global const uint *)counts, pass, rank, room, how, (uint)length, table, sums, &known);
    const ITEM low = known.low;
    const uint bits = known.bits, flags = known.flags, shift = PART_SHIFT(bits);
    const uint count = counts[INSIDE_COUNT];
    if (get_group_id(0) == 0 && me == 0)
        store_range(numbers + PASS_NUMBERS(pass), &known);
    // The candidates are divided among few work-groups, because each of them adds a table.
    const uint sharers = min((uint)get_num_groups(0), count / LEAST_CANDIDATES + 1);
    const bool takes_part =
        bits > 0 && ((flags & EQUAL_INSIDE) == 0 || get_group_id(0) < sharers);
    const uint bins = takes_part ? BINS : 0;
    for (uint bin = me; bin < COPIES * bins; bin += GROUP)
        table[bin] = 0;
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (takes_part && (flags & EQUAL_INSIDE)) {
        const uint end = (uint)((ulong)count * (get_group_id(0) + 1) / sharers);
        for (uint i = (uint)((ulong)count * get_group_id(0) / sharers) + me; i < end; i += GROUP) {
            const ITEM item = keys[i];
            COUNT_ITEM(item, i);
        }
    } else if (takes_part) {
        const INDEX tiles = (length + TILE - 1) / TILE;
        FOR_EACH_TILE(tile, tiles) {
            const INDEX begin = tile * TILE, end = min(begin + TILE, length);
            for (INDEX i = begin + me; i < end; i += GROUP) {
                const ITEM item = LOAD(i);
                COUNT_ITEM(item, i);
            }
        }
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (uint bin = me; bin < bins; bin += GROUP) {
        uint all = 0;
        for (uint copy = 0; copy < COPIES; ++copy)
            all += table[copy * BINS + bin];
        if (all > 0)
            atomic_add(&counts[TABLE(pass) + bin], all);
    }
    RETURN;
}

#elif STAGE == 2

// Stores the key of the rank. One work-group.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void radix_select(PARAMETERS OUTPUTS global const ulong *numbers, global const uint *counts, const uint room,
                  const uint rank, const uint how, const uint passes, const INDEX length)
{
    volatile local uint table[BINS];
    local uint sums[SUBGROUPS];
    local key_range known;
    advance(ARGUMENTS numbers, counts, passes, rank, room, how, (uint)length, table, sums, &known);
    if (get_local_id(0) == 0)
        STORE(0, known.low);
    RETURN;
}

#elif STAGE == 3

// Computes the range after the last pass, which is one key. If not all items with the key are wanted, lists the indices of
// those, if they are few candidates, and otherwise counts those of each work-group's share of the input.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void radix_select(PARAMETERS global ulong *numbers, volatile global uint *counts, global const ITEM *keys,
                  global const uint *indices, const uint room, const uint rank, const uint how, const uint passes,
                  global uint *equal, const INDEX length)
{
    volatile local uint table[BINS];
    local uint sums[SUBGROUPS];
    local key_range known;
    const uint me = get_local_id(0);
    advance(ARGUMENTS numbers, (global const uint *)counts, passes, rank, room, how, (uint)length, table, sums, &known);
    if (get_group_id(0) == 0 && me == 0)
        store_range(numbers + PASS_NUMBERS(passes), &known);
    const ITEM key = known.low;
    const bool has_list = HAS_LIST(known);
    const uint candidates = has_list ? counts[INSIDE_COUNT] : 0;
    for (INDEX i = MY_NUMBER; i < candidates; i += WORK_ITEMS)
        if (keys[i] == key)
            equal[get_num_groups(0) + atomic_inc(&counts[LISTED_COUNT])] = indices[i];
    const INDEX end = ARE_ALL_WANTED(known) || has_list ? 0 : CUT(length, get_group_id(0) + 1);
    uint own = 0, all;
    for (INDEX i = CUT(length, get_group_id(0)) + me; i < end; i += GROUP)
        own += LOAD(i) == key ? 1 : 0;
    count_before(ARGUMENTS own, sums, &all);
    if (me == 0)
        equal[get_group_id(0)] = all;
    RETURN;
}

#else

// The number of neighbouring items that a work-item takes at once.
#define AT_ONCE 8

// Stores the items up to the rank, in any order: those with lower keys, and of those with the key of the rank the
// first ones. `passes` is the number of passes before the range of this key.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void radix_select(PARAMETERS global const ulong *numbers, volatile global uint *counts, global const ITEM *keys,
                  global const uint *indices, const uint rank, const uint passes, global const uint *equal,
                  global ITEM *stored_keys, global uint *stored_indices, const INDEX length)
{
    local uint sums[SUBGROUPS];
    local key_range shared;
    const uint me = get_local_id(0);
    if (me == 0)
        load_range(numbers + PASS_NUMBERS(passes), &shared);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    const ITEM key = shared.low;
    const uint last = shared.rank;
    const bool has_less = (shared.flags & LESS_INSIDE) != 0, has_list = HAS_LIST(shared);
    const bool has_equal = has_less && (shared.flags & EQUAL_INSIDE) != 0 && ARE_ALL_WANTED(shared);
    const uint listed = has_list ? counts[LISTED_COUNT] : 0;
#define STORE_ITEM(item, i)                               \
    do {                                                  \
        const uint to = atomic_inc(&counts[STORED_COUNT]); \
        if (to <= rank) {                                 \
            stored_keys[to] = item;                       \
            stored_indices[to] = (uint)(i);               \
        }                                                 \
    } while (0)
    const uint candidates = has_less ? counts[INSIDE_COUNT] : 0;
    for (INDEX i = MY_NUMBER; i < candidates; i += WORK_ITEMS) {
        const ITEM item = keys[i];
        const uint index = indices[i];
        bool is_wanted = item < key || (has_equal && item == key);
        if (has_list && item == key) {
            uint before = 0;
            for (uint other = 0; other < listed; ++other)
                before += equal[get_num_groups(0) + other] < index ? 1 : 0;
            is_wanted = before <= last;
        }
        if (is_wanted)
            STORE_ITEM(item, index);
    }
    // The number of items with the key in the shares of the work-groups before this one.
    uint own = 0, before;
    for (uint other = me; other < get_group_id(0); other += GROUP)
        own += equal[other];
    count_before(ARGUMENTS own, sums, &before);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    const bool is_done = has_equal || has_list || (has_less && before > last);
    const INDEX end = is_done ? 0 : CUT(length, get_group_id(0) + 1);
    for (INDEX begin = CUT(length, get_group_id(0)); begin < end; begin += GROUP * AT_ONCE) {
        const INDEX from = min(begin + me * AT_ONCE, end), to = min(from + AT_ONCE, end);
        uint here = 0, all;
        for (INDEX i = from; i < to; ++i)
            here += LOAD(i) == key ? 1 : 0;
        uint at = before + count_before(ARGUMENTS here, sums, &all);
        for (INDEX i = from; i < to; ++i) {
            const ITEM item = LOAD(i);
            const bool is_equal = item == key;
            if (is_equal ? at <= last : item < key && !has_less)
                STORE_ITEM(item, i);
            at += is_equal ? 1 : 0;
        }
        before += all;
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}

#endif
