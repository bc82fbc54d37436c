// The items of a tile of segments as one number each: the number of the segment in the tile, the key, and the index in
// the tile. Uses sort_items.cl.
//
// Value: ITEM_BYTES, the size of such an item, which also affects the shape.

#if KEY_BYTES <= 4
typedef ulong A_ITEM;
#define TAG(segment, number, index) ((ulong)(segment) << 48 | (ulong)(number) << 16 | (index))
#define NUMBER_OF(item) ((KEY)((item) >> 16))
#define INDEX_OF(item) ((uint)(item) & 0xffffu)
#define SEGMENT_OF(item) ((uint)((item) >> 48))
#define LESS(a, b) ((a) < (b))
#else
typedef VOLATILE struct {
    VOLATILE KEY number;
    VOLATILE uint tag;
} A_ITEM;
#define TAG(segment, key, index) ((A_ITEM){ key, (segment) << 16 | (index) })
#define NUMBER_OF(item) (item).number
#define INDEX_OF(item) ((item).tag & 0xffffu)
#define SEGMENT_OF(item) ((item).tag >> 16)
static inline bool is_less(const A_ITEM a, const A_ITEM b)
{
    const uint s = SEGMENT_OF(a), t = SEGMENT_OF(b);
    return (s < t) | ((s == t) & (a.number < b.number));
}
#define LESS(a, b) is_less(a, b)
#endif
