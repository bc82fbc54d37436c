// Elementwise evaluation: stores the item at i, for each i of [begin, begin + length).

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign(PARAMETERS OUTPUTS const INDEX begin, const INDEX length)
{
    const INDEX end = begin + length;
    const INDEX tiles = (length + TILE - 1) / TILE;
    // Packs lie at multiples of their size. A range that begins between two goes item by item.
    const INDEX full = begin % PACK == 0 ? length / TILE : 0;

    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            const INDEX first = begin / PACK + tile * TILE_PACKS + get_local_id(0);
            PACK_ITEM value[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                STORE_PACK(first + k * GROUP, value[k]);
        } else {
            for (INDEX i = begin + tile * TILE + get_local_id(0); i < end && i < begin + (tile + 1) * TILE; i += GROUP)
                STORE(i, LOAD(i));
        }
    }
}
