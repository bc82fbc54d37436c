// Adds the tables of histogram.cl, bin by bin, and stores the counts.
//
//   tiled   (GPUs)  the rows of a work-group take the tables in turn, neighbouring work-items take neighbouring
//                   bins
//   chunked (CPUs)  a work-item owns a chunk of bins
//
// Filled in: the output, of items of the unnamed input, which only provides its type.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_total(
    PARAMETERS OUTPUTS global const uint *restrict tables,
    const uint bins,
    const uint table_count)
{
#if CHUNKED
    for (uint bin = CUT(bins, get_group_id(0)), end = CUT(bins, get_group_id(0) + 1); bin < end; ++bin) {
        ulong total = 0;
        for (uint table = 0; table < table_count; ++table)
            total += tables[(size_t)bins * table + bin];
        STORE(bin, total);
    }
#else
    local ulong shared[GROUP];
    const uint me = get_local_id(0), columns = min(16, GROUP), rows = GROUP / columns;
    const uint row = me / columns, bin = get_group_id(0) * columns + me % columns;
    ulong total = 0;
    if (bin < bins) {
#pragma unroll 8
        for (uint table = row; table < table_count; table += rows)
            total += tables[(size_t)bins * table + bin];
    }
    shared[me] = total;
    for (uint width = rows / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < width)
            shared[me] += shared[me + width * columns];
    }
    if (row == 0 && bin < bins)
        STORE(bin, shared[me]);
#endif
    RETURN;
}
