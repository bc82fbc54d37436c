// Complex numbers, as (real, imaginary).
//
// Division is R. L. Smith's ("Algorithm 116: Complex division", CACM 5, 1962): no intermediate result
// overflows or underflows unless the quotient nearly does.

#define DEFINE_COMPLEX(part, complex)                                                    \
    inline complex __attribute__((overloadable))                                         \
    complex_multiply(const complex a, const complex b)                                   \
    {                                                                                    \
        return (complex)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                  \
    }                                                                                    \
    inline complex __attribute__((overloadable))                                         \
    complex_divide(const complex a, const complex b)                                     \
    {                                                                                    \
        if (fabs(b.x) >= fabs(b.y)) {                                                    \
            const part ratio = b.y / b.x, scale = b.x + b.y * ratio;                     \
            return (complex)((a.x + a.y * ratio) / scale, (a.y - a.x * ratio) / scale);  \
        }                                                                                \
        const part ratio = b.x / b.y, scale = b.x * ratio + b.y;                         \
        return (complex)((a.x * ratio + a.y) / scale, (a.y * ratio - a.x) / scale);      \
    }

DEFINE_COMPLEX(float, float2)
#ifdef USES_DOUBLE
DEFINE_COMPLEX(double, double2)
#endif
