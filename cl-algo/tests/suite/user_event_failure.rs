//! Failing user events: vectors that depend on one are known to have failed, and no others.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::stl::{assign_if, copy_if, inclusive_scan};
use cl_core::{Result, UserEvent};

const WHY: cl_core::Status = cl_core::Status::OUT_OF_RESOURCES;
const N: usize = 1000;

#[track_caller]
fn fails<T>(result: Result<T>) {
    let error = result.map(drop).expect_err("what it depends on has failed");
    assert_eq!(error.status(), Some(WHY), "{error}");
}

#[test]
fn results_that_depend_on_it_are_errors_and_others_are_not() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::filled(&queue, 1_i32, N).unwrap();
        let index = DeviceVec::from_slice(&queue, &[3_u32; N]).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        x.buffer_mut().fill(queue.after(&[go.event()]), 2).unwrap();
        let mut kept = DeviceVec::filled(&queue, 1_u32, N).unwrap();
        kept.buffer_mut().fill(queue.after(&[go.event()]), 2).unwrap();
        // Enqueued while the event is undecided, and independent of it or not.
        let y = (&index + 1).collect().unwrap();
        let gathered = x.iter().gather(&index).collect().unwrap();
        let sum = (&x + 1).sum_on_device();
        let mut scanned = DeviceVec::filled(&queue, 0, N).unwrap();
        inclusive_scan(&x, &mut scanned).unwrap();
        go.fail(WHY).unwrap();

        assert_eq!(y.to_vec().unwrap(), [4; N]);
        for _ in 0..2 {
            fails(gathered.to_vec());
            fails(sum.as_ref().unwrap().get());
            fails(scanned.to_vec());
            fails((&x + 1).collect());
            fails(x.sum());
            queue.finish().unwrap();
            // These use the same scratch memory, counters and records.
            assert_eq!(y.iter().gather(&index).collect().unwrap().to_vec().unwrap(), [4; N]);
            assert_eq!(y.sum().unwrap(), 4 * N as u32);
            let mut sums = DeviceVec::filled(&queue, 0, N).unwrap();
            inclusive_scan(&y, &mut sums).unwrap();
            assert_eq!(sums.to_vec().unwrap()[N - 1], 4 * N as u32);
        }
        // An assignment in place depends on the old elements, others do not.
        fails(x.assign_with(|x| x + 1));
        assign(x.slice_mut(..10), 7).unwrap();
        fails(x.to_vec());
        // Storing a part of a vector keeps the state of the rest.
        let flags = DeviceVec::from_fn(&queue, N, |i| i < 10).unwrap();
        assign_if(&mut x, &flags, 7).unwrap();
        fails(x.to_vec());
        copy_if(&index, |i| i.lt(3), &mut kept).unwrap();
        fails(kept.to_vec());
        x.assign(5).unwrap();
        assert_eq!(x.to_vec().unwrap(), [5; N]);
    });
}

#[test]
fn a_vector_with_room_for_more_forgets_what_is_overwritten() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let failed = |len: usize| {
            let mut x = DeviceVec::filled(&queue, 1_i32, N).unwrap();
            let go = UserEvent::new(queue.context()).unwrap();
            x.buffer_mut().fill(queue.after(&[go.event()]), 2).unwrap();
            x.truncate(len);
            go.fail(WHY).unwrap();
            x
        };
        let mut x = failed(N / 2);
        assert!(x.capacity() > x.len());
        // All elements but one, and elements behind those that have failed.
        assign(x.slice_mut(1..), 7).unwrap();
        fails(x.to_vec());
        assign(x.slice_mut(..N / 2 - 1), 7).unwrap();
        fails(x.to_vec());
        x.extend_from_slice(&[5]).unwrap();
        fails(x.to_vec());
        // All elements: what lies behind them is written before it is read.
        x.assign(3).unwrap();
        assert_eq!(x.to_vec().unwrap(), [3; N / 2 + 1]);
        x.extend_from_slice(&[4]).unwrap();
        assert_eq!(x.to_vec().unwrap()[N / 2 - 1..], [3, 3, 4]);
        let mut x = failed(2);
        assign(x.slice_mut(..).rev(), 3).unwrap();
        fails(x.to_vec());
        assign(x.slice_mut(..), 3).unwrap();
        assert_eq!(x.to_vec().unwrap(), [3, 3]);
        let mut x = failed(N - 1);
        fails(x.sort());
    });
}
