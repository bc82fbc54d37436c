// Product of matrices of doubles that `pack_panels` has copied into panels, by matrix units, and what is computed of it.
//
// The arguments are those of `contract`. A work-group computes one panel times one panel. A warp has 32 rows of the left
// panel and all columns of the right one. DEPTH items of both panels are in local memory at once, and the next DEPTH
// items are on their way there. The lines of local memory are 8 items apart from the next bank of the first one, so that
// a warp reads all banks at once.

#define UNIT_ROWS 16
#define UNIT_DEPTH 4
#define UNIT_COLUMNS 8
#define WARP 32
#define TILES_DOWN 2
#define TILES_ACROSS (WIDTH / UNIT_COLUMNS)
#define LEFT_PITCH (LEFT_WIDTH + 8)
#define RIGHT_PITCH (WIDTH + 8)
#define LEFT_LINE (LEFT_WIDTH / PACK)
#define RIGHT_LINE (WIDTH / PACK)
#define LEFT_SHARE (DEPTH * LEFT_LINE / GROUP)
#define RIGHT_SHARE (DEPTH * RIGHT_LINE / GROUP)

// Reads the share of a work-item in the next DEPTH items of both panels.
#define FETCH(at) \
    _Pragma("unroll") for (uint t = 0; t < LEFT_SHARE; ++t) \
        left_next[t] = LEFT_LOAD_PACK(left + (size_t)(at) * LEFT_LINE + t * GROUP + me); \
    _Pragma("unroll") for (uint t = 0; t < RIGHT_SHARE; ++t) \
        right_next[t] = LOAD_PACK(right + (size_t)(at) * RIGHT_LINE + t * GROUP + me);

// Writes this share to local memory.
#define KEEP(side) \
    _Pragma("unroll") for (uint t = 0; t < LEFT_SHARE; ++t) { \
        const uint p_ = t * GROUP + me; \
        left_tile[side][p_ / LEFT_LINE * (LEFT_PITCH / PACK) + p_ % LEFT_LINE] = left_next[t]; \
    } \
    _Pragma("unroll") for (uint t = 0; t < RIGHT_SHARE; ++t) { \
        const uint p_ = t * GROUP + me; \
        right_tile[side][p_ / RIGHT_LINE * (RIGHT_PITCH / PACK) + p_ % RIGHT_LINE] = right_next[t]; \
    }

// Stores two neighbouring items of a row.
#if PACK == 2
#define PUT_PAIR(column, first, second) \
    if ((column) + 1 < columns) { \
        STORE_PACK((column) / 2, (PACK_ITEM)((first), (second))); \
    } else if ((column) < columns) { \
        STORE((column), (first)); \
    }
#else
#define PUT_PAIR(column, first, second) \
    if ((column) < columns) \
        STORE((column), (first)); \
    if ((column) + 1 < columns) \
        STORE((column) + 1, (second));
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contract_units(SPACE_PARAMETERS OUTPUTS const INDEX rows, const INDEX columns, const INDEX inner,
    const INDEX batches, const INDEX left_batch, const INDEX right_batch, const INDEX blocks, const INDEX blocks_upper,
    const INDEX blocks_shift, const INDEX right_panels, const INDEX right_upper, const INDEX right_shift)
{
    local PACK_ITEM left_tile[2][DEPTH * LEFT_PITCH / PACK], right_tile[2][DEPTH * RIGHT_PITCH / PACK];
    const uint me = get_local_id(0), lane = me % WARP, line = UNIT_LINE(lane), step = UNIT_STEP(lane);
    const uint first_row = me / WARP * (TILES_DOWN * UNIT_ROWS);
    const INDEX units = batches * blocks * right_panels;
    // The arguments of the loads contain the begins of a row, although they do not use them.
    BEGIN_ROW(0, 0)
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX above = divided(unit, right_upper, right_shift), panel = unit - above * right_panels;
        const INDEX batch = divided(above, blocks_upper, blocks_shift), top = (above - batch * blocks) * LEFT_WIDTH;
        const size_t left = ((size_t)batch * left_batch + (size_t)top * inner) / PACK;
        const size_t right = ((size_t)batch * right_batch + (size_t)panel * inner * WIDTH) / PACK;
        double total[TILES_DOWN][TILES_ACROSS][4];
        PACK_ITEM left_next[LEFT_SHARE], right_next[RIGHT_SHARE];
#pragma unroll
        for (uint i = 0; i < TILES_DOWN; ++i) {
#pragma unroll
            for (uint j = 0; j < TILES_ACROSS; ++j) {
#pragma unroll
                for (uint r = 0; r < 4; ++r)
                    total[i][j][r] = 0;
            }
        }
        if (inner > 0) {
            FETCH(0)
            KEEP(0)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint side = 0;
        for (INDEX k = 0; k < inner; k += DEPTH, side ^= 1) {
            const bool more = k + DEPTH < inner;
            if (more) {
                FETCH(k + DEPTH)
            }
            const local double *const left_items = (const local double *)left_tile[side] + first_row + line;
            const local double *const right_items = (const local double *)right_tile[side] + line;
#pragma unroll
            for (uint d = 0; d < DEPTH; d += UNIT_DEPTH) {
                double upper[TILES_DOWN], lower[TILES_DOWN], across[TILES_ACROSS];
#pragma unroll
                for (uint i = 0; i < TILES_DOWN; ++i) {
                    upper[i] = left_items[(d + step) * LEFT_PITCH + i * UNIT_ROWS];
                    lower[i] = left_items[(d + step) * LEFT_PITCH + i * UNIT_ROWS + 8];
                }
#pragma unroll
                for (uint j = 0; j < TILES_ACROSS; ++j)
                    across[j] = right_items[(d + step) * RIGHT_PITCH + j * UNIT_COLUMNS];
#pragma unroll
                for (uint i = 0; i < TILES_DOWN; ++i) {
#pragma unroll
                    for (uint j = 0; j < TILES_ACROSS; ++j)
                        MULTIPLY_TILES(total[i][j], upper[i], lower[i], across[j]);
                }
            }
            if (more) {
                KEEP(side ^ 1)
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#pragma unroll
        for (uint i = 0; i < 2 * TILES_DOWN; ++i) {
            const INDEX row = top + first_row + i * (UNIT_ROWS / 2) + line;
            if (row < rows) {
                BEGIN_ROW(batch, row)
#pragma unroll
                for (uint j = 0; j < TILES_ACROSS; ++j) {
                    const INDEX column = panel * WIDTH + j * UNIT_COLUMNS + 2 * step;
                    PUT_PAIR(column, total[i / 2][j][i % 2 * 2], total[i / 2][j][i % 2 * 2 + 1])
                }
            }
        }
    }
    RETURN;
}
