// Transforms of one length on GPUs: a work-group computes PER transforms, with ITEMS work-items each.
//
// Points stay in registers. Between stages they are exchanged through local memory, which is read and written once a
// stage; global memory is read and written only once. T. G. Stockham, "High-speed convolution and correlation" (1966):
// each stage leaves the points in the order in which the next stage reads them.
//
// If neighbouring points of a line are neighbours in memory, neighbouring work-items take them. If neighbouring lines
// are neighbours in memory (COLUMNS_IN, COLUMNS_OUT), neighbouring work-items take the same point of neighbouring
// lines. Either way, accesses to memory move whole sectors.
//
// Parameters: the names in template.rs. HELD is the largest number of points that a work-item holds, PITCH the distance
// between lines in local memory, PARTS the layout of real and imaginary parts there. M0, FREE0 and so on: see AFTER.

// COUNT: the number of transforms of R points in a stage. ROUNDS: the largest number of them for one work-item.
#define COUNT(R) (LENGTH / (R))
#define ROUNDS(R) ((COUNT(R) + ITEMS - 1) / ITEMS)

// Runs the statements for each transform b of a stage that this work-item computes. c counts these transforms. The
// work-item holds the R points of transform b in the elements of re and im from R c on.
#define OWN(R, c, b, ...)                                             \
    UNROLL for (uint c = 0; c < ROUNDS(R); ++c) {                     \
        const uint b = item + c * ITEMS;                              \
        if (COUNT(R) % ITEMS == 0 || b < COUNT(R)) {                  \
            __VA_ARGS__                                               \
        }                                                             \
    }

// PARTS: with TURNS, real and imaginary parts use the same memory, first the real parts, then the imaginary parts. With
// APART, all real parts lie before all imaginary parts. With TOGETHER, both parts of each point lie side by side.
#define TURNS 0
#define APART 1
#define TOGETHER 2

// AFTER, BEFORE and NEXT_STEP: the slots of a line's points in local memory between two stages. The writing stage has
// radix R, and the reading stage has radix N. A row of the writing stage is S transforms with the same b / S; they have
// the same factors. A row takes R S slots. Within the row, point k of transform b has slot b % S + S k. The reading
// stage takes point k of its transform b from slot b + COUNT(N) k. After every M rows, FREE slots stay unused to reduce
// bank conflicts of neighbouring work-items: see plan/banks.rs.
//
// AFTER is the slot of point 0 of transform b of the writing stage, and BEFORE that of the reading stage. The further
// points of a transform follow at equal steps: S slots in the writing stage, NEXT_STEP slots in the reading stage.
#define AFTER(R, S, M, FREE, b) ((b) % (S) + (S) * (R) * ((b) / (S)) + (FREE) * ((b) / ((S) * (M))))
#define BEFORE(R, S, M, FREE, b) ((b) + (FREE) * ((b) / ((R) * (S) * (M))))
#define NEXT_STEP(R, S, M, FREE, N) (COUNT(N) + (FREE) * (COUNT(N) / ((R) * (S) * (M))))

// STEP_FROM: the element of `array` at `first` + `steps`. FROM_HERE defines a pointer to element `first`, which
// STEP_FROM then uses. With the pointer, NVIDIA's compiler takes up to a fifth less time. On an H200, the pointer makes
// a transform of 2^20 points 3 % faster. It makes transforms of `double` and passes that compute phases 1 to 3 %
// slower, so these do not use it.
#if F64 || SINES
#define FROM_HERE(type, name, array, first)
#define STEP_FROM(name, array, first, steps) array[(first) + (steps)]
#else
#define FROM_HERE(type, name, array, first) type *name = array + (first);
#define STEP_FROM(name, array, first, steps) name[steps]
#endif

// NVIDIA's compiler compares each memory access with all accesses before it. If there are very many, a barrier for the
// compiler saves an eighth of its time.
#if defined(cl_nv_pragma_unroll) && HELD > 25
#define APART_FROM_NEXT asm volatile("" ::: "memory");
#else
#define APART_FROM_NEXT
#endif

