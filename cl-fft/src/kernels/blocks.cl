// Moves a block of LANES lines from memory into a work area, and back. In the work area, real and imaginary parts are
// separate vectors.

// The real parts of the block's point i are the vector work[2 AT(i)], and its imaginary parts are work[2 AT(i) + 1].
// Without gaps, powers of two would put the points of a butterfly into few cache lines; a gap after every 32 points
// keeps the points apart. Sums such as AT(a) + AT(b) are the same as AT(a + b): no sum here or in lanes.cl crosses a
// gap.
#define AT(i) ((i) + ((LENGTH & (LENGTH - 1)) == 0 ? (i) / 32 : 0))
#define AREA (2 * (LENGTH + LENGTH / 32 + 1))

typedef VOLATILE union {
    VOLATILE REAL all;
    VOLATILE SCALAR each[LANES];
} lanes;

#if LANES > 1
// Transposes a square of numbers. A round moves the lowest bit of each number's column index to the top of its row
// index, and the lowest bit of its row index to the top of its column index. After all rounds, the two indices are
// exchanged.
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

// 1 if real and imaginary parts are exchanged. Two exchanges cancel.
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

// Loads or stores a vector at any address. The type `anywhere` replaces vload and vstore where it can, because these
// may be compiled to one access for each component.
#ifdef __clang__
typedef REAL anywhere __attribute__((aligned(sizeof(SCALAR))));
#define VLOAD(place) (*(global const anywhere *)(place))
#define VSTORE(value, place) (*(global anywhere *)(place) = (value))
#else
#define VLOAD(place) PASTE(vload, LANES)(0, place)
#define VSTORE(value, place) PASTE(vstore, LANES)(value, 0, place)
#endif

// Prefetches a cache line to read or to write; the address need not be valid. Programs in SPIR or SPIR-V may be run by
// implementations without this instruction, such as Oclgrind.
#if defined(__clang__) && !defined(__SPIR__) && !defined(__SPIRV__)
#define ASK(place, writes) __builtin_prefetch((const void *)(uintptr_t)(place), writes)
#else
#define ASK(place, writes)
#endif
#endif

// 1 if points can be moved unchanged: they have no factors and no bounds.
#define PLAIN_IN (HAS_DIRECT_IN && !RADER && !LOAD_BY && !PADDED && !MIRROR && LANES > 1)
#define PLAIN_OUT (HAS_DIRECT_OUT && !RADER && !STORE_BY && !BOUNDED && LANES > 1)

// 1 if lines may be neighbours in memory, so that the same point of all lines is moved at once.
#define BESIDE_IN (PLAIN_IN && !PAIRS_IN && NEAR_IN != 1)
#define BESIDE_OUT (PLAIN_OUT && !PAIRS_OUT && NEAR_OUT != 1)
// 1 if the last stage stores the lines directly: no step follows it, and it is not the stage that gathers.
#define SCATTERING_STAGE (BESIDE_OUT && STAGES > 1 && !CONVOLVE && !SPLIT)

#if SCALED
#define OUT_SCALE * scale
#else
#define OUT_SCALE
#endif

#if BESIDE_IN
static inline bool beside_in(const line *at)
{
    bool all = true;
    for (uint lane = 1; lane < LANES; ++lane)
        all = all && at[lane].in == at[0].in + lane;
    return all;
}

// Loads a point of all lines, and prefetches that point of the next block, which begins with the line `next`.
static inline void take_beside(ENDS_PARAMETERS const line *at, const line next, const uint point, REAL *re, REAL *im)
{
    global const SCALAR *place = DIRECT_IN + 2 * (at[0].in + point * (INDEX)IN_STRIDE);
    const REAL low = VLOAD(place), high = VLOAD(place + LANES);
    global const SCALAR *then = DIRECT_IN + 2 * (next.in + point * (INDEX)IN_STRIDE);
    ASK(then, 0);
    ASK(then + LANES, 0);
    *(EXCHANGED_IN ? im : re) = (REAL)(low.even, high.even);
    *(EXCHANGED_IN ? re : im) = (REAL)(low.odd, high.odd);
}
#endif

