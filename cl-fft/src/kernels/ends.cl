// The input and the output of a pass: where it loads the points of its lines, and where it stores them.
//
// A line is one transform. Line numbers are in mixed radix, with DIGITS digits of which the first varies fastest. Each
// digit moves the line by its own strides. A point of a line has an address, and an index within the whole transform,
// of which the line may be a part. Tables, bounds and symmetries depend on that index.
//
// layout: the strides of points, in and out; the steps of their indices, in and out; two bounds of indices: points of
// the input from the first bound on are 0, points of the output from the second bound on are not stored; the length of
// the whole transform; then for each digit: count, strides in and out, steps in and out.
//
// FROM, TO      SCRATCH, or the fused input and output of COMPLEX numbers or REALS. TO may be NUMBERS: real numbers in
//               memory that also holds the input
// MIRROR        the input is the first half of a spectrum; the other half is its mirror image. 2: compute the
//               spectrum of pairs of numbers
// PAIRS_IN      two real numbers, one after the other, form one complex number. 2: each pair begins at an even index,
//               without a gap inside; PAIRS_OUT likewise
// SPLIT         the transform was one of pairs: turn it into the first half of the spectrum of all numbers. 2: a line
//               is a part of the transform, and its points are combined with those of another line
// PADDED        the input has fewer points, the rest is 0; BOUNDED: not all points are stored
// LOAD_BY       multiply by a table after loading; STORE_BY before storing
// SWAP_IN       exchange real and imaginary parts, which makes a forward transform an inverse one: 1 before the
//               table, 2 after it; SWAP_OUT likewise
// FOUR_STEP     multiply point k of a line by e^(-2 pi i c k / PHASE_ORDER), where c is the digit PHASE_DIGIT: D. H.
//               Bailey, "FFTs in external or hierarchical memory" (1990). SINES: compute these factors
// NEAR_IN       the stride of points if it is 1 or 2, else 0; NEAR_OUT likewise
// RADER         the order of points comes from tables of indices

#define SCRATCH 0
#define COMPLEX 1
#define REALS 2
#define NUMBERS 3

#if NEAR_IN
#define IN_STRIDE NEAR_IN
#else
#define IN_STRIDE layout[0]
#endif
#if NEAR_OUT
#define OUT_STRIDE NEAR_OUT
#else
#define OUT_STRIDE layout[1]
#endif
#define IN_STEP layout[2]
#define OUT_STEP layout[3]
#define IN_BOUND layout[4]
#define OUT_BOUND layout[5]
#define WHOLE layout[6]
#define DIGIT(d, what) layout[7 + 5 * (d) + (what)]

#if FROM == SCRATCH
#define FROM_PARAMETER global const POINT *from,
#define FROM_ARGUMENT from,
#define DIRECT_IN ((global const SCALAR *)from)
#else
#define FROM_PARAMETER
#define FROM_ARGUMENT
#if (FROM == COMPLEX || PAIRS_IN) && defined(LOAD_FROM)
#define DIRECT_IN ((global const SCALAR *)LOAD_FROM)
#endif
#endif
#if TO == SCRATCH || TO == NUMBERS
#define TO_PARAMETER global POINT *to,
#define TO_ARGUMENT to,
#if TO == SCRATCH || PAIRS_OUT
#define DIRECT_OUT ((global SCALAR *)to)
#endif
#else
#define TO_PARAMETER
#define TO_ARGUMENT
#if (TO == COMPLEX || PAIRS_OUT) && defined(STORE_TO)
#define DIRECT_OUT ((global SCALAR *)STORE_TO)
#endif
#endif
#if TO == NUMBERS
#define STORE_NUMBER(place, number) ((global SCALAR *)to)[place] = (number)
#else
#define STORE_NUMBER(place, number) STORE(place, number)
#endif
// The number of real numbers in one unit of an address, if points are moved unchanged: addresses of pairs count real
// numbers, other addresses count complex numbers.
#define UNIT_IN (PAIRS_IN ? 1 : 2)
#define UNIT_OUT (PAIRS_OUT ? 1 : 2)
// The number of points to store.
#define POINTS_OUT (LENGTH + (SPLIT == 1))
#ifdef DIRECT_IN
#define HAS_DIRECT_IN 1
#else
#define HAS_DIRECT_IN 0
#endif
#ifdef DIRECT_OUT
#define HAS_DIRECT_OUT 1
#else
#define HAS_DIRECT_OUT 0
#endif

// The parameters of the functions below. The argument for a table that the pass does not need is the table of the
// stages' factors.
#define ENDS_PARAMETERS \
    PARAMETERS OUTPUTS FROM_PARAMETER TO_PARAMETER \
    global const POINT *load_table, global const POINT *store_table, global const POINT *phases, \
    global const uint *order, constant ulong *layout, const INDEX moved_in, const INDEX moved_out, const SCALAR scale,
#define ENDS \
    ARGUMENTS OUTPUT_ARGUMENTS FROM_ARGUMENT TO_ARGUMENT \
    load_table, store_table, phases, order, layout, moved_in, moved_out, scale,

