//! Fourier transforms on the host, by `rustfft`.
//!
//! A planner of `rustfft` compiles thousands of functions into each program that makes one. The planners live
//! here, so that they are compiled once.

use rustfft::{Fft, FftDirection, FftPlanner};
use std::sync::Arc;

/// Plans a transform of `points` numbers of `f32`; the result is not scaled.
pub fn plan_f32(points: usize, direction: FftDirection) -> Arc<dyn Fft<f32>> {
    FftPlanner::new().plan_fft(points, direction)
}

/// Plans a transform of `points` numbers of `f64`; the result is not scaled.
pub fn plan_f64(points: usize, direction: FftDirection) -> Arc<dyn Fft<f64>> {
    FftPlanner::new().plan_fft(points, direction)
}
