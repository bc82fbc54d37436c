// One pass of a radix sort in two launches, for devices that give each work-item a contiguous chunk: the first
// launch counts the digits of each chunk, the second moves the items of each chunk in order. Uses sort_chunk.cl.
//
// Values: PASS; SEGMENTED, 1 if long segments are sorted, each by itself. The chunks are then those of a table, which
// has room for more of them: the others are empty.

#if SEGMENTED
// The segment of each chunk, and the segment's first chunk. Chunks have `size` items, the last one of a segment fewer.
#define CHUNKS \
    global const uint *restrict segment_begins, global const uint *restrict segment_ends, \
        global const uint *restrict heads, const INDEX size,
#define SEGMENT_BEGIN(r) (INDEX)segment_begins[r]
#define HEAD(r) heads[r]
#define BEGIN(r) (SEGMENT_BEGIN(r) + (INDEX)((r) - heads[r]) * size)
#define END(r) min(BEGIN(r) + size, (INDEX)segment_ends[r])
#define CHUNKS_OF(r) (uint)((segment_ends[r] - segment_begins[r] + size - 1) / size)
#else
#define CHUNKS
#define SEGMENT_BEGIN(r) (INDEX)0
#define HEAD(r) 0u
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))
#define END(r) BEGIN((r) + 1)
#define CHUNKS_OF(r) (uint)get_num_groups(0)
#endif

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global INDEX *restrict counts, CHUNKS const ulong flip,
               const uint shift, const uint mask, const INDEX length)
{
    const uint run = get_group_id(0);
    INDEX count[BINS];
    count_digits(keys, BEGIN(run), END(run), flip, shift, mask, count);
    for (uint d = 0; d < BINS; ++d)
        counts[run * BINS + d] = count[d];
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_runs(PARAMETERS global const KEY *restrict keys, global KEY *restrict sorted, VALUE_PARAMETERS
               global const INDEX *restrict counts, CHUNKS const ulong flip, const uint shift,
               const uint mask, const INDEX length)
{
    const uint run = get_group_id(0), head = HEAD(run), behind = head + CHUNKS_OF(run);
    const INDEX begin = BEGIN(run), end = END(run);
    if (begin >= end)
        RETURN;

    // For each digit, the output index of the chunk's first item, and the number of items in all chunks.
    INDEX next[BINS], count[BINS];
    for (uint d = 0; d < BINS; ++d)
        next[d] = count[d] = 0;
    for (uint r = head; r < behind; ++r)
        for (uint d = 0; d < BINS; ++d) {
            next[d] += r < run ? counts[r * BINS + d] : 0;
            count[d] += counts[r * BINS + d];
        }
    INDEX all = SEGMENT_BEGIN(run);
    for (uint d = 0; d < BINS; ++d) {
        next[d] += all;
        all += count[d];
    }

    const uint only = DIGIT(ordered(keys[begin], flip));
    if (counts[run * BINS + only] == end - begin)
        copy_items(keys, sorted, VALUE_ARGUMENTS begin, end, next[only], true);
    else
        move_items(keys, sorted, VALUE_ARGUMENTS begin, end, flip, shift, mask, true, next);
    RETURN;
}

#endif
