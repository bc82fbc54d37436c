// Sorts all segments but long ones, each by itself and stably, in one launch. Each work-group has the segments that
// begin in its cell, a range of the items' indices. It sorts tiles: neighbouring segments that have at most TOGETHER
// items, or one segment of at most MOST items.
//
//   tiled   (GPUs)  a tile is sorted in local memory by merges: see sort_tile.cl. If no segment has more than FEW items,
//                   work-items sort segments in registers instead. A segment that is longer than a tile is long.
//   alone   (CPUs)  a tile is sorted in the caches by the digits of the keys, then by segments. A segment that is longer
//                   than a tile, and has at most `most` items, is sorted by the digits of its keys between the vectors
//                   and scratch memory. A longer one is long.
//
// Values: ALONE; FEW, 0 for merges; sort_items.cl, sort_tagged.cl and sort_chunk.cl have others.

#if ALONE
#define MOST PACKS
// On a 2-core EPYC under PoCL, tiles of more items leave the first cache, and tables are long for tiles of fewer.
#define TOGETHER (MOST < 2048 ? MOST : 2048)
#else
#define MOST TILE_PACKS
#define TOGETHER MOST
#endif

#define HOME_PARAMETER(k) global const VALUE(k) *values##k, global VALUE(k) *home##k, global VALUE(k) *spare##k,

// Returns the end of the tile of segments that begins with segment `first`: `first` if this segment exceeds a tile.
static inline uint tile_end(global const uint *offsets, const uint first, const uint last)
{
    const uint begin = offsets[first];
    if (offsets[last] - begin <= TOGETHER)
        return last;
    uint low = first, high = last;
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        const bool fits = offsets[middle] - begin <= TOGETHER;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    return low == first && offsets[first + 1] - begin <= MOST ? first + 1 : low;
}

#if ALONE

// The passes of one segment. Their number is even.
#define PASSES (KEY_BYTES == 1 ? 2 : KEY_BYTES)
#define PASS_BITS (8 * KEY_BYTES / PASSES)

#define FROM(pass, first, home, spare) ((pass) == 0 ? (first) : (pass) % 2 ? (spare) : (home))
#define PASS_VALUE(k) FROM(pass, values##k, home##k, spare##k), pass % 2 ? home##k : spare##k,

#define SET_ASIDE(k)                      \
    if (!INDICES)                         \
        for (uint i = 0; i < count; ++i)  \
            spare##k[room + i] = VALUE_AT(k, begin + i);
