//! Operators and methods of types that devices do not know.

use cl_algo::num_complex::Complex;
use cl_algo::{Element, F32x4, device_fn};

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(transparent)]
struct Metres(f32);

impl Metres {
    fn new(x: f32) -> Metres {
        Metres(x * 1000.0)
    }
}

impl std::ops::Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + 2.0 * other.0)
    }
}

impl std::ops::AddAssign for Metres {
    fn add_assign(&mut self, other: Metres) {
        self.0 += 2.0 * other.0;
    }
}

impl From<f32> for Metres {
    fn from(x: f32) -> Metres {
        Metres(2.0 * x)
    }
}

trait Root {
    fn sqrt(self) -> Self;
}

impl Root for F32x4 {
    fn sqrt(self) -> F32x4 {
        self.map(f32::sqrt)
    }
}

#[device_fn]
fn of_a_newtype(a: Metres, b: Metres) -> Metres {
    a + b
}

#[device_fn]
fn assigned(a: Metres) -> Metres {
    let mut b = a;
    b += a;
    b
}

#[device_fn]
fn compared(a: Metres, b: Metres) -> bool {
    a == b
}

#[device_fn]
fn of_tuples(a: f32, b: f32) -> bool {
    (a, b) == (b, a)
}

#[device_fn]
fn converted(x: f32) -> Metres {
    Metres::from(x)
}

#[device_fn]
fn constructed(x: f32) -> Metres {
    Metres::new(x)
}

#[device_fn]
fn method(x: F32x4) -> F32x4 {
    x.sqrt()
}

#[device_fn]
fn ordered(a: F32x4, b: F32x4) -> bool {
    a < b
}

#[device_fn]
fn bits(a: F32x4, b: F32x4) -> F32x4 {
    a & b
}

#[device_fn]
fn of_another_width(z: Complex<f32>, x: f64) -> Complex<f32> {
    z * x
}

fn main() {}
