// Real and complex numbers.
//
// Parameters:
// - DOUBLE: 1 if numbers are made of `double`.
// - COMPLEX: 1 for complex numbers.

#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define SMALLEST DBL_MIN
#else
#define REAL float
#define SMALLEST FLT_MIN
#endif

#if COMPLEX
#if DOUBLE
#define NUMBER double2
#else
#define NUMBER float2
#endif
#define REAL_PART(z) ((z).x)
#define FROM_REAL(z) ((NUMBER)((z), 0))
#define CONJUGATE(z) ((NUMBER)((z).x, -(z).y))
// The size by which pivots are compared, and the largest part.
#define SIZE(z) (fabs((z).x) + fabs((z).y))
#define LARGEST(z) fmax(fabs((z).x), fabs((z).y))
#define ABSOLUTE(z) hypot((z).x, (z).y)
#define SQUARE(z) ((z).x * (z).x + (z).y * (z).y)
#else
#define NUMBER REAL
#define REAL_PART(z) (z)
#define FROM_REAL(z) (z)
#define CONJUGATE(z) (z)
#define SIZE(z) fabs(z)
#define LARGEST(z) fabs(z)
#define ABSOLUTE(z) fabs(z)
#define SQUARE(z) ((z) * (z))
#endif
#define ZERO_NUMBER FROM_REAL((REAL)0)
#define ONE_NUMBER FROM_REAL((REAL)1)
#define TIMES(a, b) product(a, b)
// The product with a real number.
#define SCALED(z, by) ((z) * (by))

static inline NUMBER product(const NUMBER a, const NUMBER b)
{
#if COMPLEX
    return (NUMBER)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
#else
    return a * b;
#endif
}

// Divides without overflow on the way, where the quotient is of ordinary size.
static inline NUMBER quotient(const NUMBER a, const NUMBER b)
{
#if COMPLEX
    const REAL scale = LARGEST(b);
    const NUMBER c = a / scale, d = b / scale;
    return product(c, CONJUGATE(d)) / SQUARE(d);
#else
    return a / b;
#endif
}

// The reciprocal of a divisor, and quotients by it: many wait for one division. If the reciprocal may overflow or lose digits,
// each quotient is divided.
#define HAS_RECIPROCAL(b) (LARGEST(b) >= SMALLEST && LARGEST(b) <= 1 / (4 * SMALLEST))

static inline NUMBER reciprocal_of(const NUMBER b)
{
    return HAS_RECIPROCAL(b) ? quotient(ONE_NUMBER, b) : ZERO_NUMBER;
}

static inline NUMBER divided_by(const NUMBER a, const NUMBER b, const NUMBER reciprocal)
{
    return HAS_RECIPROCAL(b) ? product(a, reciprocal) : quotient(a, b);
}
