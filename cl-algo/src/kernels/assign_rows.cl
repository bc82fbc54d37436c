// Elementwise evaluation of an index space with several axes: stores the item at i of each row, for each i from `begin` up
// to `length`.
//
// The unit of work is a segment: SEGMENT packs of a row. A CPU's work-item takes neighbouring segments, and a GPU's
// neighbouring work-items take neighbouring segments of one pack. `begin` is 0
// on GPUs, and smaller than a segment on CPUs.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_rows(SPACE_PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const INDEX rows,
    const INDEX segments, const INDEX upper, const INDEX shift)
{
    const INDEX units = rows * segments, packs = length / PACK;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX row = divided(unit, upper, shift), segment = unit - row * segments;
        BEGIN_ROW(row)
        const INDEX last = min(segment * SEGMENT + SEGMENT, packs);
        INDEX first = segment * SEGMENT;
#if CHUNKED
        if (begin > 0 && segment == 0) {
            first = (begin + PACK - 1) / PACK;
            for (INDEX i = begin; i < first * PACK; ++i)
                STORE(i, LOAD(i));
        }
#endif
        if (first + SEGMENT == last) {
            for (uint k = 0; k < SEGMENT; ++k)
                STORE_PACK(first + k, LOAD_PACK(first + k));
        } else {
            for (INDEX p = first; p < last; ++p)
                STORE_PACK(p, LOAD_PACK(p));
            if (segment + 1 == segments) {
                for (INDEX i = packs * PACK; i < length; ++i)
                    STORE(i, LOAD(i));
            }
        }
    }
    RETURN;
}
