// Stores where the items of each bucket of a sorted sequence begin, and the sequence's length behind them.
//
//   tiled   (GPUs)  each bucket's begin is searched for
//   chunked (CPUs)  each work-item owns a chunk of buckets: it searches for the first one, and then goes through the
//                   sequence
//
// Filled in: the input HAYSTACK; the operator NUMBER(item).

// Returns the number of items before the bucket.
static inline INDEX items_before(PARAMETERS const bucket_range range, const INDEX bucket, const INDEX length)
{
    INDEX at = 0;
    for (INDEX width = length; width > 0; width /= 2) {
        const INDEX upper = width - width / 2;
        at += bucket_of(range, NUMBER(HAYSTACK_LOAD(at + (upper - 1)))) < bucket ? upper : 0;
    }
    return at;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void search_index(PARAMETERS global uint *begins, const INDEX length, const uint bits)
{
    const bucket_range range = range_of(NUMBER(HAYSTACK_LOAD(0)), NUMBER(HAYSTACK_LOAD(length - 1)), bits);
    const INDEX all = (INDEX)1 << bits;
#if CHUNKED
    const INDEX first = CUT(all, get_group_id(0)), end = CUT(all, get_group_id(0) + 1);
    INDEX at = items_before(ARGUMENTS range, first, length);
    for (INDEX bucket = first; bucket < end; ++bucket) {
        while (at < length && bucket_of(range, NUMBER(HAYSTACK_LOAD(at))) < bucket)
            ++at;
        begins[bucket] = at;
    }
    if (end == all)
        begins[all] = length;
#else
    for (INDEX bucket = get_global_id(0); bucket <= all; bucket += get_global_size(0))
        begins[bucket] = bucket < all ? items_before(ARGUMENTS range, bucket, length) : length;
#endif
    RETURN;
}
