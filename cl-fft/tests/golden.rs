//! Golden kernels: the kernels that each recorded device gets for transforms, compared with the files in `golden`. No
//! full text is kept, because each is longer than 100 KB.
#![allow(clippy::semicolon_if_nothing_returned)] // the last expression of a case may return a value or not

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::Result;
use cl_fft::{Convolution, Ends, Planner, Poisson, Problem, Real, convolve, fft, fftshift, ifft, rfft};
use cl_test::golden::{Case, check, check_devices, without_case};
use cl_test::golden_cases;

/// Transforms `points` complex numbers, forward and back.
fn complex<T: Real>(queue: &Queue, problem: Problem, points: usize) -> Result<()>
where
    Complex<T>: Element,
{
    let plan = Planner::new(queue).c2c::<T>(problem)?;
    let x = DeviceVec::filled(queue, <Complex<T> as Element>::zeroed(), points)?;
    plan.inverse(&plan.forward(&x)?).map(drop)
}

/// Transforms `points` real numbers, forward and back.
fn real<T: Real>(queue: &Queue, problem: Problem, points: usize) -> Result<()>
where
    Complex<T>: Element,
{
    let plan = Planner::new(queue).real::<T>(problem)?;
    let x = DeviceVec::filled(queue, <T as Element>::zeroed(), points)?;
    plan.inverse(&plan.forward(&x)?).map(drop)
}

/// Transforms one line of complex numbers.
fn line<T: Real>(queue: &Queue, n: usize) -> Result<()>
where
    Complex<T>: Element,
{
    complex::<T>(queue, Problem::new([n]), n)
}

const CASES: &[Case] = golden_cases! {
    "1 point, f32": |q| line::<f32>(q, 1)?;
    "1024 points, f32": |q| line::<f32>(q, 1024)?;
    "1024 points, f64": |q| line::<f64>(q, 1024)?;
    "4096 points, f32": |q| line::<f32>(q, 4096)?;
    "65536 points, f32": |q| line::<f32>(q, 1 << 16)?;
    "2^20 points, f32": |q| line::<f32>(q, 1 << 20)?;
    "2^18 points, f64": |q| line::<f64>(q, 1 << 18)?;
    "360 points, f32": |q| line::<f32>(q, 360)?;
    "1001 points, f32": |q| line::<f32>(q, 1001)?;
    "3^9 points, f32": |q| line::<f32>(q, 19_683)?;
    "a prime by Rader, 257 points": |q| line::<f32>(q, 257)?;
    "a prime by Bluestein, 1019 points": |q| line::<f32>(q, 1019)?;
    "a long prime, 100003 points": |q| line::<f32>(q, 100_003)?;
    "a thousand lines of 64 points": |q| complex::<f32>(q, Problem::new([64]).batch(1000), 64_000)?;
    "two axes, 256 x 128": |q| complex::<f32>(q, Problem::new([256, 128]), 256 * 128)?;
    "two axes, 1024 x 1024": |q| complex::<f32>(q, Problem::new([1024, 1024]), 1 << 20)?;
    "three axes, 32 x 48 x 20, f64": |q| complex::<f64>(q, Problem::new([32, 48, 20]), 32 * 48 * 20)?;
    "the first of two axes": |q| complex::<f32>(q, Problem::new([128, 100]).axes([0]), 12_800)?;
    "in place": |q| {
        let mut x = DeviceVec::filled(q, Complex::new(1.0_f32, 0.0), 4096)?;
        Planner::new(q).c2c::<f32>(Problem::new([4096]))?.forward_in_place(&mut x)?
    };
    "real, 1024 points, f32": |q| real::<f32>(q, Problem::new([1024]), 1024)?;
    "real, 1023 points, f32": |q| real::<f32>(q, Problem::new([1023]), 1023)?;
    "real, 2^20 points, f32": |q| real::<f32>(q, Problem::new([1 << 20]), 1 << 20)?;
    "real, two axes, 256 x 256, f64": |q| real::<f64>(q, Problem::new([256, 256]), 1 << 16)?;
    "real, padded from 100 to 256": |q| {
        let x = DeviceVec::filled(q, 1.0_f32, 100)?;
        Planner::new(q).real::<f32>(Problem::new([256]).padded_from([100]))?.forward(&x)?
    };
    "fused: numbers made and spectra used": |q| {
        let x = DeviceVec::filled(q, 1.0_f32, 1000)?;
        let spectrum = fft(q, cl_algo::complex(&x, 0.0))?;
        ifft(q, &spectrum * &x)?
    };
    "fused: a window": |q| {
        let x = DeviceVec::filled(q, 1.0_f32, 1000)?;
        rfft(q, &x * (index::<u32>().cast::<f32>() * 0.01))?
    };
    "convolution, 1000 and 20": |q| {
        let (x, h) = (DeviceVec::filled(q, 1.0_f32, 1000)?, DeviceVec::filled(q, 1.0_f32, 20)?);
        convolve(&x, &h, Ends::Same)?
    };
    "convolution with four kernels, two axes": |q| {
        let x = DeviceVec::filled(q, 1.0_f32, 64 * 64)?;
        Convolution::many(q, [64, 64], 1.0_f32, [5, 5], 4, Ends::Full)?.apply(&x)?
    };
    "Poisson, 64 x 64": |q| Poisson::new(q, [64, 64], [1.0_f32, 1.0])?.solve(&DeviceVec::filled(q, 1.0_f32, 4096)?)?;
    "shifted spectra": |q| fftshift(&DeviceVec::filled(q, 1.0_f32, 1001)?, [7, 143]).collect()?;
};

#[test]
fn golden_kernels_are_those_that_are_kept() {
    let package = env!("CARGO_MANIFEST_DIR");
    let texts = check(package, env!("CARGO_TARGET_TMPDIR"), CASES, &[]);
    assert_eq!(without_case(package, &texts), [""; 0], "a kernel has no case");
}

#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() {
    check_devices(CASES);
}
