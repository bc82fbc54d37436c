//! Gathers by indices that lie on a line: read without a check, if the host sees that all are in range.
#![allow(clippy::unwrap_used, clippy::cast_lossless)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::stl::gather;
use cl_core::Error;
use cl_test::each_device;

/// A call of the check, which some devices have the text of in any case.
const CHECK: &str = "checked_index(fault,";

/// Looks at both ways of a gather: by `gather`, which knows the number of indices, and by `gather`, which learns it from
/// its output.
fn check<I: Integer>(
    queue: &Queue,
    len: usize,
    n: usize,
    indices: Expr<'_, I>,
    is_line: bool,
    at: impl Fn(usize) -> usize,
) {
    let x = DeviceVec::from_fn(queue, n, |i| 3 * i as u32).unwrap();
    let expected: Vec<u32> = (0..len).map(|i| 3 * at(i) as u32).collect();
    let gathered = x.iter().gather(indices.clone().take(len));
    let source = gathered.kernel_source(queue.device()).unwrap();
    assert_eq!(!source.contains(CHECK), is_line, "{gathered}");
    assert_eq!(gathered.collect().unwrap().to_vec().unwrap(), expected);
    let mut y = DeviceVec::filled(queue, 0, len).unwrap();
    gather(indices, &x, &mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), expected);
}

#[test]
fn lines_are_read_without_a_check() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let zero = 0;
        for len in [1, 2, 16, 17, 100, 1000, 4099] {
            let n = 7 * len + 3;
            check(queue, len, n, index::<u32>(), true, |i| i);
            check(queue, len, n, index::<u32>() * 7 + 3, true, |i| 7 * i + 3);
            check(queue, len, n, 2 + index::<u64>() * 3 - 1, true, |i| 3 * i + 1);
            check(queue, len, n, (index::<i32>() + 1) * -5 + 7 * len as i32, true, |i| 7 * len - 5 * i - 5);
            check(queue, len, n, -index::<i64>() + len as i64 - 1, true, |i| len - 1 - i);
            check(queue, len, n, (index::<i16>() * 2).cast::<u64>() + 1, true, |i| 2 * i + 1);
            check(queue, len, n, index::<u32>() * zero + 2, true, |_| 2);
            check(queue, len, n, index::<u32>().map(|i| i * 2 + 1), true, |i| 2 * i + 1);
            // Not lines, and lines that wrap around in their type.
            check(queue, len, n, index::<u32>() / 2, false, |i| i / 2);
            check(queue, len, n, index::<u8>(), len <= 256, |i| i % 256);
            check(queue, len, n, (index::<u8>() * 2).cast::<u32>(), len <= 128, |i| 2 * i % 256);
        }
        // The text is that of the view, and another line has the same kernel.
        let x = DeviceVec::from_fn(queue, 10_000, |i| i as f32).unwrap();
        let line = |by, from| x.iter().gather((index::<u32>() * by + from).take(100));
        let source = |x: Expr<'_, f32>| x.kernel_source(device).unwrap();
        assert_eq!(source(line(32, 5)), source(x.iter().skip(5).step_by(32).take(100)));
        assert_eq!(source(line(32, 5)), source(line(99, 7)));
        // Neighbours, parts and sums of what is gathered; a gather of a gather; a line that is shorter than it was.
        let odd = x.iter().gather(iota(0_u32, 5000) * 2 + 1);
        assert_eq!(
            odd.clone().shifted(1, Border::Clamp).slice(4997..).collect().unwrap().to_vec().unwrap(),
            [9997.0, 9999.0, 9999.0]
        );
        assert_eq!(odd.clone().gather(iota(4999_i32, 1) - index::<i32>()).sum().unwrap(), 9999.0);
        assert_eq!(
            odd.rev().step_by(1000).collect().unwrap().to_vec().unwrap(),
            [9999.0, 7999.0, 5999.0, 3999.0, 1999.0]
        );
        let too_long = x.iter().gather(iota(9_990_u32, 100));
        assert!(source(too_long.clone()).contains(CHECK));
        assert!(!source(too_long.take(10)).contains(CHECK));
    });
}

#[test]
fn lines_out_of_range_are_errors() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_fn(&queue, 100, |i| i as u32).unwrap();
        let refused = |indices: Expr<'_, i64>, first: u64| {
            let error = x.iter().gather(indices.take(10)).collect().unwrap().to_vec().unwrap_err();
            assert!(
                matches!(error, Error::IndexOutOfRange { index, bound: 100, .. } if index == first),
                "{error}"
            );
        };
        refused(index::<i64>() * 11 + 1, 100);
        refused(index::<i64>() - 1, u64::MAX);
        refused(index::<i64>() * -1 + 8, u64::MAX);
        refused(index::<i64>() * i64::MAX + 1, i64::MIN as u64);
        assert_eq!(
            x.iter().gather((index::<i64>() * 11).take(10)).collect().unwrap().to_vec().unwrap()[9],
            99
        );
    });
}

/// A constant place needs no index, and there is none among the parts of an item and the entries of a fold.
#[test]
fn constant_places_are_read_within_flat_maps_and_folds() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1_i32, 2, 3, 4, 5, 6]).unwrap();
        let sums =
            x.iter().zip(x.iter().gather(5_u32)).flat_map(|(w, v): (Val<i32>, Val<i32>)| [w * v, w + v]);
        let expected: Vec<i32> = (1..=6).flat_map(|w| [w * 6, w + 6]).collect();
        assert_eq!(sums.collect().unwrap().to_vec().unwrap(), expected);
        let offsets = DeviceVec::from_slice(&queue, &[0_u32, 2, 6]).unwrap();
        let entries = &x * x.iter().gather(1_u32);
        // SAFETY: the offsets ascend to the number of entries.
        let folded = unsafe {
            entries.fold_ranges(cl_algo::codegen::Ranges::between(&offsets), 0, |a, b| a + b, None)
        };
        assert_eq!((folded + 1).collect().unwrap().to_vec().unwrap(), [7, 37]);
    });
}

/// Whether an index is a line is found in one step an operation, however often its operands are used.
#[test]
fn long_and_shared_indices_take_no_time() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_fn(&queue, 64, |i| i as u32).unwrap();
        let zero = 0_u64;
        let shared = (0..60).fold(index::<u64>(), |at, _| at.clone() + at) * zero + 9;
        assert_eq!(x.iter().gather(shared.take(20)).collect().unwrap().to_vec().unwrap(), [9; 20]);
        let long = (0..5000).fold(index::<i32>(), |at, _| -at);
        let read = x.iter().gather(long.take(20)).collect().unwrap();
        assert_eq!(read.to_vec().unwrap(), (0..20).collect::<Vec<u32>>());
    });
}
