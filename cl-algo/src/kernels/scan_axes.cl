// Scans along an axis of an index space.
//
// Filled in: the input; the operator COMBINE, which is associative; if PASS is 1, the output, and the input INITIAL, a
// single item, if EXCLUSIVE. Values: INNER, 1 if the items of a row are scanned, and 0 if rows are scanned item by item;
// EXCLUSIVE, 1 if a result leaves out the item's own value; PASS, 0 for the totals of chunks, and 1 for the results;
// ROWS_AT_ONCE, the number of rows that a CPU's work-item scans side by side, because an addition of floats takes several
// cycles; LANES_OF_ROW, the number of a GPU's work-items that scan a row.
//
// The items along the axis are divided into `chunks` chunks of `step` items; the last chunk may be shorter. With several
// chunks there are two launches, and the second one combines the totals of the chunks before its own.

// 1 if items come before the first item of a chunk.
#define HAS_PREFIX(chunk) (PASS == 1 && (EXCLUSIVE || (chunk) > 0))

#if EXCLUSIVE
#define STORED_RESULT(before, result) (before)
#else
#define STORED_RESULT(before, result) (result)
#endif

#if PASS == 0
#define PUT_RESULT(i, before, result)
#else
#define PUT_RESULT(i, before, result) STORE(i, STORED_RESULT(before, result))

// Combines the initial item and the totals of the first `chunk` chunks. The first total is at `at`, the next ones are
// `distance` parts apart.
static inline ITEM prefix_before(PARAMETERS global const uint *parts, const INDEX at, const INDEX distance,
    const INDEX chunk)
{
#if EXCLUSIVE
    ITEM prefix = INITIAL_LOAD(0);
#else
    ITEM prefix = get_part(parts, at);
#endif
    for (INDEX c = !EXCLUSIVE; c < chunk; ++c)
        prefix = COMBINE(prefix, get_part(parts, at + c * distance));
    return prefix;
}
#endif

#if INNER && CHUNKED

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX outputs, const INDEX chunks,
    const INDEX step, const INDEX upper, const INDEX shift, global uint *parts)
{
    const INDEX units = (outputs + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE * chunks;
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX several = divided(unit, upper, shift), chunk = unit - several * chunks;
        const INDEX first = chunk * step, last = chunk + 1 < chunks ? first + step : length;
        const INDEX top = several * ROWS_AT_ONCE;
        INDEX row[ROWS_AT_ONCE];
        ITEM total[ROWS_AT_ONCE];
        // Behind the last row, that row is scanned again.
#pragma unroll
        for (uint r = 0; r < ROWS_AT_ONCE; ++r)
            row[r] = top + r < outputs ? top + r : outputs - 1;
#pragma unroll
        for (uint r = 0; r < ROWS_AT_ONCE; ++r) {
            BEGIN_ROW(row[r])
#if PASS == 1
            if (HAS_PREFIX(chunk)) {
                total[r] = prefix_before(ARGUMENTS parts, row[r] * chunks, 1, chunk);
                continue;
            }
#endif
            total[r] = LOAD(first);
            PUT_RESULT(first, total[r], total[r]);
        }
        for (INDEX i = HAS_PREFIX(chunk) ? first : first + 1; i < last; ++i) {
#pragma unroll
            for (uint r = 0; r < ROWS_AT_ONCE; ++r) {
                BEGIN_ROW(row[r])
                const ITEM result = COMBINE(total[r], LOAD(i));
                PUT_RESULT(i, total[r], result);
                total[r] = result;
            }
        }
#if PASS == 0
#pragma unroll
        for (uint r = 0; r < ROWS_AT_ONCE; ++r)
            put_part(parts, row[r] * chunks + chunk, total[r]);
#endif
    }
    RETURN;
}

#elif INNER

