// Elementwise evaluation of an index space whose items read neighbours in other rows, as those of stencils do, on GPUs.
//
// A work-group computes a tile: WIDTH packs of each of GROUP / WIDTH neighbouring rows of a layer. Then it computes the tiles
// behind it, in `deep` layers in all. So most neighbours in other rows and layers are in the compute unit's first cache.
//
// Rows have the items from `begin` up to `length`. `tall` and `layers` are the extents of the two axes that are apart.
// `across`, `down` and `back` are the numbers of work-groups along the three axes, each with the numbers that divide by it.
//
// Values: WIDTH.

#define LINES (GROUP / WIDTH)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_tiles(SPACE_PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const INDEX tall, const INDEX layers,
    const INDEX deep, const INDEX across, const INDEX across_upper, const INDEX across_shift,
    const INDEX down, const INDEX down_upper, const INDEX down_shift,
    const INDEX back, const INDEX back_upper, const INDEX back_shift, const INDEX units)
{
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX strip = divided(unit, across_upper, across_shift), slab = divided(strip, down_upper, down_shift);
        const INDEX rest = divided(slab, back_upper, back_shift);
        const INDEX p = (unit - strip * across) * WIDTH + get_local_id(0) % WIDTH;
        const INDEX row = (strip - slab * down) * LINES + get_local_id(0) / WIDTH;
        const INDEX first = (slab - rest * back) * deep, last = row < tall ? min(first + deep, layers) : 0;
        const INDEX from = max(p * PACK, begin), to = min(p * PACK + PACK, length);
        for (INDEX layer = first; layer < last; ++layer) {
            BEGIN_ROW(rest, layer, row)
            if (from + PACK == to) {
                STORE_PACK(p, LOAD_PACK(p));
            } else {
                for (INDEX i = from; i < to; ++i)
                    STORE(i, LOAD(i));
            }
        }
    }
    RETURN;
}
