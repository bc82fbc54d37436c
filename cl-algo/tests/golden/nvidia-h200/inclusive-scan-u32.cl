// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 256
#define PACK 4
#define PACKS 4
#define CHUNKED 0
#define STREAM 0
#define INDEX_PACK uint4
#define LANES ((INDEX_PACK)(0, 1, 2, 3))
#define SUB_GROUPS 1
#define SUB_GROUP_WIDTH 32
#define TICKETS 0
#define SPINS 10000
#define STALLED -1
#define IN_PLACE 0
#define EXCLUSIVE 0
#define HAS_INITIAL 0
#define SHORT 1
#define ELEMENTS 1
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
#define OUTPUTS global uint *restrict out0,
#define OUTPUT_ARGUMENTS out0,
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
#define ITEM uint
#define PACK_ITEM uint4
#define STORED uint
#define LOAD_FROM x0
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define LANE lane_of
static inline ITEM lane_of(const PACK_ITEM pack, const uint k)
{
    const VOLATILE union { VOLATILE uint4 pack; VOLATILE uint item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const uint4 v1 = ((global const uint4 *)x0)[p];
    return v1;
}
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const uint v2 = a;
    const uint v3 = b;
    const uint v4 = v2 + v3;
    return v4;
}
static inline PACK_ITEM COMBINE_pack(PARAMETERS const PACK_ITEM a, const PACK_ITEM b)
{
    const uint4 v2 = a;
    const uint4 v3 = b;
    const uint4 v4 = v2 + v3;
    return v4;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const uint v2 = item;
    out0[i] = v2;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const uint4 v2 = item;
    STREAM_PACK((global uint4 *)out0 + p, v2);
}
#define CARRIED ITEM
#define CARRY(a, b) COMBINE(a, b)
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
static inline ITEM scan_row(PARAMETERS const ITEM *items, ITEM *total)
{
    ITEM own = items[0];
#pragma unroll
    for (uint j = 1; j < PACK; ++j)
        own = COMBINE(own, items[j]);
    own = scan_lanes(ARGUMENTS own, SUB_GROUP_WIDTH);
    *total = carried_from_lane(own, SUB_GROUP_WIDTH - 1);
    return carried_from_below(own, 1);
}
static inline void scan_pack(PARAMETERS const bool has_prefix, const ITEM before, ITEM *items)
{
    ITEM prefix = before;
#pragma unroll
    for (uint j = 0; j < PACK; ++j) {
        const ITEM next = j > 0 || has_prefix ? COMBINE(prefix, items[j]) : items[j];
        items[j] = EXCLUSIVE ? prefix : next;
        prefix = next;
    }
}
static inline ITEM prefix_of_pack(PARAMETERS const bool has_before, const ITEM before, const bool has_row,
                                  const ITEM row)
{
    return !has_before ? row : has_row ? COMBINE(before, row) : before;
}
static inline bool prefix_of_subgroup(PARAMETERS const INDEX tile, const ITEM prefix, const ITEM below,
                                      ITEM *before)
{
    bool has_before = tile > 0;
    *before = prefix;
#if HAS_INITIAL
    *before = has_before ? COMBINE(INITIAL_LOAD(0), prefix) : INITIAL_LOAD(0);
    has_before = true;
#endif
    if (OWN_SUBGROUP > 0) {
        *before = has_before ? COMBINE(*before, below) : below;
        has_before = true;
    }
    return has_before;
}
static inline ITEM total_to(PARAMETERS const INDEX tile, const INDEX last, local ITEM *room)
{
    ITEM carry;
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        ITEM items[PACK], row;
        UNPACK(LOAD_PACK(min(tile * TILE_PACKS + ROW_PLACE(k), last)), items);
        scan_row(ARGUMENTS items, &row);
        carry = k == 0 ? row : COMBINE(carry, row);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_subgroups(ARGUMENTS carry, room);
}
static inline ITEM tile_total(PARAMETERS const INDEX tile, local ITEM *room)
{
    return total_to(ARGUMENTS tile, (tile + 1) * TILE_PACKS - 1, room);
}
static inline void scan_serially(PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const ITEM before)
{
    ITEM prefix = before;
#pragma unroll 1
    for (INDEX i = begin; i < length; ++i) {
        const ITEM next = COMBINE(prefix, LOAD(i));
        STORE(i, EXCLUSIVE ? prefix : next);
        prefix = next;
    }
}
#ifndef BEGINS_AGAIN
#define BEGINS_AGAIN (SUB_GROUPS == 1)
#endif
#if BEGINS_AGAIN
static inline void scan_late(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
                             const INDEX tile, const uint epoch, const INDEX length,
                             local tile_message *shared, local ITEM *room)
{
    const INDEX whole = length / PACK;
    const bool after_first = SUBGROUP_LANE > 0;
    ITEM before, carry;
    const ITEM own = total_to(ARGUMENTS tile, whole - 1, room), below = BELOW(room);
    do {
        compute_missing(ARGUMENTS totals, epoch, shared, room);
    } while (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, shared));
    const bool has_before = prefix_of_subgroup(ARGUMENTS tile, shared->before, below, &before);
