//! Algorithms as methods: scans, selections, reductions by key, and changes of a whole vector.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_core::{Buffer, Context, Error, Queue};
use cl_test::each_device;

/// Numbers without a pattern.
fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| (i + 1).wrapping_mul(2_654_435_761) >> 7).collect()
}

/// The lengths around packs, tiles and chunks.
fn lengths() -> [usize; 6] {
    [0, 1, 2, 17, 4099, cl_test::full_or_small(70_001, 9001)]
}

fn each_queue(test: impl Fn(&Queue)) {
    each_device(|device| test(&Queue::on(device).unwrap()));
}

#[test]
fn scans_give_new_vectors_and_fill_old_ones() {
    each_queue(|queue| {
        for len in lengths() {
            let host = numbers(len);
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let mut sum = 0_u32;
            let mut add = |x: &u32| {
                sum = sum.wrapping_add(*x);
                sum.wrapping_sub(*x)
            };
            let sums: Vec<u32> = host.iter().map(&mut add).collect();
            let inclusive: Vec<u32> = sums.iter().zip(&host).map(|(sum, x)| sum.wrapping_add(*x)).collect();
            assert_eq!(x.iter().inclusive_scan().collect().unwrap().to_vec().unwrap(), inclusive, "{len}");
            let mut out = DeviceVec::filled(queue, 9, len).unwrap();
            x.iter().exclusive_scan(0).collect_into(&mut out).unwrap();
            assert_eq!(out.to_vec().unwrap(), sums, "{len}");
            let mut most = 5;
            let mut largest = Vec::with_capacity(len);
            for x in &host {
                largest.push(most);
                most = most.max(*x);
            }
            let scan = x.iter().exclusive_scan_with(5, Val::max);
            assert_eq!(scan.collect().unwrap().to_vec().unwrap(), largest, "{len}");
            // Pairs: the number of items so far, and their sum.
            let pairs = zip((&x, 1_u32)).inclusive_scan_with(|(a, m), (b, n)| (a + b, m + n));
            let (both, counts) = pairs.collect().unwrap();
            assert_eq!(both.to_vec().unwrap(), inclusive, "{len}");
            assert_eq!(counts.to_vec().unwrap(), (1..=len as u32).collect::<Vec<_>>(), "{len}");
        }
    });
}

#[test]
fn scans_by_key_begin_anew() {
    each_queue(|queue| {
        for len in lengths() {
            let (host, keys): (Vec<u32>, Vec<u32>) = (numbers(len), (0..len as u32).map(|i| i / 7).collect());
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let k = DeviceVec::from_slice(queue, &keys).unwrap();
            let mut expected = host.clone();
            (1..len).for_each(|i| {
                if i % 7 > 0 {
                    expected[i] = expected[i].wrapping_add(expected[i - 1]);
                }
            });
            let scan = || x.iter().inclusive_scan();
            assert_eq!(scan().by_key(&k).collect().unwrap().to_vec().unwrap(), expected, "{len}");
            let same = |a: Val<u32>, b: Val<u32>| (a / 7).eq(b / 7);
            let by = scan().by_key_with(iota(0_u32, len), same).collect().unwrap();
            assert_eq!(by.to_vec().unwrap(), expected, "{len}");
            let mut before = DeviceVec::filled(queue, 1, len).unwrap();
            x.iter().exclusive_scan(3).by_key(&k).collect_into(&mut before).unwrap();
            let shifted: Vec<u32> =
                (0..len).map(|i| expected[i].wrapping_sub(host[i]).wrapping_add(3)).collect();
            assert_eq!(before.to_vec().unwrap(), shifted, "{len}");
        }
    });
}

#[test]
fn selections_are_just_long_enough() {
    each_queue(|queue| {
        for len in lengths() {
            let host = numbers(len);
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            for limit in [0, 1, 3, 1000] {
                let is_kept = |x: &u32| x % 1000 < limit;
                let keep = |x: Val<u32>| (x % 1000).lt(limit);
                let expected: Vec<u32> = host.iter().copied().filter(is_kept).collect();
                let kept = x.iter().filter(keep).collect().unwrap();
                assert_eq!(
                    (kept.len(), kept.to_vec().unwrap()),
                    (expected.len(), expected.clone()),
                    "{len} {limit}"
                );
                assert_eq!(x.iter().filter(keep).count().unwrap(), expected.len(), "{len} {limit}");
                let (yes, no) = x.iter().partition(keep).unwrap();
                let others: Vec<u32> = host.iter().copied().filter(|x| !is_kept(x)).collect();
                assert_eq!(
                    (yes.to_vec().unwrap(), no.to_vec().unwrap()),
                    (expected.clone(), others),
                    "{len} {limit}"
                );
                let sum = expected.iter().fold(0_u32, |sum, x| sum.wrapping_add(*x));
                assert_eq!(x.iter().filter(keep).sum().unwrap(), sum, "{len} {limit}");
                let mut y = x.try_clone().unwrap();
                y.retain(keep).unwrap();
                assert_eq!(y.to_vec().unwrap(), expected, "{len} {limit}");
            }
            let mut few: Vec<u32> = host.iter().map(|x| x % 3).collect();
            let mut y = DeviceVec::from_slice(queue, &few).unwrap();
            let doubled = y.iter().dedup_by(Val::eq).count().unwrap();
            y.dedup().unwrap();
            few.dedup();
            let sum: u32 = few.iter().sum();
            assert_eq!(y.iter().dedup().sum().unwrap(), sum, "{len}");
            let most = y.iter().reduce(Val::max).unwrap();
            assert_eq!(most, few.iter().copied().max(), "{len}");
            assert_eq!((doubled, y.to_vec().unwrap()), (few.len(), few), "{len}");
            // Several vectors at once.
            let (at, values) = x.iter().enumerate().filter(|(i, _)| (i % 5).eq(2)).collect().unwrap();
            let places: Vec<u64> = (0..len as u64).filter(|i| i % 5 == 2).collect();
            assert_eq!(
                values.to_vec().unwrap(),
                places.iter().map(|&i| host[i as usize]).collect::<Vec<_>>()
            );
            assert_eq!(at.to_vec().unwrap(), places);
        }
    });
}

