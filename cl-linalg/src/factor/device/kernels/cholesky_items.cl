// The items of a work-item in cholesky_step.cl: those of every SIDE-th line and every ACROSS-th column that are in a block on
// or below the diagonal.
//
// EACH_OWN runs statements for each item OWN, of line `line` and column `j`. UPDATE_OWN subtracts the products of
// STEP_COLUMNS columns `from` from the items of columns from `first_column` on.

#define SIDE (GROUP < 16 ? GROUP : 16)
#define ACROSS (GROUP / SIDE)
#define OWN_LINES ((SQUARE_COLUMNS + STRIP + SIDE - 1) / SIDE)
#define OWN_COLUMNS ((SQUARE_COLUMNS + ACROSS - 1) / ACROSS)
#define PITCH (OWN_LINES * SIDE)
#define IS_BELOW(a, b) (SIDE * ((a) + 1) > ACROSS * (b))
#define OWN own[b][a]
#define DECLARE_OWN \
    const uint side = me % SIDE, across = me / SIDE; \
    NUMBER own[OWN_COLUMNS][OWN_LINES];
#define EACH_OWN(statements) \
    _Pragma("unroll") for (uint b = 0; b < OWN_COLUMNS; ++b) { \
        _Pragma("unroll") for (uint a = 0; a < OWN_LINES; ++a) { \
            const uint line = side + SIDE * a, j = across + ACROSS * b; \
            if (IS_BELOW(a, b)) { \
                statements \
            } \
        } \
    }
#define UPDATE_OWN(from, first_column) \
    { \
        NUMBER left[OWN_LINES][STEP_COLUMNS]; \
        _Pragma("unroll") for (uint a = 0; a < OWN_LINES; ++a) { \
            _Pragma("unroll") for (uint q = 0; q < STEP_COLUMNS; ++q) \
                left[a][q] = (from)[q][side + SIDE * a]; \
        } \
        _Pragma("unroll") for (uint b = 0; b < OWN_COLUMNS; ++b) { \
            if (ACROSS * (b + 1) > (first_column)) { \
                NUMBER factors[STEP_COLUMNS]; \
                _Pragma("unroll") for (uint q = 0; q < STEP_COLUMNS; ++q) \
                    factors[q] = CONJUGATE((from)[q][across + ACROSS * b]); \
                _Pragma("unroll") for (uint q = 0; q < STEP_COLUMNS; ++q) { \
                    _Pragma("unroll") for (uint a = 0; a < OWN_LINES; ++a) \
                        if (IS_BELOW(a, b)) \
                            own[b][a] -= TIMES(left[a][q], factors[q]); \
                } \
            } \
        } \
    }
