// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -D _OPENCL_H_=1 -cl-kernel-arg-info`.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#if defined(cl_khr_fp16)
#endif
#if defined(cl_khr_fp64)
#endif
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 4096
#define CHUNKED 1
#define STREAM 0
#define PASS 0
#define EXCLUSIVE 0
#define CHAINS 3
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
#define OUTPUTS
#define OUTPUT_ARGUMENTS
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
#define PACK_ITEM ITEM
#define STORED uint
#define LOAD_FROM x0
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
#define pack_at item_at
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const uint v2 = a;
    const uint v3 = b;
    const uint v4 = v2 + v3;
    return v4;
}
#define COMBINE_pack COMBINE_item
#define WORDS ((sizeof(ITEM) + 3) / 4)
typedef VOLATILE union {
    VOLATILE ITEM value;
    VOLATILE uint word[WORDS];
} item_words;
#define RUNS (CHAINS * get_num_groups(0))
#define STEP ((INDEX)((length - !EXCLUSIVE) / RUNS))
#define BEGIN(r) ((INDEX)(r) * STEP + !EXCLUSIVE)
#if PASS == 0
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS global uint *totals, const INDEX length)
{
    const uint first = CHAINS * get_group_id(0);
    const INDEX begin = BEGIN(first), step = STEP;
    if (step > 0) {
        ITEM own[CHAINS], chain[CHAINS];
#pragma unroll 1
        for (uint c = 0; c < CHAINS; ++c)
            own[c] = LOAD(begin + c * step);
#if !EXCLUSIVE
        if (first == 0)
            own[0] = COMBINE(LOAD(0), own[0]);
#endif
#pragma unroll
        for (uint c = 0; c < CHAINS; ++c)
            chain[c] = own[c];
        for (INDEX i = begin + 1; i < begin + step; ++i) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c)
                chain[c] = COMBINE(chain[c], LOAD(i + c * step));
        }
        for (uint c = 0; c < CHAINS; ++c) {
            const item_words total = { .value = chain[c] };
            for (uint k = 0; k < WORDS; ++k)
                totals[(first + c) * WORDS + k] = total.word[k];
        }
    }
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS OUTPUTS global const uint *totals, const INDEX length)
{
    const uint first = CHAINS * get_group_id(0);
    const INDEX begin = BEGIN(first), step = STEP;
    ITEM prefix;
#if EXCLUSIVE
    prefix = INITIAL_LOAD(0);
#else
    if (first == 0) {
        prefix = LOAD(0);
        STORE(0, prefix);
    }
#endif
    if (step > 0) {
        ITEM before[CHAINS], chain[CHAINS];
        for (uint r = 0; r < first + CHAINS; ++r) {
            if (r >= first)
                before[r - first] = prefix;
            item_words total;
            for (uint k = 0; k < WORDS; ++k)
                total.word[k] = totals[r * WORDS + k];
            prefix = EXCLUSIVE || r > 0 ? COMBINE(prefix, total.value) : total.value;
        }
#pragma unroll
        for (uint c = 0; c < CHAINS; ++c)
            chain[c] = before[c];
        for (INDEX i = begin; i < begin + step; ++i) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c) {
                const ITEM next = COMBINE(chain[c], LOAD(i + c * step));
                STORE(i + c * step, EXCLUSIVE ? chain[c] : next);
                chain[c] = next;
            }
        }
        prefix = chain[CHAINS - 1];
    }
    if (first + CHAINS == RUNS) {
        for (INDEX i = BEGIN(RUNS); i < length; ++i) {
            const ITEM next = COMBINE(prefix, LOAD(i));
            STORE(i, EXCLUSIVE ? prefix : next);
            prefix = next;
        }
    }
    RETURN;
}
#endif
#undef ARGUMENTS
#undef BEGIN
#undef CHAINS
#undef CHUNKED
#undef COMBINE
#undef COMBINE_PACK
#undef COMBINE_pack
#undef CUT
#undef EXCLUSIVE
#undef FAULT_ARGUMENT
#undef FAULT_PARAMETER
#undef FOR_EACH_TILE
#undef GROUP
#undef INDEX
#undef ITEM
#undef LANE
#undef LOAD
#undef LOAD_FROM
#undef LOAD_PACK
#undef OUTPUTS
#undef OUTPUT_ARGUMENTS
#undef PACK
#undef PACKED
#undef PACKS
#undef PACK_ITEM
#undef PARAMETERS
#undef PASS
#undef PUT_PACK
#undef RETURN
#undef RUNS
#undef SIGNED_INDEX
#undef STEP
#undef STORED
#undef STREAM
#undef STREAM_PACK
#undef TILE
#undef TILE_PACKS
#undef UNPACK
#undef VOLATILE
#undef WORDS
#undef pack_at
#pragma OPENCL FP_CONTRACT OFF
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 1
#define PACKS 4096
#define CHUNKED 1
#define STREAM 0
#define PASS 1
#define EXCLUSIVE 0
#define CHAINS 3
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS global const uint *x0,
#define ARGUMENTS x0,
#define OUTPUTS global uint *restrict out0,
#define OUTPUT_ARGUMENTS out0,
#define RETURN return
#define VOLATILE
#define item_at item_at_1
#define COMBINE_item COMBINE_item_1
#define store_item store_item_1
#define item_words item_words_1
#define scan_runs scan_runs_1
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
#define PACK_ITEM ITEM
#define STORED uint
#define LOAD_FROM x0
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) (*(items) = (pack))
#define PACKED(items) (*(items))
#define LANE(pack, k) (pack)
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const uint v1 = x0[v0];
    return v1;
}
#define pack_at item_at
#define COMBINE(a, b) COMBINE_item(ARGUMENTS a, b)
#define COMBINE_PACK(a, b) COMBINE_pack(ARGUMENTS a, b)
static inline ITEM COMBINE_item(PARAMETERS const ITEM a, const ITEM b)
{
    const uint v2 = a;
    const uint v3 = b;
    const uint v4 = v2 + v3;
    return v4;
}
#define COMBINE_pack COMBINE_item
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const uint v2 = item;
    out0[i] = v2;
}
#define store_pack store_item
#define WORDS ((sizeof(ITEM) + 3) / 4)
typedef VOLATILE union {
    VOLATILE ITEM value;
    VOLATILE uint word[WORDS];
} item_words;
#define RUNS (CHAINS * get_num_groups(0))
#define STEP ((INDEX)((length - !EXCLUSIVE) / RUNS))
#define BEGIN(r) ((INDEX)(r) * STEP + !EXCLUSIVE)
#if PASS == 0
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS global uint *totals, const INDEX length)
{
    const uint first = CHAINS * get_group_id(0);
    const INDEX begin = BEGIN(first), step = STEP;
    if (step > 0) {
        ITEM own[CHAINS], chain[CHAINS];
#pragma unroll 1
        for (uint c = 0; c < CHAINS; ++c)
            own[c] = LOAD(begin + c * step);
#if !EXCLUSIVE
        if (first == 0)
            own[0] = COMBINE(LOAD(0), own[0]);
#endif
#pragma unroll
        for (uint c = 0; c < CHAINS; ++c)
            chain[c] = own[c];
        for (INDEX i = begin + 1; i < begin + step; ++i) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c)
                chain[c] = COMBINE(chain[c], LOAD(i + c * step));
        }
        for (uint c = 0; c < CHAINS; ++c) {
            const item_words total = { .value = chain[c] };
            for (uint k = 0; k < WORDS; ++k)
                totals[(first + c) * WORDS + k] = total.word[k];
        }
    }
    RETURN;
}
#else
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan_runs(PARAMETERS OUTPUTS global const uint *totals, const INDEX length)
{
    const uint first = CHAINS * get_group_id(0);
    const INDEX begin = BEGIN(first), step = STEP;
    ITEM prefix;
#if EXCLUSIVE
    prefix = INITIAL_LOAD(0);
#else
    if (first == 0) {
        prefix = LOAD(0);
        STORE(0, prefix);
    }
#endif
    if (step > 0) {
        ITEM before[CHAINS], chain[CHAINS];
        for (uint r = 0; r < first + CHAINS; ++r) {
            if (r >= first)
                before[r - first] = prefix;
            item_words total;
            for (uint k = 0; k < WORDS; ++k)
                total.word[k] = totals[r * WORDS + k];
            prefix = EXCLUSIVE || r > 0 ? COMBINE(prefix, total.value) : total.value;
        }
#pragma unroll
        for (uint c = 0; c < CHAINS; ++c)
            chain[c] = before[c];
        for (INDEX i = begin; i < begin + step; ++i) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c) {
                const ITEM next = COMBINE(chain[c], LOAD(i + c * step));
                STORE(i + c * step, EXCLUSIVE ? chain[c] : next);
                chain[c] = next;
            }
        }
        prefix = chain[CHAINS - 1];
    }
    if (first + CHAINS == RUNS) {
        for (INDEX i = BEGIN(RUNS); i < length; ++i) {
            const ITEM next = COMBINE(prefix, LOAD(i));
            STORE(i, EXCLUSIVE ? prefix : next);
            prefix = next;
        }
    }
    RETURN;
}
#endif
