// Elementwise evaluation with an incomplete first pack: stores the item at i, for each i from `begin` up to `end`.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_slice(PARAMETERS OUTPUTS const INDEX begin, const INDEX end)
{
    const INDEX tiles = (end + TILE - 1) / TILE, full = end / TILE;
    FOR_EACH_TILE(tile, tiles) {
        if (tile * TILE >= begin && tile < full) {
            const INDEX first = tile * TILE_PACKS + get_local_id(0);
            PACK_ITEM value[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                STORE_PACK(first + k * GROUP, value[k]);
        } else {
            for (INDEX i = max(begin, tile * TILE) + get_local_id(0); i < min(end, (tile + 1) * TILE); i += GROUP)
                STORE(i, LOAD(i));
        }
    }
    RETURN;
}
