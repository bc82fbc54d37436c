// Matrix units: the 32 work-items of a warp of NVIDIA's multiply small matrices of doubles together.
//
// MULTIPLY_TILES adds the product of a 16 x 4 matrix and a 4 x 8 matrix to a 16 x 8 matrix. Work-item `lane` has the
// elements (UNIT_LINE, UNIT_STEP) and (UNIT_LINE + 8, UNIT_STEP) of the left matrix, (UNIT_STEP, UNIT_LINE) of the right
// matrix, and four of the sum: (UNIT_LINE, 2 UNIT_STEP) and its neighbour, and the same 8 rows below. Each item is
// multiplied and added with one rounding. PTX ISA, "Matrix Fragments for mma.m16n8k4".

#define UNIT_LINE(lane) ((lane) / 4)
#define UNIT_STEP(lane) ((lane) % 4)
#define MULTIPLY_TILES(total, upper, lower, right)                                                               \
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
                 : "+d"((total)[0]), "+d"((total)[1]), "+d"((total)[2]), "+d"((total)[3])                       \
                 : "d"(upper), "d"(lower), "d"(right))
