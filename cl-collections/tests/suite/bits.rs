//! Bits, against a `Vec<bool>`.

use crate::flat_maps::property;
use cl_collections::prelude::*;
use cl_core::Error;
use cl_test::counting::exclusive;
use cl_test::each_device;
use proptest::prelude::*;

/// Lengths around the edges of words.
fn bits() -> impl Strategy<Value = (Vec<bool>, Vec<bool>)> {
    let len = prop_oneof![Just(0), Just(1), 31..34_usize, 63..66_usize, 2..300_usize];
    len.prop_flat_map(|len| {
        let some = proptest::collection::vec(proptest::bool::weighted(0.1), len);
        (some, proptest::collection::vec(any::<bool>(), len))
    })
}

#[test]
fn bits_are_those_of_the_host() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        property((bits(), 0..310_usize, 0..310_usize, any::<bool>()), |((x, y), a, b, value)| {
            let [bits, other] = [&x, &y].map(|bits| BitVec::from_slice(queue, bits).unwrap());
            let check = |bits: BitVec, expected: Vec<bool>| {
                assert_eq!(bits.to_vec().unwrap(), expected);
                // The bits behind the end are 0.
                let words = bits.words().to_vec().unwrap();
                let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
                assert_eq!(ones as usize, expected.iter().filter(|&&bit| bit).count());
            };
            let zipped = |f: fn(bool, bool) -> bool| x.iter().zip(&y).map(|(&x, &y)| f(x, y)).collect();
            check(bits.and(&other).unwrap(), zipped(|a, b| a & b));
            check(bits.or(&other).unwrap(), zipped(|a, b| a | b));
            check(bits.xor(&other).unwrap(), zipped(|a, b| a ^ b));
            check(bits.and_not(&other).unwrap(), zipped(|a, b| a & !b));
            check(bits.not().unwrap(), x.iter().map(|bit| !bit).collect());
            let up = |i: usize| i.checked_sub(a).is_some_and(|i| x[i]);
            check(bits.shift_up(a).unwrap(), (0..x.len()).map(up).collect());
            let down = |i: usize| x.get(i + a).copied().unwrap_or(false);
            check(bits.shift_down(a).unwrap(), (0..x.len()).map(down).collect());
            // To `bool`s and back, by expressions.
            let bools = bits.iter().collect().unwrap();
            assert_eq!(bools.to_vec().unwrap(), x);
            check(BitVec::from_bools(&bools).unwrap(), x.clone());
            assert_eq!(bits.count_ones().unwrap(), x.iter().filter(|&&bit| bit).count());
            assert_eq!(bits.any().unwrap(), x.contains(&true));
            assert_eq!(bits.none().unwrap(), !x.contains(&true));
            assert_eq!(other.all().unwrap(), !y.contains(&false));
            assert!(BitVec::filled(queue, true, x.len()).unwrap().all().unwrap());
            assert_eq!(bits.next_set(b).unwrap(), (b..x.len()).find(|&i| x[i]));
            assert_eq!(bits.first_set().unwrap(), (0..x.len()).find(|&i| x[i]));
            let (mut changed, mut host) = (bits, x);
            let range = a.min(b).min(host.len())..a.max(b).min(host.len());
            changed.fill_range(range.clone(), value).unwrap();
            host[range].fill(value);
            if a < host.len() {
                changed.set(a, !value).unwrap();
                host[a] = !value;
                assert_eq!(changed.get(a).unwrap(), !value);
            }
            changed.resize(b, value).unwrap();
            host.resize(b, value);
            check(changed, host);
        });
    });
}

#[test]
fn wrong_calls_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut bits = BitVec::filled(queue, true, 40).unwrap();
        let short = BitVec::filled(queue, true, 39).unwrap();
        assert!(matches!(bits.and(&short), Err(Error::LengthMismatch { .. })));
        assert!(matches!(bits.fill_range(30..41, false), Err(Error::OutOfBounds { .. })));
        assert!(matches!(bits.set(40, true), Err(Error::OutOfBounds { operation: "set", .. })));
        assert!(matches!(bits.get(40), Err(Error::OutOfBounds { operation: "get", .. })));
        assert!(BitVec::from_bools(true).is_err());
        let words = DeviceVec::filled(queue, u32::MAX, 2).unwrap();
        assert!(matches!(BitVec::from_words(words, 65), Err(Error::LengthMismatch { .. })));
        let words = DeviceVec::filled(queue, u32::MAX, 2).unwrap();
        assert_eq!(BitVec::from_words(words, 33).unwrap().into_words().to_vec().unwrap(), [u32::MAX, 1]);
        assert_eq!(bits.count_ones().unwrap(), 40);
    });
}

#[test]
fn packing_is_one_launch() {
    let counter = exclusive();
    for device in cl_test::counting::devices() {
        let queue = &Queue::on(&device).unwrap();
        let x = DeviceVec::from_fn(queue, 100, |i| i as u32).unwrap();
        let pack = || BitVec::from_bools((&x % 3).eq(0)).unwrap();
        assert_eq!(pack().count_ones().unwrap(), 34);
        let calls = counter.calls_during(|| drop(pack()));
        assert_eq!(calls.get("clEnqueueNDRangeKernel"), Some(&1), "{calls:?}");
        let bits = pack();
        drop(bits.iter().collect().unwrap());
        let calls = counter.calls_during(|| drop(bits.iter().collect().unwrap()));
        assert_eq!(calls.get("clEnqueueNDRangeKernel"), Some(&1), "{calls:?}");
    }
}
