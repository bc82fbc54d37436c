//! What the tests of other libraries try, and where algorithms are easy to get wrong: odd sinks and items, closures,
//! threads.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    adjacent_difference, all_of, argsort_by, assign_if, copy_if, count_if, equal, exclusive_scan,
    exclusive_scan_in_place, exclusive_scan_with, find, find_if, generate, histogram, inclusive_scan,
    inclusive_scan_in_place, inclusive_scan_with, merge, merge_by, partition, partition_copy, reduce, sort,
    sort_by, sort_by_key_by, unique, unique_by, unique_by_key, upper_bounds,
};
use cl_algo::{F64x4, F64x16};
use cl_core::Error;
use cl_test::known_faults;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Numbers without a pattern.
fn noise(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        >> 20
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

/// Runs the test on a queue of each device as it is: kernels in the guise of a GPU take PoCL seconds to
/// compile, so they are here for what depends on the shape.
fn each_own_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
}

/// All counts of a histogram have somewhere to go.
#[test]
fn counts_in_sinks_of_different_lengths() {
    each_queue(|queue| {
        let x = vector(queue, &[0_u32, 1, 1, 3]);
        let (mut a, mut b) = (vector(queue, &[9_u32; 4]), vector(queue, &[9_u32; 8]));
        let both = mapped::<u32, _, _, _>((&mut a, b.slice_mut(4..6)), |count| (count, count));
        let error = histogram(&x, both).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 2, right: 4, .. }), "{error}");
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![9; 4], vec![9; 8]));
        let both = mapped::<u32, _, _, _>((&mut a, b.slice_mut(4..)), |count| (count, count));
        histogram(&x, both).unwrap();
        assert_eq!(
            (a.to_vec().unwrap(), b.to_vec().unwrap()),
            (vec![1, 2, 0, 1], vec![9, 9, 9, 9, 1, 2, 0, 1])
        );
    });
}

/// Whether vectors of doubles can be on the queue's device.
fn has_fp64(queue: &Queue) -> bool {
    cl_test::offers(queue.device(), "f64", queue.device().has_fp64())
}

/// Between a byte and a vector C leaves a gap, and behind the last byte another one.
#[test]
fn items_of_bytes_and_large_vectors() {
    each_queue(|queue| {
        if !has_fp64(queue) {
            return;
        }
        for len in [33, cl_test::full_or_small(40_000, 9000)] {
            let x = DeviceVec::from_fn(queue, len, |i| noise(i) as u8).unwrap();
            let y = DeviceVec::from_fn(queue, len, |i| F64x4::splat((noise(i) % 1000) as f64)).unwrap();
            let z = DeviceVec::from_fn(queue, len, |i| noise(i) as i8).unwrap();
            let (mut a, mut b, mut c) = (
                vector(queue, &vec![0_u8; len]),
                vector(queue, &vec![F64x4::splat(0.0); len]),
                vector(queue, &vec![0_i8; len]),
            );
            let add = |(a, b, c): (Val<u8>, Val<F64x4>, Val<i8>),
                       (d, e, f): (Val<u8>, Val<F64x4>, Val<i8>)| {
                (a + d, b + e, c ^ f)
            };
            inclusive_scan_with((&x, &y, &z), add, (&mut a, &mut b, &mut c)).unwrap();
            let (mut sum, mut total, mut bits) = (0_u8, 0.0, 0_i8);
            let rows = a.to_vec().unwrap().into_iter().zip(b.to_vec().unwrap()).zip(c.to_vec().unwrap());
            for (i, ((a, b), c)) in rows.enumerate() {
                sum = sum.wrapping_add(noise(i) as u8);
                total += (noise(i) % 1000) as f64;
                bits ^= noise(i) as i8;
                assert!((a, b, c) == (sum, F64x4::splat(total), bits), "{len} {i}: {a} {b:?} {c}");
            }
        }
    });
}

