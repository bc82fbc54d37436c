// Sums over the work-items of a group. Uses group_scan.cl.

// A barrier, which a single work-item does not need.
#if GROUP == 1
#define GROUP_BARRIER(fence)
#else
#define GROUP_BARRIER(fence) barrier(fence)
#endif

// Returns the sum of the values of the work-items before this one, and stores the sum of all. Afterwards another
// barrier is needed before the next call.
static inline uint count_before(PARAMETERS const uint own, local uint *room, uint *total)
{
#if GROUP == 1
    *total = own;
    return 0;
#else
    const uint scanned = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    *total = scan_subgroups(ARGUMENTS carried_from_lane(scanned, SUB_GROUP_WIDTH - 1), room);
    return (OWN_SUBGROUP > 0 ? BELOW(room) : 0) + scanned - own;
#endif
}
