// Matrix units: the 32 work-items of a warp of NVIDIA's multiply small matrices of short numbers together, and add in f32.
//
// A fragment is 16 lines of a matrix and 16 numbers of each line, or 8 if a number has 32 bits. Lines are the rows of the left
// matrix and the columns of the right one. Work-item `lane` has 16 bytes of a fragment, a chunk: neighbouring numbers of line
// FRAGMENT_LINE(lane), from number FRAGMENT_STEP(lane) times their count on, then those of the line 8 further.
//
// MULTIPLY_FRAGMENTS adds the product of a fragment of the left matrix and the first or second half of the lines of a fragment
// of the right matrix to a 16 x 8 matrix. `low` and `high` are the chunk's two words of this half. Work-item `lane` has four
// elements of the sum: (FRAGMENT_LINE, 2 FRAGMENT_STEP) and its neighbour, and the same 8 rows below. PTX ISA, "Matrix
// Fragments for mma.m16n8k16" and "mma.m16n8k8": the hardware's order of the numbers of a line is another one, which does not
// change the sum, because it is the same in both matrices.

#define WARP 32
#define FRAGMENT_LINE(lane) ((lane) / 4)
#define FRAGMENT_STEP(lane) ((lane) % 4)
#if FORMAT == 0
#define FRAGMENT_FORMATS "m16n8k8.row.col.f32.tf32.tf32.f32"
#elif FORMAT == 1
#define FRAGMENT_FORMATS "m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define FRAGMENT_FORMATS "m16n8k16.row.col.f32.f16.f16.f32"
#endif
#define MULTIPLY_FRAGMENTS(total, left, low, high)                                                             \
    asm volatile("mma.sync.aligned." FRAGMENT_FORMATS " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+f"((total)[0]), "+f"((total)[1]), "+f"((total)[2]), "+f"((total)[3])                     \
                 : "r"((left).x), "r"((left).z), "r"((left).y), "r"((left).w), "r"(low), "r"(high))
