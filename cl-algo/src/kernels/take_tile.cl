// The tile of a work-group. If groups may begin in any order they take numbers, so that no group waits for one
// that cannot begin. The last group to take a number resets the counter.
//
// Value: TICKETS, 1 if tiles are taken in the order in which groups begin. TAKE_TILE(tickets, room): `room` is a
// number in local memory that is not used otherwise meanwhile.

#if TICKETS
static inline INDEX take_tile(volatile global uint *tickets, volatile local INDEX *room)
{
    if (get_local_id(0) == 0) {
        const uint ticket = atomic_inc(tickets);
        if (ticket == (uint)get_num_groups(0) - 1)
            atomic_xchg(tickets, 0u);
        *room = ticket;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *room;
}
#define TAKE_TILE(tickets, room) take_tile(tickets, &room)
#else
#define TAKE_TILE(tickets, room) ((INDEX)get_group_id(0))
#endif
