// What a device can do at best: read, write, multiply and add, and begin.
//
// WIDTH: lanes of a VECTOR of uint; CHUNKED: a work-group is one work-item with a contiguous share, else
// each of GROUP work-items takes neighbouring vectors, PACKS times; STREAM: writes go past the caches.
// REAL, LANES: the type whose rate is measured, and as many of it as the hardware takes at once.

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
// The number of packs is known, so that the compiler has all of them in flight.
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

// How many elements are the key: everything is read, and next to nothing written.
kernel void count(global const VECTOR *x, const uint vectors, const uint key, global uint *found)
{
    VECTOR hits = 0;
    // A comparison of vectors that holds is -1.
    FOR_EACH(i, vectors) hits -= AS_VECTOR(x[i] == key);
    const uint sum = TOTAL(hits);
    if (sum)
        atomic_add(found, sum);
}

// Values that are not all the same.
kernel void write(global VECTOR *x, const uint vectors, const uint salt)
{
    FOR_EACH(i, vectors) PUT(&x[i], (VECTOR)(i ^ salt));
}

// As little as a kernel can do.
kernel void begin(global uint *mark, const uint value)
{
    *mark = value;
}

#ifdef REAL
#define CHAINS(EACH) EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7)
#define START(k) LANES x##k = (LANES)((REAL)(get_global_id(0) % 16 + k));
#define STEP(k) x##k = x##k * a + b; // compilers may fuse these, and do
#define PUT_CHAIN(k) out[get_global_id(0) * 8 + k] = x##k;

// Eight independent chains of 16 rounds multiplications with additions. With a = -1 two of these leave a
// value as it was, which no compiler knows.
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
