//! Devices as data: the properties that the code generator and the algorithms need.
//!
//! | file | concept |
//! | --- | --- |
//! | `profile` | the description of a device: its answers, and the results of probes |
//! | `declarations` | declarations of built-in functions, for compilers that would otherwise read all of them |
//! | `fence` | fences by which work-groups of a launch see each other's writes |
//! | `probe` | small kernels that test a device before anything relies on it |
//! | `sub_groups` | the back-end and the width of sub-groups |
//! | `shape` | the numbers that divide a kernel's work |
//! | `tunable` | kernels with a shape to choose, with rules by architecture; other crates add their own |
//! | `shapes` | the rules of this crate's algorithms: one table |
//! | `tuning` | tables of measurements on single devices, built in and the user's |
//!
//! Vendor and architecture are `cl_core::Device::architecture`; faults that are known by a driver's name are
//! `cl_core::Quirk`.

pub(crate) mod declarations;
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
