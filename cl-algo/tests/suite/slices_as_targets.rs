//! Slices as targets, which kernels store in packs wherever they begin, also past the caches of CPUs.
#![allow(clippy::unwrap_used, clippy::cast_lossless, clippy::cast_precision_loss)] // of small numbers

use cl_algo::prelude::*;
use cl_test::{each_device, full_or_small};
use std::fmt::Debug;

/// Assigns neighbours' sums to a slice, and looks at the whole vector, of which the rest must stay as it was.
fn assign_to_slice<T: Number + Debug + PartialEq>(
    queue: &Queue,
    len: usize,
    [from, to, after]: [usize; 3],
    of: impl Fn(usize) -> T,
    add: impl Fn(T, T) -> T,
) {
    let host: Vec<T> = (0..from + len + 1).map(&of).collect();
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    let mut y = DeviceVec::filled(queue, of(77), to + len + after).unwrap();
    assign(y.slice_mut(to..to + len), x.slice(from..from + len) + x.slice(from + 1..)).unwrap();
    let got = y.to_vec().unwrap();
    for (at, &got) in got.iter().enumerate() {
        let i = at.wrapping_sub(to);
        let expected = if i < len { add(host[from + i], host[from + i + 1]) } else { of(77) };
        assert_eq!(got, expected, "{at} of {len} from {from} to {to}");
    }
}

macro_rules! any_offset {
    ($($name:ident $type:ident;)*) => {$(
        #[test]
        fn $name() {
            each_device(|device| {
                let queue = Queue::on(device).unwrap();
                let long = full_or_small((1 << 24) / size_of::<$type>() + 13, 5000);
                for to in [0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 100] {
                    for (len, from) in [(0, 1), (1, 0), (2, 5), (15, 16), (16, 1), (17, 3), (1000, 9), (9001, 0)] {
                        assign_to_slice::<$type>(&queue, len, [from, to, 3], |i| (i % 100) as $type, |a, b| a + b);
                    }
                }
                // Past the caches, from the middle of a pack, and from its beginning.
                for [from, to] in [[0, 1], [5, 3], [1, 64], [0, 17]] {
                    assign_to_slice::<$type>(&queue, long, [from, to, 1], |i| (i % 100) as $type, |a, b| a + b);
                }
            });
        }
    )*};
}

any_offset! {
    slices_of_f32_begin_anywhere f32;
    slices_of_u8_begin_anywhere u8;
    slices_of_i64_begin_anywhere i64;
}

/// Slices beside each other, at equal and at different places in their lines; what has no form for packs; neighbours,
/// indices and reversed items, which move with the first item of a long slice.
#[test]
fn long_slices_of_anything() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let n = full_or_small(3_000_000, 5000);
        let host: Vec<f32> = (0..n).map(|i| (i * 7919 % 1009) as f32).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let own = DeviceVec::from_fn(&queue, n, |i| i as u32).unwrap();
        let at = |i: usize| host[i.min(n - 1)];
        let mut y = DeviceVec::filled(&queue, -1.0_f32, n + 40).unwrap();
        let mut z = DeviceVec::filled(&queue, -2.0_f32, n + 40).unwrap();
        for [first, second] in [[3, 19], [1, 2], [16, 32], [0, 5]] {
            let neighbours = x.iter().shifted(1, Border::Clamp) + x.iter().shifted(-2, Border::Constant(5.0));
            let others = x.iter().rev() + (index::<u32>() % 1000).cast::<f32>();
            assign(
                (y.slice_mut(first..n + first), z.slice_mut(second..n + second)),
                zip((neighbours, others)),
            )
            .unwrap();
            let (y, z) = (y.to_vec().unwrap(), z.to_vec().unwrap());
            for i in 0..n {
                let before = if i < 2 { 5.0 } else { at(i - 2) };
                assert_eq!(y[i + first], at(i + 1) + before, "{i} of {first}");
                assert_eq!(z[i + second], at(n - 1 - i) + (i % 1000) as f32, "{i} of {second}");
            }
            assert!(
                y[n + 16..].iter().all(|&rest| rest == -1.0) && z[n + 32..].iter().all(|&rest| rest == -2.0)
            );
        }
        assign(y.slice_mut(5..n + 5), x.iter().gather(&own) + 1.0).unwrap();
        assert_eq!(y.to_vec().unwrap()[5..n + 5], host.iter().map(|x| x + 1.0).collect::<Vec<_>>());
        assign_with(y.slice_mut(5..n + 5), |y| 2.0 * y).unwrap();
        assert_eq!(y.to_vec().unwrap()[5..n + 5], host.iter().map(|x| 2.0 * (x + 1.0)).collect::<Vec<_>>());
        let mut truths = DeviceVec::filled(&queue, false, 2 * n + 9).unwrap();
        let ends = x.iter().gt(500.0);
        assign(truths.slice_mut(9..n + 9), ends).unwrap();
        assert_eq!(truths.to_vec().unwrap()[9..n + 9], host.iter().map(|&x| x > 500.0).collect::<Vec<_>>());
    });
}
