// Merges in local memory, of two sequences that lie there one after the other. It goes before the
// kernels for GPUs that merge; see merge_path.cl.

#if !CHUNKED

// How many of the first `diagonal` items of the merge are of the first sequence.
static inline uint merge_path_local(
    PARAMETERS local const A_ITEM *restrict a,
    const uint a_length,
    const uint b_length,
    const uint diagonal)
{
    uint low = diagonal - min(diagonal, b_length), high = min(diagonal, a_length);
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        const bool goes_after = LESS(a[a_length + (diagonal - 1 - middle)], a[middle]);
        low = goes_after ? low : middle + 1;
        high = goes_after ? middle : high;
    }
    return low;
}

// Merges two sequences in local memory, one after the other, from a diagonal on: PACKS items, or as
// many as there are.
static inline void merge_local(
    PARAMETERS local const A_ITEM *restrict shared,
    const uint a_length,
    const uint b_length,
    const uint diagonal,
    A_ITEM *result)
{
    const uint length = a_length + b_length;
    // Nothing to merge, and no item that could be compared.
    if (diagonal >= length)
        return;
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    uint j = a_length + (diagonal - i);
    // The one behind each end is never compared: the last one stays. No jumps: they would depend on the data.
    const uint a_last = max(a_length, 1u) - 1, b_last = length - 1;
    A_ITEM a = shared[min(i, a_last)], b = shared[min(j, b_last)];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool second = (j < length) & ((i >= a_length) | LESS(b, a));
        result[k] = second ? b : a;
        i += !second;
        j += second;
        const A_ITEM next = shared[second ? min(j, b_last) : min(i, a_last)];
        a = second ? a : next;
        b = second ? next : b;
    }
}

#endif
