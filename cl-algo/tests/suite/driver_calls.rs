//! The driver calls of an evaluation: one kernel for each expression, compiled once for each structure; each vector is
//! passed once; an evaluation without elements makes no calls.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::probed::devices;
use cl_algo::I32x3;
use cl_algo::math::{exp, log, pow, sqrt};
use cl_algo::prelude::*;
use cl_algo::stl::{
    count, equal, find, histogram, inclusive_scan, inner_product, is_sorted, merge, reduce, sort,
};
use cl_test::counting::{Calls, exclusive};

/// Returns how often a function was called.
fn count_of(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

/// Returns how many programs were made, from source or from the cache on disk.
fn programs(calls: &Calls) -> u64 {
    count_of(calls, "clCreateProgramWithSource") + count_of(calls, "clCreateProgramWithBinary")
}

/// The arguments besides those of the expression: the target and the length.
const OWN_ARGUMENTS: u64 = 2;

#[test]
fn one_structure_compiles_once() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let [x, y, z] = [1.0_f32, 2.0, 3.0].map(|value| DeviceVec::filled(&queue, value, 100).unwrap());
        let first = counter.calls_during(|| drop((2.0 * &x + sqrt(&y)).collect().unwrap()));
        assert_eq!(programs(&first), 1);
        assert_eq!(count_of(&first, "clEnqueueNDRangeKernel"), 1);
        // Other scalars, other vectors, another length. A clone of the queue is the same queue.
        let short = DeviceVec::filled(&queue.clone(), 4.0_f32, 7).unwrap();
        let other = counter.calls_during(|| {
            for factor in [0.0, 3.0, f32::NAN] {
                drop((factor * &y + sqrt(&z)).collect().unwrap());
            }
            drop((1.0 * &short + sqrt(DeviceVec::filled(&queue, 9.0, 7).unwrap())).collect().unwrap());
        });
        assert_eq!(programs(&other), 0, "{other:?}");
        assert_eq!(count_of(&other, "clBuildProgram"), 0, "{other:?}");
        // Two more queues: one in the same context finds the kernel, one in another context does not.
        let second = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let third = Queue::on(&device).unwrap();
        for (queue, compiles) in [(second, 0), (third, 1)] {
            let (x, y) = (
                DeviceVec::filled(&queue, 1.0_f32, 9).unwrap(),
                DeviceVec::filled(&queue, 4.0_f32, 9).unwrap(),
            );
            let calls = counter.calls_during(|| drop((5.0 * &x + sqrt(&y)).collect().unwrap()));
            assert_eq!(programs(&calls), compiles, "{calls:?}");
        }
        // Another structure needs another kernel, even if it only differs in which vectors are the same.
        let calls = counter.calls_during(|| {
            drop((2.0 * &x + sqrt(&x)).collect().unwrap());
            drop((&x * 2.0 + sqrt(&y)).collect().unwrap());
            drop((2.0 * &x - sqrt(&y)).collect().unwrap());
        });
        assert_eq!(programs(&calls), 3, "{calls:?}");
    }
}

/// Checks that every program is built at the first attempt: programs that come with declarations use nothing else.
#[test]
fn programs_are_built_at_the_first_try() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let numbers = DeviceVec::from_fn(&queue, 5000, |i| (i % 7) as f32).unwrap();
        let bytes = DeviceVec::from_fn(&queue, 5000, |i| (i % 251) as u8).unwrap();
        let expressions = || {
            drop((pow(&numbers, 2.0) + numbers.iter().cast::<i16>().cast::<f32>()).collect().unwrap());
            drop(bytes.iter().cast::<f32>().collect().unwrap());
            numbers.sum().unwrap()
        };
        let algorithms = || {
            let [mut sorted, mut sums] = [(); 2].map(|()| (&numbers + 0.0).collect().unwrap());
            sort(&mut sorted).unwrap();
            inclusive_scan(&sorted, &mut sums).unwrap();
            let mut merged = DeviceVec::filled(&queue, 0.0_f32, 10_000).unwrap();
            merge(&sorted, &numbers, &mut merged).unwrap();
            let mut counts = DeviceVec::filled(&queue, 0_u32, 256).unwrap();
            histogram(&bytes, &mut counts).unwrap();
        };
        let calls = counter.calls_during(|| {
            expressions();
            algorithms();
        });
        // If a build had failed, its program would have been released.
        assert_eq!(count_of(&calls, "clReleaseProgram"), 0, "{calls:?}");
        assert!(programs(&calls) > 5, "{calls:?}");
    }
}

