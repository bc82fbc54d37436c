//! How products are done, as values that can be read without a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `facts` | what counts of a device |
//! | `statistics` | what counts of a matrix: how long its rows are |
//! | `kernel` | which kernel it is, then |
//! | `layout` | which form of the matrix is the fastest |

mod facts;
mod kernel;
mod layout;
mod statistics;

pub use facts::Facts;
pub use kernel::Kernel;
pub(crate) use kernel::LARGEST_ITEM;
pub use layout::Layout;
pub use statistics::RowStatistics;
