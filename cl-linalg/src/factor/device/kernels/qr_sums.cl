// Sums of COLUMNS numbers of each work-item over a work-group of at least as many work-items, in three steps: few barriers,
// few reads by each work-item.

// Work-items that add up the numbers of one column.
#define SHARES (GROUP < 16 ? GROUP : 16)
// The numbers of neighbouring columns are in different banks.
#define PADDED (GROUP + SHARES)
#define PADDED_SHARES (SHARES + 1)
#define PLUS(a, b) ((a) + (b))
#define ROOM_FOR_SUMS local NUMBER partial[COLUMNS * PADDED], shared[COLUMNS * PADDED_SHARES], totals[COLUMNS];
// Makes one of `count` numbers, a power of two: first + distance * i. Every fourth one waits for the same result.
#define COMBINE_SHARE(result, operation, first, distance, count) \
    { \
        NUMBER parts_[4]; \
        _Pragma("unroll") for (uint i_ = 0; i_ < (count); ++i_) \
            parts_[i_ % 4] = i_ < 4 ? (first)[(distance)*i_] : operation(parts_[i_ % 4], (first)[(distance)*i_]); \
        if ((count) > 1) \
            parts_[0] = operation(parts_[0], parts_[1]); \
        if ((count) > 2) \
            parts_[0] = operation(parts_[0], operation(parts_[2], parts_[3])); \
        result = parts_[0]; \
    }
// Writes the sums of `values`, or what another operation makes of them, to `totals`, which is read until the next call.
#define COMBINE(operation, values) \
    { \
        const uint me_ = get_local_id(0); \
        _Pragma("unroll") for (uint c_ = 0; c_ < COLUMNS; ++c_) \
            partial[c_ * PADDED + me_] = values[c_]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        for (uint begin_ = 0; begin_ < COLUMNS * SHARES; begin_ += GROUP) { \
            const uint t_ = begin_ + me_, column_ = t_ / SHARES, share_ = t_ % SHARES; \
            if (t_ < COLUMNS * SHARES) \
                COMBINE_SHARE(shared[column_ * PADDED_SHARES + share_], operation, \
                    partial + column_ * PADDED + share_, SHARES, GROUP / SHARES) \
        } \
        barrier(CLK_LOCAL_MEM_FENCE); \
        if (me_ < COLUMNS) \
            COMBINE_SHARE(totals[me_], operation, shared + me_ * PADDED_SHARES, 1, SHARES) \
        barrier(CLK_LOCAL_MEM_FENCE); \
    }

// sum + a b
static inline NUMBER plus_product(const NUMBER sum, const NUMBER a, const NUMBER b)
{
#if COMPLEX
    return (NUMBER)(fma(-a.y, b.y, fma(a.x, b.x, sum.x)), fma(a.y, b.x, fma(a.x, b.y, sum.y)));
#else
    return fma(a, b, sum);
#endif
}
