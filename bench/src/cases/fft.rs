//! Fourier transforms: batched, in place, and of real numbers.

use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Fft, Normalization, Problem, Real, RealFft};
use cl_test::fourier::plan_f64;
use rustfft::FftDirection;

/// The number of transforms that are compared with the host's.
const COMPARED: usize = 2;

/// Transforms complex numbers in place: `n` points in all, in lines of `points`.
pub(super) fn complex<T: Real + Number + Into<f64>>(
    queue: &Queue,
    n: usize,
    points: usize,
) -> Result<Step, Failure>
where
    Complex<T>: Element,
{
    let batch = n / points;
    // The division by the root of the number of points keeps the numbers from growing over repeated
    // transforms.
    let problem = Problem::new([points]).batch(batch);
    let fft = Fft::<T>::c2c(queue, problem)?.normalized(Normalization::Root);
    let at = |i: usize| Complex::new(value::<T>(2 * i), value::<T>(2 * i + 1));
    let mut x = DeviceVec::from_fn(queue, points * batch, at)?;
    fft.forward_in_place(&mut x)?;
    for line in compared(batch) {
        let got = x.slice(line * points..(line + 1) * points).collect()?.to_vec()?;
        let given: Vec<Complex<f64>> = (0..points).map(|i| widened(at(line * points + i))).collect();
        check::<T>(&got, &transformed(&given), points)?;
    }
    Ok(Box::new(move || fft.forward_in_place(&mut x)))
}

/// Transforms complex numbers in place: `n` points in arrays of this shape.
pub(super) fn of_shape<const RANK: usize>(
    queue: &Queue,
    n: usize,
    shape: [usize; RANK],
) -> Result<Step, Failure> {
    let points = shape.iter().product();
    let batch = n / points;
    let fft = Fft::<f32>::c2c(queue, Problem::new(shape).batch(batch))?.normalized(Normalization::Root);
    let at = |i: usize| Complex::new(value::<f32>(2 * i), value::<f32>(2 * i + 1));
    let mut x = DeviceVec::from_fn(queue, points * batch, at)?;
    fft.forward_in_place(&mut x)?;
    for array in compared(batch) {
        let got = x.slice(array * points..(array + 1) * points).collect()?.to_vec()?;
        let given: Vec<Complex<f64>> = (0..points).map(|i| widened(at(array * points + i))).collect();
        check::<f32>(&got, &transformed_along_all(given, &shape), points)?;
    }
    Ok(Box::new(move || fft.forward_in_place(&mut x)))
}

/// Transforms real numbers into half of their spectra.
pub(super) fn real(queue: &Queue, n: usize, points: usize) -> Result<Step, Failure> {
    let (batch, half) = (n / points, points / 2 + 1);
    let problem = Problem::new([points]).batch(batch);
    let fft = RealFft::<f32>::new_on(queue, problem)?.normalized(Normalization::Root);
    let x = DeviceVec::from_fn(queue, points * batch, value::<f32>)?;
    let mut spectra = DeviceVec::filled(queue, Complex::new(0.0_f32, 0.0), half * batch)?;
    fft.forward_into(&mut spectra, &x)?;
    for line in compared(batch) {
        let got = spectra.slice(line * half..(line + 1) * half).collect()?.to_vec()?;
        let given: Vec<Complex<f64>> =
            (0..points).map(|i| Complex::new(value::<f64>(line * points + i), 0.0)).collect();
        check::<f32>(&got, &transformed(&given)[..half], points)?;
    }
    Ok(Box::new(move || fft.forward_into(&mut spectra, &x)))
}

/// Returns a number from -1/2 to 1/2 that both types represent exactly.
fn value<T: Real>(index: usize) -> T {
    let bits = (index as u32).wrapping_mul(0x9E37_79B1);
    T::rounded(f64::from((bits ^ (bits >> 15)) >> 8) / f64::from(1 << 24) - 0.5)
}

/// Returns the indices of the first and the last transforms.
fn compared(batch: usize) -> impl Iterator<Item = usize> {
    (0..COMPARED.min(batch)).map(move |at| if at == 0 { 0 } else { batch - at })
}

fn widened<T: Real + Into<f64>>(z: Complex<T>) -> Complex<f64> {
    Complex::new(z.re.into(), z.im.into())
}

/// Returns the transform by another library, divided by the root of its length.
fn transformed(given: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let mut points = given.to_vec();
    plan_f64(given.len(), FftDirection::Forward).process(&mut points);
    let scale = 1.0 / (given.len() as f64).sqrt();
    points.iter().map(|z| z * scale).collect()
}

/// Transforms an array's lines along each of its axes in turn, the last axis first.
fn transformed_along_all(mut array: Vec<Complex<f64>>, shape: &[usize]) -> Vec<Complex<f64>> {
    let mut stride = 1;
    for &len in shape.iter().rev() {
        for first in (0..array.len()).filter(|i| i / stride % len == 0) {
            let line: Vec<_> = array[first..].iter().step_by(stride).take(len).copied().collect();
            let targets = array[first..].iter_mut().step_by(stride);
            targets.zip(transformed(&line)).for_each(|(target, value)| *target = value);
        }
        stride *= len;
    }
    array
}

/// Returns an error unless rounding explains the difference.
fn check<T: Real + Into<f64>>(
    got: &[Complex<T>],
    expected: &[Complex<f64>],
    points: usize,
) -> Result<(), Failure> {
    let wrong: f64 = got.iter().zip(expected).map(|(&a, b)| (widened(a) - b).norm_sqr()).sum();
    let all: f64 = expected.iter().map(Complex::norm_sqr).sum();
    let unit = if T::BYTES == 4 { 2.0_f64.powi(-24) } else { 2.0_f64.powi(-53) };
    let (error, allowed) = ((wrong / all).sqrt(), 6.0 * unit * (points as f64).log2().sqrt());
    // The comparison also rejects NaN.
    if got.len() == expected.len() && error <= allowed {
        return Ok(());
    }
    Err(format!("wrong result: the relative error is {error:.1e}, at most {allowed:.1e} is allowed").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_spectrum_is_found() {
        let given: Vec<_> = (0..16).map(|i| Complex::new(value::<f64>(i), 0.0)).collect();
        let exact = transformed(&given);
        let mut single: Vec<_> = exact.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
        assert!(check(&single, &exact, 16).is_ok());
        single[3].im += 1e-3;
        assert!(check(&single, &exact, 16).is_err() && check(&single[1..], &exact, 16).is_err());
        single[3].im = f32::NAN;
        assert!(check(&single, &exact, 16).is_err());
    }
}
