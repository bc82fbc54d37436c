// Small matrices, in private memory on CPUs and in local memory on GPUs.
//
//   CPUs  a work-item has LANES matrices at once: a REALS is a vector with one number of each of them
//   GPUs  WORKERS work-items share a matrix, and a work-group has MATRICES of them; LANES is 1
//
// Requires REAL_BYTES, IS_COMPLEX, LANES, WORKERS, MATRICES and the shape.

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#if REAL_BYTES == 8
#define REAL double
#define FLAG long
#else
#define REAL float
#define FLAG int
#endif
#if LANES > 1
#define REALS PASTE(REAL, LANES)
#define FLAGS PASTE(FLAG, LANES)
#define CHOOSE(condition, yes, no) select((no), (yes), (condition))
#else
#define REALS REAL
#define FLAGS FLAG
#define CHOOSE(condition, yes, no) ((condition) ? (yes) : (no))
#endif

// The number of matrix l, or of row l, of a vector in private memory.
#define LANE(type, numbers, l) (((type *)&(numbers))[l])

#if IS_COMPLEX
typedef VOLATILE struct {
    VOLATILE REALS re;
    VOLATILE REALS im;
} NUMBER;
#define RE(a) ((a).re)
#else
typedef REALS NUMBER;
#define RE(a) (a)
#endif

static inline NUMBER number_of(const REALS re)
{
#if IS_COMPLEX
    const NUMBER number = { re, (REALS)(0) };
    return number;
#else
    return re;
#endif
}

static inline NUMBER conjugate_of(const NUMBER a)
{
#if IS_COMPLEX
    const NUMBER number = { a.re, -a.im };
    return number;
#else
    return a;
#endif
}

static inline NUMBER times(const NUMBER a, const REALS factor)
{
#if IS_COMPLEX
    const NUMBER number = { a.re * factor, a.im * factor };
    return number;
#else
    return a * factor;
#endif
}

// a - b c
static inline NUMBER minus_product(const NUMBER a, const NUMBER b, const NUMBER c)
{
#if IS_COMPLEX
    const NUMBER number = { fma(-b.re, c.re, fma(b.im, c.im, a.re)), fma(-b.re, c.im, fma(-b.im, c.re, a.im)) };
    return number;
#else
    return fma(-b, c, a);
#endif
}

static inline NUMBER product_of(const NUMBER a, const NUMBER b)
{
#if IS_COMPLEX
    const NUMBER number = { a.re * b.re - a.im * b.im, fma(a.re, b.im, a.im * b.re) };
    return number;
#else
    return a * b;
#endif
}

static inline NUMBER chosen(const FLAGS condition, const NUMBER yes, const NUMBER no)
{
#if IS_COMPLEX
    const NUMBER number = { CHOOSE(condition, yes.re, no.re), CHOOSE(condition, yes.im, no.im) };
    return number;
#else
    return CHOOSE(condition, yes, no);
#endif
}

// The absolute value of a real number, |re| + |im| of a complex one.
static inline REALS size_of(const NUMBER a)
{
#if IS_COMPLEX
    return fabs(a.re) + fabs(a.im);
#else
    return fabs(a);
#endif
}

static inline REALS square_of(const NUMBER a)
{
#if IS_COMPLEX
    return fma(a.re, a.re, a.im * a.im);
#else
    return a * a;
#endif
}

// 1 / a, scaled so that squares neither overflow nor underflow.
static inline NUMBER inverse_of(const NUMBER a)
{
#if IS_COMPLEX
    const REALS size = fmax(fabs(a.re), fabs(a.im)), re = a.re / size, im = a.im / size;
    const REALS square = fma(re, re, im * im) * size;
    const NUMBER number = { re / square, -im / square };
    return number;
#else
    return (REALS)(1) / a;
#endif
}

#if CHUNKED
#define SYNC
// A matrix in this work-item's share.
#define ROOM(type, name, rows, columns) type name[rows][columns];
#define ROOMS_OF_WORKERS const uint me = 0;
// Runs the following statement for packs of LANES of this work-item's share of `count` matrices.
#define FOR_EACH_MATRIX(first, count) \
    for (INDEX pack_ = CUT(((count) + LANES - 1) / LANES, get_group_id(0)), \
               last_ = CUT(((count) + LANES - 1) / LANES, get_group_id(0) + 1), first = pack_ * LANES; \
         pack_ < last_; ++pack_, first += LANES)
#define EACH_ELEMENT(i, j, rows, columns) \
    for (uint i = 0; i < (rows); ++i) \
        for (uint j = 0; j < (columns); ++j)
#else
#define SYNC barrier(CLK_LOCAL_MEM_FENCE);
#define ROOM(type, name, rows, columns) \
    local type name##_of_group[MATRICES][rows][(columns) + 1]; \
    local type(*const name)[(columns) + 1] = name##_of_group[get_local_id(0) / WORKERS];
#define ROOMS_OF_WORKERS const uint me = get_local_id(0) % WORKERS;
// All work-items of a group take the same steps, because they wait for each other: beyond the last matrix they compute
// the last one again, and do not store it.
#define FOR_EACH_MATRIX(first, count) \
    for (INDEX pack_ = get_group_id(0), first = pack_ * MATRICES + get_local_id(0) / WORKERS; \
         pack_ < ((count) + MATRICES - 1) / MATRICES; pack_ += get_num_groups(0), first += get_num_groups(0) * MATRICES)
