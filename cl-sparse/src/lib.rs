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
//! | [`HostCsr`], [`Triplets`] | matrices in host memory: checked, put together entry by entry |
//! | [`generate`] | stencils, bands, random matrices and graphs |
//! | [`Csr`] | compressed rows on a device: where products begin |
//! | [`Coo`] | entries in any order, and several of one place: where matrices of a device's data begin |
//! | [`SparseMatrix`] | what all forms have in common |
//! | [`Ell`], [`Sell`], [`Hybrid`] | forms with entries side by side, for GPUs |
//! | [`Csr::optimize`] | the form in which products are fastest |
//! | [`Csr::times_with`] | products over other semirings: shortest paths, reachability |
//! | [`Csr::times_transposed`] | products with the transpose |
//! | [`Csr::multiply_many`] | products with several vectors at once |
//! | [`add`], [`Csr::transposed`], [`Csr::diagonal`], [`Csr::permute_rows`] | and what else is made of matrices, norms included |
//! | [`solve`] | iterative solvers of linear systems, of real numbers only: `f32` and `f64` |
//! | [`matrix_market`] | files |
//! | [`plan`] | which kernel and which form it is, as values that can be read without a device |
//!
//! # How
//!
//! A product is an expression of `cl-algo`: for each row, its entries are folded, wherever the row is wanted. What is
//! assigned goes by a kernel that suits the matrix: on CPUs each core has contiguous rows; on GPUs a work-item, a few of
//! them, or equal shares of rows and entries, as the mean and the variance of the rows' lengths advise. All of what is
//! done with the product is part of that kernel. No kernel adds to memory by atomic operations: the same product on the
//! same device gives the same bits.
//!
//! # What is to come
//!
//! Products of two sparse matrices, triangular solves, incomplete factorisations, and values that are blocks have rooms
//! of their own that are still empty: `product/sparse`, `solve/triangular`, `solve/incomplete`.
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