// The units of a work-group have equal numbers of tiles: rows of several tiles take the whole work-group. Each chunk but
// the last one consists of whole tiles.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX outputs, const INDEX chunks,
    const INDEX step, const INDEX upper, const INDEX shift, global uint *parts)
{
    local ITEM shared[2][GROUP];
    const uint me = get_local_id(0), lane = me % LANES_OF_ROW;
    const INDEX units = outputs * chunks, packs = length / PACK;
    const INDEX at_once = (INDEX)get_num_groups(0) * (GROUP / LANES_OF_ROW);
    uint side = 0;
    for (INDEX begin = get_group_id(0) * (GROUP / LANES_OF_ROW); begin < units; begin += at_once) {
        // Behind the last unit, that unit is scanned again, and not stored.
        const INDEX own = begin + me / LANES_OF_ROW, unit = own < units ? own : units - 1;
        const INDEX row = divided(unit, upper, shift), chunk = unit - row * chunks;
        const INDEX first = chunk * step, last = chunk + 1 < chunks ? first + step : length;
        BEGIN_ROW(row)
        bool has_carry = HAS_PREFIX(chunk);
        ITEM carry;
#if PASS == 1
        if (has_carry)
            carry = prefix_before(ARGUMENTS parts, row * chunks, 1, chunk);
#endif
        for (INDEX p = first / PACK + lane; (p - lane) * PACK < last; p += LANES_OF_ROW) {
            ITEM items[PACK];
            if (p < packs) {
                UNPACK(LOAD_PACK(p), items);
            } else {
                // Behind the last item, that item is read again: later items do not matter to a scan.
                for (uint k = 0; k < PACK; ++k) {
                    const INDEX i = p * PACK + k;
                    items[k] = LOAD(i < length ? i : length - 1);
                }
            }
#pragma unroll
            for (uint k = 1; k < PACK; ++k)
                items[k] = COMBINE(items[k - 1], items[k]);
            // Other work-items may still read the side that the tile before has ended in.
            side ^= 1;
            shared[side][me] = items[PACK - 1];
            for (uint distance = 1; distance < LANES_OF_ROW; distance *= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                ITEM value = shared[side][me];
                if (lane >= distance)
                    value = COMBINE(shared[side][me - distance], value);
                side ^= 1;
                shared[side][me] = value;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            const ITEM tile = shared[side][me - lane + LANES_OF_ROW - 1];
#if PASS == 1
            ITEM before;
            if (has_carry)
                before = carry;
            if (lane > 0) {
                const ITEM below = shared[side][me - 1];
                before = has_carry ? COMBINE(carry, below) : below;
            }
            if (has_carry || lane > 0) {
#pragma unroll
                for (uint k = 0; k < PACK; ++k)
                    items[k] = COMBINE(before, items[k]);
            }
#if EXCLUSIVE
#pragma unroll
            for (uint k = PACK - 1; k > 0; --k)
                items[k] = items[k - 1];
            items[0] = before;
#endif
            if (own < units && p < packs) {
                STORE_PACK(p, PACKED(items));
            } else if (own < units) {
                for (uint k = 0; k < PACK; ++k) {
                    if (p * PACK + k < length)
                        STORE(p * PACK + k, items[k]);
                }
            }
#endif
            carry = has_carry ? COMBINE(carry, tile) : tile;
            has_carry = true;
        }
#if PASS == 0
        if (own < units && lane == 0)
            put_part(parts, unit, carry);
#endif
    }
    RETURN;
}

#else

#if PASS == 0
static inline void put_pack(global uint *parts, const INDEX at, const PACK_ITEM pack)
{
    ITEM items[PACK];
    UNPACK(pack, items);
    for (uint k = 0; k < PACK; ++k)
        put_part(parts, at + k, items[k]);
}

#define PUT_RESULT_PACK(k, before, result)
#define PUT_RESULT_ITEM(k, before, result)
#define PREFIX_OF_PACK(k) LOAD_PACK(first + k)
#define PREFIX_OF_ITEM(k) LOAD(rest + k)
#define PUT_PART_OF_PACK(k, total) put_pack(parts, part + chunk * length + (first + k) * PACK, total)
#define PUT_PART_OF_ITEM(k, total) put_part(parts, part + chunk * length + rest + k, total)
#else
static inline PACK_ITEM prefix_of_pack(PARAMETERS global const uint *parts, const INDEX at, const INDEX distance,
    const INDEX chunk)
{
    ITEM items[PACK];
    for (uint k = 0; k < PACK; ++k)
        items[k] = prefix_before(ARGUMENTS parts, at + k, distance, chunk);
    return PACKED(items);
}

#define PUT_RESULT_PACK(k, before, result) STORE_PACK(first + k, STORED_RESULT(before, result))
#define PUT_RESULT_ITEM(k, before, result) STORE(rest + k, STORED_RESULT(before, result))
#define PREFIX_OF_PACK(k) prefix_of_pack(ARGUMENTS parts, part + (first + k) * PACK, length, chunk)
#define PREFIX_OF_ITEM(k) prefix_before(ARGUMENTS parts, part + rest + k, length, chunk)
#define PUT_PART_OF_PACK(k, total)
#define PUT_PART_OF_ITEM(k, total)
#endif

#define PACK_OF(k) LOAD_PACK(first + k)
#define ITEM_OF(k) LOAD(rest + k)

// Scans `count` neighbours, at most MOST, along the rows from `top` up to `bottom`.
#define SCAN_DOWN(MOST, count, VALUE, PREFIX, GET, JOIN, PUT, PUT_PART) \
    { \
        VALUE total[MOST]; \
        INDEX row = top; \
        if (HAS_PREFIX(chunk)) { \
            BEGIN_ROW(row) \
            _Pragma("unroll") for (uint k = 0; k < (count); ++k) \
                total[k] = PREFIX(k); \
        } else { \
            BEGIN_ROW(row) \
            _Pragma("unroll") for (uint k = 0; k < (count); ++k) { \
                total[k] = GET(k); \
                PUT(k, total[k], total[k]); \
            } \
            ++row; \
        } \
        for (; row < bottom; ++row) { \
            BEGIN_ROW(row) \
            _Pragma("unroll") for (uint k = 0; k < (count); ++k) { \
                const VALUE result = JOIN(total[k], GET(k)); \
                PUT(k, total[k], result); \
                total[k] = result; \
            } \
        } \
        for (uint k = 0; k < (count); ++k) { \
            PUT_PART(k, total[k]); \
        } \
    }

// The unit of work is SEGMENT packs of all rows of a chunk. The last segment of a row also has the items after the last
// pack.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_axes(SPACE_PARAMETERS OUTPUTS const INDEX length, const INDEX scanned, const INDEX outputs,
    const INDEX chunks, const INDEX step, const INDEX segments, const INDEX upper, const INDEX shift,
    const INDEX chunks_upper, const INDEX chunks_shift, global uint *parts)
{
    const INDEX packs = length / PACK, units = outputs * chunks * segments;
#if CHUNKED
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
#else
    for (INDEX unit = get_global_id(0); unit < units; unit += get_global_size(0)) {
#endif
        const INDEX several = divided(unit, upper, shift), segment = unit - several * segments;
        const INDEX output = divided(several, chunks_upper, chunks_shift), chunk = several - output * chunks;
        const INDEX top = output * scanned + chunk * step;
        const INDEX bottom = chunk + 1 < chunks ? top + step : (output + 1) * scanned;
        const INDEX first = segment * SEGMENT, rest = packs * PACK, part = output * chunks * length;
        if (first + SEGMENT <= packs) {
            SCAN_DOWN(SEGMENT, SEGMENT, PACK_ITEM, PREFIX_OF_PACK, PACK_OF, COMBINE_PACK, PUT_RESULT_PACK,
                PUT_PART_OF_PACK)
        } else {
#if SEGMENT > 1
            SCAN_DOWN(SEGMENT, packs - first, PACK_ITEM, PREFIX_OF_PACK, PACK_OF, COMBINE_PACK, PUT_RESULT_PACK,
                PUT_PART_OF_PACK)
#endif
            SCAN_DOWN(PACK, length - rest, ITEM, PREFIX_OF_ITEM, ITEM_OF, COMBINE, PUT_RESULT_ITEM, PUT_PART_OF_ITEM)
        }
    }
    RETURN;
}

#endif