#define PUT(part, R, first, step)                                             \
    OWN(R, c, b,                                                              \
        FROM_HERE(local SCALAR, place, mine, first)                           \
        UNROLL for (uint k = 0; k < R; ++k)                                   \
            STEP_FROM(place, mine, first, (step) * k) = part[R * c + k];      \
        APART_FROM_NEXT)
#define GET(part, N, first, step)                                             \
    OWN(N, c, b,                                                              \
        FROM_HERE(local SCALAR, place, mine, first)                           \
        UNROLL for (uint k = 0; k < N; ++k)                                   \
            part[N * c + k] = STEP_FROM(place, mine, first, (step) * k);      \
        APART_FROM_NEXT)

// Sets the work-item's line (`number`) and its index among the line's work-items (`item`) to those for the points that
// it stores. Before SWITCH, the line and the index are those for the points that the
// work-item loads.
#define SWITCH                 \
    item = out_item;           \
    number = out_number;

// The flags of a barrier that also orders reads of global memory before the barrier and writes of global memory after
// it. Transforms in place write to memory that other work-items have read. NVIDIA's barrier orders all memory, whatever
// its flags.
#if defined(cl_nv_pragma_unroll)
#define ALSO_READ CLK_LOCAL_MEM_FENCE
#else
#define ALSO_READ (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Waits until local memory can be overwritten. `fresh` is true if local memory has not been used before.
#define REUSE(fresh)                       \
    if (!(fresh))                          \
        barrier(CLK_LOCAL_MEM_FENCE);

// Moves the points through local memory, from the work-items that hold them after a stage of radix R to the work-items
// that need them for a stage of radix N.
#if PARTS == TURNS
#define EXCHANGE(fresh, R, N, from, from_step, to, to_step)  \
    {                                                        \
        REUSE(fresh)                                         \
        local SCALAR *mine = shared + number * PITCH;        \
        PUT(re, R, from, from_step)                           \
        barrier(ALSO_READ);                                  \
        const uint before_item = item, before = number;      \
        SWITCH                                               \
        mine = shared + number * PITCH;                      \
        GET(re, N, to, to_step)                               \
        barrier(CLK_LOCAL_MEM_FENCE);                        \
        item = before_item;                                  \
        number = before;                                     \
        mine = shared + number * PITCH;                      \
        PUT(im, R, from, from_step)                           \
        barrier(CLK_LOCAL_MEM_FENCE);                        \
        SWITCH                                               \
        mine = shared + number * PITCH;                      \
        GET(im, N, to, to_step)                               \
    }
#elif PARTS == TOGETHER
#define EXCHANGE(fresh, R, N, from, from_step, to, to_step)                                 \
    {                                                                                       \
        REUSE(fresh)                                                                        \
        local POINT *mine = (local POINT *)shared + number * PITCH;                         \
        OWN(R, c, b,                                                                        \
            FROM_HERE(local POINT, place, mine, from)                                       \
            UNROLL for (uint k = 0; k < R; ++k)                                             \
                STEP_FROM(place, mine, from, (from_step) * k) = (POINT)(re[R * c + k], im[R * c + k]);) \
        barrier(ALSO_READ);                                                                 \
        SWITCH                                                                              \
        mine = (local POINT *)shared + number * PITCH;                                      \
        OWN(N, c, b,                                                                        \
            FROM_HERE(local POINT, place, mine, to)                                         \
            UNROLL for (uint k = 0; k < N; ++k) {                                           \
                const POINT value = STEP_FROM(place, mine, to, (to_step) * k);              \
                re[N * c + k] = value.x;                                                    \
                im[N * c + k] = value.y;                                                    \
            })                                                                              \
    }
