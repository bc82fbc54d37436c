// Product of matrices that `pack_panels` has copied into panels, and what is computed of it.
//
// The panels of the left matrix are LEFT_WIDTH rows wide, those of the right matrix WIDTH columns. A product has `rows`
// rows and `columns` columns. `inner` is the number of items that are multiplied and added for each item of it; on GPUs
// it is a multiple of DEPTH. There are `batches` products. `left_batch` and `right_batch` are the numbers of items from
// one matrix to the next, 0 if all products have the same matrix.
//
// `triangles` says which half of a matrix is zero, or is not computed: a sum of LEFT_IS_LOWER and so on. The items of an
// operand's other half are zeros in its panels. A block of the product adds the items of the inner axis for which
// neither of its panels has zeros only. Of an output's other half nothing is stored.
//
// CPUs: the unit of work is BLOCK panels of the left matrix times one of the right. The sums of a panel times a panel
// are in registers. DEPTH items of the right panel stay in the first cache for all left panels of the block. While these
// are used, the next DEPTH items are read from memory: each left panel asks for a part of them.
//
// GPUs: a work-group computes one panel times one panel. DEPTH items of both panels are in local memory at once, and the
// next DEPTH items are on their way there. After G. Tan et al., "Fast implementation of DGEMM on Fermi GPU", SC 2011,
// and K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008).

#if PACK > 1
#define SPLAT(item) ((PACK_ITEM)(item))
#else
#define SPLAT(item) (item)
#endif

#define LEFT_IS_LOWER 1
#define LEFT_IS_UPPER 2
#define RIGHT_IS_LOWER 4
#define RIGHT_IS_UPPER 8
#define OUTPUT_IS_LOWER 16
#define OUTPUT_IS_UPPER 32
#define HAS(half) ((triangles & (half)) != 0)

// The items of the inner axis that a block adds: those of its rows and columns from `row` and `column` up to, but not
// including, `row_end` and `column_end` begin at INNER_FIRST and end before INNER_LAST.
#define INNER_FIRST(row, column) \
    max(HAS(LEFT_IS_UPPER) ? (INDEX)(row) : (INDEX)0, HAS(RIGHT_IS_LOWER) ? (INDEX)(column) : (INDEX)0)
#define INNER_LAST(row_end, column_end) \
    min(HAS(LEFT_IS_LOWER) ? min((INDEX)(row_end), inner) : inner, \
        HAS(RIGHT_IS_UPPER) ? min((INDEX)(column_end), inner) : inner)

// True for a block in the half of the output that is not stored.
#define IS_LEFT_OUT(row, row_end, column, column_end) \
    ((HAS(OUTPUT_IS_LOWER) && (column) >= (row_end)) || (HAS(OUTPUT_IS_UPPER) && (row) >= (column_end)))

// The unit of the rows that is computed after `block` others. The work of the units of a triangle grows or shrinks; in
// this order neighbours have as much as any others.
#define BALANCED(block) (triangles == 0 ? (block) : (block) % 2 == 0 ? (block) / 2 : blocks - 1 - (block) / 2)

// Stores PACKS_ACROSS packs of a row, from pack `first` on.
#define PUT_ROW(batch, row, first, packs_of) \
    { \
        BEGIN_ROW(batch, row) \
        const INDEX low_ = HAS(OUTPUT_IS_UPPER) ? (INDEX)(row) : (INDEX)0; \
        const INDEX high_ = HAS(OUTPUT_IS_LOWER) ? min((INDEX)(row) + 1, columns) : columns; \
        _Pragma("unroll") for (uint q = 0; q < PACKS_ACROSS; ++q) { \
            const INDEX p_ = (first) + q * PACK_STEP; \
            if (p_ * PACK >= low_ && (p_ + 1) * PACK <= high_) { \
                STORE_PACK(p_, (packs_of)[q]); \
            } else { \
                ITEM items_[PACK]; \
                UNPACK((packs_of)[q], items_); \
                for (INDEX i_ = max(low_, p_ * PACK); i_ < min(high_, (p_ + 1) * PACK); ++i_) \
                    STORE(i_, items_[i_ - p_ * PACK]); \
            } \
        } \
    }

#if CHUNKED

#define PACKS_ACROSS (WIDTH / PACK)
#define PACK_STEP 1

// Asks for part `s` of the DEPTH items of the right panel that follow pack `at`.
#if PREFETCHES && __has_builtin(__builtin_prefetch)
#define PREFETCHED (DEPTH * PACKS_ACROSS / BLOCK)
#define PREFETCH_PART(at, s) \
    _Pragma("unroll") for (uint j_ = 0; j_ < PREFETCHED; ++j_) \
        __builtin_prefetch(LOAD_FROM + ((at) + (s) * PREFETCHED + j_) * PACK);
