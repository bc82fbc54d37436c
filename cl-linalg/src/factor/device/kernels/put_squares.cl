// Copies the factors of squares of a panel, which are SQUARE_COLUMNS wide, into the panel. A work-group has a column.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_put_squares(PARAMETERS OUTPUTS global NUMBER *matrix, global const NUMBER *squares, const INDEX first,
    const INDEX stride, const INDEX square_stride, const uint width)
{
    const uint column = get_group_id(0), begin = column / SQUARE_COLUMNS * SQUARE_COLUMNS;
    global NUMBER *own = matrix + first + stride * column;
    global const NUMBER *from = squares + square_stride * (column - begin);
    for (uint i = column + get_local_id(0); i < min(begin + SQUARE_COLUMNS, width); i += GROUP)
        own[i] = from[i];
    RETURN;
}
