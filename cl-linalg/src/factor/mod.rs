//! Factorisations: LU, Cholesky and QR, from one source for the host, the device and both.
//!
//! [`algorithms`] has the blocked algorithms. They are generic over [`BlockedOps`], a processor on which matrices are kept and
//! computed with. [`host`], [`device`] and [`hybrid`] are the three places.
//!
//! | file | concept |
//! | --- | --- |
//! | `ops` | the trait of a processor: panels, block updates, triangular solves, exchanges of rows, block reflectors |
//! | `algorithms` | blocked LU, Cholesky, QR and solves, generic over the processor |
//! | `host` | matrices in host memory, by the kernels of faer |
//! | `device` | matrices in device memory |
//! | `hybrid` | panels on the host, everything else on the device |
//! | `settings` | the processor, and the number of columns of a panel |
//! | `matrix` | inputs as matrices in column-major order |
//! | `lu`, `cholesky`, `qr`, `qr_pivoted` | the factorisations |
//! | `condition` | estimates of condition numbers |
//! | `refined` | solves in `f64` by factors in `f32` |
//! | `triangular` | inverses of triangular matrices |
//! | `methods` | the methods of arrays |

mod algorithms;
mod cholesky;
mod condition;
mod device;
mod host;
mod hybrid;
mod lu;
mod matrix;
mod methods;
mod ops;
mod qr;
mod qr_pivoted;
mod refined;
mod settings;
mod triangular;

pub use cholesky::Cholesky;
pub(crate) use host::HostScalar;
pub use lu::Lu;
pub(crate) use matrix::identity;
pub use methods::LinearAlgebra;
pub use qr::Qr;
pub use qr_pivoted::PivotedQr;
pub use refined::SolveRefined;
pub use settings::{CHOLESKY, FactorSettings, LU, QR};
pub(crate) use triangular::triangular_inverse;
