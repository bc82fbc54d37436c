// Transforms of one length on CPUs: LANES of them at once, one in each lane of the vector registers.
//
// A work-group is one work-item, which owns a contiguous run of blocks of LANES lines. A block is gathered into a
// work area, where real and imaginary parts are vectors of their own; goes through the stages of the transform, from
// one half of the area to the other (T. G. Stockham, "High-speed convolution and correlation", 1966: each stage
// leaves the points in the order in which the next one reads them); and is scattered to its place.
//
// Given: the names in template.rs.

// Number k of the block's point i is work[2 AT(i) + k]. Powers of two would put the points of a butterfly into the
// same few lines of a cache; a gap after each 32 points keeps them apart. No sum below carries into a gap.
#define AT(i) ((i) + ((LENGTH & (LENGTH - 1)) == 0 ? (i) / 32 : 0))
#define AREA (2 * (LENGTH + LENGTH / 32 + 1))

typedef union {
    REAL all;
    SCALAR each[LANES];
} lanes;

#if LANES > 1
// The transpose of a square of numbers. A round moves the lowest bit of the column's number to the top of the row's,
// and that of the row's to the top of the column's; after all rounds each has the other's.
static inline void transpose(REAL *rows)
{
    for (uint size = 1; size < LANES; size *= 2) {
        REAL turned[LANES];
        UNROLL for (uint k = 0; k < LANES / 2; ++k) {
            turned[k] = (REAL)(rows[2 * k].even, rows[2 * k + 1].even);
            turned[k + LANES / 2] = (REAL)(rows[2 * k].odd, rows[2 * k + 1].odd);
        }
        UNROLL for (uint k = 0; k < LANES; ++k)
            rows[k] = turned[k];
    }
}

// Whether real and imaginary parts change places. Two exchanges are none.
#if SWAP_IN == 1 || SWAP_IN == 2
#define EXCHANGED_IN 1
#else
#define EXCHANGED_IN 0
#endif
#if SWAP_OUT == 1 || SWAP_OUT == 2
#define EXCHANGED_OUT 1
#else
#define EXCHANGED_OUT 0
#endif

#define VLOAD PASTE(vload, LANES)
#define VSTORE PASTE(vstore, LANES)
#endif

// Points that are multiplied by nothing and have no bounds can be moved as they are.
#define PLAIN_IN (HAS_DIRECT_IN && !RADER && !LOAD_BY && !PADDED && !MIRROR && LANES > 1)
#define PLAIN_OUT (HAS_DIRECT_OUT && !RADER && !STORE_BY && !BOUNDED && LANES > 1)

// Whether all lines lie beside each other.
static inline bool beside_in(const line *at)
{
    bool all = true;
    for (uint lane = 1; lane < LANES; ++lane)
        all = all && at[lane].in == at[0].in + lane;
    return all;
}

static inline bool beside_out(const line *at)
{
    bool all = true;
    for (uint lane = 1; lane < LANES; ++lane)
        all = all && at[lane].out == at[0].out + lane;
    return all;
}

static inline void gather(ENDS_PARAMETERS const line *at, global REAL *restrict work)
{
    uint point = 0;
#if PLAIN_IN
    if (UNIT_IN * IN_STRIDE == 2) {
        // Rows of LANES / 2 points of each line are the columns of the block.
        for (; point + LANES / 2 <= LENGTH; point += LANES / 2) {
            REAL rows[LANES];
            UNROLL for (uint lane = 0; lane < LANES; ++lane)
                rows[lane] = VLOAD(0, DIRECT_IN + UNIT_IN * at[lane].in + 2 * point);
            transpose(rows);
            UNROLL for (uint k = 0; k < LANES; ++k)
                work[2 * AT(point) + k] = rows[k ^ EXCHANGED_IN];
        }
    } else if (!PAIRS_IN && beside_in(at)) {
        for (; point < LENGTH; ++point) {
            global const SCALAR *place = DIRECT_IN + 2 * (at[0].in + point * (INDEX)IN_STRIDE);
            const REAL low = VLOAD(0, place), high = VLOAD(1, place);
            work[2 * AT(point) + EXCHANGED_IN] = (REAL)(low.even, high.even);
            work[2 * AT(point) + (1 - EXCHANGED_IN)] = (REAL)(low.odd, high.odd);
        }
    }
#endif
    for (; point < LENGTH; ++point) {
        lanes re, im;
        for (uint lane = 0; lane < LANES; ++lane) {
            const POINT value = load_point(ENDS at[lane], point);
            re.each[lane] = value.x;
            im.each[lane] = value.y;
        }
        work[2 * AT(point)] = re.all;
        work[2 * AT(point) + 1] = im.all;
    }
}

