// Kernels by hand of the cases of grids: operators of seven points, applied to a sum and to each other.
//
// With CHUNKED, a work-group is one work-item that loops over rows, as CPUs need it; otherwise neighbouring work-items take
// neighbouring points. REAL is the type of the elements.

// The sum of the six neighbours of a point.
#define AROUND(OF, at) \
    (OF((at) - 1) + OF((at) + 1) + OF((at) - row) + OF((at) + row) + OF((at) - layer) + OF((at) + layer))

// Runs the following statement for each point that is at least MARGIN from the border, with its index `at`.
#if CHUNKED
#define EACH_POINT(MARGIN) \
    const int row = columns, layer = rows * columns; \
    const size_t first = (get_global_id(1) + MARGIN) * layer + (get_global_id(0) + MARGIN) * row; \
    for (size_t at = first + MARGIN; at < first + columns - MARGIN; ++at)
#else
#define EACH_POINT(MARGIN) \
    const int row = columns, layer = rows * columns; \
    const uint x = get_global_id(0) + MARGIN, y = get_global_id(1) + MARGIN, z = get_global_id(2) + MARGIN; \
    const size_t at = (size_t)z * layer + y * row + x; \
    if (x < columns - MARGIN && y < rows - MARGIN)
#endif

#define F(at) f[at]
#define SUM(at) (f[at] + g[at])
#define INNER(at) \
    (f[(at) - 1] + f[(at) + 1] + f[(at) - row] + f[(at) + row] + f[(at) - layer] + f[(at) + layer] - 6 * f[at] + g[at])

kernel void sum(global const REAL *restrict f, global const REAL *restrict g, global REAL *restrict out,
                const uint layers, const uint rows, const uint columns)
{
    EACH_POINT(0)
        out[at] = SUM(at);
}

// A(f)
kernel void first(global const REAL *restrict f, global REAL *restrict out, const uint layers, const uint rows,
                  const uint columns)
{
    EACH_POINT(1)
        out[at] = AROUND(F, at) - 6 * f[at];
}

// A(f) + g
kernel void inner(global const REAL *restrict f, global const REAL *restrict g, global REAL *restrict out,
                  const uint layers, const uint rows, const uint columns)
{
    EACH_POINT(1)
        out[at] = INNER(at);
}

// B(f)
kernel void outer(global const REAL *restrict f, global REAL *restrict out, const uint layers, const uint rows,
                  const uint columns)
{
    EACH_POINT(2)
        out[at] = AROUND(F, at) + 2 * f[at];
}

// B(A(f) + g), the inside computed again at each neighbour.
kernel void composed(global const REAL *restrict f, global const REAL *restrict g, global REAL *restrict out,
                     const uint layers, const uint rows, const uint columns)
{
    EACH_POINT(2)
        out[at] = AROUND(INNER, at) + 2 * INNER(at);
}

// B(A(f) + g), with three layers of A(f) + g of ROWS rows and their neighbours in local memory. A work-group has a block of
// rows, and walks through LAYERS layers.
kernel void composed_in_tiles(global const REAL *restrict f, global const REAL *restrict g, global REAL *restrict out,
                              const uint layers, const uint rows, const uint columns, local REAL *restrict kept)
{
    const int row = columns, layer = rows * columns;
    const int top = 2 + get_group_id(0) * ROWS, bottom = min(top + ROWS, (int)rows - 2);
    const int begin = 2 + get_group_id(1) * LAYERS, end = min(begin + LAYERS, (int)layers - 2);
    const int of_layer = (ROWS + 2) * columns;
    for (int z = begin - 1; z <= end; ++z) {
        local REAL *const own = kept + (z % 3) * of_layer;
        for (int y = top - 1; y <= bottom; ++y) {
            const size_t first = (size_t)z * layer + (size_t)y * row;
            local REAL *const line = own + (y - top + 1) * row;
            for (int x = 1 + get_local_id(0); x < row - 1; x += get_local_size(0)) {
                const size_t at = first + x;
                line[x] = INNER(at);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (z > begin) {
            local const REAL *const below = kept + ((z - 2) % 3) * of_layer;
            local const REAL *const middle = kept + ((z - 1) % 3) * of_layer;
            for (int y = top; y < bottom; ++y) {
                const size_t first = (size_t)(z - 1) * layer + (size_t)y * row;
                const int line = (y - top + 1) * row;
                for (int x = 2 + get_local_id(0); x < row - 2; x += get_local_size(0)) {
                    const int at = line + x;
                    out[first + x] = middle[at - 1] + middle[at + 1] + middle[at - row] + middle[at + row] + below[at]
                        + own[at] + 2 * middle[at];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
