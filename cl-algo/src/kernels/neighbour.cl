// Neighbours in a vector of `length` elements. Offsets are signed: from -length to length.

static inline INDEX clamped_neighbour(const INDEX i, const INDEX offset, const INDEX length)
{
    return (INDEX)clamp((long)i + (SIGNED_INDEX)offset, 0L, (long)length - 1);
}

// The offset is below the length.
static inline INDEX wrapped_neighbour(const INDEX i, const INDEX offset, const INDEX length)
{
    return i < length - offset ? i + offset : i - (length - offset);
}

static inline bool is_inside(const INDEX i, const INDEX offset, const INDEX length)
{
    return (ulong)((long)i + (SIGNED_INDEX)offset) < (ulong)length;
}
