// Computes the coefficients of the solution along the basis, with one work-item: solves a triangular system with one
// row for each vector of the basis. Sets COLUMNS to zero, so that the coefficients are added only once.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void solver_triangle(PARAMETERS OUTPUTS global ulong *restrict numbers_, const uint most, global ulong *restrict words)
{
    global slot *state = (global slot *)words, *numbers = (global slot *)numbers_;
    const uint width = state[COLUMNS].word;
    state[WIDTH].word = width;
    state[COLUMNS].word = 0;
    for (uint i = width; i-- > 0;) {
        REAL rest = numbers[G(most, i)].real;
        for (uint k = i + 1; k < width; ++k)
            rest -= numbers[R(most, i, k)].real * numbers[Y(most, k)].real;
        numbers[Y(most, i)].real = rest / numbers[R(most, i, i)].real;
    }
    RETURN;
}
