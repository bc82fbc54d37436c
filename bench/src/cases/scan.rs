//! Scans.

use super::into_vector;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::stl::inclusive_scan;

macro_rules! integer_sums {
    ($($type:ident $values:ident;)*) => {$(
        pub(super) fn $type(queue: &Queue, n: usize) -> Result<Step, Failure> {
            let values = Source::fresh().$values(n);
            let x = DeviceVec::from_slice(queue, &values)?;
            let mut sum: $type = 0;
            let expected = values.into_iter().map(move |x| {
                sum = sum.wrapping_add(x);
                sum
            });
            let sums = DeviceVec::filled(queue, 0, n)?;
            into_vector(sums, expected, move |sums| inclusive_scan(&x, sums))
        }
    )*};
}

integer_sums! { u32 u32s; u64 u64s; }

/// Scans small integers. The values are zeros as soon as the sum reaches 2^24, because sums beyond are not
/// exact.
pub(super) fn f32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let mut left = 1_u32 << 24;
    let values: Vec<f32> = Source::fresh()
        .u32s(n)
        .into_iter()
        .map(|bits| {
            let value = ((bits >> 28) / 15).min(left);
            left -= value;
            value as f32
        })
        .collect();
    let x = DeviceVec::from_slice(queue, &values)?;
    let mut sum = 0.0_f32;
    let expected = values.into_iter().map(move |x| {
        sum += x;
        sum
    });
    let sums = DeviceVec::filled(queue, 0.0, n)?;
    into_vector(sums, expected, move |sums| inclusive_scan(&x, sums))
}
