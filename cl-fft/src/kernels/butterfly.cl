// Discrete Fourier transforms of a few points, in registers. The code is straight-line after unrolling.
//
// dft_N(re, im) replaces N points by their forward transform, X[k] = sum of x[j] e^(-2 pi i j k / N), in order. A
// REAL is a number of one transform (GPUs), or a vector of the numbers of neighbouring transforms (CPUs). All
// indices below are compile-time constants, so that arrays become registers, and tables of constants become
// literals.
//
// For odd primes, the cosines of j and N - j are equal and their sines opposite, which halves the number of
// multiplications. A length a b is computed as transforms of a points and transforms of b points. If a and b are
// coprime, no factors stand between the two: I. J. Good, "The interaction algorithm and practical Fourier analysis"
// (1958). Otherwise, factors do: J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex
// Fourier series" (1965).
//
// Parameters: F64, LANES, R0 and so on.

#if F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SCALAR double
#define POINT double2
#define K(number) number
#else
#define SCALAR float
#define POINT float2
#define K(number) number##f
#endif

// Fused multiply-adds make the error of a transform smaller. Users' own code stands before this line, and is
// rounded as written.
#pragma OPENCL FP_CONTRACT ON

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#if LANES > 1
#define REAL PASTE(SCALAR, LANES)
#else
#define REAL SCALAR
#endif
#define DFT(radix) PASTE(dft_, radix)
#define UNROLL _Pragma("unroll")

// BY(r) is 1 if a stage has radix r; NEEDS_n is 1 if a stage uses the transform of n points. Most transforms are
// defined only if a stage uses them, because compilers would read the others in vain.
#define BY(r) (R0 == r || R1 == r || R2 == r || R3 == r || R4 == r || R5 == r || R6 == r || R7 == r)
#define NEEDS_5 (BY(5) || BY(10) || BY(15) || BY(25))
#define NEEDS_7 (BY(7) || BY(14))
#define NEEDS_8 (BY(8) || BY(32))
#define NEEDS_9 (BY(9) || BY(27))