#[test]
fn sums_compile_once_and_keep_their_memory() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let x = DeviceVec::filled(&queue, 1_u32, 1_000_003).unwrap();
        assert_eq!((&x * 2).sum().unwrap(), 2_000_006);
        let calls = counter.calls_during(|| assert_eq!((&x * 3).sum().unwrap(), 3_000_009));
        assert_eq!(programs(&calls), 0, "{calls:?}");
        for absent in ["clCreateBuffer", "clReleaseMemObject", "clCreateKernel"] {
            assert_eq!(count_of(&calls, absent), 0, "{calls:?}");
        }
        assert!((1..=2).contains(&count_of(&calls, "clEnqueueNDRangeKernel")), "{calls:?}");
        assert_eq!(count_of(&calls, "clEnqueueReadBuffer"), 1, "{calls:?}");
    }
}

/// Checks the launches of an evaluation once everything is compiled, and that it makes one read and no other calls.
#[test]
fn reductions_and_searches_keep_their_memory_and_read_once() {
    type Evaluate = fn(&DeviceVec<u32>);
    let evaluations: &[Evaluate] = &[
        |x| assert_eq!(reduce(x, 0, |a, b| a + b).unwrap(), x.len() as u32),
        |x| assert_eq!(x.iter().product().unwrap(), 1),
        |x| assert_eq!(count(x, 1).unwrap(), x.len()),
        |x| assert_eq!(find(x, 7).unwrap(), None),
        |x| assert_eq!(x.iter().min_element().unwrap(), Some((0, 1))),
        |x| {
            let all = x.iter().reduce_with((cl_algo::reducers::Sum, cl_algo::reducers::Max));
            assert_eq!(all.unwrap(), Some((x.len() as u32, 1)));
        },
    ];
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let x = DeviceVec::filled(&queue, 1_u32, cl_test::full_or_small(1_000_003, 33_003)).unwrap();
        for (at, evaluate) in evaluations.iter().enumerate() {
            evaluate(&x);
            let calls = counter.calls_during(|| evaluate(&x));
            assert_eq!(programs(&calls), 0, "{at}: {calls:?}");
            for absent in ["clCreateBuffer", "clReleaseMemObject", "clCreateKernel", "clFinish"] {
                assert_eq!(count_of(&calls, absent), 0, "{at}: {calls:?}");
            }
            assert!((1..=2).contains(&count_of(&calls, "clEnqueueNDRangeKernel")), "{at}: {calls:?}");
            assert_eq!(count_of(&calls, "clEnqueueReadBuffer"), 1, "{at}: {calls:?}");
        }
        // A result that stays on the device is not waited for, and neither is its use.
        drop((&x * &x.iter().sum_on_device().unwrap()).collect().unwrap());
        let calls = counter.calls_during(|| {
            let sum = x.iter().sum_on_device().unwrap();
            drop((&x * &sum).collect().unwrap());
        });
        for absent in ["clEnqueueReadBuffer", "clFinish", "clWaitForEvents"] {
            assert_eq!(count_of(&calls, absent), 0, "{calls:?}");
        }
    }
}

