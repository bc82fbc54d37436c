// Products of small matrices, which are read where they are, and what is computed of them.
//
// The axes of the index space: the last one is that of the columns, the one before it is summed over, and the one before
// that is that of the rows. A product has `rows` rows and `columns` columns, which are sums of `inner` products. There are
// `batches` products. A unit of work is one pack of each of ROWS rows of a product. `packs` is the number of packs of a
// row, the last one perhaps with fewer items, and `blocks` the number of blocks of ROWS rows.

#if PACK > 1
#define SPLAT(item) ((PACK_ITEM)(item))
#else
#define SPLAT(item) (item)
#endif

// A row of the block. Beyond the last row, the last one is computed again, and not stored.
#define ROW_OF(r) (top + (r) < rows ? top + (r) : rows - 1)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contract_small(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX inner,
    const INDEX batches, const INDEX packs, const INDEX packs_upper, const INDEX packs_shift, const INDEX blocks,
    const INDEX blocks_upper, const INDEX blocks_shift)
{
    const INDEX units = batches * blocks * packs;
    // The arguments of STEP contain the begins of a row, although it does not use them.
    BEGIN_ROW(0, 0, 0)
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX above = divided(unit, packs_upper, packs_shift), p = unit - above * packs;
        const INDEX batch = divided(above, blocks_upper, blocks_shift), top = (above - batch * blocks) * ROWS;
        if ((p + 1) * PACK <= columns) {
            PACK_ITEM total[ROWS];
#pragma unroll
            for (uint r = 0; r < ROWS; ++r)
                total[r] = SPLAT(ZERO_LOAD(0));
            for (INDEX k = 0; k < inner; ++k) {
                PACK_ITEM right;
                {
                    BEGIN_ROW(batch, top, k)
                    right = LOAD_PACK(p);
                }
#pragma unroll
                for (uint r = 0; r < ROWS; ++r) {
                    BEGIN_ROW(batch, ROW_OF(r), k)
                    total[r] = STEP_PACK(total[r], SPLAT(LEFT_LOAD(0)), right);
                }
            }
#pragma unroll
            for (uint r = 0; r < ROWS; ++r) {
                if (top + r < rows) {
                    BEGIN_ROW(batch, top + r, 0)
                    STORE_PACK(p, total[r]);
                }
            }
        } else {
            for (INDEX i = p * PACK; i < columns; ++i) {
                for (uint r = 0; r < ROWS && top + r < rows; ++r) {
                    ITEM total = ZERO_LOAD(0);
                    for (INDEX k = 0; k < inner; ++k) {
                        BEGIN_ROW(batch, top + r, k)
                        total = STEP(total, LEFT_LOAD(0), LOAD(i));
                    }
                    BEGIN_ROW(batch, top + r, 0)
                    STORE(i, total);
                }
            }
        }
    }
    RETURN;
}
