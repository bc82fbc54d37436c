// A step of a solver: work on the elements of vectors, sums over the elements, and the numbers that follow from the
// sums. The next step reads the numbers on the device, so the host need not read them between steps.
//
// A step consists of
//
//   begin.cl          this file: the state, which is the numbers that a step stores for later steps
//   NAME.cl           the work on elements, once for packs (packs.cl) and once for single items (items.cl)
//   NAME_decide.cl    the numbers that one work-item computes from the sums
//   step.cl           the kernel
//
// Parameters:
// - FENCE: how work-groups of one launch see each other's writes (0 not at all, 1 by NVIDIA's PTX, 2 by OpenCL C 3.0).
// - FINAL: without a fence, 1 for the launch that adds up the partial sums of the launch before.
// - DOUBLE: 1 if sums and numbers are `double`, as on all devices that have `double`. The squares of very small and
//   very large `float` values fit `double`, but not `float`.
// - STEP, SUMS: the number of the step, and the number of its sums.
// - WHOLE: 1 if the step computes the operator's product itself.
// - POINTWISE: 1 if the preconditioner is a factor for each element.

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

// The type of sums in the library's functions.
#define SUM REAL
#define SUM_PACK REAL_PACK

// The qualifier of vectors in lists of parameters. It is empty in functions; step.cl defines it anew for the kernel,
// and gives the reason.
#define RESTRICT

// The last parameter of the work on elements: the sums, if the step has any.
#if SUMS > 0
#define INTO , WIDE *sum
#else
#define INTO
#endif

// A number of the state. The host reads the state now and then.
typedef VOLATILE union {
    VOLATILE ulong word;
    VOLATILE REAL real;
} slot;

// The indices of the numbers that all solvers have. The numbers of a single solver have indices from OWN on.
#define LAST 0   // The last iteration: kernels of later iterations do nothing.
#define REASON 1 // The reason for stopping.
#define DONE 2   // The number of iterations in the solution.
#define ZERO 3   // 1 if the right-hand side is zero; then the solution is zero, too.
#define RESIDUAL 4  // The square of the residual's norm.
#define THRESHOLD 5 // The square of the threshold for the norm.
#define OWN 6
// The residual of each iteration, in a ring buffer.
#define HISTORY 24

#define RUNNING 0
#define CONVERGED 1
#define NOT_FINITE 2
#define INDEFINITE 3
#define INDEFINITE_PRECONDITIONER 4
#define BREAKDOWN 8 // the number of the breakdown is added

// The square of a number, plus a very small amount. The amount keeps the result above zero if the square of a nonzero
// number underflows.
#define SQUARE(value) ((value) * (value) + fmin(fabs(value), (REAL)SMALLEST))

INLINE void stop(global slot *state, const ulong reason, const ulong after)
{
    state[REASON].word = reason;
    state[LAST].word = after;
}

// Records the residual after this many iterations.
INLINE void note(global slot *state, const REAL residual, const ulong done, const uint kept)
{
    state[RESIDUAL].real = residual;
    state[DONE].word = done;
    state[HISTORY + done % kept].real = residual;
}

// Initializes the state for a system. `side` and `residual` are the squared norms of the right-hand side and of the
// first residual.
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
    else if (!isfinite(residual) || !isfinite(side)) // otherwise an infinite threshold would count as met
        stop(state, NOT_FINITE, 0);
    else if (residual <= threshold)
        stop(state, CONVERGED, 0);
}
