//! Algorithms with the standard library's names, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    adjacent_difference, assign_if, copy, fill, for_each, gather, generate, scatter, scatter_if, transform,
};
use cl_core::Error;

fn lengths() -> Vec<usize> {
    cl_test::full_or_small(vec![0, 1, 2, 17, 1000, 1025, 4097, 65_537], vec![0, 1, 2, 17, 1000, 1025, 9001])
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

#[test]
fn names_of_the_standard_library() {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<i32> = (0..len as i32).map(|i| i % 1009 * (i % 31)).collect();
            let x = vector(queue, &host);
            let mut out = vector(queue, &vec![-1; len]);
            transform((&x, index::<i32>()), |(x, i): (Val<i32>, Val<i32>)| x - i, &mut out).unwrap();
            assert!(out.to_vec().unwrap().into_iter().eq(host.iter().zip(0..).map(|(x, i)| x - i)));
            for_each(&mut out, |x| -x).unwrap();
            assert!(out.to_vec().unwrap().into_iter().eq(host.iter().zip(0..).map(|(x, i)| i - x)));
            generate(&mut out, |i| i.cast::<i32>() * 3).unwrap();
            assert!(out.to_vec().unwrap().into_iter().eq((0..len as i32).map(|i| 3 * i)));
            copy(&x + 1, out.view_mut().rev()).unwrap();
            assert!(out.to_vec().unwrap().into_iter().eq(host.iter().rev().map(|x| x + 1)));
            fill(out.slice_mut(len / 3..len / 2), 7).unwrap();
            let filled = out.to_vec().unwrap();
            assert!((0..len).all(
                |i| filled[i] == if (len / 3..len / 2).contains(&i) { 7 } else { host[len - 1 - i] + 1 }
            ));

            let order: Vec<u32> = (0..len).map(|i| ((i * 7919 + 3) % len) as u32).collect();
            let order = vector(queue, &order);
            let by = order.to_vec().unwrap();
            if len > 0 {
                gather(&order, &x * 2, &mut out).unwrap();
                assert!(out.to_vec().unwrap().into_iter().eq(by.iter().map(|&i| 2 * host[i as usize])));
            }
            fill(&mut out, -5).unwrap();
            scatter(&x, &order, &mut out).unwrap();
            let scattered = out.to_vec().unwrap();
            assert!((0..len).all(|i| scattered[by[i] as usize] == host[i]));
            fill(&mut out, -5).unwrap();
            scatter_if(&x, &order, (&x % 2).eq(0), &mut out).unwrap();
            let scattered = out.to_vec().unwrap();
            let expected = |i: usize| if host[i] % 2 == 0 { host[i] } else { -5 };
            assert!((0..len).all(|i| scattered[by[i] as usize] == expected(i)), "{len}");

            adjacent_difference(&x, |x, before| x * 2 - before, &mut out).unwrap();
            let expected = |i: usize| if i == 0 { host[0] } else { host[i] * 2 - host[i - 1] };
            assert!(out.to_vec().unwrap().into_iter().eq((0..len).map(expected)));
        }
    });
}

#[test]
fn indices_that_are_masked_out_are_not_looked_at() {
    each_queue(|queue| {
        let x = vector(queue, &[1, 2, 3]);
        let mut out = vector(queue, &[0; 3]);
        let mask = vector(queue, &[true, false, true]);
        scatter_if(&x, vector(queue, &[2, 999, 0]), &mask, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [3, 0, 1]);
        scatter_if(&x, vector(queue, &[2, 1, 3]), &mask, &mut out).unwrap();
        let error = out.to_vec().unwrap_err();
        assert!(
            matches!(error, Error::IndexOutOfRange { operation: "scatter", index: 3, bound: 3, .. }),
            "{error}"
        );
        assert_eq!(out.to_vec().unwrap(), [3, 0, 1]);
        gather(vector(queue, &[0, -1, 1]), &x, &mut out).unwrap();
        assert!(matches!(out.to_vec().unwrap_err(), Error::IndexOutOfRange { operation: "gather", .. }));
        assert_eq!(out.to_vec().unwrap(), [1, 3, 2]);
    });
}

#[test]
fn masks_of_several_outputs_and_their_mistakes() {
    each_queue(|queue| {
        let x = DeviceVec::from_fn(queue, 5000, |i| i as f32).unwrap();
        let (mut a, mut b) =
            (DeviceVec::filled(queue, -1.0_f32, 5000).unwrap(), vector(queue, &vec![9_u8; 5000]));
        assign_if((&mut a, b.view_mut().rev()), x.iter().lt(10.0), (2.0 * &x, 1_u8)).unwrap();
        assert!(
            (0..5000).zip(a.to_vec().unwrap()).all(|(i, a)| a == if i < 10 { 2.0 * i as f32 } else { -1.0 })
        );
        assert!((0..5000).zip(b.to_vec().unwrap()).all(|(i, b)| b == if i >= 4990 { 1 } else { 9 }));
        let error = assign_if(&mut a, vector(queue, &[true]).iter(), &x).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        let error = assign_if(&mut a, x.slice(..7).lt(3.0), 1.0).unwrap_err();
        assert!(
            matches!(error, Error::LengthMismatch { operation: "assign_if", left: 5000, right: 7, .. }),
            "{error}"
        );
        let error = assign_if(&mut a, true, 1.0).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
    });
}
