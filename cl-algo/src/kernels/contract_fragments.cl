// Product of matrices that `pack_fragments` has copied into fragments, by matrix units, and what is computed of it.
//
// A work-group computes one panel times one panel. A warp has TALL fragments of the left panel and BROAD of the right one. The
// fragments of the next STAGES steps along the inner axis are in local memory or on their way there: those of the current step
// have been read into registers, and those of the next step are on their way. Work-groups with neighbouring numbers have ROW_BLOCKS blocks of rows in common, so that panels stay in
// the second cache.

#define WARPS_ACROSS (WIDTH / (16 * BROAD))
#define STAGE (2 * (LEFT_WIDTH + WIDTH))
#define ROW_BLOCKS 8
#define STAGES 4

#define COPY_CHUNK(to, from) \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"((uint)(size_t)(to)), "l"((size_t)(from)) : "memory")
#define COMMIT_COPIES asm volatile("cp.async.commit_group;" ::: "memory");
// Waits until all copies but those of the last STAGES - 2 steps have arrived.
#define AWAIT_COPIES asm volatile("cp.async.wait_group 2;" ::: "memory");

// Begins to copy the fragments of a step to local memory.
#define COPY_STAGE(k) \
    if ((k) < steps) { \
        local uint4 *const to = chunks + (k) % STAGES * STAGE; \
        _Pragma("unroll") for (uint at = 0; at < 2 * LEFT_WIDTH; at += GROUP) \
            COPY_CHUNK(to + at + me, left + (size_t)(k) * (2 * LEFT_WIDTH) + at + me); \
        _Pragma("unroll") for (uint at = 0; at < 2 * WIDTH; at += GROUP) \
            COPY_CHUNK(to + 2 * LEFT_WIDTH + at + me, right + (size_t)(k) * (2 * WIDTH) + at + me); \
    } \
    COMMIT_COPIES

// Reads the fragments of a step of this warp.
#define READ_FRAGMENTS(k) \
    { \
        const local uint4 *const from = chunks + (k) % STAGES * STAGE + lane; \
        _Pragma("unroll") for (uint i = 0; i < TALL; ++i) \
            down[i] = from[(first_down + i) * WARP]; \
        _Pragma("unroll") for (uint j = 0; j < BROAD; ++j) \
            across[j] = from[2 * LEFT_WIDTH + (first_across + j) * WARP]; \
    }

// Stores two neighbouring items of a row.
#define PUT_PAIR(column, first, second) \
    if ((column) < columns) \
        STORE((column), (first)); \
    if ((column) + 1 < columns) \
        STORE((column) + 1, (second));

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contract_fragments(SPACE_PARAMETERS OUTPUTS const global uint4 *const left_chunks, const global uint4 *const right_chunks,
    const INDEX rows, const INDEX columns, const INDEX steps, const INDEX batches, const INDEX left_batch,
    const INDEX right_batch, const INDEX blocks, const INDEX right_panels)
{
    local uint4 chunks[STAGES * STAGE];
    const uint me = get_local_id(0), lane = me % WARP, warp = me / WARP;
    const uint first_down = warp / WARPS_ACROSS * TALL, first_across = warp % WARPS_ACROSS * BROAD;
    const INDEX of_batch = blocks * right_panels, units = batches * of_batch;
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX batch = unit / of_batch, within = unit - batch * of_batch;
        const INDEX above = within / (ROW_BLOCKS * right_panels) * ROW_BLOCKS, beside = min(blocks - above, (INDEX)ROW_BLOCKS);
        const INDEX rest = within - above * right_panels, panel = rest / beside, block = above + rest - panel * beside;
        const global uint4 *const left = left_chunks + (size_t)batch * left_batch + (size_t)block * steps * (2 * LEFT_WIDTH);
        const global uint4 *const right = right_chunks + (size_t)batch * right_batch + (size_t)panel * steps * (2 * WIDTH);
        float total[TALL][2 * BROAD][4];
#pragma unroll
        for (uint i = 0; i < TALL; ++i) {
#pragma unroll
            for (uint j = 0; j < 2 * BROAD; ++j) {
#pragma unroll
                for (uint r = 0; r < 4; ++r)
                    total[i][j][r] = 0;
            }
        }
#pragma unroll
        for (uint k = 0; k < STAGES; ++k) {
            COPY_STAGE(k)
        }
        AWAIT_COPIES
        barrier(CLK_LOCAL_MEM_FENCE);
        uint4 down[TALL], across[BROAD];
        READ_FRAGMENTS(0)
        for (INDEX k = 0; k < steps; ++k) {
            uint4 own_down[TALL], own_across[BROAD];
#pragma unroll
            for (uint i = 0; i < TALL; ++i)
                own_down[i] = down[i];
#pragma unroll
            for (uint j = 0; j < BROAD; ++j)
                own_across[j] = across[j];
            AWAIT_COPIES
            barrier(CLK_LOCAL_MEM_FENCE);
            COPY_STAGE(k + STAGES)
            READ_FRAGMENTS(k + 1)
#pragma unroll
            for (uint i = 0; i < TALL; ++i) {
#pragma unroll
                for (uint j = 0; j < BROAD; ++j) {
                    MULTIPLY_FRAGMENTS(total[i][2 * j], own_down[i], own_across[j].x, own_across[j].y);
                    MULTIPLY_FRAGMENTS(total[i][2 * j + 1], own_down[i], own_across[j].z, own_across[j].w);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint i = 0; i < 2 * TALL; ++i) {
            const INDEX row = block * LEFT_WIDTH + first_down * 16 + i * 8 + FRAGMENT_LINE(lane);
            if (row < rows) {
                BEGIN_ROW(batch, row)
#pragma unroll
                for (uint j = 0; j < 2 * BROAD; ++j) {
                    const INDEX column = panel * WIDTH + first_across * 16 + j * 8 + 2 * FRAGMENT_STEP(lane);
                    PUT_PAIR(column, total[i / 2][j][i % 2 * 2], total[i / 2][j][i % 2 * 2 + 1])
                }
            }
        }
    }
    RETURN;
}
