// Conjugate gradients: the work on elements. See cg.rs for the steps and their memory accesses.
#ifndef VECTORS
#define VECTORS global ITEM *RESTRICT x, global ITEM *RESTRICT r, global ITEM *RESTRICT p, global ITEM *RESTRICT q,
#define VECTOR_ARGUMENTS x, r, p, q,

#define START 0
#define PRODUCT 1
#define UPDATE 2
#define DIRECTION 3
#define ENERGY 4
#define FIRST 5
#define CLEAR 6

#define ALPHA OWN        // The step length.
#define BETA (OWN + 1)   // The factor of the old direction in the new one.
#define RZ (OWN + 2)     // r'z, where z is the preconditioned residual.
#endif

INLINE void NAMED(element)(PARAMETERS VECTORS global slot *state, const size_t i INTO)
{
#if STEP == START
    // r = b - A x, and p = z if the preconditioner is a factor for each element.
    const VALUE side = SIDE(i), rest = side - LOADED(i);
    AT(r, i) = rest;
    sum[0] += WIDEN(rest) * WIDEN(rest);
    sum[1] += SQUARE(WIDEN(side));
#if POINTWISE
    const VALUE direction = FACTOR(i) * rest;
    AT(p, i) = direction;
    sum[2] += WIDEN(rest) * WIDEN(direction);
#endif
#elif STEP == PRODUCT
    // p'q, where q = A p. If WHOLE is 1, this step computes q and stores it.
    const VALUE product = LOADED(i);
#if WHOLE
    AT(q, i) = product;
#endif
    sum[0] += WIDEN(AT(p, i)) * WIDEN(product);
#elif STEP == UPDATE
    const ITEM alpha = state[ALPHA].real;
    const VALUE rest = AT(r, i) - alpha * AT(q, i);
    AT(r, i) = rest;
    sum[0] += WIDEN(rest) * WIDEN(rest);
#if POINTWISE
    sum[1] += WIDEN(rest) * WIDEN(LOADED(i) * rest);
#endif
#elif STEP == DIRECTION
    const ITEM alpha = state[ALPHA].real, beta = state[BETA].real;
#if POINTWISE
    const VALUE z = LOADED(i) * AT(r, i);
#else
    const VALUE z = LOADED(i);
#endif
    const VALUE direction = AT(p, i);
    AT(x, i) += alpha * direction;
    AT(p, i) = z + beta * direction;
#elif STEP == ENERGY
    sum[0] += WIDEN(AT(r, i)) * WIDEN(LOADED(i));
#elif STEP == FIRST
    const VALUE direction = LOADED(i);
    AT(p, i) = direction;
    sum[0] += WIDEN(AT(r, i)) * WIDEN(direction);
#else
    AT(x, i) = (VALUE)(0);
#endif
}
