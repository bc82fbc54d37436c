// Matrix units for numbers of FORMAT, as double_units.cl: 0 for TF32, 1 for BF16, 2 for F16, added in f32, and 3 for doubles.
//
// A unit is 8 bytes of a line: one double, two numbers of TF32, or four shorter ones. MULTIPLY_UNITS adds the product of a
// matrix of 16 lines of four units each and one of 8 lines of four units each. Work-item `lane` has unit UNIT_STEP of the lines
// UNIT_LINE and UNIT_LINE + 8 of the left matrix, and of line UNIT_LINE of the right one, and the same elements of the sum as
// above. The order of the numbers of a line does not matter if both matrices have the same. PTX ISA, "Matrix Fragments for
// mma.m16n8k8" and "mma.m16n8k16".
//
// `unit_word` returns the half of a unit that has these numbers, rounded to the nearest numbers of the format, ties to even. A
// word of TF32 has the first number alone.

#if FORMAT == 3
#define UNIT double
#define MULTIPLY_UNITS(total, upper, lower, right) MULTIPLY_TILES(total, upper, lower, right)
#else
#define UNIT uint2
#if FORMAT == 0
#define UNIT_FORMAT "m16n8k8.row.col.f32.tf32.tf32.f32"
#elif FORMAT == 1
#define UNIT_FORMAT "m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define UNIT_FORMAT "m16n8k16.row.col.f32.f16.f16.f32"
#endif
#define MULTIPLY_UNITS(total, upper, lower, right) \
    asm volatile("mma.sync.aligned." UNIT_FORMAT " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+f"((total)[0]), "+f"((total)[1]), "+f"((total)[2]), "+f"((total)[3]) \
                 : "r"((upper).x), "r"((lower).x), "r"((upper).y), "r"((lower).y), "r"((right).x), "r"((right).y))

static inline uint unit_word(const float first, const float second)
{
    uint word;
#if FORMAT == 0
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(word) : "f"(first));
#elif FORMAT == 1
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
#else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
#endif
    return word;
}
#endif
