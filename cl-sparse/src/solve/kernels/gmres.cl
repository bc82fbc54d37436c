// GMRES: the work on elements. See gmres.rs for the steps and their memory accesses.
#ifndef VECTORS
#define VECTORS                                                                                                      \
    global ITEM *RESTRICT x, global ITEM *RESTRICT w, global ITEM *RESTRICT v, global ITEM *RESTRICT basis,          \
        global ulong *RESTRICT numbers_, const ulong pitch, const uint most, const uint column,
#define VECTOR_ARGUMENTS x, w, v, basis, numbers_, pitch, most, column,
#define NUMBERS global slot *numbers = (global slot *)numbers_

#define START 0
#define RESTART 1
#define NORMALIZE 2
#define PRODUCT 3
#define SUBTRACT 4
#define SUBTRACT_AGAIN 5
#define COMBINE 6
#define ADD 7
#define CLEAR 8

#if STEP == START
#define IS_DUE(state, iteration) true
#elif STEP == CLEAR
#define IS_DUE(state, iteration) (state[ZERO].word != 0)
#elif STEP == COMBINE || STEP == ADD
#define IS_DUE(state, iteration) (state[WIDTH].word != 0)
#elif STEP == SUBTRACT_AGAIN
#define IS_DUE(state, iteration) (state[LAST].word >= (iteration) && state[AGAIN].word != 0)
#else
#define IS_DUE(state, iteration) (state[LAST].word >= (iteration))
#endif
#endif

INLINE void NAMED(element)(PARAMETERS VECTORS global slot *state, const size_t i INTO)
{
    NUMBERS;
#if STEP == START || STEP == RESTART
    const VALUE side = SIDE(i), rest = side - LOADED(i);
    AT(w, i) = rest;
    sum[0] += WIDEN(rest) * WIDEN(rest);
#if STEP == START
    sum[1] += SQUARE(WIDEN(side));
#endif
#elif STEP == NORMALIZE
    const VALUE unit = (ITEM)state[SCALE].real * AT(w, i);
    AT(v, i) = unit;
    AT(basis + column * pitch, i) = unit;
#elif STEP == PRODUCT
    AT(w, i) = LOADED(i);
#elif STEP == SUBTRACT || STEP == SUBTRACT_AGAIN
    VALUE rest = AT(w, i);
    for (uint k = 0; k <= column; ++k)
        rest -= (ITEM)numbers[PART(most, k)].real * AT(basis + k * pitch, i);
    AT(w, i) = rest;
    sum[0] += WIDEN(rest) * WIDEN(rest);
#elif STEP == COMBINE
    const uint width = state[WIDTH].word;
    VALUE step = (VALUE)(0);
    for (uint k = 0; k < width; ++k)
        step += (ITEM)numbers[Y(most, k)].real * AT(basis + k * pitch, i);
#if POINTWISE
    AT(x, i) += step;
#else
    AT(v, i) = step;
#endif
#elif STEP == ADD
    AT(x, i) += LOADED(i);
#else
    AT(x, i) = (VALUE)(0);
#endif
}
