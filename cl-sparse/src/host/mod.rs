//! Matrices in host memory.

mod csr;

pub use csr::HostCsr;
