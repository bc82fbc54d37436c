// For CPUs: each work-group is one work-item with contiguous rows. `cuts` divides rows and entries evenly.

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void row_chunks(PARAMETERS OUTPUTS global const OFFSET *offsets, global const ulong *cuts)
{
    const INDEX last = (INDEX)cuts[get_group_id(0) + 1];
    INDEX row = (INDEX)cuts[get_group_id(0)];
    INDEX k = (INDEX)offsets[row];
    for (; row < last; ++row) {
        const INDEX end = (INDEX)offsets[row + 1];
        ITEM total = INITIAL_LOAD(0);
        // Four at a time, so that additions do not all wait for each other.
        for (; end - k >= 4; k += 4) {
            const ITEM low = COMBINE(LOAD(k), LOAD(k + 1));
            const ITEM high = COMBINE(LOAD(k + 2), LOAD(k + 3));
            total = COMBINE(total, COMBINE(low, high));
        }
        for (; k < end; ++k)
            total = COMBINE(total, LOAD(k));
        STORE(row, total);
    }
    RETURN;
}
