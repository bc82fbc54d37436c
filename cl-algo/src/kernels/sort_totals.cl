// Counts how often each digit of each pass occurs in all keys, in one read of them, and computes the indices at
// which the digits' items begin. Uses sort_items.cl.
//
// Values: STAGE, 0 to count, from pass `first` on, and 1 to sum up; FENCE, see last_group.cl: with a fence, the work-group
// that finishes counting last sums up, and there is no other stage; COPIES, the number of counters of a digit:
// neighbouring work-items use different ones, so that fewer of them wait for each other; SEGMENTED, 1 if the digits of
// long segments are counted, of each by itself. A work-group then counts one tile of sort_sweep.cl's table, and the
// counts of a segment, of all passes, are those of its first tile. The second launch replaces them by the indices.
//
// Without segments, a count is kept in two words of 32 bits, the sum and the number of its overflows, because not every device has
// 64-bit atomic additions. All words are 0 before the first launch and after the last.

// The number of passes that are counted at once, each with a table in local memory.
#define PASSES_AT_ONCE 4

#if SEGMENTED
#define TILES \
    global const uint *restrict segment_begins, global const uint *restrict segment_ends, \
        global const uint *restrict heads,
#endif

#if STAGE == 0

#if FENCE
#define SUMS global ulong *begins, volatile global uint *arrived,
#else
#define SUMS
#endif

// The shift and the mask of a pass, in a byte each.
#define SHIFT(digits, pass) ((uint)((digits) >> (16 * (pass))) & 255u)
#define MASK(digits, pass) ((uint)((digits) >> (16 * (pass) + 8)) & 255u)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_totals(PARAMETERS global const KEY *restrict keys, volatile global uint *counts, SUMS const ulong flip,
                 const ulong digits, const uint first, const uint passes,
#if SEGMENTED
                 TILES const uint size, const uint all_passes,
#endif
                 const INDEX length)
{
    local uint table[PASSES_AT_ONCE][BINS * COPIES] __attribute__((aligned(8)));
    const uint me = get_local_id(0), column = me % COPIES;
#if SEGMENTED
    const uint tile = get_group_id(0), head = heads[tile], segment_end = segment_ends[tile];
    const INDEX stride = GROUP, begin = segment_begins[tile] + (INDEX)(tile - head) * size;
    const INDEX behind = min(begin + size, (INDEX)segment_end);
#else
    const INDEX stride = (INDEX)get_num_groups(0) * GROUP, begin = 0, behind = length;
#endif
    // The number of keys between two sums, at most as many as a word can count.
    const INDEX most = (INDEX)1 << 30;
    for (INDEX from = begin; from < behind; from += most) {
        for (uint at = me; at < PASSES_AT_ONCE * BINS * COPIES; at += GROUP)
            table[at / (BINS * COPIES)][at % (BINS * COPIES)] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const INDEX end = min(most, behind - from);
#if SEGMENTED
        INDEX i = me;
#else
        INDEX i = (INDEX)get_group_id(0) * GROUP + me;
#endif
        for (; i + (PACKS - 1) * stride < end; i += PACKS * stride) {
            // All loads are in flight before the first key is counted.
            KEY number[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                number[k] = ordered(keys[from + i + k * stride], flip);
#pragma unroll
            for (uint pass = 0; pass < PASSES_AT_ONCE; ++pass) {
                const uint shift = SHIFT(digits, pass), mask = MASK(digits, pass);
                if (pass < passes) {
#pragma unroll
                    for (uint k = 0; k < PACKS; ++k)
                        atomic_inc(&table[pass][DIGIT(number[k]) * COPIES + column]);
                }
            }
        }
        for (; i < end; i += stride) {
            const KEY number = ordered(keys[from + i], flip);
            for (uint pass = 0; pass < passes; ++pass) {
                const uint shift = SHIFT(digits, pass), mask = MASK(digits, pass);
                atomic_inc(&table[pass][DIGIT(number) * COPIES + column]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint at = me; at < passes * BINS; at += GROUP) {
            uint count = 0;
            // Neighbouring work-items begin in different banks.
            for (uint copy = 0; copy < COPIES; ++copy)
                count += table[at / BINS][at % BINS * COPIES + (copy + at) % COPIES];
#if SEGMENTED
            if (count > 0)
                atomic_add(&counts[((size_t)head * all_passes + first) * BINS + at], count);
#else
            const uint to = 2 * (first * BINS + at);
            if (count > 0 && atomic_add(&counts[to], count) > UINT_MAX - count)
                atomic_inc(&counts[to + 1]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#if FENCE
    local uint last;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!is_last_group(arrived, &last))
        RETURN;
    if (me == 0)
        *arrived = 0;
    // A pass for each BINS work-items, at most two at once, because the sums are twice as long as the counters.
    const uint rows = min((uint)GROUP / BINS, 2u), row = me / BINS, digit = me % BINS;
    local ulong *const sum = (local ulong *)table;
    for (uint from = 0; from < passes; from += rows) {
        const bool is_mine = row < rows && from + row < passes;
        const uint at = (first + from + row) * BINS + digit;
        ulong count = 0;
        if (is_mine) {
            count = counts[2 * at] + ((ulong)counts[2 * at + 1] << 32);
            counts[2 * at] = counts[2 * at + 1] = 0;
            sum[me] = count;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint distance = 1; distance < BINS; distance *= 2) {
            const ulong below = is_mine && digit >= distance ? sum[me - distance] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (is_mine)
                sum[me] += below;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (is_mine)
            begins[at] = sum[me] - count;
    }
#endif
    RETURN;
}

#elif SEGMENTED

// One work-group for each tile. Only the first tile of a segment has something to do.
kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void sort_totals(PARAMETERS global uint *counts, TILES const uint all_passes)
{
    local uint room[BINS];
    const uint digit = get_local_id(0), tile = get_group_id(0), begin = segment_begins[tile];
    const uint passes = heads[tile] == tile && begin < segment_ends[tile] ? all_passes : 0;
    for (uint pass = 0; pass < passes; ++pass) {
        const size_t at = ((size_t)tile * all_passes + pass) * BINS + digit;
        const uint count = counts[at];
        room[digit] = count;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint distance = 1; distance < BINS; distance *= 2) {
            const uint below = digit >= distance ? room[digit - distance] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            room[digit] += below;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        counts[at] = begin + room[digit] - count;
    }
    RETURN;
}

#else

// One work-group for each pass.
kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void sort_totals(PARAMETERS global uint *counts, global ulong *begins)
{
    local ulong room[BINS];
    const uint digit = get_local_id(0), at = (uint)get_group_id(0) * BINS + digit;
    const ulong count = counts[2 * at] + ((ulong)counts[2 * at + 1] << 32);
    counts[2 * at] = counts[2 * at + 1] = 0;
    room[digit] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < BINS; distance *= 2) {
        const ulong below = digit >= distance ? room[digit - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        room[digit] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    begins[at] = room[digit] - count;
    RETURN;
}

#endif
