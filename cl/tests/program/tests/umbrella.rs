//! The macros and the re-exports, through `cl` alone.

use cl::algo::{F32x3, codegen};
use cl::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Metres(f32);

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    at: F32x3,
}

#[device_fn]
fn collatz(n: u64) -> u32 {
    let mut n = n;
    let mut steps = 0;
    while n > 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

#[device_fn]
fn longest(of: &[u64]) -> u32 {
    let mut best = 0;
    for i in 0..of.len() {
        best = best.max(collatz(of[i]));
    }
    best
}

fn queue() -> Result<Queue> {
    Queue::on(&Device::first()?)
}

#[test]
fn derived_elements_live_on_devices() -> Result<()> {
    let queue = queue()?;
    let at = F32x3::from([1.0, 2.0, 3.0]);
    let mut bodies = DeviceVec::from_slice(&queue, &[Body { mass: 2.0, at }, Body { mass: 4.0, at }])?;
    assert_eq!(bodies.mass().sum()?, 6.0);
    bodies.assign_with(|b| b.map(|b| Body::val(b.mass(), b.at() - at)))?;
    assert_eq!(bodies.to_vec()?[1], Body { mass: 4.0, at: F32x3::splat(0.0) });
    let way = DeviceVec::filled(&queue, Metres(3.0), 2)?;
    assert_eq!(way.to_vec()?, [Metres(3.0); 2]);
    Ok(())
}

#[test]
fn functions_are_translated() -> Result<()> {
    let queue = queue()?;
    let numbers = DeviceVec::from_slice(&queue, &[1_u64, 27, 6])?;
    assert_eq!(collatz(&numbers).collect()?.to_vec()?, [0, 111, 8]);
    assert_eq!(longest(&[1, 27, 6]), 111);
    let limit = 2;
    let kept = numbers.iter().map(cl!(|n: u64| if n > limit { n } else { 0 })).collect()?;
    assert_eq!(kept.to_vec()?, [0, 27, 6]);
    Ok(())
}

#[test]
fn definitions_are_declared() {
    cl::algo::definitions! {
        static HALVES = shared("#define HALF(x) ((x) / 2)\n") {
            macros HALF;
        }
    }
    let halves: &codegen::Definition = &HALVES;
    assert_eq!(halves.macros(), ["HALF"]);
}

#[derive(Clone, Copy, codegen::Parameters)]
struct Shape {
    group: u32,
}

#[test]
fn parameters_are_derived() {
    fn fence(parameters: impl codegen::Parameters) -> Option<cl::algo::DeviceFence> {
        parameters.fence()
    }
    assert!(fence(Shape { group: 64 }).is_none());
}

#[test]
fn every_crate_is_there() -> Result<()> {
    use cl::fft::{fft, ifft};
    use cl::random::{Engine, Philox4x32};
    use cl::sparse::{Csr, generate};

    let queue = queue()?;
    let engine: Philox4x32 = Philox4x32::new(7);
    let x = engine.uniform::<f32>().take(64).on(&queue).collect()?;
    let again = ifft(&queue, &fft(&queue, complex(&x, 0.0))?)?.to_vec()?;
    assert!(again.iter().zip(x.to_vec()?).all(|(again, x)| (again.re - x).abs() < 1e-5), "{again:?}");

    let poisson = generate::five_point([8, 8], 4.0_f32, -1.0)?;
    let a: Csr<f32> = Csr::new(&queue, &poisson)?;
    assert_eq!((&a * &x).collect()?.len(), 64);
    Ok(())
}
