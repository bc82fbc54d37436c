//! Sorts by several keys, in either direction, and by keys that a closure computes.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::lexsort;
use cl_core::Error;
use proptest::prelude::*;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    id: u32,
    kind: i32,
}

fn numbers(len: usize, seed: u32) -> impl Iterator<Item = u32> {
    (0..len as u32).map(move |i| (i + seed).wrapping_mul(2_654_435_761) >> 7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(8, 3)))]

    #[test]
    fn keys_of_one_sort_and_of_several(len in 0_usize..5000, seed: u32) {
        each_queue(|queue| {
            let seed = seed / 2;
            let small: Vec<i8> = numbers(len, seed).map(|x| (x % 5) as i8 - 2).collect();
            let floats: Vec<f32> = numbers(len, seed / 3).map(|x| [f32::NAN, -0.0, 0.0, 1.5][x as usize % 4]).collect();
            let wide: Vec<[u64; 2]> = numbers(len, seed / 5).map(|x| [u64::MAX - u64::from(x % 3), u64::from(x) << 40]).collect();
            let [a, c, d] = [&small; 3];
            let a = DeviceVec::from_slice(queue, a).unwrap();
            let b = DeviceVec::from_slice(queue, &floats).unwrap();
            let (high, low): (Vec<u64>, Vec<u64>) = wide.iter().map(|x| (x[0], x[1])).unzip();
            let (high, low) = (DeviceVec::from_slice(queue, &high).unwrap(), DeviceVec::from_slice(queue, &low).unwrap());

            let mut expected: Vec<u32> = (0..len as u32).collect();
            let at = |i: u32| i as usize;
            expected.sort_by(|&i, &j| c[at(i)].cmp(&d[at(j)]).then(floats[at(j)].total_cmp(&floats[at(i)])));
            assert_eq!(lexsort((&a, Reverse(&b))).unwrap().to_vec().unwrap(), expected);
            expected.sort_by_key(|&i| wide[at(i)]);
            // The order of equal keys is that of the indices.
            expected.sort_by(|&i, &j| wide[at(i)].cmp(&wide[at(j)]).then(i.cmp(&j)));
            assert_eq!(lexsort((&high, &low)).unwrap().to_vec().unwrap(), expected);
            let parity = low.iter().map(|x| (x >> 40 & 1).eq(1));
            expected.sort_by_key(|&i| (Reverse(wide[at(i)][1] >> 40 & 1 == 1), wide[at(i)], Reverse(c[at(i)]), i));
            let order = lexsort((Reverse(parity), &high, &low, Reverse(-(-a.iter())))).unwrap();
            assert_eq!(order.to_vec().unwrap(), expected);
        });
    }
}

#[test]
fn structs_by_their_fields_and_by_a_key() {
    each_queue(|queue| {
        let body = |x: u32| Body { mass: (x % 3) as f32, id: x, kind: (x % 2) as i32 - 1 };
        let host: Vec<Body> = numbers(3001, 1).map(body).collect();
        let mut bodies = DeviceVec::from_slice(queue, &host).unwrap();
        let order = lexsort((bodies.kind(), Reverse(bodies.mass()), bodies.id())).unwrap();
        let mut expected = host.clone();
        expected.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.mass.total_cmp(&a.mass)).then(a.id.cmp(&b.id)));
        assert_eq!(bodies.iter().gather(&order).collect().unwrap().to_vec().unwrap(), expected);
        bodies.sort_by_cached_key(|body| body.id() % 100).unwrap();
        expected = host;
        expected.sort_by_cached_key(|body| body.id % 100);
        assert_eq!(bodies.to_vec().unwrap(), expected);
    });
}

#[test]
fn keys_of_different_lengths_are_refused() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (DeviceVec::filled(queue, 1, 3).unwrap(), DeviceVec::filled(queue, 1.0_f32, 4).unwrap());
        // A key that is computed from the index has the length and the queue of the others.
        let backwards = lexsort((&a, Reverse(index::<u64>()))).unwrap();
        assert_eq!(backwards.to_vec().unwrap(), [2, 1, 0]);
        for keys in [lexsort((&a, &b)), lexsort((&b, Reverse(&a), &b))] {
            assert!(matches!(keys, Err(Error::LengthMismatch { .. })), "{keys:?}");
        }
    });
}
