// The places where a merge is cut into tiles, searched for by one work-item a tile, behind
// merge_path.cl: in a launch of its own, because there each search hides the latency of the others. A
// work-group that searched for its own cuts would wait far longer than it then merges.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_cuts(PARAMETERS PAIRS, const INDEX tile, const INDEX count, global ulong *restrict cuts)
{
    const INDEX i = get_global_id(0);
    if (i < count) {
        const INDEX at = i * tile;
        const pair_of_runs pair = PAIR_AT(at);
        cuts[i] = merge_path(ARGUMENTS pair, at - pair.begin);
    }
}
