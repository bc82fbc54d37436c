//! Sparse matrices on any OpenCL device, fused with lazy expressions.

mod host;
mod index;
mod matrix;
mod product;
pub mod solve;

pub use host::HostCsr;
pub use index::Index;
