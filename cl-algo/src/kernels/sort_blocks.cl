// Sorts the tiles of its input, each separately and stably. Uses merge_agree.cl and merge_local.cl. merge.cl then
// merges the sorted tiles.
//
//   tiled   (GPUs)  each work-item sorts PACKS items in registers, by exchanges of neighbours; then the sorted
//                   runs of a work-group are merged pairwise in local memory
//   chunked (CPUs)  the same in private memory: sorted runs of BASE items by exchanges of neighbours, then merges
//                   from both ends at once
//
// Filled in: the input A; the comparator LESS.

#if CHUNKED

#define BASE 8

// Merges two sorted runs of the same length, which lie one after the other. Half of the items are written from the
// front and half from the back. This needs no check for ends: either half is complete before a run ends. The two
// halves do not wait for each other. They meet if the comparator is a strict weak order. Returns whether they do;
// if not, some items were written twice and others are missing.
static inline bool merge_both_ends(PARAMETERS local const A_ITEM *from, local A_ITEM *to, const int width)
{
    int i = 0, j = width, p = width - 1, q = 2 * width - 1;
    for (int k = 0; k < width; ++k) {
        const A_ITEM a = from[i], b = from[j], y = from[p], z = from[q];
        const bool second = LESS(b, a), first = LESS(z, y);
        to[k] = second ? b : a;
        i += !second;
        j += second;
        to[2 * width - 1 - k] = first ? y : z;
        p -= first;
        q -= !first;
    }
    return i == p + 1;
}

// Merges from one end alone, for an incomplete last pair, and for any comparator.
static inline void merge_rest(
    PARAMETERS local const A_ITEM *from,
    local A_ITEM *to,
    const int width,
    const int length)
{
    int i = 0, j = min(width, length);
    const int middle = j;
    for (int k = 0; k < length; ++k) {
        const bool second = j < length && (i >= middle || LESS(from[j], from[i]));
        to[k] = from[second ? j : i];
        i += !second;
        j += second;
    }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_blocks(PARAMETERS OUTPUTS const INDEX length)
{
    local A_ITEM shared[2 * TILE_PACKS];
    const INDEX tiles = (length + TILE - 1) / TILE;

    FOR_EACH_TILE(tile, tiles) {
        const INDEX begin = tile * TILE;
        const int count = (int)min(TILE, length - begin);
        local A_ITEM *from = shared, *to = shared + TILE_PACKS;
        int done = 0;
        for (; done + BASE <= count; done += BASE) {
            A_ITEM item[BASE];
#pragma unroll
            for (int k = 0; k < BASE; ++k)
                item[k] = A_LOAD(begin + done + k);
#pragma unroll
            for (int round = 0; round < BASE; ++round)
#pragma unroll
                for (int k = round % 2; k + 1 < BASE; k += 2)
                    ORDER(item[k], item[k + 1])
#pragma unroll
            for (int k = 0; k < BASE; ++k)
                from[done + k] = item[k];
        }
        for (int k = done; k < count; ++k) {
            const A_ITEM item = A_LOAD(begin + k);
            int place = k;
            for (; place > done && LESS(item, from[place - 1]); --place)
                from[place] = from[place - 1];
            from[place] = item;
        }
        for (int width = BASE; width < count; width *= 2) {
            int at = 0;
            for (; at + 2 * width <= count; at += 2 * width)
                if (!merge_both_ends(ARGUMENTS from + at, to + at, width))
                    merge_rest(ARGUMENTS from + at, to + at, width, 2 * width);
            merge_rest(ARGUMENTS from + at, to + at, width, count - at);
            local A_ITEM *const other = from;
            from = to;
            to = other;
        }
        for (int k = 0; k < count; ++k)
            STORE(begin + k, from[k]);
    }
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_blocks(PARAMETERS OUTPUTS const INDEX length)
{
    local A_ITEM shared[TILE_PACKS];
    local uint cuts[GROUP], disagree;
    const uint me = get_local_id(0);
    const INDEX begin = (INDEX)get_group_id(0) * TILE_PACKS;
    const uint count = (uint)min((INDEX)TILE_PACKS, length - begin);

    const bool whole = count == TILE_PACKS;

    A_ITEM item[PACKS];
    if (whole) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            item[k] = A_LOAD(begin + (k * GROUP + me));
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            shared[k * GROUP + me] = item[k];
    } else {
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP)
            shared[at] = A_LOAD(begin + at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    sort_tile(ARGUMENTS shared, cuts, &disagree, count, TILE_PACKS);
    if (whole) {
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