#if NEEDS_5
constant SCALAR COS_5[5] = {
    K(1.0), K(0.309016994374947424102), K(-0.809016994374947424102), K(-0.809016994374947424102),
    K(0.309016994374947424102),
};
constant SCALAR SIN_5[5] = {
    K(0.0), K(0.951056516295153572116), K(0.587785252292473129169), K(-0.587785252292473129169),
    K(-0.951056516295153572116),
};
#endif
#if NEEDS_7
constant SCALAR COS_7[7] = {
    K(1.0), K(0.623489801858733530525), K(-0.222520933956314404289), K(-0.900968867902419126236),
    K(-0.900968867902419126236), K(-0.222520933956314404289), K(0.623489801858733530525),
};
constant SCALAR SIN_7[7] = {
    K(0.0), K(0.781831482468029808708), K(0.974927912181823607018), K(0.433883739117558120476),
    K(-0.433883739117558120476), K(-0.974927912181823607018), K(-0.781831482468029808708),
};
#endif
#if NEEDS_9
constant SCALAR COS_9[9] = {
    K(1.0), K(0.766044443118978035202), K(0.173648177666930348852), K(-0.5), K(-0.939692620785908384054),
    K(-0.939692620785908384054), K(-0.5), K(0.173648177666930348852), K(0.766044443118978035202),
};
constant SCALAR SIN_9[9] = {
    K(0.0), K(0.642787609686539326323), K(0.984807753012208059367), K(0.866025403784438646764),
    K(0.342020143325668733044), K(-0.342020143325668733044), K(-0.866025403784438646764),
    K(-0.984807753012208059367), K(-0.642787609686539326323),
};
#endif
#if BY(11)
constant SCALAR COS_11[11] = {
    K(1.0), K(0.841253532831181168862), K(0.415415013001886425529), K(-0.142314838273285140444),
    K(-0.654860733945285064057), K(-0.95949297361449738989), K(-0.95949297361449738989),
    K(-0.654860733945285064057), K(-0.142314838273285140444), K(0.415415013001886425529),
    K(0.841253532831181168862),
};
constant SCALAR SIN_11[11] = {
    K(0.0), K(0.540640817455597582108), K(0.909631995354518371412), K(0.989821441880932732376),
    K(0.755749574354258283774), K(0.281732556841429697711), K(-0.281732556841429697711),
    K(-0.755749574354258283774), K(-0.989821441880932732376), K(-0.909631995354518371412),
    K(-0.540640817455597582108),
};
#endif
#if BY(13)
constant SCALAR COS_13[13] = {
    K(1.0), K(0.8854560256532098959), K(0.568064746731155802512), K(0.120536680255323053349),
    K(-0.35460488704253562597), K(-0.748510748171101098635), K(-0.970941817426052027157),
    K(-0.970941817426052027157), K(-0.748510748171101098635), K(-0.35460488704253562597),
    K(0.120536680255323053349), K(0.568064746731155802512), K(0.8854560256532098959),
};
constant SCALAR SIN_13[13] = {
    K(0.0), K(0.464723172043768545656), K(0.82298386589365639458), K(0.992708874098053992801),
    K(0.93501624268541482344), K(0.663122658240795202377), K(0.239315664287557767149),
    K(-0.239315664287557767149), K(-0.663122658240795202377), K(-0.93501624268541482344),
    K(-0.992708874098053992801), K(-0.82298386589365639458), K(-0.464723172043768545656),
};
#endif
#if BY(16)
constant SCALAR COS_16[16] = {
    K(1.0), K(0.923879532511286756128), K(0.707106781186547524401), K(0.382683432365089771728), K(0.0),
    K(-0.382683432365089771728), K(-0.707106781186547524401), K(-0.923879532511286756128), K(-1.0),
    K(-0.923879532511286756128), K(-0.707106781186547524401), K(-0.382683432365089771728), K(0.0),
    K(0.382683432365089771728), K(0.707106781186547524401), K(0.923879532511286756128),
};
constant SCALAR SIN_16[16] = {
    K(0.0), K(0.382683432365089771728), K(0.707106781186547524401), K(0.923879532511286756128), K(1.0),
    K(0.923879532511286756128), K(0.707106781186547524401), K(0.382683432365089771728), K(0.0),
    K(-0.382683432365089771728), K(-0.707106781186547524401), K(-0.923879532511286756128), K(-1.0),
    K(-0.923879532511286756128), K(-0.707106781186547524401), K(-0.382683432365089771728),
};
#endif
#if BY(25)
constant SCALAR COS_25[25] = {
    K(1.0), K(0.96858316112863111949), K(0.876306680043863587308), K(0.728968627421411523147),
    K(0.535826794978996618271), K(0.309016994374947424102), K(0.0627905195293133760762),
    K(-0.187381314585724630543), K(-0.425779291565072648863), K(-0.637423989748689710177),
    K(-0.809016994374947424102), K(-0.929776485888251403661), K(-0.99211470131447783105),
    K(-0.99211470131447783105), K(-0.929776485888251403661), K(-0.809016994374947424102),
    K(-0.637423989748689710177), K(-0.425779291565072648863), K(-0.187381314585724630543),
    K(0.0627905195293133760762), K(0.309016994374947424102), K(0.535826794978996618271),
    K(0.728968627421411523147), K(0.876306680043863587308), K(0.96858316112863111949),
};
constant SCALAR SIN_25[25] = {
    K(0.0), K(0.248689887164854788242), K(0.481753674101715274987), K(0.684547105928688673732),
    K(0.844327925502015078549), K(0.951056516295153572116), K(0.998026728428271561952),
    K(0.982287250728688681086), K(0.904827052466019527714), K(0.770513242775789230803),
    K(0.587785252292473129169), K(0.368124552684677959157), K(0.125333233564304245373),
    K(-0.125333233564304245373), K(-0.368124552684677959157), K(-0.587785252292473129169),
    K(-0.770513242775789230803), K(-0.904827052466019527714), K(-0.982287250728688681086),
    K(-0.998026728428271561952), K(-0.951056516295153572116), K(-0.844327925502015078549),
    K(-0.684547105928688673732), K(-0.481753674101715274987), K(-0.248689887164854788242),
};
#endif
#if BY(27)
constant SCALAR COS_27[27] = {
    K(1.0), K(0.973044870579823838833), K(0.893632640323412248193), K(0.766044443118978035202),
    K(0.597158591702786164852), K(0.396079766039156823696), K(0.173648177666930348852),
    K(-0.0581448289104758285387), K(-0.286803232711090253103), K(-0.5), K(-0.68624163786873358573),
    K(-0.835487811412936419654), K(-0.939692620785908384054), K(-0.993238357741942988548),
    K(-0.993238357741942988548), K(-0.939692620785908384054), K(-0.835487811412936419654),
    K(-0.68624163786873358573), K(-0.5), K(-0.286803232711090253103), K(-0.0581448289104758285387),
    K(0.173648177666930348852), K(0.396079766039156823696), K(0.597158591702786164852),
    K(0.766044443118978035202), K(0.893632640323412248193), K(0.973044870579823838833),
};
constant SCALAR SIN_27[27] = {
    K(0.0), K(0.23061587074244017845), K(0.448799180200462172785), K(0.642787609686539326323),
    K(0.802123192755043785083), K(0.918216106880274014759), K(0.984807753012208059367),
    K(0.998308158271268208048), K(0.957989512315488874437), K(0.866025403784438646764),
    K(0.727373641573048695987), K(0.549508978070806035263), K(0.342020143325668733044),
    K(0.116092914125230229676), K(-0.116092914125230229676), K(-0.342020143325668733044),
    K(-0.549508978070806035263), K(-0.727373641573048695987), K(-0.866025403784438646764),
    K(-0.957989512315488874437), K(-0.998308158271268208048), K(-0.984807753012208059367),
    K(-0.918216106880274014759), K(-0.802123192755043785083), K(-0.642787609686539326323),
    K(-0.448799180200462172785), K(-0.23061587074244017845),
};
#endif
#if BY(32)
constant SCALAR COS_32[32] = {
    K(1.0), K(0.980785280403230449126), K(0.923879532511286756128), K(0.831469612302545237079),
    K(0.707106781186547524401), K(0.555570233019602224743), K(0.382683432365089771728),
    K(0.195090322016128267848), K(0.0), K(-0.195090322016128267848), K(-0.382683432365089771728),
    K(-0.555570233019602224743), K(-0.707106781186547524401), K(-0.831469612302545237079),
    K(-0.923879532511286756128), K(-0.980785280403230449126), K(-1.0), K(-0.980785280403230449126),
    K(-0.923879532511286756128), K(-0.831469612302545237079), K(-0.707106781186547524401),
    K(-0.555570233019602224743), K(-0.382683432365089771728), K(-0.195090322016128267848), K(0.0),
    K(0.195090322016128267848), K(0.382683432365089771728), K(0.555570233019602224743),
    K(0.707106781186547524401), K(0.831469612302545237079), K(0.923879532511286756128),
    K(0.980785280403230449126),
};
constant SCALAR SIN_32[32] = {
    K(0.0), K(0.195090322016128267848), K(0.382683432365089771728), K(0.555570233019602224743),
    K(0.707106781186547524401), K(0.831469612302545237079), K(0.923879532511286756128),
    K(0.980785280403230449126), K(1.0), K(0.980785280403230449126), K(0.923879532511286756128),
    K(0.831469612302545237079), K(0.707106781186547524401), K(0.555570233019602224743),
    K(0.382683432365089771728), K(0.195090322016128267848), K(0.0), K(-0.195090322016128267848),
    K(-0.382683432365089771728), K(-0.555570233019602224743), K(-0.707106781186547524401),
    K(-0.831469612302545237079), K(-0.923879532511286756128), K(-0.980785280403230449126), K(-1.0),
    K(-0.980785280403230449126), K(-0.923879532511286756128), K(-0.831469612302545237079),
    K(-0.707106781186547524401), K(-0.555570233019602224743), K(-0.382683432365089771728),
    K(-0.195090322016128267848),
};
#endif

