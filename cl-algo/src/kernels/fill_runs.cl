// Fills bytes with ascending numbers of 8 bits, each as often as it was counted: `ends` has the index behind the last
// byte of each number. A number is stored with the bits of `flip` inverted.
//
//   tiled   (GPUs)  each pack searches for the number that its first byte gets
//   chunked (CPUs)  a pack goes on from the number that the pack before it ends with

#define NUMBERS 256

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fill_runs(PARAMETERS global const ulong *restrict ends, global uchar16 *restrict packs, const uint flip,
               const INDEX length)
{
    local INDEX end_of[NUMBERS];
    const uint me = get_local_id(0);
    for (uint number = me; number < NUMBERS; number += GROUP)
        end_of[number] = ends[number];
    barrier(CLK_LOCAL_MEM_FENCE);
    const INDEX tiles = (length + TILE - 1) / TILE;
    uint number = 0;
    FOR_EACH_TILE(tile, tiles) {
        for (uint k = 0; k < PACKS; ++k) {
            const INDEX pack = tile * TILE_PACKS + k * GROUP + me, begin = pack * PACK;
            if (begin < length) {
#if CHUNKED
                while (end_of[number] <= begin)
                    ++number;
#else
                number = 0;
#pragma unroll
                for (uint step = NUMBERS / 2; step > 0; step /= 2)
                    number += end_of[number + step - 1] <= begin ? step : 0;
#endif
                if (begin + PACK <= end_of[number]) {
                    packs[pack] = (uchar16)(uchar)(number ^ flip);
                } else {
                    const INDEX end = min(begin + PACK, length);
                    for (INDEX i = begin; i < end; ++i) {
                        while (end_of[number] <= i)
                            ++number;
                        ((global uchar *)packs)[i] = (uchar)(number ^ flip);
                    }
                }
            }
        }
    }
    RETURN;
}
