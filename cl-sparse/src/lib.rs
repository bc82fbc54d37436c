//! Sparse matrices on any OpenCL device, fused with lazy expressions.

mod host;
mod index;
#[cfg(any(feature = "nalgebra", feature = "sprs"))]
mod interop;
mod matrix;
pub mod matrix_market;
mod ops;
pub mod plan;
mod product;
pub mod solve;

pub use host::{HostCsr, InvalidMatrix, Triplets, generate};
pub use index::Index;
pub use matrix::Csr;
pub use ops::{Magnitude, add};
