// The copy of two matrices into fragments, in which `contract_fragments` reads them.
//
// A panel is neighbouring lines of a matrix: LEFT_WIDTH rows of the left one, or WIDTH columns of the right one. A step is 32 bytes
// of each line. The steps of all lines of a panel are neighbours. For fragments.cl, a step of 8 lines is two fragments, each of
// CHUNK items of all lines. For matrix_units.cl, with doubles, a step of 16 lines is a chunk for each work-item of a warp: an item
// of one line, and that of the line 8 further. Lines have `inner` items, and panels `steps` steps: items beyond the matrix are
// zeros, in both directions. The left matrices have `rows` lines, the right ones `columns`. Numbers are rounded to FORMAT.
//
// If LEFT_ALONG is 1, a row of the left matrix's index space is a line. If it is 0, a row has one item of each line. RIGHT_ALONG
// says the same of the right matrix.
//
// A unit of work is LINES_OF lines of STEPS steps: the `left_units` first ones are of left matrices, the others of right ones. A
// matrix has `left_pieces` or `right_pieces` pieces of LINES_OF lines. A work-item makes chunks, whose items it reads in packs, or
// each together with neighbouring work-items. Neighbouring work-items store neighbouring chunks, eight at least. All of a unit's
// items are read before any is stored, because compilers cannot know that the chunks lie elsewhere.

#if FORMAT == 3
#define CHUNK 2
#define ITEMS 32
#define LINES_IN_CHUNK 2
#else
#define CHUNK (FORMAT == 0 ? 4 : 8)
#define ITEMS (8 * CHUNK)
#define LINES_IN_CHUNK 1
#endif
#define STEPS (ITEMS / (2 * CHUNK))
#define LINES_OF(width) ((width) < 64 ? (width) : 64)
#define CHUNKS_EACH(lines) ((lines) * ITEMS / CHUNK / GROUP)

// Reads CHUNK items, those of a line from item `k` on, or two lines of doubles. `is_whole` is true if the matrix has all of them.
#define READ_PACKS(items, load_pack, line, k) \
    BEGIN_ROW(batch, line) \
    _Pragma("unroll") for (uint j = 0; j < CHUNK / PACK; ++j) \
        UNPACK(load_pack((k) / PACK + j), (items) + j * PACK);
#define READ_ITEMS(items, along, count, load, line, k, is_whole) \
    _Pragma("unroll") for (uint j = 0; j < CHUNK; ++j) { \
        const INDEX line_ = (line) + (LINES_IN_CHUNK == 2 ? 8 * j : 0), k_ = (k) + (LINES_IN_CHUNK == 2 ? 0 : j); \
        const bool inside = (is_whole) || (line_ < (count) && k_ < inner); \
        BEGIN_ROW(batch, inside ? ((along) ? line_ : k_) : 0) \
        (items)[j] = inside ? load((along) ? k_ : line_) : 0; \
    }

// The line and the step of chunk `at` of a unit, and its place among those of the step.
#if FORMAT == 3
#define LINE_AT(at, along, lines) ((at) % (2 * (lines)) / 32 * 16 + (at) % 32 / 4)
#define STEP_AT(at, along, lines) ((at) / (2 * (lines)))
#define ITEM_AT(at, along, lines) (STEP_AT(at, along, lines) * 4 + (at) % 4)
#define PLACE_AT(at, along, lines) ((at) % (2 * (lines)))
#define IN_PACKS(along) false
#else
#define LINE_AT(at, along, lines) ((along) ? (at) / 64 * 8 + (at) % 8 : (at) % (lines))
#define CHUNK_AT(at, along, lines) ((along) ? (at) / 8 % 8 : (at) / (lines))
#define STEP_AT(at, along, lines) (CHUNK_AT(at, along, lines) / 2)
#define ITEM_AT(at, along, lines) (CHUNK_AT(at, along, lines) * CHUNK)
#define PLACE_AT(at, along, lines) \
    (LINE_AT(at, along, lines) / 8 * 16 + CHUNK_AT(at, along, lines) % 2 * 8 + LINE_AT(at, along, lines) % 8)
#define IN_PACKS(along) (along)
#endif

// Returns a chunk of items.
static inline uint4 chunk_of(const ITEM *const items)
{
#if FORMAT == 3
    return as_uint4((double2)(items[0], items[1]));
#elif FORMAT == 0
    return (uint4)(unit_word(items[0], items[0]), unit_word(items[1], items[1]), unit_word(items[2], items[2]),
        unit_word(items[3], items[3]));
#else
    return (uint4)(unit_word(items[0], items[1]), unit_word(items[2], items[3]), unit_word(items[4], items[5]),
        unit_word(items[6], items[7]));
#endif
}

// Copies unit `unit` of the matrices of one side.
#define COPY_UNIT(unit, pieces, width, along, count, load, load_pack, chunks) \
    { \
        const uint lines = LINES_OF(width); \
        const INDEX above = (unit) / across, first_step = ((unit) - above * across) * STEPS, batch = above / (pieces); \
        const INDEX first_line = (above - batch * (pieces)) * lines, first = first_step * (2 * CHUNK); \
        const INDEX panel = above / ((width) / lines), within = above % ((width) / lines) * (2 * lines); \
        const bool is_whole = first_line + lines <= (count) && first + ITEMS <= inner; \
        ITEM items[CHUNKS_EACH(lines)][CHUNK]; \
        _Pragma("unroll") for (uint t = 0; t < CHUNKS_EACH(lines); ++t) { \
            const uint at = t * GROUP + me; \
            const INDEX line = first_line + LINE_AT(at, along, lines), k = first + ITEM_AT(at, along, lines); \
            if (is_whole && IN_PACKS(along)) { \
                READ_PACKS(items[t], load_pack, line, k) \
            } else if (is_whole) { \
                READ_ITEMS(items[t], along, count, load, line, k, true) \
            } else { \
                READ_ITEMS(items[t], along, count, load, line, k, false) \
            } \
        } \
        _Pragma("unroll") for (uint t = 0; t < CHUNKS_EACH(lines); ++t) { \
            const uint at = t * GROUP + me; \
            const INDEX step = first_step + STEP_AT(at, along, lines); \
            if (step < steps) \
                (chunks)[(panel * steps + step) * (2 * (width)) + within + PLACE_AT(at, along, lines)] = chunk_of(items[t]); \
        } \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pack_fragments(SPACE_PARAMETERS global uint4 *const left_chunks, global uint4 *const right_chunks, const INDEX rows,
    const INDEX columns, const INDEX inner, const INDEX steps, const INDEX left_pieces, const INDEX right_pieces,
    const INDEX left_units, const INDEX units)
{
    const uint me = get_local_id(0);
    const INDEX across = (steps + STEPS - 1) / STEPS;
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        if (unit < left_units)
            COPY_UNIT(unit, left_pieces, LEFT_WIDTH, LEFT_ALONG, rows, LEFT_LOAD, LEFT_LOAD_PACK, left_chunks)
        else
            COPY_UNIT(unit - left_units, right_pieces, WIDTH, RIGHT_ALONG, columns, LOAD, LOAD_PACK, right_chunks)
    }
    RETURN;
}
