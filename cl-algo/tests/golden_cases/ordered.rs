//! Scans, by key and without, and selections.

use super::elements::{BODY, BodyFields};
use super::{LEN, many};
use cl_algo::prelude::*;
use cl_algo::stl::{
    copy_if, exclusive_scan, exclusive_scan_by_key, exclusive_scan_in_place, exclusive_scan_with,
    inclusive_scan, inclusive_scan_by_key, inclusive_scan_in_place, inclusive_scan_with, partition,
    partition_copy, reduce_by_key, reduce_by_key_with, remove_copy_if, unique, unique_by, unique_by_key,
};
use cl_test::golden::Case;
use cl_test::golden_cases;

/// Many enough elements that kernels for long vectors are chosen.
const LONG: usize = 1 << 23;

pub(crate) const CASES: &[Case] = golden_cases! {
    "inclusive scan, u32": |q| super::running_sums(q)?;
    "inclusive scan, f32": |q| inclusive_scan(&many(q, 1.0_f32)?, &mut many(q, 0.0_f32)?)?;
    "inclusive scan, f64": |q| inclusive_scan(&many(q, 1.0_f64)?, &mut many(q, 0.0_f64)?)?;
    "inclusive scan, u8": |q| inclusive_scan(&many(q, 1_u8)?, &mut many(q, 0_u8)?)?;
    "inclusive scan, few elements": |q| {
        inclusive_scan(&DeviceVec::filled(q, 1_u32, 100)?, &mut DeviceVec::filled(q, 0_u32, 100)?)?
    };
    "inclusive scan, many elements": |q| {
        inclusive_scan(iota(0_u32, LONG), &mut DeviceVec::filled(q, 0_u32, LONG)?)?
    };
    "exclusive scan, u64": |q| exclusive_scan(&many(q, 1_u64)?, 5_u64, &mut many(q, 0_u64)?)?;
    "scan by an operator, pairs": |q| {
        let (x, y) = (many(q, 1_u32)?, many(q, 1_u32)?);
        let mut out = (many(q, 0_u32)?, many(q, 0_u32)?);
        inclusive_scan_with(zip((&x, &y)), |(a, b), (c, d)| (a * c, b * c + d), (&mut out.0, &mut out.1))?
    };
    "scan by an operator, structs": |q| inclusive_scan_with(&many(q, BODY)?, |_, b| b, &mut many(q, BODY)?)?;
    "exclusive scan by an operator, f32": |q| {
        exclusive_scan_with(&many(q, 1.0_f32)?, 0.0_f32, Val::max, &mut many(q, 0.0_f32)?)?
    };
    "scan of an expression, backwards": |q| {
        let (x, mut y) = (many(q, 1.0_f32)?, many(q, 0.0_f32)?);
        inclusive_scan((&x * &x).rev(), y.view_mut().rev())?
    };
    "inclusive scan in place, i32": |q| inclusive_scan_in_place(&mut many(q, 1_i32)?, |a, b| a + b)?;
    "exclusive scan in place, i64": |q| exclusive_scan_in_place(&mut many(q, 1_i64)?, 0_i64, |a, b| a + b)?;
    "inclusive scan by key, u32": |q| {
        inclusive_scan_by_key(&many(q, 1_u32)?, &many(q, 1_u32)?, &mut many(q, 0_u32)?)?
    };
    "inclusive scan by key, u8 and f32": |q| {
        inclusive_scan_by_key(&many(q, 1_u8)?, &many(q, 1.0_f32)?, &mut many(q, 0.0_f32)?)?
    };
    "exclusive scan by key, u64": |q| {
        exclusive_scan_by_key(&many(q, 1_u64)?, &many(q, 1_u64)?, 100_u64, &mut many(q, 0_u64)?)?
    };
    "reduce by key, u32": |q| {
        reduce_by_key(&many(q, 1_u32)?, &many(q, 1_u32)?, &mut many(q, 0_u32)?, &mut many(q, 0_u32)?)?
    };
    "reduce by key, f64": |q| {
        reduce_by_key(&many(q, 1_u16)?, &many(q, 1.0_f64)?, &mut many(q, 0_u16)?, &mut many(q, 0.0_f64)?)?
    };
    "reduce by key, lengths of runs": |q| {
        reduce_by_key(iota(0_u32, LEN) / 30, 1, &mut many(q, 0_u32)?, &mut many(q, 0_u32)?)?
    };
    "reduce by key, many elements": |q| {
        let mut sums = DeviceVec::filled(q, 0_u32, LONG)?;
        reduce_by_key(iota(0_u32, LONG) / 30, iota(0_u32, LONG), Discard, &mut sums)?
    };
    "reduce by a key of two, by an operator": |q| {
        let (a, b) = (many(q, 1_u16)?, many(q, 1_i8)?);
        let same = |(a, b): (Val<u16>, Val<i8>), (c, d): (Val<u16>, Val<i8>)| a.eq(c) & b.eq(d);
        let mut first = many(q, 0_u16)?;
        reduce_by_key_with((&a, &b), &many(q, BODY)?, same, |_, b| b, (&mut first, Discard), &mut many(q, BODY)?)?
    };
    "copy_if, u32": |q| copy_if(&many(q, 1_u32)?, |x| (x % 1000).lt(3), &mut many(q, 0_u32)?)?;
    "copy_if, f64": |q| copy_if(&many(q, 1.0_f64)?, |x| x.gt(3.0), &mut many(q, 0.0_f64)?)?;
    "copy_if, structs": |q| copy_if(&many(q, BODY)?, |x| x.mass().gt(3.0), &mut many(q, BODY)?)?;
    "copy_if, pairs of an expression": |q| {
        let mut out = (many(q, 0_u64)?, many(q, 0.0_f32)?);
        copy_if(many(q, 1.0_f32)?.iter().enumerate(), |(_, x)| x.gt(0.0), (&mut out.0, &mut out.1))?
    };
    "copy_if, many elements": |q| {
        copy_if(iota(0_u32, LONG), |x| (x % 7).eq(3), &mut DeviceVec::filled(q, 0_u32, LONG)?)?
    };
    "remove_copy_if, i8": |q| remove_copy_if(&many(q, 1_i8)?, |x| x.lt(0), &mut many(q, 0_i8)?)?;
    "partition, u32": |q| partition(&many(q, 1_u32)?, |x| x.gt(5), &mut many(q, 0_u32)?)?;
    "partition_copy, f32": |q| {
        let (mut yes, mut no) = (many(q, 0.0_f32)?, many(q, 0.0_f32)?);
        partition_copy(&many(q, 1.0_f32)?, |x| x.gt(1e7), &mut yes, no.view_mut().rev())?
    };
    "unique, u32": |q| unique(&many(q, 1_u32)?, &mut many(q, 0_u32)?)?;
    "unique by a comparison, f32": |q| {
        unique_by(&many(q, 1.0_f32)?, |a, b| (a - b).lt(0.1), &mut many(q, 0.0_f32)?)?
    };
    "unique by key": |q| {
        unique_by_key(&many(q, 1_u32)?, &many(q, 1.0_f32)?, Val::eq, (&mut many(q, 0_u32)?, &mut many(q, 0.0_f32)?))?
    };
};
