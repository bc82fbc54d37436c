// Look-back that carries runs: goes between key_runs.cl and subgroup.cl.

#define CARRIED run_total
#define CARRY(a, b) join_runs(ARGUMENTS a, b)
#define IN_PLACE 0

#if GROUP > 1 && defined(POCL_DEVICE_ADDRESS_BITS)
// PoCL 3.1 crashes if it chooses to inline this function a second time, for some sizes of run_total.
static inline __attribute__((always_inline)) CARRIED scan_subgroups(PARAMETERS const CARRIED own,
                                                                    local CARRIED *room);
#endif
