// The combination of the partial results of `fold_axes`.
//
// An output has `chunks` parts of `length` items; `length` is 1 if the items of a row were folded.

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
