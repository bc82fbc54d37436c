// Exchanges of rows of a column in local memory: `upper` are its first `count` rows, and row j of them is exchanged with row
// `rows[j]`. Of the rows further down, each is in `lower`, at its keeper: the first j with this row.

static inline uint keeper_of(local const uint *rows, const uint count, const uint j)
{
    uint keeper = j;
    for (uint i = 0; i < count; ++i)
        keeper = i < keeper && rows[i] == rows[j] ? i : keeper;
    return keeper;
}

static inline void exchange_all(local NUMBER *upper, local NUMBER *lower, local const uint *rows, local const uint *keepers,
    const uint count, const bool backwards)
{
    for (uint step = 0; step < count; ++step) {
        const uint j = backwards ? count - 1 - step : step;
        local NUMBER *other = rows[j] < count ? upper + rows[j] : lower + keepers[j];
        const NUMBER value = upper[j];
        upper[j] = *other;
        *other = value;
    }
}
