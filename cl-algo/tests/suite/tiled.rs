//! The shape of kernels for GPUs, on every device: other devices have a GPU's forced shape. It is slow there, but as
//! correct as on a GPU.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_test::forced;
use cl_test::known_faults::skips;
use std::fmt::Debug;

/// Returns lengths around packs, work-groups and tiles of 1 to 8 bytes an element.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![1, 2, 3, 15, 16, 17, 255, 257, 1023, 1024, 1025, 4095, 4097, 16_384, 33_001],
        vec![1, 2, 3, 17, 255, 1025, 4097, 9001],
    )
}

fn each_gpu(test: impl Fn(&Device, &Queue)) {
    for device in forced::gpus() {
        let shape = DeviceProfile::of(&device).unwrap().reduction(4);
        assert!(!shape.chunked && shape.group > 1, "{shape:?}");
        test(&device, &Queue::on(&device).unwrap());
    }
}

/// Tests sums, and quotients and products with numbers that go through all small values and wrap around.
fn integers<T: Number + Debug + PartialEq>(
    test: &str,
    of: fn(usize) -> T,
    add: fn(T, T) -> T,
    combine: fn(T, T) -> T,
) {
    each_gpu(|device, queue| {
        if skips(test, device) {
            return;
        }
        for len in lengths() {
            let (a, b): (Vec<T>, Vec<T>) = (0..len).map(|i| (of(i), of(i / 7))).unzip();
            let (x, y) =
                (DeviceVec::from_slice(queue, &a).unwrap(), DeviceVec::from_slice(queue, &b).unwrap());
            let combined = (&x / &y + &x * &y).collect().unwrap().to_vec().unwrap();
            for i in 0..len {
                assert_eq!(combined[i], combine(a[i], b[i]), "{:?} and {:?}", a[i], b[i]);
            }
            let total = |values: &[T]| values.iter().fold(T::zeroed(), |sum, &value| add(sum, value));
            assert_eq!(x.sum().unwrap(), total(&a), "sum of {len} {:?}", T::TYPE);
            assert_eq!((&x / &y + &x * &y).sum().unwrap(), total(&combined), "{len} {:?}", T::TYPE);
        }
    });
}

macro_rules! integers {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            integers::<$type>(
                concat!("tiled::", stringify!($name)),
                // From the smallest number on, around zero, and up to the largest.
                |i| [<$type>::MIN, 0, <$type>::MAX][i % 3].wrapping_add((i / 3) as $type).wrapping_sub(2),
                <$type>::wrapping_add,
                |a, b| (if b == 0 { 0 } else { a.wrapping_div(b) }).wrapping_add(a.wrapping_mul(b)),
            );
        }
    )*};
}

integers! {
    tiles_of_i8: i8;
    tiles_of_u16: u16;
    tiles_of_i32: i32;
    tiles_of_u64: u64;
    tiles_of_i64: i64;
}

#[test]
fn tiles_of_floats() {
    each_gpu(|device, queue| {
        for len in lengths() {
            let host: Vec<f32> = (0..len).map(|i| (i % 1000) as f32 * 0.5 - 3.0).collect();
            let mut x = DeviceVec::from_slice(queue, &host).unwrap();
            // Halves, and fewer than 2^24 of them, so that each sum is exact.
            let expected: f64 = host.iter().map(|&x| f64::from(x)).sum();
            assert_eq!(f64::from(x.sum().unwrap()), expected, "{len}");
            assert_eq!((&x - &x + f32::INFINITY).sum().unwrap(), f32::INFINITY, "{len}");
            x.assign_with(|x| 2.0 * x + 1.0).unwrap();
            assert_eq!(x.to_vec().unwrap(), host.iter().map(|x| 2.0 * x + 1.0).collect::<Vec<_>>());
            if device.has_fp64().unwrap() {
                let host: Vec<f64> = host.iter().map(|&x| f64::from(x)).collect();
                assert_eq!(DeviceVec::from_slice(queue, &host).unwrap().sum().unwrap(), expected, "{len}");
            }
        }
    });
}
