// How a range of elements is divided among work-items: the one place that knows about the shape.
//
// A pack is PACK neighbouring elements, loaded and stored at once. A tile is GROUP work-items
// times PACKS packs: all loads of a tile are in flight before the first value is used.
//
//   tiled   (GPUs)  one tile after the other goes to the work-groups in turn; work-items take
//                   neighbouring packs, so that a work-group reads contiguous memory
//   chunked (CPUs)  a work-group is one work-item and owns a contiguous run of tiles, because
//                   a strided walk defeats vectorisers and prefetchers
//
// Given by the generator: ITEM, PACK_ITEM (the vector type of a pack), INDEX, GROUP, PACK, PACKS,
// CHUNKED; PARAMETERS (the leaves, each with a comma), LOAD, LOAD_PACK.

#define TILE_PACKS (GROUP * PACKS)
#define TILE ((INDEX)TILE_PACKS * PACK)

// Where the contiguous share of a work-group begins, and that of the one before ends.
#define CUT(count, group) ((INDEX)((ulong)(count) * (group) / get_num_groups(0)))

// Runs the following statement for each of this work-group's share of `count` tiles.
#if CHUNKED
#define FOR_EACH_TILE(tile, count) \
    for (INDEX tile = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); tile < last_; ++tile)
#else
#define FOR_EACH_TILE(tile, count) for (INDEX tile = get_group_id(0); tile < (count); tile += get_num_groups(0))
#endif

// Stores a pack. STREAM_PACK does it past the caches if STREAM says so: where vectors are so long
// that they would only push out what is needed, and lines that are written as a whole need not be
// read first.
#define PUT_PACK(place, pack) *(place) = (pack)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define STREAM_PACK(place, pack) __builtin_nontemporal_store(pack, place)
#else
#define STREAM_PACK PUT_PACK
#endif