/// Work-groups hold less of items that are large.
#[test]
fn items_of_many_bytes() {
    each_queue(|queue| {
        if !has_fp64(queue) {
            return;
        }
        let len = 1500;
        let of = |i: usize| F64x16::splat((noise(i) % 100) as f64);
        let (x, y) = (
            DeviceVec::from_fn(queue, len, of).unwrap(),
            DeviceVec::from_fn(queue, len, |i| of(i) * -1.0).unwrap(),
        );
        let zero = || DeviceVec::filled(queue, F64x16::splat(0.0), len).unwrap();
        let (mut a, mut b) = (zero(), zero());
        let total: f64 = (0..len).map(|i| (noise(i) % 100) as f64).sum();
        let all =
            reduce(zip((&x, &y)), (F64x16::splat(0.0), F64x16::splat(0.0)), |(a, b), (c, d)| (a + c, b + d))
                .unwrap();
        assert_eq!(all, (F64x16::splat(total), F64x16::splat(-total)));
        let kept = copy_if(zip((&x, &y)), |(x, _)| x.x().lt(50.0), (&mut a, &mut b)).unwrap().get().unwrap()
            as usize;
        let expected: Vec<F64x16> = (0..len).map(of).filter(|x| x[0] < 50.0).collect();
        assert_eq!(a.to_vec().unwrap()[..kept], expected);
    });
}

/// Operators need not look at what they are given.
#[test]
fn closures_that_ignore_their_arguments() {
    each_own_queue(|queue| {
        let len = 5000;
        let x = DeviceVec::from_fn(queue, len, |i| i as i32).unwrap();
        let mut y = DeviceVec::filled(queue, -1, len).unwrap();
        assert_eq!(copy_if(&x, |_| Val::known(true), &mut y).unwrap().get().unwrap(), 5000);
        assert!(equal(&x, &y).unwrap());
        assert_eq!(copy_if(&x + 5, |_| Val::known(false), &mut y).unwrap().get().unwrap(), 0);
        assert!(equal(&x, &y).unwrap());
        assert_eq!(unique_by(&x, |_, _| Val::known(true), &mut y).unwrap().get().unwrap(), 1);
        assert_eq!(partition(&x, |_| Val::known(false), &mut y).unwrap().get().unwrap(), 0);
        assert!(equal(&x, &y).unwrap());

        inclusive_scan_with(&x + 5, |_, _| Val::known(5), &mut y).unwrap();
        assert!(all_of(y.slice(1..), |y| y.eq(5)).unwrap());
        inclusive_scan_with(&x + 5, |_, b| b, &mut y).unwrap();
        assert!(equal(&y, &x + 5).unwrap());
        exclusive_scan_with(&x + 5, 5, |a, _| a, &mut y).unwrap();
        assert!(all_of(&y, |y| y.eq(5)).unwrap());
        assert_eq!(reduce(&x, 3, |a, _| a).unwrap(), 3);
        assert_eq!(reduce(&x, 3, |_, b| b).unwrap(), 4999);
        assert_eq!(reduce(&x, 3, |_, _| Val::known(9)).unwrap(), 9);
        assert_eq!(count_if(&x, |_| Val::known(true)).unwrap(), len);
        assert_eq!(find_if(&x, |_| Val::known(true)).unwrap(), Some(0));
        assert_eq!(find_if(&x, |_| Val::known(false)).unwrap(), None);

        y.assign(&x).unwrap();
        sort_by(&mut y, |_, _| Val::known(false)).unwrap();
        assert!(equal(&x, &y).unwrap(), "all are equal, and stay");
        sort_by(&mut y, |_, _| Val::known(true)).unwrap(); // no order: anything may come out
        let mut both = DeviceVec::filled(queue, -1, 2 * len + 2).unwrap();
        merge_by(&x, &x, |_, _| Val::known(false), both.slice_mut(1..=2 * len)).unwrap();
        assert!(equal(both.slice(1..=len), &x).unwrap() && equal(both.slice(len + 1..=2 * len), &x).unwrap());
        merge_by(&x, &x, |_, _| Val::known(true), both.slice_mut(1..=2 * len)).unwrap();
        let both = both.to_vec().unwrap();
        assert_eq!((both[0], both[2 * len + 1]), (-1, -1), "nothing beyond the ends");
    });
}

