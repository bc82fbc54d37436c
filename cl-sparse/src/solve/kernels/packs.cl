// The definitions for work on packs.
#define VALUE PACK_ITEM
#define WIDE REAL_PACK
#define WIDEN TO_REAL_PACK
#define NAMED(name) name##_pack
#define LOADED(i) LOAD_PACK(i)
#define SIDE(i) B_LOAD_PACK(i)
#define FACTOR(i) F_LOAD_PACK(i)
#define AT(vector, i) (((global PACK_ITEM *)(vector))[i])
