// The copy of a matrix into panels, in which `contract` reads it.
//
// A panel is WIDTH neighbouring lines of the matrix. The items of a panel with the same index along the lines are
// neighbours, and so are these groups of items. Lines have `inner` items, and panels `padded` items of each line: those
// beyond the matrix are zeros, in both directions.
//
// If ALONG is 1, a row of the index space is a line. If it is 0, a row has one item of each line. Both kinds of rows are
// read in packs. There are `count` lines in each of `batches` matrices. `panels` is the number of panels of a matrix.

// CPUs: a unit of work is STEPS items of each line of a panel. With ALONG these are the items of a pack.
//
// GPUs: a unit of work is, with ALONG, a pack of one line, and otherwise one item of each line of a pack.

// The number of units of a GPU in a step. Only the kernel knows the size of its packs.
#if ALONG
#define UNITS_OF_STEP WIDTH
#elif WIDTH % PACK == 0
#define UNITS_OF_STEP (WIDTH / PACK)
#else
#define UNITS_OF_STEP 1
#endif

#define PADDED(k, line) ((k) < inner && (line) < count)

// Copies items k of lines from `first` on, of a matrix whose rows have one item of each line.
#if WIDTH % PACK == 0
#define COPY_LINES(k, within) \
    { \
        const INDEX line = first + (within) * PACK, to = panel + (k) * WIDTH; \
        BEGIN_ROW(batch, (k) < inner ? (k) : 0) \
        if ((k) < inner && line + PACK <= count) { \
            STORE_PACK(to / PACK + (within), LOAD_PACK(first / PACK + (within))); \
        } else { \
            for (uint j = 0; j < PACK; ++j) \
                STORE(to + (within) * PACK + j, PADDED(k, line + j) ? LOAD(line + j) : ZERO_LOAD(0)); \
        } \
    }
#else
#define COPY_LINES(k, within) \
    { \
        const INDEX to = panel + (k) * WIDTH; \
        BEGIN_ROW(batch, (k) < inner ? (k) : 0) \
        for (uint j = 0; j < WIDTH; ++j) \
            STORE(to + j, PADDED(k, first + j) ? LOAD(first + j) : ZERO_LOAD(0)); \
    }
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pack_panels(SPACE_PARAMETERS OUTPUTS const INDEX count, const INDEX inner, const INDEX padded,
    const INDEX panels, const INDEX batches, const INDEX panels_upper, const INDEX panels_shift, const INDEX steps,
    const INDEX steps_upper, const INDEX steps_shift)
{
#if CHUNKED
    const INDEX units = batches * panels * steps;
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
        const INDEX whole = divided(unit, steps_upper, steps_shift), step = unit - whole * steps;
        const INDEX batch = divided(whole, panels_upper, panels_shift), first = (whole - batch * panels) * WIDTH;
        const INDEX panel = whole * padded * WIDTH;
#if ALONG
        const INDEX k = step * PACK, to = panel + k * WIDTH;
        if (first + WIDTH <= count && k + PACK <= inner) {
            ITEM items[WIDTH][PACK];
#pragma unroll
            for (uint line = 0; line < WIDTH; ++line) {
                BEGIN_ROW(batch, first + line)
                UNPACK(LOAD_PACK(step), items[line]);
            }
            BEGIN_ROW(batch, first)
#pragma unroll
            for (uint j = 0; j < PACK; ++j) {
#pragma unroll
                for (uint line = 0; line < WIDTH; ++line)
                    STORE(to + j * WIDTH + line, items[line][j]);
            }
        } else {
            for (uint line = 0; line < WIDTH; ++line) {
                BEGIN_ROW(batch, first + line < count ? first + line : 0)
                for (uint j = 0; j < PACK && k + j < padded; ++j)
                    STORE(to + j * WIDTH + line, PADDED(k + j, first + line) ? LOAD(k + j) : ZERO_LOAD(0));
            }
        }
#else
        for (INDEX k = step * STEPS, end = min(k + STEPS, padded); k < end; ++k) {
            for (uint within = 0; within < UNITS_OF_STEP; ++within)
                COPY_LINES(k, within)
        }
#endif
    }
#else
    const INDEX units = batches * panels * steps * UNITS_OF_STEP;
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
        const INDEX above = unit / UNITS_OF_STEP, within = unit % UNITS_OF_STEP;
        const INDEX whole = divided(above, steps_upper, steps_shift), step = above - whole * steps;
        const INDEX batch = divided(whole, panels_upper, panels_shift), first = (whole - batch * panels) * WIDTH;
        const INDEX panel = whole * padded * WIDTH;
#if ALONG
        const INDEX line = first + within, k = step * PACK;
        const INDEX to = panel + k * WIDTH + within;
        if (line < count && k + PACK <= inner) {
            BEGIN_ROW(batch, line)
            ITEM items[PACK];
            UNPACK(LOAD_PACK(step), items);
#pragma unroll
            for (uint j = 0; j < PACK; ++j)
                STORE(to + j * WIDTH, items[j]);
        } else {
            for (uint j = 0; j < PACK && k + j < padded; ++j) {
                BEGIN_ROW(batch, line < count ? line : 0)
                STORE(to + j * WIDTH, PADDED(k + j, line) ? LOAD(k + j) : ZERO_LOAD(0));
            }
        }
#else
        COPY_LINES(step, within)
#endif
    }
#endif
    RETURN;
}
