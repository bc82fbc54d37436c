//! Matrices on a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `sparse_matrix` | a matrix, whatever its form |
//! | `csr` | compressed rows |
//! | `coo` | entries in any order |
//! | `ell` | rows of one length, side by side |
//! | `sell` | slices of rows, side by side, that may be sorted by their lengths |
//! | `hybrid` | rows of one length, and what is left of longer ones |
//! | `optimized` | the form in which products are fastest |
//! | `check` | whether vectors of a device are compressed rows |
//! | `build` | matrices made of others on the device |
//! | `terms` | what products add up, where there may be no entry |

mod build;
mod check;
mod coo;
mod csr;
mod ell;
mod hybrid;
mod optimized;
mod sell;
mod sparse_matrix;
mod terms;

pub(crate) use build::{rows_of_entries, statistics};
pub use coo::Coo;
pub use csr::Csr;
pub use ell::Ell;
pub use hybrid::Hybrid;
pub use optimized::Optimized;
pub use sell::Sell;
pub use sparse_matrix::SparseMatrix;
use terms::terms;

/// Calls a macro with the names of all forms. A new form is a file, with an implementation of [`SparseMatrix`], and a name here.
macro_rules! formats {
    ($each:ident) => {
        $each!(Coo Csr Ell Sell Hybrid Optimized);
    };
}
pub(crate) use formats;
