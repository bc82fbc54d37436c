//! Errors name the function that the user called, not one that it calls.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::function::RawFunction;
use cl_algo::prelude::*;
use cl_algo::reducers::Sum;
use cl_algo::stl::{
    adjacent_difference, adjacent_find, adjacent_find_by, all_of, any_of, argsort, argsort_by, assign_if,
    binary_search, binary_search_by, binary_searches, binary_searches_by, copy, copy_if, count, count_if,
    equal_range, equal_range_by, equal_ranges, equal_ranges_by, exclusive_scan, exclusive_scan_by_key,
    exclusive_scan_by_key_with, exclusive_scan_in_place, exclusive_scan_with, find, find_if, find_if_not,
    for_each, gather, generate, histogram, histogram_even, inclusive_scan, inclusive_scan_by_key,
    inclusive_scan_by_key_with, inclusive_scan_in_place, inclusive_scan_with, inner_product, is_sorted,
    is_sorted_by, lower_bound, lower_bound_by, lower_bounds, lower_bounds_by, merge, merge_by, merge_by_key,
    mismatch, none_of, partition, partition_copy, reduce, reduce_by_key, reduce_by_key_with,
    reduce_on_device, remove_copy_if, scatter, scatter_if, sort_by, sort_by_key_by, transform,
    transform_reduce, unique_by, unique_by_key, upper_bound, upper_bound_by, upper_bounds, upper_bounds_by,
};
use cl_algo::stl::{equal, unique};
use cl_core::{Error, Result};
use cl_test::counting::{devices, exclusive};

/// Returns the function that an error of lengths names.
fn named<T>(result: Result<T>) -> &'static str {
    match result.map(drop) {
        Err(Error::LengthMismatch { operation, .. }) => operation,
        other => panic!("{other:?}"),
    }
}

macro_rules! check {
    ($($name:ident($($argument:expr),*);)*) => {$(
        assert_eq!(named($name($($argument),*)), stringify!($name));
    )*};
}

