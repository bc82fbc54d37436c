//! Matrices on a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `csr` | compressed rows |
//! | `check` | whether vectors of a device are compressed rows |

mod check;
mod csr;

pub use csr::Csr;
