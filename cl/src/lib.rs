//! OpenCL in one dependency: the crates of this workspace under one name.
//!
//! ```
//! use cl::prelude::*;
//!
//! /// The logistic function.
//! #[device_fn]
//! fn logistic(x: f32) -> f32 {
//!     1.0 / (1.0 + (-x).exp())
//! }
//!
//! fn main() -> Result<()> {
//!     let queue = Queue::on(&Device::first()?)?;
//!     let x = DeviceVec::from_slice(&queue, &[-1.0_f32, 0.0, 1.0])?;
//!     let sum = logistic(&x).sum()?;
//!     assert!((sum - 1.5).abs() < 1e-6);
//!     Ok(())
//! }
//! ```
//!
//! | module | crate | feature |
//! | --- | --- | --- |
//! | [`algo`] | `cl-algo`: device vectors, expressions, algorithms, [`#[device_fn]`](algo::device_fn) | |
//! | [`core`] | `cl-core`: devices, queues, buffers, programs, kernels | |
//! | `array` | `cl-array`: arrays of any rank | `array` |
//! | `collections` | `cl-collections`: maps, sets, bits, strings, group-by, joins | `collections` |
//! | `linalg` | `cl-linalg`: dense linear algebra | `linalg` |
//! | `grid` | `cl-grid`: formulas on grids | `grid` |
//! | `random` | `cl-random`: random numbers | `random` |
//! | `fft` | `cl-fft`: Fourier transforms | `fft` |
//! | `sparse` | `cl-sparse`: sparse matrices, iterative solvers | `sparse` |
//!
//! The seven features are on by default. `ndarray`, `nalgebra` and `faer` convert arrays and dense matrices to and from
//! `array`'s, and `nalgebra` and `sprs` convert sparse matrices to and from `sparse`'s. With `array`, `fft` transforms
//! arrays, and `sparse` multiplies by them.
//!
//! A program may depend on the crates instead, one by one; their types are the same.

pub use cl_algo as algo;
#[cfg(feature = "array")]
pub use cl_array as array;
#[cfg(feature = "collections")]
pub use cl_collections as collections;
pub use cl_core as core;
#[cfg(feature = "fft")]
pub use cl_fft as fft;
#[cfg(feature = "grid")]
pub use cl_grid as grid;
#[cfg(feature = "linalg")]
pub use cl_linalg as linalg;
#[cfg(feature = "random")]
pub use cl_random as random;
#[cfg(feature = "sparse")]
pub use cl_sparse as sparse;

/// The names that most programs use: those of [`algo::prelude`], and the errors that its functions return.
///
/// [`Result`](cl_core::Result) has a second parameter with a default, so that `Result<T, E>` still means the standard
/// library's type.
pub mod prelude {
    pub use cl_algo::prelude::*;
    pub use cl_core::{Error, Result};
}
