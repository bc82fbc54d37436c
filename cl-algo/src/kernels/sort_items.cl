// The keys of a sort as unsigned numbers in the same order, and the values that go with them.
//
// Given by the host: KEY_BYTES; KEYS, 1 if keys are floats, 2 if they are `bool`s, else 0; VALUES, the number of
// vectors of values; for vector k, WORDk and COUNTk, the size in bytes and the number of the words that a value
// consists of; INDICES, 1 if the only values are the items' indices, which are not in memory yet.
//
// Keys of 16 bytes are pairs of words.

#define BINS 256

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

typedef uchar word1;
typedef ushort word2;
typedef uint word4;
typedef ulong word8;
typedef VOLATILE struct { VOLATILE ulong low, high; } word16;
typedef PASTE(word, KEY_BYTES) KEY;

#if VALUES == 0
#define EACH_VALUE(DO)
#elif VALUES == 1
#define EACH_VALUE(DO) DO(0)
#elif VALUES == 2
#define EACH_VALUE(DO) DO(0) DO(1)
#elif VALUES == 3
#define EACH_VALUE(DO) DO(0) DO(1) DO(2)
#elif VALUES == 4
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3)
#elif VALUES == 5
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4)
#elif VALUES == 6
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#elif VALUES == 7
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6)
#else
#define EACH_VALUE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif

#define PART(k) part##k##_
#define VALUE(k) value##k##_
#define DEFINE_VALUE(k)                   \
    typedef PASTE(word, WORD##k) PART(k); \
    typedef VOLATILE struct { VOLATILE PART(k) part[COUNT##k]; } VALUE(k);
EACH_VALUE(DEFINE_VALUE)

#define VALUE_PARAMETER(k) global const VALUE(k) *values##k, global VALUE(k) *restrict sorted##k,
#define VALUE_PARAMETERS EACH_VALUE(VALUE_PARAMETER)
#define VALUE_ARGUMENT(k) values##k, sorted##k,
#define VALUE_ARGUMENTS EACH_VALUE(VALUE_ARGUMENT)

#if INDICES
#define VALUE_AT(k, i) ((VALUE(k)){ { (PART(k))(i) } })
#define VALUE_NEAR(k, from, i) VALUE_AT(k, (from) + (i))
#else
#define VALUE_AT(k, i) values##k[i]
#define VALUE_NEAR(k, from, i) (values##k + (from))[i]
#endif

// `flip` has the bits to invert: the sign of signed keys; all bits if the largest key comes first. Floats get IEEE
// 754's totalOrder: a negative float is smaller if the rest of its bits is larger. The conversion is cheap enough
// that keys are never stored in another form.
static inline KEY ordered(const KEY key, const ulong flip)
{
#if KEY_BYTES == 16
    // The flipped bits of the lower half are all or none, as the lowest bit of `flip` says.
    return (KEY){ key.low ^ (0 - (flip & 1)), key.high ^ flip };
#elif KEYS == 1
    const KEY sign = (KEY)(key >> (8 * KEY_BYTES - 1));
    return (KEY)(key ^ (KEY)flip ^ ((KEY)(0 - sign) >> 1));
#elif KEYS == 2
    // Any byte but 0 is true.
    return (KEY)((key != 0) ^ (KEY)flip);
#else
    return (KEY)(key ^ (KEY)flip);
#endif
}

// The key of a number that `ordered` returned. The changes that depend on the sign leave the sign unchanged.
static inline KEY unordered(const KEY number, const ulong flip)
{
#if KEY_BYTES == 16
    return ordered(number, flip);
#else
    const KEY key = (KEY)(number ^ (KEY)flip);
    return ordered(key, 0);
#endif
}

// The digit, of a number that `ordered` returned, that a pass sorts by. It is below BINS.
#if KEY_BYTES == 16
static inline uint shifted(const KEY number, const uint shift)
{
    return (uint)(shift < 64 ? number.low >> shift | number.high << 1 << (63 - shift) : number.high >> (shift - 64));
}
#define DIGIT(number) (shifted(number, shift) & mask)
#define LAST_KEY ((KEY){ ULONG_MAX, ULONG_MAX })
#else
#define DIGIT(number) ((uint)((number) >> shift) & mask)
#define LAST_KEY ((KEY)~(KEY)0)
#endif
