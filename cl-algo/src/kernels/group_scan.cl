// Scan of the totals of a group's sub-groups. Uses subgroup.cl.

#define SUBGROUPS (GROUP / SUB_GROUP_WIDTH)
#define OWN_SUBGROUP ((uint)get_local_id(0) / SUB_GROUP_WIDTH)

// The index of pack k of this work-item in a tile: a sub-group reads neighbouring packs at once, and has PACKS
// such rows one after the other.
#define ROW_PLACE(k) \
    (OWN_SUBGROUP * (SUB_GROUP_WIDTH * PACKS) + (uint)get_local_id(0) % SUB_GROUP_WIDTH + (k) * SUB_GROUP_WIDTH)

// Orders reads of global memory before a barrier before writes after it. Work-items behind the end of a sequence
// read an item again that another work-item replaces if a scan is in place. NVIDIA's barrier orders all memory,
// whatever its flags are.
#if SUB_GROUPS == 1
#define ALSO_READ CLK_LOCAL_MEM_FENCE
#else
#define ALSO_READ (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Returns the total of the group, from the total of each sub-group, which all its lanes have. Afterwards `room`,
// which has SUBGROUPS elements, contains the total up to each sub-group.
static inline CARRIED scan_subgroups(PARAMETERS const CARRIED own, local CARRIED *room)
{
    const uint at = OWN_SUBGROUP;
#if SUB_GROUP_WIDTH == 1
    room[at] = own;
    barrier(ALSO_READ);
    for (uint distance = 1; distance < SUBGROUPS; distance *= 2) {
        CARRIED value = room[at];
        if (at >= distance)
            value = CARRY(room[at - distance], value);
        barrier(CLK_LOCAL_MEM_FENCE);
        room[at] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    if (SUBGROUP_LANE == 0)
        room[at] = own;
    barrier(ALSO_READ);
    if (at == 0) {
        const uint lane = SUBGROUP_LANE;
        const CARRIED scanned = scan_lanes(ARGUMENTS room[lane < SUBGROUPS ? lane : 0], SUBGROUPS);
        if (lane < SUBGROUPS)
            room[lane] = scanned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    return room[SUBGROUPS - 1];
}

// The combined totals of the sub-groups before this one, unless it is the first.
#define BELOW(room) room[OWN_SUBGROUP > 0 ? OWN_SUBGROUP - 1 : 0]