static inline void DFT(1)(REAL *re, REAL *im)
{
}

static inline void DFT(2)(REAL *re, REAL *im)
{
    const REAL r = re[1], i = im[1];
    re[1] = re[0] - r;
    im[1] = im[0] - i;
    re[0] += r;
    im[0] += i;
}

static inline void DFT(4)(REAL *re, REAL *im)
{
    const REAL sum_r = re[0] + re[2], sum_i = im[0] + im[2];
    const REAL difference_r = re[0] - re[2], difference_i = im[0] - im[2];
    const REAL odd_r = re[1] + re[3], odd_i = im[1] + im[3], turned_r = im[1] - im[3], turned_i = re[3] - re[1];
    re[0] = sum_r + odd_r;
    im[0] = sum_i + odd_i;
    re[1] = difference_r + turned_r;
    im[1] = difference_i + turned_i;
    re[2] = sum_r - odd_r;
    im[2] = sum_i - odd_i;
    re[3] = difference_r - turned_r;
    im[3] = difference_i - turned_i;
}

#if NEEDS_8
// Transforms the even and the odd points by radix 4. A multiplication by e^(-i pi / 4) takes one product for the real
// and one for the imaginary part. A product that is both added and subtracted is written twice: two fused
// multiply-adds are less work than a product and two sums.
static inline void DFT(8)(REAL *re, REAL *im)
{
    const SCALAR half_root = K(0.707106781186547524401);
    REAL even_r[4] = { re[0], re[2], re[4], re[6] }, even_i[4] = { im[0], im[2], im[4], im[6] };
    REAL odd_r[4] = { re[1], re[3], re[5], re[7] }, odd_i[4] = { im[1], im[3], im[5], im[7] };
    DFT(4)(even_r, even_i);
    DFT(4)(odd_r, odd_i);
    const REAL sum_1 = odd_r[1] + odd_i[1], difference_1 = odd_i[1] - odd_r[1];
    const REAL sum_3 = odd_r[3] + odd_i[3], difference_3 = odd_i[3] - odd_r[3];
    re[0] = even_r[0] + odd_r[0];
    im[0] = even_i[0] + odd_i[0];
    re[4] = even_r[0] - odd_r[0];
    im[4] = even_i[0] - odd_i[0];
    re[1] = even_r[1] + sum_1 * half_root;
    im[1] = even_i[1] + difference_1 * half_root;
    re[5] = even_r[1] - sum_1 * half_root;
    im[5] = even_i[1] - difference_1 * half_root;
    re[2] = even_r[2] + odd_i[2];
    im[2] = even_i[2] - odd_r[2];
    re[6] = even_r[2] - odd_i[2];
    im[6] = even_i[2] + odd_r[2];
    re[3] = even_r[3] + difference_3 * half_root;
    im[3] = even_i[3] - sum_3 * half_root;
    re[7] = even_r[3] - difference_3 * half_root;
    im[7] = even_i[3] + sum_3 * half_root;
}
#endif

