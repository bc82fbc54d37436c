// What all kernels that add up need.

#if FENCE == 1
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#elif FENCE == 2
#define DEVICE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#endif

// So many work-items of a group add up the values of as many others.
#define FOLDERS (GROUP < 16 ? GROUP : 16)

// The lanes of a pack, added up pairwise.
INLINE REAL lanes_of(const REAL_PACK pack)
{
#if PACK == 1
    return pack;
#else
    union {
        REAL_PACK pack;
        REAL lane[PACK];
    } all = { .pack = pack };
#pragma unroll
    for (uint half_ = PACK / 2; half_ > 0; half_ /= 2)
        for (uint k = 0; k < half_; ++k)
            all.lane[k] += all.lane[k + half_];
    return all.lane[0];
#endif
}
