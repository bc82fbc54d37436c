// Sub-groups: SUB_GROUP_WIDTH neighbouring work-items that run in step. On devices without sub-groups that are
// known to work, a sub-group is one work-item, and exchange with others goes through local memory.
//
// Given by the host: SUB_GROUPS, the back-end by which work-items of a sub-group exchange values: 0 none, 1
// NVIDIA's PTX, 2 the extensions of Khronos, 3 Intel's; SUB_GROUP_WIDTH, a power of two, 1 without a back-end and
// 64 at most; CARRIED, the type of exchanged values. All work-items of a sub-group must call each of these
// functions together. subgroup_test.cl tests each of them.

// A set of lanes of a sub-group, a bit each.
#if SUB_GROUP_WIDTH > 32
typedef ulong lane_mask;
#else
typedef uint lane_mask;
#endif
#define LANE_BIT(lane) ((lane_mask)1 << (lane))
#define LANES_BELOW(lane) (LANE_BIT(lane) - 1)
#define LANES_UP_TO(lane) (((lane_mask)2 << (lane)) - 1)
// The number of the first lane and of the last one of a set that is not empty.
#define FIRST_LANE(lanes) ((uint)popcount(((lanes) & -(lanes)) - 1))
#define LAST_LANE(lanes) ((uint)(8 * sizeof(lane_mask) - 1) - (uint)clz(lanes))

#if SUB_GROUPS == 0

#define IN_SUBGROUPS
#define SUBGROUP_LANE 0u
#define STAY_APART()
#define FORGET(word)
#define VOTE(condition) ((condition) ? 1u : 0u)
static inline uint word_from_below(const uint word, const uint distance) { return word; }
static inline uint word_from_lane(const uint word, const uint lane) { return word; }

#elif SUB_GROUPS == 1 // NVIDIA's warps

#define IN_SUBGROUPS

static inline uint own_lane(void)
{
    uint lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
#define SUBGROUP_LANE own_lane()

// Makes the sub-group's writes to local memory visible to all of it.
#define SUBGROUP_BARRIER() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")

// At the end of a branch: keeps it separate from the other branch. Otherwise the compiler merges them into code
// that computes addresses for both.
#define STAY_APART() asm volatile("")

// Makes the compiler recompute values that depend on a 32-bit variable, instead of keeping them in registers.
#define FORGET(word) asm volatile("" : "+r"(word))

// One bit for each lane whose condition holds.
static inline lane_mask vote(const uint condition)
{
    lane_mask lanes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(lanes) : "r"(condition));
    return lanes;
}
#define VOTE(condition) vote((condition) ? 1u : 0u)

static inline uint word_from_below(const uint word, const uint distance)
{
    uint result;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(result) : "r"(word), "r"(distance));
    return result;
}

static inline uint word_from_lane(const uint word, const uint lane)
{
    uint result;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(word), "r"(lane));
    return result;
}

#else // the functions of OpenCL's extensions

// Compilers choose the size of a sub-group, unless the attribute sets it or the hardware has one width only.
#ifdef cl_intel_required_subgroup_size
#define IN_SUBGROUPS __attribute__((intel_reqd_sub_group_size(SUB_GROUP_WIDTH)))
#else
#define IN_SUBGROUPS
#endif
#define SUBGROUP_LANE ((uint)get_sub_group_local_id())
#define SUBGROUP_BARRIER() sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#define STAY_APART()
#define FORGET(word)

#if SUB_GROUPS == 2
#if SUB_GROUP_WIDTH > 32
#define VOTE(condition) as_ulong(sub_group_ballot((condition) ? 1 : 0).xy)
#else
#define VOTE(condition) (sub_group_ballot((condition) ? 1 : 0).x)
#endif
static inline uint word_from_lane(const uint word, const uint lane) { return sub_group_shuffle(word, lane); }
#else
#define VOTE(condition) sub_group_reduce_add((condition) ? LANE_BIT(SUBGROUP_LANE) : (lane_mask)0)
static inline uint word_from_lane(const uint word, const uint lane)
{
    return intel_sub_group_shuffle(word, lane);
}
#endif

static inline uint word_from_below(const uint word, const uint distance)
{
    const uint lane = SUBGROUP_LANE;
    return word_from_lane(word, lane >= distance ? lane - distance : lane);
}

#endif

// For values of a type:
//   NAME_words        a value in words of 32 bits
//   NAME_from_below   the value of the lane `distance` lanes below; the own value if that lane does not exist
//   NAME_from_lane    the value of a lane
#define EXCHANGED(TYPE, NAME)                                                          \
    typedef VOLATILE union {                                                           \
        VOLATILE TYPE value;                                                           \
        VOLATILE uint word[(sizeof(TYPE) + 3) / 4];                                    \
    } NAME##_words;                                                                    \
    static inline TYPE NAME##_from_below(const TYPE value, const uint distance)        \
    {                                                                                  \
        if (SUB_GROUP_WIDTH == 1)                                                             \
            return value;                                                              \
        NAME##_words words = { .value = value };                                       \
        _Pragma("unroll") for (uint k = 0; k < sizeof(words.word) / 4; ++k)            \
            words.word[k] = word_from_below(words.word[k], distance);                  \
        return words.value;                                                            \
    }                                                                                  \
    static inline TYPE NAME##_from_lane(const TYPE value, const uint lane)             \
    {                                                                                  \
        if (SUB_GROUP_WIDTH == 1)                                                             \
            return value;                                                              \
        NAME##_words words = { .value = value };                                       \
        _Pragma("unroll") for (uint k = 0; k < sizeof(words.word) / 4; ++k)            \
            words.word[k] = word_from_lane(words.word[k], lane);                       \
        return words.value;                                                            \
    }

EXCHANGED(CARRIED, carried)

// Combines the values of the last `width` lanes up to this one, always by the same tree.
static inline CARRIED scan_lanes(PARAMETERS const CARRIED own, const uint width)
{
    CARRIED value = own;
#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2) {
        const CARRIED below = carried_from_below(value, distance);
        if (SUBGROUP_LANE >= distance)
            value = CARRY(below, value);
    }
    return value;
}
