//! The device library: definitions that kernels of any crate may use.
//!
//! A template names these definitions in its own definition ([`Definition::using`](super::Definition::using)), and its
//! text calls their macros and functions. Each text begins with its requirements: macros that the template or its
//! [parameters](super::Parameters) must define.
//!
//! | definition | defines | requires |
//! | --- | --- | --- |
//! | [`SUBGROUP`] | `SUBGROUP_LANE`, `VOTE`, `lane_mask`, `carried_from_lane`, `carried_from_below`, `scan_lanes`: votes, exchange and scans of a sub-group | `SUB_GROUPS` and `SUB_GROUP_WIDTH`, which a parameter [`SubGroups`](super::SubGroups) defines; `CARRIED`, `CARRY` |
//! | [`GROUP_SCAN`] | `scan_subgroups`: scans the totals of the sub-groups of a work-group | as `SUBGROUP` |
//! | [`ROW_COUNTS`] | `rank_packs`: the number of items before each pack of a sub-group | as `SUBGROUP` |
//! | [`LOOK_BACK`] | `TAKE_TILE`, `tell_total`, `find_prefix`, `compute_missing`: the combined totals of the tiles before a tile, in one launch | a parameter [`LookBack`](super::LookBack), which has an example; `CARRIED`, `CARRY`, `IN_PLACE`, `tile_total` |
//! | [`LAST_GROUP`] | `DEVICE_FENCE`, `is_last_group`: the work-group that finishes last, and sees everything that the others have stored | `FENCE` |
//! | [`GROUP_SUMS`] | `sum_group`, `sum_pack`: sums of the values of work-items, or of the components of a pack | `SUM`, `SUM_PACK`, `SUMS` |
//! | [`INLINE`] | `INLINE`: the beginning of a function that is always inlined | |
//! | [`DOUBLE_UNITS`] | `UNIT_LINE`, `UNIT_STEP`, `MULTIPLY_TILES`: products of small matrices of doubles by the matrix units of GPUs | a device that [`multiplies_doubles`](super::multiplies_doubles) |
//! | [`FOLDERS`] | `FOLDERS`: the number of work-items that combine the values of all | |

pub use crate::kernels::{
    DOUBLE_UNITS, FOLDERS, GROUP_SCAN, GROUP_SUMS, INLINE, LAST_GROUP, LOOK_BACK, ROW_COUNTS, SUBGROUP,
};
