// Computes the mean of each pixel and its eight neighbours, channel by channel, rounded down. At the edges the
// sampler repeats the outermost pixels.

kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t edges) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 sum = (uint4)(0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += read_imageui(from, edges, at + (int2)(x, y));
    write_imageui(to, at, sum / 9);
}
