//! Matrices in host memory: where the matrices of devices come from, and what their results are compared with.
//!
//! | file | concept |
//! | --- | --- |
//! | `csr` | compressed rows |
//! | `check` | whether given arrays are compressed rows |
//! | `rows` | order and duplicates within rows |
//! | `sum` | sums that do not panic |
//! | `dense` | from and to dense matrices; products |
//! | `counted` | sorting by counting |
//! | `transpose` | the transpose |
//! | `triplets` | matrices that are built entry by entry |
//! | `invalid` | what can be wrong with a matrix |
//! | `generate` | matrices of stencils, bands, graphs and chance |

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