/// A value of one closure in another is a mistake that is told, and a panic leaves nothing behind.
#[test]
fn closures_that_misbehave() {
    each_queue(|queue| {
        let x = vector(queue, &[3, 1, 2]);
        let mut y = vector(queue, &[0; 3]);
        let mut smuggled = None;
        let _ = x.iter().map(|x| {
            smuggled = Some(x);
            x
        });
        let other = smuggled.unwrap();
        let refused = |result: cl_core::Result<()>| {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "symbolic value", .. }), "{error}");
        };
        refused(copy_if(&x, |x| x.lt(other), &mut y).map(drop));
        refused(unique_by(&x, |x, _| x.eq(other), &mut y).map(drop));
        refused(partition(&x, |_| other.gt(1), &mut y).map(drop));
        refused(inclusive_scan_with(&x, |a, _| a + other, &mut y));
        refused(exclusive_scan_in_place(&mut y, 1, |_, _| other));
        refused(reduce(&x, 0, |a, _| a * other).map(drop));
        refused(find_if(&x, |_| other.eq(1)).map(drop));
        refused(sort_by(&mut y, |a, _| a.lt(other)));
        let mut both = vector(queue, &[0; 6]);
        refused(merge_by(&x, &x, |a, _| a.lt(other), &mut both));
        refused(cl_algo::stl::lower_bounds_by(&x, &x, |a, _| a.lt(other), &mut y));
        refused(assign_if(&mut y, x.iter().map(|x| x.lt(other)), 1));
        refused(adjacent_difference(&x, |a, _| a - other, &mut y));
        refused(generate(&mut y, |_| other));
        assert_eq!(y.to_vec().unwrap(), [0; 3]);

        let panics = catch_unwind(AssertUnwindSafe(|| {
            let _ = copy_if(&x, |_| panic!("in the predicate"), &mut y);
        }));
        assert!(panics.is_err());
        let panics = catch_unwind(AssertUnwindSafe(|| {
            let _ = sort_by(&mut y, |a: Val<i32>, b: Val<i32>| {
                let _ = reduce(&x, 0, |_, _| -> Val<i32> { panic!("within another one") });
                a.lt(b)
            });
        }));
        assert!(panics.is_err());
        assert_eq!(copy_if(&x, |x| x.gt(1), &mut y).unwrap().get().unwrap(), 2);
        assert_eq!(y.to_vec().unwrap(), [3, 2, 0]);
    });
}

