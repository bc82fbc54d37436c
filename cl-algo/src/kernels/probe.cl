// What the device is seen doing before anything relies on it: see device_probe.rs, which knows the answers.
//
// The questions come as arguments, so that no compiler answers them.

typedef struct {
    uint first;
    ulong second;
} pair_of_words;

// Loops of a work-item that has its work-group for itself: answers[0] and answers[1] are how often they ran.
// answers[3] to answers[6] are two structs that one variable held one after the other.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void lone_item(global uint *answers, const uint steps, const uint few)
{
    local uint shared;
    pair_of_words kept[2];
    for (uint k = 0; k < 2; ++k) {
        const uint swap = k + answers[2];
        kept[k] = (pair_of_words){swap ? few : steps, swap ? steps : few};
    }
    answers[3] = kept[0].first;
    answers[4] = (uint)kept[0].second;
    answers[5] = kept[1].first;
    answers[6] = (uint)kept[1].second;
    uint count = 0;
    for (uint k = 0; k < steps; ++k)
        count += answers[2] + 1;
    answers[0] = count;
    // Left at a barrier, because of what was read behind it.
    while (true) {
        shared = few;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (shared > 0)
            break;
    }
    count = 0;
    for (uint k = 0; k < few; ++k)
        count += answers[2] + 1;
    answers[1] = count;
}

// Work-items that meet at barriers. Each answers how often it heard what its neighbour had said, and all of
// them together how many there are.
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
    answers[7 + get_global_id(0)] = heard * GROUP + met;
    atomic_add((volatile global uint *)&answers[2], heard);
}