#[test]
fn runs_of_keys_give_their_results() {
    each_queue(|queue| {
        for len in lengths() {
            let (host, keys): (Vec<u32>, Vec<u32>) =
                (numbers(len), numbers(len).iter().map(|x| x % 2).collect());
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let k = DeviceVec::from_slice(queue, &keys).unwrap();
            let mut runs: Vec<(u32, u32, u32)> = Vec::new();
            for (&key, &value) in keys.iter().zip(&host) {
                match runs.last_mut() {
                    Some(run) if run.0 == key => *run = (key, run.1.max(value), run.2 + 1),
                    _ => runs.push((key, value, 1)),
                }
            }
            let (each, largest) = x.iter().reduce_by_key(&k, Val::max).unwrap();
            assert_eq!(each.to_vec().unwrap(), runs.iter().map(|run| run.0).collect::<Vec<_>>(), "{len}");
            assert_eq!(largest.to_vec().unwrap(), runs.iter().map(|run| run.1).collect::<Vec<_>>(), "{len}");
            let (_, counts) = constant(1_u32).sum_by_key(&k).unwrap();
            assert_eq!(counts.to_vec().unwrap(), runs.iter().map(|run| run.2).collect::<Vec<_>>(), "{len}");
        }
    });
}

#[test]
fn vectors_change_as_those_of_the_host() {
    each_queue(|queue| {
        for len in lengths() {
            let mut host = numbers(len);
            let mut x = DeviceVec::from_slice(queue, &host).unwrap();
            for count in [0, len / 3, len] {
                x.rotate_left(count).unwrap();
                host.rotate_left(count);
                assert_eq!(x.to_vec().unwrap(), host, "{len} {count}");
                x.rotate_right(count / 2).unwrap();
                host.rotate_right(count / 2);
                assert_eq!(x.to_vec().unwrap(), host, "{len} {count}");
            }
            let refused = |operation| Err(Error::out_of_bounds(operation, 0, len + 1, len));
            assert_eq!(x.rotate_left(len + 1), refused("rotate_left"));
            assert_eq!(x.rotate_right(len + 1), refused("rotate_right"));
            x.reverse().unwrap();
            host.reverse();
            assert_eq!(x.to_vec().unwrap(), host, "{len}");
            let order = x.iter().argsort().unwrap();
            x.sort_by(Val::gt).unwrap();
            host.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(x.to_vec().unwrap(), host, "{len}");
            x.sort().unwrap();
            host.sort_unstable();
            assert_eq!(x.to_vec().unwrap(), host, "{len}");
            x.sort_descending().unwrap();
            host.reverse();
            assert_eq!(x.to_vec().unwrap(), host, "{len}");
            assert_eq!(order.len(), len);
        }
    });
}

#[test]
fn single_elements_and_ranges() {
    each_queue(|queue| {
        let mut x = DeviceVec::from_slice(queue, &[true, false, true]).unwrap();
        x.set(1, true).unwrap();
        assert_eq!(
            (x.get(0).unwrap(), x.get(1).unwrap(), x.slice(1..).to_vec().unwrap()),
            (true, true, vec![true; 2])
        );
        x.write(1, &[false, false]).unwrap();
        x.write(3, &[]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [true, false, false]);
        for wrong in
            [x.set(3, true), x.write(2, &[true, true]), x.get(3).map(drop), x.get(usize::MAX).map(drop)]
        {
            assert!(matches!(wrong, Err(Error::OutOfBounds { len: 3, .. })), "{wrong:?}");
        }
        assert_eq!(x.to_vec().unwrap(), [true, false, false]);
        assert_eq!(x.to_string(), "[true, false, false]");
        assert_eq!(DeviceVec::<f32>::from_slice(queue, &[]).unwrap().to_string(), "[]");
        assert_eq!(iota(0, 20).collect_on(queue).unwrap().to_string().matches(", ").count(), 19);
        let long = iota(0, 21).collect_on(queue).unwrap().to_string();
        assert!(long.contains("9, ..., 11") && long.ends_with("20]"), "{long}");
    });
}

