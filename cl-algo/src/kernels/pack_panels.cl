// The copy of a matrix into panels, in which `contract` reads it.
//
// A panel is WIDTH neighbouring lines of the matrix. The items of a panel with the same index along the lines are
// neighbours, and so are these groups of items. Lines have `inner` items, and panels `padded` items of each line: those
// beyond the matrix are zeros, in both directions.
//
// If ALONG is 1, a row of the index space is a line. If it is 0, a row has one item of each line. Both kinds of rows are
// read in packs. There are `count` lines in each of `batches` matrices. `panels` is the number of panels of a matrix.

// The number of units of work in a step. Only the kernel knows the size of its packs.
#if ALONG
#define UNITS_OF_STEP WIDTH
#elif WIDTH % PACK == 0
#define UNITS_OF_STEP (WIDTH / PACK)
#else
#define UNITS_OF_STEP 1
#endif

#define PADDED(k, line) ((k) < inner && (line) < count)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pack_panels(SPACE_PARAMETERS OUTPUTS const INDEX count, const INDEX inner, const INDEX padded,
    const INDEX panels, const INDEX batches, const INDEX panels_upper, const INDEX panels_shift, const INDEX steps,
    const INDEX steps_upper, const INDEX steps_shift)
{
    // A unit is a step of one panel: with ALONG, PACK items of one line; otherwise one item of each line.
    const INDEX units = batches * panels * steps * UNITS_OF_STEP;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
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
        const INDEX k = step, to = panel + k * WIDTH;
        BEGIN_ROW(batch, k < inner ? k : 0)
#if WIDTH % PACK == 0
        const INDEX line = first + within * PACK;
        if (k < inner && line + PACK <= count) {
            STORE_PACK(to / PACK + within, LOAD_PACK(first / PACK + within));
        } else {
            for (uint j = 0; j < PACK; ++j)
                STORE(to + within * PACK + j, PADDED(k, line + j) ? LOAD(line + j) : ZERO_LOAD(0));
        }
#else
        for (uint j = 0; j < WIDTH; ++j)
            STORE(to + j, PADDED(k, first + j) ? LOAD(first + j) : ZERO_LOAD(0));
#endif
#endif
    }
    RETURN;
}
