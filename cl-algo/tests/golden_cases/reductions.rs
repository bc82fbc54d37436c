//! Reductions, searches for the first item, and histograms.

use super::elements::BODY;
use super::{LEN, many};
use cl_algo::F32x4;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::reducers::{CountIf, Max, MaxElement, Min, Product, Sum, Variance};
use cl_algo::stl::{
    adjacent_find, any_of, count, count_if, encode_few, equal, find, find_if, histogram, histogram_even,
    is_sorted, mismatch, reduce, reduce_by_index, reduce_by_index_at, reduce_on_device, transform_reduce,
};
use cl_test::golden::Case;
use cl_test::golden_cases;
use half::f16;

pub(crate) const CASES: &[Case] = golden_cases! {
    "sum, f32": |q| many(q, 1.0_f32)?.sum()?;
    "sum, f64": |q| many(q, 1.0_f64)?.sum()?;
    "sum, f16": |q| many(q, f16::ONE)?.sum()?;
    "sum, u8": |q| many(q, 1_u8)?.sum()?;
    "sum, i32": |q| many(q, 1_i32)?.sum()?;
    "sum, u64": |q| many(q, 1_u64)?.sum()?;
    "sum, vectors of four": |q| many(q, F32x4::splat(1.0))?.sum()?;
    "sum, complex": |q| many(q, Complex::new(1.0_f32, 2.0))?.sum()?;
    "sum, few elements": |q| DeviceVec::filled(q, 1.0_f32, 100)?.sum()?;
    "sum, many elements": |q| DeviceVec::filled(q, 1.0_f32, 1 << 24)?.sum()?;
    "sum, 64-bit indices": |q| (iota(0_u64, 1 << 33) * &DeviceScalar::from_value(q, 1_u64)?).sum()?;
    "sum, on the device": |q| many(q, 1.0_f32)?.iter().sum_on_device()?;
    "sum, in a wider type": |q| many(q, 1_u8)?.iter().sum_as::<u32>()?;
    "inner product, f32": |q| { let x = many(q, 1.0_f32)?; (&x * &x).sum()? };
    "inner product, f64": |q| { let x = many(q, 1.0_f64)?; (&x * &x).sum()? };
    "product, u32": |q| many(q, 1_u32)?.iter().product()?;
    "mean, f32": |q| many(q, 1.0_f32)?.iter().mean()?;
    "mean and variance, f32": |q| many(q, 1.0_f32)?.iter().mean_and_variance()?;
    "reduce by an operator that does not commute": |q| {
        let (x, y) = (many(q, 1_u32)?, many(q, 1_u32)?);
        reduce(zip((&x, &y)), (3, 5), |(a, b), (c, d)| (a * c, b * c + d))?
    };
    "reduce structs": |q| reduce(&many(q, BODY)?, BODY, |_, b| b)?;
    "reduce truth values": |q| reduce(&many(q, true)?, false, |a, b| a ^ b)?;
    "reduce, on the device": |q| reduce_on_device(&many(q, 1_i64)?, 0, Val::max)?;
    "transform and reduce": |q| transform_reduce(&many(q, 1_u32)?, 1, |a, b| a + b, |x| x * 3)?;
    "least, f32": |q| many(q, 1.0_f32)?.iter().reduce_min()?;
    "least and greatest, i32": |q| many(q, 1_i32)?.iter().reduce_minmax()?;
    "least element and where, f32": |q| many(q, 1.0_f32)?.iter().min_element()?;
    "greatest element and where, u64": |q| many(q, 1_u64)?.iter().max_element()?;
    "both extremes and where, f64": |q| many(q, 1.0_f64)?.iter().minmax_element()?;
    "several reductions in one pass": |q| {
        let positive = CountIf(|x: Val<i32>| x.gt(0));
        many(q, 1_i32)?.iter().reduce_with((Sum, Min, Max, positive, MaxElement::<u64>::new(), Product))?
    };
    "variance within a tuple": |q| many(q, 1.0_f32)?.iter().reduce_with((Variance::population(), Max))?;
    "count, u32": |q| count(&many(q, 1_u32)?, 1)?;
    "count_if, f32": |q| count_if(&many(q, 1.0_f32)?, |x| x.gt(0.5))?;
    "any_of": |q| any_of(&many(q, 1_u32)?, |x| x.eq(3))?;
    "find, u32": |q| find(&many(q, 1_u32)?, 7)?;
    "find_if of pairs": |q| {
        let x = many(q, 1.0_f32)?;
        find_if(zip((&x, x.iter().rev())), |(a, b)| a.ge(b))?
    };
    "equal": |q| { let x = many(q, 1_u8)?; equal(&x, x.iter().rev())? };
    "is_sorted": |q| is_sorted(&many(q, 1.0_f32)?)?;
    "adjacent_find": |q| adjacent_find(&many(q, 1_i32)?)?;
    "mismatch": |q| { let x = many(q, 1_i16)?; mismatch(&x, x.iter().rev())? };
    "histogram, u8": |q| histogram(&many(q, 1_u8)?, &mut DeviceVec::filled(q, 0_u32, 256)?)?;
    "histogram, i64, few bins": |q| histogram(&many(q, 1_i64)?, &mut DeviceVec::filled(q, 0_u64, 3)?)?;
    "histogram, u16, more bins than local memory has": |q| {
        histogram(&many(q, 1_u16)?, &mut DeviceVec::filled(q, 0_u32, 50_000)?)?
    };
    "histogram of even bins, f32": |q| {
        histogram_even(&many(q, 1.0_f32)?, 0.0..1.0, &mut DeviceVec::filled(q, 0_u32, 100)?)?
    };
    "reduce_by_index, few indices": |q| {
        let mut sums = DeviceVec::filled(q, 0.0_f32, 100)?;
        reduce_by_index(&many(q, 1_u32)?, &many(q, 1.0_f32)?, 0.0, |a: Val<f32>, b| a + b, &mut sums)?
    };
    "reduce_by_index_at, many indices of pairs": |q| {
        let (mut least, mut last) = (DeviceVec::filled(q, 0_u8, 10)?, DeviceVec::filled(q, 0_i64, 10)?);
        reduce_by_index_at::<(u8, i64)>(
            &many(q, 1_u32)?,
            zip((&many(q, 1_u8)?, &many(q, 1_i64)?)),
            50_000,
            None,
            |(a, _), (b, c)| (a.min(b), c),
            &DeviceVec::filled(q, 0_u32, 10)?,
            (&mut least, &mut last),
        )?
    };
    "encode_few, u32": |q| drop(encode_few::<u32, u16>(&many(q, 1_u32)?.iter(), q, 15)?);
    "encode_few, many u64": |q| drop(encode_few::<u64, u32>(&many(q, 1_u64)?.iter(), q, 18)?);
    "histogram of many values": |q| {
        histogram(iota(0_u32, 40 * LEN) % 200, &mut DeviceVec::filled(q, 0_u32, 200)?)?
    };
};