#if INDICES
#define PUT_TILE_VALUE(k) home##k[to] = VALUE_AT(k, begin + INDEX_OF(item));
#else
#define PUT_TILE_VALUE(k) home##k[to] = spare##k[room + INDEX_OF(item)];
#endif

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sort_segments(PARAMETERS global const KEY *keys, global KEY *home, global KEY *spare, EACH_VALUE(HOME_PARAMETER)
                   global const uint *restrict offsets, global const uint *restrict cells, const ulong flip,
                   const INDEX most)
{
    const uint last = cells[get_group_id(0) + 1];
    local A_ITEM items[2][MOST];
    ushort next[MOST], table[KEY_BYTES][BINS];
    uchar heads[MOST];
    // Scratch memory as large as all segments of the cell; each tile uses its beginning, which stays in the caches.
    const INDEX room = offsets[cells[get_group_id(0)]];
    for (uint s = cells[get_group_id(0)]; s < last;) {
        const INDEX begin = offsets[s];
        const uint e = tile_end(offsets, s, last);
        if (e == s) {
            const INDEX length = offsets[s + 1] - begin;
            ++s;
            if (length > most)
                continue;
            for (uint pass = 0; pass < PASSES; ++pass) {
                const uint shift = pass * PASS_BITS, mask = (1u << PASS_BITS) - 1;
                const INDEX from = pass % 2 ? room : begin, to = pass % 2 ? begin : room;
                global const KEY *source = FROM(pass, keys, home, spare);
                global KEY *target = pass % 2 ? home : spare;
                INDEX positions[BINS];
                count_digits(source, from, from + length, flip, shift, mask, positions);
                const uint only = DIGIT(ordered(source[from], flip));
                const bool is_one = positions[only] == length;
                INDEX all = to;
                for (uint d = 0; d < BINS; ++d) {
                    const INDEX here = positions[d];
                    positions[d] = all;
                    all += here;
                }
                if (is_one)
                    copy_items(source, target, EACH_VALUE(PASS_VALUE) from, from + length, to, pass == 0);
                else
                    move_items(source, target, EACH_VALUE(PASS_VALUE) from, from + length, flip, shift, mask, pass == 0,
                               positions);
            }
            continue;
        }
        const uint count = (uint)(offsets[e] - begin);
        for (uint i = 0; i < count; ++i)
            heads[i] = 0;
        uint filled = 0;
        for (uint at = 0; s < e; ++s) {
            const uint end = (uint)(offsets[s + 1] - begin);
            if (at < end) {
                heads[at] = 1;
                next[filled++] = at;
            }
            at = end;
        }
        for (uint p = 0; p < KEY_BYTES; ++p)
            for (uint d = 0; d < BINS; ++d)
                table[p][d] = 0;
        uint segment = ~0u;
        for (uint i = 0; i < count; ++i) {
            segment += heads[i];
            const KEY number = ordered(keys[begin + i], flip);
            items[0][i] = TAG(segment, number, i);
#pragma unroll
            for (uint p = 0; p < KEY_BYTES; ++p)
                ++table[p][(uint)(number >> 8 * p) & 255u];
        }
        local A_ITEM *from = items[0], *to = items[1];
        for (uint p = 0; p < KEY_BYTES && count > 0; ++p) {
            if (table[p][(uint)(NUMBER_OF(from[0]) >> 8 * p) & 255u] == count)
                continue;
            ushort all = 0;
            for (uint d = 0; d < BINS; ++d) {
                const ushort here = table[p][d];
                table[p][d] = all;
                all += here;
            }
            for (uint i = 0; i < count; ++i) {
                const A_ITEM item = from[i];
                to[table[p][(uint)(NUMBER_OF(item) >> 8 * p) & 255u]++] = item;
            }
            local A_ITEM *const other = from;
            from = to;
            to = other;
        }
        EACH_VALUE(SET_ASIDE)
        for (uint i = 0; i < count; ++i) {
            const A_ITEM item = from[i];
            const INDEX to = begin + next[SEGMENT_OF(item)]++;
            home[to] = unordered(NUMBER_OF(item), flip);
            EACH_VALUE(PUT_TILE_VALUE)
        }
    }
    RETURN;
}

#else

// The words of a bit for each item, at most as many as work-items.
#define WORDS ((TILE_PACKS + 31) / 32)

// The values are set aside, because they are stored where they were. (In registers, across a barrier: PoCL 3.1 makes wrong
// code of that.)
#if INDICES
#define SET_ASIDE(k)
#define PUT_TILE_VALUE(k) home##k[begin + at] = VALUE_AT(k, begin + INDEX_OF(shared[at]));
#else
#define SET_ASIDE(k) spare##k[begin + at] = VALUE_AT(k, begin + at);
#define PUT_TILE_VALUE(k) home##k[begin + at] = spare##k[begin + INDEX_OF(shared[at])];
#endif

#if FEW
#if VALUES
typedef A_ITEM FEW_ITEM;
#define FEW_TAG(number, index) TAG(0, number, index)
#define FEW_LAST TAG(0xffffu, LAST_KEY, 0xffffu)
#define FEW_LESS(a, b) LESS(a, b)
#define TILE_NUMBER(item) NUMBER_OF(item)
#else
// Equal keys cannot be told apart, so there are no indices.
typedef KEY FEW_ITEM;
#define FEW_TAG(number, index) (number)
#define FEW_LAST LAST_KEY
#define FEW_LESS(a, b) ((a) < (b))
#define TILE_NUMBER(item) (item)
#endif

