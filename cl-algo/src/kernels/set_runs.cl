// Set operations on two sorted sequences in one launch, for devices that give each work-item a contiguous
// chunk. Filled in as in set_path.cl; the inputs A_LENGTH and B_LENGTH, one number each; the output. Uses
// set_path.cl and look_back.cl. The kernel stores *count. No more than `limit` items are stored.
//
// A work-item cuts its tile out of the sequences, and cuts the tile into two pieces. It goes through both
// pieces at once, because they do not wait for each other, and compacts their items in a buffer. Then it looks
// back to learn where they belong in the output.

// A tile has one item more than TILE_PACKS if two partners lie on both sides of its end.
#define ROOM (TILE_PACKS + 1)

static inline INDEX cut_at(PARAMETERS const INDEX tile, INDEX *b_cut)
{
    const INDEX a_length = A_LENGTH_LOAD(0), b_length = B_LENGTH_LOAD(0);
    return balanced_cut(ARGUMENTS 0, 0, a_length, b_length, min(tile * TILE_PACKS, a_length + b_length), b_cut);
}

// The two pieces of a tile: their begins and ends in both sequences.
typedef VOLATILE struct {
    VOLATILE INDEX a, a_middle, a_end, b, b_middle, b_end;
} set_pieces;

static inline set_pieces pieces_of(PARAMETERS const INDEX tile)
{
    INDEX b, b_end, b_middle;
    const INDEX a = cut_at(ARGUMENTS tile, &b);
    INDEX a_end = cut_at(ARGUMENTS tile + 1, &b_end);
    // The bounds matter only if the cuts contradict each other.
    a_end = a + min((INDEX)ROOM, max(a_end, a) - a);
    b_end = b + min(ROOM - (a_end - a), max(b_end, b) - b);
    const INDEX size = (a_end - a) + (b_end - b);
    const INDEX a_middle = a + balanced_cut(ARGUMENTS a, b, a_end - a, b_end - b, size / 2, &b_middle);
    const set_pieces pieces = { a, a_middle, a_end, b, b + b_middle, b_end };
    return pieces;
}

static inline INDEX tile_total(PARAMETERS const INDEX tile, local INDEX *room)
{
    const set_pieces own = pieces_of(ARGUMENTS tile);
    return count_kept(ARGUMENTS own.a, own.a_middle, own.b, own.b_middle, ROOM)
        + count_kept(ARGUMENTS own.a_middle, own.a_end, own.b_middle, own.b_end, ROOM);
}

// Takes the next item, or the next two partners, of the items i of the first sequence and j of the second, and
// stores it at buffer[to] for the moment if it is not kept. No jump depends on data.
#define STEP(i, j, to) \
    do { \
        const A_ITEM first = A_LOAD(i), second = B_LOAD(j); \
        const bool only_second = LESS(second, first), only_first = !only_second & LESS(first, second); \
        buffer[to] = only_second ? second : first; \
        to += only_first ? FIRST : only_second ? SECOND : BOTH; \
        i += !only_second; \
        j += !only_first; \
    } while (0)
// Goes through the rest of a piece.
#define FINISH(i, i_end, j, j_end, to) \
    do { \
        while (i < i_end && j < j_end) \
            STEP(i, j, to); \
        for (; FIRST && i < i_end; ++i) \
            buffer[to++] = A_LOAD(i); \
        for (; SECOND && j < j_end; ++j) \
            buffer[to++] = B_LOAD(j); \
    } while (0)

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void set_runs(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
              volatile global uint *tickets, const uint epoch, const INDEX tiles, const INDEX limit,
              global ulong *count)
{
    // A step stores an item before it is known whether it is kept, so there is room for one item more.
    local A_ITEM buffer[ROOM + 1];
    local INDEX room[1];
    local tile_message shared;
    const INDEX tile = TAKE_TILE(tickets, shared.missing);
    const set_pieces own = pieces_of(ARGUMENTS tile);
    const INDEX a = own.a, a_middle = own.a_middle, a_end = own.a_end;
    const INDEX b = own.b, b_middle = own.b_middle, b_end = own.b_end;

    // Both pieces, each with the items of both sequences that it has left, and its place in the buffer.
    const INDEX border = (a_middle - a) + (b_middle - b);
    INDEX i = a, j = b, to = 0, i_high = a_middle, j_high = b_middle, to_high = border;
    for (;;) {
        const INDEX low_steps = min(a_middle - i, b_middle - j), high_steps = min(a_end - i_high, b_end - j_high);
        const INDEX steps = min(low_steps, high_steps);
        if (steps == 0)
            break;
        for (INDEX step = 0; step < steps; ++step) {
            STEP(i, j, to);
            STEP(i_high, j_high, to_high);
        }
    }
    FINISH(i, a_middle, j, b_middle, to);
    FINISH(i_high, a_end, j_high, b_end, to_high);

    const INDEX total = to + (to_high - border);
    tell_total(totals, tile, total, epoch);
    while (!find_prefix(ARGUMENTS totals, blocks, tile, total, epoch, &shared))
        compute_missing(ARGUMENTS totals, epoch, &shared, room);
    const INDEX before = tile > 0 ? shared.before : 0;
    if (tile + 1 == tiles)
        *count = before + total;
    if (before > limit || total > limit - before) {
        RETURN;
    }
    for (INDEX k = 0; k < to; ++k)
        STORE(before + k, buffer[k]);
    for (INDEX k = border; k < to_high; ++k)
        STORE(before + (to + k - border), buffer[k]);
    RETURN;
}
