//! The processor that factorises a matrix, and the number of columns of a panel.

use crate::runs_on::RunsOn;
use cl_algo::codegen::profile;
use cl_algo::{DeviceProfile, Element, Rule, Tunable};
use cl_core::{Queue, Result};

/// Choices of a factorisation. What is left open is taken from the tuning tables.
///
/// ```
/// use cl_linalg::prelude::*;
/// use cl_linalg::{FactorSettings, RunsOn};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[4.0_f64, 1.0, 2.0, 3.0])?;
/// let settings = FactorSettings::new().runs_on(RunsOn::Hybrid).panel(32);
/// assert!((a.lu_with(&settings)?.det() - 10.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct FactorSettings {
    runs_on: Option<RunsOn>,
    panel: Option<usize>,
}

impl FactorSettings {
    /// Returns settings that leave all choices open.
    pub fn new() -> FactorSettings {
        FactorSettings::default()
    }

    /// Sets the processor that factorises the matrix.
    pub fn runs_on(self, runs_on: RunsOn) -> FactorSettings {
        FactorSettings { runs_on: Some(runs_on), ..self }
    }

    /// Sets the number of columns of a panel, at least 1 and at most 128, or 1024 for Cholesky factorisations on the device.
    /// Affects speed and the order of roundings only.
    pub fn panel(self, columns: usize) -> FactorSettings {
        FactorSettings { panel: Some(columns), ..self }
    }

    /// Returns the choices for a matrix of `elements` elements.
    pub(crate) fn chosen<T: Element>(
        self,
        what: &Tunable,
        queue: &Queue,
        elements: usize,
    ) -> Result<(RunsOn, usize)> {
        let profile = profile(queue.context())?;
        profile.require(T::TYPE)?;
        let (runs_on, width) = tuned(&profile, what, size_of::<T>(), elements);
        let runs_on = self.runs_on.unwrap_or(runs_on);
        let is_cholesky = what.name() == CHOLESKY.name() && runs_on == RunsOn::Device;
        let most = if is_cholesky { MOST_OF_CHOLESKY } else { MOST_COLUMNS };
        Ok((runs_on, self.panel.unwrap_or(width).clamp(1, most)))
    }
}

/// The bytes of the largest matrix of which the threads of the host compute an LU factorisation, where they are the device:
/// with 1000 rows of `f64`, the host is faster than the device, with 1500 rows it is slower (`docs/performance.md`). It
/// is faster in all sizes for Cholesky and QR.
const HOST_OF_CPU: usize = 16 << 20;
const ANY_SIZE: usize = usize::MAX;

/// The maximal number of columns of a panel: kernels have local memory for one number a column.
pub(crate) const MOST_COLUMNS: usize = 128;

/// The maximal number of columns of a panel of Cholesky factorisations on the device, whose kernels have squares of its columns.
const MOST_OF_CHOLESKY: usize = 1024;

/// The tunable `linalg:lu` of tuning tables. Its rows choose the processor of LU factorisations: matrices of at most "bytes"
/// bytes are factorised on the host. Of larger ones the host factorises the panels if "groups" is 1, and the device if it
/// is 0. "group" is the number of columns of a panel.
pub static LU: Tunable = Tunable::new(
    "linalg:lu",
    &[Rule::gpu().group(128).bytes(HOST_ONLY).groups(0), Rule::cpu().group(64).bytes(HOST_OF_CPU).groups(0)],
);

/// The tunable `linalg:cholesky` of tuning tables, for Cholesky factorisations; as [`LU`].
pub static CHOLESKY: Tunable = Tunable::new(
    "linalg:cholesky",
    &[Rule::gpu().group(256).bytes(HOST_ONLY).groups(0), Rule::cpu().group(128).bytes(ANY_SIZE).groups(0)],
);

/// The tunable `linalg:qr` of tuning tables, for QR factorisations; as [`LU`].
pub static QR: Tunable = Tunable::new(
    "linalg:qr",
    &[Rule::gpu().group(96).bytes(HOST_ONLY).groups(0), Rule::cpu().group(48).bytes(ANY_SIZE).groups(1)],
);

/// The bytes of the largest matrix that goes to the host as a whole, where the device is not the host's processor: an H200
/// is faster than its host from 64 rows of `f64` on, the smallest number that was measured.
const HOST_ONLY: usize = 16 << 10;

/// Returns the processor and the number of columns of a panel by the row of a tuning table, else by the rule.
fn tuned(profile: &DeviceProfile, what: &Tunable, size: usize, elements: usize) -> (RunsOn, usize) {
    let (tuning, rule) = (profile.tuning(what, size), profile.rule(what, size));
    let bytes = tuning.bytes.unwrap_or_else(|| rule.held_bytes(size, 1));
    let runs_on = match tuning.groups.or(rule.groups) {
        _ if elements.saturating_mul(size) <= bytes => RunsOn::Host,
        Some(0) => RunsOn::Device,
        _ => RunsOn::Hybrid,
    };
    (runs_on, tuning.group.unwrap_or(rule.group))
}
