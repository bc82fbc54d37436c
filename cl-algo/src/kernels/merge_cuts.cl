// The places where a merge is cut into tiles, searched for by one work-item a tile, behind merge_path.cl and
// merge_agree.cl: in a launch of its own, because there each search hides the latency of the others. A
// work-group that searched for its own cuts would wait far longer than it then merges.
//
// A pair of more tiles than a work-group has work-items is first divided into parts of whole work-groups. Each
// work-group finds the same parts, and goes on in its own one.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_cuts(PARAMETERS PAIRS, const INDEX tile, const INDEX count, global ulong *restrict cuts)
{
    local INDEX shared[GROUP];
    local uint disagree;
    const uint me = get_local_id(0);
    const INDEX first = get_group_id(0) * GROUP, i = first + me;
    // Those beyond the last tile are at the end.
    const INDEX at = i < count ? i * tile : PAIRS_TOTAL;
    const pair_of_runs pair = PAIR_AT(at);
    const INDEX first_at = first * tile;

    pair_of_runs mine = PAIR_AT(first_at);
    bool is_part = false;
    for (;;) {
        const INDEX size = mine.a_length + mine.b_length, tiles = (size - 1) / tile + 1;
        if (tiles <= GROUP)
            break;
#if GROUP == 1
        // One work-item has nobody to share with: two parts, the same for all work-groups.
        const INDEX half_way = (tiles + 1) / 2 * tile, cut = merge_path(ARGUMENTS mine, half_way);
        if (first_at - mine.begin < half_way)
            mine = part_of_pair(mine, 0, 0, half_way, cut);
        else
            mine = part_of_pair(mine, half_way, cut, size, mine.a_length);
#else
        const INDEX step = ((tiles - 1) / GROUP / GROUP + 1) * GROUP * tile;
        const INDEX diagonal = me <= (size - 1) / step ? me * step : size;
        const INDEX distance = min(step, size - diagonal);
        INDEX cut = merge_path(ARGUMENTS mine, diagonal);
        agreed_cuts(shared, &disagree, &cut, 0, GROUP, step, distance, mine.a_length);
        const uint its = (uint)((first_at - mine.begin) / step);
        const INDEX from = its * step, to = from + min(step, size - from);
        const INDEX next = its + 1 < GROUP ? shared[its + 1] : mine.a_length;
        mine = part_of_pair(mine, from, shared[its], to, next);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        is_part = true;
    }

    // Smaller pairs lie side by side in the work-group.
#if RUNS
    const uint span = is_part ? GROUP : (uint)min((INDEX)GROUP, 2 * (width / tile));
#else
    const uint span = GROUP;
#endif
    if (!is_part)
        mine = pair;
    const INDEX diagonal = at - mine.begin;
    const INDEX distance = min(tile, mine.a_length + mine.b_length - diagonal);
    INDEX cut = merge_path(ARGUMENTS mine, diagonal);
    barrier(CLK_LOCAL_MEM_FENCE);
    agreed_cuts(shared, &disagree, &cut, me / span * span, span, tile, distance, mine.a_length);
    if (i < count)
        cuts[i] = mine.a + cut - pair.a;
}
