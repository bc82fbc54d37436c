//! Sparse matrices on any OpenCL device, fused with lazy expressions.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::math::sin;
//! use cl_sparse::{Csr, generate};
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let poisson = generate::five_point([100, 100], 4.0_f32, -1.0)?; // on the host
//! let a: Csr<f32> = Csr::new(&queue, &poisson)?;
//! let u = DeviceVec::filled(&queue, 1.0, 10_000)?;
//! let f = DeviceVec::filled(&queue, 0.0, 10_000)?;
//!
//! let residual = (&f - &a * &u).collect()?; // one kernel
//! let mut y = &a * sin(&u); // nothing yet: the vector may be computed, too
//! y = 42.0 * y + &f;
//! let size = (&y * &y).sum()?;
//! # assert_eq!(residual.len(), 10_000);
//! # assert!(size > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! | | |
//! | --- | --- |
//! | [`HostCsr`], [`Triplets`] | matrices in host memory: compressed rows, and matrices built entry by entry |
//! | [`generate`] | stencils, bands, random matrices and graphs |
//! | [`Csr`] | compressed rows on a device: the usual form for products |
//! | [`Coo`] | entries in any order, duplicates allowed: the form to build a matrix from data on a device |
//! | [`SparseMatrix`] | the trait that all forms implement |
//! | [`Ell`], [`Sell`], [`Hybrid`] | forms that interleave the entries of rows, for GPUs |
//! | [`Csr::optimize`] | converts to the form with the fastest products |
//! | [`Csr::times_with`] | products over other semirings: shortest paths, reachability |
//! | [`Csr::times_transposed`] | products with the transpose |
//! | [`Csr::multiply_many`], `Csr::matmul` | products with several vectors at once; as a matrix, with the feature `array` |
//! | [`add`], [`Csr::transposed`], [`Csr::diagonal`], [`Csr::permute_rows`] | operations on matrices; norms and more |
//! | [`solve`] | iterative solvers of linear systems, for real numbers only: `f32` and `f64` |
//! | [`matrix_market`] | reading and writing files |
//! | [`plan`] | the choice of kernel and form, as values that can be read without a device |
//!
//! # How products work
//!
//! A product is an expression of `cl-algo`: the entries of a row are folded wherever the expression needs that row. A
//! product that is assigned uses a kernel that suits the matrix. On CPUs each core gets contiguous rows. On GPUs one
//! work-item or several share a row, or all work-groups get equal shares of rows and entries; the mean and the variance
//! of the rows' lengths decide. Everything that the expression does with the product is part of the same kernel. No
//! kernel uses atomic operations to add to memory, so the same product on the same device gives the same bits.
//!
//! # Not implemented yet
//!
//! Products of two sparse matrices, triangular solves, incomplete factorisations, and values that are blocks. Empty
//! modules are reserved for them: `product/sparse`, `solve/triangular`, `solve/incomplete`.
//!
//! # Literature
//!
//! - N. Bell, M. Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors" (2009)
//! - M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, "A unified sparse matrix data format for efficient
//!   general sparse matrix-vector multiplication on modern processors with wide SIMD units", SIAM J. Sci. Comput. 36 (2014)
//! - D. Merrill, M. Garland, "Merge-based parallel sparse matrix-vector multiplication", SC16 (2016)

mod host;
mod index;
#[cfg(any(feature = "nalgebra", feature = "sprs"))]
mod interop;
mod kernels;
mod matrix;
pub mod matrix_market;
mod ops;
pub mod plan;
mod product;
pub mod solve;

pub use host::{HostCsr, InvalidMatrix, Triplets, generate};
pub use index::Index;
pub use matrix::{Coo, Csr, Ell, Hybrid, Optimized, Sell, SparseMatrix};
pub use ops::{Magnitude, add};