/// Every other element, backwards, scattered: where outputs can go, and where inputs come from.
fn views_and_permutations(queue: &Queue, all: bool) {
    let len = 3001;
    let host: Vec<i32> = (0..2 * len).map(|i| (noise(i) % 50) as i32).collect();
    let x = vector(queue, &host);
    let seen: Vec<i32> = host[1..].iter().copied().step_by(2).rev().collect();
    let view = || x.iter().skip(1).step_by(2).rev();
    let order: Vec<u32> = (0..len as u32).map(|i| i * 2000 % len as u32).collect();
    let at = vector(queue, &order);
    let scattered = |values: &[i32]| {
        let mut all = vec![-1; len];
        order.iter().zip(values).for_each(|(&at, &value)| all[at as usize] = value);
        all
    };
    let strided = |values: &[i32]| {
        let mut all = vec![-1; 3 * len];
        let last = 3 * len - 3;
        values.iter().enumerate().for_each(|(i, &value)| all[last - 3 * i] = value);
        all
    };
    let fresh = || DeviceVec::filled(queue, -1, len).unwrap();
    let wide = || DeviceVec::filled(queue, -1, 3 * len).unwrap();

    let (kept, rest): (Vec<i32>, Vec<i32>) = seen.iter().partition(|&&x| x < 20);
    let (mut a, mut b) = (fresh(), wide());
    let count = partition_copy(view(), |x| x.lt(20), a.scatter_mut(&at), b.view_mut().step_by(3).rev());
    assert_eq!(count.unwrap().get().unwrap() as usize, kept.len());
    assert_eq!(a.to_vec().unwrap(), scattered(&kept));
    assert_eq!(b.to_vec().unwrap(), strided(&rest));
    if !all {
        return;
    }

    let (mut a, mut b) = (fresh(), wide());
    let twice = mapped::<i32, _, _, _>((a.scatter_mut(&at), b.view_mut().step_by(3).rev()), |x| (x, x + 1));
    assert_eq!(partition(view(), |x| x.lt(20), twice).unwrap().get().unwrap() as usize, kept.len());
    let both = [&kept[..], &rest].concat();
    assert_eq!(a.to_vec().unwrap(), scattered(&both));
    assert_eq!(b.to_vec().unwrap(), strided(&both.iter().map(|x| x + 1).collect::<Vec<_>>()));

    let (mut a, mut b) = (fresh(), wide());
    let sums: Vec<i32> = seen
        .iter()
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect();
    inclusive_scan(
        view(),
        mapped::<i32, _, _, _>((a.scatter_mut(&at), b.view_mut().step_by(3).rev()), |x| (x, x)),
    )
    .unwrap();
    assert_eq!(a.to_vec().unwrap(), scattered(&sums));
    assert_eq!(b.to_vec().unwrap(), strided(&sums));

    let mut sorted = seen.clone();
    sorted.sort_unstable();
    let (mut a, mut b) = (fresh(), wide());
    argsort_by(view(), Val::lt, a.scatter_mut(&at)).unwrap();
    let mut places: Vec<i32> = (0..len as i32).collect();
    places.sort_by_key(|&i| seen[i as usize]);
    assert_eq!(a.to_vec().unwrap(), scattered(&places));
    let y = vector(queue, &sorted);
    merge(y.iter().step_by(2), y.iter().skip(1).step_by(2), b.view_mut().step_by(3).rev()).unwrap();
    assert_eq!(b.to_vec().unwrap(), strided(&sorted));
    let mut b = wide();
    upper_bounds(&y, view(), b.view_mut().step_by(3).rev()).unwrap();
    let bounds: Vec<i32> = seen.iter().map(|&x| sorted.partition_point(|&y| y <= x) as i32).collect();
    assert_eq!(b.to_vec().unwrap(), strided(&bounds));

    let mut a = fresh();
    histogram(view(), a.scatter_mut(at.iter().take(50))).unwrap();
    let counts: Vec<i32> = (0..50).map(|k| seen.iter().filter(|&&x| x == k).count() as i32).collect();
    assert_eq!(a.to_vec().unwrap(), scattered(&counts));
}

#[test]
fn views_and_permutations_everywhere() {
    each_own_queue(|queue| views_and_permutations(queue, true));
    each_queue(|queue| views_and_permutations(queue, false));
}

