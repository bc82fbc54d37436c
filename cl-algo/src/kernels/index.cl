// Index arithmetic: indices that data choose, and neighbours.

// The first out-of-range index of the launches since the host's last check: see fault.rs.
typedef VOLATILE struct {
    VOLATILE uint operation; // 0 without a fault
    VOLATILE uint claimed;
    VOLATILE ulong index;
    VOLATILE ulong bound;
} fault_record;

// Records a fault, if it is the first.
static inline void record_fault(global fault_record *fault, const uint operation, const ulong index, const ulong bound)
{
    if (atomic_cmpxchg((volatile global uint *)&fault->claimed, 0u, 1u) == 0u) {
        fault->operation = operation;
        fault->index = index;
        fault->bound = bound;
    }
}

// Returns an index below the bound, for reading: an index beyond it becomes the last one. The bound is at least 1,
// because nothing is gathered from an empty vector.
static inline INDEX checked_index(global fault_record *fault, const uint operation, const ulong index, const ulong bound)
{
    if (index < bound)
        return (INDEX)index;
    record_fault(fault, operation, index, bound);
    return (INDEX)(bound - 1);
}

// Returns whether an index may be written to.
static inline bool may_write(global fault_record *fault, const uint operation, const ulong index, const ulong bound)
{
    if (index < bound)
        return true;
    record_fault(fault, operation, index, bound);
    return false;
}
