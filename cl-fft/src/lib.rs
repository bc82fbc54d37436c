//! Fast Fourier transforms of any length on any OpenCL device, fused with lazy expressions.
//!
//! ```
//! use cl_algo::{num_complex::Complex, prelude::*};
//! use cl_fft::{Fft, fft, ifft};
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_fn(&queue, 1000, |i| (0.1 * i as f32).sin())?;
//! let k = DeviceVec::from_fn(&queue, 1000, |k| 1.0 / (1.0 + k as f32))?;
//!
//! let spectrum = fft(&queue, complex(&x, 0.0))?; // complex numbers are made inside the transform,
//! let smooth = ifft(&queue, &spectrum * &k)?; // and the product is computed inside this one
//!
//! let rows = Fft::c2c(&queue, cl_fft::Problem::new([250]).batch(4))?; // planned once, run often
//! let mut parts = DeviceVec::filled(&queue, Complex::new(1.0_f32, 0.0), 1000)?;
//! rows.forward_in_place(&mut parts)?;
//! assert_eq!(parts.to_vec()?[250], Complex::new(250.0, 0.0));
//! # Ok(())
//! # }
//! ```
//!
//! | | |
//! | --- | --- |
//! | [`Fft`] | transforms of complex numbers, forward and inverse, in place or not |
//! | [`RealFft`] | transforms of real numbers to half of their spectrum, and back, in place or not |
//! | [`Problem`] | lengths, axes, batch, strides, distances; padding and cropping; rows for real transforms in place |
//! | [`Normalization`] | the transform that divides by the number of points; the inverse by default |
//! | [`Convolution`], [`convolve`], [`correlate`] | convolutions and correlations along all axes |
//! | [`Poisson`] | `∇²u = f` on periodic grids |
//! | [`fftfreq`], [`fftshift`] and similar functions | frequencies, and centred spectra, as expressions |
//! | [`Planner`] | plans, kept with their queue |
//! | `fftn`, `ifftn`, `rfftn`, `irfftn`, `fftn_into`, ... | transforms of arrays of `cl-array` along axes, with the feature `array` |
//! | [`plan`] | the recipe of a transform, a value that can be read without a device |
//!
//! The forward transform is `X[k] = Σ x[j] e^(-2πi j k / n)`; the inverse has the other sign. An input is any
//! expression ([`Operand`](cl_algo::Operand)), and an output is any [`Sink`](cl_algo::Sink). Windows, padding, products
//! of spectra and power spectra are computed inside the first and the last kernel of a transform, and take no extra
//! pass over memory.
//!
//! # Algorithms
//!
//! If a length has no prime factors beyond 13, the transform consists of short transforms in registers, and
//! the points are exchanged between them in the order of Stockham (1966). One kernel computes as much as fits
//! into a work-group's local memory, or into a core's cache. Longer transforms take two or three passes over
//! memory, as in Bailey (1990). A prime `p` for which `p - 1` has small factors becomes a cyclic convolution
//! by Rader's permutation (1968). All other lengths become convolutions with a chirp by Bluestein (1970).
//! Both kinds of convolution run in one kernel if they fit. Real numbers of even length are transformed as
//! half as many complex numbers, except in forward transforms that are too long for two kernels. Factors come
//! from tables. Table entries are computed by exact reduction of the angle and rounded once, never by
//! recurrences.
//!
//! # Accuracy
//!
//! The error relative to the result, both in the 2-norm, is at most `1.5 u √log₂ n` for lengths without prime factors
//! beyond 13, and four times as large for other lengths. The rounding unit `u` is 2⁻²⁴ for `f32` and 2⁻⁵³ for `f64`.
//! Tests check this bound for every length from 1 to 2048.
//!
//! # Literature
//!
//! - J. W. Cooley, J. W. Tukey, "An algorithm for the machine calculation of complex Fourier series", Math. Comp. 19 (1965)
//! - I. J. Good, "The interaction algorithm and practical Fourier analysis", J. R. Statist. Soc. B 20 (1958)
//! - T. G. Stockham, "High-speed convolution and correlation", AFIPS Spring Joint Computer Conference (1966)
//! - C. M. Rader, "Discrete Fourier transforms when the number of data samples is prime", Proc. IEEE 56 (1968)
//! - L. I. Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", IEEE Trans. Audio
//!   Electroacoust. 18 (1970)
//! - D. H. Bailey, "FFTs in external or hierarchical memory", J. Supercomputing 4 (1990)

#[cfg(feature = "array")]
mod array;
mod convolution;
mod fft;
mod frequency;
mod grid;
mod host;
mod kernels;
mod normalization;
pub mod plan;
mod planner;
mod poisson;
mod real;
mod real_fft;
mod roots;
mod run;
mod short;
mod tables;
mod template;

#[cfg(feature = "array")]
pub use array::{fftn, fftn_into, ifftn, ifftn_into, irfftn, irfftn_into, rfftn, rfftn_into};
pub use convolution::{Convolution, Ends, convolve, correlate};
pub use fft::Fft;
pub use frequency::{fftfreq, fftfreq_along, fftshift, ifftshift, rfftfreq, rfftfreq_along};
pub use normalization::Normalization;
pub use plan::Problem;
pub use planner::Planner;
pub use poisson::Poisson;
pub use real::Real;
pub use real_fft::RealFft;
pub use short::{fft, ifft, irfft, rfft};
