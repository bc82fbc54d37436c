// Elementwise evaluation under a mask: stores the item at i if MASK(i) is true, for each i below length. Elements
// under a false mask are not touched. CPUs store a pack at once if its whole mask is true. On GPUs neighbouring
// work-items store neighbouring items.
//
// Value: IN_PACKS, 1 if items that are not stored may be computed together with others of their packs.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_if(PARAMETERS OUTPUTS const INDEX length)
{
    const INDEX tiles = (length + TILE - 1) / TILE;
    FOR_EACH_TILE(tile, tiles) {
#if CHUNKED && PACK > 1
        if (tile < length / TILE) {
            for (uint k = 0; k < PACKS; ++k) {
                const INDEX p = tile * TILE_PACKS + k * GROUP + get_local_id(0);
                const MASK_PACK_ITEM mask = MASK_LOAD_PACK(p);
                if (all(mask)) {
                    STORE_PACK(p, LOAD_PACK(p));
                } else if (any(mask)) {
                    MASK_ITEM wanted[PACK];
                    MASK_UNPACK(mask, wanted);
#if IN_PACKS
                    ITEM items[PACK];
                    UNPACK(LOAD_PACK(p), items);
#define ITEM_OF_PACK(i) items[i]
#else
#define ITEM_OF_PACK(i) LOAD(p * PACK + (i))
#endif
                    for (uint i = 0; i < PACK; ++i)
                        if (wanted[i])
                            STORE(p * PACK + i, ITEM_OF_PACK(i));
                }
            }
            continue;
        }
#endif
        for (INDEX i = tile * TILE + get_local_id(0); i < length && i < (tile + 1) * TILE; i += GROUP)
            if (MASK_LOAD(i))
                STORE(i, LOAD(i));
    }
    RETURN;
}
