//! Sorts, selections by order, segments, merges and searches in sorted sequences.

use super::elements::{BODY, BodyFields};
use super::{LEN, many};
use cl_algo::Segments;
use cl_algo::prelude::*;
use cl_algo::stl::{
    argsort, argsort_by, binary_searches, equal_range, equal_ranges, find_first_of, lower_bound,
    lower_bounds, lower_bounds_by, merge, merge_by, merge_by_key, nth_element, search,
    set_intersection_by_key, set_union, sort, sort_by, sort_by_key, sort_by_key_by, sort_descending,
    upper_bounds,
};
use cl_core::Result;
use cl_test::golden::Case;
use cl_test::golden_cases;

/// Returns segments of unknown lengths, some of which may be long.
fn segments(queue: &Queue) -> Result<Segments> {
    let offsets = DeviceVec::filled(queue, 0_u32, 1001)?;
    // SAFETY: recorded devices compute nothing.
    unsafe { Segments::from_offsets_unchecked(offsets, LEN, LEN) }
}

/// Returns segments of at most seven items.
fn short_segments(queue: &Queue) -> Result<Segments> {
    let offsets = DeviceVec::filled(queue, 0_u32, LEN / 4 + 1)?;
    // SAFETY: recorded devices compute nothing.
    unsafe { Segments::from_offsets_unchecked(offsets, LEN, 7) }
}

