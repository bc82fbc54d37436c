// Counts how often each bin occurs among the items, which are bins. Items not below `bins` are not counted. Every
// work-group has a table of its own; with a common one, groups would wait for each other at frequent bins.
// histogram_total.cl adds the tables.
//
//   tiled   (GPUs)  each of CAPACITY bins has a row of COPIES counters in local memory, counted by atomics.
//                   Up to COPIES neighbouring work-items use different counters of a row, and so different
//                   banks of local memory, whatever the bins are. For more bins than fit, the tables are
//                   in global memory, are shared by work-groups, and were set to 0 before.
//   chunked (CPUs)  no atomics: neighbouring items are counted in different copies of the table, because a counter
//                   that was just written should not be read again soon. Copies are STRIDE apart, so that counters
//                   of one bin differ in the low bits of their addresses; otherwise processors mistake them for
//                   one another. For more bins than fit, the table is in global memory.
//
// Values: CAPACITY, the number of counters of a table in local memory, 0 if the tables are in global memory;
// COPIES; ITEM_BYTES, the size of the items that the bins are computed from.

#define STRIDE (CAPACITY + 16)
#if CAPACITY && CHUNKED
#define COUNT(bin, lane) ++table[((lane) % COPIES) * STRIDE + min((uint)(bin), (uint)CAPACITY)]
#elif CAPACITY
// Without a branch: items that are not bins are counted in counters that are never read. If the compiler knows
// that every item is a bin, it removes the comparison.
#define OUTSIDE 32
#define COUNT(bin, lane) atomic_inc(&table[(bin) < CAPACITY ? (bin) * COPIES + column : outside])
#elif CHUNKED
#define COUNT(bin, lane) if ((bin) < bins) ++mine[bin]
#else
#define COUNT(bin, lane) if ((bin) < bins) atomic_inc((volatile global uint *)&mine[bin])
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram(PARAMETERS global uint *tables, const INDEX length, const uint bins, const uint table_count)
{
    const uint me = get_local_id(0);
    global uint *const mine = tables + (size_t)bins * (get_group_id(0) % table_count);
#if CAPACITY && CHUNKED
    local uint table[COPIES * STRIDE];
    for (uint k = 0; k < COPIES * STRIDE; ++k)
        table[k] = 0;
#elif CAPACITY
    volatile local uint table[COPIES * CAPACITY + OUTSIDE];
    const uint column = me % COPIES, outside = COPIES * CAPACITY + me % OUTSIDE;
    for (uint k = me; k < COPIES * CAPACITY; k += GROUP)
        table[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#elif CHUNKED
    for (uint k = 0; k < bins; ++k)
        mine[k] = 0;
#endif

    const INDEX tiles = (length + TILE - 1) / TILE, full = length / TILE;
    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            VOLATILE union { VOLATILE PACK_ITEM pack; VOLATILE ITEM item[PACK]; } bin[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                bin[k].pack = LOAD_PACK(tile * TILE_PACKS + (k * GROUP + me));
#if CHUNKED
            // Unrolled over all packs, 2^24 bytes take 9.3 ms of processor time on a 2-core EPYC under PoCL;
            // without unrolling, 7.1.
#pragma unroll 1
#else
#pragma unroll
#endif
            for (uint k = 0; k < PACKS; ++k)
#pragma unroll
                for (uint lane = 0; lane < PACK; ++lane)
                    COUNT(bin[k].item[lane], lane);
        } else {
            for (INDEX i = tile * TILE + me; i < length; i += GROUP) {
                const uint bin = LOAD(i);
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
        // Neighbouring work-items begin in different banks.
        for (uint copy = 0; copy < COPIES; ++copy)
            total += table[CHUNKED ? copy * STRIDE + k : k * COPIES + (copy + k) % COPIES];
        mine[k] = total;
    }
#endif
    RETURN;
}
