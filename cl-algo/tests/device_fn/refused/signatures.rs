//! Signatures.

use cl_algo::device_fn;

#[device_fn]
fn nothing(x: f32) {
    x + 1.0;
}

#[device_fn]
async fn waits(x: f32) -> f32 {
    x
}

#[device_fn]
unsafe fn dares(x: f32) -> f32 {
    x
}

#[device_fn]
fn taken_apart((x, y): (f32, f32)) -> f32 {
    x + y
}

#[device_fn]
fn unnamed(x: impl Copy) -> f32 {
    1.0
}

#[device_fn]
fn named<'a>(x: &'a [f32]) -> f32 {
    x[0]
}

#[device_fn(fast)]
fn with_arguments(x: f32) -> f32 {
    x
}

struct Metres(f32);

impl Metres {
    #[device_fn]
    fn method(self) -> f32 {
        self.0
    }
}

fn main() {}
