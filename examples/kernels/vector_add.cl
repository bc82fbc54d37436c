// sum[i] = x[i] + y[i], one work-item an element.
kernel void vector_add(global const float *x, global const float *y, global float *sum) {
    const size_t i = get_global_id(0);
    sum[i] = x[i] + y[i];
}
