//! The choice of where a decomposition runs.

use super::operator::times;
use crate::error::{Error, Result};
use crate::runs_on::RunsOn;
use crate::scalar::{RealScalar, Scalar, scale_of};
use cl_algo::codegen::profile;
use cl_algo::{Rule, Tunable};
use cl_array::Array;
use cl_core::Queue;

/// Options of [`eigh`](crate::eigh), [`svd`](crate::svd) and the functions that are made of them.
///
/// ```
/// use cl_linalg::{RunsOn, Spectra, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[3.0_f32, 4.0, 4.0, -3.0])?;
/// let values = Spectra::new().runs_on(RunsOn::Device).eigvalsh(&a)?.to_vec()?;
/// assert!((values[0] + 5.0).abs() < 1e-5 && (values[1] - 5.0).abs() < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spectra {
    pub(super) runs_on: Option<RunsOn>,
    pub(super) full: bool,
}

/// The greatest number of rows and of columns, "bytes" of a row of the table, that the host decomposes.
static SPECTRA: Tunable =
    Tunable::new("linalg:spectra", &[Rule::cpu().items(usize::MAX >> 8), Rule::gpu().items(2048)]);

impl Spectra {
    /// Returns the options with the default values.
    #[must_use]
    pub fn new() -> Spectra {
        Spectra::default()
    }

    /// Sets the processor that computes the decomposition.
    #[must_use]
    pub fn runs_on(self, runs_on: RunsOn) -> Spectra {
        Spectra { runs_on: Some(runs_on), ..self }
    }

    /// Makes [`Spectra::svd`] return square matrices of singular vectors.
    #[must_use]
    pub fn full(self) -> Spectra {
        Spectra { full: true, ..self }
    }

    /// Returns whether the host decomposes matrices with `rows` rows and columns.
    pub(super) fn is_on_host<T: Scalar>(&self, queue: &Queue, rows: usize) -> Result<bool> {
        if let Some(runs_on) = self.runs_on {
            return Ok(runs_on == RunsOn::Host);
        }
        let (profile, size) = (profile(queue.context())?, size_of::<T>());
        let most = profile.tuning(&SPECTRA, size).bytes;
        Ok(rows <= most.unwrap_or(profile.rule(&SPECTRA, size).held_items(size, 1)))
    }
}

/// Returns a largest absolute value of a matrix on the host, or an error for numbers that are not finite.
pub(super) fn largest_of<T: Scalar>(operation: &'static str, items: impl Iterator<Item = T>) -> Result<f64> {
    let mut largest = 0.0_f64;
    for item in items {
        let size = item.magnitude().to_f64();
        if !size.is_finite() {
            return Err(Error::NotFinite { operation });
        }
        largest = largest.max(size);
    }
    Ok(largest)
}

/// Returns the elements of a matrix times [`scale_of`] their largest absolute value, and this factor. Squares of the
/// elements then neither overflow nor underflow.
pub(super) fn scaled_on_host<T: Scalar>(mut host: Vec<T>, largest: f64) -> (Vec<T>, f64) {
    let scale = scale_of::<T>(largest);
    let factor = T::from_real(T::Real::from_f64(scale));
    host.iter_mut().for_each(|item| *item *= factor);
    (host, scale)
}

/// Returns the largest absolute value of a matrix on the device, within a factor of two, or an error for numbers that are
/// not finite.
pub(super) fn largest_on_device<T: Scalar>(operation: &'static str, a: &Array<T, 2>) -> Result<f64> {
    // 0 for finite numbers, else NaN.
    let zero: T = times(a, T::zeroed()).sum()?;
    if !zero.magnitude().to_f64().is_finite() {
        return Err(Error::NotFinite { operation });
    }
    Ok(T::largest_part(T::real_parts(a.iter()))?.max(T::largest_part(T::imaginary_parts(a.iter()))?))
}
