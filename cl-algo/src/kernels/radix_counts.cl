// The counts of a selection by order, and the bits of its argument `how`. See radix_select.cl.
//
// `counts` has the numbers of keys below and up to the sample's keys, the number of candidates, the number of stored
// items, the number of listed indices, and a table for each pass. `how` has the number of bits of a key, SAMPLED if there
// are candidates, and OPEN if these have no lower bound.

#define DIGIT_BITS 11
#define BINS (1 << DIGIT_BITS)
#define SAMPLE 16384
// The greatest number of candidates with the same key whose indices are listed.
#define LISTED 1024
#define BELOW_LOW 0
#define UP_TO_LOW 1
#define BELOW_HIGH 2
#define UP_TO_HIGH 3
#define INSIDE_COUNT 4
#define STORED_COUNT 5
#define LISTED_COUNT 6
#define TABLE(pass) (8 + (size_t)(pass) * BINS)
#define KEY_BITS(how) ((how) & 255u)
#define SAMPLED 256
#define OPEN 512