#if BESIDE_OUT
// Returns the difference of `column`, the digit that the phases depend on, between neighbouring lines. Returns 2 if the
// difference is neither 0 nor 1, or is not the same for all lines.
static inline uint advance(const line *at)
{
    uint all = FOUR_STEP ? at[1].column - at[0].column : 0;
    for (uint lane = 1; lane < LANES; ++lane)
        all = !FOUR_STEP || at[lane].column == at[0].column + lane * all ? all : 2;
    return min(all, 2u);
}

static inline bool beside_out(const line *at)
{
    bool all = advance(at) <= 1;
    for (uint lane = 1; lane < LANES; ++lane)
        all = all && at[lane].out == at[0].out + lane;
    return all;
}

static inline void put_beside(ENDS_PARAMETERS const line *at, const line next, const uint advance, const uint point,
                              REAL re, REAL im)
{
#if FOUR_STEP
    // If all lines have the same phase, it is the phase of the first line. Otherwise the phases are the phase of the
    // first line times a row of a table.
    const POINT start = phase(phases, at[0].column * point);
    global const REAL *row = (global const REAL *)(phases + PHASE_ROWS) + 2 * point;
    REAL c = start.x, s = start.y;
    if (advance == 1) {
        c = row[0] * start.x - row[1] * start.y;
        s = row[0] * start.y + row[1] * start.x;
    }
    const REAL turned = re * c - im * s;
    im = re * s + im * c;
    re = turned;
#endif
    re = re OUT_SCALE;
    im = im OUT_SCALE;
    const REAL first = EXCHANGED_OUT ? im : re, second = EXCHANGED_OUT ? re : im;
    REAL low, high;
    low.even = first.lo;
    low.odd = second.lo;
    high.even = first.hi;
    high.odd = second.hi;
    global SCALAR *place = DIRECT_OUT + 2 * (at[0].out + point * (INDEX)OUT_STRIDE);
    VSTORE(low, place);
    VSTORE(high, place + LANES);
    global SCALAR *then = DIRECT_OUT + 2 * (next.out + point * (INDEX)OUT_STRIDE);
    ASK(then, 1);
    ASK(then + LANES, 1);
}
#endif

static inline void gather(ENDS_PARAMETERS const line *at, global REAL *restrict work)
{
    uint point = 0;
#if PLAIN_IN && UNIT_IN * NEAR_IN == 2
    // LANES / 2 points of each line, which are LANES numbers, become the rows of a square. The columns of the square
    // are vectors of the work area.
    for (; point + LANES / 2 <= LENGTH; point += LANES / 2) {
        REAL rows[LANES];
        UNROLL for (uint lane = 0; lane < LANES; ++lane)
            rows[lane] = VLOAD(DIRECT_IN + UNIT_IN * at[lane].in + 2 * point);
        UNROLL for (uint lane = 0; lane < LANES; ++lane)
            ASK(DIRECT_IN + UNIT_IN * at[lane].in + 2 * point + 4 * LANES, 0);
        transpose(rows);
        UNROLL for (uint k = 0; k < LANES; ++k)
            work[2 * AT(point) + k] = rows[k ^ EXCHANGED_IN];
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

static inline void scatter(ENDS_PARAMETERS const line *at, const line next, const uint count,
                           global const REAL *restrict work)
{
    uint point = 0;
#if PLAIN_OUT && !FOUR_STEP && UNIT_OUT * NEAR_OUT == 2
    for (; count == LANES && point + LANES / 2 <= POINTS_OUT; point += LANES / 2) {
        REAL rows[LANES];
        UNROLL for (uint k = 0; k < LANES; ++k)
            rows[k] = work[2 * AT(point) + (k ^ EXCHANGED_OUT)] OUT_SCALE;
        transpose(rows);
        UNROLL for (uint lane = 0; lane < LANES; ++lane)
            VSTORE(rows[lane], DIRECT_OUT + UNIT_OUT * at[lane].out + 2 * point);
    }
#endif
#if BESIDE_OUT && !SCATTERING_STAGE
    if (count == LANES && beside_out(at)) {
        const uint moved = advance(at);
        for (; point < POINTS_OUT; ++point)
            put_beside(ENDS at, next, moved, point, work[2 * AT(point)], work[2 * AT(point) + 1]);
    }
#endif
    for (; point < POINTS_OUT; ++point) {
        const lanes re = { work[2 * AT(point)] }, im = { work[2 * AT(point) + 1] };
        for (uint lane = 0; lane < count; ++lane)
            store_point(ENDS at[lane], point, (POINT)(re.each[lane], im.each[lane]));
    }
}
