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
//! | [`Fft`] | complex numbers to complex numbers, there and back, in place or not |
//! | [`RealFft`] | real numbers to half of their spectrum, and back, in place or not |
//! | [`Problem`] | lengths, axes, batch, strides and distances; zero padding and cropping; rows for real transforms in place |
//! | [`Normalization`] | who divides by the number of points: unless said otherwise, the inverse |
//! | [`Convolution`], [`convolve`], [`correlate`] | with one kernel or many, along all axes |
//! | [`Poisson`] | `∇²u = f` on periodic grids |
//! | [`fftfreq`], [`fftshift`] and their kin | frequencies, and spectra with the lowest in the middle, as expressions |
//! | [`Planner`] | plans, kept with their queue |
//! | [`plan`] | how a transform is done, as a value that can be read without a device |
//!
//! Forward is `X[k] = Σ x[j] e^(-2πi j k / n)`; inverse has the other sign. Inputs are any expression
//! ([`Operand`](cl_algo::Operand)), outputs any [`Sink`](cl_algo::Sink): windows, padding, products of spectra and power
//! spectra are computed inside the first and the last kernel of a transform and cost no pass of their own.
//!
//! # How
//!
//! Lengths without prime factors beyond 13 are products of short transforms in registers, exchanged in the order of
//! Stockham (1966). One kernel does as much as fits into a work-group's local memory, or a core's cache; longer
//! transforms take two or three passes over memory, as in Bailey (1990). Primes `p` for which `p - 1` has small factors are
//! cyclic convolutions by Rader's permutation (1968), all other lengths convolutions with a chirp by Bluestein (1970), both
//! in one kernel where they fit. Real numbers of even length are transformed as half as many complex ones, but for forward
//! transforms too long for two kernels. Factors come from tables that are computed by exact reduction of the angle and rounded
//! once, never from recurrences.
//!
//! # Accuracy
//!
//! The error relative to the result, both in the norm of squares, is at most `1.5 u √log₂ n` for lengths without prime
//! factors beyond 13, where `u` is 2⁻²⁴ for `f32` and 2⁻⁵³ for `f64`, and four times that for others. Tests hold every
//! length from 1 to 2048 to it.
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
