//! Fast Fourier transforms of any length on any OpenCL device.

mod fft;
mod normalization;
pub mod plan;
mod planner;
mod real;
mod real_fft;
mod roots;
mod run;
mod tables;
mod template;

pub use fft::Fft;
pub use normalization::Normalization;
pub use plan::Problem;
pub use planner::Planner;
pub use real::Real;
pub use real_fft::RealFft;
