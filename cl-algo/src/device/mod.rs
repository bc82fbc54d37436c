//! Devices as data: what the code generator and the algorithms need to know of one.
//!
//! | file | concept |
//! | --- | --- |
//! | `profile` | one description of a device: what it answered, and what trials showed |
//! | `fence` | how work-groups of a launch see each other's writes |
//! | `probe` | trials by small kernels, before anything relies on the device |
//! | `sub_groups` | the back-end and the width of sub-groups |
//! | `shape` | how one kernel divides its work |
//! | `tunable` | what has a shape to choose, with rules by architecture: crates above bring their own |
//! | `shapes` | the rules of this crate's algorithms: one table |
//! | `tuning` | tables of what was measured on single devices, and the user's |
//!
//! Vendor and architecture are `cl_core::Device::architecture`; faults that are known by a driver's name are
//! `cl_core::Quirk`.

mod fence;
mod probe;
pub(crate) mod profile;
mod shape;
pub mod shapes;
pub(crate) mod sub_groups;
mod tunable;
mod tuning;

pub use fence::DeviceFence;
pub use profile::{DeviceProfile, profile};
pub use shape::Shape;
pub(crate) use shape::pack;
pub use sub_groups::SubGroups;
pub use tunable::{Held, Rule, Tunable};
pub use tuning::Tuning;
