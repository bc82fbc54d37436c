// The copy of a matrix into fragments, in which `contract_fragments` reads it.
//
// A panel is WIDTH neighbouring lines of the matrix. A step is 32 bytes of each line. The steps of all lines of a panel are
// neighbours. For fragments.cl, a step of 8 lines is two fragments, each of CHUNK items of all lines. For matrix_units.cl, with
// doubles, a step of 16 lines is a chunk for each work-item of a warp: an item of one line, and that of the line 8 further.
// Lines have `inner` items, and panels `steps`
// steps: items beyond the matrix are zeros, in both directions. There are `count` lines in each of the matrices. `panels` is the
// number of panels of a matrix.
//
// If ALONG is 1, a row of the index space is a line. If it is 0, a row has one item of each line.
//
// A work-group copies LINES lines of STEPS steps at once through local memory, where neighbouring work-items put neighbouring
// items of a row and take neighbouring chunks of fragments. PITCH keeps both in different banks.

#define LINES (WIDTH < 64 ? WIDTH : 64)
#define ITEMS (CHUNK == 2 ? 32 : 64)
#define STEPS (ITEMS / (2 * CHUNK))
#define PITCH (ITEMS + (CHUNK == 2 ? 4 : CHUNK))
#define CHUNKS (LINES * ITEMS / CHUNK)

// Puts all items into local memory: item `column` of `row` at `place` if `is_inside`, otherwise a zero.
#define FILL_ITEMS(row_, column_, place, is_inside) \
    _Pragma("unroll") for (uint at = me; at < LINES * ITEMS; at += GROUP) { \
        const INDEX row = (row_), column = (column_); \
        BEGIN_ROW(batch, (is_inside) ? row : 0) \
        items[(place)] = (is_inside) ? LOAD(column) : ZERO_LOAD(0); \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pack_fragments(SPACE_PARAMETERS global uint4 *const chunks, const INDEX count, const INDEX inner, const INDEX batches,
    const INDEX panels, const INDEX steps)
{
    local ITEM items[LINES * PITCH] __attribute__((aligned(16)));
    const uint me = get_local_id(0);
    const INDEX across = (steps + STEPS - 1) / STEPS, pieces = panels * (WIDTH / LINES), units = batches * pieces * across;
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX above = unit / across, first_step = (unit - above * across) * STEPS, batch = above / pieces;
        const INDEX piece = above - batch * pieces, first_line = piece * LINES, first = first_step * (2 * CHUNK);
#if ALONG
        if (first_line + LINES <= count && first + ITEMS <= inner) {
            FILL_ITEMS(first_line + at / ITEMS, first + at % ITEMS, at / ITEMS * PITCH + at % ITEMS, 1)
        } else {
            FILL_ITEMS(first_line + at / ITEMS, first + at % ITEMS, at / ITEMS * PITCH + at % ITEMS, row < count && column < inner)
        }
#else
        if (first_line + LINES <= count && first + ITEMS <= inner) {
            FILL_ITEMS(first + at / LINES, first_line + at % LINES, at % LINES * PITCH + at / LINES, 1)
        } else {
            FILL_ITEMS(first + at / LINES, first_line + at % LINES, at % LINES * PITCH + at / LINES, row < inner && column < count)
        }
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        const INDEX panel = above / (WIDTH / LINES);
        const uint within = piece % (WIDTH / LINES) * (2 * LINES);
#pragma unroll
        for (uint at = me; at < CHUNKS; at += GROUP) {
            const uint step = at / (2 * LINES), chunk = at % (2 * LINES);
#if CHUNK == 2
            const local ITEM *const from = items + (chunk / 32 * 16 + chunk % 32 / 4) * PITCH + step * 4 + chunk % 4;
            const uint4 moved = as_uint4((double2)(from[0], from[8 * PITCH]));
#else
            const uint line = chunk / 16 * 8 + chunk % 8, k = (2 * step + chunk / 8 % 2) * CHUNK;
            const uint4 moved = *(const local uint4 *)(items + line * PITCH + k);
#endif
            if (first_step + step < steps)
                chunks[(panel * steps + first_step + step) * (2 * WIDTH) + within + chunk] = moved;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}
