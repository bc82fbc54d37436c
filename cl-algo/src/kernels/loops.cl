// Some devices end a work-item's loops after a number of steps, without an error. If that has happened, they also
// end the loop in this function after its first step. Uses index.cl.
static inline void check_loops(global fault_record *fault)
{
    // Two, but no compiler knows it.
    const uint few = 2 + (fault->claimed >> 1);
    uint count = 0;
    for (uint k = 0; k < few; ++k)
        count += 1 + (fault->claimed >> 1);
    if (count < 2)
        record_fault(fault, 5, get_global_id(0), 0);
}

