//! Who divides by the number of points.

/// What results are divided by. A transform there and back multiplies by the number of points n; somebody has to
/// divide by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// Nobody, as FFTW and `rustfft` have it: back and forth is n times what there was.
    None,
    /// The inverse transform divides by n, as NumPy and MATLAB have it.
    #[default]
    Inverse,
    /// The forward transform divides by n.
    Forward,
    /// Each divides by the root of n, which makes both unitary.
    Root,
}

impl Normalization {
    pub(crate) fn scale(self, inverse: bool, points: f64) -> f64 {
        match (self, inverse) {
            (Normalization::Inverse, true) | (Normalization::Forward, false) => 1.0 / points,
            (Normalization::Root, _) => 1.0 / points.sqrt(),
            _ => 1.0,
        }
    }
}
