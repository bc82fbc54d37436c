//! Generators of matrices for computations, comparisons and measurements: stencils on grids, bands, random graphs.
//!
//! | file | matrices |
//! | --- | --- |
//! | `stencil` | stencils of 5, 7, 9 and 27 points, and any others |
//! | `banded` | bands around the diagonal |
//! | `random` | random columns: equally many in each row, or by a power law |
//! | `rmat` | graphs with few vertices of high degree and many of low degree |
//!
//! Random numbers come from a generator of `rand_core`, for instance one of `cl-random`. The same generator in the same
//! state gives the same matrix on every machine.
//!
//! ```
//! use cl_random::{Engine, Philox4x32};
//! use cl_sparse::{HostCsr, generate};
//!
//! let poisson: HostCsr<f64> = generate::five_point([100, 100], 4.0, -1.0)?;
//! assert_eq!(poisson.nonzeros(), 5 * 10_000 - 4 * 100);
//!
//! let mut rng = Philox4x32::<10>::new(1).rng();
//! let random: HostCsr<f32> = generate::uniform(1000, 500, 8, &mut rng, generate::unit_f32)?;
//! assert_eq!(random.nonzeros(), 8000);
//! # Ok::<(), cl_sparse::InvalidMatrix>(())
//! ```

mod banded;
mod random;
mod rmat;
mod stencil;

pub use banded::banded;
pub use random::{PowerLaw, power_law, uniform, unit_f32, unit_f64};
pub use rmat::{RMat, rmat};
pub use stencil::{five_point, nine_point, seven_point, stencil, twenty_seven_point};

#[cfg(test)]
mod tests;
