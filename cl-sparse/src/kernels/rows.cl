// Common definitions of the kernels for rows.
//
// The generator defines ITEM; LOAD(k), the value of entry k; COMBINE of two values; INITIAL_LOAD(0), the value of a row
// without entries; and STORE(row, value). Row r has the entries from offsets[r] up to offsets[r + 1].
//
// COMBINE is associative and commutative. The order in which values are combined depends on the matrix and on the
// kernel's parameters, but not on timing, so the same product on the same device gives the same bits.

#if WIDE_OFFSETS
typedef ulong OFFSET;
#else
typedef uint OFFSET;
#endif
