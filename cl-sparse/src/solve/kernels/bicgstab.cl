// BiCGStab: the work on elements. See bicgstab.rs for the steps and their memory accesses.
#ifndef VECTORS
// `g` and `h` are the preconditioner's results for the direction p and the half-way residual s. Without a
// preconditioner they are p and s themselves.
#define VECTORS                                                                                                      \
    global ITEM *RESTRICT x, global ITEM *RESTRICT r, global ITEM *RESTRICT shadow, global ITEM *RESTRICT p,         \
        global ITEM *RESTRICT v, global ITEM *RESTRICT s, global ITEM *RESTRICT t, global const ITEM *g,             \
        global const ITEM *h,
#define VECTOR_ARGUMENTS x, r, shadow, p, v, s, t, g, h,

#define START 0
#define PRODUCT 1
#define HALF 2
#define STABILIZE 3
#define UPDATE 4
#define DIRECTION 5
#define CLEAR 6

#define ALPHA OWN         // The step length along g.
#define OMEGA (OWN + 1)   // The step length along h.
#define BETA (OWN + 2)    // The factor of the old direction in the new one.
#define RHO (OWN + 3)     // The inner product of the residual and the first residual.
#define HALF_SUM (OWN + 4) // The square of the half-way residual.
#define HALFWAY (OWN + 5) // 1 if the half-way residual s meets the tolerance; then s is the new residual.
#define SHADOW_PRODUCT (OWN + 6) // The inner product of v and the first residual.
#endif

INLINE void NAMED(element)(PARAMETERS VECTORS global slot *state, const size_t i INTO)
{
#if STEP == START
    const VALUE side = SIDE(i), rest = side - LOADED(i);
    AT(r, i) = rest;
    AT(shadow, i) = rest;
    AT(p, i) = rest;
    sum[0] += WIDEN(rest) * WIDEN(rest);
    sum[1] += SQUARE(WIDEN(side));
#elif STEP == PRODUCT
    // v = A g.
    const VALUE product = LOADED(i);
#if WHOLE
    AT(v, i) = product;
#endif
    sum[0] += WIDEN(AT(shadow, i)) * WIDEN(product);
#elif STEP == HALF
    const ITEM alpha = state[ALPHA].real;
    const VALUE half_way = AT(r, i) - alpha * AT(v, i);
    AT(s, i) = half_way;
    sum[0] += WIDEN(half_way) * WIDEN(half_way);
#elif STEP == STABILIZE
    // t = A h.
    const VALUE product = LOADED(i);
#if WHOLE
    AT(t, i) = product;
#endif
    sum[0] += WIDEN(product) * WIDEN(AT(s, i));
    sum[1] += WIDEN(product) * WIDEN(product);
#elif STEP == UPDATE
    const ITEM alpha = state[ALPHA].real, omega = state[OMEGA].real;
    if (state[HALFWAY].word) {
        const VALUE rest = AT(s, i);
        AT(x, i) += alpha * AT(g, i);
        AT(r, i) = rest;
        sum[0] += WIDEN(rest) * WIDEN(rest);
    } else {
        const VALUE rest = AT(s, i) - omega * AT(t, i);
        AT(x, i) += alpha * AT(g, i) + omega * AT(h, i);
        AT(r, i) = rest;
        sum[0] += WIDEN(rest) * WIDEN(rest);
        sum[1] += WIDEN(AT(shadow, i)) * WIDEN(rest);
    }
#elif STEP == DIRECTION
    const ITEM beta = state[BETA].real, omega = state[OMEGA].real;
    AT(p, i) = AT(r, i) + beta * (AT(p, i) - omega * AT(v, i));
#else
    AT(x, i) = (VALUE)(0);
#endif
}
