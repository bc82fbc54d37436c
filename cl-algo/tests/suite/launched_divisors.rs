//! Divisions by values given at launch, which kernels do without dividing: exact for all dividends and divisors.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_test::{each_device, full_or_small};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fmt::Debug;

/// Integers with the results that divisions have on devices.
trait Divided: Integer + Copy + PartialEq + Debug {
    fn quotient(self, by: Self) -> Self;
    fn remainder(self, by: Self) -> Self;
    /// This many times `self`, and some more, modulo the width.
    fn near_multiple(self, times: Self, more: i8) -> Self;
}

macro_rules! divided {
    ($($type:ident)*) => {$(
        #[allow(clippy::cast_lossless)]
        impl Divided for $type {
            fn quotient(self, by: Self) -> Self {
                if by == 0 { 0 } else { self.wrapping_div(by) }
            }

            fn remainder(self, by: Self) -> Self {
                if by == 0 { self } else { self.wrapping_rem(by) }
            }

            fn near_multiple(self, times: Self, more: i8) -> Self {
                self.wrapping_mul(times).wrapping_add(more as $type)
            }
        }
    )*};
}

divided! { u32 i32 u64 i64 }

/// Divides on the device, in packs and item by item, and compares with the host.
fn divide<T: Divided>(queue: &Queue, dividends: &[T], own: &DeviceVec<u32>, by: T) {
    let x = DeviceVec::from_slice(queue, dividends).unwrap();
    let both = |x: Expr<'_, T>| zip((x.clone() / by, x % by)).collect().unwrap();
    for (how, (quotients, remainders)) in
        [("in packs", both(x.iter())), ("alone", both(x.iter().gather(own)))]
    {
        let (quotients, remainders) = (quotients.to_vec().unwrap(), remainders.to_vec().unwrap());
        for (at, &x) in dividends.iter().enumerate() {
            let expected = (x.quotient(by), x.remainder(by));
            assert_eq!((quotients[at], remainders[at]), expected, "{x:?} by {by:?} {how}");
        }
    }
}

macro_rules! exact {
    ($($name:ident $type:ident;)*) => {$(
        #[test]
        #[allow(trivial_numeric_casts)]
        fn $name() {
            each_device(|device| {
                let queue = Queue::on(device).unwrap();
                let powers = (0..$type::BITS).map(|bit| (1 as $type) << bit);
                let edges = [0, 3, 5, 7, 10, 641, 1000, $type::MAX, $type::MAX - 1, $type::MIN, $type::MIN + 1];
                let mut divisors: Vec<$type> = edges.to_vec();
                divisors.extend(powers.flat_map(|p| [p, p.wrapping_sub(1), p.wrapping_add(1), p.wrapping_neg()]));
                divisors.truncate(full_or_small(divisors.len(), 24));
                let near = |by: $type| {
                    let times = [0, 1, 2, 3, $type::MAX / by.max(1), $type::MIN / by.max(1), $type::MAX / 3];
                    times.into_iter().flat_map(move |times| (-1..=1).map(move |more| by.near_multiple(times, more)))
                };
                let own = DeviceVec::from_fn(&queue, edges.len() + 21, |i| i as u32).unwrap();
                for &by in &divisors {
                    let dividends: Vec<$type> = edges.into_iter().chain(near(by)).collect();
                    divide(&queue, &dividends, &own, by);
                }
                let config = ProptestConfig::with_cases(full_or_small(200, 10) as u32);
                let any = (any::<$type>(), 0..$type::BITS, proptest::collection::vec(any::<$type>(), 32));
                TestRunner::new(config)
                    .run(&any, |(by, shift, mut dividends)| {
                        let by = by >> shift;
                        let near = dividends[..10].iter().map(|&times| by.near_multiple(times, (times % 2) as i8));
                        let near: Vec<$type> = near.collect();
                        dividends[..10].copy_from_slice(&near);
                        divide(&queue, &dividends, &own, by);
                        Ok(())
                    })
                    .unwrap();
            });
        }
    )*};
}

exact! {
    quotients_of_u32_are_exact u32;
    quotients_of_i32_are_exact i32;
    quotients_of_u64_are_exact u64;
    quotients_of_i64_are_exact i64;
}

/// Kernels multiply, also where the value comes from a closure's surroundings or is the argument of a device function.
#[test]
fn kernels_do_not_divide() {
    #[device_fn]
    fn cell(at: u32, columns: u32) -> u32 {
        at / columns + at % columns
    }
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (x, columns) = (DeviceVec::from_fn(&queue, 1000, |i| i as u32).unwrap(), 7_u32);
        for expr in
            [&x % 7, x.iter().map(|x| x / columns), cell(&x, 7), x.iter().map(cl!(|x: u32| x % columns))]
        {
            let source = expr.kernel_source(device).unwrap();
            let kernel = &source[source.find("item_at").unwrap()..];
            assert!(!kernel.contains(" % v") && !kernel.contains(" / v"), "{kernel}");
            assert!(kernel.contains("by0.x"), "{kernel}");
            expr.collect().unwrap();
        }
        // Another divisor is the same kernel.
        assert_eq!((&x % 7).kernel_source(device).unwrap(), (&x % 0).kernel_source(device).unwrap());
        // What is not an integer of 32 or 64 bits is divided as before.
        let bytes = DeviceVec::filled(&queue, 200_u8, 9).unwrap();
        assert_eq!((&bytes / 7).collect().unwrap().to_vec().unwrap(), [28; 9]);
    });
}
