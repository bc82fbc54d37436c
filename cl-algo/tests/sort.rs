//! Radix sorts through the public interface: what is refused, what the driver is asked for, long
//! vectors, and values of every size. Every kind of key is tried beside the code.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_test::counting::{Calls, devices, exclusive};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    at: F32x3,
    kind: u32,
}

/// Keys without a pattern.
fn noise(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(i | 1)).collect()
}

fn count(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

#[test]
fn mistakes_make_no_calls_and_lose_nothing() {
    let counter = exclusive();
    for device in devices() {
        let (queue, other) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let mut keys = DeviceVec::from_slice(&queue, &[3_u16, 1, 2]).unwrap();
        let mut short = DeviceVec::filled(&queue, 1_u32, 2).unwrap();
        let mut foreign = DeviceVec::filled(&other, 1_u32, 3).unwrap();
        let mut many: Vec<DeviceVec<u32>> =
            (0..9).map(|_| DeviceVec::filled(&queue, 1, 3).unwrap()).collect();
        let calls = counter.calls_during(|| {
            let error = sort_by_key(&mut keys, &mut short).unwrap_err();
            assert!(matches!(error, Error::LengthMismatch { left: 3, right: 2, .. }), "{error}");
            let error = sort_by_key(&mut keys, &mut foreign).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
            for bits in [0..17, 17..17, std::ops::Range { start: 5, end: 4 }] {
                let sort = Sort::new().bits(bits);
                for error in [sort.keys(&mut keys).unwrap_err(), sort.argsort(&keys).unwrap_err()] {
                    assert!(matches!(error, Error::InvalidInput { what: "bits to sort by", .. }), "{error}");
                }
            }
            let [a, b, c, d, e, f, g, h, i] = &mut many[..] else { unreachable!() };
            let error = sort_by_key(&mut keys, ((a, b, c, d), (e, f, g, h), i)).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "vectors of values", .. }), "{error}");
        });
        assert_eq!(calls, Calls::new());
        assert_eq!(keys.to_vec().unwrap(), [3, 1, 2]);
        assert_eq!(short.to_vec().unwrap(), [1, 1]);
    }
}

#[test]
fn nothing_to_sort_makes_no_calls() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let mut none = DeviceVec::from_slice(&queue, &[] as &[f32]).unwrap();
        let mut one = DeviceVec::from_slice(&queue, &[1.0_f32]).unwrap();
        let mut two = DeviceVec::from_slice(&queue, &[2.0_f32, 1.0]).unwrap();
        let calls = counter.calls_during(|| {
            sort(&mut none).unwrap();
            sort_descending(&mut one).unwrap();
            Sort::new()
                .bits(7..7)
                .by_key(&mut two, &mut DeviceVec::<u8>::from_slice(&queue, &[]).unwrap())
                .unwrap_err();
            Sort::new().bits(7..7).keys(&mut two).unwrap();
            assert!(argsort(&none).unwrap().is_empty());
        });
        assert_eq!(calls, Calls::new());
        assert_eq!(two.to_vec().unwrap(), [2.0, 1.0]);
    }
}

/// Two launches for each of four digits on CPUs; on others two for all digits, and one for each.
#[test]
fn launches_and_memory() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let host = noise(100_003);
        let mut keys = DeviceVec::from_slice(&queue, &host).unwrap();
        let mut values = DeviceVec::from_slice(&queue, &host).unwrap();
        sort_by_key(&mut keys, &mut values).unwrap();
        queue.finish().unwrap();
        let calls = counter.calls_during(|| sort_by_key(&mut keys, &mut values).unwrap());
        let cpu = device.kind().unwrap().contains(cl_core::DeviceKind::CPU);
        assert_eq!(count(&calls, "clEnqueueNDRangeKernel"), if cpu { 8 } else { 6 }, "{calls:?}");
        for absent in [
            "clCreateBuffer",
            "clFinish",
            "clWaitForEvents",
            "clEnqueueReadBuffer",
            "clEnqueueWriteBuffer",
            "clEnqueueCopyBuffer",
            "clCreateKernel",
            "clBuildProgram",
        ] {
            assert_eq!(count(&calls, absent), 0, "{calls:?}");
        }
    }
}

