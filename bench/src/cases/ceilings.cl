// Kernels that measure the limits of a device: to read, to write, to multiply and add, and to launch.
//
// WIDTH is the number of components of VECTOR, a vector of uint. With CHUNKED, a work-group is one work-item
// with a chunk of consecutive vectors. Otherwise a work-group has GROUP work-items and takes GROUP * PACKS
// consecutive vectors in PACKS steps; in each step, neighbouring work-items take neighbouring vectors. With
// STREAM, writes bypass the caches. REAL is the type whose rate is measured. LANES is a vector of as many
// components as the hardware processes at once.

#define VECTOR_(width) uint##width
#define VECTOR_OF(width) VECTOR_(width)
#define VECTOR VECTOR_OF(WIDTH)
#define AS_(width) as_uint##width
#define AS_OF(width) AS_(width)
#define AS_VECTOR AS_OF(WIDTH)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define PUT(place, value) __builtin_nontemporal_store(value, place)
#else
#define PUT(place, value) *(place) = (value)
#endif

#if CHUNKED
#define CUT(count, group) ((uint)((ulong)(count) * (group) / get_num_groups(0)))
#define FOR_EACH(i, count) \
    for (uint i = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); i < last_; ++i)
#else
// The number of packs is a constant, so that the compiler can load all of them at once.
#define FOR_EACH(i, count) \
    for (uint pack_ = 0, i = (uint)get_group_id(0) * GROUP * PACKS + (uint)get_local_id(0); pack_ < PACKS; \
         ++pack_, i += GROUP) \
        if (i < (count))
#endif

#if WIDTH == 16
#define TOTAL(v) TOTAL8((v).lo + (v).hi)
#define TOTAL8(v) TOTAL4((v).lo + (v).hi)
#else
#define TOTAL(v) TOTAL4(v)
#endif
#define TOTAL4(v) ((v).s0 + (v).s1 + (v).s2 + (v).s3)

// Counts the elements that equal the key: reads everything and writes almost nothing.
kernel void count(global const VECTOR *x, const uint vectors, const uint key, global uint *found)
{
    VECTOR hits = 0;
    // The comparison is -1 in each component that equals the key, and 0 in the others.
    FOR_EACH(i, vectors) hits -= AS_VECTOR(x[i] == key);
    const uint sum = TOTAL(hits);
    if (sum)
        atomic_add(found, sum);
}

// Writes values that are not all the same.
kernel void write(global VECTOR *x, const uint vectors, const uint salt)
{
    FOR_EACH(i, vectors) PUT(&x[i], (VECTOR)(i ^ salt));
}

// Does as little as a kernel can.
kernel void begin(global uint *mark, const uint value)
{
    *mark = value;
}

#ifdef REAL
#define CHAINS(EACH) EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7)
#define START(k) LANES x##k = (LANES)((REAL)(get_global_id(0) % 16 + k));
#define STEP(k) x##k = x##k * a + b; // compilers may fuse the two operations, and do
#define PUT_CHAIN(k) out[get_global_id(0) * 8 + k] = x##k;

// Computes eight independent chains, each of 16 multiply-adds in a round. a is always -1, so two
// multiply-adds restore the value. The compiler cannot know this, because a is an argument, and keeps all
// multiply-adds.
kernel void rate(global LANES *out, const REAL minus_one, const REAL b_, const uint rounds)
{
    const LANES a = (LANES)minus_one, b = (LANES)b_;
    CHAINS(START)
    for (uint round = 0; round < rounds; ++round) {
        #pragma unroll
        for (uint step = 0; step < 16; ++step) {
            CHAINS(STEP)
        }
    }
    CHAINS(PUT_CHAIN)
}
#endif
