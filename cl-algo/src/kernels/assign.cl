// Elementwise evaluation: stores the item at i, for each i below `length`.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign(PARAMETERS OUTPUTS const INDEX length)
{
    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            const INDEX first = tile * TILE_PACKS + get_local_id(0);
            PACK_ITEM value[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                STORE_PACK(first + k * GROUP, value[k]);
        } else {
            for (INDEX i = tile * TILE + get_local_id(0); i < length; i += GROUP)
                STORE(i, LOAD(i));
        }
    }
    RETURN;
}
