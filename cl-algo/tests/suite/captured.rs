//! Evaluations that are captured and enqueued again.

use cl_algo::prelude::*;
use cl_algo::ranked::{AxisMap, Captured, Layout, RankedTarget, assign, assign_with, fold, load, load_owned};
use cl_algo::stl::inclusive_scan;
use cl_core::Result;

fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device_and_forced(|device| test(&Queue::on(device).unwrap()));
}

/// Returns a vector of numbers from `first` on, and an array's layout of its elements.
fn vector(queue: &Queue, first: i32, len: usize) -> DeviceVec<i32> {
    iota(first, len).collect_on(queue).unwrap()
}

fn capture<'t>(
    inputs: &[&DeviceVec<i32>],
    output: RankedTarget<'t, i32>,
    run: impl FnOnce(RankedTarget<'t, i32>) -> Result<()>,
) -> Result<Option<Captured<i32>>> {
    // SAFETY: closures of these tests copy nothing, read no elements, and keep their vectors.
    unsafe { Captured::of(inputs, output, run) }
}

fn row(len: usize) -> Layout {
    Layout::row_major(&[len]).unwrap()
}

#[test]
fn captured_kernels_get_other_vectors() {
    each_queue(|queue| {
        let (a, b) = (vector(queue, 0, 100), vector(queue, 1000, 100));
        let (mut c, mut d) = (vector(queue, 0, 100), vector(queue, 0, 100));
        let owned = vector(queue, 5, 100);
        let captured = capture(&[&a, &b], RankedTarget::from((&mut c, row(100))), |target| {
            assign(
                "test",
                target,
                load(&a, &row(100)) * 3 + load(&b, &row(100)) + load_owned(owned, &row(100)),
            )
        });
        let captured = captured.unwrap().unwrap();
        let expected = |a: i32, b: i32| (0..100).map(|i| 3 * (a + i) + b + i + 5 + i).collect::<Vec<_>>();
        assert_eq!(c.to_vec().unwrap(), expected(0, 1000));
        captured.enqueue(&[&b, &c], RankedTarget::from((&mut d, row(100)))).unwrap();
        let c = c.to_vec().unwrap();
        let wanted: Vec<i32> = (0..100).map(|i| 3 * (1000 + i) + c[i as usize] + 5 + i).collect();
        assert_eq!(d.to_vec().unwrap(), wanted);
        // One vector may take both places.
        captured.enqueue(&[&a, &a], RankedTarget::from((&mut d, row(100)))).unwrap();
        assert_eq!(d.to_vec().unwrap(), expected(0, 0));
    });
}

#[test]
fn captured_updates_and_several_kernels_are_enqueued_in_order() {
    each_queue(|queue| {
        let a = vector(queue, 0, 9001);
        let (mut b, mut c) = (vector(queue, 1, 9001), vector(queue, 2, 9001));
        let run = |target: RankedTarget<'_, i32>| -> Result<()> {
            assign_with("test", target, |own: Expr<'_, i32>| own * 2 + load(&a, &row(9001)))
        };
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(9001))), run).unwrap().unwrap();
        captured.enqueue(&[&a], RankedTarget::from((&mut b, row(9001)))).unwrap();
        captured.enqueue(&[&a], RankedTarget::from((&mut c, row(9001)))).unwrap();
        let expected = |own: i32| (0..9001).map(|i| 2 * (2 * (own + i) + i) + i).collect::<Vec<_>>();
        assert_eq!(b.to_vec().unwrap(), expected(1));
        assert_eq!(c.to_vec().unwrap(), (0..9001).map(|i| 2 * (2 + i) + i).collect::<Vec<_>>());
        assert_eq!(format!("{captured:?}"), "Captured(1 launches)");
    });
}

#[test]
fn other_vectors_are_refused() {
    each_queue(|queue| {
        let (a, longer) = (vector(queue, 0, 10), vector(queue, 0, 11));
        let (mut b, mut long) = (vector(queue, 1, 10), vector(queue, 1, 11));
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(10))), |target| {
            assign("test", target, load(&a, &row(10)) + 1)
        });
        let captured = captured.unwrap().unwrap();
        let refused = |outcome: Result<()>, wanted: &str| {
            let text = outcome.unwrap_err().to_string();
            assert!(text.contains(wanted), "{text}");
        };
        refused(captured.enqueue(&[&longer], RankedTarget::from((&mut b, row(10)))), "11 elements");
        refused(captured.enqueue(&[&a], RankedTarget::from((&mut long, row(10)))), "11 elements");
        refused(captured.enqueue(&[&a], RankedTarget::from((&mut b, row(9)))), "shape [9]");
        refused(captured.enqueue(&[&a, &a], RankedTarget::from((&mut b, row(10)))), "2 inputs");
        let other = Queue::on(queue.device()).unwrap();
        let foreign = vector(&other, 0, 10);
        refused(captured.enqueue(&[&foreign], RankedTarget::from((&mut b, row(10)))), "queues");
        assert_eq!(b.to_vec().unwrap(), (1..11).collect::<Vec<_>>());
    });
}

