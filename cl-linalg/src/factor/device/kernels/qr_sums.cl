// Sums of COLUMNS numbers of each work-item over a work-group of at least as many work-items, in three steps: few barriers, few reads by each work-item.

// Work-items that add up the numbers of one column.
#define SHARES (GROUP < 16 ? GROUP : 16)
// The numbers of neighbouring columns are in different banks.
#define PADDED (GROUP + SHARES)
#define PLUS(a, b) ((a) + (b))
#define ROOM_FOR_SUMS local NUMBER partial[COLUMNS * PADDED], shared[COLUMNS * SHARES], totals[COLUMNS];
// Writes the sums of `values`, or what another operation makes of them, to `totals`, which is read until the next call.
#define COMBINE(operation, values) \
    { \
        const uint me_ = get_local_id(0); \
        _Pragma("unroll") for (uint c_ = 0; c_ < COLUMNS; ++c_) \
            partial[c_ * PADDED + me_] = values[c_]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        for (uint begin_ = 0; begin_ < COLUMNS * SHARES; begin_ += GROUP) { \
            const uint t_ = begin_ + me_; \
            if (t_ < COLUMNS * SHARES) { \
                local const NUMBER *from_ = partial + t_ / SHARES * PADDED + t_ % SHARES; \
                NUMBER total_ = from_[0]; \
                _Pragma("unroll") for (uint i_ = SHARES; i_ < GROUP; i_ += SHARES) \
                    total_ = operation(total_, from_[i_]); \
                shared[t_] = total_; \
            } \
        } \
        barrier(CLK_LOCAL_MEM_FENCE); \
        if (me_ < COLUMNS) { \
            NUMBER total_ = shared[me_ * SHARES]; \
            _Pragma("unroll") for (uint i_ = 1; i_ < SHARES; ++i_) \
                total_ = operation(total_, shared[me_ * SHARES + i_]); \
            totals[me_] = total_; \
        } \
        barrier(CLK_LOCAL_MEM_FENCE); \
    }
