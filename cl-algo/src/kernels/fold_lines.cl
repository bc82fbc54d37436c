// Folds of rows whose results the items of the same row read.
//
// Filled in: the input; for each of FOLDS folds a function VALUE0, VALUE1 or VALUE2 of an item and the totals of the
// folds before, and an operator COMBINE0, COMBINE1 or COMBINE2 of its results, which is associative and commutative; the
// function RESULT of an item and all totals; the output of its results. Values: LANES_OF_ROW, the number of work-items of
// a row; KEPT, the number of packs that a work-item keeps in registers, so that a row is read once, or 0 for rows that are
// read again for each fold, from the caches.

// The arguments that follow an item in calls of VALUE0, VALUE1 and so on; RESULT has those of number FOLDS.
#define AFTER_0
#define AFTER_1 , total0
#define AFTER_2 , total0, total1
#define AFTER_3 , total0, total1, total2
#define PACKS_AFTER_0
#define PACKS_AFTER_1 , totals0
#define PACKS_AFTER_2 , totals0, totals1
#define PACKS_AFTER_3 , totals0, totals1, totals2

#if FOLDS == 1
#define AFTER_ALL AFTER_1
#define PACKS_AFTER_ALL PACKS_AFTER_1
#elif FOLDS == 2
#define AFTER_ALL AFTER_2
#define PACKS_AFTER_ALL PACKS_AFTER_2
#else
#define AFTER_ALL AFTER_3
#define PACKS_AFTER_ALL PACKS_AFTER_3
#endif

// Runs the following statement for each of this work-item's packs but the first `from`: OWN_PACK, number OWN_PLACE of the
// row.
#if KEPT > 0
#define EACH_PACK(from) _Pragma("unroll") \
    for (uint k = from; k < KEPT; ++k) \
        if (OWN_PLACE < packs)
#define OWN_PLACE (lane + k * LANES_OF_ROW)
#define OWN_PACK kept[k]
#else
#define EACH_PACK(from) \
    for (INDEX own = lane + (from) * LANES_OF_ROW; own < packs; own += LANES_OF_ROW)
#define OWN_PLACE own
#define OWN_PACK LOAD_PACK(own)
#endif

// Combines the values of this work-item's packs for fold F. There is at least one pack.
#if KEPT > 0
#define FOLD_PACKS(F) \
    VALUE##F##_PACK_ITEM all = VALUE##F##_pack(ARGUMENTS kept[0] PACKS_AFTER_##F); \
    EACH_PACK(1) \
        all = COMBINE##F##_pack(ARGUMENTS all, VALUE##F##_pack(ARGUMENTS OWN_PACK PACKS_AFTER_##F));
#else
#define VALUE_AT(F, p) VALUE##F##_pack(ARGUMENTS LOAD_PACK(p) PACKS_AFTER_##F)
// Four values at once, because an operation on floats takes several cycles.
#define FOLD_PACKS(F) \
    VALUE##F##_PACK_ITEM all = VALUE_AT(F, lane); \
    INDEX own = lane + LANES_OF_ROW; \
    if (own + 2 * LANES_OF_ROW < packs) { \
        VALUE##F##_PACK_ITEM next[3]; \
        _Pragma("unroll") for (uint k = 0; k < 3; ++k, own += LANES_OF_ROW) \
            next[k] = VALUE_AT(F, own); \
        for (; own + 3 * LANES_OF_ROW < packs; own += 4 * LANES_OF_ROW) { \
            all = COMBINE##F##_pack(ARGUMENTS all, VALUE_AT(F, own)); \
            _Pragma("unroll") for (uint k = 0; k < 3; ++k) \
                next[k] = COMBINE##F##_pack(ARGUMENTS next[k], VALUE_AT(F, own + (k + 1) * LANES_OF_ROW)); \
        } \
        all = COMBINE##F##_pack(ARGUMENTS COMBINE##F##_pack(ARGUMENTS all, next[0]), \
            COMBINE##F##_pack(ARGUMENTS next[1], next[2])); \
    } \
    for (; own < packs; own += LANES_OF_ROW) \
        all = COMBINE##F##_pack(ARGUMENTS all, VALUE_AT(F, own));
#endif

