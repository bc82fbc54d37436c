// Copies the vectors of a panel's reflectors, with ones on the diagonal and zeros above it. A work-group has a column.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_copy_vectors(PARAMETERS OUTPUTS global const NUMBER *matrix, global NUMBER *copy, const INDEX first,
    const INDEX stride, const uint height)
{
    const uint column = get_group_id(0);
    global const NUMBER *own = matrix + first + stride * column;
    for (uint i = get_local_id(0); i < height; i += GROUP)
        copy[(INDEX)height * column + i] = i > column ? own[i] : i == column ? ONE_NUMBER : ZERO_NUMBER;
    RETURN;
}
