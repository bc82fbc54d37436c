// The items that a selection keeps: those for which the operator KEEP is true. If BY_NEIGHBOUR, it keeps an item
// if SAME(before, item) is false for the item before it. IS_KEPT(i, item) tests item i; IS_KEPT_AFTER(before,
// item) tests an item for a caller that has already loaded the item before it.

#if BY_NEIGHBOUR
static inline bool begins_run(PARAMETERS const INDEX i, const ITEM item)
{
    return i == 0 || !SAME(LOAD(i - 1), item);
}
#define IS_KEPT(i, item) begins_run(ARGUMENTS i, item)
#define IS_KEPT_AFTER(before, item) (!SAME(before, item))
#else
#define IS_KEPT(i, item) KEEP(item)
#define IS_KEPT_AFTER(before, item) KEEP(item)
#endif

