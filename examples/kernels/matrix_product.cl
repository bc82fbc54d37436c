// Computes the product of two matrices in row-major order: item (i, j) is the sum of A(i, l) B(l, j).
//
// A work-group computes a block of SIDE x SIDE items. For this it goes through SIDE columns of A and SIDE rows
// of B at a time, and keeps them in local memory: each of their items is read once and used SIDE times. On GPUs
// each work-item owns PER items of the block. On CPUs the only work-item of a group owns the whole block, and
// its loops become vector instructions.
//
// Generated into the template are the inputs A and B; the input ZERO, a single item; the operator ADD_PRODUCT(a,
// b, sum); and the output. SIDE is a parameter.

#define PER (SIDE * SIDE / GROUP)
// The row and the column, in the block, of item k of a work-item.
#define ROW(k) ((me + (k) * GROUP) / SIDE)
#define COLUMN(k) ((me + (k) * GROUP) % SIDE)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void matrix_product(PARAMETERS OUTPUTS const INDEX rows, const INDEX inner, const INDEX columns)
{
    local A_ITEM a[SIDE][SIDE], b[SIDE][SIDE];
    const uint me = get_local_id(0);
    const INDEX blocks = (columns + SIDE - 1) / SIDE;
    const INDEX row = get_group_id(0) / blocks * SIDE, column = get_group_id(0) % blocks * SIDE;
    const A_ITEM zero = ZERO_LOAD(0);
    A_ITEM sum[PER];
    for (uint k = 0; k < PER; ++k)
        sum[k] = zero;
    for (INDEX from = 0; from < inner; from += SIDE) {
        // Items beyond the matrices are zeros.
        for (uint k = 0; k < PER; ++k) {
            const INDEX i = row + ROW(k), j = column + COLUMN(k);
            a[ROW(k)][COLUMN(k)] = i < rows && from + COLUMN(k) < inner ? A_LOAD(i * inner + from + COLUMN(k)) : zero;
            b[ROW(k)][COLUMN(k)] = j < columns && from + ROW(k) < inner ? B_LOAD((from + ROW(k)) * columns + j) : zero;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint l = 0; l < SIDE; ++l)
            for (uint k = 0; k < PER; ++k)
                sum[k] = ADD_PRODUCT(a[ROW(k)][l], b[l][COLUMN(k)], sum[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 0; k < PER; ++k)
        if (row + ROW(k) < rows && column + COLUMN(k) < columns)
            STORE((row + ROW(k)) * columns + column + COLUMN(k), sum[k]);
    RETURN;
}
