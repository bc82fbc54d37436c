//! Strings, against those of the standard library.

use crate::flat_maps::property;
use cl_collections::prelude::*;
use cl_core::Error;
use cl_test::each_device;
use proptest::prelude::*;

/// Strings of few characters, of one to four bytes, so that searches find something.
fn strings() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[abAé🦀]{0,12}", 0..12)
}

fn vec<T: Element>(vector: cl_core::Result<DeviceVec<T>>) -> Vec<T> {
    vector.unwrap().to_vec().unwrap()
}

fn sign(order: std::cmp::Ordering) -> i32 {
    order as i32
}

#[test]
fn strings_are_those_of_the_host() {
    let patterns =
        prop_oneof![Just("a"), Just("aa"), Just("é"), Just("aba"), Just("b🦀"), Just("abAé🦀bbbbbbbb")];
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        property((strings(), strings(), patterns.clone()), |(x, mut y, pattern)| {
            let strings = Strings::from_slice(queue, &x).unwrap();
            assert_eq!(strings.to_vec().unwrap(), x);
            assert_eq!((strings.len(), strings.size()), (x.len(), x.concat().len()));
            let each = |f: &dyn Fn(&String) -> u32| x.iter().map(f).collect::<Vec<u32>>();
            assert_eq!(vec(strings.lengths().collect()), each(&|s| s.len() as u32));
            assert_eq!(vec(strings.char_counts()), each(&|s| s.chars().count() as u32));
            let upper: Vec<String> = x.iter().map(|s| s.to_ascii_uppercase()).collect();
            assert_eq!(strings.to_ascii_uppercase().unwrap().to_vec().unwrap(), upper);
            let lower: Vec<String> = x.iter().map(|s| s.to_ascii_lowercase()).collect();
            assert_eq!(strings.to_ascii_lowercase().unwrap().to_vec().unwrap(), lower);
            let found = each(&|s| s.find(pattern).map_or(Strings::NOT_FOUND, |at| at as u32));
            assert_eq!(vec(strings.find(pattern)), found);
            let flags = |f: &dyn Fn(&String) -> bool| x.iter().map(f).collect::<Vec<bool>>();
            assert_eq!(vec(strings.contains(pattern)), flags(&|s| s.contains(pattern)));
            assert_eq!(vec(strings.starts_with(pattern)), flags(&|s| s.starts_with(pattern)));
            assert_eq!(vec(strings.ends_with(pattern)), flags(&|s| s.ends_with(pattern)));
            assert_eq!(vec(strings.equals(pattern)), flags(&|s| s == pattern));
            let signs = x.iter().map(|s| sign(s.as_str().cmp(pattern))).collect::<Vec<i32>>();
            assert_eq!(vec(strings.compare_to(pattern)), signs);
            let (parts, first) = strings.split(pattern).unwrap();
            let host_parts: Vec<&str> = x.iter().flat_map(|s| s.split(pattern)).collect();
            assert_eq!(parts.to_vec().unwrap(), host_parts, "{x:?} {pattern}");
            let counts = x.iter().map(|s| s.split(pattern).count() as u32);
            let mut host_first = vec![0];
            host_first.extend(counts.scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            }));
            assert_eq!(first.to_vec().unwrap(), host_first);

            y.resize(x.len(), "a".to_owned());
            let other = Strings::from_slice(queue, &y).unwrap();
            let signs = x.iter().zip(&y).map(|(x, y)| sign(x.cmp(y))).collect::<Vec<i32>>();
            assert_eq!(vec(strings.compare(&other).collect_on(queue)), signs);
            let same = x.iter().zip(&y).map(|(x, y)| x == y).collect::<Vec<bool>>();
            assert_eq!(vec(strings.eq(&other).collect_on(queue)), same);
            let both = Strings::concat(queue, [&strings, &other, &strings]).unwrap();
            assert_eq!(both.to_vec().unwrap(), [x.clone(), y, x.clone()].concat());
            let mut sorted = x.clone();
            sorted.sort();
            assert_eq!(strings.sorted().unwrap().to_vec().unwrap(), sorted);
            sorted.dedup();
            assert_eq!(strings.distinct().unwrap().to_vec().unwrap(), sorted);
            let (distinct, codes) = strings.codes().unwrap();
            assert_eq!(distinct.to_vec().unwrap(), sorted);
            let expected = x.iter().map(|s| sorted.binary_search(s).unwrap() as u32).collect::<Vec<_>>();
            assert_eq!(codes.to_vec().unwrap(), expected);
        });
    });
}

