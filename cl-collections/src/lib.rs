//! Maps, sets, bits, strings and tables in device memory.
//!
//! ```
//! use cl_collections::prelude::*;
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let keys = DeviceVec::from_slice(&queue, &[30_u32, 10, 20])?;
//! let values = DeviceVec::from_slice(&queue, &[3.0_f32, 1.0, 2.0])?;
//! let map = FlatMap::from_pairs(&keys, &values)?;
//!
//! let wanted = DeviceVec::from_slice(&queue, &[10_u32, 11, 30])?;
//! let doubled = (2.0 * map.get_or(&wanted, -1.0)).collect()?; // one kernel, lookups included
//! assert_eq!(doubled.to_vec()?, [2.0, -2.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! | type or function | concept |
//! | --- | --- |
//! | [`FlatMap`], [`FlatSet`] | sorted keys; lookups are lazy expressions |
//! | [`BitVec`] | bits, 32 in a word |
//! | [`Strings`] | UTF-8 strings, in one block of bytes |
//! | [`GroupBy`], [`distinct`], [`value_counts`] | aggregates of the rows with equal keys |
//! | [`inner_join`], [`left_join`] | pairs of rows with equal keys |
//!
//! Collections are made of device vectors, and give them back. An operation that returns a new collection reads its
//! size, and so waits for the device; lookups and other expressions do not.

// | file | concept |
// | --- | --- |
// | `sorted` | keys, and binary searches as device functions |
// | `map`, `set` | maps and sets |
// | `bits` | bits |
// | `strings` | strings |
// | `group_by`, `join` | tables |

mod bits;
mod group_by;
mod group_rows;
mod join;
mod kernels;
mod map;
mod set;
mod sorted;
mod strings;

pub use bits::BitVec;
pub use group_by::{GroupBy, distinct, value_counts};
pub use join::{Join, inner_join, left_join};
pub use map::FlatMap;
pub use set::FlatSet;
pub use sorted::Key;
pub use strings::Strings;

/// The names that most programs use.
pub mod prelude {
    pub use crate::{
        BitVec, FlatMap, FlatSet, GroupBy, Join, Key, Strings, distinct, inner_join, left_join, value_counts,
    };
    pub use cl_algo::prelude::*;
}
