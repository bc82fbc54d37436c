//! Radix sorts through the public interface: calls that are refused, driver calls, long vectors, and values of every
//! size. Unit tests beside the code cover every kind of key.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use crate::probed::devices;
use cl_algo::ViewMut;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::stl::sort;
use cl_algo::stl::{argsort, sort_by_key, sort_by_key_descending, sort_descending};
use cl_algo::{DeviceProfile, F32x3, I32x16, U8x3};
use cl_core::Error;
use cl_test::counting::{Calls, exclusive};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    at: F32x3,
    kind: u32,
}

/// Returns keys without a pattern.
fn noise(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(i | 1)).collect()
}

fn count(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

/// Asserts that nothing was waited for, allocated or compiled.
fn neither_waits_nor_memory(calls: &Calls) {
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
        assert_eq!(count(calls, absent), 0, "{calls:?}");
    }
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
            let error = Sort::new().bits(20..).keys(&mut keys).unwrap_err().to_string();
            assert!(error.contains("20.. is not a range of the keys' 16 bits"), "{error}");
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

/// Returns the launches of a sort of `len` items of 4 bytes, and their values. On CPUs two for each of four digits; on other
/// devices one that counts all digits, one more without a fence, and one for each digit; two for few items.
fn launches_of_four_digits(device: &Device, len: usize) -> u64 {
    let profile = DeviceProfile::of(device).unwrap();
    match len {
        _ if profile.chunked => 8,
        ..=65_536 => 2,
        _ => 5 + u64::from(profile.fence.is_none()),
    }
}

#[test]
fn launches_and_memory() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let host = noise(cl_test::full_or_small(100_003, 5003));
        let mut keys = DeviceVec::from_slice(&queue, &host).unwrap();
        let mut values = DeviceVec::from_slice(&queue, &host).unwrap();
        sort_by_key(&mut keys, &mut values).unwrap();
        queue.finish().unwrap();
        let calls = counter.calls_during(|| sort_by_key(&mut keys, &mut values).unwrap());
        let launches = launches_of_four_digits(&device, host.len());
        assert_eq!(count(&calls, "clEnqueueNDRangeKernel"), launches, "{calls:?}");
        neither_waits_nor_memory(&calls);
    }
}

/// Sorts so many bytes that they are counted.
#[test]
fn bytes_are_sorted_by_their_counts() {
    each_queue(|queue| {
        for len in [1 << 16, 70_001] {
            for shift in [24, 30, 40] {
                let mut host: Vec<u8> =
                    noise(len).iter().map(|&x| (u64::from(x) >> shift) as u8 ^ 0x81).collect();
                let mut signed: Vec<i8> = host.iter().map(|&x| x as i8).collect();
                let mut x = DeviceVec::from_slice(queue, &host).unwrap();
                let mut y = DeviceVec::from_slice(queue, &signed).unwrap();
                sort_descending(x.slice_mut(..len - 3)).unwrap();
                host[..len - 3].sort_unstable_by(|a, b| b.cmp(a));
                assert!(x.to_vec().unwrap() == host, "{len} bytes, shifted by {shift}");
                sort(&mut x).unwrap();
                host.sort_unstable();
                assert!(x.to_vec().unwrap() == host, "{len} bytes, shifted by {shift}");
                sort(&mut y).unwrap();
                signed.sort_unstable();
                assert!(y.to_vec().unwrap() == signed, "{len} signed bytes, shifted by {shift}");
            }
        }
    });
}

#[test]
fn values_of_every_size() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = cl_test::full_or_small(50_021, 5021);
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
        let host = noise(cl_test::full_or_small(10_007, 5003));
        let keys = DeviceVec::from_slice(queue, &host).unwrap();
        let order = Sort::new().argsort_u64(&keys).unwrap().to_vec().unwrap();
        let narrow = argsort(&keys).unwrap().to_vec().unwrap();
        assert!(order.iter().copied().eq(narrow.iter().map(|&i| u64::from(i))));
        assert_eq!(keys.to_vec().unwrap(), host, "only read");
        assert!(order.windows(2).all(|pair| host[pair[0] as usize] <= host[pair[1] as usize]));
    });
}

