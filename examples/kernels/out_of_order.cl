// Two kernels that depend on each other only by the memory that they use.

// One step of a chain: x = 5 x + c.
kernel void next(global uint *x, const uint c) {
    const size_t i = get_global_id(0);
    x[i] = 5 * x[i] + c;
}

// `const` says that a and b are only read, so that other commands that read them need not wait for this one.
kernel void add(global const uint *a, global const uint *b, global uint *sum) {
    const size_t i = get_global_id(0);
    sum[i] = a[i] + b[i];
}
