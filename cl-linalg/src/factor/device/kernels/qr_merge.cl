// Computes the factor T of a panel from those of its strips, of `strip` columns each, and the inner products of vectors
// in different strips, which are above the diagonal. One work-group does all.
//
// Neighbours become one: the factor of two products I - V T V^H with the vectors V, W and the factors T, U has
// -T (V^H W) U in its corner. What is below the diagonal changes on the way, and becomes 0.

#define AT(row, column) factor[factor_stride * (column) + (row)]

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_qr_merge(PARAMETERS OUTPUTS global NUMBER *factors, const INDEX factor_first, const INDEX factor_stride,
    const uint width, const uint strip)
{
    const uint me = get_local_id(0);
    global NUMBER *factor = factors + factor_first;
    for (uint size = strip; size < width; size *= 2) {
        for (uint t = me; t < width * size; t += GROUP) {
            const uint j = t / size, begin = j / size * size;
            if (j / size % 2) {
                const uint i = begin - size + t % size;
                NUMBER sum = ZERO_NUMBER;
                for (uint l = begin; l <= j; ++l)
                    sum += TIMES(AT(i, l), AT(l, j));
                AT(j, i) = sum;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint t = me; t < width * size; t += GROUP) {
            const uint j = t / size, begin = j / size * size;
            if (j / size % 2) {
                const uint i = begin - size + t % size;
                NUMBER sum = ZERO_NUMBER;
                for (uint l = i; l < begin; ++l)
                    sum += TIMES(AT(i, l), AT(j, l));
                AT(i, j) = -sum;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint t = me; t < width * width; t += GROUP)
        if (t % width > t / width)
            AT(t % width, t / width) = ZERO_NUMBER;
    RETURN;
}
