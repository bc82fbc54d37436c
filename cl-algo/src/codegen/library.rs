//! The device library: definitions that kernels of any crate may use.
//!
//! A template names them in its own definition ([`Definition::using`](super::Definition::using)), and its text calls what
//! they define. Each text begins with what it needs: macros that the template or its [parameters](super::Parameters) give.
//!
//! | definition | what it gives | what it needs |
//! | --- | --- | --- |
//! | [`SUBGROUP`] | `SUBGROUP`, `SUBGROUP_LANE`, `VOTE`, `carried_from_lane`, `carried_from_below`, `scan_lanes`: votes, exchange and scans of a sub-group | `SUB_GROUPS`, `CARRIED`, `CARRY` |
//! | [`GROUP_SCAN`] | `scan_subgroups`: totals of the sub-groups of a work-group, scanned | as `SUBGROUP` |
//! | [`ROW_COUNTS`] | `rank_packs`: how many come before each pack of a sub-group | as `SUBGROUP` |
//! | [`LAST_GROUP`] | `DEVICE_FENCE`, `is_last_group`: the work-group that finishes last, and sees what all others have stored | `FENCE` |
//! | [`GROUP_SUMS`] | `sum_group`, `sum_pack`: sums of what work-items, or the components of a pack, have | `SUM`, `SUM_PACK`, `SUMS` |
//! | [`INLINE`] | `INLINE`: the beginning of a function that is inlined at once | |
//! | [`FOLDERS`] | `FOLDERS`: how many work-items combine the values of all | |
//! | [`MESSAGE`] | `TELL`, `HEAR`: words that work-groups of one launch send each other | `SUB_GROUPS` |
//! | [`LOOK_BACK`] | `find_prefix`, `tell_total`: what comes before a tile, in one launch, with bounded spins | as `SUBGROUP`; `tile_total`, `SPINS`, `STALLED`, `IN_PLACE` |
//! | [`TAKE_TILE`] | `TAKE_TILE`: the tile of a work-group | `TICKETS` |

pub use crate::kernels::{
    FOLDERS, GROUP_SCAN, GROUP_SUMS, INLINE, LAST_GROUP, LOOK_BACK, MESSAGE, ROW_COUNTS, SUBGROUP, TAKE_TILE,
};
