// Transpositions in registers. TRANSPOSE_N(T, x, at, stride, to) writes item k of N vectors of N elements of type T, which
// lie `stride` apart in x from index `at` on, to `to + k * BLOCK_STRIDE`, which is aligned to such vectors.
//
// Each step combines two vectors in a way that CPUs have an instruction for: within parts of 16 bytes until the last step,
// which exchanges these parts. Steps that take the elements of whole vectors in turns need twice as many instructions for
// four bytes an element. PoCL's vstore8 writes small elements one by one, so vectors are stored through pointers.

#define LINE_AT(x, at, stride, k) x + (INDEX)((at) + (INDEX)(k) * (stride))

#define TRANSPOSE_4(T, x, at, stride, to) \
    { \
        const T##4 a0 = vload4(0, LINE_AT(x, at, stride, 0)), a1 = vload4(0, LINE_AT(x, at, stride, 1)); \
        const T##4 a2 = vload4(0, LINE_AT(x, at, stride, 2)), a3 = vload4(0, LINE_AT(x, at, stride, 3)); \
        const T##4 b0 = (T##4)(a0.s0, a1.s0, a0.s2, a1.s2), b1 = (T##4)(a0.s1, a1.s1, a0.s3, a1.s3); \
        const T##4 b2 = (T##4)(a2.s0, a3.s0, a2.s2, a3.s2), b3 = (T##4)(a2.s1, a3.s1, a2.s3, a3.s3); \
        *(T##4 *)(to) = (T##4)(b0.lo, b2.lo); \
        *(T##4 *)(to + BLOCK_STRIDE) = (T##4)(b1.lo, b3.lo); \
        *(T##4 *)(to + 2 * BLOCK_STRIDE) = (T##4)(b0.hi, b2.hi); \
        *(T##4 *)(to + 3 * BLOCK_STRIDE) = (T##4)(b1.hi, b3.hi); \
    }

#define LOW_ITEMS(T, a, b) (T##8)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define HIGH_ITEMS(T, a, b) (T##8)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define LOW_PAIRS(T, a, b) (T##8)(a.s01, b.s01, a.s45, b.s45)
#define HIGH_PAIRS(T, a, b) (T##8)(a.s23, b.s23, a.s67, b.s67)

#define TRANSPOSE_8(T, x, at, stride, to) \
    { \
        const T##8 a0 = vload8(0, LINE_AT(x, at, stride, 0)), a1 = vload8(0, LINE_AT(x, at, stride, 1)); \
        const T##8 a2 = vload8(0, LINE_AT(x, at, stride, 2)), a3 = vload8(0, LINE_AT(x, at, stride, 3)); \
        const T##8 a4 = vload8(0, LINE_AT(x, at, stride, 4)), a5 = vload8(0, LINE_AT(x, at, stride, 5)); \
        const T##8 a6 = vload8(0, LINE_AT(x, at, stride, 6)), a7 = vload8(0, LINE_AT(x, at, stride, 7)); \
        const T##8 b0 = LOW_ITEMS(T, a0, a1), b1 = HIGH_ITEMS(T, a0, a1); \
        const T##8 b2 = LOW_ITEMS(T, a2, a3), b3 = HIGH_ITEMS(T, a2, a3); \
        const T##8 b4 = LOW_ITEMS(T, a4, a5), b5 = HIGH_ITEMS(T, a4, a5); \
        const T##8 b6 = LOW_ITEMS(T, a6, a7), b7 = HIGH_ITEMS(T, a6, a7); \
        const T##8 c0 = LOW_PAIRS(T, b0, b2), c1 = HIGH_PAIRS(T, b0, b2); \
        const T##8 c2 = LOW_PAIRS(T, b1, b3), c3 = HIGH_PAIRS(T, b1, b3); \
        const T##8 c4 = LOW_PAIRS(T, b4, b6), c5 = HIGH_PAIRS(T, b4, b6); \
        const T##8 c6 = LOW_PAIRS(T, b5, b7), c7 = HIGH_PAIRS(T, b5, b7); \
        *(T##8 *)(to) = (T##8)(c0.lo, c4.lo); \
        *(T##8 *)(to + BLOCK_STRIDE) = (T##8)(c1.lo, c5.lo); \
        *(T##8 *)(to + 2 * BLOCK_STRIDE) = (T##8)(c2.lo, c6.lo); \
        *(T##8 *)(to + 3 * BLOCK_STRIDE) = (T##8)(c3.lo, c7.lo); \
        *(T##8 *)(to + 4 * BLOCK_STRIDE) = (T##8)(c0.hi, c4.hi); \
        *(T##8 *)(to + 5 * BLOCK_STRIDE) = (T##8)(c1.hi, c5.hi); \
        *(T##8 *)(to + 6 * BLOCK_STRIDE) = (T##8)(c2.hi, c6.hi); \
        *(T##8 *)(to + 7 * BLOCK_STRIDE) = (T##8)(c3.hi, c7.hi); \
    }
