// For devices that end a work-item's loops after so many steps, without an error: then they end this one
// after its first step, too. Behind index.cl.
static inline void check_loops(global fault_record *fault)
{
    // Two, which no compiler knows.
    const uint few = 2 + (fault->claimed >> 1);
    uint count = 0;
    for (uint k = 0; k < few; ++k)
        count += 1 + (fault->claimed >> 1);
    if (count < 2)
        record_fault(fault, 5, get_global_id(0), 0);
}