pub(crate) const CASES: &[Case] = golden_cases! {
    "sort, u32": |q| sort(&mut many(q, 1_u32)?)?;
    "sort, i8": |q| sort(&mut many(q, 1_i8)?)?;
    "sort, i16": |q| sort(&mut many(q, 1_i16)?)?;
    "sort, f32": |q| sort(&mut many(q, 1.0_f32)?)?;
    "sort, f64": |q| sort(&mut many(q, 1.0_f64)?)?;
    "sort, u64": |q| sort(&mut many(q, 1_u64)?)?;
    "sort, u128": |q| sort(&mut many(q, 1_u128)?)?;
    "sort by key, i128 and u32": |q| sort_by_key(&mut many(q, 1_i128)?, &mut many(q, 1_u32)?)?;
    "lower_bound, u128": |q| lower_bound(&many(q, 1_u128)?, 7)?;
    "sort, few elements": |q| sort(&mut DeviceVec::filled(q, 1_u32, 100)?)?;
    "sort, few tiles": |q| sort(&mut DeviceVec::filled(q, 1_u32, 9000)?)?;
    "sort by key, few tiles": |q| {
        sort_by_key(&mut DeviceVec::filled(q, 1.0_f32, 9000)?, &mut DeviceVec::filled(q, 1_u16, 9000)?)?
    };
    "sort, many elements": |q| sort(&mut DeviceVec::filled(q, 1_u32, 1 << 24)?)?;
    "sort downwards, i32": |q| sort_descending(&mut many(q, 1_i32)?)?;
    "sort by some bits": |q| Sort::new().bits(5..17).keys(&mut many(q, 1_u32)?)?;
    "sort a part, backwards": |q| sort(many(q, 1_u32)?.slice_mut(7..9000).rev())?;
    "sort by key, u32 and u32": |q| sort_by_key(&mut many(q, 1_u32)?, &mut many(q, 1_u32)?)?;
    "sort by key, f32 and structs": |q| sort_by_key(&mut many(q, 1.0_f32)?, &mut many(q, BODY)?)?;
    "sort by key, u16 and two values": |q| {
        let mut values = (many(q, 1_u8)?, many(q, 1.0_f32)?);
        sort_by_key(&mut many(q, 1_u16)?, (&mut values.0, &mut values.1))?
    };
    "argsort, f32": |q| argsort(&many(q, 1.0_f32)?)?;
    "argsort of an expression, u64": |q| argsort(&many(q, 1_u64)? * 3)?;
    "sort of segments, u32": |q| segments(q)?.sort(&mut many(q, 1_u32)?)?;
    "sort of segments by key, f64 and structs": |q| {
        segments(q)?.sort_by_key(&mut many(q, 1.0_f64)?, &mut many(q, BODY)?)?
    };
    "sort of short segments, u32": |q| short_segments(q)?.sort(&mut many(q, 1_u32)?)?;
    "sort of short segments by key, f64 and u8": |q| {
        short_segments(q)?.sort_by_key(&mut many(q, 1.0_f64)?, &mut many(q, 1_u8)?)?
    };
    "sums of segments, f32": |q| segments(q)?.sum(&many(q, 1.0_f32)?)?;
    "maxima of segments, i8": |q| segments(q)?.reduce(&many(q, 1_i8)?, 0, Val::max)?;
    "argsort of segments, i8": |q| segments(q)?.argsort(&many(q, 1_i8)?)?;
    "sort by a comparator, u32": |q| sort_by(&mut many(q, 1_u32)?, Val::gt)?;
    "sort by a comparator, structs": |q| sort_by(&mut many(q, BODY)?, |a, b| a.mass().lt(b.mass()))?;
    "sort by a comparator, two vectors": |q| {
        let (mut a, mut b) = (many(q, 1_i32)?, many(q, 1.0_f32)?);
        sort_by((&mut a, &mut b), |(a, x), (b, y)| a.lt(b) | (a.eq(b) & x.lt(y)))?
    };
    "sort by key by a comparator": |q| sort_by_key_by(&mut many(q, 1.0_f32)?, &mut many(q, 1_u32)?, Val::gt)?;
    "argsort by a comparator": |q| argsort_by(&many(q, 1_i64)?, Val::gt, &mut many(q, 0_u32)?)?;
    "element of a rank, f32": |q| many(q, 1.0_f32)?.iter().select_nth_on_device(LEN / 2)?;
    "elements around one of a rank, f32": |q| nth_element(&mut many(q, 1.0_f32)?, LEN / 2)?;
    "elements around one of a rank, a view of i16": |q| nth_element(many(q, 1_i16)?.slice_mut(7..9000).rev(), 99)?;
    "largest elements, u64": |q| many(q, 1_u64)?.iter().top_k(100)?;
    "merge, u32": |q| {
        let x = many(q, 1_u32)?;
        merge(&x, &x, &mut DeviceVec::filled(q, 0_u32, 2 * LEN)?)?
    };
    "merge, f64": |q| {
        let x = many(q, 1.0_f64)?;
        merge(&x, &x, &mut DeviceVec::filled(q, 0.0_f64, 2 * LEN)?)?
    };
    "merge by a comparator, structs": |q| {
        let x = many(q, BODY)?;
        merge_by(&x, &x, |a, b| a.mass().lt(b.mass()), &mut DeviceVec::filled(q, BODY, 2 * LEN)?)?
    };
    "merge by key": |q| {
        let (k, v) = (many(q, 1_u16)?, many(q, 1.0_f32)?);
        let mut out = (DeviceVec::filled(q, 0_u16, 2 * LEN)?, DeviceVec::filled(q, 0.0_f32, 2 * LEN)?);
        merge_by_key((&k, &v), (&k, &v), (&mut out.0, &mut out.1))?
    };
    "set union, u32": |q| {
        let x = many(q, 1_u32)?;
        set_union(&x, &x, &mut DeviceVec::filled(q, 0_u32, 2 * LEN)?)?
    };
    "set intersection by key": |q| {
        let (k, v) = (many(q, 1_u64)?, many(q, 1.0_f32)?);
        set_intersection_by_key((&k, &v), &k, (&mut many(q, 1_u64)?, &mut many(q, 1.0_f32)?))?
    };
    "search for a sequence, u8": |q| search(&many(q, 1_u8)?, many(q, 2_u8)?.slice(..9))?;
    "find any of several, f32": |q| find_first_of(&many(q, 1.0_f32)?, many(q, 2.0_f32)?.slice(..9))?;
    "lower bound of one": |q| lower_bound(&many(q, 1.0_f32)?, 3.0)?;
    "equal range of one": |q| equal_range(&many(q, 1_i32)?, 3)?;
    "lower bounds in buckets, i16": |q| {
        let [x, y] = [4096, 3000].map(|len| DeviceVec::filled(q, 1_i16, len));
        lower_bounds(&x?, &y?, &mut DeviceVec::filled(q, 0_u32, 3000)?)?
    };
    "lower bounds, f32": |q| lower_bounds(&many(q, 1.0_f32)?, &many(q, 2.0_f32)?, &mut many(q, 0_u32)?)?;
    "lower bounds in a long sequence, f32": |q| {
        let x = DeviceVec::filled(q, 1.0_f32, 1 << 18)?;
        lower_bounds(&x, &many(q, 2.0_f32)?, &mut many(q, 0_u32)?)?
    };
    "upper bounds, u64": |q| upper_bounds(&many(q, 1_u64)?, &many(q, 2_u64)?, &mut many(q, 0_u64)?)?;
    "equal ranges": |q| {
        let (mut begins, mut ends) = (many(q, 0_u32)?, many(q, 0_u32)?);
        equal_ranges::<i32, u32>(&many(q, 1)?, &many(q, 2)?, (&mut begins, &mut ends))?
    };
    "binary searches": |q| binary_searches(&many(q, 1_u8)?, &many(q, 2_u8)?, &mut many(q, false)?)?;
    "lower bounds by a comparator, pairs": |q| {
        let x = many(q, 1_i64)?;
        let needles = zip((&x, 7_i64));
        let less = |(a, b): (Val<i64>, Val<i64>), (c, d): (Val<i64>, Val<i64>)| a.lt(c) | (a.eq(c) & b.lt(d));
        lower_bounds_by(x.iter().map(|x| (x / 10, x % 10)), needles, less, &mut many(q, 0_u32)?)?
    };
};
