// Elementwise evaluation under a mask: stores the item at i where MASK(i) is true, for each i below
// length. Item by item, because what is masked out must not be touched.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_if(PARAMETERS OUTPUTS const INDEX length)
{
    const INDEX tiles = (length + TILE - 1) / TILE;
    FOR_EACH_TILE(tile, tiles) {
        for (INDEX i = tile * TILE + get_local_id(0); i < length && i < (tile + 1) * TILE; i += GROUP)
            if (MASK_LOAD(i))
                STORE(i, LOAD(i));
    }
    RETURN;
}
