//! Matrices on a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `sparse_matrix` | the trait of all forms |
//! | `csr` | compressed rows |
//! | `coo` | entries in any order |
//! | `ell` | rows padded to one length, with interleaved entries |
//! | `sell` | slices of rows, with interleaved entries, optionally sorted by length |
//! | `hybrid` | rows padded to one length, and the remaining entries of longer rows |
//! | `optimized` | the form with the fastest products |
//! | `check` | validation of compressed rows on a device |
//! | `build` | conversions between forms on the device |
//! | `terms` | the terms of products, for forms with padding |

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

/// Calls a macro with the names of all forms. A new form needs a file, an implementation of [`SparseMatrix`], and its
/// name here.
macro_rules! formats {
    ($each:ident) => {
        $each!(Coo Csr Ell Sell Hybrid Optimized);
    };
}
pub(crate) use formats;
