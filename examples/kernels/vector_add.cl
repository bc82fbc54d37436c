// Computes sum[i] = x[i] + y[i], with one work-item for each element.
kernel void vector_add(global const float *x, global const float *y, global float *sum) {
    const size_t i = get_global_id(0);
    sum[i] = x[i] + y[i];
}
