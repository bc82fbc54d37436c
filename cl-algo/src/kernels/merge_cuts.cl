// Cuts of a merge into pieces of `piece` items of the output. One work-item searches for one cut. Uses
// merge_path.cl and merge_search.cl. This is a launch of its own, in which the searches hide each other's latency.
// A work-group that searched for its own cuts would wait far longer than it then merges.
//
// All searches are independent. With a comparator that is not a strict weak order, neighbouring cuts may contradict
// each other: then the launch writes `epoch` to `contradiction`, and merge.cl makes the cuts consistent. The first
// cut of the next work-group is searched for once more, so that each pair of neighbouring cuts is compared.

#define A_OF_PAIR(i) A_LOAD(pair.a + (i))
#define B_OF_PAIR(j) B_LOAD(pair.b + (j))

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_cuts(PARAMETERS PAIRS, const INDEX piece, const INDEX count, global ulong *cuts,
                volatile global ulong *contradiction, const uint epoch)
{
    local INDEX shared[GROUP];
    const uint me = get_local_id(0);
    const INDEX i = get_group_id(0) * (INDEX)(GROUP - 1) + me;
    // Work-items beyond the last piece search at the end.
    const INDEX at = i < count ? i * piece : PAIRS_TOTAL;
    const pair_of_runs pair = PAIR_AT(at);
    const INDEX diagonal = at - pair.begin, left = pair.a_length + pair.b_length - diagonal;
    INDEX cut = diagonal - min(diagonal, pair.b_length), high = min(diagonal, pair.a_length);
    SEARCH_MERGE_PATH(INDEX, cut, high, diagonal, A_OF_PAIR, B_OF_PAIR, 4)
    shared[me] = cut;
    barrier(CLK_LOCAL_MEM_FENCE);
    // The end of a pair agrees with any cut before it.
    if (i < count && me + 1 < GROUP) {
        const INDEX next = left > piece ? shared[me + 1] : cut;
        if (next < cut || next - cut > piece)
            *contradiction = epoch;
        cuts[i] = cut;
    }
    RETURN;
}
