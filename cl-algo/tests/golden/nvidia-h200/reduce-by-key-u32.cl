// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 4
#define PACKS 2
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint4
#define LANES ((INDEX_PACK)(0, 1, 2, 3))
#define SUB_GROUPS 1
#define SUB_GROUP_WIDTH 32
#define TICKETS 0
#define SPINS 10000
#define STALLED -1
#define SHORT 1
#define ITEM_BYTES 8
#define LOCAL_BYTES 8
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0, global const uint *x1,
#define ARGUMENTS x0, x1,
#define OUTPUTS global uint *restrict out0, global uint *restrict out1,
#define OUTPUT_ARGUMENTS out0, out1,
#define RETURN return
#define VOLATILE
#define TILE_PACKS (GROUP * PACKS)
#define TILE ((INDEX)TILE_PACKS * PACK)
#define CUT(count, group) ((INDEX)((ulong)(count) * (group) / get_num_groups(0)))
#if CHUNKED
#define FOR_EACH_TILE(tile, count) \
    for (INDEX tile = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); tile < last_; ++tile)
#else
#define FOR_EACH_TILE(tile, count) for (INDEX tile = get_group_id(0); tile < (count); tile += get_num_groups(0))
#endif
#define PUT_PACK(place, pack) *(place) = (pack)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define STREAM_PACK(place, pack) __builtin_nontemporal_store(pack, place)
#else
#define STREAM_PACK PUT_PACK
#endif
#define KEY_ITEM uint
#define KEY_PACK_ITEM uint4
#define KEY_STORED uint
#define KEY_LOAD_FROM x0
#define KEY_LOAD(i) KEY_item_at(ARGUMENTS i)
#define KEY_LOAD_PACK(p) KEY_pack_at(ARGUMENTS p)
#define KEY_UNPACK(pack, items) KEY_unpack_items(pack, items)
#define KEY_PACKED(items) KEY_packed_items(items)
static inline void KEY_unpack_items(const KEY_PACK_ITEM pack, KEY_ITEM *items)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline KEY_PACK_ITEM KEY_packed_items(const KEY_ITEM *items)
{
    VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const KEY_ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define KEY_LANE KEY_lane_of
static inline KEY_ITEM KEY_lane_of(const KEY_PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline KEY_ITEM KEY_item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
static inline KEY_PACK_ITEM KEY_pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const uint4 v1 = ((global const uint4 *)x0)[p];
    return v1;
}
#define ITEM KEY_ITEM
#define PACK_ITEM KEY_PACK_ITEM
#define STORED uint
#define LOAD_FROM x1
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const KEY_PACK_ITEM pack, KEY_ITEM *items)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline KEY_PACK_ITEM packed_items(const KEY_ITEM *items)
{
    VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const KEY_ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define LANE lane_of
static inline KEY_ITEM lane_of(const KEY_PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline KEY_ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v2 = x1[v0];
    return v2;
}
static inline KEY_PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const uint4 v2 = ((global const uint4 *)x1)[p];
    return v2;
}
#define SAME_ITEM bool
#define SAME_PACK_ITEM char4
#define SAME(a, b) SAME_item(ARGUMENTS a, b)
#define SAME_PACK(a, b) SAME_pack(ARGUMENTS a, b)
static inline SAME_ITEM SAME_item(PARAMETERS const KEY_ITEM a, const KEY_ITEM b)
{
    const uint v3 = a;
    const uint v4 = b;
    const bool v5 = (v3 == v4);
    return v5;
}
static inline SAME_PACK_ITEM SAME_pack(PARAMETERS const KEY_PACK_ITEM a, const KEY_PACK_ITEM b)
{
    const uint4 v3 = a;
    const uint4 v4 = b;
    const int4 v5 = (v3 == v4);
    return convert_char4(v5);
}
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const uint v3 = a;
    const uint v4 = b;
    const uint v6 = v3 + v4;
    return v6;
}
static inline PACK_ITEM COMBINE_pack(PARAMETERS const PACK_ITEM a, const PACK_ITEM b)
{
    const uint4 v3 = a;
    const uint4 v4 = b;
    const uint4 v6 = v3 + v4;
    return v6;
}
#define KEY_STORE_TO out0
#define KEY_STORE(i, item) KEY_store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define KEY_STORE_PACK(p, pack) KEY_store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void KEY_store_item(PARAMETERS OUTPUTS const INDEX i, const KEY_ITEM item)
{
    const uint v3 = item;
    out0[i] = v3;
}
static inline void KEY_store_pack(PARAMETERS OUTPUTS const size_t p, const KEY_PACK_ITEM item)
{
    const INDEX i = p;
    const uint4 v3 = item;
    STREAM_PACK((global uint4 *)out0 + p, v3);
}
#define STORE_TO out1
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const uint v3 = item;
    out1[i] = v3;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const uint4 v3 = item;
    STREAM_PACK((global uint4 *)out1 + p, v3);
}
#define COUNTS_RUNS 1
#define HAS_INITIAL 0
typedef VOLATILE struct {
    VOLATILE ITEM value;  // of the items from the last head on, or of all if none is a head
    VOLATILE INDEX heads; // the number of heads
} run_total;
static inline run_total join_runs(PARAMETERS const run_total a, const run_total b)
{
    const run_total joined = {
        .value = b.heads > 0 ? b.value : COMBINE(a.value, b.value),
        .heads = a.heads + b.heads,
    };
    return joined;
}
static inline ITEM next_value(PARAMETERS const bool head, const ITEM prefix, const ITEM item)
{
#if HAS_INITIAL
    return COMBINE(head ? INITIAL_LOAD(0) : prefix, item);
#else
    return head ? item : COMBINE(prefix, item);
#endif
}
static inline ITEM first_value(PARAMETERS const bool head, const ITEM item)
{
#if HAS_INITIAL
    return head ? COMBINE(INITIAL_LOAD(0), item) : item;
#else
    return item;
#endif
}
static inline bool is_head(PARAMETERS const INDEX i)
{
    return i == 0 || !SAME(KEY_LOAD(i - 1), KEY_LOAD(i));
}
#define CARRIED run_total
#define CARRY(a, b) join_runs(ARGUMENTS a, b)
#define IN_PLACE 0
#if GROUP > 1 && defined(POCL_DEVICE_ADDRESS_BITS)
static inline __attribute__((always_inline)) CARRIED scan_subgroups(PARAMETERS const CARRIED own,
                                                                    local CARRIED *room);
