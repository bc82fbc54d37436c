//! Sparse matrices on any OpenCL device, fused with lazy expressions.

mod host;
mod index;
mod matrix;
pub mod plan;
mod product;
pub mod solve;

pub use host::{HostCsr, InvalidMatrix, Triplets, generate};
pub use index::Index;
pub use matrix::Csr;
