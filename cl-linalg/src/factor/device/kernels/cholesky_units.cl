// The items of a work-item in cholesky_step.cl, of doubles, for matrix units: a warp has every WARPS-th tile of 8 columns, and
// double_units.cl says which items of a tile a work-item has.
//
// EACH_OWN, OWN and UPDATE_OWN are those of cholesky_items.cl. STEP_COLUMNS is 4, as many as a tile is multiplied by at once.

#define WARPS (GROUP / 32)
#define TALL ((SQUARE_COLUMNS + STRIP) / 16)
#define BROAD (SQUARE_COLUMNS / 8 / WARPS)
// Four lines of four columns, which are read together, are in different banks.
#define PITCH (SQUARE_COLUMNS + STRIP + 4)
#define OWN own[c][n]
#define DECLARE_OWN \
    const uint lane = me % 32, warp = me / 32; \
    double own[BROAD][4 * TALL];
#define EACH_OWN(statements) \
    _Pragma("unroll") for (uint c = 0; c < BROAD; ++c) { \
        _Pragma("unroll") for (uint n = 0; n < 4 * TALL; ++n) { \
            const uint line = n / 2 * 8 + UNIT_LINE(lane), j = 8 * (warp + WARPS * c) + 2 * UNIT_STEP(lane) + n % 2; \
            statements \
        } \
    }
#define UPDATE_OWN(from, first_column) \
    { \
        const local double *const numbers = (from)[UNIT_STEP(lane)] + UNIT_LINE(lane); \
        double left[2 * TALL]; \
        _Pragma("unroll") for (uint t = 0; t < 2 * TALL; ++t) \
            left[t] = numbers[8 * t]; \
        _Pragma("unroll") for (uint c = 0; c < BROAD; ++c) { \
            const uint tile = warp + WARPS * c; \
            if (8 * (tile + 1) > (first_column)) { \
                const double right = -numbers[8 * tile]; \
                _Pragma("unroll") for (uint t = 0; t < TALL; ++t) \
                    if (2 * (t + 1) > tile) \
                        MULTIPLY_TILES(own[c] + 4 * t, left[2 * t], left[2 * t + 1], right); \
            } \
        } \
    }
