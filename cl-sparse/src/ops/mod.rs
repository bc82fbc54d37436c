//! Operations on matrices on a device, other than products.
//!
//! | file | concept |
//! | --- | --- |
//! | `entries` | entries with their rows, for sorting, and matrices built from such entries |
//! | `sort` | sorted rows, and rows without duplicates |
//! | `transpose` | the transpose |
//! | `add` | sums of two matrices |
//! | `scale` | products with numbers and diagonal matrices |
//! | `sums` | the diagonal, and sums of rows and of columns |
//! | `norms` | norms |
//! | `magnitude` | absolute values of real and complex numbers |
//! | `permute` | reordered rows and columns |

mod add;
mod entries;
mod magnitude;
mod norms;
mod permute;
mod scale;
mod sort;
mod sums;
mod transpose;

pub use add::add;
pub use magnitude::Magnitude;
