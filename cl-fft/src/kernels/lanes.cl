// Transforms of one length on CPUs: LANES of them at once, one in each component of the vector registers.
//
// A work-group is one work-item, which owns a chunk of consecutive blocks of LANES lines. It gathers a block into a
// work area, runs the stages of the transform from one half of the area to the other, and scatters the block to the
// output. T. G. Stockham, "High-speed convolution and correlation" (1966): each stage leaves the points in the order in
// which the next stage reads them. If lines are neighbours in memory, the first stage gathers and the last stage
// scatters, without the area.
//
// Parameters: the names in template.rs, and those that blocks.cl needs.

// Computes the LENGTH / R transforms of R points of one stage, and multiplies by the factors that the next stage needs.
// A stage has m rows. Row p consists of S neighbouring transforms, which have the same factors. TAKE(a, b, re, im)
// loads point a + b, and PUT(a, b, re, im) stores it.
#define STAGE(TAKE, PUT, R, S, factors)                                                           \
    for (uint p = 0; p < LENGTH / ((S) * R); ++p) {                                               \
        const uint m = LENGTH / ((S) * R);                                                        \
        POINT factor[R];                                                                          \
        UNROLL for (uint k = 1; k < R; ++k)                                                       \
            factor[k] = (factors)[(k - 1) * m + p];                                               \
        for (uint q = 0; q < (S); ++q) {                                                          \
            REAL re[R], im[R];                                                                    \
            UNROLL for (uint k = 0; k < R; ++k)                                                   \
                TAKE(q + (S) * p, LENGTH / R * k, re[k], im[k])                                   \
            DFT(R)(re, im);                                                                       \
            UNROLL for (uint k = 0; k < R; ++k) {                                                 \
                const bool turned = k > 0 && m > 1;                                               \
                const REAL x = turned ? re[k] * factor[k].x - im[k] * factor[k].y : re[k];        \
                const REAL y = turned ? re[k] * factor[k].y + im[k] * factor[k].x : im[k];        \
                PUT(q + (S) * R * p, (S) * k, x, y)                                               \
            }                                                                                     \
        }                                                                                         \
    }

#define FROM_AREA(a, b, re, im)                                                                   \
    {                                                                                             \
        re = in[2 * (AT(a) + AT(b))];                                                             \
        im = in[2 * (AT(a) + AT(b)) + 1];                                                         \
    }
#define TO_AREA(a, b, re, im)                                                                     \
    {                                                                                             \
        out[2 * (AT(a) + AT(b))] = re;                                                            \
        out[2 * (AT(a) + AT(b)) + 1] = im;                                                        \
    }
#define FROM_LINES(a, b, re, im) take_beside(ENDS at, next, (a) + (b), &re, &im);
#define TO_LINES(a, b, re, im) put_beside(ENDS at, next, moved, (a) + (b), re, im);

