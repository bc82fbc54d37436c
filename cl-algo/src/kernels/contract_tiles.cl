// Products of matrices that are read where they are, tile by tile, and what is computed of them. For GPUs.
//
// The axes of the index space are those of contract_small.cl: the last one is that of the columns, the one before it is summed
// over, and the one before that is that of the rows. A product has `rows` rows and `columns` columns, which are sums of `inner`
// products. There are `batches` products, of `blocks` tiles along the rows and `right_panels` tiles along the columns.
//
// A work-group computes a tile of LEFT_WIDTH rows and WIDTH columns. A team of 32 work-items computes a block of 32 rows and
// BLOCK_WIDTH columns, of which a work-item has BLOCK_WIDTH items. SLICES teams share a block: each adds the products of its own steps of each stage. At the end
// their sums are added in a fixed order.
//
// The lines of a tile are the rows of the left matrix and the columns of the right one. A stage is STEPS steps of all lines. Two
// stages are in local memory: one is multiplied, and the next one is on its way there. If LEFT_ALONG is 1, the items of a line of
// the left matrix are neighbours in memory, otherwise those of neighbouring lines; RIGHT_ALONG says the same of the right
// matrix.
//
// If FORMAT is less than 4, the blocks are multiplied by matrix_units.cl, and local memory holds what it multiplies, in units of
// 8 bytes. Otherwise local memory holds items. PITCH, the distance of lines, keeps those that are read together in different
// banks.

#define TEAM 32
#define BLOCK_HEIGHT 32
#define BLOCKS_ACROSS (WIDTH / BLOCK_WIDTH)
#define TEAMS (LEFT_WIDTH / BLOCK_HEIGHT * BLOCKS_ACROSS)
#define LINES (LEFT_WIDTH + WIDTH)

// KEPT is what local memory holds of CHUNK numbers of a line. A step has STEP_KEPT of them.
#if FORMAT == 4
#define KEPT ITEM
#define CHUNK 1
#define STEP_KEPT 8
#define PITCH (STEPS * STEP_KEPT + 4)
#define KEPT_OF(numbers) (numbers)[0]
#elif FORMAT == 3
#define KEPT double
#define CHUNK 1
#define STEP_KEPT 4
#define PITCH (STEPS * STEP_KEPT + 4)
#define KEPT_OF(numbers) (numbers)[0]
#else
#define KEPT uint
#define CHUNK (FORMAT == 0 ? 1 : 2)
#define STEP_KEPT 8
#define PITCH (STEPS * STEP_KEPT + 8)
#define KEPT_OF(numbers) unit_word((numbers)[0], (numbers)[CHUNK - 1])
#endif
#define LINE_KEPT (STEPS * STEP_KEPT)
#define DEPTH (LINE_KEPT * CHUNK)
#define STAGE (LINES * PITCH)
#define SUMS (SLICES / 2 * LEFT_WIDTH * WIDTH)

// The shares of a work-item in a stage, in KEPT.
#define LEFT_SHARE ((LEFT_WIDTH * LINE_KEPT + GROUP - 1) / GROUP)
#define RIGHT_SHARE ((WIDTH * LINE_KEPT + GROUP - 1) / GROUP)

// The line and the place in it of part `at` of a stage. Neighbouring work-items have neighbours in memory, four lines of eight
// if these are on different lines.
#define LINE_OF(at, along, lines) ((along) ? (at) / LINE_KEPT : (at) / 32 % ((lines) / 8) * 8 + (at) % 32 / 4)
#define PLACE_OF(at, along, lines) ((along) ? (at) % LINE_KEPT : (at) / 32 / ((lines) / 8) * 4 + (at) % 4)

// Reads the share of a work-item in the stage that begins with item `first` of the lines. `is_inside` tells of an item `inner_at`
// of line `line_at` whether the matrix has it.
#define FETCH_LINES(next, share, lines, along, first, load, is_inside) \
    _Pragma("unroll") for (uint t = 0; t < (share); ++t) { \
        const uint at = t * GROUP + me; \
        if ((lines) * LINE_KEPT % GROUP == 0 || at < (lines) * LINE_KEPT) { \
            const uint line = LINE_OF(at, along, lines), place = PLACE_OF(at, along, lines); \
            _Pragma("unroll") for (uint j = 0; j < CHUNK; ++j) { \
                const INDEX inner_at = (first) + place * CHUNK + j; \
                load(next[t * CHUNK + j], is_inside) \
            } \
        } \
    }
