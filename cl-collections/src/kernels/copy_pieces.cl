// Copies pieces of the source, one after the other.
//
//   tiled   (GPUs)  a work-group searches for the first and the last piece of a tile, and each work-item between these
//                   two for the piece of its pack
//   chunked (CPUs)  a work-item searches for the piece at which its chunk begins, and then goes from piece to piece
//
// Filled in: the inputs BEGIN, the index in `source` at which each of the `pieces` pieces begins, and OFFSET, the index of
// its first byte in `output`, followed by `length`, the number of bytes of all pieces.

// Returns the piece that has the byte at `at` of the output, one of the pieces from `first` up to and including `last`.
static inline uint piece_at(PARAMETERS const INDEX at, const uint first, const uint last)
{
    uint piece = first;
    for (uint width = last - first + 1; width > 1;) {
        const uint half_width = width / 2;
        const bool is_behind = OFFSET_LOAD(piece + half_width) <= at;
        piece += is_behind ? half_width : 0;
        width = is_behind ? width - half_width : half_width;
    }
    return piece;
}

// The number of bytes that are copied at once on CPUs.
#define BLOCK 16

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void copy_pieces(PARAMETERS OUTPUTS global const uchar *restrict source, global uchar *restrict output,
                 const INDEX source_length, const INDEX length, const uint pieces)
{
#if CHUNKED
    INDEX at = CUT(length, get_group_id(0));
    const INDEX end = CUT(length, get_group_id(0) + 1);
    if (at >= end)
        RETURN;
    uint piece = piece_at(ARGUMENTS at, 0, pieces - 1);
    INDEX skipped = at - OFFSET_LOAD(piece);
    for (; at < end; ++piece) {
        const INDEX stop = min((INDEX)OFFSET_LOAD(piece + 1), end);
        INDEX from = BEGIN_LOAD(piece) + skipped;
        skipped = 0;
        // The last block of a piece may reach into the next pieces of the chunk, which are copied later.
        if ((ulong)stop + BLOCK <= end && (ulong)from + (stop - at) + BLOCK <= source_length) {
            for (; at < stop; at += BLOCK, from += BLOCK)
                vstore16(vload16(0, source + from), 0, output + at);
            at = stop;
        } else {
            for (; at < stop; ++at, ++from)
                output[at] = source[from];
        }
    }
#else
    local uint ends[2];
    const uint me = get_local_id(0);
    const INDEX tiles = (length + TILE - 1) / TILE;
    FOR_EACH_TILE(tile, tiles) {
        const INDEX begin = tile * TILE, behind = min((INDEX)(length - begin), TILE) + begin;
        for (uint k = me; k < 2; k += GROUP)
            ends[k] = piece_at(ARGUMENTS k == 0 ? begin : behind - 1, 0, pieces - 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint row = 0; row < PACKS; ++row) {
            const INDEX pack = tile * TILE_PACKS + row * GROUP + me, at = pack * PACK;
            if (at >= behind)
                break;
            uint piece = piece_at(ARGUMENTS at, ends[0], ends[1]);
            INDEX from = BEGIN_LOAD(piece) + (at - OFFSET_LOAD(piece)), stop = OFFSET_LOAD(piece + 1);
            const uint count = min((INDEX)(behind - at), (INDEX)PACK);
            VOLATILE union { VOLATILE uchar16 pack; VOLATILE uchar byte[PACK]; } copied;
            for (uint k = 0; k < count; ++k, ++from) {
                while (at + k >= stop) {
                    ++piece;
                    from = BEGIN_LOAD(piece);
                    stop = OFFSET_LOAD(piece + 1);
                }
                copied.byte[k] = source[from];
            }
            if (count == PACK) {
                ((global uchar16 *)output)[pack] = copied.pack;
            } else {
                for (uint k = 0; k < count; ++k)
                    output[at + k] = copied.byte[k];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    RETURN;
}