// Combines the totals of the work-items of each row; all of them get the result.
#if LANES_OF_ROW > 1
#define FOLD_LANES(F) \
    if (lane < busy) \
        shared##F[me] = total##F; \
    for (uint width = LANES_OF_ROW / 2, left = busy; width > 0; left = min(left, width), width /= 2) { \
        barrier(CLK_LOCAL_MEM_FENCE); \
        if (lane < width && lane + width < left) \
            shared##F[me] = COMBINE##F##_item(ARGUMENTS shared##F[me], shared##F[me + width]); \
    } \
    barrier(CLK_LOCAL_MEM_FENCE); \
    total##F = shared##F[me - lane];
#else
#define FOLD_LANES(F)
#endif

// Declares the combined values of a row for fold F, and a pack of these.
#define FOLD_LINE(F) \
    VALUE##F##_ITEM total##F; \
    if (lane < busy) { \
        INDEX i = packs * PACK + lane; \
        if (packs > 0) { \
            FOLD_PACKS(F) \
            VALUE##F##_ITEM items[PACK]; \
            VALUE##F##_UNPACK(all, items); \
            _Pragma("unroll") for (uint width = PACK / 2; width > 0; width /= 2) { \
                _Pragma("unroll") for (uint k = 0; k < width; ++k) \
                    items[k] = COMBINE##F##_item(ARGUMENTS items[k], items[k + width]); \
            } \
            total##F = items[0]; \
        } else { \
            total##F = VALUE##F##_item(ARGUMENTS LOAD(i) AFTER_##F); \
            i += busy; \
        } \
        for (; i < length; i += busy) \
            total##F = COMBINE##F##_item(ARGUMENTS total##F, VALUE##F##_item(ARGUMENTS LOAD(i) AFTER_##F)); \
    } \
    FOLD_LANES(F) \
    VALUE##F##_PACK_ITEM totals##F; \
    { \
        VALUE##F##_ITEM equal[PACK]; \
        _Pragma("unroll") for (uint k = 0; k < PACK; ++k) \
            equal[k] = total##F; \
        totals##F = VALUE##F##_PACKED(equal); \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_lines(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX rows)
{
#if LANES_OF_ROW > 1
    local VALUE0_ITEM shared0[GROUP];
#if FOLDS > 1
    local VALUE1_ITEM shared1[GROUP];
#endif
#if FOLDS > 2
    local VALUE2_ITEM shared2[GROUP];
#endif
#endif
    const uint me = get_local_id(0), lane = me % LANES_OF_ROW;
    const INDEX packs = length / PACK;
    // The number of work-items that have a pack or, if the row is shorter than a pack, an item.
    const INDEX count = packs > 0 ? packs : length;
    const uint busy = count < LANES_OF_ROW ? (uint)count : LANES_OF_ROW;
#if CHUNKED
    for (INDEX row = CUT(rows, get_group_id(0)), end = CUT(rows, get_group_id(0) + 1); row < end; ++row) {
        const bool is_own = true;
#else
    const INDEX at_once = (INDEX)get_num_groups(0) * (GROUP / LANES_OF_ROW);
    for (INDEX begin = get_group_id(0) * (GROUP / LANES_OF_ROW); begin < rows; begin += at_once) {
        // Behind the last row, that row is folded again, and not stored.
        const bool is_own = begin + me / LANES_OF_ROW < rows;
        const INDEX row = is_own ? begin + me / LANES_OF_ROW : rows - 1;
#endif
        BEGIN_ROW(row)
#if KEPT > 0
        PACK_ITEM kept[KEPT];
        EACH_PACK(0)
            kept[k] = LOAD_PACK(OWN_PLACE);
#endif
        FOLD_LINE(0)
#if FOLDS > 1
        FOLD_LINE(1)
#endif
#if FOLDS > 2
        FOLD_LINE(2)
#endif
        if (is_own) {
            EACH_PACK(0)
                STORE_PACK(OWN_PLACE, RESULT_pack(ARGUMENTS OWN_PACK PACKS_AFTER_ALL));
            for (INDEX i = packs * PACK + lane; i < length; i += LANES_OF_ROW)
                STORE(i, RESULT_item(ARGUMENTS LOAD(i) AFTER_ALL));
        }
#if LANES_OF_ROW > 1
        // The next row's totals take the place of this row's.
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    RETURN;
}
