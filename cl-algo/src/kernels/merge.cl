// Merges sorted sequences. Uses merge_path.cl, merge_agree.cl and merge_local.cl.
//
//   tiled   (GPUs)  a work-group merges one tile. It loads its items into local memory, where each work-item
//                   merges PACKS items, an odd number so that banks do not collide. The merged items return to
//                   local memory, from which neighbouring work-items store neighbouring items.
//   chunked (CPUs)  a work-item merges a contiguous chunk of the output, directly from memory

#if CHUNKED

// Returns the part of a pair that this work-group merges. The pair is cut in two at the beginning of the middle
// work-group's share, then the half that contains this work-group's share is cut again, and so on. All work-groups
// compute the same cuts, so their parts fit together.
static inline pair_of_runs part_of_group(PARAMETERS const pair_of_runs whole, const INDEX total)
{
    pair_of_runs pair = whole;
    for (uint low = 0, high = get_num_groups(0); high - low > 1;) {
        const uint middle = low + (high - low) / 2;
        const INDEX at = CUT(total, middle), size = pair.a_length + pair.b_length;
        const bool is_before = get_group_id(0) < middle;
        if (at > pair.begin && at - pair.begin < size) {
            const INDEX diagonal = at - pair.begin, cut = merge_path(ARGUMENTS pair, diagonal);
            pair = is_before ? part_of_pair(pair, 0, 0, diagonal, cut)
                             : part_of_pair(pair, diagonal, cut, size, pair.a_length);
        }
        low = is_before ? low : middle;
        high = is_before ? middle : high;
    }
    return pair;
}

// Merges from both ends at once, because the two merges do not wait for each other. As long as both sequences have
// items left at both ends, no jump depends on data: an unpredictable jump costs more than it saves. On one core of
// an EPYC, 2^24 u32: 1.2 ns an item, and 2.4 from one end alone.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS)
{
    const INDEX total = PAIRS_TOTAL;
    const INDEX end = CUT(total, get_group_id(0) + 1);
    for (INDEX at = CUT(total, get_group_id(0)); at < end;) {
        const pair_of_runs pair = part_of_group(ARGUMENTS PAIR_AT(at), total);
        INDEX i = pair.a, a_end = i + pair.a_length;
        INDEX j = pair.b, b_end = j + pair.b_length;
        const INDEX next = at + pair.a_length + pair.b_length;
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
    RETURN;
}

#else

// The item that belongs at an index of the tile in local memory. Both sorted runs of a pair are in the input A, so
// one load at a chosen index is enough.
#if RUNS
#define ITEM_AT(at) A_LOAD((at) < a_count ? a + (at) : b + (count - 1 - (at)))
#else
#define ITEM_AT(at) ((at) < a_count ? A_LOAD(a + (at)) : B_LOAD(b + (count - 1 - (at))))
#endif

// Makes the cuts of a pair consistent that contradict each other, and returns the cut before a tile of the pair.
// `cuts` begins with the cut before the first of `tiles` tiles.
//
// The cut in the middle is moved as little as lets both halves have their items, then the cut in the middle of the
// half that contains the tile, and so on. All work-groups move the same cuts. Then between two cuts both sequences
// together have exactly the items of the output there, so that no item is lost or doubled.
static inline INDEX consistent_cut(
    global const ulong *restrict cuts,
    const INDEX tiles,
    const INDEX tile,
    const INDEX a_length,
    const INDEX total)
{
    INDEX low = 0, high = tiles, low_cut = 0, high_cut = a_length;
    while (low < tile && tile < high) {
        const INDEX middle = low + (high - low) / 2, at = middle * TILE_PACKS;
        const INDEX before = at - low * TILE_PACKS, after = (high < tiles ? high * TILE_PACKS : total) - at;
        const INDEX length = high_cut - low_cut;
        const INDEX cut =
            clamp((INDEX)cuts[middle], high_cut - min(length, after), low_cut + min(length, before));
        const bool is_behind = tile < middle;
        low = is_behind ? low : middle;
        low_cut = is_behind ? low_cut : cut;
        high = is_behind ? middle : high;
        high_cut = is_behind ? cut : high_cut;
    }
    return low < tile ? high_cut : low_cut;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge(PARAMETERS OUTPUTS PAIRS, global const ulong *restrict cuts, volatile global ulong *contradiction,
           const uint epoch)
{
    local A_ITEM shared[TILE_PACKS];
    const uint me = get_local_id(0);
    const INDEX tile = get_group_id(0), begin = tile * TILE_PACKS;
    const pair_of_runs pair = PAIR_AT(begin);
    const INDEX diagonal = begin - pair.begin, total = pair.a_length + pair.b_length;
    const uint count = (uint)min((INDEX)TILE_PACKS, total - diagonal);

    local uint cuts_here[GROUP], disagree;
    const bool is_last = diagonal + count == total;
    INDEX from = (INDEX)cuts[tile], to = is_last ? pair.a_length : (INDEX)cuts[tile + 1];
    if (*contradiction == epoch) {
        const INDEX before = pair.begin / TILE_PACKS, tiles = (total + (TILE_PACKS - 1)) / TILE_PACKS;
        from = consistent_cut(cuts + before, tiles, tile - before, pair.a_length, total);
        to = consistent_cut(cuts + before, tiles, tile - before + 1, pair.a_length, total);
    }
    const uint a_count = (uint)(to - from);
    const INDEX a = pair.a + from, b = pair.b + (diagonal - from);

    A_ITEM item[PACKS];
    // The items of b are stored backwards: see merge_local.cl. Whole tiles compare only with the end of a, and all
    // of their loads are in flight before the first item is stored.
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

    const uint mine = min(me * PACKS, count);
    merge_local(ARGUMENTS shared, cuts_here, &disagree, 0, GROUP, a_count, count - a_count, mine, item);
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
    RETURN;
}

#endif