#else
#define EXCHANGE(fresh, R, N, from, from_step, to, to_step)  \
    {                                                        \
        REUSE(fresh)                                         \
        local SCALAR *mine = shared + number * PITCH;        \
        PUT(re, R, from, from_step)                           \
        mine += PER * PITCH;                                 \
        PUT(im, R, from, from_step)                           \
        barrier(ALSO_READ);                                  \
        SWITCH                                               \
        mine = shared + number * PITCH;                      \
        GET(re, N, to, to_step)                               \
        mine += PER * PITCH;                                 \
        GET(im, N, to, to_step)                               \
    }
#endif

// The factors of a stage are powers k of a root. Powers below LOW and multiples of LOW come from a table. Each other
// power is a product of two loaded factors. The products take the place of more than half of the loads, which made
// lines of 4096 points 12 to 15 % faster on an H200. The products add a few hundredths of the permitted error.
#define LOW(R) ((R) > 16 ? 6 : (R) >= 12 ? 4 : (R) >= 9 ? 3 : (R) >= 6 ? 2 : (R))
#define FACTOR(R, S, W, b, k) STEP_FROM(own_factors, factors, W + (b) / (S), ((k) - 1) * (COUNT(R) / (S)))

// Computes the transforms of a stage, and multiplies by the factors that the next stage needs.
#define STAGE(R, S, W)                                                                       \
    OWN(R, c, b,                                                                             \
        DFT(R)(re + R * c, im + R * c);                                                      \
        if (COUNT(R) > (S)) {                                                                \
            FROM_HERE(global const POINT, own_factors, factors, W + b / (S))                 \
            POINT low[LOW(R)];                                                               \
            UNROLL for (uint k = 1; k < LOW(R); ++k)                                         \
                low[k] = FACTOR(R, S, W, b, k);                                              \
            POINT high = (POINT)(1, 0);                                                      \
            UNROLL for (uint k = 1; k < R; ++k) {                                            \
                if (k >= LOW(R) && k % LOW(R) == 0)                                          \
                    high = FACTOR(R, S, W, b, k);                                            \
                const POINT factor = k < LOW(R) ? low[k < LOW(R) ? k : 0]                    \
                    : k % LOW(R) == 0 ? high : times(high, low[k % LOW(R)]);                 \
                const REAL x = re[R * c + k], y = im[R * c + k];                             \
                re[R * c + k] = x * factor.x - y * factor.y;                                 \
                im[R * c + k] = x * factor.y + y * factor.x;                                 \
            }                                                                                \
        })

#define NEXT(fresh, R, S, M, FREE, N) \
    EXCHANGE(fresh, R, N, AFTER(R, S, M, FREE, b), S, BEFORE(R, S, M, FREE, b), NEXT_STEP(R, S, M, FREE, N))

#define LAST PASTE(R, LAST_STAGE)

// The largest number of pairs of points, k and LENGTH - k, that a work-item combines if SPLIT is 1. MEET loads point k
// of each pair into `part`, and point LENGTH - k into `other`.
#define SPLIT_ROUNDS ((LENGTH / 2 + ITEMS) / ITEMS)
#define MEET(part, other)                                       \
    UNROLL for (uint c = 0; c < SPLIT_ROUNDS; ++c) {            \
        const uint k = item + c * ITEMS;                        \
        if (k <= LENGTH / 2) {                                  \
            part[c] = mine[k];                                  \
            other[c] = mine[k == 0 ? 0 : LENGTH - k];           \
        }                                                       \
    }