/// Bytes, halves of words and truth values: they wrap, and are stored as one byte.
#[test]
fn small_types() {
    each_own_queue(|queue| {
        let len = 4099;
        let bytes: Vec<u8> = (0..len).map(|i| noise(i) as u8 / 64).collect();
        let shorts: Vec<i16> = (0..len).map(|i| noise(i) as i16).collect();
        let flags: Vec<bool> = (0..len).map(|i| noise(i).is_multiple_of(3)).collect();
        let (b, s, f) = (vector(queue, &bytes), vector(queue, &shorts), vector(queue, &flags));
        let (mut b2, mut s2, mut f2) = (
            vector(queue, &vec![9_u8; len]),
            vector(queue, &vec![9_i16; len]),
            vector(queue, &vec![true; len]),
        );

        exclusive_scan(&b, 250, &mut b2).unwrap();
        let sums = bytes.iter().scan(250_u8, |sum, x| {
            let before = *sum;
            *sum = sum.wrapping_add(*x);
            Some(before)
        });
        assert!(b2.to_vec().unwrap().into_iter().eq(sums));
        inclusive_scan_with(&s, Val::min, &mut s2).unwrap();
        let least = shorts.iter().scan(i16::MAX, |least, x| {
            *least = (*least).min(*x);
            Some(*least)
        });
        assert!(s2.to_vec().unwrap().into_iter().eq(least));
        inclusive_scan_with(&f, |a, b| a ^ b, &mut f2).unwrap();
        let odd = flags.iter().scan(false, |odd, x| {
            *odd ^= *x;
            Some(*odd)
        });
        assert!(f2.to_vec().unwrap().into_iter().eq(odd));
        assert_eq!(
            reduce(&f, true, |a, b| a ^ b).unwrap(),
            flags.iter().filter(|&&f| f).count().is_multiple_of(2)
        );
        assert_eq!(
            s.iter().minmax_element().unwrap().map(|(a, b)| (a.1, b.1)),
            shorts.iter().min().copied().zip(shorts.iter().max().copied())
        );

        let count =
            unique_by_key(&f, (&b, &s), Val::eq, (&mut f2, (&mut b2, &mut s2))).unwrap().get().unwrap()
                as usize;
        let begins: Vec<usize> = (0..len).filter(|&i| i == 0 || flags[i] != flags[i - 1]).collect();
        assert_eq!(count, begins.len());
        assert!(s2.to_vec().unwrap()[..count].iter().eq(begins.iter().map(|&i| &shorts[i])));
        assert!(f2.to_vec().unwrap()[..count].iter().eq(begins.iter().map(|&i| &flags[i])));
        let count = partition(&f, |f| f, &mut f2).unwrap().get().unwrap() as usize;
        assert!(f2.to_vec().unwrap().iter().enumerate().all(|(i, &f)| f == (i < count)));

        b2.assign(&b).unwrap();
        s2.assign(&s).unwrap();
        sort_by_key_by(&mut b2, &mut s2, Val::gt).unwrap();
        let mut rows: Vec<(u8, i16)> = bytes.iter().copied().zip(shorts.iter().copied()).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.0));
        assert!(b2.to_vec().unwrap().into_iter().zip(s2.to_vec().unwrap()).eq(rows));
        assert_eq!(s.iter().sum().unwrap(), shorts.iter().fold(0, |a: i16, b| a.wrapping_add(*b)));
        assert_eq!(
            count_if((&b, &f), |(b, f): (Val<u8>, Val<bool>)| b.eq(2) & f).unwrap(),
            (0..len).filter(|&i| bytes[i] == 2 && flags[i]).count()
        );
    });
}

/// Eight vectors at once, and the same vector again and again.
#[test]
fn eight_vectors_and_one_eight_times() {
    type Eight<T> = (T, T, T, T, T, T, T, T);
    each_own_queue(|queue| {
        let len = 2500;
        let host: Vec<u32> = (0..len).map(|i| noise(i) as u32 % 1000).collect();
        let x = vector(queue, &host);
        let all = || zip::<Eight<u32>>((&x, &x + 1, &x, &x * 2, &x, x.iter().rev(), &x, &x));
        let mut out: Vec<_> = (0..8).map(|_| vector(queue, &vec![7_u32; len])).collect();
        let [a, b, c, d, e, f, g, h] = &mut out[..] else { unreachable!() };
        let kept = copy_if(
            all(),
            |row: Eight<Val<u32>>| row.3.lt(200),
            (&mut *a, &mut *b, Discard, &mut *d, &mut *e, &mut *f, &mut *g, &mut *h),
        );
        let kept = kept.unwrap().get().unwrap() as usize;
        let rows: Vec<usize> = (0..len).filter(|&i| host[i] < 100).collect();
        assert_eq!(kept, rows.len());
        let values = |x: &DeviceVec<u32>| x.to_vec().unwrap()[..kept].to_vec();
        assert!(values(b).into_iter().eq(rows.iter().map(|&i| host[i] + 1)));
        assert!(values(f).into_iter().eq(rows.iter().map(|&i| host[len - 1 - i])));
        assert!(values(h).into_iter().eq(rows.iter().map(|&i| host[i])));
        assert_eq!(c.to_vec().unwrap(), vec![7; len]);

        let add = |p: Eight<Val<u32>>, q: Eight<Val<u32>>| {
            (p.0 + q.0, p.1.max(q.1), p.2 ^ q.2, p.3.min(q.3), p.4 | q.4, q.5, p.6, p.7 + q.7)
        };
        inclusive_scan_with(
            all(),
            add,
            (&mut *a, &mut *b, &mut *c, &mut *d, &mut *e, &mut *f, &mut *g, &mut *h),
        )
        .unwrap();
        let (mut sum, mut max, mut bits) = (0, 0, 0);
        let (a2, b2, c2) = (a.to_vec().unwrap(), b.to_vec().unwrap(), c.to_vec().unwrap());
        for i in 0..len {
            sum += host[i];
            max = max.max(host[i] + 1);
            bits ^= host[i];
            assert_eq!((a2[i], b2[i], c2[i]), (sum, max, bits), "{i}");
        }
        assert!(equal(&*f, x.iter().rev()).unwrap() && all_of(&*g, |g| g.eq(host[0])).unwrap());
        for one in [&mut *a, b, c, d, e, f, g, h] {
            one.assign(&x).unwrap();
        }
        sort_by(
            (&mut *a, &mut *b, &mut *c, &mut *d, &mut *e, &mut *f, &mut *g, &mut *h),
            |p: Eight<Val<u32>>, q: Eight<Val<u32>>| p.4.gt(q.7),
        )
        .unwrap();
        let mut sorted = host.clone();
        sorted.sort_by(|a, b| b.cmp(a));
        for one in [a, b, c, d, e, f, g, h] {
            assert_eq!(one.to_vec().unwrap(), sorted);
        }
    });
}

