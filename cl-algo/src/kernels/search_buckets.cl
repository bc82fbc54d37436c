// Buckets of a sorted sequence: the items whose numbers agree in all but some low bits. Numbers are in the order of
// the items, and are counted from that of the first item.

typedef VOLATILE struct {
    VOLATILE ulong first; // the number of the first item
    VOLATILE uint shift;  // the number of low bits
    VOLATILE uint bits;   // there are 2^bits buckets
} bucket_range;

static inline bucket_range range_of(const ulong first, const ulong last, const uint bits)
{
    const uint used = 64 - (uint)clz(last - first);
    const bucket_range range = { .first = first, .shift = used > bits ? used - bits : 0, .bits = bits };
    return range;
}

// Returns the bucket of a number: the first or the last one for a number outside of the range.
static inline uint bucket_of(const bucket_range range, const ulong number)
{
    const ulong bucket = number > range.first ? (number - range.first) >> range.shift : 0;
    return (uint)min(bucket, ((ulong)1 << range.bits) - 1);
}