/// Sorts vectors longer than the caches, with many items of each digit in all chunks; and keys that are sorted already.
#[test]
fn long_vectors() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = cl_test::full_or_small((1 << 24) + 1, (1 << 14) + 1);
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
        let (times, len) = cl_test::full_or_small((100, 70_001), (2, 5003));
        let host: Vec<u32> = noise(len).into_iter().map(|x| x % 77).collect();
        let keys = DeviceVec::from_slice(queue, &host).unwrap();
        let first = argsort(&keys).unwrap().to_vec().unwrap();
        for _ in 0..times {
            assert!(argsort(&keys).unwrap().to_vec().unwrap() == first);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(64, 8)))]

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

/// The indices of a view's elements in its vector.
type Places = Vec<usize>;

/// A function that makes a view.
type Viewed = fn(&mut DeviceVec<i16>) -> ViewMut<'_, i16>;

/// Returns views of a vector of `len` elements, each with the indices of its elements in their order.
fn views(len: usize) -> [(Viewed, Places); 6] {
    [
        (|x| x.view_mut(), (0..len).collect()),
        (|x| x.slice_mut(..7), (0..7).collect()),
        (|x| x.slice_mut(1..), (1..len).collect()),
        (|x| x.view_mut().rev(), (0..len).rev().collect()),
        (|x| x.slice_mut(2..).step_by(3), (2..len).step_by(3).collect()),
        (
            |x| x.slice_mut(3..).step_by(2).rev(),
            (3..len).step_by(2).collect::<Places>().into_iter().rev().collect(),
        ),
    ]
}

#[test]
fn views_are_sorted_among_themselves() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in [9, 40, 1000, cl_test::full_or_small(30_011, 3011)] {
            let host: Vec<i16> = noise(len).into_iter().map(|x| x as i16 % 300).collect();
            for (at, (view, places)) in views(len).into_iter().enumerate() {
                let mut expected = host.clone();
                let mut own: Vec<i16> = places.iter().map(|&place| host[place]).collect();
                own.sort_unstable();
                places.iter().zip(&own).for_each(|(&place, &key)| expected[place] = key);
                let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
                sort(view(&mut keys)).unwrap();
                assert!(keys.to_vec().unwrap() == expected, "{at} of {len}");

                places.iter().zip(own.iter().rev()).for_each(|(&place, &key)| expected[place] = key);
                sort_descending(view(&mut keys)).unwrap();
                assert!(keys.to_vec().unwrap() == expected, "{at} of {len}, descending");
            }
        }
    });
}

/// Sorts keys and values of which some are views and some are not: numbers that not every device computes with,
/// `bool`s, structs, vectors of three.
#[test]
fn views_move_values_of_other_places() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = 3001;
        for (at, (view, places)) in views(len).into_iter().enumerate() {
            let host: Vec<i16> = noise(len).into_iter().map(|x| x as i16 % 50).collect();
            let count = places.len();
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|&i| host[places[i]]);
            let body = |i: usize| Body { mass: i as f32, at: F32x3::splat(-(i as f32)), kind: i as u32 };
            let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
            // As many values as the view has, at the end, backwards, at every second index.
            let mut a = DeviceVec::from_fn(queue, count, |i| i as u32).unwrap();
            let mut b = DeviceVec::from_fn(queue, count + 3, |i| i.wrapping_sub(3) as f64).unwrap();
            let mut c = DeviceVec::from_fn(queue, count, |i| (count - 1 - i).is_multiple_of(3)).unwrap();
            let mut d = DeviceVec::from_fn(queue, 2 * count, |i| body(i / 2)).unwrap();
            let mut e = DeviceVec::from_fn(queue, count, |i| U8x3::splat(i as u8)).unwrap();
            let mut f = DeviceVec::from_fn(queue, count + 1, |i| Complex::new(i as f64, 1.0)).unwrap();
            let values = (
                (&mut a, b.slice_mut(3..), c.view_mut().rev()),
                (d.view_mut().step_by(2), e.view_mut()),
                f.slice_mut(..count),
            );
            sort_by_key(view(&mut keys), values).unwrap();

            let mut expected = host.clone();
            places.iter().zip(&order).for_each(|(&place, &i)| expected[place] = host[places[i]]);
            assert!(keys.to_vec().unwrap() == expected, "{at}: keys");
            let there = |i: usize| order[i];
            assert!(a.to_vec().unwrap().into_iter().eq(order.iter().map(|&i| i as u32)), "{at}: whole");
            let b = b.to_vec().unwrap();
            assert!(b[3..].iter().copied().eq(order.iter().map(|&i| i as f64)), "{at}: from the third on");
            assert!(b[..3].iter().copied().eq((0..3_usize).map(|i| i.wrapping_sub(3) as f64)), "{at}");
            let mut c = c.to_vec().unwrap();
            c.reverse();
            assert!(c.into_iter().eq(order.iter().map(|i| i.is_multiple_of(3))), "{at}: backwards");
            let d = d.to_vec().unwrap();
            assert!(
                (0..count).all(|i| d[2 * i] == body(there(i)) && d[2 * i + 1] == body(i)),
                "{at}: strided"
            );
            assert!(e.to_vec().unwrap().into_iter().eq(order.iter().map(|&i| U8x3::splat(i as u8))), "{at}");
            let f = f.to_vec().unwrap();
            let number = |i: usize| Complex::new(i as f64, 1.0);
            assert!((0..count).all(|i| f[i] == number(there(i))) && f[count] == number(count), "{at}");
        }
    });
}

