// Stream compaction in two launches, for devices that give each work-item a contiguous piece: the
// first launch counts what is kept of each run, the second moves it. Filled in as in select.cl, behind
// kept.cl. Values: PASS.

// Where run r begins.
#define BEGIN(r) ((INDEX)((ulong)length * (r) / get_num_groups(0)))

#if REJECTS == 2
#define REJECT_STORE STORE
#endif

#if PASS == 0

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void select_runs(PARAMETERS global ulong *counts, const INDEX length)
{
    const INDEX end = BEGIN(get_group_id(0) + 1);
    INDEX kept = 0;
    for (INDEX i = BEGIN(get_group_id(0)); i < end; ++i)
        kept += IS_KEPT(i, LOAD(i)) ? 1 : 0;
    counts[get_group_id(0)] = kept;
}

#else

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
    INDEX reject = begin - to, last_reject = end - last;
#if REJECTS == 2
    INDEX kept = last;
    for (uint r = run + 1; r < runs; ++r)
        kept += (INDEX)counts[r];
    reject += kept;
    last_reject += kept;
#endif
#endif
    // What is not kept is stored too, and overwritten by what is: no branch has to be guessed. Behind
    // the run's last place nothing is stored, since it may be another run's.
    for (INDEX i = begin; i < end; ++i) {
        const ITEM item = LOAD(i);
        const bool flag = IS_KEPT(i, item);
        if (to < last)
            STORE(to, item);
        to += flag ? 1 : 0;
#if REJECTS
        if (reject < last_reject)
            REJECT_STORE(reject, item);
        reject += flag ? 0 : 1;
#endif
    }
}

#endif
