// Numbers rounded to shorter formats, ties to even. The results are floats: see `Val::round_to`.

#define DEFINE_ROUNDED(type, bits) \
    static inline type __attribute__((overloadable)) without_bits(const type x, const uint count) \
    { \
        const bits all = as_##bits(x), is_odd = (all >> count) & 1; \
        return as_##type((all + is_odd + ((1u << (count - 1)) - 1)) & ~((1u << count) - 1)); \
    } \
    static inline type __attribute__((overloadable)) rounded_to_tf32(const type x) \
    { \
        return select(without_bits(x, 13), (type)NAN, isnan(x)); \
    } \
    static inline type __attribute__((overloadable)) rounded_to_bf16(const type x) \
    { \
        return select(without_bits(x, 16), (type)NAN, isnan(x)); \
    } \
    /* The largest number is 65504, the smallest normal one 2^-14, and subnormal ones are 2^-24 apart. */ \
    static inline type __attribute__((overloadable)) rounded_to_f16(const type x) \
    { \
        const type size = fabs(x), normal = without_bits(size, 13); \
        const type subnormal = rint(size * 16777216.0f) * (1.0f / 16777216.0f); \
        const type finite = select(normal, subnormal, isless(size, (type)6.1035156e-5f)); \
        const type any = select(finite, (type)INFINITY, isgreater(normal, (type)65504.0f)); \
        return select(copysign(any, x), (type)NAN, isnan(x)); \
    }

DEFINE_ROUNDED(float, uint)
DEFINE_ROUNDED(float2, uint2)
DEFINE_ROUNDED(float4, uint4)
DEFINE_ROUNDED(float8, uint8)
DEFINE_ROUNDED(float16, uint16)
