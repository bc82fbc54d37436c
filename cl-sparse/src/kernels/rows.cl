// What the kernels for rows have in common.
//
// Given by the generator: ITEM, LOAD(k), the value of entry k, and COMBINE of two of them; INITIAL_LOAD(0), the value
// of a row without entries; STORE(row, value). Entries of row r are offsets[r] up to offsets[r + 1].
//
// COMBINE is associative and commutative. Which values it is applied to, and in which order, follows from the matrix
// alone: the same product gives the same bits.

#if WIDE_OFFSETS
typedef ulong OFFSET;
#else
typedef uint OFFSET;
#endif