#define LOAD_LEFT(to, is_inside) \
    const INDEX line_at = top + line; \
    const bool inside = is_inside(line_at < rows && inner_at < inner); \
    BEGIN_ROW(batch, inside ? line_at : 0, inside ? inner_at : 0) \
    to = inside ? LEFT_LOAD(0) : ZERO_LOAD(0);
#define LOAD_RIGHT(to, is_inside) \
    const INDEX line_at = side + line; \
    const bool inside = is_inside(line_at < columns && inner_at < inner); \
    BEGIN_ROW(batch, 0, inside ? inner_at : 0) \
    to = inside ? LOAD(line_at) : ZERO_LOAD(0);
#define ALWAYS(condition) true
#define WHERE(condition) (condition)
#define FETCH(first) \
    if (is_whole && (first) + DEPTH <= inner) { \
        FETCH_LINES(left_next, LEFT_SHARE, LEFT_WIDTH, LEFT_ALONG, first, LOAD_LEFT, ALWAYS) \
        FETCH_LINES(right_next, RIGHT_SHARE, WIDTH, RIGHT_ALONG, first, LOAD_RIGHT, ALWAYS) \
    } else { \
        FETCH_LINES(left_next, LEFT_SHARE, LEFT_WIDTH, LEFT_ALONG, first, LOAD_LEFT, WHERE) \
        FETCH_LINES(right_next, RIGHT_SHARE, WIDTH, RIGHT_ALONG, first, LOAD_RIGHT, WHERE) \
    }

// Writes this share to local memory.
#define KEEP_LINES(next, share, lines, along, to) \
    _Pragma("unroll") for (uint t = 0; t < (share); ++t) { \
        const uint at = t * GROUP + me; \
        if ((lines) * LINE_KEPT % GROUP == 0 || at < (lines) * LINE_KEPT) \
            (to)[LINE_OF(at, along, lines) * PITCH + PLACE_OF(at, along, lines)] = KEPT_OF(next + t * CHUNK); \
    }
#define KEEP(stage) \
    KEEP_LINES(left_next, LEFT_SHARE, LEFT_WIDTH, LEFT_ALONG, kept + (stage) * STAGE) \
    KEEP_LINES(right_next, RIGHT_SHARE, WIDTH, RIGHT_ALONG, kept + (stage) * STAGE + LEFT_WIDTH * PITCH)