// Sorts at most FEW items, stably. Neighbours in the wrong order change places, in FEW rounds: an odd-even transposition
// sort.
static inline void sort_few(local FEW_ITEM *items, const uint count)
{
    FEW_ITEM own[FEW];
#pragma unroll
    for (uint j = 0; j < FEW; ++j)
        own[j] = j < count ? items[j] : FEW_LAST;
#pragma unroll
    for (uint round = 0; round < FEW; ++round) {
#pragma unroll
        for (uint j = round % 2; j + 1 < FEW; j += 2) {
            const FEW_ITEM a = own[j], b = own[j + 1];
            const bool wrong = FEW_LESS(b, a);
            own[j] = wrong ? b : a;
            own[j + 1] = wrong ? a : b;
        }
    }
#pragma unroll
    for (uint j = 0; j < FEW; ++j)
        if (j < count)
            items[j] = own[j];
}
#else
#define TILE_NUMBER(item) NUMBER_OF(item)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_segments(PARAMETERS global const KEY *keys, global KEY *home, global KEY *spare, EACH_VALUE(HOME_PARAMETER)
                   global const uint *restrict offsets, global const uint *restrict cells, const ulong flip,
                   const INDEX most)
{
#if FEW
    local FEW_ITEM shared[TILE_PACKS];
#else
    local A_ITEM shared[TILE_PACKS];
    local uint cuts[GROUP], disagree, longest;
    // A bit for each item, 1 if it is the first one of a segment, and the number of such bits in the words before.
    local uint heads[WORDS], before[2][WORDS];
#endif
    // The tile: its segments, and its items. They are equal for all work-items, and compilers for CPUs see that they are.
    local uint tile[4];
    const uint me = get_local_id(0);
    if (me == 0)
        tile[1] = cells[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        if (me == 0) {
            const uint first = tile[1], last = cells[get_group_id(0) + 1];
            tile[0] = first;
            tile[2] = tile[3] = 0;
            if (first < last) {
                const uint end = tile_end(offsets, first, last);
                tile[2] = offsets[first];
                tile[3] = offsets[end] - tile[2];
                // A segment that exceeds a tile is left out.
                tile[1] = max(end, first + 1);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint s = tile[0], e = tile[1], count = tile[3];
        const INDEX begin = tile[2];
        if (s == e)
            break;
#if FEW
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const uint at = k * GROUP + me;
            if (at < count)
                shared[at] = FEW_TAG(ordered(keys[begin + at], flip), at);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ulong t = (ulong)s + me; t < e; t += GROUP)
            sort_few(shared + (offsets[t] - begin), offsets[t + 1] - offsets[t]);
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        if (me < WORDS)
            heads[me] = 0;
        if (me == 0)
            longest = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ulong t = (ulong)s + me; t < e; t += GROUP) {
            const uint at = (uint)(offsets[t] - begin), length = offsets[t + 1] - offsets[t];
            if (length > 0 && at < count) {
                atomic_or(&heads[at / 32], 1u << at % 32);
                atomic_max(&longest, length);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint phase = 0;
        if (me < WORDS)
            before[0][me] = popcount(heads[me]);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint distance = 1; distance < WORDS; distance *= 2) {
            if (me < WORDS)
                before[1 - phase][me] = before[phase][me] + (me >= distance ? before[phase][me - distance] : 0);
            phase = 1 - phase;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#pragma unroll
        for (uint k = 0; k < PACKS; ++k) {
            const uint at = k * GROUP + me;
            if (at < count) {
                const uint here = heads[at / 32], up_to = popcount(here & ((2u << at % 32) - 1));
                const uint segment = before[phase][at / 32] - popcount(here) + up_to - 1;
                shared[at] = TAG(segment, ordered(keys[begin + at], flip), at);
            }
        }
        const uint widest = longest;
        barrier(CLK_LOCAL_MEM_FENCE);
        sort_tile(ARGUMENTS shared, cuts, &disagree, count, widest);
#endif
#if VALUES
#pragma unroll 1
        for (uint at = me; at < count; at += GROUP) {
            EACH_VALUE(SET_ASIDE)
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
        if (count == TILE_PACKS) {
#pragma unroll
            for (uint k = 0; k < PACKS; ++k) {
                const uint at = k * GROUP + me;
                home[begin + at] = unordered(TILE_NUMBER(shared[at]), flip);
                EACH_VALUE(PUT_TILE_VALUE)
            }
        } else {
#pragma unroll 1
            for (uint at = me; at < count; at += GROUP) {
                home[begin + at] = unordered(TILE_NUMBER(shared[at]), flip);
                EACH_VALUE(PUT_TILE_VALUE)
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}

#endif
