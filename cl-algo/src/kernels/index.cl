// Index arithmetic: indices that data choose, and neighbours.

// The first index out of range of the launches since the host looked: see fault.rs.
typedef VOLATILE struct {
    VOLATILE uint operation; // 0 while there is none
    VOLATILE uint claimed;
    VOLATILE ulong index;
    VOLATILE ulong bound;
} fault_record;

// Remembers an offence, if it is the first.
static inline void record_fault(global fault_record *fault, const uint operation, const ulong index, const ulong bound)
{
    if (atomic_cmpxchg((volatile global uint *)&fault->claimed, 0u, 1u) == 0u) {
        fault->operation = operation;
        fault->index = index;
        fault->bound = bound;
    }
}

// An index below the bound, for reading: the last one for what lies beyond. There is one, because
// nothing is gathered from nothing.
static inline INDEX checked_index(global fault_record *fault, const uint operation, const ulong index, const ulong bound)
{
    if (index < bound)
        return (INDEX)index;
    record_fault(fault, operation, index, bound);
    return (INDEX)(bound - 1);
}

// Whether an index may be written to.
static inline bool may_write(global fault_record *fault, const uint operation, const ulong index, const ulong bound)
{
    if (index < bound)
        return true;
    record_fault(fault, operation, index, bound);
    return false;
}
