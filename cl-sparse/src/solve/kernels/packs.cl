// The macros of `element_pack`, which works on a pack of items:
// - VALUE, WIDE: the type of a pack, and of the same pack with the type of sums; WIDEN converts a VALUE to a WIDE.
// - NAMED: the name of the function for packs.
// - LOADED, SIDE, FACTOR: the step's input, the right-hand side, and the preconditioner's factor, at index i.
// - AT: the pack of a vector at index i.
#define VALUE PACK_ITEM
#define WIDE REAL_PACK
#define WIDEN TO_REAL_PACK
#define NAMED(name) name##_pack
#define LOADED(i) LOAD_PACK(i)
#define SIDE(i) B_LOAD_PACK(i)
#define FACTOR(i) F_LOAD_PACK(i)
#define AT(vector, i) (((global PACK_ITEM *)(vector))[i])
