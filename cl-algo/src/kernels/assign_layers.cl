// Elementwise evaluation of an index space of three axes, whose items read items of another expression, INNER, at neighbouring
// coordinates. A work-item of a CPU walks through the layers of a block, and keeps the layers of INNER that it needs next in
// its own slab of memory, which stays in the caches.
//
// INNER is read at the coordinates of the item, plus 0 to `more_items`, `more_rows` and `more_layers`. The slab is a ring of
// 1 + more_layers layers. Copies of the first more_layers of these lie behind the ring, so that the layers that an item reads
// follow each other. Strides of the slab count LINE elements.
//
// The first argument of BEGIN_ROW shifts the slab's indices: by lines for INNER_STORE, and by elements for the loads of LOAD.

#define LINE 16

// Stores a pack of INNER in the row that begins, and in its copy.
#define KEEP_PACK(p, pack) \
    { \
        const INNER_PACK_ITEM kept = pack; \
        INNER_STORE_PACK((p) - from / PACK, kept); \
        if (is_twice) { \
            BEGIN_ROW(copy, z, y) \
            INNER_STORE_PACK((p) - from / PACK, kept); \
        } \
    }

// Does the same for an item.
#define KEEP_ITEM(i, item) \
    { \
        const INNER_ITEM kept = item; \
        INNER_STORE((i) - from, kept); \
        if (is_twice) { \
            BEGIN_ROW(copy, z, y) \
            INNER_STORE((i) - from, kept); \
        } \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign_layers(SPACE_PARAMETERS OUTPUTS const INDEX begin, const INDEX length, const INDEX kept_length,
    const INDEX rows, const INDEX layers, const INDEX wide, const INDEX tall, const INDEX deep,
    const INDEX more_items, const INDEX more_rows, const INDEX more_layers,
    const INDEX row_stride, const INDEX layer_stride, const INDEX slab_stride,
    const INDEX blocks_across, const INDEX across_upper, const INDEX across_shift,
    const INDEX blocks_down, const INDEX down_upper, const INDEX down_shift, const INDEX units)
{
    for (INDEX unit = CUT(units, get_group_id(0)), end = CUT(units, get_group_id(0) + 1); unit < end; ++unit) {
        const INDEX block = divided(unit, across_upper, across_shift);
        const INDEX left = (unit - block * blocks_across) * wide, right = min(left + wide, length);
        const INDEX part = divided(block, down_upper, down_shift);
        const INDEX top = (block - part * blocks_down) * tall, bottom = min(top + tall, rows);
        const INDEX front = part * deep, back = min(front + deep, layers);
        // The items of INNER, which does not have the items of a row in front of `begin`.
        const INDEX from = left > begin ? (left - begin) / LINE * LINE : 0, to = right - begin + more_items;
        const INDEX last_kept = min((to + PACK - 1) / PACK, kept_length / PACK);
        const INDEX origin = get_group_id(0) * slab_stride - top * row_stride;
        INDEX slot = 0;
        for (INDEX z = front; z < back + more_layers; ++z) {
            const INDEX next = slot == more_layers ? 0 : slot + 1;
            const INDEX place = origin + (slot - z) * layer_stride, copy = place + (more_layers + 1) * layer_stride;
            const bool is_twice = slot < more_layers;
            for (INDEX y = top; y < bottom + more_rows; ++y) {
                BEGIN_ROW(place, z, y)
                for (INDEX p = from / PACK; p < last_kept; ++p)
                    KEEP_PACK(p, INNER_LOAD_PACK(p))
                for (INDEX i = max(from, last_kept * PACK); i < to; ++i)
                    KEEP_ITEM(i, INNER_LOAD(i))
            }
            slot = next;
            if (z < front + more_layers)
                continue;
            // The layer that the slot `next` has is the first of those that the items read.
            const INDEX layer = z - more_layers;
            const INDEX window = (origin + (next - layer) * layer_stride) * LINE - from;
            for (INDEX y = top; y < bottom; ++y) {
                BEGIN_ROW(window, layer, y)
                INDEX first = left / PACK;
                const INDEX last = right / PACK;
                if (begin > 0 && left == 0) {
                    first = (begin + PACK - 1) / PACK;
                    for (INDEX i = begin; i < min(first * PACK, right); ++i)
                        STORE(i, LOAD(i));
                }
                for (INDEX p = first; p < last; ++p)
                    STORE_PACK(p, LOAD_PACK(p));
                for (INDEX i = max(first, last) * PACK; i < right; ++i)
                    STORE(i, LOAD(i));
            }
        }
    }
    RETURN;
}
