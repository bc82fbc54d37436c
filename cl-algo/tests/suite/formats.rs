//! Numbers rounded to shorter formats.

use cl_algo::Format;
use cl_algo::prelude::*;
use cl_test::{each_device_and_forced, full_or_small};

/// Returns `count` numbers with random bits.
fn noise(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|i| {
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17
    })
}

/// Returns the nearest number of a format with `fraction` bits of fraction, whose smallest normal number is 2 to the power of
/// `least`, and whose largest number is `largest`.
fn nearest(x: f32, fraction: i32, least: i32, largest: f64) -> f32 {
    let wide = f64::from(x);
    if x.is_nan() || x.is_infinite() || x == 0.0 {
        return x;
    }
    let exponent = ((wide.abs().to_bits() >> 52) as i32 - 1023).max(least);
    let step = 2.0_f64.powi(exponent - fraction);
    let rounded = (wide / step).round_ties_even() * step;
    if rounded.abs() > largest { f32::INFINITY.copysign(x) } else { rounded as f32 }
}

#[test]
fn numbers_are_rounded_to_the_nearest_of_a_format() {
    const ENDS: [f32; 16] = [
        0.0,
        -0.0,
        1.0,
        65504.0,
        65519.0,
        65520.0,
        -65520.0,
        65536.0,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        6.103_515_6e-5,
        2.980_232_2e-8,
        2.980_233e-8,
        f32::MIN_POSITIVE,
    ];
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut x: Vec<f32> =
            noise(full_or_small(20_000, 500)).map(|bits| f32::from_bits(bits as u32)).collect();
        x.extend(ENDS);
        // Numbers of the range of `F16`, and ties.
        x.extend(noise(2000).map(|bits| f32::from_bits(0x3000_0000 + (bits as u32 & 0x1fff_ffff))));
        x.extend(noise(2000).map(|bits| f32::from_bits((bits as u32 & 0xffff_8000) | 0x8000)));
        x.extend(noise(2000).map(|bits| f32::from_bits((bits as u32 & 0xffff_f000) | 0x1000)));
        // Devices may take subnormal numbers for zeros.
        x.retain(|x| !x.is_subnormal());
        let numbers = DeviceVec::from_slice(queue, &x).unwrap();
        for (format, fraction, least, largest) in [
            (Format::Tf32, 10, -126, f64::from(f32::MAX)),
            (Format::Bf16, 7, -126, f64::from(f32::MAX)),
            (Format::F16, 10, -14, 65504.0),
        ] {
            let found = numbers.iter().round_to(format).collect().unwrap().to_vec().unwrap();
            for (&x, found) in x.iter().zip(found) {
                let wanted = nearest(x, fraction, least, largest);
                let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                assert!(same, "{format:?} of {x:e}: {found:e}, not {wanted:e}");
            }
        }
    });
}
