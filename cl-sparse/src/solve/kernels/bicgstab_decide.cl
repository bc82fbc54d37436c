// BiCGStab: the numbers that one work-item computes from the sums of a step.

INLINE void decide(VECTORS global slot *state, const REAL *sum, const ulong iteration, const REAL relative,
                   const REAL absolute, const uint kept)
{
#if STEP == START
    commence(state, sum[0], sum[1], relative, absolute, kept);
    state[RHO].real = sum[0];
#elif STEP == PRODUCT
    // The solution has not been changed in this iteration. sum[0], the inner product of v and the first residual, may
    // be zero because its terms cancel by chance. Then the step along g has length zero, and the step along h continues
    // from r. If RHO, the inner product of the residual and the first residual, is zero, too, the method breaks down.
    const REAL alpha = sum[0] == 0 ? 0 : state[RHO].real / sum[0];
    if (sum[0] == 0 && state[RHO].real == 0)
        stop(state, BREAKDOWN + 2, iteration - 1);
    else if (!isfinite(sum[0]) || !isfinite(alpha))
        stop(state, NOT_FINITE, iteration - 1);
    state[ALPHA].real = alpha;
    state[SHADOW_PRODUCT].real = sum[0];
#elif STEP == HALF
    if (!isfinite(sum[0]))
        stop(state, NOT_FINITE, iteration - 1);
    state[HALF_SUM].real = sum[0];
    state[HALFWAY].word = sum[0] <= state[THRESHOLD].real;
#elif STEP == STABILIZE
    if (state[HALFWAY].word)
        return;
    const REAL omega = sum[0] / sum[1];
    // The squared norm of the next residual. If it is not finite, the solver stops before the next step changes the
    // solution.
    const REAL square = state[HALF_SUM].real - 2 * omega * sum[0] + omega * omega * sum[1];
    if (sum[1] == 0 || sum[0] == 0)
        stop(state, BREAKDOWN + (state[SHADOW_PRODUCT].real == 0 ? 3 : 4), iteration - 1);
    else if (!isfinite(sum[0]) || !isfinite(sum[1]) || !isfinite(square))
        stop(state, NOT_FINITE, iteration - 1);
    state[OMEGA].real = omega;
#elif STEP == UPDATE
    note(state, sum[0], iteration, kept);
    if (state[HALFWAY].word || sum[0] <= state[THRESHOLD].real) {
        stop(state, CONVERGED, iteration);
        return;
    }
    // BETA, the factor of the old direction, is sum[1] / RHO * ALPHA / OMEGA. ALPHA / RHO is 1 / SHADOW_PRODUCT. If
    // SHADOW_PRODUCT or sum[1] is zero, BETA is zero, so that the residual becomes the new direction.
    const REAL product = state[SHADOW_PRODUCT].real;
    const REAL beta = product == 0 ? 0 : sum[1] / product / state[OMEGA].real;
    if (!isfinite(sum[0]) || !isfinite(beta))
        stop(state, NOT_FINITE, iteration);
    state[BETA].real = beta;
    state[RHO].real = sum[1];
#endif
}
