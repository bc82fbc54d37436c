// Elementwise evaluation of an index space with inputs that are contiguous across rows, as in a transposition.
//
// The unit of work is a block: SIDE items of each of SIDE neighbouring rows. The rows of a block agree in all coordinates
// but one, of which there are `across`. FILL_BLOCKS reads the elements of such inputs across the rows and keeps them row
// by row, in private memory on CPUs and in local memory on GPUs. So memory is read and written in long pieces. LOAD_PACK
// takes the elements from there, after BEGIN_PACK. LOAD reads them from the input itself.
//
// Neighbouring blocks lie across the rows. `blocks_across` and `blocks_along` are the numbers of blocks in the two
// directions. `across_upper` and `across_shift` divide by the first, `along_upper` and `along_shift` by the second.
//
// Values: SIDE; IN_PLACE, 1 if elements are overwritten that blocks were filled with.

// The distance of two rows of a block. In local memory, items below each other are in different banks.
#if CHUNKED
#define BLOCK_STRIDE SIDE
#define BLOCK_ALIGNMENT __attribute__((aligned(64)))
#else
#define BLOCK_STRIDE (SIDE + 1)
#define BLOCK_ALIGNMENT
#endif

// Orders the reads of global memory before a barrier before the writes after it, if another work-item may write what a
// work-item read.
#if IN_PLACE
#define BLOCKS_READ (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define BLOCKS_READ CLK_LOCAL_MEM_FENCE
#endif

// Asks for the elements at x, which are needed soon, of one row or column of a block. While a block is written past the
// caches, the next one is read into them: PREFETCH_NEXT asks for row m and column m of the next block. Oclgrind, which
// does not know the instruction, reports no cache, so that STREAM is 0.
#if STREAM && __has_builtin(__builtin_prefetch)
#define PREFETCHES 1
#define PREFETCH(x) \
    for (uint j = 0; j < SIDE; j += 64 / sizeof(*(x))) \
        __builtin_prefetch(x + j);
#else
#define PREFETCHES 0
#endif

// Fills a block with elements of x: those of item j of row m are at begin + j * stride + m, for `tall` rows and `columns`
// items of each. CPUs transpose N by N elements at once.
#if CHUNKED
#define FILL_BLOCK(T, N, items, x, begin, stride) \
    { \
        for (uint j = 0; j + N <= columns; j += N) { \
            for (uint m = 0; m + N <= tall; m += N) \
                TRANSPOSE_##N(T, x, begin + j * stride + m, stride, items + m * BLOCK_STRIDE + j) \
        } \
        for (uint j = 0; j < columns; ++j) { \
            for (uint m = j < columns / N * N ? tall / N * N : 0; m < tall; ++m) \
                items[m * BLOCK_STRIDE + j] = x[(INDEX)(begin + j * stride + m)]; \
        } \
    }
#else
#define FILL_BLOCK(T, N, items, x, begin, stride) \
    { \
        for (uint k = get_local_id(0); k < SIDE * SIDE; k += GROUP) { \
            const uint j = k / SIDE, m = k % SIDE; \
            if (j < columns && m < tall) \
                items[m * BLOCK_STRIDE + j] = x[(INDEX)(begin + j * stride + m)]; \
        } \
    }
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_blocks(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX rows, const INDEX across,
    const INDEX blocks_across, const INDEX blocks_along, const INDEX across_upper, const INDEX across_shift,
    const INDEX along_upper, const INDEX along_shift)
{
    const INDEX units = rows / across * blocks_across * blocks_along;
    BLOCKS
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), last = CUT(units, get_group_id(0) + 1); unit < last; ++unit) {
#else
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
#endif
        const INDEX line = divided(unit, across_upper, across_shift), beside = (unit - line * blocks_across) * SIDE;
        const INDEX outer = divided(line, along_upper, along_shift), column = (line - outer * blocks_along) * SIDE;
        const INDEX top = outer * across + beside, first = column / PACK;
        const uint tall = min((INDEX)SIDE, across - beside), wide = min((INDEX)SIDE, length - column);
        const uint packs = wide / PACK, columns = packs * PACK;
        // The place of the next block, relative to this one.
        const bool is_last = beside + SIDE >= across;
        const INDEX beyond = is_last ? -beside : SIDE, ahead = is_last ? SIDE : 0;
        BEGIN_ROW(top)
        FILL_BLOCKS
#if CHUNKED
        for (uint m = 0; m < tall; ++m) {
#if PREFETCHES
            PREFETCH_NEXT
#endif
            BEGIN_ROW(top + m)
            for (uint j = 0; j < packs; ++j) {
                BEGIN_PACK(m, j)
                STORE_PACK(first + j, LOAD_PACK(first + j));
            }
            NO_PACK
            for (INDEX i = column + columns; i < column + wide; ++i)
                STORE(i, LOAD(i));
        }
#else
        barrier(BLOCKS_READ);
        for (uint k = get_local_id(0); k < tall * (SIDE / PACK); k += GROUP) {
            const uint m = k / (SIDE / PACK), j = k % (SIDE / PACK);
            BEGIN_ROW(top + m)
            if (j < packs) {
                BEGIN_PACK(m, j)
                STORE_PACK(first + j, LOAD_PACK(first + j));
            } else {
                NO_PACK
                for (uint i = j * PACK; i < min(j * PACK + PACK, wide); ++i)
                    STORE(column + i, LOAD(column + i));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    RETURN;
}
