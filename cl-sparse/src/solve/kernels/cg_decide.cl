// Conjugate gradients: the numbers that one work-item computes from the sums of a step.

// Stops the solver after this iteration unless r'z is a positive number, by which later steps can divide.
INLINE void weigh(global slot *state, const REAL rz, const ulong iteration)
{
    if (state[REASON].word != RUNNING)
        return;
    if (!isfinite(rz))
        stop(state, NOT_FINITE, iteration);
    else if (rz < 0)
        stop(state, INDEFINITE_PRECONDITIONER, iteration);
    else if (rz == 0)
        stop(state, BREAKDOWN, iteration);
}

INLINE void decide(VECTORS global slot *state, const REAL *sum, const ulong iteration, const REAL relative,
                   const REAL absolute, const uint kept)
{
#if STEP == START
    commence(state, sum[0], sum[1], relative, absolute, kept);
#if POINTWISE
    state[RZ].real = sum[2];
    weigh(state, sum[2], 0);
#endif
#elif STEP == FIRST
    state[RZ].real = sum[0];
    weigh(state, sum[0], 0);
#elif STEP == PRODUCT
    // sum[0] is p'A p. It is positive for each direction p unless the operator is indefinite or singular. The solution
    // and the residual have not been changed in this iteration yet.
    const REAL alpha = state[RZ].real / sum[0];
    if (sum[0] < 0)
        stop(state, INDEFINITE, iteration - 1);
    else if (sum[0] == 0)
        stop(state, BREAKDOWN + 1, iteration - 1);
    else if (!isfinite(sum[0]) || !isfinite(alpha))
        stop(state, NOT_FINITE, iteration - 1);
    state[ALPHA].real = alpha;
#elif STEP == UPDATE
    // The solution is still that of the previous iteration. The next step updates it, unless the solver stops before.
    if (!isfinite(sum[0])) {
        stop(state, NOT_FINITE, iteration - 1);
        return;
    }
    note(state, sum[0], iteration, kept);
    if (sum[0] <= state[THRESHOLD].real)
        stop(state, CONVERGED, iteration);
#if POINTWISE
    state[BETA].real = sum[1] / state[RZ].real;
    state[RZ].real = sum[1];
    weigh(state, sum[1], iteration);
#endif
#elif STEP == ENERGY
    state[BETA].real = sum[0] / state[RZ].real;
    state[RZ].real = sum[0];
    weigh(state, sum[0], iteration);
#endif
}
