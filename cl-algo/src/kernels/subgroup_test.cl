// The results of each function of subgroup.cl, for the host to compare: ANSWERS words of each work-item of a group
// of several sub-groups. Uses subgroup.cl, which exchanges `carried`.

#define ANSWER(word) answers[answer++ * GROUP + me] = (word)
#define ANSWER_LANES(lanes)                        \
    {                                               \
        const ulong lanes_ = (lanes);               \
        ANSWER((uint)lanes_);                       \
        ANSWER((uint)(lanes_ >> 32));               \
    }
#define ANSWER_VALUE(value)                         \
    {                                               \
        const carried value_ = (value);             \
        ANSWER((uint)value_.scale);                 \
        ANSWER((uint)(value_.scale >> 32));         \
        ANSWER(value_.shift);                       \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void test_sub_groups(PARAMETERS global uint *answers, const uint third)
{
    local uint room[GROUP];
    const uint me = get_local_id(0), lane = SUBGROUP_LANE;
    // Of more than one word, and with a gap at its end.
    const carried own = { .scale = ((ulong)me << 40) + 2 * me + 3, .shift = me * 2654435761u };
    uint answer = 0;

    ANSWER(lane);
    ANSWER_LANES(VOTE(me % 3 == third));
    ANSWER_LANES(VOTE(third > 3));
    ANSWER_LANES(VOTE(third < 3));
    for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2)
        ANSWER_VALUE(carried_from_below(own, distance));
    ANSWER_VALUE(carried_from_lane(own, 0));
    ANSWER_VALUE(carried_from_lane(own, SUB_GROUP_WIDTH - 1));
    ANSWER_VALUE(carried_from_lane(own, third + 5));
    ANSWER_VALUE(carried_from_lane(own, (lane + SUB_GROUP_WIDTH - 1) % SUB_GROUP_WIDTH));
    ANSWER_VALUE(scan_lanes(own, SUB_GROUP_WIDTH));
    ANSWER_VALUE(scan_lanes(own, SUB_GROUP_WIDTH / 4));

    // One sub-group votes, while others do not take part.
    lane_mask lanes = 0;
    uint word = 0;
    if (me >= SUB_GROUP_WIDTH) {
        lanes = VOTE(me % 3 == third);
        word = word_from_lane(me, third);
    }
    ANSWER_LANES(lanes);
    ANSWER(word);

    // Each lane reads words of all others from local memory.
    uint heard = 0;
    for (uint k = 0; k < SUB_GROUP_WIDTH; ++k) {
        room[me] = me * SUB_GROUP_WIDTH + k;
        SUBGROUP_BARRIER();
        heard = heard * 31 + room[me ^ k];
        SUBGROUP_BARRIER();
    }
    ANSWER(heard);

    uint kept = me;
    FORGET(kept);
    ANSWER(kept);
    STAY_APART();
    RETURN;
}
