//! Matrices in host memory: the source of device matrices, and the reference for their results.
//!
//! | file | concept |
//! | --- | --- |
//! | `csr` | compressed rows |
//! | `check` | validation of compressed rows |
//! | `rows` | order and duplicates within rows |
//! | `sum` | sums that do not panic |
//! | `dense` | conversion from and to dense matrices; products |
//! | `counted` | counting sort |
//! | `transpose` | the transpose |
//! | `triplets` | matrices that are built entry by entry |
//! | `invalid` | the error type for invalid matrices |
//! | `generate` | stencils, bands, graphs and random matrices |

mod check;
mod counted;
mod csr;
mod dense;
pub mod generate;
mod invalid;
mod rows;
pub(crate) mod sum;
mod transpose;
mod triplets;

pub use csr::HostCsr;
pub use invalid::InvalidMatrix;
pub use triplets::Triplets;
