// Partial results in global memory, as words, because not every type can be a kernel's parameter.

#define WORDS ((sizeof(ITEM) + 3) / 4)

typedef VOLATILE union {
    VOLATILE ITEM value;
    VOLATILE uint word[WORDS];
} item_words;

static inline void put_part(global uint *parts, const INDEX at, const ITEM value)
{
    const item_words words = { .value = value };
    for (uint k = 0; k < WORDS; ++k)
        parts[at * WORDS + k] = words.word[k];
}

static inline ITEM get_part(global const uint *parts, const INDEX at)
{
    item_words words;
    for (uint k = 0; k < WORDS; ++k)
        words.word[k] = parts[at * WORDS + k];
    return words.value;
}