#else
#define PREFETCH_PART(at, s)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contract(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX inner, const INDEX batches,
    const INDEX left_batch, const INDEX right_batch, const INDEX blocks, const INDEX blocks_upper,
    const INDEX blocks_shift, const INDEX right_panels, const INDEX right_upper, const INDEX right_shift,
    const uint triangles)
{
    const INDEX units = batches * blocks * right_panels;
    // The arguments of STEP contain the begins of a row, although it does not use them.
    BEGIN_ROW(0, 0)
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
        const INDEX above = divided(unit, right_upper, right_shift), panel = unit - above * right_panels;
        const INDEX batch = divided(above, blocks_upper, blocks_shift);
        const INDEX top = BALANCED(above - batch * blocks) * BLOCK * LEFT_WIDTH, side = panel * WIDTH;
        if (IS_LEFT_OUT(top, top + BLOCK * LEFT_WIDTH, side, side + WIDTH))
            continue;
        const size_t right = ((size_t)batch * right_batch + (size_t)panel * inner * WIDTH) / PACK;
        global const LEFT_STORED *const left = LEFT_LOAD_FROM + ((size_t)batch * left_batch + (size_t)top * inner);
        const uint panels = rows - top < BLOCK * LEFT_WIDTH ? (rows - top + LEFT_WIDTH - 1) / LEFT_WIDTH : BLOCK;
        PACK_ITEM block[BLOCK][LEFT_WIDTH][PACKS_ACROSS];
        for (INDEX begin = 0; begin == 0 || begin < inner; begin += DEPTH) {
            const INDEX end = begin + DEPTH < inner ? begin + DEPTH : inner;
            for (uint s = 0; s < panels; ++s) {
                PACK_ITEM total[LEFT_WIDTH][PACKS_ACROSS];
#pragma unroll
                for (uint r = 0; r < LEFT_WIDTH; ++r) {
#pragma unroll
                    for (uint q = 0; q < PACKS_ACROSS; ++q)
                        total[r][q] = begin == 0 ? SPLAT(ZERO_LOAD(0)) : block[s][r][q];
                }
                PREFETCH_PART(right + (size_t)end * PACKS_ACROSS, s)
                const INDEX row = top + s * LEFT_WIDTH, row_end = row + LEFT_WIDTH;
                const INDEX from = max(begin, INNER_FIRST(row, side));
                const INDEX to = min(end, INNER_LAST(row_end, side + WIDTH));
                global const LEFT_STORED *items = left + ((size_t)s * inner + from) * LEFT_WIDTH;
#pragma unroll STEPS_AT_ONCE
                for (INDEX k = from; k < to; ++k, items += LEFT_WIDTH) {
#pragma unroll
                    for (uint q = 0; q < PACKS_ACROSS; ++q) {
                        const PACK_ITEM across = LOAD_PACK(right + (size_t)k * PACKS_ACROSS + q);
#pragma unroll
                        for (uint r = 0; r < LEFT_WIDTH; ++r)
                            total[r][q] = STEP_PACK(total[r][q], SPLAT(items[r]), across);
                    }
                }
#pragma unroll
                for (uint r = 0; r < LEFT_WIDTH; ++r) {
#pragma unroll
                    for (uint q = 0; q < PACKS_ACROSS; ++q)
                        block[s][r][q] = total[r][q];
                }
            }
        }
        for (uint s = 0; s < panels; ++s) {
            for (uint r = 0; r < LEFT_WIDTH; ++r) {
                const INDEX row = top + s * LEFT_WIDTH + r;
                if (row < rows)
                    PUT_ROW(batch, row, panel * PACKS_ACROSS, block[s][r])
            }
        }
    }
    RETURN;
}

#else

// The number of packs of a line of a panel, of its part in local memory, and of these for each work-item.
#define LEFT_LINE (LEFT_WIDTH / PACK)
#define RIGHT_LINE (WIDTH / PACK)
#define LEFT_PACKS (DEPTH * LEFT_LINE)
#define RIGHT_PACKS (DEPTH * RIGHT_LINE)
#define LEFT_SHARE ((LEFT_PACKS + GROUP - 1) / GROUP)
#define RIGHT_SHARE ((RIGHT_PACKS + GROUP - 1) / GROUP)

// A work-item has PACKS_ACROSS packs of the columns, which are WORK_ACROSS packs apart, and PACKS_DOWN packs of the
// rows, WORK_DOWN apart: neighbouring work-items read neighbouring packs of local memory.
#define PACKS_ACROSS (RIGHT_LINE / WORK_ACROSS)
#define PACK_STEP WORK_ACROSS
#define WORK_DOWN (GROUP / WORK_ACROSS)
#define PACKS_DOWN (LEFT_LINE / WORK_DOWN)

