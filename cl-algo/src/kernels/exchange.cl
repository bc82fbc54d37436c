// Puts the item of a rank at its position, the lesser ones before it and the greater ones behind it, in place, in three
// launches. Only items on the wrong side are moved. Equal items may lie on both sides.
//
// The items are divided as units.cl says. The suspects of a unit are those of its items that may be on the wrong side:
// all, or what radix_split.cl has left. STAGE 0 gives each suspect a code of one byte, and counts the lesser and equal
// ones of each unit. STAGE 1 exchanges the item in the middle with an equal of the pivot, and computes how many
// misplaced items there are before each unit. STAGE 2 exchanges the misplaced item of each number on one side with that of
// the same number on the other side. The numbers follow from the codes alone, so that the result does not depend on
// the order in which work-groups run. This is Hoare's partition, with the misplaced items numbered beforehand.
//
// Filled in: the input, of keys as unsigned numbers; in STAGE 0 the input PIVOT, the key of rank `middle`; in the
// others the output, which is where the input lies. Values: STAGE. Uses group_count.cl and units.cl.
//
// `units` has two counts for each unit, those of the first side first. After STAGE 1 they are the misplaced items and
// the equal items on the unit's side before it; behind them follow the number of misplaced items on either side, the
// number of equal items that may stay on the first side, and the number of those that must come to it. `certain` has
// the number of items of each unit that are not suspects: the first ones on the first side, the last ones on the second.

#define LESS 0
#define EQUAL 1
#define GREATER 2
// Codes in places without an item, and the code of the middle.
#define NOT_AN_ITEM 3

#define ALL_BYTES 0x0101010101010101ul
// 1 in each byte of a word of codes that equals `code`.
#define BYTES_OF(word, code) \
    (~(((word) ^ ALL_BYTES * (code)) | ((word) ^ ALL_BYTES * (code)) >> 1) & ALL_BYTES)

// The number of bytes below the lowest one that is 1.
#define BYTES_BELOW(bytes) ((uint)popcount(((bytes) & -(bytes)) - 1) / 8)

// A unit's suspects, and the place of the first one's code, a multiple of 8. Units below `pairs` are of the first side.
#define UNIT_BEGIN(unit) \
    ((unit) < pairs ? FIRST_BEGIN(unit) + certain[unit] : SECOND_BEGIN((unit) - pairs))
#define UNIT_END(unit) \
    ((unit) < pairs ? FIRST_BEGIN((unit) + 1) : SECOND_BEGIN((unit) - pairs + 1) - certain[unit])
#define CODES_OF(share) (((size_t)(share) + 7) / 8 * 8)
#define CODE_AT(unit)                                                                   \
    ((unit) < pairs ? CODES_OF(first_share) * (unit)                                    \
                    : CODES_OF(first_share) * pairs + CODES_OF(second_share) * ((unit) - pairs))

// Of the first `count` equal items on a side, the number of misplaced ones.
#define MISPLACED_EQUALS(side, count) \
    ((side) ? min((uint)(count), entering) : max((uint)(count), staying) - staying)
// The code of the items that are misplaced on a side whatever their number is.
#define STRICT_CODE(side) ((side) ? LESS : GREATER)

#if STAGE == 0

