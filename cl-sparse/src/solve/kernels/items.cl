// The macros of `element_item`, which works on a single item. packs.cl says what each macro means.
#undef VALUE
#undef WIDE
#undef WIDEN
#undef NAMED
#undef LOADED
#undef SIDE
#undef FACTOR
#undef AT
#define VALUE ITEM
#define WIDE REAL
#define WIDEN (REAL)
#define NAMED(name) name##_item
#define LOADED(i) LOAD(i)
#define SIDE(i) B_LOAD(i)
#define FACTOR(i) F_LOAD(i)
#define AT(vector, i) ((vector)[i])