#[test]
fn kernels_with_other_memory_are_not_captured() {
    each_queue(|queue| {
        let (a, hidden) = (vector(queue, 0, 10), vector(queue, 1, 10));
        let (mut b, mut c) = (vector(queue, 1, 10), vector(queue, 1, 10));
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(10))), |target| {
            assign("test", target, load(&a, &row(10)) + load(&hidden, &row(10)))
        });
        assert!(captured.unwrap().is_none());
        assert_eq!(b.to_vec().unwrap(), (0..10).map(|i| 2 * i + 1).collect::<Vec<_>>());
        // A part of another output than the one that was named.
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(10))), |_| {
            assign("test", (&mut c, row(9)), load(&a, &row(10)).at_coordinates(&[AxisMap::whole(0)], 1))
        });
        assert!(captured.unwrap().is_none());
        // The outer capture does not see the launches of the inner one.
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(10))), |target| {
            capture(&[&a], target, |target| assign("test", target, load(&a, &row(10)))).map(drop)
        });
        assert!(captured.unwrap().is_none());
        // Nor those of an evaluation that was captured before.
        let inner = capture(&[&a], RankedTarget::from((&mut b, row(10))), |target| {
            assign("test", target, load(&a, &row(10)))
        });
        let inner = inner.unwrap().unwrap();
        let captured =
            capture(&[&a], RankedTarget::from((&mut b, row(10))), |target| inner.enqueue(&[&a], target));
        assert!(captured.unwrap().is_none());
        // A kernel has one argument for both of two equal inputs.
        let captured = capture(&[&a, &a], RankedTarget::from((&mut b, row(10))), |target| {
            assign("test", target, load(&a, &row(10)))
        });
        assert!(captured.unwrap().is_none());
        let failed = capture(&[&a], RankedTarget::from((&mut b, row(10))), |target| {
            assign("test", target, load(&a, &row(11)))
        });
        assert!(failed.is_err());
    });
}

#[test]
fn kernels_that_keep_counters_and_messages_are_not_captured() {
    each_queue(|queue| {
        let len = 200_000;
        let a = vector(queue, 0, len);
        let mut b = vector(queue, 1, len);
        let sums = DeviceVec::filled(queue, 0, len).unwrap();
        let sorted = a.try_clone().unwrap();
        let (mut sums, mut sorted) = (Some(sums), Some(sorted));
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(len))), |target| {
            let mut own = sums.take().unwrap();
            inclusive_scan(&a % 3, &mut own)?;
            assign("test", target, load_owned(own, &row(len)))
        });
        assert!(captured.unwrap().is_none());
        let captured = capture(&[&a], RankedTarget::from((&mut b, row(len))), |target| {
            let mut own = sorted.take().unwrap();
            own.sort()?;
            assign("test", target, load_owned(own, &row(len)))
        });
        assert!(captured.unwrap().is_none());
        assert_eq!(b.to_vec().unwrap(), (0..len as i32).collect::<Vec<_>>());
    });
}

#[test]
fn captured_sums_get_temporary_memory() {
    each_queue(|queue| {
        let len = 300_000;
        let (a, b) = (vector(queue, 0, len), vector(queue, 1, len));
        let (mut c, mut d) = (vector(queue, 0, 2), vector(queue, 0, 2));
        let captured = capture(&[&a], RankedTarget::from((&mut c, row(2))), |target| {
            let rows = load(&a, &Layout::row_major(&[2, len / 2]).unwrap());
            fold("test", target, rows, (&[2, len / 2], &[1]), Val::max, |most| most)
        });
        let captured = captured.unwrap().unwrap();
        // Temporary memory of a capture may be in use by others.
        let _others: Vec<_> = (0..4).map(|_| queue.scratch(4 << 10).unwrap()).collect();
        captured.enqueue(&[&b], RankedTarget::from((&mut d, row(2)))).unwrap();
        assert_eq!(c.to_vec().unwrap(), [149_999, 299_999]);
        assert_eq!(d.to_vec().unwrap(), [150_000, 300_000]);
    });
}

#[test]
fn indices_out_of_range_are_found_in_every_launch() {
    each_queue(|queue| {
        let (right, wrong) = (vector(queue, 0, 3), DeviceVec::from_slice(queue, &[0, 9, 1]).unwrap());
        let mut b = vector(queue, 0, 3);
        let captured = capture(&[&right], RankedTarget::from((&mut b, row(3))), |target| {
            let gathered = load(&right, &row(3)).gather_axis(0, &[3], load(&right, &row(3)));
            assign("test", target, gathered)
        });
        let captured = captured.unwrap().unwrap();
        assert_eq!(b.to_vec().unwrap(), [0, 1, 2]);
        captured.enqueue(&[&wrong], RankedTarget::from((&mut b, row(3)))).unwrap();
        assert!(b.to_vec().is_err());
    });
}
