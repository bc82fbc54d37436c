// The kernel: work on all elements, and, if there are sums, the numbers that the last work-group computes from them.

// Tests whether the step must run. A method may define its own IS_DUE before this file.
#ifndef IS_DUE
#define IS_DUE(state, iteration)                                                                                     \
    (STEP == START || (STEP == CLEAR ? (state)[ZERO].word != 0 : (state)[LAST].word >= (iteration)))
#endif

#if SUMS > 0

// The number of independent chains of additions: a CPU needs several, a GPU has other work-items.
#define CHAINS (CHUNKED ? PACKS : 1)

#endif

#if !FINAL

// Processes this work-group's share of the elements.
#if SUMS > 0
INLINE void work(PARAMETERS VECTORS global slot *state, const INDEX length, REAL *sum)
#else
INLINE void work(PARAMETERS VECTORS global slot *state, const INDEX length)
#endif
{
    const INDEX tiles = length / TILE;
#if SUMS > 0
    REAL_PACK pack_sum[CHAINS][SUMS];
#pragma unroll
    for (uint k = 0; k < CHAINS; ++k)
        for (uint s = 0; s < SUMS; ++s)
            pack_sum[k][s] = (REAL_PACK)(0);
#define PACK_SUM(k) , pack_sum[(k) % CHAINS]
#define ITEM_SUM , sum
#else
#define PACK_SUM(k)
#define ITEM_SUM
#endif
    FOR_EACH_TILE(tile, tiles) {
        const size_t first = (size_t)tile * TILE_PACKS + get_local_id(0);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            element_pack(ARGUMENTS VECTOR_ARGUMENTS state, first + k * GROUP PACK_SUM(k));
    }
#if SUMS > 0
#pragma unroll
    for (uint width = CHAINS / 2; width > 0; width /= 2)
        for (uint k = 0; k < width; ++k)
            for (uint s = 0; s < SUMS; ++s)
                pack_sum[k][s] += pack_sum[k + width][s];
#pragma unroll
    for (uint s = 0; s < SUMS; ++s)
        sum[s] = sum_pack(pack_sum[0][s]);
#endif
    // The elements after the last full tile.
    if (get_group_id(0) == get_num_groups(0) - 1)
        for (INDEX i = tiles * TILE + get_local_id(0); i < length; i += GROUP)
            element_item(ARGUMENTS VECTOR_ARGUMENTS state, i ITEM_SUM);
}

#endif

// The kernel declares its vectors `restrict`, and functions do not: Oclgrind cannot run the code that compilers make of
// inlined functions with `restrict`.
#undef RESTRICT
#define RESTRICT restrict

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void solver_step(PARAMETERS OUTPUTS VECTORS global ulong *restrict words, volatile global ulong *partials,
          volatile global uint *arrived, const INDEX length, const uint count, const ulong iteration,
          const REAL relative, const REAL absolute, const uint kept)
{
    global slot *state = (global slot *)words;
    volatile global REAL *partial = (volatile global REAL *)partials;
    if (!IS_DUE(state, iteration))
        RETURN;
#if SUMS == 0
    work(ARGUMENTS VECTOR_ARGUMENTS state, length);
#else
    local REAL shared[SUMS * GROUP], folded[SUMS * FOLDERS];
    const uint me = get_local_id(0);
    REAL sum[SUMS];
#if !FINAL
    work(ARGUMENTS VECTOR_ARGUMENTS state, length, sum);
    sum_group(sum, shared, folded);
    if (me == 0)
        for (uint s = 0; s < SUMS; ++s)
            partial[get_group_id(0) * SUMS + s] = sum[s];
#endif
#if FENCE
    local uint last;
    if (!is_last_group(arrived, &last))
        RETURN;
#endif
#if FENCE || FINAL
    // The order of additions is the same, whichever group is the last.
    for (uint s = 0; s < SUMS; ++s)
        sum[s] = 0;
#pragma unroll 8
    for (uint i = me; i < count; i += GROUP)
        for (uint s = 0; s < SUMS; ++s)
            sum[s] += partial[i * SUMS + s];
    sum_group(sum, shared, folded);
#if FINAL && GROUP > 1
    // All work-items must have checked IS_DUE before the state may change.
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    if (me == 0) {
        decide(VECTOR_ARGUMENTS state, sum, iteration, relative, absolute, kept);
#if FENCE
        *arrived = 0;
#endif
    }
#endif
#endif
    RETURN;
}