#[test]
fn long_common_prefixes_are_sorted() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut x: Vec<String> = (0..300_u32)
            .map(|i| format!("{}{}", "prefix".repeat(i as usize % 5), i.wrapping_mul(2_654_435_761) % 100))
            .collect();
        x.extend(["a", "a\0", "", "a\0\0\0\0\0\0", "a\0\0\0\0\0\0\0", "a"].map(str::to_owned));
        x.push("long".repeat(1000));
        x.push("long".repeat(999) + "lonf");
        let strings = Strings::from_slice(queue, &x).unwrap();
        let mut order: Vec<u32> = (0..x.len() as u32).collect();
        order.sort_by_key(|&i| &x[i as usize]);
        assert_eq!(vec(strings.argsort()), order);
        let mut distinct = x.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(strings.distinct().unwrap().to_vec().unwrap(), distinct);
        let picked = DeviceVec::from_slice(queue, &[306_u32, 0, 302, 0]).unwrap();
        let host = [306, 0, 302, 0].map(|i: usize| x[i].clone());
        assert_eq!(strings.gather(&picked).unwrap().to_vec().unwrap(), host);
    });
}

/// A round skips what the strings of a group have in common, so the launches do not depend on the length of prefixes.
#[test]
fn common_prefixes_take_one_round() {
    let counter = cl_test::counting::exclusive();
    for device in cl_test::counting::devices() {
        let queue = &Queue::on(&device).unwrap();
        let launches = [50, 5000].map(|len| {
            let name = |i: u32| format!("{}{}{}{i}", "x".repeat(len), i % 3, "y".repeat(len));
            let x: Vec<String> = (0..100_u32).map(|i| name(i.wrapping_mul(2_654_435_761))).collect();
            let strings = Strings::from_slice(queue, &x).unwrap();
            let mut expected = x.clone();
            expected.sort();
            assert_eq!(strings.sorted().unwrap().to_vec().unwrap(), expected);
            let calls = counter.calls_during(|| drop(strings.argsort().unwrap()));
            calls.get("clEnqueueNDRangeKernel").copied().unwrap_or(0)
        });
        assert_eq!(launches[0], launches[1], "on {device}");
    }
}

#[test]
fn separators_that_overlap_themselves_are_taken_from_the_left() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = ["-".repeat(1001), "a---b----".to_owned(), "--".to_owned(), "ababa-ababababa".to_owned()];
        let strings = Strings::from_slice(queue, &x).unwrap();
        for separator in ["--", "---", "aba"] {
            let parts: Vec<&str> = x.iter().flat_map(|s| s.split(separator)).collect();
            assert_eq!(strings.split(separator).unwrap().0.to_vec().unwrap(), parts, "{separator}");
        }
        let copy = strings.try_clone().unwrap();
        assert_eq!(copy.to_vec().unwrap(), x);
    });
}

#[test]
fn hashes_are_fnv_1a() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let strings = Strings::from_slice(queue, &["", "a", "foobar"]).unwrap();
        // The test vectors of the authors.
        let expected = [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8];
        assert_eq!(vec(strings.hashes().collect()), expected);
    });
}

#[test]
fn wrong_calls_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let strings = Strings::from_slice(queue, &["a", "b"]).unwrap();
        assert!(matches!(strings.split("").map(drop), Err(Error::InvalidInput { .. })));
        assert_eq!(vec(strings.find("")), [0, 0]);
        assert_eq!(strings.get(1).unwrap(), "b");
        assert!(matches!(strings.get(2), Err(Error::OutOfBounds { .. })));
        let other = Strings::from_slice(queue, &["a"]).unwrap();
        assert!(matches!(strings.eq(&other).collect(), Err(Error::LengthMismatch { .. })));
        let far = DeviceVec::from_slice(queue, &[2_u32]).unwrap();
        assert!(matches!(strings.gather(&far).map(drop), Err(Error::IndexOutOfRange { .. })));
        let empty = Strings::from_slice(queue, &[""; 0]).unwrap();
        assert_eq!(empty.sorted().unwrap().to_vec().unwrap(), [""; 0]);
        assert!(empty.is_empty() && vec(empty.contains("x")).is_empty());
        let (bytes, offsets) = empty.into_parts();
        assert_eq!((bytes.len(), offsets.to_vec().unwrap()), (0, vec![0]));
        assert!(Strings::from_parts(bytes, offsets).unwrap().is_empty());
        let from_parts = |bytes: &[u8], offsets: &[u32]| {
            let bytes = DeviceVec::from_slice(queue, bytes).unwrap();
            Strings::from_parts(bytes, DeviceVec::from_slice(queue, offsets).unwrap())
        };
        assert_eq!(from_parts("aé".as_bytes(), &[0, 0, 1, 3]).unwrap().to_vec().unwrap(), ["", "a", "é"]);
        for (bytes, offsets) in [
            (&b"ab"[..], &[][..]),
            (b"ab", &[0, 1]),
            (b"ab", &[1, 2]),
            (b"ab", &[0, 2, 1, 2]),
            (b"ab", &[0, 3]),
            ("é".as_bytes(), &[0, 1, 2]),
            (b"a\xff", &[0, 2]),
        ] {
            let error = from_parts(bytes, offsets).map(drop).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
    });
}