// A work-group codes the suspects of one unit after the other. The last codes of a unit are followed by codes without an
// item up to a multiple of 8. The item in the middle is always a suspect. If `is_split`, `numbers` has the two keys of the
// sample, and if the pivot does not lie between these, all items are suspects.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void exchange(PARAMETERS global uchar *restrict codes, global uint *restrict units, global uint *restrict certain,
              global const ulong *restrict numbers, const uint is_split, const uint pairs, const INDEX first_share,
              const INDEX second_share, const INDEX middle, const INDEX length)
{
    local uint sums[SUBGROUPS];
    const uint me = get_local_id(0);
    const ITEM pivot = PIVOT_LOAD(0);
    const bool are_few = is_split && (ITEM)numbers[0] <= pivot && pivot <= (ITEM)numbers[1];
    for (uint unit = get_group_id(0); unit < 2 * pairs; unit += get_num_groups(0)) {
        const bool side = unit >= pairs;
        const INDEX from = side ? SECOND_BEGIN(unit - pairs) : FIRST_BEGIN(unit);
        const uint size = (uint)((side ? SECOND_BEGIN(unit - pairs + 1) : FIRST_BEGIN(unit + 1)) - from);
        const uint kept = are_few ? min(certain[unit], unit == pairs && size > 0 ? size - 1 : size) : 0;
        const INDEX begin = side ? from : from + kept;
        global uchar *const to = codes + CODE_AT(unit);
        const uint count = size - kept;
        uint less = 0, not_greater = 0, all_less, all_not_greater;
#if CHUNKED
        for (uint k = 0; k < count; ++k) {
            const ITEM item = LOAD(begin + k);
            const uint is_less = item < pivot ? 1 : 0, is_not_greater = item <= pivot ? 1 : 0;
            to[k] = (uchar)(2 - is_less - is_not_greater);
            less += is_less;
            not_greater += is_not_greater;
        }
#else
        for (uint first = me; first < count; first += 8 * GROUP) {
            ITEM items[8];
#pragma unroll
            for (uint k = 0; k < 8; ++k)
                items[k] = LOAD(begin + min(first + k * GROUP, count - 1));
#pragma unroll
            for (uint k = 0; k < 8; ++k) {
                const uint is_less = items[k] < pivot ? 1 : 0, is_not_greater = items[k] <= pivot ? 1 : 0;
                if (first + k * GROUP < count) {
                    to[first + k * GROUP] = (uchar)(2 - is_less - is_not_greater);
                    less += is_less;
                    not_greater += is_not_greater;
                }
            }
        }
#endif
        for (uint k = count + me; k < (count + 7) / 8 * 8; k += GROUP)
            to[k] = NOT_AN_ITEM;
        count_before(ARGUMENTS less, sums, &all_less);
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
        count_before(ARGUMENTS not_greater, sums, &all_not_greater);
        if (me == 0) {
            units[2 * unit] = all_less;
            units[2 * unit + 1] = all_not_greater - all_less;
            certain[unit] = kept;
        }
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    RETURN;
}

#elif STAGE == 1

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void exchange(PARAMETERS OUTPUTS global uchar *codes, global uint *units, global const uint *certain,
              const uint pairs, const INDEX first_share, const INDEX second_share, const INDEX middle,
              const INDEX length)
{
    local uint sums[SUBGROUPS];
    local uint first_unit, first;
    const uint me = get_local_id(0), count = 2 * pairs;
    if (me == 0) {
        first_unit = count - 1;
        first = 0xffffffffu;
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (uint unit = me; unit < count; unit += GROUP) {
        if (units[2 * unit + 1] > 0) {
            atomic_min(&first_unit, unit);
            break;
        }
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    // The first item that equals the pivot takes the place in the middle.
    const uint holder = first_unit;
    const INDEX begin = UNIT_BEGIN(holder);
    const size_t from = CODE_AT(holder);
    const uint words = ((uint)(UNIT_END(holder) - begin) + 7) / 8;
    for (uint at = me; at < words; at += GROUP) {
        const ulong word = ((global const ulong *)(codes + from))[at];
        const ulong equals = BYTES_OF(word, EQUAL);
        if (equals != 0) {
            atomic_min(&first, 8 * at + BYTES_BELOW(equals));
            break;
        }
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
        const INDEX found = begin + min(first, 8 * words - 1);
        const size_t seat = CODE_AT(pairs), left = from + (found - begin);
        const uint code = codes[seat];
        if (found != middle) {
            const ITEM item = LOAD(middle), equal = LOAD(found);
            STORE(found, item);
            STORE(middle, equal);
        }
        codes[left] = (uchar)code;
        codes[seat] = NOT_AN_ITEM;
        // The item of the middle leaves its unit. The item that was there takes the place of the equal one.
        units[2 * holder + 1] -= 1;
        units[2 * holder] += code == LESS ? 1 : 0;
        units[2 * holder + 1] += code == EQUAL ? 1 : 0;
        units[2 * pairs] -= code == LESS ? 1 : 0;
        units[2 * pairs + 1] -= code == EQUAL ? 1 : 0;
    }
    GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE);
    const uint each = (count + GROUP - 1) / GROUP, own = min(me * each, count), own_end = min(own + each, count);
    uint less = 0, strict = 0, equal = 0, behind = 0, behind_equal = 0;
    for (uint unit = own; unit < own_end; ++unit) {
        const uint lesser = units[2 * unit], equals = units[2 * unit + 1];
        less += lesser;
        if (unit < pairs) {
            less += certain[unit];
            strict += (uint)(UNIT_END(unit) - UNIT_BEGIN(unit)) - lesser - equals;
            equal += equals;
        } else {
            behind += lesser;
            behind_equal += equals;
        }
    }
    uint all_less, all_strict, all_equal, all_behind, unused;
    count_before(ARGUMENTS less, sums, &all_less);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    strict = count_before(ARGUMENTS strict, sums, &all_strict);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    equal = count_before(ARGUMENTS equal, sums, &all_equal);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    behind = count_before(ARGUMENTS behind, sums, &all_behind);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    behind_equal = count_before(ARGUMENTS behind_equal, sums, &unused);
    // The places on the first side that lesser items do not need.
    const uint places = (uint)middle - all_less;
    const uint staying = min(places, all_equal), entering = places - staying;
    for (uint unit = own; unit < own_end; ++unit) {
        const uint lesser = units[2 * unit], equals = units[2 * unit + 1];
        const bool side = unit >= pairs;
        const uint known = side ? behind : strict, before_it = side ? behind_equal : equal;
        units[2 * unit] = known + MISPLACED_EQUALS(side, before_it);
        units[2 * unit + 1] = before_it;
        if (side) {
            behind += lesser;
            behind_equal += equals;
        } else {
            strict += (uint)(UNIT_END(unit) - UNIT_BEGIN(unit)) - lesser - equals;
            equal += equals;
        }
    }
    if (me == 0) {
        units[2 * count] = all_strict + (max(all_equal, staying) - staying);
        units[2 * count + 1] = staying;
        units[2 * count + 2] = entering;
    }
    RETURN;
}

#else

// The number of codes that a work-group looks at in one step.
#if CHUNKED
#define STEP 1024
#else
#define STEP (8 * GROUP)
#endif
// The room for a step's misplaced items. CPUs store eight at once.
#define LISTED_STEP (STEP + 8)

// Returns the last of the units from `first` to `last` that has at most `rank` misplaced items before it.
static inline uint find_unit(global const uint *units, const uint first, const uint last, const uint rank)
{
    uint low = first, high = last;
    while (low < high) {
        const uint half_way = low + (high - low + 1) / 2;
        if (units[2 * half_way] <= rank)
            low = half_way;
        else
            high = half_way - 1;
    }
    return low;
}

// Returns 1 in each byte of a word of codes that belongs to a misplaced item. There are `before` equal items before it.
static inline ulong misplaced_of(const ulong word, const bool side, const uint staying, const uint entering,
                                 const uint before)
{
    const ulong strict = BYTES_OF(word, STRICT_CODE(side)), equal = BYTES_OF(word, EQUAL);
    const uint limit = side ? entering : staying, behind = before + popcount(equal);
    if (behind <= limit)
        return strict | (side ? equal : 0);
    if (before >= limit)
        return strict | (side ? 0 : equal);
    ulong others = equal;
    for (uint k = before; k < limit; ++k)
        others &= others - 1;
    return strict | (side ? equal ^ others : others);
}

// Lists the misplaced items of a step, of which `words` times 8 codes remain on this side, and returns their number.
// `equals` is the number of equal items before the step, and afterwards of those before its end.
static inline uint list_step(PARAMETERS global const ulong *codes, const uint words, const bool side,
                             const uint staying, const uint entering, uint *equals, local ushort *listed,
                             local uint *sums, local const ushort *table)
{
    const uint known = *equals;
#if CHUNKED
    uint count = 0, equal = known;
    for (uint at = 0; at < min(words, (uint)(STEP / 8)); ++at) {
        const ulong word = codes[at], misplaced = misplaced_of(word, side, staying, entering, equal);
        // The low bits of all bytes, in one byte.
        const uint row = (uint)(misplaced * 0x0102040810204080ul >> 56);
        vstore8(vload8(row, table) + (ushort8)(8 * at), 0, listed + count);
        count += popcount(row);
        equal += popcount(BYTES_OF(word, EQUAL));
    }
    *equals = equal;
    return count;
#else
    const uint me = get_local_id(0), misplaced_before = MISPLACED_EQUALS(side, known);
    const ulong word = me < words ? codes[me] : ALL_BYTES * NOT_AN_ITEM;
    const uint strict = popcount(BYTES_OF(word, STRICT_CODE(side))), equal = popcount(BYTES_OF(word, EQUAL));
    uint all;
    const uint ahead = count_before(ARGUMENTS strict + (equal << 16), sums, &all);
    const uint equal_before = known + (ahead >> 16);
    uint at = (ahead & 0xffff) + MISPLACED_EQUALS(side, equal_before) - misplaced_before;
    for (ulong left = misplaced_of(word, side, staying, entering, equal_before); left != 0; left &= left - 1)
        listed[at++] = (ushort)(8 * me + BYTES_BELOW(left));
    *equals = known + (all >> 16);
    return (all & 0xffff) + MISPLACED_EQUALS(side, *equals) - misplaced_before;
#endif
}

// A work-group takes one unit of the first side after the other. It goes through the unit step by step, and through the
// units of the second side where the misplaced items have the same numbers. Each turn lists the items of one step, on
// the side whose list is used up, and exchanges as many items as both lists have. All work-items of a group compute the
// same numbers.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void exchange(PARAMETERS OUTPUTS global const uchar *codes, global const uint *units, global const uint *certain,
              const uint pairs, const INDEX first_share, const INDEX second_share, const INDEX middle,
              const INDEX length)
{
    local uint sums[SUBGROUPS];
    local ushort listed[2 * LISTED_STEP];
    const uint me = get_local_id(0);
#if CHUNKED
    // For each set of eight items, their numbers, the lowest first.
    local ushort table[256 * 8];
    for (uint row = 0; row < 256; ++row) {
        uint found = 0;
        for (uint k = 0; k < 8; ++k) {
            table[8 * row + found] = (ushort)k;
            found += row >> k & 1;
        }
        for (; found < 8; ++found)
            table[8 * row + found] = 0;
    }
#else
    local ushort *const table = listed;
#endif
    const uint count = 2 * pairs;
    const uint all = units[2 * count], staying = units[2 * count + 1], entering = units[2 * count + 2];
    for (uint unit = get_group_id(0); unit < pairs; unit += get_num_groups(0)) {
        const uint last_rank = unit + 1 == pairs ? all : units[2 * unit + 2];
        uint rank = units[2 * unit];
        // For the first side and the second one: the unit, the codes of it that were looked at, the equal items before
        // these, and the list's number of items, first code and next item.
        uint at_unit[2] = { unit, 0 }, looked[2] = { 0, 0 }, equals[2] = { units[2 * unit + 1], 0 };
        uint size[2] = { 0, 0 }, from[2] = { 0, 0 }, next[2] = { 0, 0 }, skipped = 0;
        bool has_unit = false;
        // More turns than there are steps, in case that something else writes to the items meanwhile.
        uint turns = (uint)((length + first_share) / STEP) + count + 2;
        for (; rank < last_rank && turns > 0; --turns) {
            const uint side = next[0] < size[0] ? 1 : 0;
            if (side) {
                const uint present = has_unit ? (uint)(UNIT_END(at_unit[1]) - UNIT_BEGIN(at_unit[1])) : 0;
                if (!has_unit || looked[1] >= present) {
                    at_unit[1] = find_unit(units, pairs, count - 1, rank);
                    equals[1] = units[2 * at_unit[1] + 1];
                    skipped = rank - units[2 * at_unit[1]];
                    looked[1] = 0;
                    has_unit = true;
                }
            }
            const uint present = (uint)(UNIT_END(at_unit[side]) - UNIT_BEGIN(at_unit[side]));
            const uint words = (present + 7) / 8 - min(looked[side] / 8, (present + 7) / 8);
            from[side] = looked[side];
            uint before_step = equals[side];
            global const ulong *const step = (global const ulong *)(codes + CODE_AT(at_unit[side]) + looked[side]);
            size[side] = list_step(ARGUMENTS step, words, side, staying, entering, &before_step,
                                   listed + side * LISTED_STEP, sums, table);
            equals[side] = before_step;
            looked[side] += STEP;
            next[side] = side ? min(skipped, size[1]) : 0;
            skipped -= side ? next[1] : 0;
            GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
            const uint exchanged = min(min(size[0] - next[0], size[1] - next[1]), last_rank - rank);
            const INDEX first_begin = UNIT_BEGIN(unit) + from[0];
            const INDEX second_begin = has_unit ? UNIT_BEGIN(at_unit[1]) + from[1] : 0;
            for (uint k = me; k < exchanged; k += GROUP) {
                const INDEX i = first_begin + listed[next[0] + k];
                const INDEX j = second_begin + listed[LISTED_STEP + next[1] + k];
                const ITEM here = LOAD(i), there = LOAD(j);
                STORE(i, there);
                STORE(j, here);
            }
            next[0] += exchanged;
            next[1] += exchanged;
            rank += exchanged;
            GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
        }
    }
    RETURN;
}

#endif
