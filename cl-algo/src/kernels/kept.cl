// Which items a selection keeps: those for which the operator KEEP is true, or, if BY_NEIGHBOUR, those
// that are not SAME(before, item) as the one before them. IS_KEPT(i, item) asks for item i, and
// IS_KEPT_AFTER(before, item) where the one before is at hand.

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

