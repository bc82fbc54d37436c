// Makes cuts of a tile consistent that neighbouring work-items have searched for. It goes before the kernels that
// merge on GPUs.
//
// A cut is the number of items of the first sequence in the output before a diagonal. Between two diagonals both
// sequences together give exactly the items of the output there. So each item is output exactly once if the next
// cut is at least this cut, and at most this cut plus the distance of the diagonals. Searches with a strict weak
// order find such cuts. The cuts of any other comparator are clamped, one after the other. Then the output is not
// sorted, but it has the items of the input.

#if !CHUNKED

// Makes the cuts of a work-group consistent, and returns the next one. All work-items of the group call it, with a
// barrier between two calls, each with the cut that it has searched for. The cuts of `span` work-items, of which
// `first` is the first one, belong to one pair. Their diagonals are `step` items apart, the last ones less.
// `distance` is the number of items from this work-item's diagonal to the next.
static inline uint agreed_cuts(
    local uint *cuts,
    local uint *disagree,
    uint *cut,
    const uint first,
    const uint span,
    const uint step,
    const uint distance,
    const uint a_length)
{
    const uint me = get_local_id(0);
    const bool is_last = me + 1 == first + span;
    cuts[me] = *cut;
    if (me == 0)
        *disagree = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = is_last ? a_length : cuts[me + 1];
    if (next < *cut || next - *cut > distance)
        *disagree = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (*disagree && me == first) {
#pragma unroll 1
        for (uint k = first + 1; k < first + span; ++k)
            cuts[k] = cuts[k - 1] + min(step, max(cuts[k], cuts[k - 1]) - cuts[k - 1]);
    }
    // This barrier must not depend on the outcome: compilers for CPUs handle such barriers badly.
    barrier(CLK_LOCAL_MEM_FENCE);
    // The cuts stay in `cuts` until the next call.
    *cut = cuts[me];
    return is_last ? a_length : cuts[me + 1];
}

#endif
