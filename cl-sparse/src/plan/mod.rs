//! The choice of kernels and forms, as values that can be read without a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `limits` | the properties of a device that determine the kernels |
//! | `statistics` | statistics of the rows' lengths |
//! | `kernel` | the choice of the kernel |
//! | `layout` | the choice of the fastest form of the matrix |

mod kernel;
mod layout;
mod limits;
mod statistics;

pub use kernel::Kernel;
pub(crate) use kernel::LARGEST_ITEM;
pub use layout::Layout;
pub use limits::DeviceLimits;
pub use statistics::RowStatistics;
