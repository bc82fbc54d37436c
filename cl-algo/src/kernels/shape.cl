// The division of a range of elements among work-items. Only this text knows about the shape.
//
// A pack is PACK neighbouring elements, loaded and stored at once. A tile is GROUP work-items times PACKS packs:
// all loads of a tile are in flight before the first value is used.
//
//   tiled   (GPUs)  the work-groups take one tile after the other in turn; work-items take neighbouring packs, so
//                   that a work-group reads contiguous memory
//   chunked (CPUs)  a work-group is one work-item and owns a contiguous chunk of tiles, because strided access
//                   defeats vectorisers and prefetchers
//
// Given by the generator: ITEM, PACK_ITEM (the vector type of a pack), INDEX, GROUP, PACK, PACKS, CHUNKED;
// PARAMETERS (the leaves, each with a comma), LOAD, LOAD_PACK.

#define TILE_PACKS (GROUP * PACKS)
#define TILE ((INDEX)TILE_PACKS * PACK)

// The index at which the contiguous share of a work-group begins, and that of the group before ends.
#define CUT(count, group) ((INDEX)((ulong)(count) * (group) / get_num_groups(0)))

// Runs the following statement for each of this work-group's share of `count` tiles.
#if CHUNKED
#define FOR_EACH_TILE(tile, count) \
    for (INDEX tile = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); tile < last_; ++tile)
#else
#define FOR_EACH_TILE(tile, count) for (INDEX tile = get_group_id(0); tile < (count); tile += get_num_groups(0))
#endif

// Stores a pack. STREAM_PACK stores it past the caches if STREAM is 1: for vectors so long that they would only
// push other data out of the caches, and because lines that are written as a whole need not be read first.
#define PUT_PACK(place, pack) *(place) = (pack)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define STREAM_PACK(place, pack) __builtin_nontemporal_store(pack, place)
#else
#define STREAM_PACK PUT_PACK
#endif
