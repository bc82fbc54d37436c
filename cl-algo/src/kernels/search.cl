// Binary searches of many needles in one sorted sequence: stores for each needle the positions at which it would
// begin and end in the sequence.
//
// A work-item searches for PACKS needles at once, so that each search hides the latency of the others. All
// searches take the same steps, and no jump depends on data.
//
// Filled in: the inputs HAYSTACK and NEEDLE, of items of one type, and PLACE, whose items are two numbers; the
// comparator LESS(a, b); the output, of items of PLACE. Values: LOWER and UPPER, 1 if beginnings and ends are
// wanted; if not, they are stored as 0. (ITEM_BYTES only affects the shape.)

// Computes the number of items of the sequence before each position. The range left to be searched is halved,
// rounding up, so that it has the same width for all needles. Intel's compiler for CPUs gets conditional
// expressions wrong if the items are `bool`s, so `select` is used.
#define SEARCH(places, goes_before)                                                            \
    for (INDEX width = length; width > 0; width /= 2) {                                        \
        const INDEX half_width = width - width / 2;                                            \
        for (uint k = 0; k < PACKS; ++k) {                                                     \
            const HAYSTACK_ITEM item = HAYSTACK_LOAD(places[k] + (half_width - 1));            \
            places[k] += select((INDEX)0, half_width, (INDEX)(goes_before(item, needle[k])));  \
        }                                                                                      \
    }
#define IS_LESS(item, needle) LESS(item, needle)
#define IS_NOT_GREATER(item, needle) !LESS(needle, item)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void search(PARAMETERS OUTPUTS const INDEX length, const INDEX count)
{
    const INDEX tiles = (count + TILE_PACKS - 1) / TILE_PACKS;
    FOR_EACH_TILE(tile, tiles) {
        const INDEX first = tile * TILE_PACKS + get_local_id(0);
        HAYSTACK_ITEM needle[PACKS];
        INDEX begin[PACKS], end[PACKS];
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            // Work-items beyond the last needle search for it, too, and do not store their results.
            needle[k] = NEEDLE_LOAD(min(first + k * GROUP, count - 1));
            begin[k] = 0;
            end[k] = 0;
        }
#if LOWER
        SEARCH(begin, IS_LESS)
#endif
#if UPPER
        SEARCH(end, IS_NOT_GREATER)
#endif
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const PLACE_ITEM places = { begin[k], end[k] };
            if (first + k * GROUP < count)
                STORE(first + k * GROUP, places);
        }
    }
    RETURN;
}
