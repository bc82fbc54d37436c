// Merges in local memory, of two sequences that lie there one after the other, the second one backwards. It
// goes before the kernels for GPUs that merge; see merge_path.cl.
//
// Who has come to the end of one sequence finds the last items of the other one there: nothing but that end
// has to be looked for, and of the second sequence not even that, for its place beyond the last holds the
// greatest of the first, which does not go before what is left.

#if !CHUNKED

// How many of the first `diagonal` items of the merge are of the first sequence.
static inline uint merge_path_local(
    PARAMETERS local const A_ITEM *restrict a,
    const uint a_length,
    const uint b_length,
    const uint diagonal)
{
    // Item diagonal - 1 - i of the second sequence, for item i of the first.
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

// Merges two such sequences from a diagonal on: PACKS items, or as many as there are.
static inline void merge_local(
    PARAMETERS local const A_ITEM *restrict shared,
    const uint a_length,
    const uint b_length,
    const uint diagonal,
    A_ITEM *result)
{
    const uint length = a_length + b_length, last = length - 1;
    // Nothing to merge, and no item that could be compared.
    if (diagonal >= length)
        return;
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    uint j = last - (diagonal - i);
    // No jumps: they would depend on the data.
    A_ITEM a = shared[i], b = shared[j];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool second = (i >= a_length) | LESS(b, a);
        result[k] = second ? b : a;
        i += !second;
        j -= second;
        // Behind the last item of all there is none: then it is any other.
        const A_ITEM next = shared[min(second ? j : i, last)];
        a = second ? a : next;
        b = second ? next : b;
    }
}

#endif
