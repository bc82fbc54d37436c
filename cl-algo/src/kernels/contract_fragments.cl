// Product of matrices that `pack_fragments` has copied into fragments, by matrix units, and what is computed of it.
//
// A work-group computes one panel times one panel. It is a warp group, which multiplies, and one more warp, of which one
// work-item has fragments copied to local memory. A stage is the fragments of DEPTH steps of both panels. There are STAGES
// stages, which are filled in turn: `full` tells the warp group that a stage has arrived, and `empty` tells the copying
// work-item that a stage has been multiplied. Each is a barrier whose phases alternate between 0 and 1. While the products of
// one stage are computed, the warp group begins those of the next one. PTX ISA, "mbarrier" and "cp.async.bulk".
//
// Work-groups with neighbouring numbers have ROW_BLOCKS blocks of rows in common, so that panels stay in the second cache.

#define TALL (LEFT_WIDTH / 64)
#define STAGES 5
#define STAGE 512
#define DEPTH (STAGE / (2 * (LEFT_WIDTH + WIDTH)))
#define ROW_BLOCKS 16

#define LOCAL_ADDRESS(pointer) ((uint)(size_t)(pointer))
#define AWAIT_PHASE(at, phase) \
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again; }" \
                 :: "r"(LOCAL_ADDRESS(at)), "r"(phase) : "memory")
#define ARRIVE(at) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(LOCAL_ADDRESS(at)) : "memory")
#define EXPECT_BYTES(at, bytes) \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(LOCAL_ADDRESS(at)), "r"(bytes) : "memory")
#define COPY_CHUNKS(to, from, count, at) \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" \
                 :: "r"(LOCAL_ADDRESS(to)), "l"((size_t)(from)), "r"((count) * 16), "r"(LOCAL_ADDRESS(at)) : "memory")
#define NEXT_STAGE \
    if (++slot == STAGES) { \
        slot = 0; \
        phase ^= 1; \
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
    local uint4 chunks[STAGES * STAGE] __attribute__((aligned(128)));
    local ulong full[STAGES], empty[STAGES];
    const uint me = get_local_id(0);
    if (me == 0) {
        for (uint slot = 0; slot < STAGES; ++slot) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(LOCAL_ADDRESS(full + slot)) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(LOCAL_ADDRESS(empty + slot)) : "memory");
        }
        asm volatile("fence.proxy.async;" ::: "memory");
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const INDEX of_batch = blocks * right_panels, units = batches * of_batch;
    uint slot = 0, phase = 0;
    for (INDEX unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const INDEX batch = unit / of_batch, within = unit - batch * of_batch;
        const INDEX above = within / (ROW_BLOCKS * right_panels) * ROW_BLOCKS, beside = min(blocks - above, (INDEX)ROW_BLOCKS);
        const INDEX rest = within - above * right_panels, panel = rest / beside, block = above + rest - panel * beside;
        if (me >= WARP_GROUP) {
            if (me > WARP_GROUP)
                continue;
            const global uint4 *left = left_chunks + (size_t)batch * left_batch + (size_t)block * steps * (2 * LEFT_WIDTH);
            const global uint4 *right = right_chunks + (size_t)batch * right_batch + (size_t)panel * steps * (2 * WIDTH);
            for (INDEX k = 0; k < steps; k += DEPTH) {
                AWAIT_PHASE(empty + slot, phase ^ 1);
                EXPECT_BYTES(full + slot, STAGE * 16);
                COPY_CHUNKS(chunks + slot * STAGE, left, DEPTH * 2 * LEFT_WIDTH, full + slot);
                COPY_CHUNKS(chunks + slot * STAGE + DEPTH * 2 * LEFT_WIDTH, right, DEPTH * 2 * WIDTH, full + slot);
                left += DEPTH * 2 * LEFT_WIDTH;
                right += DEPTH * 2 * WIDTH;
                NEXT_STAGE
            }
            continue;
        }
        float total[TALL][WIDTH / 2];
#pragma unroll
        for (uint i = 0; i < TALL; ++i) {
#pragma unroll
            for (uint j = 0; j < WIDTH / 2; ++j)
                total[i][j] = 0;
        }
        uint before = slot;
        for (INDEX k = 0; k < steps; k += DEPTH) {
            AWAIT_PHASE(full + slot, phase);
            const uint left = LOCAL_ADDRESS(chunks + slot * STAGE), right = left + DEPTH * 2 * LEFT_WIDTH * 16;
            BEGIN_PRODUCTS;
#pragma unroll
            for (uint step = 0; step < DEPTH; ++step) {
#pragma unroll
                for (uint i = 0; i < TALL; ++i)
                    MULTIPLY_FRAGMENTS(total[i], FRAGMENTS_AT(left + (step * LEFT_WIDTH + i * 64) * 32),
                        FRAGMENTS_AT(right + step * WIDTH * 32), 1);
            }
            COMMIT_PRODUCTS;
            AWAIT_PRODUCTS(1);
            if (k > 0 && me == 0)
                ARRIVE(empty + before);
            before = slot;
            NEXT_STAGE
        }
        AWAIT_PRODUCTS(0);
        if (me == 0)
            ARRIVE(empty + before);
#pragma unroll
        for (uint i = 0; i < 2 * TALL; ++i) {
            const INDEX row = block * LEFT_WIDTH + i / 2 * 64 + FRAGMENT_LINE(me) + i % 2 * 8;
            if (row < rows) {
                BEGIN_ROW(batch, row)
#pragma unroll
                for (uint j = 0; j < WIDTH / 8; ++j) {
                    const INDEX column = panel * WIDTH + j * 8 + FRAGMENT_COLUMN(me);
                    PUT_PAIR(column, total[i / 2][j * 4 + i % 2 * 2], total[i / 2][j * 4 + i % 2 * 2 + 1])
                }
            }
        }
    }
    RETURN;
}
