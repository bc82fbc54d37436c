// Coordinates of an index space: division by extents.

// Returns n divided by the number that the host has turned into `upper` and `shift`: see lower/quotient.rs.
static inline INDEX divided(const INDEX n, const INDEX upper, const INDEX shift)
{
    const INDEX added = shift & 1 ? upper : 0;
    if (sizeof(INDEX) == 8) {
        const ulong high = mul_hi((ulong)n, (ulong)upper) + ((ulong)n * upper + added < added);
        return (INDEX)(high >> (shift >> 1));
    }
    return (INDEX)(((ulong)n * upper + added) >> 32) >> (shift >> 1);
}
