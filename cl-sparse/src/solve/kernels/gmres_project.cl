// The inner products of w with the first `column + 1` vectors of the basis, in one launch. `blocks` work-groups share
// each inner product. STEP is 1 if w is made orthogonal to the basis a second time: the second inner products are added
// to the first ones in H.

#define AT_PACK(vector, p) (((global const PACK_ITEM *)(vector))[p])

// Returns this work-item's share of block `block` of an inner product.
INLINE REAL share(global const ITEM *a, global const ITEM *b, const INDEX length, const uint block, const uint blocks)
{
    const INDEX tiles = length / TILE;
    REAL_PACK sum[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        sum[k] = (REAL_PACK)(0);
#if CHUNKED
    const INDEX begin = (ulong)tiles * block / blocks, end = (ulong)tiles * (block + 1) / blocks, step = 1;
#else
    const INDEX begin = block, end = tiles, step = blocks;
#endif
    for (INDEX tile = begin; tile < end; tile += step) {
        const size_t first = (size_t)tile * TILE_PACKS + get_local_id(0);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            sum[k] += TO_REAL_PACK(AT_PACK(a, first + k * GROUP)) * TO_REAL_PACK(AT_PACK(b, first + k * GROUP));
    }
#pragma unroll
    for (uint width = PACKS / 2; width > 0; width /= 2)
        for (uint k = 0; k < width; ++k)
            sum[k] += sum[k + width];
    REAL total = sum_pack(sum[0]);
    if (block == blocks - 1)
        for (INDEX i = tiles * TILE + get_local_id(0); i < length; i += GROUP)
            total += (REAL)a[i] * (REAL)b[i];
    return total;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void solver_project(PARAMETERS OUTPUTS global const ITEM *w, global const ITEM *basis, global ulong *restrict numbers_,
                    const ulong pitch, const uint most, const uint column, global ulong *restrict words,
                    volatile global ulong *partials, volatile global uint *arrived, const INDEX length,
                    const uint blocks, const ulong iteration, const REAL relative, const REAL absolute,
                    const uint kept)
{
    global slot *state = (global slot *)words, *numbers = (global slot *)numbers_;
    volatile global REAL *partial = (volatile global REAL *)partials;
    if (state[LAST].word < iteration || (STEP && !state[AGAIN].word))
        RETURN;
    local REAL shared[GROUP], folded[FOLDERS];
    const uint me = get_local_id(0);
#if !FINAL
    const uint mine = get_group_id(0) / blocks, block = get_group_id(0) % blocks;
    REAL sum = share(w, basis + mine * pitch, length, block, blocks);
    sum_group(&sum, shared, folded);
    if (me == 0)
        partial[get_group_id(0)] = sum;
#endif
#if FENCE
    local uint last;
    if (!is_last_group(arrived, &last))
        RETURN;
#endif
#if FENCE || FINAL
    for (uint first = 0; first <= column; first += GROUP / FOLDERS) {
        const uint k = first + me / FOLDERS;
        REAL total = 0;
        if (k <= column)
#pragma unroll 8
            for (uint i = me % FOLDERS; i < blocks; i += FOLDERS)
                total += partial[k * blocks + i];
        shared[me] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me % FOLDERS == 0 && k <= column) {
            for (uint i = 1; i < FOLDERS; ++i)
                total += shared[me + i];
            numbers[PART(most, k)].real = total;
            numbers[H(most, k)].real = STEP ? numbers[H(most, k)].real + total : total;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#if FENCE
    if (me == 0)
        *arrived = 0;
#endif
#endif
    RETURN;
}
