// Cuts of a merge into pieces of `piece` items of the output. One work-item searches for one cut. Uses
// merge_path.cl and merge_agree.cl. This is a launch of its own, in which the searches hide each other's
// latency. A work-group that searched for its own cuts would wait far longer than it then merges.
//
// The cuts within a work-group are consistent. The cuts of several work-groups are consistent because each
// work-group divides one larger piece, of GROUP times `piece` items. A launch before this one has stored the cuts
// of the larger pieces in `coarse`. A launch of one work-group does not read `coarse`. Each end of a pair is the
// end of a larger piece, or each end of a larger piece is the end of a pair.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_cuts(PARAMETERS PAIRS, const INDEX piece, const INDEX count, global const ulong *coarse,
                global ulong *cuts)
{
    local INDEX shared[GROUP];
    local uint disagree;
    const uint me = get_local_id(0);
    const INDEX group = get_group_id(0), first = group * GROUP, i = first + me;
    // Work-items beyond the last piece search at the end.
    const INDEX at = i < count ? i * piece : PAIRS_TOTAL;
    const pair_of_runs pair = PAIR_AT(at);
    const INDEX whole = pair.a_length + pair.b_length;

    // The part of the pair that lies in the piece of the work-group.
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
    RETURN;
}
