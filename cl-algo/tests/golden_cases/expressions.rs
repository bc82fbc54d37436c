//! Arithmetic, casts, functions of mathematics, views and outputs.

use super::{LEN, many};
use cl_algo::Rounding;
use cl_algo::U32x4;
use cl_algo::math::{
    add_sat, atan2, ceil, clamp, clz, cos, exp, floor, hypot, log2, max, min, mul_add, mul_hi, popcount, pow,
    rint, rotate, sin, sincos, sqrt, trunc,
};
use cl_algo::prelude::*;
use cl_algo::stl::{adjacent_difference, assign_if, fill, for_each, gather, generate, scatter, scatter_if};
use cl_test::golden::Case;
use cl_test::golden_cases;
use half::f16;

pub(crate) const CASES: &[Case] = golden_cases! {
    "assign: copy, f32": |q| many(q, 0.0_f32)?.assign(&many(q, 1.0_f32)?)?;
    "assign: a x + y, f32": |q| {
        let (x, y) = (many(q, 1.0_f32)?, many(q, 1.0_f32)?);
        (3.0 * &x + &y).collect()?
    };
    "assign: a x + y, f64": |q| {
        let (x, y) = (many(q, 1.0_f64)?, many(q, 1.0_f64)?);
        (3.0 * &x + &y).collect()?
    };
    "assign: a x + y, f16": |q| {
        let (x, y) = (many(q, f16::ONE)?, many(q, f16::ONE)?);
        (f16::ONE * x.iter() + &y).collect()?
    };
    "assign: a x + y, past the caches": |q| {
        let (x, y) = (DeviceVec::filled(q, 1.0_f32, 1 << 24)?, DeviceVec::filled(q, 1.0_f32, 1 << 24)?);
        (3.0 * &x + &y).collect()?
    };
    "assign: a x + y, 64-bit indices": |q| {
        (iota(0_u64, 1 << 33) * 3_u64).slice((1 << 33) - 9..).collect_on(q)?
    };
    "assign: one element": |q| (&DeviceVec::filled(q, 1.0_f32, 1)? + 1.0).collect()?;
    "assign: scalars on the device": |q| {
        (&many(q, 1.0_f32)? * &DeviceScalar::from_value(q, 2.0_f32)?).collect()?
    };
    "arithmetic of i8": |q| { let x = many(q, 1_i8)?; ((&x + 1) * &x - &x / 3).collect()? };
    "arithmetic of u8": |q| { let x = many(q, 1_u8)?; ((&x + 1) * &x - &x / 3).collect()? };
    "arithmetic of i16": |q| { let x = many(q, 1_i16)?; ((&x + 1) * &x % 7).collect()? };
    "arithmetic of u16": |q| { let x = many(q, 1_u16)?; ((&x + 1) * &x % 7).collect()? };
    "arithmetic of i32": |q| { let x = many(q, 1_i32)?; ((&x + 1) * &x / -3 % 5).collect()? };
    "arithmetic of u32": |q| { let x = many(q, 1_u32)?; ((&x + 1) * &x / 3 % 5).collect()? };
    "arithmetic of i64": |q| { let x = many(q, 1_i64)?; ((&x + 1) * &x / -3 % 5).collect()? };
    "arithmetic of u64": |q| { let x = many(q, 1_u64)?; ((&x + 1) * &x / 3 % 5).collect()? };
    "quotients of f32": |q| { let x = many(q, 1.0_f32)?; (1.0 / &x - &x / 3.0).collect()? };
    "quotients by values given at launch, u32": |q| { let x = many(q, 1_u32)?; (&x / 7 + &x % 7).collect()? };
    "quotients by values given at launch, i64": |q| { let x = many(q, 1_i64)?; (&x / 7 + &x % 7).collect()? };
    "bits of u32": |q| {
        let x = many(q, 1_u32)?;
        ((&x ^ (&x << 3_u32)) & !(&x >> 5_u32) | 7_u32).collect()?
    };
    "bits of i64": |q| { let x = many(q, 1_i64)?; ((&x ^ (&x << 3_i64)) & (&x >> 5_i64)).collect()? };
    "comparisons and choices, f32": |q| {
        let (x, y) = (many(q, 1.0_f32)?, many(q, 2.0_f32)?);
        x.iter().lt(&y).select(&x, &y).collect()?
    };
    "truth values": |q| {
        let (x, t) = (many(q, 1_i32)?, many(q, true)?);
        (x.iter().gt(3) & &t | x.iter().eq(0)).collect()?
    };
    "total order of f64": |q| {
        let (x, y) = (many(q, 1.0_f64)?, many(q, 2.0_f64)?);
        x.iter().total_lt(&y).collect()?
    };
    "casts from f32 to u8": |q| many(q, 1.0_f32)?.iter().cast::<u8>().collect()?;
    "casts from i64 to f32": |q| many(q, 1_i64)?.iter().cast::<f32>().collect()?;
    "casts from u8 to f64": |q| many(q, 1_u8)?.iter().cast::<f64>().collect()?;
    "casts of bits from f32 to u32": |q| many(q, 1.0_f32)?.iter().bitcast::<u32>().collect()?;
    "rounded and saturated conversions": |q| {
        many(q, 1.0_f32)?.iter().convert::<i16>(Rounding::Up, true).collect()?
    };
    "roots and angles, f32": |q| {
        let x = many(q, 1.0_f32)?;
        (sqrt(&x) + hypot(sin(&x), cos(&x)) - atan2(&x, 2.0)).collect()?
    };
    "roots and angles, f64": |q| {
        let x = many(q, 1.0_f64)?;
        (sqrt(&x) + hypot(sin(&x), cos(&x)) - atan2(&x, 2.0)).collect()?
    };
    "powers and logarithms, f32": |q| {
        let x = many(q, 1.0_f32)?;
        (exp(&x) * log2(&x) + pow(&x, 0.3)).collect()?
    };
    "fused multiplication and addition": |q| { let x = many(q, 1.0_f32)?; mul_add(&x, &x, 1.0).collect()? };
    "extremes and limits": |q| {
        let x = many(q, 1.0_f32)?;
        max(min(&x, 3.0), clamp(&x, 0.0, 1.0)).collect()?
    };
    "rounding": |q| { let x = many(q, 1.0_f32)?; (floor(&x) + ceil(&x) + rint(&x) + trunc(&x)).collect()? };
    "saturation and upper halves": |q| {
        let x = many(q, 1_u32)?;
        add_sat(mul_hi(&x, &x), rotate(&x, 5_u32)).collect()?
    };
    "counts of bits": |q| { let x = many(q, 1_u64)?; (popcount(&x) + clz(&x)).collect()? };
    "two results of one function": |q| sincos(&many(q, 1.0_f32)?).collect()?;
    "indices": |q| (index::<u32>() * 3 + 1).take(LEN).collect_on(q)?;
    "indices as floats": |q| (index::<u32>().cast::<f32>() * 0.5).take(LEN).collect_on(q)?;
    "shared parts of an expression": |q| {
        let x = many(q, 1_u64)?;
        let doubled = (0..20).fold(x.iter(), |sum, _| &sum + &sum);
        doubled.collect()?
    };
    "forty scalars": |q| {
        let x = many(q, 1_u64)?;
        (1..=20).fold(x.iter(), |sum, i| sum * 3 + i).collect()?
    };
    "view: a part": |q| many(q, 1.0_f32)?.slice(5..1234).collect()?;
    "view: backwards, every third": |q| many(q, 1.0_f32)?.iter().rev().step_by(3).collect()?;
    "view: differences of neighbours": |q| {
        let x = many(q, 1.0_f32)?;
        (x.slice(1..) - x.slice(..LEN - 1)).collect()?
    };
    "view: neighbours, borders repeat": |q| {
        let x = many(q, 1.0_f32)?;
        let at = |offset| x.iter().shifted(offset, Border::Clamp);
        (at(-1) - 2.0 * &x + at(1)).collect()?
    };
    "view: neighbours, borders are constant": |q| {
        let x = many(q, 1_i32)?;
        (x.iter().shifted(-1, Border::Constant(7)) + x.iter().shifted(2, Border::Constant(9))).collect()?
    };
    "view: neighbours, around the end": |q| {
        let x = many(q, 1.0_f32)?;
        (x.iter().shifted(-3, Border::Wrap) + x.iter().shifted(3, Border::Wrap)).collect()?
    };
    "view: a gather": |q| {
        let (x, i) = (many(q, 1.0_f32)?, many(q, 1_u32)?);
        sqrt(&x).gather(&i).collect()?
    };
    "view: a gather along a line": |q| {
        let x = many(q, 1.0_f32)?;
        x.iter().gather((index::<u32>() * 2 + 1).take(LEN / 2)).collect()?
    };
    "view: a gather by signed indices of 64 bits": |q| {
        let (x, i) = (many(q, 1_u8)?, many(q, 1_i64)?);
        x.iter().gather(&i).collect()?
    };
    "view: other elements from the same bytes": |q| {
        DeviceVec::filled(q, 1.0_f32, 4096)?.reinterpret::<U32x4>().collect()?
    };
    "target: a part, backwards": |q| {
        let (x, mut y) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?);
        assign(y.slice_mut(3..1003).rev(), x.slice(..1000))?
    };
    "target: a part": |q| {
        let (x, mut y) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?);
        assign(y.slice_mut(3..1003), x.slice(..1000))?
    };
    "target: a part that begins within a line, past the caches": |q| {
        let (x, mut y) = (DeviceVec::filled(q, 1.0_f32, 1 << 24)?, DeviceVec::filled(q, 1.0_f32, 1 << 24)?);
        assign(y.slice_mut(17..), x.slice(17..))?
    };
    "target: a part that begins with a line, past the caches": |q| {
        let (x, mut y) = (DeviceVec::filled(q, 1.0_f32, 1 << 24)?, DeviceVec::filled(q, 1.0_f32, 1 << 24)?);
        assign(y.slice_mut(16..), x.slice(16..))?
    };
    "view: neighbours in a part": |q| {
        let x = many(q, 1.0_f32)?;
        let at = |offset| x.iter().shifted(offset, Border::Clamp);
        (at(-1) + at(1)).slice(1..1000).collect()?
    };
    "target: a scatter": |q| {
        let (x, i, mut y) = (many(q, 1.0_f32)?, many(q, 1_u32)?, many(q, 0.0_f32)?);
        assign(y.scatter_mut(&i), 2.0 * &x)?
    };
    "target: two of different types": |q| {
        let (x, mut y, mut z) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?, many(q, 0_u8)?);
        assign((&mut y, z.view_mut().rev()), (&x + 1.0, x.iter().cast::<u8>()))?
    };
    "target: mapped values": |q| {
        let (x, mut y) = (many(q, 1_u32)?, many(q, 0_u64)?);
        assign(mapped::<u32, _, _, _>(&mut y, |x| x.cast::<u64>() + 1), &x)?
    };
    "target: where a condition holds": |q| {
        let (x, mut y) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?);
        assign_if(&mut y, x.iter().lt(10.0), 2.0 * &x)?
    };
    "in place: y = a x + y": |q| {
        let (x, mut y) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?);
        y.assign_with(|y| 2.0 * &x + y)?
    };
    "in place: two vectors": |q| {
        let (mut x, mut y) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?);
        assign_with((&mut x, &mut y), |both| both.map(|(x, y)| (x + y, x - y)))?
    };
    "in place: every second element": |q| {
        let mut x = many(q, 1_i32)?;
        for_each(x.view_mut().step_by(2), |x| -x)?
    };
    "in place: an added vector": |q| {
        let (mut x, y) = (many(q, 1_u16)?, many(q, 1_u16)?);
        x.add_assign(&y)?
    };
    "fill": |q| fill(&mut many(q, 1.0_f32)?, 2.0)?;
    "generate": |q| generate(&mut many(q, 0_u32)?, |i| i.cast::<u32>() * 7)?;
    "recorded closure of several values": |q| {
        let (x, y) = (many(q, 1.0_f32)?, many(q, 2.0_f32)?);
        zip((&x, &y, index::<u32>())).map(|(x, y, i)| (x * y, x.lt(y), i + 1)).collect()?
    };
    "recorded polynomial": |q| {
        many(q, 1.0_f32)?.iter().map(|x| (1..20).fold(x, |sum, k| sum * x + k as f32)).collect()?
    };
    "adjacent differences": |q| {
        adjacent_difference(&many(q, 1_i32)?, |x, before| x - before, &mut many(q, 0_i32)?)?
    };
    "gather": |q| gather(&many(q, 0_u32)?, &many(q, 1.0_f32)? * 2.0, &mut many(q, 0.0_f32)?)?;
    "scatter": |q| scatter(&many(q, 1.0_f32)?, &many(q, 0_u32)?, &mut many(q, 0.0_f32)?)?;
    "scatter_if": |q| {
        scatter_if(&many(q, 1_i32)?, &many(q, 0_u32)?, many(q, 1_i32)?.iter().gt(0), &mut many(q, 0_i32)?)?
    };
};