/// Scalars of the device outlive nothing, and their memory is used again.
#[test]
fn scalars_of_the_device_come_and_go() {
    each_own_queue(|queue| {
        let x = DeviceVec::from_fn(queue, 3000, |i| i as u32).unwrap();
        let mut sums = DeviceVec::filled(queue, 0_u64, 60).unwrap();
        let (mut y, mut z) =
            (DeviceVec::filled(queue, 0_u32, 3000).unwrap(), DeviceVec::filled(queue, 0_u64, 3000).unwrap());
        for k in 0..60_u32 {
            let few = copy_if(&x, |x| (x % 60).lt(k), &mut y).unwrap();
            let other = partition(&x, |x| x.lt(k), &mut y).unwrap();
            let place = sums.slice_mut(k as usize..k as usize + 1);
            assign(place, few.iter() * 1000 + &other).unwrap();
            // Gone before anything was waited for, and taken again by the next ones.
            exclusive_scan_with(index::<u64>(), &few, |a, b| a + b, z.view_mut()).unwrap();
            drop((few, other));
            let _next = x.iter().gt(5).count_on_device().unwrap();
        }
        let expected: Vec<u64> = (0..60).map(|k| k * 50 * 1000 + k).collect();
        assert_eq!(sums.to_vec().unwrap(), expected);
        assert_eq!(z.to_vec().unwrap()[..3], [59 * 50, 59 * 50, 59 * 50 + 1]);

        // Many at once are more than are kept.
        let many: Vec<_> = (0..200_u32).map(|k| x.iter().lt(k).count_on_device().unwrap()).collect();
        for (k, one) in many.iter().enumerate() {
            assert_eq!(one.get().unwrap(), k as u64);
        }
    });
}

/// A queue's owner may forget it while it works.
#[test]
fn queues_dropped_at_work() {
    cl_test::each_device(|device| {
        let (times, len) = cl_test::full_or_small((20, 100_000), (2, 5000));
        for _ in 0..times {
            let queue = Queue::on(device).unwrap();
            let mut keys = DeviceVec::from_fn(&queue, len, |i| noise(i) as u32).unwrap();
            let mut out = DeviceVec::filled(&queue, 0, len).unwrap();
            drop(queue);
            sort(&mut keys).unwrap();
            let count = unique(&keys, &mut out).unwrap();
            inclusive_scan_in_place(&mut out, |a, b| a + b).unwrap();
            drop((keys, count));
            drop(out);
        }
    });
}