#[test]
fn values_of_every_size() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = 50_021;
        let host: Vec<u32> = noise(len).into_iter().map(|x| x % 1000).collect();
        let mut order: Vec<usize> = (0..len).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(host[i]));
        let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
        let body = |i: usize| Body { mass: i as f32, at: F32x3::splat(-(i as f32)), kind: i as u32 };
        let mut a = DeviceVec::from_fn(queue, len, |i| i as u8).unwrap();
        let mut b = DeviceVec::from_fn(queue, len, |i| i as i16).unwrap();
        let mut c = DeviceVec::from_fn(queue, len, |i| i.is_multiple_of(3)).unwrap();
        let mut d = DeviceVec::from_fn(queue, len, |i| i as u64).unwrap();
        let mut e = DeviceVec::from_fn(queue, len, |i| I32x16::splat(i as i32)).unwrap();
        let mut f = DeviceVec::from_fn(queue, len, body).unwrap();
        let mut g = DeviceVec::from_fn(queue, len, |i| Complex::new(i as f32, 1.0)).unwrap();
        let mut h = DeviceVec::from_fn(queue, len, |i| U8x3::splat(i as u8)).unwrap();
        let values = ((&mut a, &mut b, &mut c), &mut d, (&mut e, &mut f), &mut g, &mut h);
        sort_by_key_descending(&mut keys, values).unwrap();
        let there = |i: usize| order[i];
        assert!(keys.to_vec().unwrap().into_iter().eq((0..len).map(|i| host[there(i)])));
        assert!(a.to_vec().unwrap().into_iter().eq((0..len).map(|i| there(i) as u8)));
        assert!(b.to_vec().unwrap().into_iter().eq((0..len).map(|i| there(i) as i16)));
        assert!(c.to_vec().unwrap().into_iter().eq((0..len).map(|i| there(i).is_multiple_of(3))));
        assert!(d.to_vec().unwrap().into_iter().eq((0..len).map(|i| there(i) as u64)));
        assert!(e.to_vec().unwrap().into_iter().eq((0..len).map(|i| I32x16::splat(there(i) as i32))));
        assert!(f.to_vec().unwrap().into_iter().eq((0..len).map(|i| body(there(i)))));
        assert!(g.to_vec().unwrap().into_iter().eq((0..len).map(|i| Complex::new(there(i) as f32, 1.0))));
        assert!(h.to_vec().unwrap().into_iter().eq((0..len).map(|i| U8x3::splat(there(i) as u8))));
    });
}

#[test]
fn indices_of_64_bits() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = noise(10_007);
        let keys = DeviceVec::from_slice(queue, &host).unwrap();
        let order = Sort::new().argsort_u64(&keys).unwrap().to_vec().unwrap();
        let narrow = argsort(&keys).unwrap().to_vec().unwrap();
        assert!(order.iter().copied().eq(narrow.iter().map(|&i| u64::from(i))));
        assert_eq!(keys.to_vec().unwrap(), host, "only read");
        assert!(order.windows(2).all(|pair| host[pair[0] as usize] <= host[pair[1] as usize]));
    });
}

/// Past the caches, in runs that all have many items of each digit; and keys in an order already.
#[test]
fn long_vectors() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = (1 << 24) + 1;
        let mut host = noise(len);
        let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
        let mut values = DeviceVec::from_slice(queue, &host).unwrap();
        sort_by_key(&mut keys, &mut values).unwrap();
        host.sort_unstable();
        assert!(keys.to_vec().unwrap() == host);
        assert!(values.to_vec().unwrap() == host);
        sort(&mut keys).unwrap();
        assert!(keys.to_vec().unwrap() == host, "sorted before");
        sort_descending(&mut keys).unwrap();
        host.reverse();
        assert!(keys.to_vec().unwrap() == host, "the other way round");
    });
}

#[test]
fn a_hundred_times_the_same() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<u32> = noise(70_001).into_iter().map(|x| x % 77).collect();
        let keys = DeviceVec::from_slice(queue, &host).unwrap();
        let first = argsort(&keys).unwrap().to_vec().unwrap();
        for _ in 0..100 {
            assert!(argsort(&keys).unwrap().to_vec().unwrap() == first);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn as_the_host_sorts(
        keys in prop::collection::vec(any::<i64>(), 0..3000),
        few in any::<bool>(),
        down in any::<bool>(),
    ) {
        let keys: Vec<i64> = keys.into_iter().map(|key| if few { key % 5 } else { key }).collect();
        for device in cl_test::devices() {
            let queue = Queue::on(&device).unwrap();
            let mut x = DeviceVec::from_slice(&queue, &keys).unwrap();
            let mut i = DeviceVec::from_fn(&queue, keys.len(), |i| i as u32).unwrap();
            let sort = if down { Sort::new().descending() } else { Sort::new() };
            sort.by_key(&mut x, &mut i).unwrap();
            let mut expected: Vec<(i64, u32)> = keys.iter().copied().zip(0..).collect();
            expected.sort_by(|a, b| if down { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) });
            let sorted: Vec<(i64, u32)> = x.to_vec().unwrap().into_iter().zip(i.to_vec().unwrap()).collect();
            prop_assert_eq!(sorted, expected);
        }
    }
}
