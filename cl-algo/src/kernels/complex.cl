// Complex numbers, as (real, imaginary).
//
// Division follows M. Baudin and R. L. Smith, "A robust complex division in Scilab" (2012). Both operands are
// first scaled into the middle of the range, and products that underflow are computed in another order. A NaN that
// results from an infinity or a zero is corrected as annex G of C99 says: nonzero / 0 and infinite / finite are
// infinite, finite / infinite is 0.
//
// SMALL is 2 MIN / EPSILON, LARGE is 2 / EPSILON^2, HALF_MAX is half of the largest number.

#define DEFINE_COMPLEX(part, complex, SMALL, LARGE, HALF_MAX)                            \
    static inline complex __attribute__((overloadable))                                  \
    complex_multiply(const complex a, const complex b)                                   \
    {                                                                                    \
        return (complex)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                  \
    }                                                                                    \
                                                                                         \
    /* (a + b ratio) / scale, where ratio is d / c. */                                   \
    static inline part __attribute__((overloadable))                                     \
    complex_quotient_part(const part a, const part b, const part c, const part d,        \
                          const part ratio, const part scale)                            \
    {                                                                                    \
        if (ratio == 0)                                                                  \
            return (a + d * (b / c)) / scale;                                            \
        const part product = b * ratio;                                                  \
        return product != 0 ? (a + product) / scale : a / scale + (b / scale) * ratio;   \
    }                                                                                    \
                                                                                         \
    static inline complex __attribute__((overloadable))                                  \
    complex_quotient(const complex a, const complex b)                                   \
    {                                                                                    \
        if (fabs(b.y) <= fabs(b.x)) {                                                    \
            const part ratio = b.y / b.x, scale = b.x + b.y * ratio;                     \
            return (complex)(complex_quotient_part(a.x, a.y, b.x, b.y, ratio, scale),    \
                             complex_quotient_part(a.y, -a.x, b.x, b.y, ratio, scale));  \
        }                                                                                \
        const part ratio = b.x / b.y, scale = b.y + b.x * ratio;                         \
        return (complex)(complex_quotient_part(a.y, a.x, b.y, b.x, ratio, scale),        \
                         -complex_quotient_part(a.x, -a.y, b.y, b.x, ratio, scale));     \
    }                                                                                    \
                                                                                         \
    static inline complex __attribute__((overloadable))                                  \
    complex_quotient_of_limits(const complex a, const complex b, const complex quotient) \
    {                                                                                    \
        if (b.x == 0 && b.y == 0)                                                        \
            return copysign((part)INFINITY, b.x) * a;                                    \
        const bool a_infinite = isinf(a.x) || isinf(a.y);                                \
        const bool b_infinite = isinf(b.x) || isinf(b.y);                                \
        if (a_infinite && isfinite(b.x) && isfinite(b.y)) {                              \
            const part re = copysign((part)(isinf(a.x) ? 1 : 0), a.x);                   \
            const part im = copysign((part)(isinf(a.y) ? 1 : 0), a.y);                   \
            return (part)INFINITY * (complex)(re * b.x + im * b.y, im * b.x - re * b.y); \
        }                                                                                \
        if (b_infinite && isfinite(a.x) && isfinite(a.y)) {                              \
            const part re = copysign((part)(isinf(b.x) ? 1 : 0), b.x);                   \
            const part im = copysign((part)(isinf(b.y) ? 1 : 0), b.y);                   \
            return (part)0 * (complex)(a.x * re + a.y * im, a.y * re - a.x * im);        \
        }                                                                                \
        return quotient;                                                                 \
    }                                                                                    \
                                                                                         \
    static inline complex __attribute__((overloadable))                                  \
    complex_divide(complex a, complex b)                                                 \
    {                                                                                    \
        const complex given_a = a, given_b = b;                                          \
        const part size_a = fmax(fabs(a.x), fabs(a.y)), size_b = fmax(fabs(b.x), fabs(b.y)); \
        part scale = 1;                                                                  \
        if (size_a >= HALF_MAX) {                                                        \
            a *= (part)0.5f;                                                             \
            scale *= 2;                                                                  \
        } else if (size_a <= SMALL) {                                                    \
            a *= LARGE;                                                                  \
            scale /= LARGE;                                                              \
        }                                                                                \
        if (size_b >= HALF_MAX) {                                                        \
            b *= (part)0.5f;                                                             \
            scale *= (part)0.5f;                                                         \
        } else if (size_b <= SMALL) {                                                    \
            b *= LARGE;                                                                  \
            scale *= LARGE;                                                              \
        }                                                                                \
        const complex quotient = complex_quotient(a, b) * scale;                         \
        if (isnan(quotient.x) && isnan(quotient.y))                                      \
            return complex_quotient_of_limits(given_a, given_b, quotient);               \
        return quotient;                                                                 \
    }                                                                                    \
                                                                                         \
    static inline complex __attribute__((overloadable))                                  \
    complex_remainder(const complex a, const complex b)                                  \
    {                                                                                    \
        return a - complex_multiply(b, trunc(complex_divide(a, b)));                     \
    }                                                                                    \
                                                                                         \
    static inline complex __attribute__((overloadable))                                  \
    complex_exp(const complex z)                                                         \
    {                                                                                    \
        const part size = exp(z.x);                                                      \
        if (z.y == 0)                                                                    \
            return (complex)(size, z.y);                                                 \
        if (z.x == -(part)INFINITY)                                                      \
            return (complex)(0, 0);                                                      \
        const complex direction = (complex)(cos(z.y), sin(z.y));                         \
        if (isinf(size) && isfinite(z.x)) {                                              \
            /* The size overflows, and yet what a part gets of it may be finite. */      \
            const part root = exp(z.x * (part)0.5f);                                     \
            return root * direction * root;                                              \
        }                                                                                \
        return size * direction;                                                         \
    }

DEFINE_COMPLEX(float, float2, 0x1p-102f, 0x1p47f, 0x1p127f)
#ifdef USES_DOUBLE
DEFINE_COMPLEX(double, double2, 0x1p-969, 0x1p105, 0x1p1023)
#endif
