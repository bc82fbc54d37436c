//! Device functions, functions in OpenCL C, folds of ranges, and items of several elements.
#![allow(clippy::manual_is_multiple_of)] // device functions have operators, and no such method

use super::elements::{BODY, Body};
use super::{LEN, many};
use cl_algo::I32x4;
use cl_algo::Number;
use cl_algo::codegen::Ranges;
use cl_algo::function::{RawFunction, Slice};
use cl_algo::prelude::*;
use cl_test::golden::Case;
use cl_test::golden_cases;
use std::ops::{Add, Mul};

#[device_fn]
fn lennard_jones(r2: f32, depth: f32) -> f32 {
    if r2 > 6.25 {
        return 0.0;
    }
    let s = 1.0 / (r2 * r2 * r2);
    4.0 * depth * s * (s - 1.0)
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
fn horner<T: Number + Add<Output = T> + Mul<Output = T>>(x: T, coefficients: &[T]) -> T {
    let mut sum = coefficients[coefficients.len() - 1];
    for i in (0..coefficients.len() - 1).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

#[device_fn]
fn sorted_pair(a: i32, b: i32) -> (i32, i32) {
    if a < b { (a, b) } else { (b, a) }
}

#[device_fn]
fn median(a: i32, b: i32, c: i32) -> i32 {
    let (low, high) = sorted_pair(a, b);
    let (_, low) = sorted_pair(low, c);
    let (median, _) = sorted_pair(low, high);
    median
}

#[device_fn]
fn matched(x: i32) -> i32 {
    match x {
        0 => 100,
        1 | 2 | -3 => 200,
        4..=9 => x * 2 + 1,
        20..30 if x % 2 == 0 => 500,
        n if n > 90 => n,
        _ => 7,
    }
}

#[device_fn]
fn heavier(body: Body) -> Body {
    let mut body = body;
    body.mass = body.mass * 2.0;
    body
}

#[device_fn]
fn four(x: u32) -> (u32, u32, u32, u32) {
    (x, x.rotate_left(7), !x, x / 3)
}

// The scalar is compared once, not once a component.
#[device_fn]
fn shares(a: I32x4, b: i32) -> I32x4 {
    let mut a = a;
    while a[0] > 9 {
        a = a / b;
    }
    a % b
}

pub(crate) const CASES: &[Case] = golden_cases! {
    "device function with a branch, f32": |q| lennard_jones(&many(q, 1.0_f32)?, 0.5).collect()?;
    "device function with a loop, u64": |q| collatz(&many(q, 27_u64)?).collect()?;
    "device function over a slice, f32": |q| {
        horner(&many(q, 1.0_f32)?, &DeviceVec::filled(q, 1.0_f32, 20)?).collect()?
    };
    "device function over a slice, i64": |q| {
        horner(&many(q, 1_i64)?, &DeviceVec::filled(q, 1_i64, 20)?).collect()?
    };
    "device function that calls another": |q| {
        let x = many(q, 1_i32)?;
        median(&x, x.iter().rev(), 3).collect()?
    };
    "device function that divides a vector by a scalar": |q| {
        shares(&many(q, I32x4::splat(7))?, &many(q, 3)?).collect()?
    };
    "device function that matches": |q| matched(&many(q, 1_i32)?).collect()?;
    "device function of structs": |q| heavier(&many(q, BODY)?).collect()?;
    "device function within an expression": |q| {
        let x = many(q, 1.0_f32)?;
        (lennard_jones(&x * &x, 0.5) + &x).sum()?
    };
    "device closure": |q| many(q, 1_u32)?.iter().map(cl!(|x: u32| if x % 3 == 0 { 0 } else { x })).collect()?;
    "function in OpenCL C": |q| {
        // SAFETY: the text reads the slice below its length only, and ends.
        let pick = unsafe {
            RawFunction::<fn(u32, Slice<f32>) -> f32>::new("pick", ["at", "from"], "return from[at % from_len];")?
        };
        pick.call((&many(q, 1_u32)?, &many(q, 1.0_f32)?)).collect()?
    };
    "items of four elements": |q| four(iota(0_u32, LEN)).flat_map(|(a, b, c, d)| [a, b, c, d]).collect_on(q)?;
    "items of four elements, a part of them": |q| {
        four(iota(0_u32, LEN)).flat_map(|(a, b, c, d)| [a, b, c, d]).slice(5..4097).collect_on(q)?
    };
    "sums of ranges, f32": |q| {
        let (x, offsets) = (many(q, 1.0_f32)?, DeviceVec::from_fn(q, 1001, |i| i as u32 * 50)?);
        // SAFETY: the offsets ascend, and there are enough entries.
        unsafe { x.iter().fold_ranges(Ranges::between(&offsets), 0.0, |a, b| a + b, None) }.collect()?
    };
    "least of ranges, u64": |q| {
        let (x, offsets) = (many(q, 1_u64)?, DeviceVec::from_fn(q, 1001, |i| i as u64 * 50)?);
        // SAFETY: as above.
        unsafe { x.iter().fold_ranges(Ranges::between(&offsets), u64::MAX, Val::min, None) }.collect()?
    };
    "sums of entries at a distance": |q| {
        let (x, ends) = (many(q, 1.0_f32)?, DeviceVec::from_fn(q, 32, |i| i as u32 + 32 * 100)?);
        let ranges = Ranges::strided::<u32>(zip((index::<u32>(), &ends)), 32).mostly_of(100);
        // SAFETY: as above.
        (unsafe { x.iter().fold_ranges(ranges, 0.0, |a, b| a + b, None) } * 2.0).collect()?
    };
};