/// Sorts two parts of one vector, as keys and as values.
#[test]
fn parts_of_one_vector() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = noise(2000);
        let mut x = DeviceVec::from_slice(queue, &host).unwrap();
        let (keys, values) = x.view_mut().split_at(1000);
        sort_by_key(keys, values.rev()).unwrap();
        let mut pairs: Vec<(u32, u32)> =
            host[..1000].iter().copied().zip(host[1000..].iter().rev().copied()).collect();
        pairs.sort_by_key(|pair| pair.0);
        let x = x.to_vec().unwrap();
        assert!(x[..1000].iter().zip(x[1000..].iter().rev()).map(|(&a, &b)| (a, b)).eq(pairs));
    });
}

/// Checks that a view takes two more kernels, unless it is the first elements of a vector, and neither allocates nor
/// waits.
#[test]
fn launches_and_memory_of_views() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let host = noise(cl_test::full_or_small(100_003, 5003));
        let mut keys = DeviceVec::from_slice(&queue, &host).unwrap();
        let mut values = DeviceVec::from_slice(&queue, &host).unwrap();
        let passes = launches_of_four_digits(&device, host.len());
        let mut check = |launches, run: &mut dyn FnMut(&mut DeviceVec<u32>, &mut DeviceVec<u32>)| {
            run(&mut keys, &mut values);
            queue.finish().unwrap();
            let calls = counter.calls_during(|| run(&mut keys, &mut values));
            assert_eq!(count(&calls, "clEnqueueNDRangeKernel"), launches, "{calls:?}");
            neither_waits_nor_memory(&calls);
        };
        let n = host.len() - 3;
        check(passes, &mut |keys, values| sort_by_key(keys.slice_mut(..n), values.slice_mut(..n)).unwrap());
        check(passes + 2, &mut |keys, values| {
            sort_by_key(keys.slice_mut(3..), values.slice_mut(..n)).unwrap();
        });
        check(passes + 2, &mut |keys, values| {
            sort_by_key(keys.view_mut(), values.view_mut().rev()).unwrap();
        });
    }
}

#[test]
fn views_that_are_none_are_refused() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let mut keys = DeviceVec::from_slice(&queue, &[3, 1, 2]).unwrap();
        let mut values = DeviceVec::from_slice(&queue, &[3, 1, 2]).unwrap();
        let calls = counter.calls_during(|| {
            let error = sort(keys.slice_mut(2..4)).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
            let error = sort_by_key(&mut keys, values.view_mut().step_by(0)).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "step", .. }), "{error}");
            let error = sort_by_key(keys.slice_mut(1..), &mut values).unwrap_err();
            let named =
                matches!(error, Error::LengthMismatch { operation: "sort_by_key", left: 2, right: 3, .. });
            assert!(named, "{error}");
            let error = Sort::new().bits(0..33).keys(keys.view_mut().rev()).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "bits to sort by", .. }), "{error}");
            // Nothing to do.
            sort(keys.slice_mut(2..)).unwrap();
            sort_by_key(keys.slice_mut(1..1), values.slice_mut(3..)).unwrap();
        });
        assert_eq!(calls, Calls::new());
        assert_eq!((keys.to_vec().unwrap(), values.to_vec().unwrap()), (vec![3, 1, 2], vec![3, 1, 2]));
    }
}

