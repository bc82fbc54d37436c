// Stream compaction in two launches, for devices that give each work-item a contiguous piece: the
// first launch counts what is kept of each run, the second moves it. Filled in as in select.cl, behind
// kept.cl. Values: PASS.

// Where run r begins.
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS global ulong *counts, const INDEX length)
{
    const INDEX end = BEGIN(get_group_id(0) + 1);
    INDEX kept = 0;
    for (INDEX i = BEGIN(get_group_id(0)); i < end; ++i)
        kept += IS_KEPT(i, LOAD(i)) ? 1 : 0;
    counts[get_group_id(0)] = kept;
    RETURN;
}

#else

// Compilers make vectors of what is asked of a block's items, and the stores need not wait for the answers.
#define BLOCK 64

// Stores an item where its flag says, 1 or 0. What is not kept is stored among what is, too, and overwritten
// by it: no branch has to be guessed. Behind the run's last place nothing is stored, since it may be another
// run's. Far from it, where IS_FAR, nothing has to be compared. What PLACE does not use need not exist.
#if REJECTS == 0
#define IS_FAR (last - to >= BLOCK)
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        if (has_room) \
            STORE(to, item); \
        to += flag; \
    } while (0)
#elif REJECTS == 1
#define IS_FAR (last - to >= BLOCK && last_reject - reject >= BLOCK)
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        if (has_room) \
            STORE(to, item); \
        if (has_reject_room) \
            REJECT_STORE(reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#else
// Each item has one place of its own.
#define IS_FAR true
#define PLACE(flag, item, has_room, has_reject_room) \
    do { \
        STORE(flag ? to : reject, item); \
        to += flag; \
        reject += 1 - flag; \
    } while (0)
#endif

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS OUTPUTS global const ulong *counts, const INDEX length, global ulong *count)
{
    const uint run = get_group_id(0), runs = get_num_groups(0);
    const INDEX begin = BEGIN(run), end = BEGIN(run + 1);
    INDEX to = 0;
    for (uint r = 0; r < run; ++r)
        to += (INDEX)counts[r];
    const INDEX last = to + (INDEX)counts[run];
    if (run == runs - 1)
        *count = last;
#if REJECTS
    INDEX reject = begin - to;
#if REJECTS == 1
    const INDEX last_reject = end - last;
#else
    reject += last;
    for (uint r = run + 1; r < runs; ++r)
        reject += (INDEX)counts[r];
#endif
#endif
    INDEX i = begin;
    for (; end - i >= BLOCK && IS_FAR; i += BLOCK) {
        ITEM items[BLOCK];
        uint flags[BLOCK];
        for (uint k = 0; k < BLOCK; ++k)
            items[k] = LOAD(i + k);
        for (uint k = 0; k < BLOCK; ++k)
            flags[k] = IS_KEPT(i + k, items[k]) ? 1 : 0;
#pragma unroll 8
        for (uint k = 0; k < BLOCK; ++k)
            PLACE(flags[k], items[k], true, true);
    }
    for (; i < end; ++i) {
        const ITEM item = LOAD(i);
        const uint flag = IS_KEPT(i, item) ? 1 : 0;
        PLACE(flag, item, to < last, reject < last_reject);
    }
    RETURN;
}

#endif
