// Sums of the values of a work-group's work-items.
//
// Given by the template: SUM, the type of the sums; SUM_PACK, a vector of PACK of them; SUMS, the number of sums
// that are computed at once.

// Adds the components of a pack pairwise.
INLINE SUM sum_pack(const SUM_PACK pack)
{
#if PACK == 1
    return pack;
#else
    VOLATILE union {
        VOLATILE SUM_PACK pack;
        VOLATILE SUM component[PACK];
    } all = { .pack = pack };
#pragma unroll
    for (uint half_ = PACK / 2; half_ > 0; half_ /= 2)
        for (uint k = 0; k < half_; ++k)
            all.component[k] += all.component[k + half_];
    return all.component[0];
#endif
}

#if SUMS > 0

// Adds the values of a group's work-items, in two steps. All work-items get the totals. `shared` has room for SUMS
// * GROUP of them and `folded` for SUMS * FOLDERS. Another call may follow immediately.
INLINE void sum_group(SUM *sum, local SUM *shared, local SUM *folded)
{
#if GROUP > 1
    const uint me = get_local_id(0);
#pragma unroll
    for (uint s = 0; s < SUMS; ++s)
        shared[s * GROUP + me] = sum[s];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < FOLDERS) {
#pragma unroll
        for (uint s = 0; s < SUMS; ++s) {
            SUM total = 0;
            for (uint k = me; k < GROUP; k += FOLDERS)
                total += shared[s * GROUP + k];
            folded[s * FOLDERS + me] = total;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint s = 0; s < SUMS; ++s) {
        SUM total = 0;
        for (uint k = 0; k < FOLDERS; ++k)
            total += folded[s * FOLDERS + k];
        sum[s] = total;
    }
#endif
}

#endif
