// The copy of a matrix into fragments, in which `contract_fragments` reads it.
//
// A panel is WIDTH neighbouring lines of the matrix, in fragments of 16 lines. The fragments of a panel with the same numbers of
// each line are neighbours, and so are these groups of fragments. Lines have `inner` items, and panels as many as `steps`
// fragments have: items beyond the matrix are zeros, in both directions. A chunk has AT_ONCE items of two lines.
//
// If ALONG is 1, a row of the index space is a line. If it is 0, a row has one item of each line. There are `count` lines in
// each of the matrices. `panels` is the number of panels of a matrix.
//
// A unit of work is, with ALONG, a pack of two lines 8 apart: two chunks. Otherwise it is the items of 16 lines in a chunk: eight
// chunks. If packs have another length, such units are read item by item.

#define CHUNK (2 * AT_ONCE)
#define TILES (WIDTH / 16)
#define PADDED(k, line) ((k) < inner && (line) < count)

// Stores a chunk.
#if PACK == CHUNK
#define PUT_CHUNK(chunk, items) STORE_PACK((chunk), PACKED(items));
#else
#define PUT_CHUNK(chunk, items) \
    _Pragma("unroll") for (uint at_ = 0; at_ < CHUNK; ++at_) \
        STORE((chunk) * CHUNK + at_, (items)[at_]);
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pack_fragments(SPACE_PARAMETERS OUTPUTS const INDEX count, const INDEX inner, const INDEX batches, const INDEX panels,
    const INDEX panels_upper, const INDEX panels_shift, const INDEX steps, const INDEX steps_upper, const INDEX steps_shift)
{
#if ALONG
    const INDEX units = batches * panels * steps * (TILES * 16);
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
        // Neighbouring work-items read neighbouring steps of a line.
        const INDEX above = unit / 16, tiles = divided(above, steps_upper, steps_shift), step = above - tiles * steps;
        const INDEX whole = tiles / TILES, tile = tiles % TILES;
        const INDEX batch = divided(whole, panels_upper, panels_shift), panel = whole - batch * panels;
        const uint line_of = unit % 16 / 2, first_step = unit % 2 * 2;
        const INDEX line = panel * WIDTH + tile * 16 + line_of, k = step * (4 * AT_ONCE) + first_step * AT_ONCE;
        ITEM items[2][CHUNK];
#pragma unroll
        for (uint side = 0; side < 2; ++side) {
            const INDEX own = line + 8 * side;
            BEGIN_ROW(batch, own < count ? own : 0)
#if PACK == CHUNK
            if (PADDED(k + CHUNK - 1, own)) {
                ITEM loaded[PACK];
                UNPACK(LOAD_PACK(k / PACK), loaded);
#pragma unroll
                for (uint at = 0; at < CHUNK; ++at)
                    items[at / AT_ONCE][side * AT_ONCE + at % AT_ONCE] = loaded[at];
                continue;
            }
#endif
#pragma unroll
            for (uint at = 0; at < CHUNK; ++at)
                items[at / AT_ONCE][side * AT_ONCE + at % AT_ONCE] = PADDED(k + at, own) ? LOAD(k + at) : ZERO_LOAD(0);
        }
        const INDEX chunk = ((whole * steps + step) * TILES + tile) * 32 + line_of * 4 + first_step;
        BEGIN_ROW(0, 0)
        PUT_CHUNK(chunk, items[0])
        PUT_CHUNK(chunk + 1, items[1])
    }
#else
    const INDEX units = batches * panels * steps * (TILES * 4);
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
        const INDEX above = unit / (TILES * 4), tile = unit % (TILES * 4) / 4;
        const INDEX whole = divided(above, steps_upper, steps_shift), step = above - whole * steps;
        const INDEX batch = divided(whole, panels_upper, panels_shift), panel = whole - batch * panels;
        const INDEX line = panel * WIDTH + tile * 16, k = step * (4 * AT_ONCE) + unit % 4 * AT_ONCE;
        ITEM items[8][CHUNK];
#pragma unroll
        for (uint by = 0; by < AT_ONCE; ++by) {
            BEGIN_ROW(batch, k + by < inner ? k + by : 0)
#if 16 % PACK == 0
            if (PADDED(k + by, line + 15)) {
#pragma unroll
                for (uint part = 0; part < 16 / PACK; ++part) {
                    ITEM loaded[PACK];
                    UNPACK(LOAD_PACK(line / PACK + part), loaded);
#pragma unroll
                    for (uint at = 0; at < PACK; ++at) {
                        const uint own = part * PACK + at;
                        items[own % 8][own / 8 * AT_ONCE + by] = loaded[at];
                    }
                }
                continue;
            }
#endif
#pragma unroll
            for (uint own = 0; own < 16; ++own)
                items[own % 8][own / 8 * AT_ONCE + by] = PADDED(k + by, line + own) ? LOAD(line + own) : ZERO_LOAD(0);
        }
        const INDEX chunk = ((whole * steps + step) * TILES + tile) * 32 + unit % 4;
        BEGIN_ROW(0, 0)
#pragma unroll
        for (uint own = 0; own < 8; ++own)
            PUT_CHUNK(chunk + own * 4, items[own])
    }
#endif
    RETURN;
}