// A work-item has the items (ROW_OF(n), COLUMN_OF(n)) of its block.
#if FORMAT == 4
#define ACROSS (BLOCK_WIDTH / 8)
#define ROW_OF(n) (lane / 8 + (n) / ACROSS * 4)
#define COLUMN_OF(n) (lane % 8 + (n) % ACROSS * 8)
#else
#define ROW_OF(n) ((n) / 16 * 16 + (n) / 2 % 2 * 8 + UNIT_LINE(lane))
#define COLUMN_OF(n) ((n) / 4 % 4 * 8 + 2 * UNIT_STEP(lane) + (n) % 2)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contract_tiles(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX inner, const INDEX batches,
    const INDEX blocks, const INDEX right_panels)
{
    // A union of both stages and the sums of slices.
    local KEPT kept[2 * STAGE * sizeof(KEPT) > SUMS * sizeof(ITEM) ? 2 * STAGE : SUMS * sizeof(ITEM) / sizeof(KEPT)]
        __attribute__((aligned(16)));
    const uint me = get_local_id(0), lane = me % TEAM, block = me / TEAM % TEAMS, slice = me / TEAM / TEAMS;
    const uint down = block / BLOCKS_ACROSS * BLOCK_HEIGHT, across = block % BLOCKS_ACROSS * BLOCK_WIDTH;
    const INDEX of_batch = blocks * right_panels, units = batches * of_batch;
    // The arguments of STEP contain the begins of a row, although it does not use them.
    BEGIN_ROW(0, 0, 0)
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX batch = unit / of_batch, within = unit - batch * of_batch, above = within / right_panels;
        const INDEX top = above * LEFT_WIDTH, side = (within - above * right_panels) * WIDTH;
        const bool is_whole = top + LEFT_WIDTH <= rows && side + WIDTH <= columns;
        ITEM left_next[LEFT_SHARE * CHUNK], right_next[RIGHT_SHARE * CHUNK], total[BLOCK_WIDTH];
#pragma unroll
        for (uint n = 0; n < BLOCK_WIDTH; ++n)
            total[n] = ZERO_LOAD(0);
        // A tile that is left out adds nothing. Work-items that leave the loop before its barriers crash PoCL 3.1.
        const INDEX end = IS_LEFT_OUT(top, side) ? 0 : inner;
        if (end > 0) {
            FETCH(0)
            KEEP(0)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint stage = 0;
        for (INDEX k = 0; k < end; k += DEPTH, stage ^= 1) {
            const bool more = k + DEPTH < end;
            if (more) {
                FETCH(k + DEPTH)
            }
            const local KEPT *const left = kept + stage * STAGE + down * PITCH;
            const local KEPT *const right = kept + stage * STAGE + (LEFT_WIDTH + across) * PITCH;
#if FORMAT == 4
// Unrolled, NVIDIA's compiler keeps the items of several packs in registers, and fewer work-groups fit.
#pragma unroll 1
            for (uint s = 0; s < STEPS / SLICES * STEP_KEPT; s += PACK) {
                const uint at = slice * (STEPS / SLICES * STEP_KEPT) + s;
                ITEM rows_at[8][PACK], columns_at[ACROSS][PACK];
#pragma unroll
                for (uint r = 0; r < 8; ++r)
                    UNPACK(*(const local PACK_ITEM *)(left + (lane / 8 + r * 4) * PITCH + at), rows_at[r]);
#pragma unroll
                for (uint q = 0; q < ACROSS; ++q)
                    UNPACK(*(const local PACK_ITEM *)(right + (lane % 8 + q * 8) * PITCH + at), columns_at[q]);
#pragma unroll
                for (uint j = 0; j < PACK; ++j) {
#pragma unroll
                    for (uint n = 0; n < BLOCK_WIDTH; ++n)
                        total[n] = STEP(total[n], rows_at[n / ACROSS][j], columns_at[n % ACROSS][j]);
                }
            }
#else
#pragma unroll
            for (uint s = 0; s < STEPS / SLICES; ++s) {
                const uint at = (slice * (STEPS / SLICES) + s) * 4 + UNIT_STEP(lane);
                UNIT rows_at[4], columns_at[4];
#pragma unroll
                for (uint i = 0; i < 4; ++i) {
                    rows_at[i] = ((const local UNIT *)(left + (i * 8 + UNIT_LINE(lane)) * PITCH))[at];
                    columns_at[i] = ((const local UNIT *)(right + (i * 8 + UNIT_LINE(lane)) * PITCH))[at];
                }
#pragma unroll
                for (uint n = 0; n < 8; ++n)
                    MULTIPLY_UNITS(total + 4 * n, rows_at[n / 4 * 2], rows_at[n / 4 * 2 + 1], columns_at[n % 4]);
            }
#endif
            if (more) {
                KEEP(stage ^ 1)
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        // The upper half of the slices is added to the lower half, until one is left.
#pragma unroll
        for (uint half_of = SLICES / 2; half_of > 0; half_of /= 2) {
            local ITEM *const sums = (local ITEM *)kept + (slice % half_of * TEAMS + block) * (BLOCK_WIDTH * TEAM) + lane;
            if (slice >= half_of && slice < 2 * half_of) {
#pragma unroll
                for (uint n = 0; n < BLOCK_WIDTH; ++n)
                    sums[n * TEAM] = total[n];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (slice < half_of) {
#pragma unroll
                for (uint n = 0; n < BLOCK_WIDTH; ++n)
                    total[n] = ADDED(total[n], sums[n * TEAM]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (slice == 0) {
#if FORMAT < 4 && PACK == 2
            // A work-item has neighbours of a row.
#pragma unroll
            for (uint n = 0; n < BLOCK_WIDTH; n += 2) {
                const INDEX row = top + down + ROW_OF(n), column = side + across + COLUMN_OF(n);
                if (row < rows) {
                    BEGIN_ROW(batch, row, 0)
                    if (column + 1 < columns && IS_STORED(row, column) && IS_STORED(row, column + 1)) {
                        const ITEM pair[2] = {total[n], total[n + 1]};
                        STORE_PACK(column / 2, PACKED(pair));
                    } else {
#pragma unroll
                        for (uint j = 0; j < 2; ++j) {
                            if (column + j < columns && IS_STORED(row, column + j))
                                STORE(column + j, total[n + j]);
                        }
                    }
                }
            }
#else
#pragma unroll
            for (uint n = 0; n < BLOCK_WIDTH; ++n) {
                const INDEX row = top + down + ROW_OF(n), column = side + across + COLUMN_OF(n);
                if (row < rows && column < columns && IS_STORED(row, column)) {
                    BEGIN_ROW(batch, row, 0)
                    STORE(column, total[n]);
                }
            }
#endif
        }
    }
    RETURN;
}
