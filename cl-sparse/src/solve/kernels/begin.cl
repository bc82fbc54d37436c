// A step of a solver: work on the elements of vectors, sums of what comes of it, and what follows from the
// sums for the next step. The host does not see the numbers.
//
// Put together from
//
//   begin.cl          this: the numbers that steps leave each other
//   NAME.cl           the elements' work, once for packs (packs.cl) and once for single items (items.cl)
//   NAME_decide.cl    what one work-item makes of the sums
//   step.cl           the kernel
//
// Values: FENCE, how work-groups of one launch see each other's writes (0 not at all, 1 by NVIDIA's PTX, 2 by
// OpenCL C 3.0); FINAL, where they do not, whether this launch is the one that adds up what the groups of the
// launch before have left; DOUBLE, whether sums and numbers are `double`, which they are wherever the device
// has it: squares of small and large `float` fit in; STEP; SUMS; WHOLE, whether the step computes the operator's
// product itself; POINTWISE, whether the preconditioner is a factor for each element.

#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define SMALLEST DBL_MIN
#else
#define REAL float
#define SMALLEST FLT_MIN
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if PACK == 1
#define REAL_PACK REAL
#define TO_REAL_PACK(value) ((REAL)(value))
#else
#define REAL_PACK JOIN(REAL, PACK)
#define TO_REAL_PACK JOIN(JOIN(convert_, REAL), PACK)
#endif

// What the library's sums are of.
#define SUM REAL
#define SUM_PACK REAL_PACK

// In the vectors of functions, which are defined before the kernel: see step.cl.
#define RESTRICT

// What the elements' work has behind its index: where sums are taken, those.
#if SUMS > 0
#define INTO , WIDE *sum
#else
#define INTO
#endif

// One number that steps leave each other. The host reads them now and then.
typedef VOLATILE union {
    VOLATILE ulong word;
    VOLATILE REAL real;
} slot;

// Of all solvers; each has more of its own, from OWN on.
#define LAST 0   // The iteration that the solver stops after: what comes later does nothing.
#define REASON 1 // Why.
#define DONE 2   // Iterations that are in the solution.
#define ZERO 3   // Whether the right-hand side is zero, and so the solution.
#define RESIDUAL 4  // The square of the residual's norm.
#define THRESHOLD 5 // What it has to come down to.
#define OWN 6
// The residual of each iteration, in turns.
#define HISTORY 24

#define RUNNING 0
#define CONVERGED 1
#define NOT_FINITE 2
#define INDEFINITE 3
#define INDEFINITE_PRECONDITIONER 4
#define BREAKDOWN 8 // and what of, added

// The square of a number, which is zero for zero only.
#define SQUARE(value) ((value) * (value) + fmin(fabs(value), (REAL)SMALLEST))

INLINE void stop(global slot *state, const ulong reason, const ulong after)
{
    state[REASON].word = reason;
    state[LAST].word = after;
}

// Writes down how far the solver has come in this many iterations.
INLINE void note(global slot *state, const REAL residual, const ulong done, const uint kept)
{
    state[RESIDUAL].real = residual;
    state[DONE].word = done;
    state[HISTORY + done % kept].real = residual;
}

// The first words about a system whose right-hand side has this square of its norm, and the residual that.
INLINE void commence(global slot *state, const REAL residual, const REAL side, const REAL relative,
                     const REAL absolute, const uint kept)
{
    const REAL threshold = relative * relative * side + absolute * absolute;
    state[THRESHOLD].real = threshold;
    state[ZERO].word = side == 0;
    stop(state, RUNNING, ULONG_MAX);
    note(state, side == 0 ? (REAL)0 : residual, 0, kept);
    if (side == 0)
        stop(state, CONVERGED, 0);
    else if (relative > 0 && threshold < SMALLEST)
        stop(state, BREAKDOWN + 6, 0);
    else if (!isfinite(residual) || !isfinite(side)) // a threshold beyond all numbers is met
        stop(state, NOT_FINITE, 0);
    else if (residual <= threshold)
        stop(state, CONVERGED, 0);
}
