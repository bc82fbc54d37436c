// Kernels by hand of some cases of arrays, as a programmer writes them for one task and one shape.
//
// With CHUNKED, a work-group is one work-item that loops over neighbouring elements, as CPUs need it. Otherwise
// neighbouring work-items take neighbouring elements, as GPUs need it; a work-group has GROUP work-items. The
// number of rows and of columns is a multiple of 64. REAL is the type of the elements of `seven_point`.

#define CUT(count, part, parts) ((uint)((ulong)(count) * (part) / (parts)))

#if CHUNKED

#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, pointer) __builtin_nontemporal_store(value, pointer)
#else
#define STREAM(value, pointer) *(pointer) = (value)
#endif

// The 16 elements from a pointer on. Every row begins at a multiple of 64 elements, so that it is aligned.
#define PACK(pointer) (*(global const float16 *)(pointer))

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f)
#define LOAD_ROW(k) const float16 row##k = PACK(&x[(size_t)(row + 0x##k) * columns + column]);
#define STORE_COLUMN(k) \
    STREAM(((float16)(row0.s##k, row1.s##k, row2.s##k, row3.s##k, row4.s##k, row5.s##k, row6.s##k, row7.s##k, \
                      row8.s##k, row9.s##k, rowa.s##k, rowb.s##k, rowc.s##k, rowd.s##k, rowe.s##k, rowf.s##k)), \
           (global float16 *)&out[(size_t)(column + 0x##k) * rows + row]);

// Transposes blocks of 16 x 16 elements in registers, and those of 64 x 64 one after the other, so that a page of
// memory is used four times before the next. A work-item has 64 rows.
kernel void transpose(global const float *restrict x, global float *restrict out, const uint rows, const uint columns)
{
    const uint first = 64 * get_global_id(0);
    for (uint block = 0; block < columns; block += 64)
        for (uint column = block; column < block + 64; column += 16)
            for (uint row = first; row < first + 64; row += 16) {
                EACH(LOAD_ROW)
                EACH(STORE_COLUMN)
            }
}

// Adds up the elements of each row. A work-item has one row.
kernel void sum_rows(global const float *restrict x, global float *restrict out, const uint columns)
{
    global const float *row = &x[get_global_id(0) * columns];
    float16 a = 0, b = 0, c = 0, d = 0;
    for (uint at = 0; at < columns; at += 64) {
        a += PACK(row + at);
        b += PACK(row + at + 16);
        c += PACK(row + at + 32);
        d += PACK(row + at + 48);
    }
    const float16 sums = (a + b) + (c + d);
    const float8 eight = sums.lo + sums.hi;
    const float4 four = eight.lo + eight.hi;
    out[get_global_id(0)] = (four.x + four.y) + (four.z + four.w);
}

// Adds up the rows of each part of the matrix. A work-item has one part.
kernel void sum_parts(global const float *restrict x, global float *restrict sums, const uint rows, const uint columns)
{
    const uint part = get_global_id(1), parts = get_global_size(1);
    global float *own = &sums[(size_t)part * columns];
    for (uint at = 0; at < columns; ++at)
        own[at] = 0;
    const uint end = CUT(rows / 4, part + 1, parts);
    for (uint four = CUT(rows / 4, part, parts); four < end; ++four) {
        global const float *first = &x[(size_t)4 * four * columns], *second = first + columns;
        global const float *third = second + columns, *fourth = third + columns;
        for (uint at = 0; at < columns; at += 16) {
            const float16 two = PACK(first + at) + PACK(second + at);
            const float16 other = PACK(third + at) + PACK(fourth + at);
            *(global float16 *)(own + at) += two + other;
        }
    }
}

#else

// Transposes blocks of 32 x 32 elements through local memory. A work-group of 32 x 8 work-items has one block.
kernel void transpose(global const float *restrict x, global float *restrict out, const uint rows, const uint columns)
{
    local float block[32][33];
    const uint i = get_local_id(1), j = get_local_id(0);
    const uint row = 32 * get_group_id(1), column = 32 * get_group_id(0);
    for (uint k = i; k < 32; k += 8)
        block[k][j] = x[(size_t)(row + k) * columns + column + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = i; k < 32; k += 8)
        out[(size_t)(column + k) * rows + row + j] = block[j][k];
}

// Adds up the elements of each row. A work-group has one row.
kernel void sum_rows(global const float *restrict x, global float *restrict out, const uint columns)
{
    local float sums[GROUP];
    const uint own = get_local_id(0);
    global const float4 *row = (global const float4 *)&x[(size_t)get_group_id(0) * columns];
    float4 four = 0;
    for (uint at = own; at < columns / 4; at += GROUP)
        four += row[at];
    sums[own] = (four.x + four.y) + (four.z + four.w);
    for (uint half_ = GROUP / 2; half_ > 0; half_ /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < half_)
            sums[own] += sums[own + half_];
    }
    if (own == 0)
        out[get_group_id(0)] = sums[0];
}

// Adds up the rows of each part of the matrix. A work-item has one column of one part.
kernel void sum_parts(global const float *restrict x, global float *restrict sums, const uint rows, const uint columns)
{
    const uint part = get_global_id(1), parts = get_global_size(1), at = get_global_id(0);
    if (at >= columns)
        return;
    const uint end = CUT(rows, part + 1, parts);
    float sum = 0;
    for (uint row = CUT(rows, part, parts); row < end; ++row)
        sum += x[(size_t)row * columns + at];
    sums[(size_t)part * columns + at] = sum;
}

#endif

// Adds up the sums of all parts. A work-item has one column.
kernel void sum_columns(global const float *restrict sums, global float *restrict out, const uint parts, const uint columns)
{
    const uint at = get_global_id(0);
    if (at >= columns)
        return;
    float sum = 0;
    for (uint part = 0; part < parts; ++part)
        sum += sums[(size_t)part * columns + at];
    out[at] = sum;
}

#define SUM(at) (f[at] + g[at])
#define PUT(at) \
    out[at] = SUM((at) - 1) + SUM((at) + 1) + SUM((at) - row) + SUM((at) + row) + SUM((at) - layer) \
        + SUM((at) + layer) - 6 * SUM(at)

// Applies the seven-point operator to f + g at each point inside the grid. The border of `out` stays as it is.
kernel void seven_point(global const REAL *restrict f, global const REAL *restrict g, global REAL *restrict out,
                        const uint layers, const uint rows, const uint columns)
{
    const int row = columns, layer = rows * columns;
#if CHUNKED
    const size_t first = (get_global_id(1) + 1) * layer + (get_global_id(0) + 1) * row;
    for (int x = 1; x < (int)columns - 1; ++x)
        PUT(first + x);
#else
    const uint x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
    if (x < columns - 1 && y < rows - 1)
        PUT((size_t)z * layer + y * row + x);
#endif
}
