//! Numbers of the host.

use cl_linalg::Scalar;
use num_complex::Complex;

/// Numbers between -1 and 1, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A number of the host, of any type of elements.
pub(crate) trait Made: Scalar {
    /// Returns the nearest number; the imaginary part of a real number is left out.
    fn made(re: f64, im: f64) -> Self;
    /// Returns the number in double precision.
    fn wide(self) -> Complex<f64>;
}

macro_rules! made {
    ($($real:ty)*) => {$(
        impl Made for $real {
            fn made(re: f64, _: f64) -> $real {
                re as $real
            }
            fn wide(self) -> Complex<f64> {
                Complex::new(f64::from(self), 0.0)
            }
        }
        impl Made for Complex<$real> {
            fn made(re: f64, im: f64) -> Complex<$real> {
                Complex::new(re as $real, im as $real)
            }
            fn wide(self) -> Complex<f64> {
                Complex::new(f64::from(self.re), f64::from(self.im))
            }
        }
    )*};
}

made!(f32 f64);

/// Returns random numbers, the same in each run.
pub(crate) fn random<T: Made>(seed: u64, len: usize) -> Vec<T> {
    let mut numbers = Numbers(seed);
    (0..len).map(|_| T::made(numbers.next(), numbers.next())).collect()
}