#[test]
fn orders_of_expressions() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = cl_test::full_or_small(10_007, 5003);
        let host: Vec<i32> = noise(len).into_iter().map(|x| x as i32 % 1000).collect();
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        let check = |order: DeviceVec<u32>, keys: Vec<i32>, what: &str| {
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|&i| keys[i as usize]);
            assert!(order.to_vec().unwrap() == expected, "{what}");
        };
        check(argsort(x.iter()).unwrap(), host.clone(), "all");
        check(argsort(x.iter().rev()).unwrap(), host.iter().rev().copied().collect(), "backwards");
        check(argsort(x.slice(..77)).unwrap(), host[..77].to_vec(), "the first");
        check(argsort(x.slice(77..)).unwrap(), host[77..].to_vec(), "all but the first");
        check(argsort(&x * &x % 91).unwrap(), host.iter().map(|x| x * x % 91).collect(), "computed");
        let numbers = iota(0, 1000) * 7 % 1000;
        let order = argsort(numbers.clone().on(queue)).unwrap();
        check(order, (0..1000).map(|i| i * 7 % 1000).collect(), "no vector");
        let order =
            Sort::new().descending().argsort_u64(x.iter().map(|x| x.gt(0))).unwrap().to_vec().unwrap();
        let (positive, rest): (Vec<u64>, _) = (0..host.len() as u64).partition(|&i| host[i as usize] > 0);
        assert!(order == [positive, rest].concat());
        assert_eq!(x.to_vec().unwrap(), host);

        let other = Queue::on(device).unwrap();
        let foreign = DeviceVec::from_slice(&other, &host).unwrap();
        let error = argsort(&x + &foreign).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        for error in [argsort(numbers).unwrap_err(), argsort(7).unwrap_err()] {
            assert!(matches!(error, Error::InvalidInput { what: "keys to argsort", .. }), "{error}");
        }
        let error = argsort(iota(0_u8, 1 << 32).on(queue)).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "keys to argsort", .. }), "{error}");
        let error = argsort(x.slice(7..len + 1)).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
        assert!(argsort(x.slice(9..9)).unwrap().is_empty());
    });
}

/// Checks that a vector and its first elements are read directly, and that any other input is evaluated by one kernel.
#[test]
fn launches_of_orders() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let (len, front) = cl_test::full_or_small((100_003, 90_000), (5003, 4500));
        let x = DeviceVec::from_slice(&queue, &noise(len)).unwrap();
        let launches = |run: &dyn Fn() -> DeviceVec<u32>| {
            drop(run());
            queue.finish().unwrap();
            count(&counter.calls_during(|| drop(run())), "clEnqueueNDRangeKernel")
        };
        let plain = launches(&|| argsort(&x).unwrap());
        let cpu = device.kind().unwrap().contains(cl_core::DeviceKind::CPU);
        assert_eq!(plain, if cpu { 8 } else { 5 });
        assert_eq!(launches(&|| argsort(x.slice(..front)).unwrap()), plain);
        assert_eq!(launches(&|| argsort(x.iter().rev()).unwrap()), plain + 1);
        assert_eq!(launches(&|| argsort(&x ^ 1).unwrap()), plain + 1);
    }
}

/// Tests `bool`s that other code stored as any byte for true.
#[test]
fn truth_values_of_other_bytes() {
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        for len in [7, 3000] {
            let bytes: Vec<u8> =
                noise(len).iter().map(|x| (x >> 9) as u8 & 0x86 & (*x >> 20) as u8).collect();
            let truths: Vec<bool> = bytes.iter().map(|&byte| byte != 0).collect();
            assert!(truths.contains(&true) && truths.contains(&false));
            let mut keys = DeviceVec::filled(&queue, false, len).unwrap();
            let mut wanted: Vec<u32> = (0..len as u32).collect();
            for descending in [false, true] {
                keys.buffer_mut().write(&queue, 0, &bytes).unwrap();
                wanted.sort_by_key(|&i| (truths[i as usize] != descending, i));
                let sort = if descending { Sort::new().descending() } else { Sort::new() };
                assert_eq!(sort.argsort(&keys).unwrap().to_vec().unwrap(), wanted);
                let mut places = iota(0_u32, len).collect_on(&queue).unwrap();
                sort.by_key(&mut keys, &mut places).unwrap();
                assert_eq!(places.to_vec().unwrap(), wanted);
                let sorted: Vec<bool> = wanted.iter().map(|&i| truths[i as usize]).collect();
                assert_eq!(keys.to_vec().unwrap(), sorted);
            }
        }
    }
}
