// Factorises a panel by reflectors I - t v v^H, one for each column, and computes the upper triangular factor T of their
// product I - V T V^H. One work-group does all.
//
// Vector k is 0 above row k, and 1 there. The elements below replace those of the panel. The reflector of a column that
// has zeros below the diagonal is the identity: t = 0. `factor` begins with T at `factor_first`.

// Work-items that add up one inner product, and inner products that are added up at once.
#define LANES (GROUP < 32 ? GROUP : 32)
#define SLOTS (GROUP / LANES)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void factor_qr_panel(PARAMETERS OUTPUTS global NUMBER *matrix, global NUMBER *factors, const INDEX first,
    const INDEX stride, const INDEX factor_first, const INDEX factor_stride, const uint height, const uint width)
{
    local REAL partial[GROUP];
    local NUMBER sums[GROUP];
    local NUMBER products[MOST_COLUMNS];
    const uint me = get_local_id(0), lane = me % LANES, slot = me / LANES;
    global NUMBER *panel = matrix + first, *factor = factors + factor_first;
    for (uint k = 0; k < width; ++k) {
        global NUMBER *own = panel + stride * k;
        // The norm of the elements below the diagonal, by the largest of them.
        REAL largest = 0;
        for (uint i = k + 1 + me; i < height; i += GROUP)
            largest = fmax(largest, LARGEST(own[i]));
        partial[me] = largest;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint reach = GROUP / 2; reach > 0; reach /= 2) {
            if (me < reach)
                partial[me] = fmax(partial[me], partial[me + reach]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        largest = partial[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL sum = 0;
        if (largest > 0) {
            for (uint i = k + 1 + me; i < height; i += GROUP) {
                const NUMBER part = own[i] / largest;
                sum += SQUARE(part);
            }
        }
        partial[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint reach = GROUP / 2; reach > 0; reach /= 2) {
            if (me < reach)
                partial[me] += partial[me + reach];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const REAL tail = largest * sqrt(partial[0]);
        NUMBER head = own[k];
        REAL size = ABSOLUTE(head);
        if (size < SMALLEST) {
            head = ZERO_NUMBER;
            size = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        REAL weight = 0;
        if (tail >= SMALLEST) {
            const REAL norm = hypot(size, tail);
            const NUMBER signed_norm = size > 0 ? SCALED(head / size, norm) : FROM_REAL(norm);
            const NUMBER divisor = head + signed_norm;
            const REAL ratio = tail / ABSOLUTE(divisor);
            weight = 2 / (1 + ratio * ratio);
            head = -signed_norm;
            for (uint i = k + 1 + me; i < height; i += GROUP)
                own[i] = quotient(own[i], divisor);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        // The inner products of the vector with all other columns: of vectors on the left, of columns on the right.
        for (uint begin = 0; begin < width; begin += SLOTS) {
            const uint j = begin + slot;
            NUMBER product_sum = ZERO_NUMBER;
            if (j < width && j != k) {
                global const NUMBER *other = panel + stride * j;
                if (lane == 0)
                    product_sum = other[k];
                for (uint i = k + 1 + lane; i < height; i += LANES)
                    product_sum += TIMES(CONJUGATE(own[i]), other[i]);
            }
            sums[me] = product_sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint reach = LANES / 2; reach > 0; reach /= 2) {
                if (lane < reach)
                    sums[me] += sums[me + reach];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (lane == 0 && j < width)
                products[j] = sums[me];
            // The columns, which are read above, change below.
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
        if (me == 0)
            own[k] = head;
        for (uint j = k + 1; j < width; ++j) {
            global NUMBER *other = panel + stride * j;
            const NUMBER amount = SCALED(products[j], weight);
            if (me == 0)
                other[k] -= amount;
            for (uint i = k + 1 + me; i < height; i += GROUP)
                other[i] -= TIMES(own[i], amount);
        }
        for (uint i = me; i < width; i += GROUP) {
            NUMBER value = i == k ? FROM_REAL(weight) : ZERO_NUMBER;
            for (uint j = i; j < k; ++j)
                value -= SCALED(TIMES(factor[factor_stride * j + i], CONJUGATE(products[j])), weight);
            factor[factor_stride * k + i] = value;
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    }
    RETURN;
}