#[test]
fn buffers_and_queues_change() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let [queue, other] = [(); 2].map(|()| Queue::new(&context, QueueOptions::new()).unwrap());
        let buffer = Buffer::from_slice(&queue, &[3_u32, 1, 2]).unwrap();
        let handle = buffer.as_raw();
        let mut x = DeviceVec::<u32>::from_buffer(&queue, buffer).unwrap();
        x.add_assign(1_u32).unwrap();
        let mut x = x.into_queue(&other).unwrap();
        assert!(x.queue() == &other);
        x.sort().unwrap();
        let buffer = x.into_buffer();
        assert_eq!((buffer.as_raw(), buffer.to_vec(&queue).unwrap()), (handle, vec![2, 3, 4]));
        // Another context is refused, also for a moved vector.
        let stranger = Queue::on(device).unwrap();
        if stranger.context() != &context {
            let refused = DeviceVec::<u32>::from_buffer(&stranger, buffer).unwrap_err();
            assert!(matches!(refused, Error::ForeignObject { operation: "from_buffer", .. }), "{refused}");
            let empty = DeviceVec::<u32>::from_slice(&queue, &[]).unwrap();
            assert!(empty.into_queue(&stranger).is_ok());
        }
    });
}

#[test]
fn nothing_to_evaluate_on_is_an_error() {
    each_queue(|queue| {
        let scalar = constant(1_u32);
        let is = |error: Error, what: &str, word: &str| {
            assert!(error.to_string().contains(what) && error.to_string().contains(word), "{error}");
        };
        is(iota(0_u32, 4).inclusive_scan().collect().unwrap_err(), "inclusive_scan", "queue");
        is(scalar.clone().on(queue).inclusive_scan().collect().unwrap_err(), "inclusive_scan", "length");
        is(iota(0_u32, 4).filter(|x| x.gt(1)).collect().unwrap_err(), "filter", "queue");
        is(iota(0_u32, 4).partition(|x| x.gt(1)).unwrap_err(), "partition", "queue");
        is(scalar.clone().sum_by_key(iota(0_u32, 4)).unwrap_err(), "sum_by_key", "queue");
        is(DeviceVec::concat(queue, [scalar]).unwrap_err(), "concat", "length");
        let x = DeviceVec::filled(queue, 1_u32, 3).unwrap();
        let mut short = DeviceVec::filled(queue, 7_u32, 2).unwrap();
        let back = short.view_mut().rev();
        is(x.iter().filter(|x| x.gt(0)).collect_into(back).unwrap_err(), "filter", "3");
        is(x.iter().inclusive_scan().collect_into(&mut short).unwrap_err(), "inclusive_scan", "3");
        is(x.iter().inclusive_scan().by_key(&short).collect().unwrap_err(), "inclusive_scan", "2");
        is(x.iter().reduce_by_key(&short, |a, b| a + b).unwrap_err(), "reduce_by_key", "2");
        is(x.iter().exclusive_scan(&x).collect().unwrap_err(), "initial", "length");
        assert_eq!(short.to_vec().unwrap(), [7, 7]);
        // An expression with a named queue works.
        assert_eq!(iota(0_u32, 4).on(queue).filter(|x| x.gt(1)).collect().unwrap().to_vec().unwrap(), [2, 3]);
        let none: [&DeviceVec<u32>; 0] = [];
        assert!(DeviceVec::concat(queue, none).unwrap().is_empty());
        let all = DeviceVec::concat(queue, [x.iter(), iota(5_u32, 2), x.slice(..0)]).unwrap();
        assert_eq!(all.to_vec().unwrap(), [1, 1, 1, 5, 6]);
    });
}

#[test]
fn rust_names_of_mathematics() {
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[1.0_f32, 2.0, 4.0]).unwrap();
        let y = x.iter().map(|x| x.powi(3) + x.powf(2.0) - x.ln()).collect().unwrap().to_vec().unwrap();
        let z = (x.iter().powi(3) + x.iter().powf(2.0) - x.iter().ln()).to_vec().unwrap();
        for ((x, y), z) in [1.0_f32, 2.0, 4.0].into_iter().zip(y).zip(z) {
            let exact = x.powi(3) + x.powf(2.0) - x.ln();
            assert!((y - exact).abs() <= 1e-4 && (z - exact).abs() <= 1e-4, "{x}: {y} {z}");
        }
    });
}

#[test]
fn sums_ignore_items_that_are_not_selected() {
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[1.0_f32, f32::NAN, f32::INFINITY, 2.5]).unwrap();
        assert_eq!(x.iter().filter(|x| x.lt(10.0)).sum().unwrap(), 3.5);
        assert_eq!(x.iter().filter(|x| x.lt(0.0)).sum().unwrap(), 0.0);
        assert!(x.iter().filter(|x| x.gt(2.0)).sum().unwrap().is_infinite());
    });
}
