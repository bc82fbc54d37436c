// Product of matrices that `pack_fragments` has copied into fragments, by matrix units, and what is computed of it.
//
// A work-group computes one panel times one panel. Four warps multiply, and one work-item of a fifth has fragments copied to
// local memory. A stage is the fragments of DEPTH steps of both panels. There are STAGES stages, which are filled in turn:
// `full` tells that a stage has arrived, and `empty` that a stage has been multiplied. Each is a barrier whose phases alternate
// between 0 and 1. PTX ISA, "mbarrier" and "cp.async.bulk".
//
// If FORMAT is 3, the numbers are doubles, and each warp multiplies a quarter of the panels, by matrix_units.cl. The fragments
// of the next step are on their way into registers meanwhile. Otherwise the warps multiply together, by fragments.cl: while the
// products of one stage are computed, those of the next one begin.
//
// Work-groups with neighbouring numbers have ROW_BLOCKS blocks of rows in common, so that panels stay in the second cache.

#define MULTIPLIERS 128
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

// A work-item has DOWN x ACROSS pairs of neighbouring items of the product.
#if FORMAT == 3
#define NUMBER double
#define EMPTYING 4
#define TALL (LEFT_WIDTH / 32)
#define BROAD (WIDTH / 32)
#define ACROSS (2 * BROAD)
#define ROW_OF(i) (me / 64 * (LEFT_WIDTH / 2) + (i) * 8 + UNIT_LINE(me % 32))
#define COLUMN_OF(j) (me / 32 % 2 * (WIDTH / 2) + (j) * 8 + 2 * UNIT_STEP(me % 32))
#else
#define NUMBER float
#define EMPTYING 1
#define TALL (LEFT_WIDTH / 64)
#define ACROSS (WIDTH / 8)
#define ROW_OF(i) ((i) / 2 * 64 + FRAGMENT_LINE(me) + (i) % 2 * 8)
#define COLUMN_OF(j) ((j) * 8 + FRAGMENT_COLUMN(me))
#endif
#define DOWN (2 * TALL)
#define PAIR(i, j) (total[(i) / 2] + (j) * 4 + (i) % 2 * 2)

// Reads the doubles of a step of this warp.
#define READ_FRAGMENTS(to, stage, step) \
    { \
        const local double2 *const from = (const local double2 *)(chunks + (stage) * STAGE) + me % 32; \
        _Pragma("unroll") for (uint i = 0; i < TALL; ++i) \
            left_items[to][i] = from[(step) * 2 * LEFT_WIDTH + (me / 64 * TALL + i) * 32]; \
        _Pragma("unroll") for (uint j = 0; j < BROAD; ++j) \
            right_items[to][j] = from[DEPTH * 2 * LEFT_WIDTH + (step) * 2 * WIDTH + (me / 32 % 2 * BROAD + j) * 32]; \
    }

// A work-item stores PUT neighbouring items of a row at once. Those of two pairs are neighbours after work-items with even numbers
// have given their second pair to the next work-item, and got its first pair.
#if FORMAT != 3 && PACK == 4
#define PUT 4
#define GIVE(given, got) asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(got) : "f"(given))
#define NEIGHBOURS(items, i, j) \
    { \
        const bool odd = me % 2 == 1; \
        _Pragma("unroll") for (uint c = 0; c < 2; ++c) { \
            const NUMBER first = PAIR(i, j)[c], second = PAIR(i, (j) + 1)[c]; \
            NUMBER got; \
            GIVE(odd ? first : second, got); \
            (items)[c] = odd ? got : first; \
            (items)[2 + c] = odd ? second : got; \
        } \
    }
#define PUT_AT(j) (((j) + me % 2) * 8 + me % 4 / 2 * 4)
#else
#define PUT 2
#define NEIGHBOURS(items, i, j) \
    _Pragma("unroll") for (uint c = 0; c < 2; ++c) \
        (items)[c] = PAIR(i, j)[c];
#define PUT_AT(j) COLUMN_OF(j)
#endif

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
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(LOCAL_ADDRESS(empty + slot)), "r"(EMPTYING) : "memory");
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
        if (IS_LEFT_OUT(block * LEFT_WIDTH, panel * WIDTH))
            continue;
        if (me >= MULTIPLIERS) {
            if (me > MULTIPLIERS)
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
        NUMBER total[TALL][ACROSS * 4];
#pragma unroll
        for (uint i = 0; i < TALL; ++i) {
#pragma unroll
            for (uint j = 0; j < ACROSS * 4; ++j)
                total[i][j] = 0;
        }
#if FORMAT == 3
        double2 left_items[2][TALL], right_items[2][BROAD];
        AWAIT_PHASE(full + slot, phase);
        READ_FRAGMENTS(0, slot, 0)
        for (INDEX k = 0; k < steps; k += DEPTH) {
            const uint now = slot;
            NEXT_STAGE
#pragma unroll
            for (uint step = 0; step < DEPTH; ++step) {
                if (step + 1 < DEPTH) {
                    READ_FRAGMENTS((step + 1) % 2, now, step + 1)
                } else if (k + DEPTH < steps) {
                    AWAIT_PHASE(full + slot, phase);
                    READ_FRAGMENTS(0, slot, 0)
                }
#pragma unroll
                for (uint i = 0; i < TALL; ++i) {
#pragma unroll
                    for (uint j = 0; j < BROAD; ++j) {
                        const double2 left = left_items[step % 2][i], right = right_items[step % 2][j];
                        MULTIPLY_TILES(total[i] + 8 * j, left.x, left.y, right.x);
                        MULTIPLY_TILES(total[i] + 8 * j + 4, left.x, left.y, right.y);
                    }
                }
            }
            // The last products needed all numbers of the stage.
            if (me % 32 == 0)
                ARRIVE(empty + now);
        }
#else
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
#pragma unroll
        for (uint i = 0; i < TALL; ++i)
            SETTLE_TOTALS(total[i]);
        if (me == 0)
            ARRIVE(empty + before);
#endif
#pragma unroll
        for (uint i = 0; i < DOWN; ++i) {
            const INDEX row = block * LEFT_WIDTH + ROW_OF(i);
#pragma unroll
            for (uint j = 0; j < ACROSS; j += PUT / 2) {
                const INDEX column = panel * WIDTH + PUT_AT(j);
                ITEM items[PUT];
                NEIGHBOURS(items, i, j)
                if (row < rows) {
                    BEGIN_ROW(batch, row)
                    if (PACK == PUT && column + PUT <= columns && IS_STORED(row, column) && IS_STORED(row, column + PUT - 1)) {
                        STORE_PACK(column / PUT, PACKED(items));
                    } else {
#pragma unroll
                        for (uint c = 0; c < PUT; ++c) {
                            if (column + c < columns && IS_STORED(row, column + c))
                                STORE(column + c, items[c]);
                        }
                    }
                }
            }
        }
    }
    RETURN;
}
