// The work-group that finishes last, which sees all stores of the other groups.
//
// Value: FENCE, the fence by which work-groups of one launch see each other's results: 0 none, 1 NVIDIA's PTX, 2
// OpenCL C 3.0.

#if FENCE == 1
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#elif FENCE == 2
#define DEVICE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#endif

#if FENCE
// Returns whether all other work-groups have called this before. Work-item 0 has stored its group's result before
// the call, or a barrier with CLK_GLOBAL_MEM_FENCE was between the group's stores and the call. Reads after it must
// be volatile, because caches may hold older values. `arrived` is 0 before the launch, and must be 0 after it.
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

