// Folds along an axis of an index space, one item after the other in the order of their coordinates.
//
// Filled in: the input; the input INITIAL, a single item; the function STEP of a total and an item; the output of totals.
// Values: INNER, 1 if the items of a row are folded, and 0 if `folded` neighbouring rows are folded into one, item by item.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_left(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX segments, const INDEX upper, const INDEX shift)
{
    const INDEX packs = length / PACK, units = outputs * segments;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
#if INNER
        BEGIN_ROW(unit)
        INITIAL_ITEM total = INITIAL_LOAD(0);
        for (INDEX p = 0; p < packs; ++p) {
            ITEM items[PACK];
            UNPACK(LOAD_PACK(p), items);
#pragma unroll
            for (uint k = 0; k < PACK; ++k)
                total = STEP(total, items[k]);
        }
        for (INDEX i = packs * PACK; i < length; ++i)
            total = STEP(total, LOAD(i));
        STORE(0, total);
#else
        // The last segment of a row has the items after the last pack.
        const INDEX output = divided(unit, upper, shift), p = unit - output * segments;
        const INDEX top = output * folded, bottom = top + folded;
        if (p < packs) {
            INITIAL_PACK_ITEM total;
            {
                BEGIN_ROW(top)
                INITIAL_ITEM items[PACK];
                for (uint k = 0; k < PACK; ++k)
                    items[k] = INITIAL_LOAD(0);
                total = INITIAL_PACKED(items);
            }
            for (INDEX row = top; row < bottom; ++row) {
                BEGIN_ROW(row)
                total = STEP_PACK(total, LOAD_PACK(p));
            }
            BEGIN_ROW(top)
            STORE_PACK(p, total);
        } else {
            for (INDEX i = packs * PACK; i < length; ++i) {
                INITIAL_ITEM total;
                {
                    BEGIN_ROW(top)
                    total = INITIAL_LOAD(0);
                }
                for (INDEX row = top; row < bottom; ++row) {
                    BEGIN_ROW(row)
                    total = STEP(total, LOAD(i));
                }
                BEGIN_ROW(top)
                STORE(i, total);
            }
        }
#endif
    }
    RETURN;
}
