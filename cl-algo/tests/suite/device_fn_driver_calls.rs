//! What device functions ask of the driver: one kernel an expression, compiled once, whatever
//! closures capture; and nothing at all for what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::probed::devices;
use cl_algo::prelude::*;
use cl_algo::{cl, device_fn};
use cl_test::counting::{Calls, exclusive};

/// How many programs were made: from source, or from the cache on disk, whichever has them.
fn programs(calls: &Calls) -> u64 {
    let count = |name: &str| calls.get(name).copied().unwrap_or(0);
    count("clCreateProgramWithSource") + count("clCreateProgramWithBinary")
}

#[device_fn]
fn scaled(x: f32, by: f32) -> f32 {
    if x > by { x * by } else { x }
}

#[device_fn]
fn at(index: u32, table: &[f32]) -> f32 {
    table[index as usize]
}

#[test]
fn one_place_compiles_once() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let cut = |limit: f32| {
            let offset = limit + 1.0;
            let kept = x.iter().map(cl!(|x: f32| if x > limit { x } else { offset })).collect().unwrap();
            drop((kept, scaled(&x, limit).collect().unwrap()));
        };
        let first = counter.calls_during(|| cut(1.5));
        assert_eq!(programs(&first), 2, "{first:?}");
        assert_eq!(first.get("clEnqueueNDRangeKernel"), Some(&2));
        let others = counter.calls_during(|| [0.5, 2.5, f32::NAN].into_iter().for_each(cut));
        assert_eq!(programs(&others), 0, "{others:?}");

        // Other slices, of other lengths, are other arguments.
        let indices = DeviceVec::from_slice(&queue, &[0_u32, 1]).unwrap();
        let y = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0]).unwrap();
        let calls = counter.calls_during(|| drop((at(&indices, &x).collect(), at(&indices, &y).collect())));
        assert_eq!(programs(&calls), 1, "{calls:?}");
    }
}

#[test]
fn what_is_refused_calls_no_driver() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let indices = DeviceVec::from_slice(&queue, &[0_u32, 1]).unwrap();
        let empty = DeviceVec::<f32>::from_slice(&queue, &[]).unwrap();
        let calls = counter.calls_during(|| assert!(at(&indices, &empty).collect().is_err()));
        assert!(calls.is_empty(), "{calls:?}");
        let other = Queue::on(&device).unwrap();
        let foreign = DeviceVec::from_slice(&other, &[1.0_f32]).unwrap();
        let calls = counter.calls_during(|| assert!(at(&indices, &foreign).collect().is_err()));
        assert!(calls.is_empty(), "{calls:?}");
    }
}
