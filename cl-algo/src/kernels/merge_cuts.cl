// The places where a merge is cut into pieces of `piece` items of the output, searched for by one work-item a
// piece, behind merge_path.cl and merge_agree.cl: in a launch of its own, because there each search hides the
// latency of the others. A work-group that searched for its own cuts would wait far longer than it then merges.
//
// The cuts of a work-group agree. Those of several work-groups do, because what a work-group cuts is a piece of
// `coarse`, which a launch before this one has cut: pieces of GROUP times `piece` items. A launch of one work-group
// does not read `coarse`. Ends of pairs are ends of these pieces, or the other way round.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_cuts(PARAMETERS PAIRS, const INDEX piece, const INDEX count, global const ulong *coarse,
                global ulong *cuts)
{
    local INDEX shared[GROUP];
    local uint disagree;
    const uint me = get_local_id(0);
    const INDEX group = get_group_id(0), first = group * GROUP, i = first + me;
    // Those beyond the last piece are at the end.
    const INDEX at = i < count ? i * piece : PAIRS_TOTAL;
    const pair_of_runs pair = PAIR_AT(at);
    const INDEX whole = pair.a_length + pair.b_length;

    // What belongs to the work-group of the pair.
    const INDEX begin = first * piece, end = count - first > GROUP ? begin + GROUP * piece : PAIRS_TOTAL;
    INDEX from = 0, from_cut = 0, to = whole, to_cut = pair.a_length;
    if (pair.begin < begin) {
        from = begin - pair.begin;
        from_cut = (INDEX)coarse[group];
    }
    if (pair.begin + whole > end) {
        to = end - pair.begin;
        to_cut = (INDEX)coarse[group + 1];
    }
    const pair_of_runs part = part_of_pair(pair, from, from_cut, to, to_cut);

#if RUNS
    // Small pairs lie side by side in the work-group.
    const uint span = (uint)clamp(2 * (width / piece), (INDEX)1, (INDEX)GROUP);
#else
    const uint span = GROUP;
#endif
    const INDEX diagonal = at - part.begin;
    const INDEX distance = min(piece, part.a_length + part.b_length - diagonal);
    INDEX cut = merge_path(ARGUMENTS part, diagonal);
    agreed_cuts(shared, &disagree, &cut, me / span * span, span, piece, distance, part.a_length);
    if (i < count)
        cuts[i] = from_cut + cut;
}
