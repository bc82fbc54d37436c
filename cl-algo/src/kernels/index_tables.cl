// Combines the items of each index in tables, for devices that give each work-item a contiguous chunk.
// index_totals.cl combines the tables.
//
// A work-item divides its chunk into PIECES contiguous pieces, and each piece has a table with an entry for each
// index. The pieces are read in turn, so that an entry that was just written is seldom read again soon. Items of
// a piece are combined in their order.
//
// Filled in: the inputs AT, the indices of the items, the items, and INITIAL, a single item; the operator
// COMBINE(a, b). Values: PIECES; HAS_IDENTITY, 1 if INITIAL is the identity of COMBINE. Otherwise `used` tells
// which entries have an item.

// The index at which piece p begins.
#define BEGIN(p) ((INDEX)((ulong)length * (p) / pieces))

// Combines item i with its entry in table p. An index that is too large has no entry.
#define TAKE_ITEM(p, i)                                                                \
    do {                                                                               \
        const uint to = AT_LOAD(i);                                                    \
        const ITEM item = LOAD(i);                                                     \
        if (to < count) {                                                              \
            global ITEM *const entry = mine + (size_t)count * (p) + to;                \
            TAKE_INTO(entry, used + first + (size_t)count * (p) + to, item);           \
        }                                                                              \
    } while (0)

#if HAS_IDENTITY
#define TAKE_INTO(entry, flag, item) *(entry) = COMBINE(*(entry), item)
#else
#define TAKE_INTO(entry, flag, item)                          \
    do {                                                      \
        *(entry) = *(flag) ? COMBINE(*(entry), item) : (item); \
        *(flag) = 1;                                          \
    } while (0)
#endif

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void index_tables(PARAMETERS global uint *tables, global uchar *used, const INDEX length, const uint count)
{
    const uint pieces = get_num_groups(0) * PIECES, own = get_group_id(0) * PIECES;
    const size_t first = (size_t)count * own;
    global ITEM *const mine = (global ITEM *)tables + first;
#if HAS_IDENTITY
    const ITEM identity = INITIAL_LOAD(0);
    for (size_t k = 0; k < (size_t)count * PIECES; ++k)
        mine[k] = identity;
#else
    for (size_t k = 0; k < (size_t)count * PIECES; ++k)
        used[first + k] = 0;
#endif
    INDEX begin[PIECES], end[PIECES], common = length;
#pragma unroll
    for (uint p = 0; p < PIECES; ++p) {
        begin[p] = BEGIN(own + p);
        end[p] = BEGIN(own + p + 1);
        common = min(common, (INDEX)(end[p] - begin[p]));
    }
    for (INDEX j = 0; j < common; ++j)
#pragma unroll
        for (uint p = 0; p < PIECES; ++p)
            TAKE_ITEM(p, begin[p] + j);
#pragma unroll
    for (uint p = 0; p < PIECES; ++p)
        for (INDEX i = begin[p] + common; i < end[p]; ++i)
            TAKE_ITEM(p, i);
    RETURN;
}