// Reads the share of a work-item in the next DEPTH items of both panels.
#define FETCH(at) \
    _Pragma("unroll") for (uint t = 0; t < LEFT_SHARE; ++t) { \
        if (LEFT_PACKS % GROUP == 0 || t * GROUP + me < LEFT_PACKS) \
            left_next[t] = LEFT_LOAD_PACK(left + (size_t)(at) * LEFT_LINE + t * GROUP + me); \
    } \
    _Pragma("unroll") for (uint t = 0; t < RIGHT_SHARE; ++t) { \
        if (RIGHT_PACKS % GROUP == 0 || t * GROUP + me < RIGHT_PACKS) \
            right_next[t] = LOAD_PACK(right + (size_t)(at) * RIGHT_LINE + t * GROUP + me); \
    }

// Writes this share to local memory.
#define KEEP(side) \
    _Pragma("unroll") for (uint t = 0; t < LEFT_SHARE; ++t) { \
        if (LEFT_PACKS % GROUP == 0 || t * GROUP + me < LEFT_PACKS) \
            left_tile[side][t * GROUP + me] = left_next[t]; \
    } \
    _Pragma("unroll") for (uint t = 0; t < RIGHT_SHARE; ++t) { \
        if (RIGHT_PACKS % GROUP == 0 || t * GROUP + me < RIGHT_PACKS) \
            right_tile[side][t * GROUP + me] = right_next[t]; \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contract(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX inner, const INDEX batches,
    const INDEX left_batch, const INDEX right_batch, const INDEX blocks, const INDEX blocks_upper,
    const INDEX blocks_shift, const INDEX right_panels, const INDEX right_upper, const INDEX right_shift,
    const uint triangles)
{
    local PACK_ITEM left_tile[2][LEFT_PACKS], right_tile[2][RIGHT_PACKS];
    const uint me = get_local_id(0), across = me % WORK_ACROSS, down = me / WORK_ACROSS;
    const INDEX units = batches * blocks * right_panels;
    // The arguments of STEP contain the begins of a row, although it does not use them.
    BEGIN_ROW(0, 0)
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX above = divided(unit, right_upper, right_shift), panel = unit - above * right_panels;
        const INDEX batch = divided(above, blocks_upper, blocks_shift), top = (above - batch * blocks) * LEFT_WIDTH;
        // A block that is left out adds nothing. Work-items that leave the loop before its barriers crash PoCL 3.1.
        const INDEX from = INNER_FIRST(top, panel * WIDTH) / DEPTH * DEPTH;
        const INDEX to = IS_LEFT_OUT(top, top + LEFT_WIDTH, panel * WIDTH, (panel + 1) * WIDTH)
            ? 0
            : INNER_LAST(top + LEFT_WIDTH, (panel + 1) * WIDTH);
        const size_t left = ((size_t)batch * left_batch + (size_t)top * inner) / PACK;
        const size_t right = ((size_t)batch * right_batch + (size_t)panel * inner * WIDTH) / PACK;
        PACK_ITEM total[PACKS_DOWN * PACK][PACKS_ACROSS];
        PACK_ITEM left_next[LEFT_SHARE], right_next[RIGHT_SHARE];
#pragma unroll
        for (uint r = 0; r < PACKS_DOWN * PACK; ++r) {
#pragma unroll
            for (uint q = 0; q < PACKS_ACROSS; ++q)
                total[r][q] = SPLAT(ZERO_LOAD(0));
        }
        if (from < to) {
            FETCH(from)
            KEEP(0)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint side = 0;
        for (INDEX k = from; k < to; k += DEPTH, side ^= 1) {
            const bool more = k + DEPTH < to;
            if (more) {
                FETCH(k + DEPTH)
            }
#pragma unroll
            for (uint j = 0; j < DEPTH; ++j) {
                PACK_ITEM columns_at[PACKS_ACROSS];
                ITEM rows_at[PACKS_DOWN * PACK];
#pragma unroll
                for (uint q = 0; q < PACKS_ACROSS; ++q)
                    columns_at[q] = right_tile[side][j * RIGHT_LINE + q * WORK_ACROSS + across];
#pragma unroll
                for (uint d = 0; d < PACKS_DOWN; ++d)
                    UNPACK(left_tile[side][j * LEFT_LINE + d * WORK_DOWN + down], rows_at + d * PACK);
#pragma unroll
                for (uint r = 0; r < PACKS_DOWN * PACK; ++r) {
#pragma unroll
                    for (uint q = 0; q < PACKS_ACROSS; ++q)
                        total[r][q] = STEP_PACK(total[r][q], SPLAT(rows_at[r]), columns_at[q]);
                }
            }
            if (more) {
                KEEP(side ^ 1)
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#pragma unroll
        for (uint r = 0; r < PACKS_DOWN * PACK; ++r) {
            const INDEX row = top + ((r / PACK) * WORK_DOWN + down) * PACK + r % PACK;
            if (row < rows)
                PUT_ROW(batch, row, panel * RIGHT_LINE + across, total[r])
        }
    }
    RETURN;
}

#endif