#[test]
fn lengths_that_do_not_fit() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let x = &DeviceVec::from_slice(queue, &[1_i32, 2, 3, 4]).unwrap();
        let empty = &DeviceVec::from_slice(queue, &[0_i32; 0]).unwrap();
        let [a, b] = &mut [(); 2].map(|()| DeviceVec::filled(queue, 0_i32, 2).unwrap());
        let three = &mut DeviceVec::filled(queue, 0_i32, 3).unwrap();
        let [places, more] = &mut [(); 2].map(|()| DeviceVec::filled(queue, 0_u64, 2).unwrap());
        let bools = &mut DeviceVec::filled(queue, false, 2).unwrap();
        let add = |a: Val<i32>, b: Val<i32>| a + b;
        let equal = |a: Val<i32>, b: Val<i32>| a.eq(b);
        let less = |a: Val<i32>, b: Val<i32>| a.lt(b);
        let odd = |a: Val<i32>| (a % 2).ne(0);
        let key_less = |(a, _): (Val<i32>, Val<i32>), (b, _): (Val<i32>, Val<i32>)| a.lt(b);

        let calls = counter.calls_during(|| {
            check! {
                assign(&mut *a, x);
                assign_if(&mut *a, x.iter().lt(3), x);
                assign_if(&mut *a, x.slice(..3).lt(3), x);
                transform(x, |x: Val<i32>| x + 1, &mut *a);
                copy(x, &mut *a);
                gather(x, x, &mut *a);
                scatter(x, iota(0, 3), a);
                scatter_if(x, iota(0, 4), x.slice(..3).lt(3), a);
                adjacent_difference(x, |a: Val<i32>, b: Val<i32>| a - b, &mut *a);
                inclusive_scan(x, &mut *a);
                exclusive_scan(x, 0, &mut *a);
                inclusive_scan_with(x, add, &mut *a);
                exclusive_scan_with(x, 0, add, &mut *a);
                inclusive_scan_by_key(x, x, &mut *a);
                exclusive_scan_by_key(x, x, 0, &mut *a);
                inclusive_scan_by_key_with(x, x, equal, add, &mut *a);
                exclusive_scan_by_key_with(x, x, 0, equal, add, &mut *a);
                reduce_by_key(x, x, a.view_mut().rev(), b.view_mut().rev());
                reduce_by_key(x, x.slice(..3), &mut *a, &mut *b);
                reduce_by_key_with(x, x, equal, add, a.view_mut().rev(), b.view_mut().rev());
                copy_if(x, odd, a.view_mut().rev());
                remove_copy_if(x, odd, a.view_mut().rev());
                partition(x, odd, &mut *a);
                partition_copy(x, odd, a.view_mut().rev(), b.view_mut().rev());
                unique(x, a.view_mut().rev());
                unique_by(x, equal, a.view_mut().rev());
                unique_by_key(x, x, equal, (a.view_mut().rev(), b.view_mut().rev()));
                unique_by_key(x, x.slice(..3), equal, (&mut *a, &mut *b));
                find(x, x.slice(..3));
                inner_product(x, x.slice(..3), 0);
                assign_with((&mut *a, &mut *three), |items| items);
                for_each((&mut *a, &mut *three), |(a, b): (Val<i32>, Val<i32>)| (a, b));
                inclusive_scan_in_place((&mut *a, &mut *three), |(a, b), (c, d)| (a + c, b + d));
                exclusive_scan_in_place((&mut *a, &mut *three), zip((0, 0)), |(a, b), (c, d)| (a + c, b + d));
                sort_by((&mut *a, &mut *three), key_less);
                sort_by_key_by(&mut *a, &mut *three, less);
                sort_by_key_by((&mut *a, &mut *three), &mut *b, key_less);
                argsort_by(x, less, &mut *a);
                lower_bounds(x, x, &mut *places);
                lower_bounds_by(empty, x, less, &mut *places);
                upper_bounds(empty, x, &mut *places);
                upper_bounds_by(x, x, less, &mut *places);
                equal_ranges(x, x, (&mut *places, &mut *more));
                equal_ranges_by(x, x, less, (&mut *places, &mut *more));
                binary_searches(x, x, &mut *bools);
                binary_searches_by(empty, x, less, &mut *bools);
            }
            check! {
                merge_by_key((x, x.slice(..3)), (empty, empty), (&mut *a, &mut *b));
                merge_by_key((x, x), (x, empty), (&mut *a, &mut *b));
            }
            for (left, right) in [(x, x), (x, empty), (empty, x)] {
                check! {
                    merge(left, right, &mut *a);
                    merge_by(left, right, less, &mut *a);
                    merge_by((left, left), (right, right), key_less, (&mut *a, &mut *b));
                    merge_by_key((left, left), (right, right), (&mut *a, &mut *b));
                }
            }
        });
        assert!(calls.is_empty(), "{calls:?}");
    }
}

#[test]
fn queues_that_do_not_fit() {
    let counter = exclusive();
    for device in devices() {
        let [queue, other] = &[(); 2].map(|()| Queue::on(&device).unwrap());
        let [x, y] = &mut [queue, other].map(|queue| DeviceVec::from_slice(queue, &[1_i32, 2, 3]).unwrap());
        let z = &mut DeviceVec::filled(other, 0_i32, 3).unwrap();
        let empty = &mut DeviceVec::from_slice(other, &[0_i32; 0]).unwrap();
        let places = &mut DeviceVec::filled(other, 0_u64, 3).unwrap();
        let counts = &mut DeviceVec::from_slice(other, &[0_u64; 0]).unwrap();
        let same = |a: Val<i32>, b: Val<i32>| a.eq(b);
        let less = |a: Val<i32>, b: Val<i32>| a.lt(b);
        let named = |result: Result<()>| match result {
            Err(Error::ForeignObject { operation, .. }) => operation,
            other => panic!("{other:?}"),
        };
        let calls = counter.calls_during(|| {
            assert_eq!(named(equal(&*x, &*y).map(drop)), "equal");
            assert_eq!(named(mismatch(&*x, &*y).map(drop)), "mismatch");
            assert_eq!(named(find(&*x, &*y).map(drop)), "find");
            assert_eq!(named(inner_product(&*x, &*y, 0).map(drop)), "inner_product");
            let unique = unique_by_key(&*x, &*y, same, (Discard, Discard)).map(drop);
            assert_eq!(named(unique), "unique_by_key");
            assert_eq!(named(sort_by_key_by(&mut *x, &mut *y, less)), "sort_by_key_by");
            assert_eq!(named(merge(&*x, &*y, Discard)), "merge");
            // Also if there is nothing to do, and nothing to search in or to merge with.
            assert_eq!(named(merge(x.slice(..0), &*y, &mut *z)), "merge");
            assert_eq!(named(merge_by(&*y, x.slice(..0), less, &mut *z)), "merge_by");
            assert_eq!(named(lower_bounds(x.slice(..0), &*y, &mut *places)), "lower_bounds");
            assert_eq!(named(upper_bounds(&*x, y.slice(..0), &mut *counts)), "upper_bounds");
            assert_eq!(named(argsort_by(x.slice(..0), less, &mut *empty)), "argsort_by");
            assert_eq!(named(assign_if(&mut *empty, x.slice(..0).lt(3), 1)), "assign_if");
            assert_eq!(named(histogram(&*x, &mut *counts)), "histogram");
        });
        assert!(calls.is_empty(), "{calls:?}");
    }
}

