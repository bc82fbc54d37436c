// Common definitions of the kernels for rows.
//
// The generator defines ITEM; LOAD(k), the value of entry k; COMBINE of two values; INITIAL_LOAD(0), the value of a row
// without entries; and STORE(row, value). Row r has the entries from offsets[r] up to offsets[r + 1].
//
// COMBINE is associative and commutative. The matrix alone determines the order in which values are combined, so the
// same product gives the same bits.

#if WIDE_OFFSETS
typedef ulong OFFSET;
#else
typedef uint OFFSET;
#endif
