// Merges two sequences that lie in local memory one after the other, the second one backwards. It goes before the
// kernels for GPUs that merge, and after merge_agree.cl; see merge_path.cl. MERGE_JUMPS says whether a work-item takes
// its next item by a jump. Jumps depend on the data; without them the kernel selects an index and two items.

#if !CHUNKED

// The number of items of the first sequence among the first `diagonal` items of the merge.
static inline uint merge_path_local(
    PARAMETERS local const A_ITEM *restrict a,
    const uint a_length,
    const uint b_length,
    const uint diagonal)
{
    // Element i is item diagonal - 1 - i of the second sequence, which is compared with item i of the first.
    local const A_ITEM *restrict opposite = a + (a_length + b_length - diagonal);
    uint low = diagonal - min(diagonal, b_length), high = min(diagonal, a_length);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool goes_after = LESS(opposite[middle], a[middle]);
        low = goes_after ? low : middle + 1;
        high = goes_after ? middle : high;
    }
    return low;
}

// Merges two sequences in this form from a diagonal on: PACKS items, or all that are left. All work-items of the
// group call it; `span` of them, of which `first` is the first one, merge one pair.
static inline void merge_local(
    PARAMETERS local const A_ITEM *restrict shared,
    local uint *cuts,
    local uint *disagree,
    const uint first,
    const uint span,
    const uint a_length,
    const uint b_length,
    const uint diagonal,
    A_ITEM *result)
{
    const uint length = a_length + b_length, last = length - 1;
    const uint count = min((uint)PACKS, length - diagonal);
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    const uint i_end = agreed_cuts(cuts, disagree, &i, first, span, PACKS, count, a_length);
    // This work-item has nothing to merge, and there may be no item that could be read.
    if (count == 0)
        return;
    // Both indices count from the beginning of `shared`. The second sequence lies backwards, so j decreases.
    uint j = last - (diagonal - i);
    const uint j_end = last - (diagonal + count - i_end);
    A_ITEM a = shared[min(i, last)], b = shared[min(j, last)];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool second = (i >= i_end) | ((j != j_end) & LESS(b, a));
        result[k] = second ? b : a;
        i += !second;
        j -= second;
        // Behind the last item of a sequence, some other item is read, and not used.
#if MERGE_JUMPS
        if (second)
            b = shared[min(j, last)];
        else
            a = shared[min(i, last)];
#else
        const A_ITEM next = shared[min(second ? j : i, last)];
        a = second ? a : next;
        b = second ? next : b;
#endif
    }
}

#endif
