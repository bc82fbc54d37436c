// Packs of more than four small numbers. NVIDIA's compiler would load and store four numbers at a time, far from
// those of the neighbouring work-item, unless it sees words and does not know that they consist of small numbers.
#ifdef cl_nv_pragma_unroll
static inline uint2 kept_uint2(const uint2 words)
{
    uint a = words.x, b = words.y;
    asm("" : "+r"(a), "+r"(b));
    return (uint2)(a, b);
}

static inline uint4 kept_uint4(const uint4 words)
{
    return (uint4)(kept_uint2(words.lo), kept_uint2(words.hi));
}

#define GET_SMALL(type, words, pointer, p) as_##type(kept_##words(((global const words *)(pointer))[p]))
#define PUT_SMALL(put, type, words, pointer, p, pack) ((global words *)(pointer))[p] = kept_##words(as_##words(pack))
#else
#define GET_SMALL(type, words, pointer, p) (((global const type *)(pointer))[p])
#define PUT_SMALL(put, type, words, pointer, p, pack) put((global type *)(pointer) + p, pack)
#endif

