// Packs that begin at any element. PoCL's vload16 loads two elements at a time, so a CPU gets one load of the whole pack
// instead. Seven neighbours of a sum of two arrays of 2^24 floats took 54 ms of processor time with vload16, and take 32.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define LOOSE_PACK(type, width, pointer) \
    (((global const VOLATILE struct __attribute__((packed, aligned(sizeof(type)))) { VOLATILE type##width pack; } *) \
        (pointer))->pack)
#else
#define LOOSE_PACK(type, width, pointer) vload##width(0, pointer)
#endif

