//! Eigenvalues and singular values.

mod complete;
mod eigen;
pub(crate) mod host;
mod jacobi;
mod kernels;
mod lanczos;
mod operator;
mod options;
mod power;
mod random;
mod svd;

pub use eigen::{Eigh, eigh, eigh_generalized, eigvalsh};
pub use lanczos::{Lanczos, RitzPairs, Wanted};
pub use operator::Operator;
pub use options::Spectra;
pub use power::{Dominant, PowerIteration};
pub use random::RandomizedSvd;
pub use svd::{Svd, pseudo_inverse, singular_values, svd};