static inline void DFT(3)(REAL *re, REAL *im)
{
    const SCALAR sine = K(0.866025403784438646764);
    const REAL sum_r = re[1] + re[2], sum_i = im[1] + im[2], difference_r = re[1] - re[2], difference_i = im[1] - im[2];
    const REAL even_r = re[0] - sum_r * K(0.5), even_i = im[0] - sum_i * K(0.5);
    re[0] += sum_r;
    im[0] += sum_i;
    re[1] = even_r + difference_i * sine;
    im[1] = even_i - difference_r * sine;
    re[2] = even_r - difference_i * sine;
    im[2] = even_i + difference_r * sine;
}

#define DEFINE_ODD(n)                                                                             \
    static inline void DFT(n)(REAL *re, REAL *im)                                                \
    {                                                                                             \
        REAL sum_r[n / 2], sum_i[n / 2], difference_r[n / 2], difference_i[n / 2];                \
        const REAL r0 = re[0], i0 = im[0];                                                        \
        UNROLL for (uint j = 0; j < n / 2; ++j) {                                                 \
            sum_r[j] = re[1 + j] + re[n - 1 - j];                                                 \
            sum_i[j] = im[1 + j] + im[n - 1 - j];                                                 \
            difference_r[j] = re[1 + j] - re[n - 1 - j];                                          \
            difference_i[j] = im[1 + j] - im[n - 1 - j];                                          \
            re[0] += sum_r[j];                                                                    \
            im[0] += sum_i[j];                                                                    \
        }                                                                                         \
        UNROLL for (uint k = 1; k <= n / 2; ++k) {                                                \
            REAL even_r = r0, even_i = i0;                                                        \
            REAL odd_r = SIN_##n[k] * difference_i[0], odd_i = SIN_##n[k] * difference_r[0];      \
            UNROLL for (uint j = 0; j < n / 2; ++j) {                                             \
                even_r += COS_##n[(j + 1) * k % n] * sum_r[j];                                    \
                even_i += COS_##n[(j + 1) * k % n] * sum_i[j];                                    \
            }                                                                                     \
            UNROLL for (uint j = 1; j < n / 2; ++j) {                                             \
                odd_r += SIN_##n[(j + 1) * k % n] * difference_i[j];                              \
                odd_i += SIN_##n[(j + 1) * k % n] * difference_r[j];                              \
            }                                                                                     \
            re[k] = even_r + odd_r;                                                               \
            im[k] = even_i - odd_i;                                                               \
            re[n - k] = even_r - odd_r;                                                           \
            im[n - k] = even_i + odd_i;                                                           \
        }                                                                                         \
    }

