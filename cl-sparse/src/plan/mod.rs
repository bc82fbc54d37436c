//! The choice of kernels and forms, as values that can be read without a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `facts` | the device limits that matter |
//! | `statistics` | statistics of the rows' lengths |
//! | `kernel` | the choice of the kernel |
//! | `layout` | the choice of the fastest form of the matrix |

mod facts;
mod kernel;
mod layout;
mod statistics;

pub use facts::Facts;
pub use kernel::Kernel;
pub(crate) use kernel::LARGEST_ITEM;
pub use layout::Layout;
pub use statistics::RowStatistics;
