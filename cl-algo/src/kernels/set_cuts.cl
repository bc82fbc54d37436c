// Cuts of two sorted sequences into tiles of a set operation. One work-item searches for one cut. Uses
// set_path.cl. This is a launch of its own, in which the searches hide each other's latency.

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void set_cuts(PARAMETERS const INDEX a_length, const INDEX b_length, const INDEX piece, const INDEX count,
              global ulong *cuts)
{
    const INDEX k = get_global_id(0);
    if (k < count) {
        INDEX b_cut;
        const INDEX diagonal = min(k * piece, a_length + b_length);
        const INDEX a_cut = balanced_cut(ARGUMENTS 0, 0, a_length, b_length, diagonal, &b_cut);
        cuts[2 * k] = a_cut;
        cuts[2 * k + 1] = b_cut;
    }
    RETURN;
}