#[test]
fn no_elements_no_calls() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let calls = counter.calls_during(|| {
            let x = DeviceVec::from_slice(&queue, &[] as &[f32]).unwrap();
            let mut y = DeviceVec::filled(&queue, 1.0_f32, 0).unwrap();
            assert_eq!((2.0 * &x + exp(&y)).collect().unwrap().to_vec().unwrap(), [0.0_f32; 0]);
            assert_eq!((&x * &y).sum().unwrap(), 0.0);
            assert_eq!(reduce(&x, 7.0, |a, b| a + b).unwrap(), 7.0);
            assert_eq!((x.iter().product().unwrap(), inner_product(&x, &y, 2.0).unwrap()), (1.0, 2.0));
            assert_eq!((x.iter().reduce_min().unwrap(), x.iter().max_element().unwrap()), (None, None));
            assert_eq!((count(&x, 1.0).unwrap(), find(&x, 1.0).unwrap()), (0, None));
            assert_eq!((x.iter().mean().unwrap(), x.iter().variance().unwrap()), (None, None));
            y.assign(&x + 1.0).unwrap();
            y.assign_with(|y| y + &x).unwrap();
            y.assign(3.0).unwrap();
        });
        assert_eq!(calls, Calls::new());
    }
}

#[test]
fn mistakes_make_no_calls() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let (x, mut y) = (DeviceVec::filled(&queue, 1, 3).unwrap(), DeviceVec::filled(&queue, 1, 4).unwrap());
        let v = DeviceVec::filled(&queue, I32x3::splat(1), 3).unwrap();
        let calls = counter.calls_during(|| {
            (&x + &y).collect().unwrap_err();
            (&x + &y).sum().unwrap_err();
            reduce(&x + &y, 0, |a, b| a + b).unwrap_err();
            find(&x, &y).unwrap_err();
            (&x + &y).min_element().unwrap_err();
            (&x + &y).sum_on_device().unwrap_err();
            is_sorted(index::<i32>()).unwrap_err();
            assert!(!equal(&x, &y).unwrap());
            y.assign(&x).unwrap_err();
            Operand::<i32>::into_expr(1).collect().unwrap_err();
            v.iter().component(3).collect().unwrap_err();
            v.iter().map(|v| v.swizzle([0, 3])).collect().unwrap_err();
            (&v * &y).collect().unwrap_err();
        });
        assert_eq!(calls, Calls::new());
    }
}

#[test]
fn each_vector_is_passed_once() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let (mut x, y) = (
            DeviceVec::filled(&queue, 2.0_f32, 50).unwrap(),
            DeviceVec::filled(&queue, 3.0_f32, 50).unwrap(),
        );
        let arguments = |expr: Expr<'_, f32>| {
            let calls = counter.calls_during(|| drop(expr.collect().unwrap()));
            assert_eq!(count_of(&calls, "clEnqueueNDRangeKernel"), 1, "{calls:?}");
            count_of(&calls, "clSetKernelArg") - OWN_ARGUMENTS
        };
        assert_eq!(arguments(&x * &x), 1);
        assert_eq!(arguments(log(&x) * (log(&x) + &y)), 2);
        assert_eq!(arguments((&x + &y) * (&x - &y) / (&y + &x)), 2);
        // Two scalars of the same value are two arguments; a shared one is one.
        assert_eq!(arguments(&x * 2.0 + &x * 2.0), 3);
        let half = x.iter() * 0.5;
        assert_eq!(arguments(&half * &half), 2);
        // In place, the vector is the target and, once more, an operand.
        let calls = counter.calls_during(|| x.assign_with(|x| 0.5 * &y + x).unwrap());
        assert_eq!(count_of(&calls, "clSetKernelArg") - OWN_ARGUMENTS, 3);
        assert_eq!(count_of(&calls, "clEnqueueNDRangeKernel"), 1);
        assert_eq!(x.to_vec().unwrap(), [3.5; 50]);
    }
}

#[test]
fn gathering_from_nothing_makes_no_calls() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let x = DeviceVec::filled(&queue, 1.0_f32, 5).unwrap();
        let by = DeviceVec::filled(&queue, 0_u32, 3).unwrap();
        let calls = counter.calls_during(|| {
            assert!(x.slice(5..).gather(&by).collect().is_err());
            assert!(x.slice(5..).gather(&by).sum().is_err());
            assert!(x.iter().take(0).gather(index::<u32>()).take(3).collect().is_err());
            assert!(x.slice(5..).gather(by.slice(3..)).collect().unwrap().is_empty());
        });
        assert!(calls.is_empty(), "{calls:?}");
    }
}
