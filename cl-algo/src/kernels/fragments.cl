// Matrix units: a warp group, four warps or 128 work-items, multiplies small matrices of short numbers together, and adds in
// f32.
//
// A fragment is 8 lines of a matrix and 16 bytes of each line, AT_ONCE numbers. PTX calls it a core matrix. Lines are the rows
// of the left matrix and the columns of the right one. A chunk is the 16 bytes of a line. A step is two
// chunks of each line. The fragments of a step lie in local memory, of lines 0 to 7 the first and the second one, then those
// of lines 8 to 15, and so on.
//
// MULTIPLY_FRAGMENTS begins to add the product of a step of 64 lines of the left matrix and WIDTH lines of the right one to a
// 64 x WIDTH matrix, or to store the product there if `is_added` is 0. `left` and `right` are the FRAGMENTS_AT of these lines.
// A work-item has WIDTH / 2 elements of the matrix: (FRAGMENT_LINE, FRAGMENT_COLUMN), its neighbour in the row, the same 8 rows
// below, and so on every 8 columns. PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". The instructions belong to the
// target sm_90a, so they are hidden from the compiler: see BuildOptions::ptx_target.

#define WARP_GROUP 128
#define FRAGMENT_LINE(me) ((me) / 32 * 16 + (me) % 32 / 4)
#define FRAGMENT_COLUMN(me) (2 * ((me) % 4))
#if FORMAT == 0
#define AT_ONCE 4
#define FRAGMENT_FORMAT "k8.f32.tf32.tf32"
#define FRAGMENT_ORDER ""
#elif FORMAT == 1
#define AT_ONCE 8
#define FRAGMENT_FORMAT "k16.f32.bf16.bf16"
#define FRAGMENT_ORDER ", 0, 0"
#else
#define AT_ONCE 8
#define FRAGMENT_FORMAT "k16.f32.f16.f16"
#define FRAGMENT_ORDER ", 0, 0"
#endif

// A descriptor of fragments at a local address: 128 bytes to the next fragment of the same lines, and 256 to the next lines.
#define FRAGMENTS_AT(address) ((ulong)(((address) & 0x3ffff) >> 4) | (ulong)8 << 16 | (ulong)16 << 32)

#define EIGHT_TOTALS(total, at) \
    "+f"((total)[(at)]), "+f"((total)[(at) + 1]), "+f"((total)[(at) + 2]), "+f"((total)[(at) + 3]), \
        "+f"((total)[(at) + 4]), "+f"((total)[(at) + 5]), "+f"((total)[(at) + 6]), "+f"((total)[(at) + 7])
#if WIDTH == 64
#define FRAGMENT_TOTALS(total) \
    EIGHT_TOTALS(total, 0), EIGHT_TOTALS(total, 8), EIGHT_TOTALS(total, 16), EIGHT_TOTALS(total, 24)
#define TOTAL_NAMES \
    "n64" FRAGMENT_FORMAT " {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25," \
    "%26,%27,%28,%29,%30,%31}"
#define LEFT_NAME "%32"
#define RIGHT_NAME "%33"
#define IS_ADDED_NAME "%34"
#else
#define FRAGMENT_TOTALS(total) \
    EIGHT_TOTALS(total, 0), EIGHT_TOTALS(total, 8), EIGHT_TOTALS(total, 16), EIGHT_TOTALS(total, 24), \
        EIGHT_TOTALS(total, 32), EIGHT_TOTALS(total, 40), EIGHT_TOTALS(total, 48), EIGHT_TOTALS(total, 56)
#define TOTAL_NAMES \
    "n128" FRAGMENT_FORMAT " {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25," \
    "%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54," \
    "%55,%56,%57,%58,%59,%60,%61,%62,%63}"
#define LEFT_NAME "%64"
#define RIGHT_NAME "%65"
#define IS_ADDED_NAME "%66"
#endif

// Comes before the products of a stage, and after local memory was written.
#define BEGIN_PRODUCTS asm volatile("//sm_90a wgmma.fence.sync.aligned;" ::: "memory")
#define MULTIPLY_FRAGMENTS(total, left, right, is_added) \
    asm volatile("//sm_90a { .reg .pred p; setp.ne.b32 p, " IS_ADDED_NAME ", 0; wgmma.mma_async.sync.aligned.m64" TOTAL_NAMES \
                 ", " LEFT_NAME ", " RIGHT_NAME ", p, 1, 1" FRAGMENT_ORDER "; }" \
                 : FRAGMENT_TOTALS(total) \
                 : "l"(left), "l"(right), "r"(is_added))
#define COMMIT_PRODUCTS asm volatile("//sm_90a wgmma.commit_group.sync.aligned;" ::: "memory")
// Waits until at most so many committed groups of products are left.
#define AWAIT_PRODUCTS(left) asm volatile("//sm_90a wgmma.wait_group.sync.aligned " #left ";" ::: "memory")
// Comes after the last wait: the compiler reads the totals no earlier.
#define SETTLE_TOTALS(total) asm volatile("" : FRAGMENT_TOTALS(total) : : "memory")
