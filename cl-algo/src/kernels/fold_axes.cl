// Reduction along axes of an index space.
//
// Filled in: the input; the operator COMBINE, which is associative and commutative; the output. Values: INNER, 1 if the
// items of a row are folded, and 0 if rows are folded into one row, item by item; SPLIT, 1 if several units compute
// partial results of one output, which `fold_parts` combines; BY_ROWS, 1 if each of these units takes some of the rows, and 0
// if it takes a part of each row; LANES_OF_ROW, the number of work-items that fold a row;
// FOLLOWS, 1 if there is also an operator FOLLOW, which equals COMBINE if all items of the second operand come after those
// of the first along the folded axis.
//
// An output consists of `folded` neighbouring rows. If INNER, it is one item; otherwise a row of items.

#if !FOLLOWS
#define FOLLOW COMBINE
#define FOLLOW_PACK COMBINE_PACK
#endif

// Combines the items of a pack.
static inline ITEM fold_items(PARAMETERS const PACK_ITEM pack)
{
    ITEM items[PACK];
    UNPACK(pack, items);
#pragma unroll
    for (uint width = PACK / 2; width > 0; width /= 2) {
#pragma unroll
        for (uint k = 0; k < width; ++k)
            items[k] = COMBINE(items[k], items[k + width]);
    }
    return items[0];
}

// Combines every `step`th pack from `first` up to, but not including, `last`. There is at least one such pack.
static inline PACK_ITEM fold_packs(PARAMETERS const INDEX first, const INDEX last, const INDEX step)
{
    PACK_ITEM total = LOAD_PACK(first);
    INDEX p = first + step;
    if (p + 3 * step < last) {
        PACK_ITEM second = LOAD_PACK(p), third = LOAD_PACK(p + step), fourth = LOAD_PACK(p + 2 * step);
        for (p += 3 * step; p + 3 * step < last; p += 4 * step) {
            total = FOLLOW_PACK(total, LOAD_PACK(p));
            second = FOLLOW_PACK(second, LOAD_PACK(p + step));
            third = FOLLOW_PACK(third, LOAD_PACK(p + 2 * step));
            fourth = FOLLOW_PACK(fourth, LOAD_PACK(p + 3 * step));
        }
        total = COMBINE_PACK(COMBINE_PACK(total, second), COMBINE_PACK(third, fourth));
    }
    for (; p < last; p += step)
        total = FOLLOW_PACK(total, LOAD_PACK(p));
    return total;
}

#if INNER

// Declares the packs, from `first` up to, but not including, `last`, of the rows from `top` up to, but not including, `bottom`
// that a unit folds.
#if BY_ROWS
#define DECLARE_PIECE(output, chunk) \
    const INDEX first = 0, last = packs, top = (output) * folded + (INDEX)((ulong)folded * (chunk) / chunks), \
        bottom = (output) * folded + (INDEX)((ulong)folded * ((chunk) + 1) / chunks);
#else
#define DECLARE_PIECE(output, chunk) \
    const INDEX first = (INDEX)((ulong)packs * (chunk) / chunks), \
        last = (INDEX)((ulong)packs * ((chunk) + 1) / chunks), top = (output) * folded, bottom = top + folded;
#endif

// Combines the packs of a row from `first` up to, but not including, `last`. If `last` is the end of the row's packs,
// also combines the items after them.
static inline ITEM fold_row(PARAMETERS const INDEX length, const INDEX first, const INDEX last)
{
    const INDEX packs = length / PACK;
    INDEX i = packs * PACK;
    ITEM total;
    if (first < last)
        total = fold_items(ARGUMENTS fold_packs(ARGUMENTS first, last, 1));
    else
        total = LOAD(i++);
    if (last == packs) {
        for (; i < length; ++i)
            total = COMBINE(total, LOAD(i));
    }
    return total;
}