#endif
#if SUB_GROUP_WIDTH > 32
typedef ulong lane_mask;
#else
typedef uint lane_mask;
#endif
#define LANE_BIT(lane) ((lane_mask)1 << (lane))
#define LANES_BELOW(lane) (LANE_BIT(lane) - 1)
#define LANES_UP_TO(lane) (((lane_mask)2 << (lane)) - 1)
#define FIRST_LANE(lanes) ((uint)popcount(((lanes) & -(lanes)) - 1))
#define LAST_LANE(lanes) ((uint)(8 * sizeof(lane_mask) - 1) - (uint)clz(lanes))
#if SUB_GROUPS == 0
#define IN_SUBGROUPS
#define SUBGROUP_LANE 0u
#define STAY_APART()
#define FORGET(word)
#define VOTE(condition) ((condition) ? 1u : 0u)
static inline uint word_from_below(const uint word, const uint distance) { return word; }
static inline uint word_from_lane(const uint word, const uint lane) { return word; }
#elif SUB_GROUPS == 1 // NVIDIA's warps
#define IN_SUBGROUPS
static inline uint own_lane(void)
{
    uint lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
#define SUBGROUP_LANE own_lane()
#define SUBGROUP_BARRIER() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define STAY_APART() asm volatile("")
#define FORGET(word) asm volatile("" : "+r"(word))
static inline lane_mask vote(const uint condition)
{
    lane_mask lanes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(lanes) : "r"(condition));
    return lanes;
}
#define VOTE(condition) vote((condition) ? 1u : 0u)
static inline uint word_from_below(const uint word, const uint distance)
{
    uint result;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(result) : "r"(word), "r"(distance));
    return result;
}
static inline uint word_from_lane(const uint word, const uint lane)
{
    uint result;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(word), "r"(lane));
    return result;
}
#else // the functions of OpenCL's extensions
#ifdef cl_intel_required_subgroup_size
#define IN_SUBGROUPS __attribute__((intel_reqd_sub_group_size(SUB_GROUP_WIDTH)))
#else
#define IN_SUBGROUPS
#endif
#define SUBGROUP_LANE ((uint)get_sub_group_local_id())
#define SUBGROUP_BARRIER() sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#define STAY_APART()
#define FORGET(word)
#if SUB_GROUPS == 2
#if SUB_GROUP_WIDTH > 32
#define VOTE(condition) as_ulong(sub_group_ballot((condition) ? 1 : 0).xy)
#else
#define VOTE(condition) (sub_group_ballot((condition) ? 1 : 0).x)
#endif
static inline uint word_from_lane(const uint word, const uint lane) { return sub_group_shuffle(word, lane); }
#else
#define VOTE(condition) sub_group_reduce_add((condition) ? LANE_BIT(SUBGROUP_LANE) : (lane_mask)0)
static inline uint word_from_lane(const uint word, const uint lane)
{
    return intel_sub_group_shuffle(word, lane);
}
#endif
static inline uint word_from_below(const uint word, const uint distance)
{
    const uint lane = SUBGROUP_LANE;
    return word_from_lane(word, lane >= distance ? lane - distance : lane);
}
#endif
#define EXCHANGED(TYPE, NAME)                                                          \
    typedef VOLATILE union {                                                           \
        VOLATILE TYPE value;                                                           \
        VOLATILE uint word[(sizeof(TYPE) + 3) / 4];                                    \
    } NAME##_words;                                                                    \
    static inline TYPE NAME##_from_below(const TYPE value, const uint distance)        \
    {                                                                                  \
        if (SUB_GROUP_WIDTH == 1)                                                             \
            return value;                                                              \
        NAME##_words words = { .value = value };                                       \
        _Pragma("unroll") for (uint k = 0; k < sizeof(words.word) / 4; ++k)            \
            words.word[k] = word_from_below(words.word[k], distance);                  \
        return words.value;                                                            \
    }                                                                                  \
    static inline TYPE NAME##_from_lane(const TYPE value, const uint lane)             \
    {                                                                                  \
        if (SUB_GROUP_WIDTH == 1)                                                             \
            return value;                                                              \
        NAME##_words words = { .value = value };                                       \
        _Pragma("unroll") for (uint k = 0; k < sizeof(words.word) / 4; ++k)            \
            words.word[k] = word_from_lane(words.word[k], lane);                       \
        return words.value;                                                            \
    }
