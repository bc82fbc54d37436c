// Binary searches of many needles in one sorted sequence: stores for each needle the positions at which it would
// begin and end in the sequence.
//
// A work-item searches for PACKS needles at once, so that each search hides the latency of the others. All
// searches take the same steps, and no jump depends on data.
//
// Filled in: the inputs HAYSTACK and NEEDLE, of items of one type, and PLACE, whose items are two numbers; the
// comparator LESS(a, b); the output, of items of PLACE; if INDEXED, the operator NUMBER(item). Values: LOWER and
// UPPER, 1 if beginnings and ends are wanted; if not, they are stored as 0; INDEXED, 1 if search_index.cl has
// stored where the items of each bucket begin. (ITEM_BYTES only affects the shape.)

// Computes the number of items of the sequence before each position, in `widest` items from the position on. The
// range left to be searched is halved, rounding up, so that it has the same width for all needles. Intel's compiler
// for CPUs gets conditional expressions wrong if the items are `bool`s, so `select` is used.
#define SEARCH(places, goes_before)                                                            \
    for (INDEX width = widest; width > 0; width /= 2) {                                        \
        const INDEX half_width = width - width / 2;                                            \
        for (uint k = 0; k < PACKS; ++k) {                                                     \
            const HAYSTACK_ITEM item = HAYSTACK_LOAD(places[k] + (half_width - 1));            \
            places[k] += select((INDEX)0, half_width, (INDEX)(goes_before(item, needle[k])));  \
        }                                                                                      \
    }
#define IS_LESS(item, needle) LESS(item, needle)
#define IS_NOT_GREATER(item, needle) !LESS(needle, item)

#if INDEXED
#define BUCKETS , global const uint *bucket_begins, const uint bucket_bits
#else
#define BUCKETS
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void search(PARAMETERS OUTPUTS const INDEX length, const INDEX count BUCKETS)
{
#if INDEXED
    const bucket_range range = range_of(NUMBER(HAYSTACK_LOAD(0)), NUMBER(HAYSTACK_LOAD(length - 1)), bucket_bits);
#endif
    const INDEX tiles = (count + TILE_PACKS - 1) / TILE_PACKS;
    FOR_EACH_TILE(tile, tiles) {
        const INDEX first = tile * TILE_PACKS + get_local_id(0);
        HAYSTACK_ITEM needle[PACKS];
        INDEX begin[PACKS], end[PACKS];
        if (CHUNKED && first + TILE_PACKS <= count) {
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                needle[k] = NEEDLE_LOAD(first + k * GROUP);
        } else {
            // Work-items beyond the last needle search for it, too, and do not store their results.
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                needle[k] = NEEDLE_LOAD(min(first + k * GROUP, count - 1));
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            begin[k] = end[k] = 0;
#if INDEXED
        // An item that equals a needle is in the needle's bucket. All needles search as many items as the largest
        // of their buckets has. (The sequence may be unsorted.)
        INDEX widest = 0;
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const INDEX bucket = bucket_of(range, NUMBER(needle[k]));
            const INDEX from = min((INDEX)bucket_begins[bucket], length), to = min((INDEX)bucket_begins[bucket + 1], length);
            begin[k] = from;
            widest = max(widest, (INDEX)(max(from, to) - from));
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            begin[k] = min(begin[k], (INDEX)(length - widest));
            end[k] = begin[k];
        }
#else
        const INDEX widest = length;
#endif
#if LOWER
        SEARCH(begin, IS_LESS)
#endif
#if UPPER
        SEARCH(end, IS_NOT_GREATER)
#endif
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const PLACE_ITEM places = { LOWER ? begin[k] : 0, UPPER ? end[k] : 0 };
            if (first + k * GROUP < count)
                STORE(first + k * GROUP, places);
        }
    }
    RETURN;
}
