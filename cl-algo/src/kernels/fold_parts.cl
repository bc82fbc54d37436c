// The combination of the partial results of `fold_axes`.
//
// An output has `chunks` parts of `length` items; `length` is 1 if the items of a row were folded. On GPUs, LANES
// work-items combine the parts of one item.

#if CHUNKED

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_parts(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global const uint *parts)
{
    const INDEX units = outputs * length;
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
        const INDEX output = divided(unit, upper, shift), i = unit - output * length;
        BEGIN_ROW(output * folded)
        ITEM total = get_part(parts, output * chunks * length + i);
        for (INDEX chunk = 1; chunk < chunks; ++chunk)
            total = COMBINE(total, get_part(parts, (output * chunks + chunk) * length + i));
        STORE(i, total);
    }
    RETURN;
}

#else

#define ACROSS (GROUP / LANES)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_parts(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global const uint *parts)
{
    local ITEM shared[GROUP];
    const uint me = get_local_id(0), lane = me / ACROSS;
    const uint busy = chunks < LANES ? (uint)chunks : LANES;
    const INDEX units = outputs * length, at_once = (INDEX)get_num_groups(0) * ACROSS;
    for (INDEX begin = get_group_id(0) * ACROSS; begin < units; begin += at_once) {
        const INDEX unit = begin + me % ACROSS;
        const INDEX output = divided(unit, upper, shift), i = unit - output * length;
        BEGIN_ROW(output * folded)
        if (unit < units && lane < busy) {
            ITEM total = get_part(parts, (output * chunks + lane) * length + i);
            for (INDEX chunk = lane + LANES; chunk < chunks; chunk += LANES)
                total = COMBINE(total, get_part(parts, (output * chunks + chunk) * length + i));
            shared[me] = total;
        }
        uint left = busy;
        for (uint width = LANES / 2; width > 0; width /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (unit < units && lane < width && lane + width < left)
                shared[me] = COMBINE(shared[me], shared[me + width * ACROSS]);
            left = left < width ? left : width;
        }
        if (unit < units && lane == 0)
            STORE(i, shared[me]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}

#endif