static inline void scatter(ENDS_PARAMETERS const line *at, const uint count, global const REAL *restrict work)
{
    uint point = 0;
#if PLAIN_OUT && FOUR_STEP
    // How far the digit of the phases moves from line to line; 2 where that differs.
    uint advance = at[1].column - at[0].column;
    for (uint lane = 1; lane < LANES; ++lane)
        advance = at[lane].column == at[0].column + lane * advance ? advance : 2;
#else
    const uint advance = 0;
#endif
#if PLAIN_OUT
#if SCALED
#define OUT_SCALE * scale
#else
#define OUT_SCALE
#endif
    if (!FOUR_STEP && count == LANES && UNIT_OUT * OUT_STRIDE == 2) {
        for (; point + LANES / 2 <= POINTS_OUT; point += LANES / 2) {
            REAL rows[LANES];
            UNROLL for (uint k = 0; k < LANES; ++k)
                rows[k] = work[2 * AT(point) + (k ^ EXCHANGED_OUT)] OUT_SCALE;
            transpose(rows);
            UNROLL for (uint lane = 0; lane < LANES; ++lane)
                VSTORE(rows[lane], 0, DIRECT_OUT + UNIT_OUT * at[lane].out + 2 * point);
        }
    } else if (!PAIRS_OUT && count == LANES && beside_out(at) && (!FOUR_STEP || advance <= 1)) {
        for (; point < POINTS_OUT; ++point) {
            REAL part[2] = { work[2 * AT(point)] OUT_SCALE, work[2 * AT(point) + 1] OUT_SCALE };
#if FOUR_STEP
            // The phases of neighbouring lines: that of the first, times a row of a table unless all have the same.
            const POINT start = phase(phases, at[0].column * point);
            global const REAL *row = (global const REAL *)(phases + PHASE_ROWS) + 2 * point;
            REAL c = start.x, s = start.y;
            if (advance == 1) {
                c = row[0] * start.x - row[1] * start.y;
                s = row[0] * start.y + row[1] * start.x;
            }
            const REAL re = part[0];
            part[0] = re * c - part[1] * s;
            part[1] = re * s + part[1] * c;
#endif
            const REAL re_out = part[EXCHANGED_OUT], im_out = part[1 - EXCHANGED_OUT];
            REAL low, high;
            low.even = re_out.lo;
            low.odd = im_out.lo;
            high.even = re_out.hi;
            high.odd = im_out.hi;
            global SCALAR *place = DIRECT_OUT + 2 * (at[0].out + point * (INDEX)OUT_STRIDE);
            VSTORE(low, 0, place);
            VSTORE(high, 1, place);
        }
    }
#endif
    for (; point < POINTS_OUT; ++point) {
        const lanes re = { work[2 * AT(point)] }, im = { work[2 * AT(point) + 1] };
        for (uint lane = 0; lane < count; ++lane)
            store_point(ENDS at[lane], point, (POINT)(re.each[lane], im.each[lane]));
    }
}

