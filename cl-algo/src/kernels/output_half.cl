// The half of a product that is computed: the lower half if OUTPUT is 1, the upper half if it is 2, and all of it if it is 0.
//
// IS_STORED is true for an item in this half. IS_LEFT_OUT is true for the tile of LEFT_WIDTH rows and WIDTH columns from `row`
// and `column` on, if this half has no item of it.

#if OUTPUT == 1
#define IS_STORED(row, column) ((column) <= (row))
#define IS_LEFT_OUT(row, column) ((column) >= (row) + LEFT_WIDTH)
#elif OUTPUT == 2
#define IS_STORED(row, column) ((column) >= (row))
#define IS_LEFT_OUT(row, column) ((row) >= (column) + WIDTH)
#else
#define IS_STORED(row, column) true
#define IS_LEFT_OUT(row, column) false
#endif