/// Checks that a compiler's error names the function that was called, whichever of its kernels fails.
#[test]
fn functions_that_do_not_compile() {
    // SAFETY: the function does not compile, so it never runs.
    let wrong = unsafe { RawFunction::<fn(i32) -> i32>::new("wrong", ["a"], "return b;") }.unwrap();
    let wrong = |a: Val<i32>| wrong.call((a,));
    macro_rules! named {
        ($name:ident, $result:expr) => {{
            let text = $result.map(drop).unwrap_err().to_string();
            let expected = concat!("for `", stringify!($name), "`, with the function `wrong`");
            // The kernel's parameters follow, if it has any.
            let mut purposes = text.lines().filter_map(|line| line.split("; compiled with").next());
            assert!(purposes.any(|line| line.ends_with(expected)), "{expected} is not in {text}");
        }};
    }
    macro_rules! functions {
        ($($name:ident($($argument:expr),*);)*) => {$( named!($name, $name($($argument),*)); )*};
    }
    macro_rules! methods {
        ($($of:expr => $($name:ident($($argument:expr),*))*;)*) => {$($( named!($name, $of.$name($($argument),*)); )*)*};
    }
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = &DeviceVec::from_fn(queue, 5000, |i| i as i32).unwrap();
        let [a, b] = &mut [(); 2].map(|()| DeviceVec::filled(queue, 0_i32, 5000).unwrap());
        let [places, more] = &mut [(); 2].map(|()| DeviceVec::filled(queue, 0_u64, 5000).unwrap());
        let long = &mut DeviceVec::filled(queue, 0_i32, 10_000).unwrap();
        let bools = &mut DeviceVec::filled(queue, false, 5000).unwrap();
        let bad = || x.iter().map(wrong);
        let flags = || bad().gt(1);
        let floats = || bad().cast::<f32>();
        let add = |a: Val<i32>, b: Val<i32>| a + wrong(b);
        let equal_to = |a: Val<i32>, b: Val<i32>| a.eq(wrong(b));
        let less = |a: Val<i32>, b: Val<i32>| a.lt(wrong(b));
        let odd = |a: Val<i32>| wrong(a).ne(0);
        let key_less = |(a, _): (Val<i32>, Val<i32>), (b, _): (Val<i32>, Val<i32>)| a.lt(wrong(b));

        functions! {
            assign(&mut *a, bad());
            assign_if(&mut *a, flags(), x);
            assign_with(&mut *a, |items: Expr<'_, i32>| items.map(wrong));
            transform(x, wrong, &mut *a);
            for_each(&mut *a, wrong);
            copy(bad(), &mut *a);
            generate(&mut *a, |i| wrong(i.cast::<i32>()));
            gather(bad(), x, &mut *a);
            scatter(bad(), x, a);
            scatter_if(bad(), x, x.iter().lt(3), a);
            adjacent_difference(bad(), |a, b| a - b, &mut *a);
            inclusive_scan(bad(), &mut *a);
            exclusive_scan(bad(), 0, &mut *a);
            inclusive_scan_with(x, add, &mut *a);
            exclusive_scan_with(x, 0, add, &mut *a);
            inclusive_scan_in_place(&mut *a, add);
            exclusive_scan_in_place(&mut *a, 0, add);
            inclusive_scan_by_key(bad(), x, &mut *a);
            exclusive_scan_by_key(bad(), x, 0, &mut *a);
            inclusive_scan_by_key_with(x, x, equal_to, add, &mut *a);
            exclusive_scan_by_key_with(x, x, 0, equal_to, add, &mut *a);
            reduce_by_key(bad(), x, &mut *a, &mut *b);
            reduce_by_key_with(x, x, equal_to, add, &mut *a, &mut *b);
            copy_if(x, odd, &mut *a);
            remove_copy_if(x, odd, &mut *a);
            partition(x, odd, &mut *a);
            partition_copy(x, odd, &mut *a, &mut *b);
            unique(bad(), &mut *a);
            unique_by(x, equal_to, &mut *a);
            unique_by_key(x, x, equal_to, (&mut *a, &mut *b));
            histogram(bad(), &mut *places);
            histogram_even(floats(), 0.0..1.0, &mut *places);
            sort_by(&mut *a, less);
            sort_by((&mut *a, &mut *b), key_less);
            sort_by_key_by(&mut *a, &mut *b, less);
            argsort(bad());
            argsort_by(x, less, &mut *a);
            merge(bad(), x, &mut *long);
            merge(bad(), x.slice(..0), &mut *a);
            merge_by(x, x, less, &mut *long);
            merge_by_key((x, bad()), (x, x), (&mut *long, Discard));
            lower_bound(bad(), 3);
            lower_bound_by(x, 3, less);
            upper_bound(bad(), 3);
            upper_bound_by(x, 3, less);
            equal_range(bad(), 3);
            equal_range_by(x, 3, less);
            binary_search(bad(), 3);
            binary_search_by(x, 3, less);
            lower_bounds(x, bad(), &mut *places);
            lower_bounds_by(x, x, less, &mut *places);
            upper_bounds(x, bad(), &mut *places);
            upper_bounds_by(x, x, less, &mut *places);
            equal_ranges(x, bad(), (&mut *places, &mut *more));
            equal_ranges_by(x, x, less, (&mut *places, &mut *more));
            binary_searches(x, bad(), &mut *bools);
            binary_searches_by(x, x, less, &mut *bools);
            reduce(x, 0, add);
            reduce_on_device(x, 0, add);
            transform_reduce(x, 0, |a: Val<i32>, b: Val<i32>| a + b, wrong);
            inner_product(bad(), x, 0);
            count(bad(), 3);
            count_if(x, odd);
            find(bad(), 3);
            find_if(x, odd);
            find_if_not(x, odd);
            any_of(x, odd);
            all_of(x, odd);
            none_of(x, odd);
            mismatch(bad(), x);
            equal(bad(), x);
            is_sorted(bad());
            is_sorted_by(x, less);
            adjacent_find(bad());
            adjacent_find_by(x, equal_to);
        }
        named!(sum_as, bad().sum_as::<i64>());
        named!(filter, x.iter().filter(odd).collect());
        named!(sum, x.iter().filter(odd).sum());
        named!(dedup, bad().dedup().collect());
        named!(dedup, bad().dedup().count());
        named!(dedup_by, x.iter().dedup_by(equal_to).collect());
        named!(inclusive_scan, bad().inclusive_scan().collect());
        named!(exclusive_scan, bad().exclusive_scan(0).by_key(x).collect());
        named!(inclusive_scan_with, x.iter().inclusive_scan_with(add).collect());
        named!(exclusive_scan_with, x.iter().exclusive_scan_with(0, add).by_key_with(x, equal_to).collect());
        methods! {
            x.iter() => partition(odd) reduce(add) reduce_by_key(x, add);
            bad() => sum_by_key(x) argsort();
            bad() => collect() sum() sum_on_device() product() reduce_with(Sum) reduce_with_on_device(Sum) reduce_min()
                reduce_max() reduce_minmax() min_element() max_element() minmax_element();
            flags() => count() count_on_device() position() any() all();
            floats() => mean() variance() sample_variance() mean_and_variance();
            Sort::new() => argsort_u64(bad());
            a => assign(bad()) assign_with(|items: Expr<'_, i32>| items.map(wrong)) add_assign(bad()) shr_assign(bad());
        }
    });
}
