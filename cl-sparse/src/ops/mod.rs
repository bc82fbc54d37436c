//! What is computed of matrices on a device, other than products.
//!
//! | file | concept |
//! | --- | --- |
//! | `entries` | the rows of entries, sorted entries, and rows made of them |
//! | `sort` | sorted rows, and rows without duplicates |
//! | `transpose` | the transpose |
//! | `add` | sums of two matrices |
//! | `scale` | products with numbers and diagonal matrices |
//! | `sums` | the diagonal, and sums of rows |
//! | `norms` | norms |
//! | `magnitude` | absolute values of real and complex numbers |
//! | `gather` | rows and columns in another order |

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
