// Messages: words by which work-groups of one launch exchange values. A word is written and read as a whole, and
// past the caches of a compute unit. On NVIDIA's devices volatile does this; other devices need 64-bit atomic
// operations, if they have them. Two neighbouring words, the first of which has an even index, are faster
// together, though each of them is a message of its own. Value: SUB_GROUPS.

#if SUB_GROUPS == 1 || !defined(cl_khr_int64_base_atomics)
#define TELL(word, value) (*(word) = (value))
#define HEAR(word) (*(word))
#define TELL_BOTH(words, first, second) (*(volatile global ulong2 *)(words) = (ulong2)(first, second))
#define HEAR_BOTH(words) (*(volatile global ulong2 *)(words))
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define TELL(word, value) ((void)atom_xchg(word, value))
#define HEAR(word) atom_add(word, 0ul)
#define TELL_BOTH(words, first, second) (TELL(words, first), TELL((words) + 1, second))
#define HEAR_BOTH(words) ((ulong2)(HEAR(words), HEAR((words) + 1)))
#endif