#if CHUNKED

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global uint *parts)
{
    const INDEX units = outputs * chunks, packs = length / PACK;
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX output = divided(unit, upper, shift), chunk = unit - output * chunks;
        DECLARE_PIECE(output, chunk)
        ITEM total;
        {
            BEGIN_ROW(top)
            total = fold_row(ARGUMENTS length, first, last);
        }
        for (INDEX row = top + 1; row < bottom; ++row) {
            BEGIN_ROW(row)
            total = COMBINE(total, fold_row(ARGUMENTS length, first, last));
        }
#if SPLIT
        put_part(parts, unit, total);
#else
        BEGIN_ROW(output * folded)
        STORE(0, total);
#endif
    }
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX upper, const INDEX shift, global uint *parts)
{
    local ITEM shared[GROUP];
    const uint me = get_local_id(0), lane = me % LANES_OF_ROW;
    const INDEX units = outputs * chunks, packs = length / PACK;
    const INDEX at_once = (INDEX)get_num_groups(0) * (GROUP / LANES_OF_ROW);
    for (INDEX begin = get_group_id(0) * (GROUP / LANES_OF_ROW); begin < units; begin += at_once) {
        const INDEX unit = begin + me / LANES_OF_ROW;
        const INDEX output = divided(unit, upper, shift), chunk = unit - output * chunks;
        DECLARE_PIECE(output, chunk)
        // The arguments of COMBINE contain the begins of a row, although it does not use them.
        BEGIN_ROW(output * folded)
        // The number of work-items that have a pack or, if the row is shorter than a pack, an item.
        const INDEX count = first < last ? last - first : length - packs * PACK;
        const uint busy = count < LANES_OF_ROW ? (uint)count : LANES_OF_ROW;
        if (unit < units && lane < busy) {
            ITEM total;
            for (INDEX row = top; row < bottom; ++row) {
                BEGIN_ROW(row)
                INDEX i = packs * PACK;
                ITEM own;
                if (first < last) {
                    own = fold_items(ARGUMENTS fold_packs(ARGUMENTS first + lane, last, LANES_OF_ROW));
                    i += lane;
                } else {
                    own = LOAD(i + lane);
                    i += lane + LANES_OF_ROW;
                }
                if (last == packs) {
                    for (; i < length; i += busy)
                        own = COMBINE(own, LOAD(i));
                }
                if (row == top)
                    total = own;
                else
                    total = COMBINE(total, own);
            }
            shared[me] = total;
        }
        uint left = busy;
        for (uint width = LANES_OF_ROW / 2; width > 0; width /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (unit < units && lane < width && lane + width < left)
                shared[me] = COMBINE(shared[me], shared[me + width]);
            left = left < width ? left : width;
        }
        if (unit < units && lane == 0) {
#if SPLIT
            put_part(parts, unit, shared[me]);
#else
            STORE(0, shared[me]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}

#endif

#else

#if SPLIT
#define PUT_PACK_OF(part, output, p, pack) put_pack(parts, (part) * length + (p) * PACK, pack);
#define PUT_ITEM_OF(part, output, i, item) put_part(parts, (part) * length + (i), item);

static inline void put_pack(global uint *parts, const INDEX at, const PACK_ITEM pack)
{
    ITEM items[PACK];
    UNPACK(pack, items);
    for (uint k = 0; k < PACK; ++k)
        put_part(parts, at + k, items[k]);
}
#else
#define PUT_PACK_OF(part, output, p, pack) { BEGIN_ROW((output) * folded) STORE_PACK(p, pack); }
#define PUT_ITEM_OF(part, output, i, item) { BEGIN_ROW((output) * folded) STORE(i, item); }
#endif

#if CHUNKED && OUTPUTS_AT_ONCE == 1

#define ROWS_AT_ONCE 4

// Combines a total with the items at i of the next AT_ONCE rows. FOLLOW takes one row after the other.
#if FOLLOWS
#define FOLD_NEXT(AT_ONCE, T, total, LOAD_AT, COMBINE_T, FOLLOW_T, i) \
    _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
        BEGIN_ROW(row + r) \
        total = FOLLOW_T(total, LOAD_AT(i)); \
    }
#else
#define FOLD_NEXT(AT_ONCE, T, total, LOAD_AT, COMBINE_T, FOLLOW_T, i) \
    { \
        T next[AT_ONCE]; \
        _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
            BEGIN_ROW(row + r) \
            next[r] = LOAD_AT(i); \
        } \
        BEGIN_ROW(row) \
        _Pragma("unroll") for (uint width = AT_ONCE / 2; width > 0; width /= 2) { \
            _Pragma("unroll") for (uint r = 0; r < width; ++r) \
                next[r] = COMBINE_T(next[r], next[r + width]); \
        } \
        total = COMBINE_T(total, next[0]); \
    }
#endif

// Folds the items from `from` up to `to` of the rows from `top` up to `bottom`. So memory is read in long pieces, of
// several rows at once, and the totals stay in the first cache.
#define FOLD_ROWS(T, totals, LOAD_AT, COMBINE_T, FOLLOW_T, from, to) \
    { \
        { \
            BEGIN_ROW(top) \
            for (INDEX i = from; i < to; ++i) \
                totals[i - (from)] = LOAD_AT(i); \
        } \
        INDEX row = top + 1; \
        for (; row + ROWS_AT_ONCE <= bottom; row += ROWS_AT_ONCE) { \
            for (INDEX i = from; i < to; ++i) \
                FOLD_NEXT(ROWS_AT_ONCE, T, totals[i - (from)], LOAD_AT, COMBINE_T, FOLLOW_T, i) \
        } \
        for (; row < bottom; ++row) { \
            for (INDEX i = from; i < to; ++i) \
                FOLD_NEXT(1, T, totals[i - (from)], LOAD_AT, COMBINE_T, FOLLOW_T, i) \
        } \
    }

// Folds rows item by item. The unit of work is SEGMENT packs of one chunk of the rows of an output. The last segment of a
// row also has the items after the last pack.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX segments, const INDEX upper, const INDEX shift, const INDEX chunks_upper,
    const INDEX chunks_shift, global uint *parts)
{
    const INDEX packs = length / PACK, units = outputs * chunks * segments;
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX part = divided(unit, upper, shift), segment = unit - part * segments;
        const INDEX output = divided(part, chunks_upper, chunks_shift), chunk = part - output * chunks;
        const INDEX top = output * folded + (INDEX)((ulong)folded * chunk / chunks);
        const INDEX bottom = output * folded + (INDEX)((ulong)folded * (chunk + 1) / chunks);
        const INDEX first = segment * SEGMENT, last = min(first + SEGMENT, packs);
        PACK_ITEM totals[SEGMENT];
        FOLD_ROWS(PACK_ITEM, totals, LOAD_PACK, COMBINE_PACK, FOLLOW_PACK, first, last)
        for (INDEX p = first; p < last; ++p)
            PUT_PACK_OF(part, output, p, totals[p - first])
        if (segment + 1 == segments && packs * PACK < length) {
            ITEM rest[PACK];
            FOLD_ROWS(ITEM, rest, LOAD, COMBINE, FOLLOW, packs * PACK, length)
            for (INDEX i = packs * PACK; i < length; ++i)
                PUT_ITEM_OF(part, output, i, rest[i - packs * PACK])
        }
    }
    RETURN;
}

