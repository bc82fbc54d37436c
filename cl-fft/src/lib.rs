//! Fast Fourier transforms of any length on any OpenCL device.

mod convolution;
mod fft;
mod frequency;
mod grid;
mod normalization;
pub mod plan;
mod planner;
mod poisson;
mod real;
mod real_fft;
mod roots;
mod run;
mod tables;
mod template;

pub use convolution::{Convolution, Ends, convolve, correlate};
pub use fft::Fft;
pub use frequency::{fftfreq, fftfreq_along, fftshift, ifftshift, rfftfreq};
pub use normalization::Normalization;
pub use plan::Problem;
pub use planner::Planner;
pub use poisson::Poisson;
pub use real::Real;
pub use real_fft::RealFft;
