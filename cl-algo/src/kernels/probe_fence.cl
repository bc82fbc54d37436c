// Work-groups that see each other's results in one launch. Uses last_group.cl. Each work-group stores a number
// and arrives. The work-group that arrives last adds the numbers of all groups.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void adding_group(volatile global uint *answers, const uint first)
{
    local uint last;
    if (get_local_id(0) == 0)
        answers[STORED + get_group_id(0)] = first + get_group_id(0);
    if (!is_last_group(&answers[ARRIVED], &last))
        return;
    uint sum = 0;
    for (uint k = get_local_id(0); k < get_num_groups(0); k += GROUP)
        sum += answers[STORED + k];
    atomic_add(&answers[SUM], sum);
}