#else

// Folds SEGMENT packs, from pack `first` on, for AT_ONCE outputs. The rows from `top` up to `bottom` belong to the
// first output, and the rows of the next output are `folded` rows further on. Loads that do not depend on the output
// are shared by all outputs.
#define FOLD_OUTPUTS(AT_ONCE, total) \
    { \
        _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
            BEGIN_ROW(top + r * folded) \
            _Pragma("unroll") for (uint k = 0; k < SEGMENT; ++k) \
                total[r][k] = LOAD_PACK(first + k); \
        } \
        for (INDEX row = top + 1; row < bottom; ++row) { \
            _Pragma("unroll") for (uint r = 0; r < AT_ONCE; ++r) { \
                BEGIN_ROW(row + r * folded) \
                _Pragma("unroll") for (uint k = 0; k < SEGMENT; ++k) \
                    total[r][k] = COMBINE_PACK(total[r][k], LOAD_PACK(first + k)); \
            } \
        } \
    }

// Folds rows item by item. The unit of work is SEGMENT packs of all rows of OUTPUTS_AT_ONCE outputs; if SPLIT, only of
// one chunk of these rows. The last segment of a row also has the items after the last pack.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX folded, const INDEX outputs,
    const INDEX chunks, const INDEX segments, const INDEX upper, const INDEX shift, const INDEX chunks_upper,
    const INDEX chunks_shift, global uint *parts)
{
    const INDEX packs = length / PACK;
    const INDEX units = (outputs + OUTPUTS_AT_ONCE - 1) / OUTPUTS_AT_ONCE * chunks * segments;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX several = divided(unit, upper, shift), segment = unit - several * segments;
        const INDEX begin = divided(several, chunks_upper, chunks_shift), chunk = several - begin * chunks;
        const INDEX first = segment * SEGMENT;
        INDEX output = begin * OUTPUTS_AT_ONCE;
        const INDEX last = output + OUTPUTS_AT_ONCE < outputs ? output + OUTPUTS_AT_ONCE : outputs;
#if OUTPUTS_AT_ONCE > 1
        if (output + OUTPUTS_AT_ONCE <= outputs && first + SEGMENT <= packs) {
            const INDEX top = output * folded + (INDEX)((ulong)folded * chunk / chunks);
            const INDEX bottom = output * folded + (INDEX)((ulong)folded * (chunk + 1) / chunks);
            PACK_ITEM total[OUTPUTS_AT_ONCE][SEGMENT];
            FOLD_OUTPUTS(OUTPUTS_AT_ONCE, total)
#pragma unroll
            for (uint r = 0; r < OUTPUTS_AT_ONCE; ++r) {
#pragma unroll
                for (uint k = 0; k < SEGMENT; ++k)
                    PUT_PACK_OF((output + r) * chunks + chunk, output + r, first + k, total[r][k]);
            }
            continue;
        }
#endif
        for (; output < last; ++output) {
            const INDEX top = output * folded + (INDEX)((ulong)folded * chunk / chunks);
            const INDEX bottom = output * folded + (INDEX)((ulong)folded * (chunk + 1) / chunks);
            const INDEX part = output * chunks + chunk;
            if (first + SEGMENT <= packs) {
                PACK_ITEM total[1][SEGMENT];
                FOLD_OUTPUTS(1, total)
#pragma unroll
                for (uint k = 0; k < SEGMENT; ++k)
                    PUT_PACK_OF(part, output, first + k, total[0][k]);
                continue;
            }
            for (INDEX p = first; p < packs; ++p) {
                PACK_ITEM total;
                {
                    BEGIN_ROW(top)
                    total = LOAD_PACK(p);
                }
                for (INDEX row = top + 1; row < bottom; ++row) {
                    BEGIN_ROW(row)
                    total = COMBINE_PACK(total, LOAD_PACK(p));
                }
                PUT_PACK_OF(part, output, p, total);
            }
            for (INDEX i = packs * PACK; i < length; ++i) {
                ITEM total;
                {
                    BEGIN_ROW(top)
                    total = LOAD(i);
                }
                for (INDEX row = top + 1; row < bottom; ++row) {
                    BEGIN_ROW(row)
                    total = COMBINE(total, LOAD(i));
                }
                PUT_ITEM_OF(part, output, i, total);
            }
        }
    }
    RETURN;
}

#endif

#endif
