// GMRES: the numbers that one work-item computes from the sums of a step.

// Begins a basis with a residual whose squared norm is `square`.
INLINE void begin_basis(global slot *state, global slot *numbers, const REAL square, const uint most)
{
    const REAL norm = sqrt(square);
    numbers[G(most, 0)].real = norm;
    state[COLUMNS].word = 0;
    state[AGAIN].word = 0;
    state[SCALE].real = 1 / norm;
}

// Applies the rotations of the earlier columns to the new column, and one more that makes its last element, `below`,
// zero. The new element of the right-hand side is the residual's norm.
INLINE void end_column(global slot *state, global slot *numbers, REAL below, const uint most, const uint column,
                       const ulong iteration, const uint kept)
{
    REAL upper = numbers[H(most, 0)].real, square = upper * upper;
    for (uint k = 0; k < column; ++k) {
        const REAL lower = numbers[H(most, k + 1)].real;
        const REAL c = numbers[COSINE(most, k)].real, s = numbers[SINE(most, k)].real;
        square += lower * lower;
        numbers[R(most, k, column)].real = c * upper + s * lower;
        upper = c * lower - s * upper;
    }
    const REAL norm = sqrt(square + below * below);
    if (below <= NOISE * norm)
        below = 0;
    const REAL diagonal = hypot(upper, below);
    if (!isfinite(norm) || !isfinite(diagonal)) {
        stop(state, NOT_FINITE, iteration - 1);
        return;
    }
    if (diagonal <= NOISE * norm) {
        stop(state, BREAKDOWN + 5, iteration - 1);
        return;
    }
    const REAL c = upper / diagonal, s = below / diagonal, g = numbers[G(most, column)].real;
    numbers[R(most, column, column)].real = diagonal;
    numbers[COSINE(most, column)].real = c;
    numbers[SINE(most, column)].real = s;
    numbers[G(most, column)].real = c * g;
    numbers[G(most, column + 1)].real = -s * g;
    state[COLUMNS].word = column + 1;
    state[SCALE].real = 1 / below;
    note(state, s * g * (s * g), iteration, kept);
    if (s * g * (s * g) <= state[THRESHOLD].real)
        stop(state, CONVERGED, iteration);
}

INLINE void decide(VECTORS global slot *state, const REAL *sum, const ulong iteration, const REAL relative,
                   const REAL absolute, const uint kept)
{
    NUMBERS;
#if STEP == START
    commence(state, sum[0], sum[1], relative, absolute, kept);
    begin_basis(state, numbers, sum[0], most);
    state[WIDTH].word = 0;
#elif STEP == RESTART
    note(state, sum[0], iteration, kept);
    begin_basis(state, numbers, sum[0], most);
    if (!isfinite(sum[0]))
        stop(state, NOT_FINITE, iteration);
    else if (sum[0] <= state[THRESHOLD].real)
        stop(state, CONVERGED, iteration);
#elif STEP == SUBTRACT || STEP == SUBTRACT_AGAIN
    // `parts` is the squared norm of what has been subtracted from w, and sum[0] the squared norm of w now. If sum[0]
    // is smaller, rounding errors along the basis may be a large part of w, so the subtraction is repeated: "twice is
    // enough" (Giraud, Langou, Rozloznik and van den Eshof 2005, after Kahan and Parlett).
    REAL parts = 0;
    for (uint k = 0; k <= column; ++k)
        parts += numbers[PART(most, k)].real * numbers[PART(most, k)].real;
    state[AGAIN].word = STEP == SUBTRACT && sum[0] < parts;
    if (!state[AGAIN].word)
        end_column(state, numbers, sqrt(sum[0]), most, column, iteration, kept);
#endif
}
