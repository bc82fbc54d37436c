//! The device library: definitions that kernels of any crate may use.
//!
//! A template names them in its own definition ([`Definition::using`](super::Definition::using)), and its text calls what
//! they define. Each text begins with what it needs: macros that the template or its [parameters](super::Parameters) give.
//!
//! | definition | what it gives | what it needs |
//! | --- | --- | --- |
//! | [`SUBGROUP`] | `SUBGROUP_LANE`, `VOTE`, `lane_mask`, `carried_from_lane`, `carried_from_below`, `scan_lanes`: votes, exchange and scans of a sub-group | `SUB_GROUPS` and `SUB_GROUP_WIDTH`, which a parameter [`SubGroups`](super::SubGroups) gives; `CARRIED`, `CARRY` |
//! | [`GROUP_SCAN`] | `scan_subgroups`: totals of the sub-groups of a work-group, scanned | as `SUBGROUP` |
//! | [`ROW_COUNTS`] | `rank_packs`: how many come before each pack of a sub-group | as `SUBGROUP` |
//! | [`LOOK_BACK`] | `TAKE_TILE`, `tell_total`, `find_prefix`, `compute_missing`: what comes before a tile, in one launch | a parameter [`LookBack`](super::LookBack), which has an example; `CARRIED`, `CARRY`, `IN_PLACE`, `tile_total` |
//! | [`LAST_GROUP`] | `DEVICE_FENCE`, `is_last_group`: the work-group that finishes last, and sees what all others have stored | `FENCE` |
//! | [`GROUP_SUMS`] | `sum_group`, `sum_pack`: sums of what work-items, or the components of a pack, have | `SUM`, `SUM_PACK`, `SUMS` |
//! | [`INLINE`] | `INLINE`: the beginning of a function that is inlined at once | |
//! | [`FOLDERS`] | `FOLDERS`: how many work-items combine the values of all | |

pub use crate::kernels::{
    FOLDERS, GROUP_SCAN, GROUP_SUMS, INLINE, LAST_GROUP, LOOK_BACK, ROW_COUNTS, SUBGROUP,
};