EXCHANGED(CARRIED, carried)
static inline CARRIED scan_lanes(PARAMETERS const CARRIED own, const uint width)
{
    CARRIED value = own;
#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2) {
        const CARRIED below = carried_from_below(value, distance);
        if (SUBGROUP_LANE >= distance)
            value = CARRY(below, value);
    }
    return value;
}
#define SUBGROUPS (GROUP / SUB_GROUP_WIDTH)
#define OWN_SUBGROUP ((uint)get_local_id(0) / SUB_GROUP_WIDTH)
#define ROW_PLACE(k) \
    (OWN_SUBGROUP * (SUB_GROUP_WIDTH * PACKS) + (uint)get_local_id(0) % SUB_GROUP_WIDTH + (k) * SUB_GROUP_WIDTH)
#if SUB_GROUPS == 1
#define ALSO_READ CLK_LOCAL_MEM_FENCE
#else
#define ALSO_READ (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
static inline CARRIED scan_subgroups(PARAMETERS const CARRIED own, local CARRIED *room)
{
    const uint at = OWN_SUBGROUP;
#if SUB_GROUP_WIDTH == 1
    room[at] = own;
    barrier(ALSO_READ);
    for (uint distance = 1; distance < SUBGROUPS; distance *= 2) {
        CARRIED value = room[at];
        if (at >= distance)
            value = CARRY(room[at - distance], value);
        barrier(CLK_LOCAL_MEM_FENCE);
        room[at] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    if (SUBGROUP_LANE == 0)
        room[at] = own;
    barrier(ALSO_READ);
    if (at == 0) {
        const uint lane = SUBGROUP_LANE;
        const CARRIED scanned = scan_lanes(ARGUMENTS room[lane < SUBGROUPS ? lane : 0], SUBGROUPS);
        if (lane < SUBGROUPS)
            room[lane] = scanned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    return room[SUBGROUPS - 1];
}
#define BELOW(room) room[OWN_SUBGROUP > 0 ? OWN_SUBGROUP - 1 : 0]
#if SUB_GROUPS == 1 || !defined(cl_khr_int64_base_atomics)
#define WRITE_MESSAGE(word, value) (*(word) = (value))
#define READ_MESSAGE(word) (*(word))
#define WRITE_MESSAGES(words, first, second) (*(volatile global ulong2 *)(words) = (ulong2)(first, second))
#define READ_MESSAGES(words) (*(volatile global ulong2 *)(words))
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define WRITE_MESSAGE(word, value) ((void)atom_xchg(word, value))
#define READ_MESSAGE(word) atom_add(word, 0ul)
#define WRITE_MESSAGES(words, first, second) (WRITE_MESSAGE(words, first), WRITE_MESSAGE((words) + 1, second))
#define READ_MESSAGES(words) ((ulong2)(READ_MESSAGE(words), READ_MESSAGE((words) + 1)))
#endif
#if TICKETS
static inline INDEX take_tile(volatile global uint *tickets, volatile local INDEX *room)
{
    if (get_local_id(0) == 0) {
        const uint ticket = atomic_inc(tickets);
        if (ticket == (uint)get_num_groups(0) - 1)
            atomic_xchg(tickets, 0u);
        *room = ticket;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *room;
}
#define TAKE_TILE(tickets, room) take_tile(tickets, &room)
#else
#define TAKE_TILE(tickets, room) ((INDEX)get_group_id(0))
#endif
#define WORDS ((sizeof(CARRIED) + 3) / 4)
#define IN_TWOS (WORDS % 2 == 0)
#define TOTAL 1u
#define PREFIX 2u
#if !IN_PLACE
#define PUBLISHED()
#elif SUB_GROUPS == 1
#define PUBLISHED() asm volatile("membar.gl;" ::: "memory")
#else
#define PUBLISHED() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
static inline CARRIED tile_total(PARAMETERS const INDEX tile, local CARRIED *room);
static inline void publish(volatile global ulong *messages, const INDEX at, const uint flag,
                           const CARRIED value)
{
    const carried_words words = { .value = value };
    volatile global ulong *message = messages + at * WORDS;
    ulong word[WORDS];
#pragma unroll
    for (uint k = 0; k < WORDS; ++k)
        word[k] = (ulong)flag << 32 | words.word[k];
#pragma unroll
    for (uint k = 0; k < WORDS; k += IN_TWOS ? 2 : 1) {
        if (IN_TWOS)
            WRITE_MESSAGES(message + k, word[k], word[k + IN_TWOS]);
        else
            WRITE_MESSAGE(message + k, word[k]);
    }
}
static inline uint peek(volatile global ulong *messages, const INDEX at, const uint epoch, CARRIED *value)
{
    volatile global ulong *message = messages + at * WORDS;
    carried_words words;
    uint flag = 0;
    bool whole = true;
    ulong word[WORDS];
#pragma unroll
    for (uint k = 0; k < WORDS; k += IN_TWOS ? 2 : 1) {
        if (IN_TWOS) {
            const ulong2 both = READ_MESSAGES(message + k);
            word[k] = both.x;
            word[k + IN_TWOS] = both.y;
        } else {
            word[k] = READ_MESSAGE(message + k);
        }
    }
#pragma unroll
    for (uint k = 0; k < WORDS; ++k) {
        words.word[k] = (uint)word[k];
        whole = whole && (k == 0 || (uint)(word[k] >> 32) == flag);
        flag = (uint)(word[k] >> 32);
    }
    *value = words.value;
    return whole && flag > epoch ? flag - epoch : 0;
}
typedef VOLATILE struct {
    VOLATILE CARRIED before;
    VOLATILE INDEX missing;
    VOLATILE uint known;
} tile_message;
static inline bool follow_chain(PARAMETERS volatile global ulong *blocks, const INDEX block, const uint epoch,
                                CARRIED *before)
{
    INDEX at = block - SUB_GROUP_WIDTH;
    CARRIED chain = *before, next;
    uint state = TOTAL;
    while (at > 0 && state == TOTAL)
        state = peek(blocks, --at, epoch, &chain);
    if (state != PREFIX)
        return false;
#pragma unroll 1
    for (++at; at < block; ++at) {
        state = peek(blocks, at, epoch, &next);
        if (state == 0)
            return false;
        chain = state == PREFIX ? next : CARRY(chain, next);
    }
    *before = chain;
    return true;
}
static inline bool complete_block(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                                  const INDEX block, const uint epoch, INDEX *missing)
{
    CARRIED own, told;
    const lane_mask absent = VOTE(peek(totals, block * SUB_GROUP_WIDTH + SUBGROUP_LANE, epoch, &own) == 0);
    if (absent != 0) {
        *missing = block * SUB_GROUP_WIDTH + FIRST_LANE(absent);
        return true;
    }
    const CARRIED all = carried_from_lane(scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH), SUB_GROUP_WIDTH - 1);
    if (SUBGROUP_LANE == 0 && peek(blocks, block, epoch, &told) == 0)
        publish(blocks, block, epoch + (block == 0 ? PREFIX : TOTAL), all);
    return false;
}
static inline bool look_back(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                             const INDEX tile, const CARRIED total, const uint epoch, CARRIED *within,
                             CARRIED *before, INDEX *missing)
{
    const uint lane = SUBGROUP_LANE, place = (uint)(tile % SUB_GROUP_WIDTH);
    const INDEX block = tile / SUB_GROUP_WIDTH;
    CARRIED own = total, told = total;
    bool here = lane >= place, has_within = false, has_before = block == 0;
    uint state = 0;
    for (uint spins = 0;; ++spins) {
        CARRIED heard;
        if (!here && peek(totals, tile - place + lane, epoch, &heard) == TOTAL) {
            own = heard;
            here = true;
        }
        if (!has_before && state != PREFIX && lane < block)
            state = peek(blocks, block - 1 - lane, epoch, &told);
        const lane_mask absent = VOTE(!here);
        if (!has_within && absent == 0) {
            own = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
            has_within = true;
            if (place == SUB_GROUP_WIDTH - 1 && block > 0 && lane == place)
                publish(blocks, block, epoch + TOTAL, own);
        }
        const lane_mask prefixes = VOTE(state == PREFIX), unknown = VOTE(state == 0 && lane < block);
        if (!has_before) {
            const lane_mask nearest = prefixes & -prefixes;
            if (prefixes != 0 && (unknown & (nearest - 1)) == 0) {
                uint k = FIRST_LANE(prefixes);
                CARRIED chain = carried_from_lane(told, k);
                while (k > 0)
                    chain = CARRY(chain, carried_from_lane(told, --k));
                told = chain;
                has_before = true;
            } else if (prefixes == 0 && unknown == 0 && block > SUB_GROUP_WIDTH) {
                CARRIED chain = told;
                if ((VOTE(follow_chain(ARGUMENTS blocks, block, epoch, &chain)) & 1) != 0) {
                    told = carried_from_lane(chain, 0);
                    has_before = true;
                }
            }
        }
        if (has_within && has_before)
            break;
        if (spins >= SPINS) {
            if (!has_within) {
                *missing = tile - place + FIRST_LANE(absent);
                return false;
            }
            const INDEX late = block - 1 - FIRST_LANE(unknown);
            if (unknown != 0 && complete_block(ARGUMENTS totals, blocks, late, epoch, missing))
                return false;
            spins = 0;
        }
    }
    *before = told;
    *within = carried_from_lane(own, place - 1);
    if (place == SUB_GROUP_WIDTH - 1 && lane == place)
        publish(blocks, block, epoch + PREFIX, block > 0 ? CARRY(told, own) : own);
    return true;
}
static inline void tell_total(volatile global ulong *totals, const INDEX tile, const CARRIED total,
                              const uint epoch)
{
    if (get_local_id(0) == 0 && tile != (INDEX)(STALLED)) {
        publish(totals, tile, epoch + TOTAL, total);
        PUBLISHED();
    }
}
static inline bool find_prefix(PARAMETERS volatile global ulong *totals, volatile global ulong *blocks,
                               const INDEX tile, const CARRIED total, const uint epoch,
                               local tile_message *shared)
{
    if (get_local_id(0) < SUB_GROUP_WIDTH) {
        CARRIED within, before;
        INDEX missing = 0;
        const bool known =
            look_back(ARGUMENTS totals, blocks, tile, total, epoch, &within, &before, &missing);
        if (get_local_id(0) == 0) {
            shared->known = known;
            shared->missing = missing;
            if (known) {
#if IN_PLACE && STALLED >= 0
                if (tile == (INDEX)(STALLED)) {
                    publish(totals, tile, epoch + TOTAL, total);
                    PUBLISHED();
                }
#endif
                const bool has_within = tile % SUB_GROUP_WIDTH > 0, has_before = tile / SUB_GROUP_WIDTH > 0;
                shared->before = !has_within ? before : has_before ? CARRY(before, within) : within;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared->known;
}
static inline void compute_missing(PARAMETERS volatile global ulong *totals, const uint epoch,
                                   local tile_message *shared, local CARRIED *room)
{
    const INDEX missing = shared->missing;
    const CARRIED computed = tile_total(ARGUMENTS missing, room);
    CARRIED told;
    if (get_local_id(0) == 0 && peek(totals, missing, epoch, &told) == 0)
        publish(totals, missing, epoch + TOTAL, computed);
    barrier(CLK_LOCAL_MEM_FENCE);
}
#define ROWS_TOGETHER (SUB_GROUP_WIDTH * PACK < 256 ? 4 : 2)
#define PART_BITS (32 / ROWS_TOGETHER)
#define PART(word, k) ((word) >> (PART_BITS * (k)) & ((1u << PART_BITS) - 1))
static inline uint rank_packs(uint *counts, const uint rows)
{
    uint all = 0;
#pragma unroll
    for (uint begin = 0; begin < rows; begin += ROWS_TOGETHER) {
        uint own = 0;
#pragma unroll
        for (uint k = begin; k < begin + ROWS_TOGETHER && k < rows; ++k)
            own |= counts[k] << (PART_BITS * (k - begin));
        uint scanned = own;
#pragma unroll
        for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2) {
            const uint below = word_from_below(scanned, distance);
            if (SUBGROUP_LANE >= distance)
                scanned += below;
        }
        const uint last = word_from_lane(scanned, SUB_GROUP_WIDTH - 1);
#pragma unroll
        for (uint k = begin; k < begin + ROWS_TOGETHER && k < rows; ++k) {
            counts[k] = all + PART(scanned - own, k - begin);
            all += PART(last, k - begin);
        }
    }
    return all;
}
#define HEAD_PACKS (32 / PACK)
#define HEAD_WORDS ((PACKS + HEAD_PACKS - 1) / HEAD_PACKS)
#define HEADS(heads, k) ((heads)[(k) / HEAD_PACKS] >> ((k) % HEAD_PACKS * PACK) & ((1u << PACK) - 1))
EXCHANGED(KEY_ITEM, key)
EXCHANGED(ITEM, item)
static inline KEY_ITEM key_before(PARAMETERS const INDEX tile, const INDEX length)
{
    const INDEX first = (tile * TILE_PACKS + OWN_SUBGROUP * (SUB_GROUP_WIDTH * PACKS)) * PACK;
    return KEY_LOAD(first == 0 ? 0 : min(first, length) - 1);
}
static inline uint heads_of_pack(PARAMETERS const INDEX p, const KEY_ITEM *keys, KEY_ITEM *before)
{
    const uint lane = SUBGROUP_LANE;
    const KEY_ITEM below = key_from_lane(keys[PACK - 1], (lane + SUB_GROUP_WIDTH - 1) % SUB_GROUP_WIDTH);
    uint heads = p == 0 || !SAME(lane > 0 ? below : *before, keys[0]) ? 1 : 0;
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        heads |= SAME(keys[j - 1], keys[j]) ? 0 : 1u << j;
    *before = below;
    return heads;
}
static inline uint cut_heads(const uint heads, const INDEX begin, const INDEX length)
{
    if (begin + PACK <= length)
        return heads;
    const uint present = begin < length ? (uint)(length - begin) : 0;
    const uint end = COUNTS_RUNS && begin <= length ? 1u << present : 0;
    return (heads & ((1u << present) - 1)) | end;
}
static inline void load_tile(PARAMETERS const INDEX tile, const INDEX length, KEY_ITEM (*keys)[PACK],
                             ITEM (*items)[PACK], uint *heads)
{
    const INDEX first = tile * TILE_PACKS + ROW_PLACE(0);
    const bool whole = (tile + 1) * TILE <= length;
    KEY_ITEM before = key_before(ARGUMENTS tile, length);
    if (whole) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            KEY_UNPACK(KEY_LOAD_PACK(first + k * SUB_GROUP_WIDTH), keys[k]);
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(first + k * SUB_GROUP_WIDTH), items[k]);
    } else {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
#pragma unroll
            for (uint j = 0; j < PACK; ++j) {
                const INDEX i = min((first + k * SUB_GROUP_WIDTH) * PACK + j, length - 1);
                keys[k][j] = KEY_LOAD(i);
                items[k][j] = LOAD(i);
            }
        }
    }
#pragma unroll
    for (uint w = 0; w < HEAD_WORDS; ++w)
        heads[w] = 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = first + k * SUB_GROUP_WIDTH;
        const uint all = heads_of_pack(ARGUMENTS p, keys[k], &before);
        heads[k / HEAD_PACKS] |= (whole ? all : cut_heads(all, p * PACK, length)) << (k % HEAD_PACKS * PACK);
    }
}
static inline ITEM value_of_pack(PARAMETERS const ITEM *items, const uint heads)
{
    ITEM value = first_value(ARGUMENTS heads & 1, items[0]);
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        value = next_value(ARGUMENTS heads >> j & 1, value, items[j]);
    return value;
}
static inline void scan_rows(PARAMETERS ITEM *row, const lane_mask *lanes, const uint rows)
{
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2) {
#pragma unroll
        for (uint k = 0; k < rows; ++k) {
            const uint nearest = LAST_LANE((lanes[k] & LANES_UP_TO(SUBGROUP_LANE)) | 1);
            const ITEM below = item_from_below(row[k], distance);
            if (SUBGROUP_LANE >= nearest + distance)
                row[k] = COMBINE(below, row[k]);
        }
    }
}
static inline run_total scan_subgroup(PARAMETERS const uint *heads, ITEM (*items)[PACK], ITEM *row, uint *open)
{
    const uint lane = SUBGROUP_LANE;
    lane_mask lanes[PACKS];
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        row[k] = value_of_pack(ARGUMENTS items[k], HEADS(heads, k));
        lanes[k] = VOTE(HEADS(heads, k) != 0);
    }
    scan_rows(ARGUMENTS row, lanes, PACKS);
    run_total carry;
    *open = 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const ITEM value = item_from_lane(row[k], SUB_GROUP_WIDTH - 1), below = item_from_below(row[k], 1);
        const bool begun = (lanes[k] & LANES_BELOW(lane)) != 0;
        if (k == 0) {
            *open |= begun ? 0 : 1;
            row[k] = below; // undefined in lane 0
            carry.value = value;
            carry.heads = lanes[k] != 0;
        } else {
            *open |= begun || carry.heads > 0 ? 0 : 1u << k;
            row[k] = lane == 0 ? carry.value : begun ? below : COMBINE(carry.value, below);
            carry.value = lanes[k] != 0 ? value : COMBINE(carry.value, value);
            carry.heads += lanes[k] != 0;
        }
    }
    return carry;
}
#if SUB_GROUPS == 1
#define SELDOM __attribute__((noinline))
#else
#define SELDOM
#endif
SELDOM static inline run_total tile_total(PARAMETERS const INDEX tile, local run_total *room)
{
    KEY_ITEM before = key_before(ARGUMENTS tile, (tile + 1) * TILE);
    run_total carry, below;
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = tile * TILE_PACKS + ROW_PLACE(k);
        KEY_ITEM keys[PACK];
        ITEM items[PACK];
        KEY_UNPACK(KEY_LOAD_PACK(p), keys);
        UNPACK(LOAD_PACK(p), items);
        const uint heads = heads_of_pack(ARGUMENTS p, keys, &before);
        const lane_mask lanes = VOTE(heads != 0);
        ITEM row[1] = {value_of_pack(ARGUMENTS items, heads)};
        scan_rows(ARGUMENTS row, &lanes, 1);
        const ITEM value = item_from_lane(row[0], SUB_GROUP_WIDTH - 1);
        carry.value = k == 0 || lanes != 0 ? value : COMBINE(carry.value, value);
#if COUNTS_RUNS
        uint count = popcount(heads);
        count = rank_packs(&count, 1);
#else
        const uint count = lanes != 0;
#endif
        carry.heads = k == 0 ? count : carry.heads + count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_subgroups(ARGUMENTS carry, room);
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void reduce_by_key(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                   volatile global uint *tickets, const uint epoch, const INDEX length, global ulong *count)
{
    local KEY_ITEM run_keys[TILE_PACKS * PACK];
    local ITEM run_values[TILE_PACKS * PACK];
    local run_total room[SUBGROUPS];
    local tile_message shared;
    const uint me = get_local_id(0);
    const INDEX tile = TAKE_TILE(tickets, shared.missing);
    KEY_ITEM keys[PACKS][PACK];
    ITEM items[PACKS][PACK], row[PACKS];
    uint heads[HEAD_WORDS], rank[PACKS], open;
    load_tile(ARGUMENTS tile, length, keys, items, heads);
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        rank[k] = popcount(HEADS(heads, k));
    const uint own = rank_packs(rank, PACKS);
    run_total carry = scan_subgroup(ARGUMENTS heads, items, row, &open);
    carry.heads = own;
    const run_total total = scan_subgroups(ARGUMENTS carry, room), below = BELOW(room);
    const bool has_below = OWN_SUBGROUP > 0;
    const uint lower = has_below ? (uint)below.heads : 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool follows = k > 0 || SUBGROUP_LANE > 0;
        ITEM prefix = row[k];
        if (has_below && (open >> k & 1))
            prefix = follows ? COMBINE(below.value, row[k]) : below.value;
        uint to = lower + rank[k];
#pragma unroll
        for (uint j = 0; j < PACK; ++j) {
            const bool head = HEADS(heads, k) >> j & 1;
            if (head) {
                run_keys[to] = keys[k][j];
                run_values[to++] = prefix;
            }
            const bool has_prefix = follows || has_below || j > 0;
            prefix = head || !has_prefix ? items[k][j] : COMBINE(prefix, items[k][j]);
        }
    }
    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    const bool earlier = tile > 0;
    const run_total before = shared.before;
    const INDEX base = earlier ? before.heads : 0;
    const uint all = (uint)total.heads;
    const bool last = (tile + 1) * TILE > length;
    if (me == 0 && last)
        *count = base + all - 1;
    for (uint i = me; i < all - (last ? 1 : 0); i += GROUP)
        KEY_STORE(base + i, run_keys[i]);
    if (me == 0 && all > 0 && earlier) {
        const bool ends_earlier = heads[0] & 1;
        STORE(base - 1, ends_earlier ? before.value : COMBINE(before.value, run_values[0]));
    }
    for (uint i = me > 0 ? me : GROUP; i < all; i += GROUP)
        STORE(base + i - 1, run_values[i]);
    RETURN;
}
