// Puts the items of each pair of units in the order of two keys of a sample, in place: first the items below both, then
// those from one key to the other, then those above both. So nearly all items are on the right side of an element
// whose key lies between the two, and the others, the suspects, are the last items of the first unit and the first
// items of the second one. Counts the keys below and up to the two keys, and copies the items between them: the
// candidates of a selection by order. See radix_select.cl and exchange.cl.
//
// On an H200 a kernel that did this with a work-group for each pair made nth_element 1.2 times as slow as exchanges of all
// items. So it is for devices that give each work-item a contiguous chunk.
//
// Filled in: the input, of keys as unsigned numbers; the output, which is where the input lies. Values: PAIR, the largest
// number of items of a pair; ITEM_BYTES, the size of an item. Uses radix_counts.cl and units.cl.
//
// `certain` has the number of items of each unit that are not suspects on the first side, and that are on the second. `lists`
// has three lists of items for each work-group.

// The number of items that are compared before any of them is moved.
#define BLOCK 512
// The room of a list of a pair's items: vectors of at most 16 items are stored as a whole.
#define LIST (PAIR + 16)

// x86's instruction that moves the chosen elements of a vector to its front, where compilers offer it. Other devices
// move one item after the other.
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if defined(__AVX512F__) && ITEM_BYTES == 4 && __has_builtin(__builtin_ia32_compresssi512_mask)
#define WIDTH 16
typedef int all_items __attribute__((vector_size(64)));
#define LOAD_ALL(from) __builtin_astype(vload16(0, from), all_items)
#define STORE_ALL(to, items) vstore16(__builtin_astype(items, uint16), 0, to)
#define LESS_MASK(a, b) (ushort)__builtin_ia32_ucmpd512_mask(a, b, 1, -1)
#define COMPRESSED(items, mask) __builtin_ia32_compresssi512_mask(items, items, mask)
#elif defined(__AVX512F__) && ITEM_BYTES == 8 && __has_builtin(__builtin_ia32_compressdi512_mask)
#define WIDTH 8
typedef long all_items __attribute__((vector_size(64)));
#define LOAD_ALL(from) __builtin_astype(vload8(0, from), all_items)
#define STORE_ALL(to, items) vstore8(__builtin_astype(items, ulong8), 0, to)
#define LESS_MASK(a, b) (uchar)__builtin_ia32_ucmpq512_mask(a, b, 1, -1)
#define COMPRESSED(items, mask) __builtin_ia32_compressdi512_mask(items, items, mask)
#else
#define WIDTH 1
#endif

#if WIDTH > 1
#define MOVE_STEP(k)                                                             \
    do {                                                                         \
        const all_items step = LOAD_ALL(block + (k));                            \
        const uint first = LESS_MASK(step, lows), last = LESS_MASK(highs, step); \
        const uint rest = ((1u << WIDTH) - 1) & ~(first | last);                 \
        STORE_ALL(split + less, COMPRESSED(step, first));                        \
        STORE_ALL(above + greater, COMPRESSED(step, last));                      \
        STORE_ALL(inside + between, COMPRESSED(step, rest));                     \
        less += popcount(first);                                                 \
        greater += popcount(last);                                               \
        between += popcount(rest);                                               \
    } while (0)
#endif

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void radix_split(PARAMETERS OUTPUTS global const ulong *numbers, volatile global uint *counts, global ITEM *keys,
                 const uint room, global uint *certain, const uint pairs, const INDEX first_share,
                 const INDEX second_share, const INDEX middle, const INDEX length, global ITEM *lists)
{
    ITEM block[BLOCK];
    // Not in private memory: Intel's runtime keeps 16 copies of that on the stack of one of the program's threads.
    global ITEM *restrict split = lists + get_group_id(0) * 3 * LIST, *restrict above = split + LIST,
                *restrict inside = above + LIST;
    const ITEM low = (ITEM)numbers[0], high = max((ITEM)numbers[1], low);
#if WIDTH > 1
    ITEM same[2][WIDTH];
    for (uint k = 0; k < WIDTH; ++k) {
        same[0][k] = low;
        same[1][k] = high;
    }
    const all_items lows = LOAD_ALL(same[0]), highs = LOAD_ALL(same[1]);
#endif
    uint all[4] = { 0, 0, 0, 0 };
    for (uint pair = CUT(pairs, get_group_id(0)), last = CUT(pairs, get_group_id(0) + 1); pair < last; ++pair) {
        const INDEX first = FIRST_BEGIN(pair), second = SECOND_BEGIN(pair);
        const uint size = (uint)(FIRST_BEGIN(pair + 1) - first);
        const uint total = size + (uint)(SECOND_BEGIN(pair + 1) - second);
        uint less = 0, greater = 0, between = 0;
        for (uint side = 0; side < 2; ++side) {
            const uint end = side ? total - size : size;
            const INDEX from = side ? second : first;
            for (uint begin = 0; begin < end; begin += BLOCK) {
                const uint present = min((uint)BLOCK, end - begin);
                uint moved = 0;
                if (present == BLOCK)
                    for (uint k = 0; k < BLOCK; ++k)
                        block[k] = LOAD(from + begin + k);
                else
                    for (uint k = 0; k < present; ++k)
                        block[k] = LOAD(from + begin + k);
#if WIDTH > 1
                for (; moved + WIDTH <= present; moved += WIDTH)
                    MOVE_STEP(moved);
#endif
                // Each item is stored at all three places, and the next one takes the wrong two of these.
                for (; moved < present; ++moved) {
                    const ITEM item = block[moved];
                    const uint is_first = item < low ? 1 : 0, is_last = item > high ? 1 : 0;
                    split[less] = item;
                    above[greater] = item;
                    inside[between] = item;
                    less += is_first;
                    greater += is_last;
                    between += 1 - is_first - is_last;
                }
            }
        }
        uint equal_low = 0, equal_high = 0;
        for (uint k = 0; k < between; ++k) {
            const ITEM item = inside[k];
            split[less + k] = item;
            equal_low += item == low ? 1 : 0;
            equal_high += item == high ? 1 : 0;
        }
        for (uint k = 0; k < greater; ++k)
            split[less + between + k] = above[k];
        for (uint k = 0; k < size; ++k)
            STORE(first + k, split[k]);
        for (uint k = size; k < total; ++k)
            STORE(second + (k - size), split[k]);
        certain[pair] = min(less, size);
        certain[pairs + pair] = min(greater, total - size);
        all[0] += less;
        all[1] += less + equal_low;
        all[2] += total - greater - equal_high;
        all[3] += total - greater;
        if (low < high && between > equal_low + equal_high) {
            uint to = atomic_add(&counts[INSIDE_COUNT], between - equal_low - equal_high);
            for (uint k = 0; k < between; ++k) {
                const ITEM item = inside[k];
                if (item > low && item < high) {
                    if (to < room)
                        keys[to] = item;
                    ++to;
                }
            }
        }
    }
    for (uint bound = 0; bound < 4; ++bound)
        if (all[bound] > 0)
            atomic_add(&counts[BELOW_LOW + bound], all[bound]);
    RETURN;
}
