// The work-group that finishes last, which sees what all others have stored.
//
// Value: FENCE, how work-groups of one launch see each other's results: 0 not at all, 1 by NVIDIA's PTX,
// 2 by OpenCL C 3.0.

#if FENCE == 1
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#elif FENCE == 2
#define DEVICE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#endif

#if FENCE
// Whether all other work-groups have been here. Work-item 0 has stored what its group passes on; what is
// read afterwards must be volatile, because caches may hold what it was before. `arrived` is 0 before
// the launch, and is to be 0 after it.
static inline bool is_last_group(volatile global uint *arrived, local uint *last)
{
    if (get_local_id(0) == 0) {
        DEVICE_FENCE();
        *last = atomic_inc(arrived) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!*last)
        return false;
    DEVICE_FENCE();
    return true;
}
#endif

