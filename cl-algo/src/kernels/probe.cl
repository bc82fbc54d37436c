// Kernels that test a device before an algorithm relies on it: see device/probe.rs, which knows the right answers.
//
// Filled in: GROUP, and the indices of the answers: LONG_LOOP, SHORT_LOOP, ATOMIC_SUM, STRUCTS, LONGS and MEETING. The
// inputs are arguments, and all answers begin as 0, so that no compiler knows the result.

typedef struct {
    uint first;
    ulong second;
} pair_of_words;

// One work-item in a work-group of its own. It answers the numbers of steps of two loops, the members of two
// structs that one variable held one after the other, and comparisons of two longs.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void lone_item(global uint *answers, const uint steps, const uint few)
{
    local uint shared;
    pair_of_words kept[2];
    for (uint k = 0; k < 2; ++k) {
        const uint swap = k + answers[ATOMIC_SUM];
        kept[k] = (pair_of_words){swap ? few : steps, swap ? steps : few};
    }
    answers[STRUCTS] = kept[0].first;
    answers[STRUCTS + 1] = (uint)kept[0].second;
    answers[STRUCTS + 2] = kept[1].first;
    answers[STRUCTS + 3] = (uint)kept[1].second;
    // Longs that were converted from ints, one less than 100 and one not.
    answers[LONGS] = (long)((int)few - 100) >= 100L;
    answers[LONGS + 1] = (long)(int)steps >= 100L;
    uint count = 0;
    for (uint k = 0; k < steps; ++k)
        count += answers[ATOMIC_SUM] + 1;
    answers[LONG_LOOP] = count;
    // A loop that ends because of a number that was read after a barrier.
    while (true) {
        shared = few;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (shared > 0)
            break;
    }
    count = 0;
    for (uint k = 0; k < few; ++k)
        count += answers[ATOMIC_SUM] + 1;
    answers[SHORT_LOOP] = count;
}

// Work-items that meet at barriers. Each answers how often it read the number that its neighbour had just written,
// and how many work-items its group has. All of them together count these reads by atomic additions.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void meeting_items(global uint *answers, const uint rounds)
{
    local uint said[GROUP];
    local uint met;
    const uint me = get_local_id(0), neighbour = (me + 1) % GROUP;
    if (me == 0)
        met = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&met);
    uint heard = 0, round = 0;
    while (true) {
        said[me] = me + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        heard += said[neighbour] == neighbour + round;
        round += said[0] == round;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (round == rounds)
            break;
    }
    answers[MEETING + get_global_id(0)] = heard * GROUP + met;
    atomic_add((volatile global uint *)&answers[ATOMIC_SUM], heard);
}