// Defines each stage as a function of its own, so that the compiler knows that its two areas do not overlap.
#define DEFINE_STAGE(number)                                                                      \
    static inline void stage##number(                                                             \
        global const REAL *restrict in, global REAL *restrict out,                                \
        global const POINT *restrict factors)                                                     \
    {                                                                                             \
        STAGE(FROM_AREA, TO_AREA, R##number, S##number, factors + W##number)                      \
    }

DEFINE_STAGE(0)
#if STAGES > 1
DEFINE_STAGE(1)
#endif
#if STAGES > 2
DEFINE_STAGE(2)
#endif
#if STAGES > 3
DEFINE_STAGE(3)
#endif
#if STAGES > 4
DEFINE_STAGE(4)
#endif
#if STAGES > 5
DEFINE_STAGE(5)
#endif
#if STAGES > 6
DEFINE_STAGE(6)
#endif
#if STAGES > 7
DEFINE_STAGE(7)
#endif

// Runs the stages between the first and the last stage. The result of the first stage is in `b`.
static inline void stages_between(global REAL *a, global REAL *b, global const POINT *factors)
{
#if STAGES > 2
    stage1(b, a, factors);
#endif
#if STAGES > 3
    stage2(a, b, factors);
#endif
#if STAGES > 4
    stage3(b, a, factors);
#endif
#if STAGES > 5
    stage4(a, b, factors);
#endif
#if STAGES > 6
    stage5(b, a, factors);
#endif
#if STAGES > 7
    stage6(a, b, factors);
#endif
}

// BEFORE_LAST: the area that the last of several stages reads. DONE: the area that holds the result of the last stage.
#define BEFORE_LAST(a, b) (STAGES % 2 ? a : b)
#define DONE(a, b) (STAGES % 2 ? b : a)

static inline void last_stage(global REAL *a, global REAL *b, global const POINT *factors)
{
#if STAGES > 1
    PASTE(stage, LAST_STAGE)(BEFORE_LAST(a, b), DONE(a, b), factors);
#endif
}

// Runs all stages, with the input in `a`.
static inline void all_stages(global REAL *a, global REAL *b, global const POINT *factors)
{
    stage0(a, b, factors);
    stages_between(a, b, factors);
    last_stage(a, b, factors);
}

#if BESIDE_IN
// Runs the first stage on lines that are neighbours in memory.
static inline void gathering_stage(ENDS_PARAMETERS const line *at, const line next, global REAL *restrict out,
                                   global const POINT *restrict factors)
{
    STAGE(FROM_LINES, TO_AREA, R0, S0, factors + W0)
}
#endif

#if SCATTERING_STAGE
// Runs the last stage and stores lines that are neighbours in memory.
static inline void scattering_stage(ENDS_PARAMETERS const line *at, const line next, global const REAL *restrict in,
                                    global const POINT *restrict factors)
{
    const uint moved = advance(at);
    STAGE(FROM_AREA, TO_LINES, PASTE(R, LAST_STAGE), PASTE(S, LAST_STAGE), factors + PASTE(W, LAST_STAGE))
}
#endif

#if SPLIT == 2
// Combines the points of lines with those of their mirror images: see SPLIT_POINTS.
static inline void meet(global const POINT *phases, const line *at, constant ulong *layout, global REAL *done,
                        global REAL *others)
{
    for (uint lane = 0; lane < LANES; ++lane) {
        if (at[lane].column != 0)
            continue;
        // Point k of column 0 is combined with point LENGTH - k of column 0. In the other columns, point k is combined
        // with point LENGTH - 1 - k of the mirrored line. A rotation of column 0 by one point makes the indices equal.
        global SCALAR *own = (global SCALAR *)others + lane;
        const SCALAR re = own[0], im = own[LANES];
        for (uint k = 0; k + 1 < LENGTH; ++k) {
            own[2 * AT(k) * LANES] = own[2 * AT(k + 1) * LANES];
            own[(2 * AT(k) + 1) * LANES] = own[(2 * AT(k + 1) + 1) * LANES];
        }
        own[2 * AT(LENGTH - 1) * LANES] = re;
        own[(2 * AT(LENGTH - 1) + 1) * LANES] = im;
    }
    for (uint k = 0; k < LENGTH; ++k) {
        lanes cosines, sines;
        for (uint lane = 0; lane < LANES; ++lane) {
            const POINT factor = phase(phases, at[lane].column + (uint)OUT_STEP * k);
            cosines.each[lane] = factor.x;
            sines.each[lane] = factor.y;
        }
        VOLATILE struct { VOLATILE REAL x, y; } factor = { cosines.all, sines.all };
        const uint one = 2 * AT(k), other = 2 * AT(LENGTH - 1 - k);
        REAL re = done[one], im = done[one + 1], other_re = others[other], other_im = others[other + 1];
        SPLIT_POINTS(re, im, other_re, other_im, factor)
        done[one] = re;
        done[one + 1] = im;
        others[other] = other_re;
        others[other + 1] = other_im;
    }
}
#endif

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fft_lanes(ENDS_PARAMETERS global const POINT *factors, global const POINT *middle, const INDEX lines,
               global SCALAR *areas)
{
    global REAL *a = (global REAL *)areas + get_group_id(0) * (SPLIT == 2 ? 4 : 2) * AREA, *b = a + AREA;
    const INDEX blocks = (lines + LANES - 1) / LANES;

    for (INDEX block = CUT(blocks, get_group_id(0)); block < CUT(blocks, get_group_id(0) + 1); ++block) {
        const INDEX first = block * LANES;
        const uint count = min((INDEX)LANES, lines - first);
        line at[LANES];
        // A block that is not full computes its last line several times, and stores it once.
        for (uint lane = 0; lane < LANES; ++lane)
            at[lane] = line_at(layout, moved_in, moved_out, first + min(lane, count - 1));
        const line next = line_at(layout, moved_in, moved_out, min(first + LANES, lines - 1));
#if BESIDE_IN
        if (beside_in(at)) {
            gathering_stage(ENDS at, next, b, factors);
        } else
#endif
        {
            gather(ENDS at, a);
            stage0(a, b, factors);
        }
        stages_between(a, b, factors);
#if SCATTERING_STAGE
        if (count == LANES && beside_out(at)) {
            scattering_stage(ENDS at, next, BEFORE_LAST(a, b), factors);
            continue;
        }
#endif
        last_stage(a, b, factors);
        global REAL *done = DONE(a, b);
#if CONVOLVE
        global REAL *spare = DONE(b, a);
#if RADER
        lanes sum_r, sum_i, first_r, first_i;
        for (uint lane = 0; lane < LANES; ++lane) {
            const POINT value = given(ENDS at[lane], 0);
            first_r.each[lane] = SWAP_IN & 1 ? value.y : value.x;
            first_i.each[lane] = SWAP_IN & 1 ? value.x : value.y;
        }
        sum_r.all = done[0] + first_r.all;
        sum_i.all = done[1] + first_i.all;
        for (uint lane = 0; lane < count; ++lane)
            put_point(ENDS at[lane], 0, (POINT)(sum_r.each[lane], sum_i.each[lane]));
#endif
        // Multiply by the transform of the filter, and transform back. An inverse transform is a forward transform of
        // numbers with exchanged parts.
        for (uint k = 0; k < LENGTH; ++k) {
            const REAL re = done[2 * AT(k)], im = done[2 * AT(k) + 1];
            const POINT factor = middle[k];
            done[2 * AT(k) + 1] = re * factor.x - im * factor.y;
            done[2 * AT(k)] = re * factor.y + im * factor.x;
        }
#if RADER
        done[1] += first_r.all;
        done[0] += first_i.all;
#endif
        all_stages(done, spare, factors);
        done = DONE(done, spare);
#endif
#if SPLIT == 2
        line mirror[LANES];
        for (uint lane = 0; lane < LANES; ++lane)
            mirror[lane] = mirrored(layout, at[lane]);
        gather(ENDS mirror, a + 2 * AREA);
        all_stages(a + 2 * AREA, b + 2 * AREA, factors);
        global REAL *others = done + 2 * AREA;
        meet(phases, at, layout, done, others);
        scatter(ENDS mirror, next, count, others);
#elif SPLIT
        done[2 * AT(LENGTH)] = done[0];
        done[2 * AT(LENGTH) + 1] = done[1];
        for (uint k = 0; k <= LENGTH / 2; ++k) {
            const uint one = 2 * AT(k), other = 2 * AT(LENGTH - k);
            const POINT factor = store_table[k];
            REAL re = done[one], im = done[one + 1], other_re = done[other], other_im = done[other + 1];
            SPLIT_POINTS(re, im, other_re, other_im, factor)
            // Store point LENGTH - k before point k: if k is LENGTH / 2, both are the same point, and point k counts.
            done[other] = other_re;
            done[other + 1] = other_im;
            done[one] = re;
            done[one + 1] = im;
        }
#endif
        scatter(ENDS at, next, count, done);
    }
    RETURN;
}
