// Numbers keys by hash tables, for devices that give each work-item a contiguous chunk. Keys are unsigned numbers.
//
// STAGE 0: a work-item enters the keys of its chunk in a table of its own, by linear probing, and stores the slot of
// each key. 0 marks empty slots, and the key 0 has a slot of its own behind the others. STAGE 1 replaces each slot by
// the code of its key. Both launches have the same work-groups.
//
// Filled in: the input, of keys. Values: STAGE; WIDE, 1 if codes have 32 bits.

#if WIDE
#define CODE uint
#else
#define CODE ushort
#endif
// The table of a work-group in an array of all tables.
#define TABLE_OF(tables) ((tables) + (((size_t)1 << bits) + 1) * get_group_id(0))

#if STAGE == 0

// Returns a slot below 2^bits.
static inline uint slot_of(const ITEM key, const uint bits)
{
    ulong mixed = (ulong)key * 0x9e3779b97f4a7c15ul;
    mixed ^= mixed >> 32;
    return (uint)(mixed * 0xd6e8feb86659fd93ul >> (64 - bits));
}

// Stores 1 in `failed` if a chunk has more than `most` distinct keys besides 0, or if more steps of probing than keys
// are needed.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void dictionary(PARAMETERS global ITEM *restrict tables, global CODE *restrict codes, volatile global uint *failed,
                const uint bits, const uint most, const INDEX length)
{
    const uint slots = 1u << bits;
    global ITEM *const table = TABLE_OF(tables);
    for (uint slot = 0; slot <= slots; ++slot)
        table[slot] = 0;
    const INDEX begin = CUT(length, get_group_id(0)), end = CUT(length, get_group_id(0) + 1);
    ulong steps = 0;
    const ulong most_steps = (ulong)(end - begin) + most;
    uint found = 0;
    for (INDEX i = begin; i < end; ++i) {
        const ITEM key = LOAD(i);
        uint slot = key == 0 ? slots : slot_of(key, bits);
        ITEM there = table[slot];
        while (there != key && there != 0) {
            slot = (slot + 1) & (slots - 1);
            there = table[slot];
            ++steps;
        }
        codes[i] = (CODE)slot;
        if (there != key) {
            table[slot] = key;
            ++found;
        }
        if (found > most || steps > most_steps) {
            atomic_xchg(failed, 1u);
            break;
        }
    }
    RETURN;
}

#else

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void dictionary(PARAMETERS global const CODE *restrict of_slots, global CODE *restrict codes, const uint bits,
                const INDEX length)
{
    global const CODE *const own = TABLE_OF(of_slots);
    for (INDEX i = CUT(length, get_group_id(0)), end = CUT(length, get_group_id(0) + 1); i < end; ++i)
        codes[i] = own[codes[i]];
    RETURN;
}

#endif