// OWN_LINES: the number of lines of a group that have line numbers. If SPLIT is 2, a group also transforms the mirrored
// line of each of these lines; mirrored lines have no line numbers of their own. MEET_OTHERS loads points of lines into
// `part`, and the points of mirrored lines into `other`.
#define OWN_LINES (SPLIT == 2 ? PER / 2 : PER)
#define MEET_ROUNDS ((LENGTH + 2 * ITEMS - 1) / (2 * ITEMS))
#define MEET_OTHERS(part, other)                                                                     \
    UNROLL for (uint c = 0; c < MEET_ROUNDS; ++c) {                                                  \
        const uint k = pair_item + c * 2 * ITEMS;                                                    \
        if (k < LENGTH) {                                                                            \
            part[c] = shared[pair * PITCH + k];                                                      \
            const uint there = at.column == 0 ? (k == 0 ? 0 : LENGTH - k) : LENGTH - 1 - k;          \
            other[c] = shared[(pair + OWN_LINES) * PITCH + there];                                   \
        }                                                                                            \
    }

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void fft_group(ENDS_PARAMETERS global const POINT *factors, global const POINT *middle, const INDEX lines)
{
#if EXCHANGES
    local SCALAR shared[PER * PITCH * (PARTS == TURNS ? 1 : 2)] __attribute__((aligned(16)));
#endif
    const uint id = get_local_id(0);
    const uint out_item = COLUMNS_OUT ? id / PER : id % ITEMS, out_number = COLUMNS_OUT ? id % PER : id / ITEMS;
    uint item = COLUMNS_IN ? id / PER : id % ITEMS, number = COLUMNS_IN ? id % PER : id / ITEMS;
    const INDEX first = (INDEX)get_group_id(0) * OWN_LINES;
    REAL re[HELD], im[HELD];

    // Work-items without a line continue, because the others wait for them at barriers.
    if (first + number % OWN_LINES < lines) {
        line at = line_at(layout, moved_in, moved_out, first + number % OWN_LINES);
#if SPLIT == 2
        at = number < OWN_LINES ? at : mirrored(layout, at);
#endif
        OWN(R0, c, b, UNROLL for (uint k = 0; k < R0; ++k) {
            const POINT value = load_point(ENDS at, b + COUNT(R0) * k);
            re[R0 * c + k] = value.x;
            im[R0 * c + k] = value.y;
        })
    }
    for (uint turn = 0; turn <= CONVOLVE; ++turn) {
        STAGE(R0, S0, W0)
#if STAGES > 1
        NEXT(turn == 0, R0, S0, M0, FREE0, R1)
        STAGE(R1, S1, W1)
#endif
#if STAGES > 2
        NEXT(false, R1, S1, M1, FREE1, R2)
        STAGE(R2, S2, W2)
#endif
#if STAGES > 3
        NEXT(false, R2, S2, M2, FREE2, R3)
        STAGE(R3, S3, W3)
#endif
#if STAGES > 4
        NEXT(false, R3, S3, M3, FREE3, R4)
        STAGE(R4, S4, W4)
#endif
#if STAGES > 5
        NEXT(false, R4, S4, M4, FREE4, R5)
        STAGE(R5, S5, W5)
#endif
#if STAGES > 6
        NEXT(false, R5, S5, M5, FREE5, R6)
        STAGE(R6, S6, W6)
#endif
#if STAGES > 7
        NEXT(false, R6, S6, M6, FREE6, R7)
        STAGE(R7, S7, W7)
#endif
#if CONVOLVE
        if (turn == 1)
            break;
#if RADER
        POINT point_0 = (POINT)(0, 0);
        if (item == 0 && first + number < lines) {
            const line at = line_at(layout, moved_in, moved_out, first + number);
            point_0 = given(ENDS at, 0);
            point_0 = SWAP_IN & 1 ? point_0.yx : point_0;
            put_point(ENDS at, 0, (POINT)(re[0], im[0]) + point_0);
        }
#endif
        // Multiply by the transform of the filter, and transform back. An inverse transform is a forward transform of
        // numbers with exchanged parts.
        OWN(LAST, c, b, UNROLL for (uint k = 0; k < LAST; ++k) {
            const REAL x = re[LAST * c + k], y = im[LAST * c + k];
            const POINT factor = middle[b + COUNT(LAST) * k];
            im[LAST * c + k] = x * factor.x - y * factor.y;
            re[LAST * c + k] = x * factor.y + y * factor.x;
        })
#if RADER
        if (item == 0) {
            im[0] += point_0.x;
            re[0] += point_0.y;
        }
#endif
#if EXCHANGES
        EXCHANGE(STAGES == 1, LAST, R0, b, COUNT(LAST), b, COUNT(R0))
#endif
#endif
    }
#if STAGES == 1 && COLUMNS_IN != COLUMNS_OUT
    EXCHANGE(!CONVOLVE, R0, R0, b, COUNT(R0), b, COUNT(R0))
#endif
#if SPLIT == 2
    // Combine points of the first half of the lines with those of the second half.
    REAL mine_r[MEET_ROUNDS], mine_i[MEET_ROUNDS], other_r[MEET_ROUNDS], other_i[MEET_ROUNDS];
    local SCALAR *mine = shared + number * PITCH;
    const uint pair = COLUMNS_OUT ? id % OWN_LINES : id / (2 * ITEMS);
    const uint pair_item = COLUMNS_OUT ? id / OWN_LINES : id % (2 * ITEMS);
    line at = { 0, 0, 0, 0, 0 };
    if (first + pair < lines)
        at = line_at(layout, moved_in, moved_out, first + pair);
    REUSE(STAGES == 1 && !CONVOLVE)
    PUT(re, LAST, b, COUNT(LAST))
    barrier(ALSO_READ);
    MEET_OTHERS(mine_r, other_r)
    barrier(CLK_LOCAL_MEM_FENCE);
    PUT(im, LAST, b, COUNT(LAST))
    barrier(CLK_LOCAL_MEM_FENCE);
    MEET_OTHERS(mine_i, other_i)
    if (first + pair < lines) {
        const line mirror = mirrored(layout, at);
        UNROLL for (uint c = 0; c < MEET_ROUNDS; ++c) {
            const uint k = pair_item + c * 2 * ITEMS, whole = at.column + (uint)OUT_STEP * k;
            // A line that is its own mirror image would compute every point twice.
            const bool alone = at.column == 0 || 2 * at.column == (uint)OUT_STEP;
            if (k < LENGTH && (!alone || 2 * whole <= (uint)OUT_STEP * LENGTH)) {
                const POINT factor = phase(phases, whole);
                SPLIT_POINTS(mine_r[c], mine_i[c], other_r[c], other_i[c], factor)
                store_point(ENDS at, k, (POINT)(mine_r[c], mine_i[c]));
                if (2 * whole != (uint)OUT_STEP * LENGTH)
                    store_point(ENDS mirror, LENGTH - 1 - k, (POINT)(other_r[c], other_i[c]));
            }
        }
    }
#elif SPLIT
    // Combine point k with point LENGTH - k.
    REAL mine_r[SPLIT_ROUNDS], mine_i[SPLIT_ROUNDS], other_r[SPLIT_ROUNDS], other_i[SPLIT_ROUNDS];
    local SCALAR *mine = shared + number * PITCH;
    REUSE(STAGES == 1 && !CONVOLVE)
    PUT(re, LAST, b, COUNT(LAST))
    barrier(ALSO_READ);
    MEET(mine_r, other_r)
    barrier(CLK_LOCAL_MEM_FENCE);
    PUT(im, LAST, b, COUNT(LAST))
    barrier(CLK_LOCAL_MEM_FENCE);
    MEET(mine_i, other_i)
    if (first + number < lines) {
        const line at = line_at(layout, moved_in, moved_out, first + number);
        UNROLL for (uint c = 0; c < SPLIT_ROUNDS; ++c) {
            const uint k = item + c * ITEMS;
            if (k <= LENGTH / 2) {
                const POINT factor = store_table[k];
                SPLIT_POINTS(mine_r[c], mine_i[c], other_r[c], other_i[c], factor)
                store_point(ENDS at, k, (POINT)(mine_r[c], mine_i[c]));
                if (2 * k != LENGTH)
                    store_point(ENDS at, LENGTH - k, (POINT)(other_r[c], other_i[c]));
            }
        }
    }
#else
    if (first + number < lines) {
        const line at = line_at(layout, moved_in, moved_out, first + number);
        OWN(LAST, c, b, UNROLL for (uint k = 0; k < LAST; ++k)
            store_point(ENDS at, b + COUNT(LAST) * k, (POINT)(re[LAST * c + k], im[LAST * c + k]));)
    }
#endif
    RETURN;
}