#pragma unroll 1
    for (uint k = 0; k < PACKS; ++k) {
        const INDEX p = tile * TILE_PACKS + ROW_PLACE(k);
        ITEM items[PACK], total;
        UNPACK(LOAD_PACK(min(p, whole - 1)), items);
        ITEM row = scan_row(ARGUMENTS items, &total);
        if (k > 0) {
            row = after_first ? COMBINE(carry, row) : carry;
            total = COMBINE(carry, total);
        }
        carry = total;
        const bool has_row = k > 0 || after_first;
        const ITEM prefix = prefix_of_pack(ARGUMENTS has_before, before, has_row, row);
        scan_pack(ARGUMENTS has_before || has_row, prefix, items);
        if (p < whole)
            STORE_PACK(p, PACKED(items));
        else if (p == whole)
            scan_serially(ARGUMENTS OUTPUT_ARGUMENTS whole * PACK, length, prefix);
    }
}
#endif
#define PUTS_ASIDE (SUB_GROUP_WIDTH > 1 && PACK > 1)
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) IN_SUBGROUPS
void scan(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
          volatile global uint *tickets, const uint epoch, const INDEX length)
{
    local ITEM room[SUBGROUPS];
    local tile_message shared;
#if PUTS_ASIDE
    local ITEM aside[PACKS][GROUP];
#endif
    const uint lane = SUBGROUP_LANE;
    const INDEX tile = TAKE_TILE(tickets, shared.missing), whole = length / PACK;
    const bool is_full = (tile + 1) * TILE_PACKS <= whole;
    const size_t first = tile * TILE_PACKS + ROW_PLACE(0);
    ITEM items[PACKS][PACK], row[PACKS];
    if (is_full) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(first + k * SUB_GROUP_WIDTH), items[k]);
    } else {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k)
            UNPACK(LOAD_PACK(min(first + k * SUB_GROUP_WIDTH, (size_t)whole - 1)), items[k]);
        STAY_APART();
    }
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        row[k] = items[k][0];
#pragma unroll
        for (uint j = 1; j < PACK; ++j)
            row[k] = COMBINE(row[k], items[k][j]);
    }
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_WIDTH; distance *= 2) {
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const ITEM below = carried_from_below(row[k], distance);
            if (lane >= distance)
                row[k] = COMBINE(below, row[k]);
        }
    }
    ITEM carry = carried_from_lane(row[0], SUB_GROUP_WIDTH - 1);
    row[0] = carried_from_below(row[0], 1);
#pragma unroll
    for (uint k = 1; k < PACKS; ++k) {
        const ITEM total = carried_from_lane(row[k], SUB_GROUP_WIDTH - 1), below = carried_from_below(row[k], 1);
        row[k] = lane > 0 ? COMBINE(carry, below) : carry;
        carry = COMBINE(carry, total);
    }
#if PUTS_ASIDE
#pragma unroll
    for (uint k = 0; k < PACKS; ++k)
        aside[k][get_local_id(0)] = row[k];
#endif
    const ITEM own = scan_subgroups(ARGUMENTS carry, room);
    tell_total(totals, tile, own, epoch);
#if BEGINS_AGAIN
    if (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, &shared)) {
        scan_late(ARGUMENTS OUTPUT_ARGUMENTS totals, blocks, tile, epoch, length, &shared, room);
        RETURN;
    }
    const ITEM below = BELOW(room);
#else
    const ITEM below = BELOW(room);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
#endif
    ITEM before;
    const bool has_before = prefix_of_subgroup(ARGUMENTS tile, shared.before, below, &before);
    const uint left = whole > first ? (uint)min(whole - (INDEX)first, (INDEX)TILE_PACKS) : 0;
#pragma unroll
    for (uint k = 0; k < PACKS; ++k) {
        const bool has_row = k > 0 || lane > 0;
#if PUTS_ASIDE
        row[k] = aside[k][get_local_id(0)];
#endif
        row[k] = prefix_of_pack(ARGUMENTS has_before, before, has_row, row[k]);
        scan_pack(ARGUMENTS has_before || has_row, row[k], items[k]);
        if (k * SUB_GROUP_WIDTH < left)
            STORE_PACK(first + k * SUB_GROUP_WIDTH, PACKED(items[k]));
    }
    if (!is_full) {
        ITEM prefix = row[0];
        bool has_rest = first == whole;
#pragma unroll
        for (uint k = 1; k < PACKS; ++k) {
            if (first + k * SUB_GROUP_WIDTH == whole) {
                prefix = row[k];
                has_rest = true;
            }
        }
        if (has_rest)
            scan_serially(ARGUMENTS OUTPUT_ARGUMENTS whole * PACK, length, prefix);
    }
    RETURN;
}
