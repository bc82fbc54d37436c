//! The division by the number of points.

/// The number that each transform divides its results by. Without a division, a forward transform and an
/// inverse transform after it multiply each point by the number of points, n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Normalization {
    /// Neither transform divides, as in FFTW and `rustfft`: forward and inverse together multiply by n.
    None,
    /// The inverse transform divides by n, as in NumPy and MATLAB.
    #[default]
    Inverse,
    /// The forward transform divides by n.
    Forward,
    /// Each transform divides by the square root of n, which makes both unitary.
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