// One stage: LENGTH / R transforms of R points, and the factors that the next stage needs. Line p of the stage's M
// consists of S neighbouring transforms, which have the same factors.
#define STAGE(in, out, R, S, factors)                                                             \
    for (uint p = 0; p < LENGTH / ((S) * R); ++p) {                                               \
        const uint m = LENGTH / ((S) * R);                                                        \
        POINT factor[R];                                                                          \
        UNROLL for (uint k = 1; k < R; ++k)                                                       \
            factor[k] = (factors)[(k - 1) * m + p];                                               \
        for (uint q = 0; q < (S); ++q) {                                                          \
            REAL re[R], im[R];                                                                    \
            UNROLL for (uint k = 0; k < R; ++k) {                                                 \
                const uint place = 2 * (AT(q + (S) * p) + AT(LENGTH / R * k));                    \
                re[k] = (in)[place];                                                              \
                im[k] = (in)[place + 1];                                                          \
            }                                                                                     \
            DFT(R)(re, im);                                                                       \
            UNROLL for (uint k = 0; k < R; ++k) {                                                 \
                const uint place = 2 * (AT(q + (S) * R * p) + AT((S) * k));                       \
                const bool turned = k > 0 && m > 1;                                               \
                (out)[place] = turned ? re[k] * factor[k].x - im[k] * factor[k].y : re[k];        \
                (out)[place + 1] = turned ? re[k] * factor[k].y + im[k] * factor[k].x : im[k];    \
            }                                                                                     \
        }                                                                                         \
    }

// Each stage as a function of its own, whose two areas are known to be apart.
#define DEFINE_STAGE(number)                                                                      \
    static inline void NUMBERED(stage##number)(                                                   \
        global const REAL *restrict in, global REAL *restrict out,                                \
        global const POINT *restrict factors)                                                     \
    {                                                                                             \
        STAGE(in, out, R##number, S##number, factors + W##number)                                 \
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

// All stages, from `a`; the result is in `b` if their number is odd.
static inline void all_stages(global REAL *a, global REAL *b, global const POINT *factors)
{
    NUMBERED(stage0)(a, b, factors);
#if STAGES > 1
    NUMBERED(stage1)(b, a, factors);
#endif
#if STAGES > 2
    NUMBERED(stage2)(a, b, factors);
#endif
#if STAGES > 3
    NUMBERED(stage3)(b, a, factors);
#endif
#if STAGES > 4
    NUMBERED(stage4)(a, b, factors);
#endif
#if STAGES > 5
    NUMBERED(stage5)(b, a, factors);
#endif
#if STAGES > 6
    NUMBERED(stage6)(a, b, factors);
#endif
#if STAGES > 7
    NUMBERED(stage7)(b, a, factors);
#endif
}

#if SPLIT == 2
// The points of lines meet those of their mirror images: see SPLIT_POINTS.
static inline void meet(global const POINT *phases, const line *at, constant ulong *layout, global REAL *done,
                        global REAL *others)
{
    for (uint lane = 0; lane < LANES; ++lane) {
        if (at[lane].column != 0)
            continue;
        // Column 0 is its own mirror image, one point farther.
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
        struct { REAL x, y; } factor = { cosines.all, sines.all };
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
        gather(ENDS at, a);
        all_stages(a, b, factors);
        global REAL *done = STAGES % 2 ? b : a;
#if CONVOLVE
        global REAL *spare = STAGES % 2 ? a : b;
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
        // Times the transform of what is convolved with, and back: an inverse transform is a forward one of numbers
        // whose parts are exchanged.
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
        done = STAGES % 2 ? spare : done;
#endif
#if SPLIT == 2
        line mirror[LANES];
        for (uint lane = 0; lane < LANES; ++lane)
            mirror[lane] = mirrored(layout, at[lane]);
        gather(ENDS mirror, a + 2 * AREA);
        all_stages(a + 2 * AREA, b + 2 * AREA, factors);
        global REAL *others = done + 2 * AREA;
        meet(phases, at, layout, done, others);
        scatter(ENDS mirror, count, others);
#elif SPLIT
        done[2 * AT(LENGTH)] = done[0];
        done[2 * AT(LENGTH) + 1] = done[1];
        for (uint k = 0; k <= LENGTH / 2; ++k) {
            const uint one = 2 * AT(k), other = 2 * AT(LENGTH - k);
            const POINT factor = store_table[k];
            REAL re = done[one], im = done[one + 1], other_re = done[other], other_im = done[other + 1];
            SPLIT_POINTS(re, im, other_re, other_im, factor)
            // The other first: in the middle, both are one.
            done[other] = other_re;
            done[other + 1] = other_im;
            done[one] = re;
            done[one + 1] = im;
        }
#endif
        scatter(ENDS at, count, done);
    }
}
