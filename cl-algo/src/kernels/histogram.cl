// Counts how often each bin occurs among the items, which are bins; those not below `bins` are not
// counted. Every work-group has a table of its own, without which they would wait for each other at
// the bins that occur most; histogram_total.cl adds the tables up.
//
//   tiled   (GPUs)  COPIES tables of CAPACITY counters in local memory, one for every few neighbouring
//                   work-items, counted by atomics; for more bins than fit, tables in global memory,
//                   shared by work-groups, which were set to 0 before
//   chunked (CPUs)  no atomics: neighbouring items go to different copies, since a counter that was
//                   just written is not to be read again so soon; for more bins than fit, a table in
//                   global memory
//
// Values: CAPACITY, counters of a table in local memory, 0 where the tables are in global memory;
// COPIES; ITEM_BYTES, the size of what the bins are made of.

#if CAPACITY && CHUNKED
#define COUNT(bin, lane) ++table[((lane) % COPIES) * CAPACITY + (bin)]
#elif CAPACITY
#define COUNT(bin, lane) atomic_inc(&table[bin])
#elif CHUNKED
#define COUNT(bin, lane) ++mine[bin]
#else
#define COUNT(bin, lane) atomic_inc((volatile global uint *)&mine[bin])
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram(PARAMETERS global uint *tables, const INDEX length, const uint bins, const uint table_count)
{
    const uint me = get_local_id(0);
    global uint *const mine = tables + (size_t)bins * (get_group_id(0) % table_count);
#if CAPACITY
    local uint shared[COPIES * CAPACITY];
    for (uint k = me; k < COPIES * CAPACITY; k += GROUP)
        shared[k] = 0;
#if CHUNKED
    local uint *const table = shared;
#else
    volatile local uint *const table = shared + me / 32 % COPIES * CAPACITY;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#elif CHUNKED
    for (uint k = 0; k < bins; ++k)
        mine[k] = 0;
#endif

    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            union { PACK_ITEM pack; ITEM item[PACK]; } bin[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                bin[k].pack = LOAD_PACK(tile * TILE_PACKS + (k * GROUP + me));
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
#pragma unroll
                for (uint lane = 0; lane < PACK; ++lane)
                    if (bin[k].item[lane] < bins)
                        COUNT(bin[k].item[lane], lane);
        } else {
            for (INDEX i = tile * TILE + me; i < length; i += GROUP) {
                const uint bin = LOAD(i);
                if (bin < bins)
                    COUNT(bin, 0);
            }
        }
    }

#if CAPACITY
#if !CHUNKED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (uint k = me; k < bins; k += GROUP) {
        uint total = 0;
        for (uint copy = 0; copy < COPIES; ++copy)
            total += shared[copy * CAPACITY + k];
        mine[k] = total;
    }
#endif
}
