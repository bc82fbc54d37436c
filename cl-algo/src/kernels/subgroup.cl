// Sub-groups: SUBGROUP neighbouring work-items that run in step. Where there are none that are known
// to work, a sub-group is one work-item, and what it does with others goes through local memory.
//
// Given by the host: SUBGROUP; CARRIED, the type of what is exchanged.

typedef union {
    CARRIED value;
    uint word[(sizeof(CARRIED) + 3) / 4];
} carried_words;

#if SUBGROUP == 1

#define SUBGROUP_LANE 0u
#define STAY_APART()
#define FORGET(word)
#define VOTE(condition) ((condition) ? 1u : 0u)
static inline CARRIED from_lane(const CARRIED value, const uint lane) { return value; }
static inline CARRIED from_below(const CARRIED value, const uint distance) { return value; }

#else // NVIDIA's warps, by inline PTX

static inline uint own_lane(void)
{
    uint lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
#define SUBGROUP_LANE own_lane()

// At the end of a branch: keeps it apart from the other one, with which it would be merged into code that
// computes addresses for both.
#define STAY_APART() asm volatile("")

// Makes the compiler compute again what depends on a variable of 32 bits, rather than keep it in registers.
#define FORGET(word) asm volatile("" : "+r"(word))

// One bit for each lane whose condition holds.
static inline uint vote(const uint condition)
{
    uint lanes;
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

// The value of the work-item `distance` lanes below; its own where there is none.
static inline CARRIED from_below(const CARRIED value, const uint distance)
{
    carried_words words = { .value = value };
#pragma unroll
    for (uint k = 0; k < sizeof(words.word) / 4; ++k)
        words.word[k] = word_from_below(words.word[k], distance);
    return words.value;
}

// The value of a lane.
static inline CARRIED from_lane(const CARRIED value, const uint lane)
{
    carried_words words = { .value = value };
#pragma unroll
    for (uint k = 0; k < sizeof(words.word) / 4; ++k)
        words.word[k] = word_from_lane(words.word[k], lane);
    return words.value;
}

#endif

// The values of the first `width` lanes up to this one, combined. The same tree each time.
static inline CARRIED scan_lanes(PARAMETERS CARRIED value, const uint width)
{
#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2) {
        const CARRIED below = from_below(value, distance);
        if (SUBGROUP_LANE >= distance)
            value = CARRY(below, value);
    }
    return value;
}
