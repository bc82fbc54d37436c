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
    uint i = merge_path_local(ARGUMENTS shared, a_length, b_length, diagonal);
    uint j = a_length + (diagonal - i);
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        if (diagonal + k < length) {
            const bool second = j < length && (i >= a_length || LESS(shared[j], shared[i]));
            result[k] = shared[second ? j : i];
            i += !second;
            j += second;
        }
    }
}

#endif