#if NEEDS_5
DEFINE_ODD(5)
#endif
#if NEEDS_7
DEFINE_ODD(7)
#endif
#if BY(11)
DEFINE_ODD(11)
#endif
#if BY(13)
DEFINE_ODD(13)
#endif

// Defines the transform of n = a b points, where a and b have a common divisor.
#define DEFINE_SQUARE(n, a, b)                                                                    \
    static inline void DFT(n)(REAL *re, REAL *im)                                                \
    {                                                                                             \
        REAL r[n], i[n];                                                                          \
        UNROLL for (uint l = 0; l < b; ++l) {                                                     \
            UNROLL for (uint j = 0; j < a; ++j) {                                                 \
                r[l * a + j] = re[j * b + l];                                                     \
                i[l * a + j] = im[j * b + l];                                                     \
            }                                                                                     \
            DFT(a)(r + l * a, i + l * a);                                                          \
        }                                                                                         \
        UNROLL for (uint k = 0; k < a; ++k) {                                                     \
            REAL row_r[b], row_i[b];                                                              \
            UNROLL for (uint l = 0; l < b; ++l) {                                                 \
                const REAL x = r[l * a + k], y = i[l * a + k];                                    \
                const SCALAR c = COS_##n[l * k % n], s = SIN_##n[l * k % n];                      \
                if (l * k == 0) {                                                                 \
                    row_r[l] = x;                                                                 \
                    row_i[l] = y;                                                                 \
                } else if (4 * l * k == n) {                                                      \
                    row_r[l] = y;                                                                 \
                    row_i[l] = -x;                                                                \
                } else {                                                                          \
                    row_r[l] = x * c + y * s;                                                     \
                    row_i[l] = y * c - x * s;                                                     \
                }                                                                                 \
            }                                                                                     \
            DFT(b)(row_r, row_i);                                                                  \
            UNROLL for (uint l = 0; l < b; ++l) {                                                 \
                re[k + a * l] = row_r[l];                                                         \
                im[k + a * l] = row_i[l];                                                         \
            }                                                                                     \
        }                                                                                         \
    }

#if NEEDS_9
DEFINE_SQUARE(9, 3, 3)
#endif
#if BY(16)
DEFINE_SQUARE(16, 4, 4)
#endif
#if BY(25)
DEFINE_SQUARE(25, 5, 5)
#endif
#if BY(27)
DEFINE_SQUARE(27, 9, 3)
#endif
#if BY(32)
DEFINE_SQUARE(32, 8, 4)
#endif

// Defines the transform of n = a b points, where a and b are coprime. e is 1 modulo a and 0 modulo b; f is 0 modulo a
// and 1 modulo b.
#define DEFINE_COPRIME(n, a, b, e, f)                                                             \
    static inline void DFT(n)(REAL *re, REAL *im)                                                \
    {                                                                                             \
        REAL r[n], i[n];                                                                          \
        UNROLL for (uint l = 0; l < b; ++l) {                                                     \
            UNROLL for (uint j = 0; j < a; ++j) {                                                 \
                r[l * a + j] = re[(j * b + l * a) % n];                                           \
                i[l * a + j] = im[(j * b + l * a) % n];                                           \
            }                                                                                     \
            DFT(a)(r + l * a, i + l * a);                                                          \
        }                                                                                         \
        UNROLL for (uint k = 0; k < a; ++k) {                                                     \
            REAL row_r[b], row_i[b];                                                              \
            UNROLL for (uint l = 0; l < b; ++l) {                                                 \
                row_r[l] = r[l * a + k];                                                          \
                row_i[l] = i[l * a + k];                                                          \
            }                                                                                     \
            DFT(b)(row_r, row_i);                                                                  \
            UNROLL for (uint l = 0; l < b; ++l) {                                                 \
                re[(k * e + l * f) % n] = row_r[l];                                               \
                im[(k * e + l * f) % n] = row_i[l];                                               \
            }                                                                                     \
        }                                                                                         \
    }

#if BY(6)
DEFINE_COPRIME(6, 2, 3, 3, 4)
#endif
#if BY(10)
DEFINE_COPRIME(10, 2, 5, 5, 6)
#endif
#if BY(12)
DEFINE_COPRIME(12, 4, 3, 9, 4)
#endif
#if BY(14)
DEFINE_COPRIME(14, 2, 7, 7, 8)
#endif
#if BY(15)
DEFINE_COPRIME(15, 3, 5, 10, 6)
#endif

