// Merges sorted sequences, behind merge_path.cl and merge_local.cl.
//
//   tiled   (GPUs)  a work-group merges one tile: it stages its items in local memory, where each
//                   work-item merges a run of PACKS, an odd number so that banks do not collide, and
//                   writes the result from there, neighbours by neighbours
//   chunked (CPUs)  a work-item merges a contiguous chunk of the output, straight from memory
//
// Value: SEARCHES, whether each work-group of a GPU searches for its own cuts: it makes a launch less, and
// waits for few steps, but reads far more than merge_cuts.cl. Where there are more work-groups than the
// device holds at once, that is what takes time.

#if CHUNKED

// From both ends at once, because the two do not wait for each other, and without a jump that depends
// on data as long as both sequences have items left at both ends: a jump that cannot be foretold costs
// more than what it avoids. On one core of an EPYC, 2^24 u32: 1.2 ns an item, 2.4 from one end alone.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS)
{
    const INDEX total = PAIRS_TOTAL;
    const INDEX end = CUT(total, get_group_id(0) + 1);
    for (INDEX at = CUT(total, get_group_id(0)); at < end;) {
        const pair_of_runs pair = PAIR_AT(at);
        const INDEX length = pair.a_length + pair.b_length;
        const INDEX diagonal = at - pair.begin, count = min(end - at, length - diagonal);
        const bool is_last = diagonal + count == length;
        const INDEX from = merge_path(ARGUMENTS pair, diagonal);
        // Held between the ends of the chunk, whatever a comparator that is no order did to the search.
        const INDEX cut = is_last ? pair.a_length : merge_path(ARGUMENTS pair, diagonal + count);
        const INDEX to = clamp(cut, from, from + count);

        INDEX i = pair.a + from, a_end = pair.a + to;
        INDEX j = pair.b + (diagonal - from), b_end = pair.b + (diagonal + count - to);
        const INDEX next = at + count;
        INDEX back = next;
        for (;;) {
            const INDEX steps = min(a_end - i, b_end - j) / 2;
            if (steps == 0)
                break;
            for (INDEX step = 0; step < steps; ++step) {
                const A_ITEM a = A_LOAD(i), b = B_LOAD(j), y = A_LOAD(a_end - 1), z = B_LOAD(b_end - 1);
                const bool second = LESS(b, a), first = LESS(z, y);
                STORE(at, second ? b : a);
                ++at;
                i += !second;
                j += second;
                --back;
                STORE(back, first ? y : z);
                a_end -= first;
                b_end -= !first;
            }
        }
        while (i < a_end && j < b_end) {
            const A_ITEM a = A_LOAD(i), b = B_LOAD(j);
            const bool second = LESS(b, a);
            STORE(at, second ? b : a);
            ++at;
            i += !second;
            j += second;
        }
        for (; i < a_end; ++at, ++i)
            STORE(at, A_LOAD(i));
        for (; j < b_end; ++at, ++j)
            STORE(at, B_LOAD(j));
        at = next;
    }
}

#else

#if SEARCHES

// Each half of the work-group searches for one end of its tile: a place for each work-item in a step.
#define PLACES (GROUP / 2)

typedef struct {
    // The cut of each end: as many items of the first sequence, or up to so many more.
    INDEX least[2], more[2];
    uint below[2]; // how many of a step's places lie below the cut
} cut_search;

static inline void search_cuts(PARAMETERS const pair_of_runs pair, const INDEX diagonal, const uint end,
                               local cut_search *search)
{
    const uint place = get_local_id(0) % PLACES;
    if (place == 0) {
        search->least[end] = diagonal - min(diagonal, pair.b_length);
        search->more[end] = min(diagonal, pair.a_length) - search->least[end];
        search->below[end] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while ((search->more[0] | search->more[1]) > 0) {
        const INDEX least = search->least[end], more = search->more[end];
        const INDEX step = (more + PLACES - 1) / PLACES, behind = (place + 1) * step;
        if (more > 0 && behind <= more) {
            const INDEX i = least + behind - 1;
            const A_ITEM a = A_LOAD(pair.a + i), b = B_LOAD(pair.b + (diagonal - 1 - i));
            if (!LESS(b, a))
                atomic_inc(&search->below[end]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place == 0 && more > 0) {
            const INDEX passed = search->below[end] * step;
            search->least[end] = least + passed;
            search->more[end] = min(step - 1, more - passed);
            search->below[end] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#define CUTS

#else
#define CUTS , global const ulong *restrict cuts
#endif

// What belongs to a place of the tile in local memory. Runs are of one sequence, and need one load for both.
#if RUNS
#define ITEM_AT(at) A_LOAD((at) < a_count ? a + (at) : b + (count - 1 - (at)))
#else
#define ITEM_AT(at) ((at) < a_count ? A_LOAD(a + (at)) : B_LOAD(b + (count - 1 - (at))))
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS CUTS)
{
    local A_ITEM shared[TILE_PACKS];
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0), begin = tile * TILE_PACKS;
    const pair_of_runs pair = PAIR_AT(begin);
    const INDEX diagonal = begin - pair.begin, total = pair.a_length + pair.b_length;
    const uint count = (uint)min((INDEX)TILE_PACKS, total - diagonal);

    // Held between the ends of the tile, whatever a comparator that is no order did to the search.
#if SEARCHES
    local cut_search search;
    const uint end = get_local_id(0) / PLACES;
    search_cuts(ARGUMENTS pair, end == 0 ? diagonal : diagonal + count, end, &search);
    const INDEX from = search.least[0], to = clamp(search.least[1], from, from + count);
#else
    const bool is_first = diagonal == 0, is_last = diagonal + count == total;
    const INDEX from = is_first ? 0 : (INDEX)cuts[tile];
    const INDEX to = clamp(is_last ? pair.a_length : (INDEX)cuts[tile + 1], from, from + count);
#endif
    const uint a_count = (uint)(to - from);
    const INDEX a = pair.a + from, b = pair.b + (diagonal - from);

    A_ITEM item[PACKS];
    // The items of b backwards: see merge_local.cl. Whole tiles ask for nothing but where a ends, and all of their
    // loads are in flight before the first item is stored.
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = ITEM_AT(k * GROUP + me);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            shared[at] = ITEM_AT(at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    merge_local(ARGUMENTS shared, a_count, count - a_count, min(me * PACKS, count), item);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[me * PACKS + k] = item[k];
    } else {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            if (me * PACKS + k < count)
                shared[me * PACKS + k] = item[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE_PACKS) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            STORE(begin + (k * GROUP + me), shared[k * GROUP + me]);
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            STORE(begin + at, shared[at]);
    }
}

#endif
