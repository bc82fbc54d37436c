// Messages: words by which work-groups of one launch exchange values. A word is written and read as a whole, and
// past the caches of a compute unit. On NVIDIA's devices volatile does this; other devices need 64-bit atomic
// operations, if they have them. Two neighbouring words, the first of which has an even index, are faster
// together, though each of them is a message of its own. Value: SUB_GROUPS.

#if SUB_GROUPS == 1 || !defined(cl_khr_int64_base_atomics)
#define WRITE_MESSAGE(word, value) (*(word) = (value))
#define READ_MESSAGE(word) (*(word))
#define WRITE_MESSAGES(words, first, second) (*(volatile global ulong2 *)(words) = (ulong2)(first, second))
#define READ_MESSAGES(words) (*(volatile global ulong2 *)(words))
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define WRITE_MESSAGE(word, value) ((void)atom_xchg(word, value))
#define READ_MESSAGE(word) atom_add(word, 0ul)
#define WRITE_MESSAGES(words, first, second) (WRITE_MESSAGE(words, first), WRITE_MESSAGE((words) + 1, second))
#define READ_MESSAGES(words) ((ulong2)(READ_MESSAGE(words), READ_MESSAGE((words) + 1)))
#endif

