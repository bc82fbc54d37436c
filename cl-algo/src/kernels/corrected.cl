// Built-in functions that a driver gets wrong or computes slowly: included if an expression or a device function
// uses one.

// NVIDIA 580 saturates at the wrong end, or not at all, if the product alone fits in a long. Here product and sum
// have 128 bits.
static inline long corrected_mad_sat(const long a, const long b, const long c)
{
    const ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
    const long high = mul_hi(a, b) + (c >> 63) + (sum < low);
    return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}

// NVIDIA 580 leaves the sign at 0 if it is positive. The sign is negative between -1 and 0, between -3 and -2, and
// so on.
#define DEFINE_LGAMMA_R(type)                                                   \
    static inline type __attribute__((overloadable))                            \
    corrected_lgamma_r(const type x, int *sign)                                 \
    {                                                                           \
        const type below = floor(x);                                            \
        *sign = x < 0 && below != x && floor(below / 2) * 2 != below ? -1 : 1;  \
        return lgamma(x);                                                       \
    }

DEFINE_LGAMMA_R(float)
#ifdef USES_DOUBLE
DEFINE_LGAMMA_R(double)
#endif
#ifdef USES_HALF
DEFINE_LGAMMA_R(half)
#endif

// The square root of a number that is far from 0 and infinity. NVIDIA's own function checks for other numbers in a
// branch. For numbers that need no special case it computes the same: an estimate, and one Newton step with the
// exact residual. A test compares all such numbers with it.
static inline float corrected_sqrt_normal(const float x)
{
#ifdef cl_nv_pragma_unroll
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float root = x * inverse;
    return fma(fma(-root, root, x), 0.5f * inverse, root);
#else
    return sqrt(x);
#endif
}