typedef VOLATILE struct {
    // The addresses and indices of point 0.
    VOLATILE INDEX in, out;
    VOLATILE uint in_index, out_index;
    VOLATILE uint column;
} line;

// Returns a line by its number. Line 0 begins at moved_in and moved_out.
static inline line line_at(constant ulong *layout, const INDEX moved_in, const INDEX moved_out, const INDEX number)
{
    line at = { moved_in, moved_out, 0, 0, 0 };
    INDEX rest = number;
    UNROLL for (uint d = 0; d < DIGITS; ++d) {
        const INDEX count = DIGIT(d, 0), digit = d + 1 < DIGITS ? rest % count : rest;
        rest /= count;
        at.in += digit * (INDEX)DIGIT(d, 1);
        at.out += digit * (INDEX)DIGIT(d, 2);
        at.in_index += digit * (uint)DIGIT(d, 3);
        at.out_index += digit * (uint)DIGIT(d, 4);
        if (d == PHASE_DIGIT)
            at.column = digit;
    }
    return at;
}

static inline POINT times(const POINT a, const POINT b)
{
    return (POINT)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static inline POINT fetch(ENDS_PARAMETERS const INDEX place)
{
#if FROM == SCRATCH
    return from[place];
#elif FROM == COMPLEX
    return LOAD(place);
#else
    return (POINT)(LOAD(place), 0);
#endif
}

// Returns a point as the input has it.
static inline POINT given(ENDS_PARAMETERS const line at, const uint point)
{
#if MIRROR
    const uint index = at.in_index + point * (uint)IN_STEP, mirror = (uint)WHOLE - index;
    // A point and its mirror image are in the same line. The address of index i is start + i stride.
    const INDEX stride = IN_STRIDE / IN_STEP, start = at.in - at.in_index * stride;
#if MIRROR == 2
    // The result is the spectrum of the even numbers, plus i times the spectrum of the odd numbers.
    POINT one = fetch(ENDS start + index * stride), other = fetch(ENDS start + mirror * stride);
    // The first and the last point have no imaginary part: ignore the imaginary part of the input.
    one.y = index == 0 ? 0 : one.y;
    other.y = index == 0 ? 0 : -other.y;
    const POINT factor = load_table[index], odd = times(one - other, (POINT)(factor.x, -factor.y));
    return one + other + (POINT)(-odd.y, odd.x);
#else
    const POINT value = fetch(ENDS start + (index <= mirror ? index : mirror) * stride);
    return (POINT)(value.x, index == 0 || index == mirror ? 0 : index < mirror ? value.y : -value.y);
#endif
#elif PAIRS_IN
    const INDEX place = at.in + point * (INDEX)IN_STRIDE;
#if PADDED
    if (2 * (at.in_index + point * (uint)IN_STEP) + 1 >= IN_BOUND)
        return (POINT)(LOAD(place), 0);
#endif
#if PAIRS_IN == 2 && HAS_DIRECT_IN
    return *(global const POINT *)(DIRECT_IN + place);
#else
    return (POINT)(LOAD(place), LOAD(place + (INDEX)(IN_STRIDE / IN_STEP) / 2));
#endif
#else
    return fetch(ENDS at.in + point * (INDEX)IN_STRIDE);
#endif
}

static inline POINT load_point(ENDS_PARAMETERS const line at, const uint transformed)
{
#if RADER
    const uint point = order[transformed];
#else
    const uint point = transformed;
#endif
#if PADDED || LOAD_BY
    const uint index = at.in_index + point * (uint)IN_STEP;
#endif
#if PADDED
    if ((PAIRS_IN ? 2 : 1) * index >= IN_BOUND)
        return (POINT)(0, 0);
#endif
    POINT value = given(ENDS at, point);
#if SWAP_IN & 1
    value = value.yx;
#endif
#if LOAD_BY
    value = times(value, load_table[index]);
#endif
#if SWAP_IN & 2
    value = value.yx;
#endif
    return value;
}

// Exchanges the parts of `value` if SWAP_OUT says so, scales it, and stores it.
static inline void put_point(ENDS_PARAMETERS const line at, const uint point, POINT value)
{
#if SWAP_OUT & 2
    value = value.yx;
#endif
#if SCALED
    value *= scale;
#endif
    const INDEX place = at.out + point * (INDEX)OUT_STRIDE;
#if TO == SCRATCH
    to[place] = value;
#elif PAIRS_OUT == 2 && HAS_DIRECT_OUT && !BOUNDED
    *(global POINT *)(DIRECT_OUT + place) = value;
#elif PAIRS_OUT
    STORE_NUMBER(place, value.x);
#if BOUNDED
    if (2 * (at.out_index + point * (uint)OUT_STEP) + 1 < OUT_BOUND)
#endif
        STORE_NUMBER(place + (INDEX)(OUT_STRIDE / OUT_STEP) / 2, value.y);
#elif TO == REALS || TO == NUMBERS
    STORE_NUMBER(place, value.x);
#else
    STORE(place, value);
#endif
}

// Returns the factor e^(-2 pi i exponent / PHASE_ORDER) between two passes: a product of entries of two tables. The
// first table has 2^PHASE_BITS entries.
static inline POINT phase(global const POINT *phases, const uint exponent)
{
#if SINES
    // Split the angle into whole quarters of a turn and a rest. The split is exact, because it is computed in integers.
    // The rest is at most an eighth of a turn, and up to there the errors of the polynomials are at most 2^-29.
    const uint quarters = (uint)rint((float)exponent * (4.0f / PHASE_ORDER));
    const float x = (float)(int)(4 * exponent - quarters * PHASE_ORDER) * (1.57079632679f / PHASE_ORDER), z = x * x;
    const float s = x + x * (z * (-0.166666506597f + z * (0.00833197812279f - z * 0.000194955675256f)));
    const float c = 1.0f + z * (-0.5f + z * (0.0416666468546f + z * (-0.00138873669083f + z * 0.0000244383793005f)));
    const float re = quarters & 1 ? s : c, im = quarters & 1 ? c : s;
    return (POINT)((quarters + 1) & 2 ? -re : re, quarters & 2 ? im : -im);
#else
    const uint low = exponent & ((1u << PHASE_BITS) - 1), high = exponent >> PHASE_BITS;
    return times(phases[low], phases[(1u << PHASE_BITS) + high]);
#endif
}

static inline void store_point(ENDS_PARAMETERS const line at, const uint transformed, POINT value)
{
#if FOUR_STEP
    value = times(value, phase(phases, at.column * transformed));
#endif
#if SWAP_OUT & 1
    value = value.yx;
#endif
#if RADER
    const uint point = order[LENGTH + transformed];
#else
    const uint point = transformed;
#endif
#if BOUNDED || STORE_BY
    const uint index = at.out_index + point * (uint)OUT_STEP;
#endif
#if BOUNDED
    if ((PAIRS_OUT ? 2 : 1) * index >= OUT_BOUND)
        return;
#endif
#if STORE_BY
    value = times(value, store_table[index]);
#endif
    put_point(ENDS at, point, value);
}

#if SPLIT
// Turns points k and LENGTH - k of a transform of pairs into the same points of the spectrum of all numbers.
#define SPLIT_POINTS(re, im, other_re, other_im, factor)                                          \
    const REAL even_r = (re + other_re) * K(0.5), even_i = (im - other_im) * K(0.5);              \
    const REAL difference_r = (im + other_im) * K(0.5), difference_i = (other_re - re) * K(0.5);  \
    const REAL odd_r = difference_r * factor.x - difference_i * factor.y;                         \
    const REAL odd_i = difference_r * factor.y + difference_i * factor.x;                         \
    re = even_r + odd_r;                                                                          \
    im = even_i + odd_i;                                                                          \
    other_re = even_r - odd_r;                                                                    \
    other_im = odd_i - even_i;
#endif

#if SPLIT == 2
// Returns the mirrored line of `of`, which holds the points that the points of `of` are combined with. Point p of the
// line with a column is point k = column + OUT_STEP p of the transform of pairs. Point LENGTH OUT_STEP - k of
// that transform lies in the line with column OUT_STEP - column.
static inline line mirrored(constant ulong *layout, const line of)
{
    line at = of;
    const uint column = at.column, other = column == 0 ? 0 : (uint)OUT_STEP - column;
    at.in = at.in - column * (INDEX)DIGIT(PHASE_DIGIT, 1) + other * (INDEX)DIGIT(PHASE_DIGIT, 1);
    // The mirrored line of column 0 is loaded as column 0, but stored as column OUT_STEP: one point farther.
    at.out += ((uint)OUT_STEP - 2 * column) * (INDEX)DIGIT(PHASE_DIGIT, 2);
    at.out_index += (uint)OUT_STEP - 2 * column;
    return at;
}
#endif

// S0, S1, ...: the product of the radices before a stage. W0, W1, ...: the index of the first factor of a stage. The
// factors of the stages lie one stage after the other. The factors of a stage lie one power after the other, from 1
// to below the radix. Each power has one factor for each row of the stage: S transforms with the same factors.
#define S0 1
#define S1 (S0 * R0)
#define S2 (S1 * R1)
#define S3 (S2 * R2)
#define S4 (S3 * R3)
#define S5 (S4 * R4)
#define S6 (S5 * R5)
#define S7 (S6 * R6)
#define W0 0
#define W1 (W0 + (R0 - 1) * (LENGTH / S1))
#define W2 (W1 + (R1 - 1) * (LENGTH / S2))
#define W3 (W2 + (R2 - 1) * (LENGTH / S3))
#define W4 (W3 + (R3 - 1) * (LENGTH / S4))
#define W5 (W4 + (R4 - 1) * (LENGTH / S5))
#define W6 (W5 + (R5 - 1) * (LENGTH / S6))
#define W7 (W6 + (R6 - 1) * (LENGTH / S7))
