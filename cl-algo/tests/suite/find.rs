//! Searches compared with the host, in both shapes of kernels.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    adjacent_find, adjacent_find_by, equal, find, find_if, find_if_not, is_sorted, is_sorted_by, mismatch,
};

/// Returns lengths around packs, work-groups and tiles.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![1, 2, 16, 17, 257, 1025, 4097, 33_001, (1 << 16) + 1],
        vec![1, 2, 17, 257, 4097, 9001],
    )
}

#[test]
fn the_first_of_several_is_found_wherever_it_is() {
    each_queue(|queue| {
        for len in lengths() {
            let mut x = DeviceVec::filled(queue, 0_u32, len).unwrap();
            assert_eq!(find(&x, 1).unwrap(), None, "{len}");
            assert!(!x.iter().ne(0).any().unwrap() && x.iter().eq(0).all().unwrap(), "{len}");
            // From the end on, so that there are more and more of them behind the first.
            let mut places = vec![len - 1, len - len / 4 - 1, len / 2, len / 3, 17, 16, 1, 0];
            places.retain(|&at| at < len);
            places.sort_unstable();
            for at in places.into_iter().rev() {
                x.slice_mut(at..=at).fill_with_one();
                assert_eq!(find(&x, 1).unwrap(), Some(at), "{len}");
                assert_eq!(find_if_not(&x, |x| x.eq(0)).unwrap(), Some(at), "{len}");
                assert!(x.iter().eq(1).any().unwrap() && !x.iter().eq(0).all().unwrap());
            }
        }
    });
}

/// A type that can be filled with ones.
trait Ones {
    fn fill_with_one(self);
}

impl Ones for cl_algo::ViewMut<'_, u32> {
    fn fill_with_one(self) {
        assign(self, 1).unwrap();
    }
}

#[test]
fn the_last_of_many_is_found_a_hundred_times() {
    let (len, times) = cl_test::full_or_small(((1 << 21) + 3, 100), ((1 << 14) + 3, 3));
    each_queue(|queue| {
        let x = index::<u32>().take(len).collect_on(queue).unwrap();
        for run in 0..times {
            let from = (run * (len / 100)) as u32;
            assert_eq!(x.iter().ge(from).position().unwrap(), Some(from as usize));
        }
        assert_eq!(find(&x, len as u32 - 1).unwrap(), Some(len - 1));
        assert_eq!(find_if(zip((&x, x.iter().rev())), |(a, b)| a.ge(b)).unwrap(), Some(len / 2));
    });
}

#[test]
fn mismatches_equality_and_order() {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<f32> = (0..len).map(|i| (i / 2) as f32).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let mut y = DeviceVec::from_slice(queue, &host).unwrap();
            assert_eq!(mismatch(&x, &y).unwrap(), None, "{len}");
            assert!(equal(&x, &y).unwrap() && is_sorted(&x).unwrap());
            assert!(is_sorted_by(&x, Val::lt).unwrap(), "{len}");
            assert_eq!(is_sorted_by(&x, Val::le).unwrap(), len < 2, "no two are equal: {len}");
            assert_eq!(adjacent_find(&x).unwrap(), (len > 1).then_some(0), "{len}");
            let far = adjacent_find_by(&x, |a, b| a.lt(b) & a.ge(2.0)).unwrap();
            assert_eq!(far, (len > 6).then_some(5), "{len}");
            for at in [len - 1, len / 2, 0] {
                assign(y.slice_mut(at..=at), f32::NAN).unwrap();
                assert_eq!(mismatch(&x, &y).unwrap(), Some(at), "{len}");
                assert!(!equal(&x, &y).unwrap());
                let sorted = y.to_vec().unwrap().is_sorted_by(|a, b| a.total_cmp(b).is_le());
                assert_eq!(is_sorted(&y).unwrap(), sorted, "{at} of {len}");
            }
        }
        let x = DeviceVec::filled(queue, 1, 3).unwrap();
        assert!(!equal(&x, x.slice(1..)).unwrap());
        assert_eq!(mismatch(&x, x.slice(1..)).unwrap(), Some(2));
        let none = x.slice(..0);
        assert!(equal(&none, &none).unwrap() && is_sorted(&none).unwrap());
        assert_eq!((mismatch(&none, &none).unwrap(), adjacent_find(&none).unwrap()), (None, None));
    });
}