#define EACH_ELEMENT(i, j, rows, columns) \
    for (uint t_ = me, i = t_ / (columns), j = t_ % (columns); t_ < (rows) * (columns); \
         t_ += WORKERS, i = t_ / (columns), j = t_ % (columns))
#endif

// Runs the following statement for this work-item's share of the numbers from `begin` to `end`.
#define FOR_OWN(i, begin, end) for (uint i = (begin) + me; i < (end); i += WORKERS)

#if IS_COMPLEX
#define SET_LANE(number, l, item) \
    { \
        const ITEM item_ = item; \
        LANE(REAL, (number).re, l) = item_.x; \
        LANE(REAL, (number).im, l) = item_.y; \
    }
#define ITEM_OF_LANE(number, l) ((ITEM)(LANE(REAL, (number).re, l), LANE(REAL, (number).im, l)))
#else
#define SET_LANE(number, l, item) LANE(REAL, number, l) = item;
#define ITEM_OF_LANE(number, l) LANE(REAL, number, l)
#endif

// Reads element `at` of the matrices from `first` on, which have `size` elements each.
#define FETCH(number, load, first, count, size, at) \
    { \
        NUMBER fetched_; \
        _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) \
            SET_LANE(fetched_, l_, load(((first) + l_ < (count) ? (first) + l_ : (count)-1) * (size) + (at))) \
        number = fetched_; \
    }
#define PUT(store, number, first, count, size, at) \
    { \
        NUMBER put_ = number; \
        _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) { \
            if ((first) + l_ < (count)) \
                store(((first) + l_) * (size) + (at), ITEM_OF_LANE(put_, l_)); \
        } \
    }
#if CHUNKED
// Reads all elements of the matrices from `first` on into `a`, which gets those with begin <= j < end of each row i. Each
// matrix is read from its beginning to its end, and its numbers become lanes in the first cache. So a processor foresees
// which memory is read next. PACK divides the number of elements.
#define FETCH_ALL(a, rows, columns, begin, end, load, first, count) \
    { \
        ITEM read_[LANES][(rows) * (columns)]; \
        for (uint l_ = 0; l_ < LANES; ++l_) { \
            const INDEX from_ = ((first) + l_ < (count) ? (first) + l_ : (count)-1) * ((rows) * (columns) / PACK); \
            for (uint p_ = 0; p_ < (rows) * (columns) / PACK; ++p_) \
                UNPACK(load(from_ + p_), &read_[l_][p_ * PACK]); \
        } \
        for (uint i = 0; i < (rows); ++i) { \
            for (uint j = (begin); j < (end); ++j) { \
                NUMBER number_; \
                _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) \
                    SET_LANE(number_, l_, read_[l_][i * (columns) + j]) \
                a[i][j] = number_; \
            } \
        } \
    }
// Stores `number`, which depends on i and j, as the elements i, j of the matrices from `first` on.
#define PUT_ALL(store, number, rows, columns, first, count) \
    { \
        ITEM stored_[LANES][(rows) * (columns)]; \
        EACH_ELEMENT(i, j, rows, columns) { \
            NUMBER number_ = number; \
            _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) \
                stored_[l_][i * (columns) + j] = ITEM_OF_LANE(number_, l_); \
        } \
        for (uint l_ = 0; l_ < LANES && (first) + l_ < (count); ++l_) { \
            for (uint p_ = 0; p_ < (rows) * (columns) / PACK; ++p_) \
                store(((first) + l_) * ((rows) * (columns) / PACK) + p_, PACKED(&stored_[l_][p_ * PACK])); \
        } \
    }
#else
#define FETCH_ALL(a, rows, columns, begin, end, load, first, count) \
    EACH_ELEMENT(i, j, rows, columns) { \
        if ((begin) <= j && j < (end)) \
            FETCH(a[i][j], load, first, count, (rows) * (columns), i * (columns) + j) \
    }
#define PUT_ALL(store, number, rows, columns, first, count) \
    EACH_ELEMENT(i, j, rows, columns) \
        PUT(store, number, first, count, (rows) * (columns), i * (columns) + j)
#endif
// Stores a number of each matrix that is not an element of a matrix.
#define PUT_COUNT(store, numbers, first, count, size, at) \
    { \
        FLAGS put_ = numbers; \
        _Pragma("unroll") for (uint l_ = 0; l_ < LANES; ++l_) { \
            if ((first) + l_ < (count)) \
                store(((first) + l_) * (size) + (at), (uint)LANE(FLAG, put_, l_)); \
        } \
    }

// The info of a matrix: 0, or the number of the first bad pivot plus 1, plus NOT_FINITE if that is NaN or infinite.
#define NOT_FINITE 0x10000
#define RECORD(info, is_bad, pivot, k) \
    info = CHOOSE((info) == (FLAGS)(0) && (is_bad), \
                  CHOOSE(isfinite(pivot) != (FLAGS)(0), (FLAGS)((k) + 1), (FLAGS)((k) + 1 + NOT_FINITE)), info)
