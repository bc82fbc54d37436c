//! Which place factorises a matrix, and how many columns a panel has.

use cl_algo::codegen::profile;
use cl_algo::{DeviceProfile, Element, Rule, Tunable};
use cl_core::{Queue, Result};

/// The place in which a matrix is factorised. All places run the same algorithm, and their results are equal to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The host works on the matrix in mapped memory, with all its threads.
    Host,
    /// The device does all the work. Each panel is one work-group's.
    Device,
    /// The host factorises each panel, and the device updates the rest of the matrix.
    Hybrid,
}

/// Choices of a factorisation. What is left open is taken from the tuning tables.
///
/// ```
/// use cl_linalg::prelude::*;
/// use cl_linalg::{FactorSettings, Place};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[4.0_f64, 1.0, 2.0, 3.0])?;
/// let settings = FactorSettings::new().place(Place::Hybrid).panel(32);
/// assert!((a.lu_with(&settings)?.det() - 10.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct FactorSettings {
    place: Option<Place>,
    panel: Option<usize>,
}

impl FactorSettings {
    /// Returns settings that leave all choices open.
    pub fn new() -> FactorSettings {
        FactorSettings::default()
    }

    /// Sets the place.
    pub fn place(self, place: Place) -> FactorSettings {
        FactorSettings { place: Some(place), ..self }
    }

    /// Sets the number of columns of a panel, at least 1 and at most 128. Affects speed and the order of roundings only.
    pub fn panel(self, columns: usize) -> FactorSettings {
        FactorSettings { panel: Some(columns), ..self }
    }

    /// Returns the choices for a matrix of `elements` elements.
    pub(crate) fn chosen<T: Element>(
        self,
        what: &Tunable,
        queue: &Queue,
        elements: usize,
    ) -> Result<(Place, usize)> {
        let profile = profile(queue.context())?;
        profile.require(T::TYPE)?;
        let (place, width) = tuned(&profile, what, size_of::<T>(), elements);
        Ok((self.place.unwrap_or(place), self.panel.unwrap_or(width).clamp(1, MOST_COLUMNS)))
    }
}

/// The maximal number of columns of a panel: kernels have local memory for one number a column.
pub(crate) const MOST_COLUMNS: usize = 128;

/// The tunable `linalg:lu` of tuning tables. Its rows choose the place of LU factorisations: matrices of at most "bytes"
/// bytes are factorised on the host. Of larger ones the host factorises the panels if "groups" is 1, and the device if it
/// is 0. "group" is the number of columns of a panel.
pub static LU: Tunable = Tunable::new(
    "linalg:lu",
    &[Rule::gpu().group(64).bytes(HOST_ONLY).groups(1), Rule::cpu().group(64).bytes(usize::MAX)],
);

/// The tunable `linalg:cholesky` of tuning tables, for Cholesky factorisations; as [`LU`].
pub static CHOLESKY: Tunable = Tunable::new(
    "linalg:cholesky",
    &[Rule::gpu().group(128).bytes(HOST_ONLY).groups(1), Rule::cpu().group(128).bytes(usize::MAX)],
);

/// The tunable `linalg:qr` of tuning tables, for QR factorisations; as [`LU`].
pub static QR: Tunable = Tunable::new(
    "linalg:qr",
    &[Rule::gpu().group(32).bytes(HOST_ONLY).groups(1), Rule::cpu().group(48).bytes(usize::MAX)],
);

/// The bytes of the largest matrix that goes to the host as a whole, where the device is not the host's processor.
const HOST_ONLY: usize = 2 << 20;

/// Returns the place and the number of columns of a panel by the row of a tuning table, else by the rule.
fn tuned(profile: &DeviceProfile, what: &Tunable, size: usize, elements: usize) -> (Place, usize) {
    let (tuning, rule) = (profile.tuning(what, size), profile.rule(what, size));
    let bytes = tuning.bytes.unwrap_or_else(|| rule.held_bytes(size, 1));
    let place = match tuning.groups.or(rule.groups) {
        _ if elements.saturating_mul(size) <= bytes => Place::Host,
        Some(0) => Place::Device,
        _ => Place::Hybrid,
    };
    (place, tuning.group.unwrap_or(rule.group))
}