/// What every thread does over and over, with one result.
fn work(queue: &Queue, seed: usize, all: bool) {
    let len = 3000 + seed;
    let host: Vec<u32> = (0..len).map(|i| noise(i + seed) as u32 % 500).collect();
    let x = vector(queue, &host);
    let mut sorted = host.clone();
    sorted.sort_unstable();
    let mut different = sorted.clone();
    different.dedup();
    let (mut y, mut z) = (vector(queue, &host), vector(queue, &host));
    for round in 0..12 {
        y.assign(&x).unwrap();
        sort(&mut y).unwrap();
        let count = unique(&y, &mut z).unwrap();
        assert_eq!(y.to_vec().unwrap(), sorted, "{seed} {round}");
        assert_eq!(count.get().unwrap() as usize, different.len(), "{seed} {round}");
        assert_eq!(z.to_vec().unwrap()[..different.len()], different, "{seed} {round}");
        inclusive_scan(&x, &mut z).unwrap();
        assert_eq!(z.to_vec().unwrap()[len - 1], host.iter().sum::<u32>());
        if !all {
            continue;
        }
        let total = x.iter().cast::<u64>().sum_on_device().unwrap();
        assert_eq!(z.iter().reduce_max().unwrap().map(u64::from), Some(total.get().unwrap()));
        let found = find(&y, different[different.len() / 2]).unwrap();
        assert_eq!(found, Some(sorted.partition_point(|&x| x < different[different.len() / 2])));
        let mut counts = DeviceVec::filled(queue, 0_u32, 500).unwrap();
        histogram(&x, &mut counts).unwrap();
        assert_eq!(counts.sum().unwrap() as usize, len);
        let kept = copy_if(&x, |x| x.lt(round), &mut z).unwrap();
        assert_eq!(kept.get().unwrap() as usize, host.iter().filter(|&&x| x < round).count());
    }
}

/// Threads that share a queue, each with its own, and out-of-order ones.
fn threads(queue: &Queue, all: bool) {
    let has_others = queue.device().has_out_of_order_queues();
    let in_order = QueueOptions::new();
    let second = if cl_test::offers(queue.device(), "out-of-order queues", has_others) {
        in_order.out_of_order()
    } else {
        in_order
    };
    let [other, first, second] =
        [in_order, second, second].map(|options| Queue::new(queue.context(), options).unwrap());
    thread::scope(|scope| {
        for (seed, queue) in [queue, queue, queue, &other, &first, &first, &second].into_iter().enumerate() {
            scope.spawn(move || work(queue, 10 * seed, all));
        }
    });
}

#[test]
fn many_threads() {
    known_faults::each_device("algorithms_surprises::many_threads", |device| {
        threads(&Queue::on(device).unwrap(), true);
    });
    each_queue(|queue| {
        if !known_faults::skips("algorithms_surprises::many_threads", queue.device()) {
            threads(queue, false);
        }
    });
}

/// Thousands of launches that look back, with messages of several sizes in the same memory.
#[test]
fn thousands_of_launches() {
    each_queue(|queue| {
        if !has_fp64(queue) {
            return;
        }
        let len = 2100;
        let x = DeviceVec::from_fn(queue, len, |i| i as u32 % 7).unwrap();
        let wide = DeviceVec::from_fn(queue, len, |i| F64x4::splat(i as f64)).unwrap();
        let mut sums = DeviceVec::filled(queue, 0_u32, len).unwrap();
        let mut totals = DeviceVec::filled(queue, F64x4::splat(0.0), len).unwrap();
        let expected: Vec<u32> = (0..len as u32)
            .scan(0, |sum, i| {
                *sum += i % 7;
                Some(*sum)
            })
            .collect();
        for round in 0..cl_test::full_or_small(1500, 60) {
            inclusive_scan(&x, &mut sums).unwrap();
            if round % 3 == 0 {
                inclusive_scan(&wide, &mut totals).unwrap();
            }
            if round % 50 == 0 {
                assert_eq!(sums.to_vec().unwrap(), expected, "{round}");
                assert_eq!(totals.to_vec().unwrap()[len - 1], F64x4::splat((len * (len - 1) / 2) as f64));
            }
            sums.assign(0).unwrap();
        }
    });
}
