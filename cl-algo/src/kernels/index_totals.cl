// Combines the entries of index_tables.cl, table by table, and stores the results of the wanted indices. A
// work-item owns a chunk of the wanted indices.
//
// Filled in: the input, whose only item is the result of an index without items; the input WANTED; the operator
// COMBINE(a, b); the output. Values: HAS_IDENTITY, as there.

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void index_totals(PARAMETERS OUTPUTS global const uint *tables, global const uchar *used, const INDEX wanted,
                  const uint count, const uint table_count)
{
    global const ITEM *const entries = (global const ITEM *)tables;
    const ITEM empty = LOAD(0);
    for (INDEX at = CUT(wanted, get_group_id(0)), end = CUT(wanted, get_group_id(0) + 1); at < end; ++at) {
        const uint of = WANTED_LOAD(at);
        ITEM total = empty;
        bool found = false;
        for (uint table = 0; table < table_count && of < count; ++table) {
            const size_t entry = (size_t)count * table + of;
#if HAS_IDENTITY
            total = found ? COMBINE(total, entries[entry]) : entries[entry];
            found = true;
#else
            if (used[entry]) {
                total = found ? COMBINE(total, entries[entry]) : entries[entry];
                found = true;
            }
#endif
        }
        STORE(at, total);
    }
    RETURN;
}
