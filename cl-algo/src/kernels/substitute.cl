// Forward substitution: solves L X = B for lower triangular matrices L of at most SIDE rows.
//
// The axes of the index space: the last one is that of the columns of B and X, the one before it that of the columns of
// L, and the one before that that of the rows of all. There are `batches` systems of `rows` rows, each with `columns`
// columns of B, in `packs` units of work: packs on CPUs, GROUP columns on GPUs. LEFT is L, of which the part above the
// diagonal is not read; nor is the diagonal if UNIT is 1: it is one. A unit reads its part of B before it stores X, so
// B may be the memory of X.
//
// CPUs: a work-item has whole packs of columns, and copies L only if the next unit has another one. GPUs: a work-item
// has one column, and L is in local memory.

// The number of rows whose sums are independent of each other, and so hide the latency of a multiplication.
#define AT_ONCE 4

#if PACK > 1
#define SPLAT(item) ((PACK_ITEM)(item))
#else
#define SPLAT(item) (item)
#endif

#if UNIT
#define LAST_COLUMN(r) (r)
#define DIVIDED(sum, r) (sum)
#else
#define LAST_COLUMN(r) ((r) + 1)
#define DIVIDED(sum, r) QUOTIENT_PACK(sum, SPLAT(LOWER_AT(r, r)))
#endif

#if CHUNKED

#define LOWER_AT(r, k) lower[(r) * SIDE + (k)]

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void substitute(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX batches, const INDEX packs,
    const INDEX packs_upper, const INDEX packs_shift)
{
    ITEM lower[SIDE * SIDE];
    const INDEX units = batches * packs;
    const uint whole = (uint)((rows + AT_ONCE - 1) / AT_ONCE * AT_ONCE);
    INDEX copied = batches;
    // The arguments of operators contain the begins of a row, although operators do not use them.
    BEGIN_ROW(0, 0, 0)
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
        const INDEX batch = divided(unit, packs_upper, packs_shift), p = unit - batch * packs;
        if (batch != copied) {
            copied = batch;
            // Rows beyond the matrix are never divided by. Their coefficients are zeros.
            for (uint r = 0; r < whole; ++r) {
                for (uint k = 0; k < whole; ++k) {
                    if (r < rows && k < LAST_COLUMN(r)) {
                        BEGIN_ROW(batch, r, k)
                        LOWER_AT(r, k) = LEFT_LOAD(0);
                    } else {
                        LOWER_AT(r, k) = ZERO_LOAD(0);
                    }
                }
            }
        }
        PACK_ITEM x[SIDE];
        for (uint r = 0; r < whole; ++r) {
            if (r >= rows) {
                x[r] = SPLAT(ZERO_LOAD(0));
                continue;
            }
            BEGIN_ROW(batch, r, 0)
            if ((p + 1) * PACK <= columns) {
                x[r] = LOAD_PACK(p);
            } else {
                ITEM items[PACK];
                for (uint j = 0; j < PACK; ++j)
                    items[j] = p * PACK + j < columns ? LOAD(p * PACK + j) : ZERO_LOAD(0);
                x[r] = PACKED(items);
            }
        }
        for (uint top = 0; top < whole; top += AT_ONCE) {
            PACK_ITEM sum[AT_ONCE];
#pragma unroll
            for (uint r = 0; r < AT_ONCE; ++r)
                sum[r] = x[top + r];
            for (uint k = 0; k < top; ++k) {
                const PACK_ITEM known = x[k];
#pragma unroll
                for (uint r = 0; r < AT_ONCE; ++r)
                    sum[r] = LESS_PRODUCT_PACK(sum[r], SPLAT(LOWER_AT(top + r, k)), known);
            }
#pragma unroll
            for (uint r = 0; r < AT_ONCE; ++r) {
                if (top + r < rows) {
#pragma unroll
                    for (uint k = 0; k < r; ++k)
                        sum[r] = LESS_PRODUCT_PACK(sum[r], SPLAT(LOWER_AT(top + r, top + k)), sum[k]);
                    sum[r] = DIVIDED(sum[r], top + r);
                }
                x[top + r] = sum[r];
            }
        }
        for (uint r = 0; r < rows; ++r) {
            BEGIN_ROW(batch, r, 0)
            if ((p + 1) * PACK <= columns) {
                STORE_PACK(p, x[r]);
            } else {
                ITEM items[PACK];
                UNPACK(x[r], items);
                for (INDEX i = p * PACK; i < columns; ++i)
                    STORE(i, items[i - p * PACK]);
            }
        }
    }
    RETURN;
}

#else

#define LOWER_AT(r, k) lower[(r) * SIDE + (k)]

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void substitute(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX batches, const INDEX packs,
    const INDEX packs_upper, const INDEX packs_shift)
{
    local ITEM lower[SIDE * SIDE];
    const uint me = get_local_id(0);
    const INDEX units = batches * packs;
    // The arguments of operators contain the begins of a row, although operators do not use them.
    BEGIN_ROW(0, 0, 0)
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX batch = divided(unit, packs_upper, packs_shift);
        const INDEX column = (unit - batch * packs) * GROUP + me;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint at = me; at < SIDE * SIDE; at += GROUP) {
            const uint r = at / SIDE, k = at % SIDE;
            if (r < rows && k < LAST_COLUMN(r)) {
                BEGIN_ROW(batch, r, k)
                lower[at] = LEFT_LOAD(0);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (column < columns) {
            ITEM x[SIDE];
#pragma unroll
            for (uint r = 0; r < SIDE; ++r) {
                if (r < rows) {
                    BEGIN_ROW(batch, r, 0)
                    x[r] = LOAD(column);
#pragma unroll
                    for (uint k = 0; k < r; ++k)
                        x[r] = LESS_PRODUCT(x[r], LOWER_AT(r, k), x[k]);
                    x[r] = DIVIDED(x[r], r);
                    STORE(column, x[r]);
                }
            }
        }
    }
    RETURN;
}

#endif
