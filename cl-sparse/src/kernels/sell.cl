// For slices of rows that are sorted by length: one work-item per row. Neighbouring work-items have rows of the same
// slice, whose entries are interleaved, so they load neighbouring entries. Each work-item stores its result at the
// row's original index.

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void row_sell(PARAMETERS OUTPUTS global const ulong *slice_offsets, global const OFFSET *rows_at, const INDEX rows)
{
    const INDEX place = get_global_id(0);
    if (place >= rows)
        RETURN;
    const INDEX slice = place / HEIGHT;
    const INDEX end = (INDEX)slice_offsets[slice + 1];
    INDEX k = (INDEX)slice_offsets[slice] + place % HEIGHT;
    ITEM total = INITIAL_LOAD(0);
    // Four at a time, so that additions do not all wait for each other.
    for (; end - k > 3 * HEIGHT && k < end; k += 4 * HEIGHT) {
        const ITEM low = COMBINE(LOAD(k), LOAD(k + HEIGHT));
        const ITEM high = COMBINE(LOAD(k + 2 * HEIGHT), LOAD(k + 3 * HEIGHT));
        total = COMBINE(total, COMBINE(low, high));
    }
    for (; k < end; k += HEIGHT)
        total = COMBINE(total, LOAD(k));
    STORE((INDEX)rows_at[place], total);
    RETURN;
}
