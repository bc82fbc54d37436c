//! Searches for sequences, comparisons, changes in place and runs compared with the host, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::F32x4;
use cl_algo::prelude::*;
use cl_algo::stl::*;
use cl_core::Error;
use proptest::collection::vec;
use proptest::prelude::*;

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: cl_test::full_or_small(16, 4), failure_persistence: None, ..Default::default() }
}

/// Returns pseudo-random numbers below `different`.
fn noise(len: usize, different: u32) -> Vec<u32> {
    (0..len as u32)
        .map(|i| i.wrapping_mul(2_654_435_761).rotate_left(9).wrapping_mul(i | 1) % different)
        .collect()
}

#[test]
fn needles_are_found_first_and_last() {
    each_queue(|queue| {
        proptest!(config(), |(x in vec(0..3_u8, 0..200), needle in vec(0..3_u8, 0..6))| {
            let (device, other) = (vector(queue, &x), vector(queue, &needle));
            let windows = || (0..=x.len()).filter(|&i| x[i..].starts_with(&needle));
            assert_eq!(search(&device, &other).unwrap(), windows().next());
            assert_eq!(find_end(&device, &other).unwrap(), windows().next_back());
            let first = x.iter().position(|value| needle.contains(value));
            assert_eq!(find_first_of(&device, &other).unwrap(), first);
            let (count, value) = (needle.len(), 1);
            let run = (0..=x.len()).find(|&i| x[i..].starts_with(&vec![value; count]));
            assert_eq!(search_n(&device, count, value).unwrap(), run);
        });
    });
}

#[test]
fn long_needles_and_hits_everywhere() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(100_000, 9001);
        let host = noise(len, 50);
        let x = vector(queue, &host);
        for count in [1, 2, 63, 64, 4096] {
            // Around the ends of packs, tiles and chunks, and the last position of all.
            for at in [0, 5, 1023, 4095, 4096, len - count] {
                let at = at.min(len - count);
                let first = (0..=at).find(|&i| host[i..].starts_with(&host[at..at + count]));
                let needle = x.slice(at..at + count);
                assert_eq!(search(&x, needle.clone()).unwrap(), first, "{count} at {at}");
                let last = (at..=len - count).rev().find(|&i| host[i..].starts_with(&host[at..at + count]));
                assert_eq!(find_end(&x, needle).unwrap(), last, "{count} at {at}");
            }
        }
        // Every position has a first element that is right, and only the last one is an occurrence.
        let mut ones = vec![1_u32; 5000];
        ones[4999] = 2;
        let ones = vector(queue, &ones);
        assert_eq!(search(&ones, ones.slice(4900..)).unwrap(), Some(4900));
        assert_eq!(search(ones.slice(..4999), ones.slice(4900..)).unwrap(), None);
        assert_eq!(find_first_of(&ones, iota(2_u32, 300).rev()).unwrap(), Some(4999));
        // Other items, by a comparison of two types of values.
        let pairs = zip((&x, index::<u64>()));
        let found =
            search_by(pairs.clone(), pairs.slice(777..780), |(a, i), (b, j)| a.eq(b) & i.eq(j)).unwrap();
        assert_eq!(found, Some(777));
        assert!(matches!(search(&x, 5_u32).unwrap_err(), Error::InvalidInput { .. }));
        // NaN differs from itself.
        let floats = vector(queue, &[1.0_f32, f32::NAN, 2.0]);
        assert_eq!(search(&floats, floats.slice(1..2)).unwrap(), None);
        assert_eq!(search_n(&floats, 0, 9.0).unwrap(), Some(0));
    });
}

#[test]
fn comparisons_of_sequences() {
    each_queue(|queue| {
        proptest!(config(), |(x in vec(0..3_i32, 0..8), y in vec(0..3_i32, 0..8), t in 0..3_i32)| {
            let (a, b) = (vector(queue, &x), vector(queue, &y));
            assert_eq!(lexicographical_compare(&a, &b).unwrap(), x.cmp(&y));
            let sorted = |x: &[i32]| { let mut x = x.to_vec(); x.sort_unstable(); x };
            assert_eq!(is_permutation(&a, &b).unwrap(), sorted(&x) == sorted(&y));
            assert_eq!(is_permutation_by(&a, &b, Val::gt).unwrap(), sorted(&x) == sorted(&y));
            let partitioned = x.is_partitioned_by(t);
            assert_eq!(is_partitioned(&a, |x| x.lt(t)).unwrap(), partitioned);
            if partitioned {
                assert_eq!(partition_point(&a, |x| x.lt(t)).unwrap(), x.partition_point(|&x| x < t));
            }
        });
        let floats = [f32::NAN, 0.0, -0.0, 1.0];
        let (a, b) = (vector(queue, &floats), vector(queue, &[f32::NAN, -0.0, 0.0, 1.0]));
        assert!(lexicographical_compare(&a, &b).unwrap().is_gt(), "0.0 goes after -0.0");
        assert!(lexicographical_compare(&a, &a).unwrap().is_eq());
        assert!(is_permutation(&a, &b).unwrap());
        let x = vector(queue, &noise(70_000, u32::MAX));
        assert!(is_permutation(&x, x.iter().rev()).unwrap());
        let mut other = x.try_clone().unwrap();
        other.set(69_999, 5).unwrap();
        assert!(!is_permutation(&x, &other).unwrap());
    });
}

/// The host's `is_partitioned`, which the standard library has for iterators on nightly compilers only.
trait IsPartitioned {
    fn is_partitioned_by(&self, limit: i32) -> bool;
}

impl IsPartitioned for Vec<i32> {
    fn is_partitioned_by(&self, limit: i32) -> bool {
        self.iter().skip_while(|&&x| x < limit).all(|&x| x >= limit)
    }
}

#[test]
fn changes_in_place_of_views() {
    each_queue(|queue| {
        for len in [0, 1, 2, 3, 64, 4097, cl_test::full_or_small(20_001, 9001)] {
            let host = noise(len + 3, 7);
            // The elements from the second one on, backwards, and their copies in 16 bytes.
            let inside: Vec<u32> = host[1..=len].iter().rev().copied().collect();
            let check = |name: &str, got: DeviceVec<u32>, expected: &[u32], count: usize| {
                let got = got.to_vec().unwrap();
                let changed: Vec<u32> = got[1..=len].iter().rev().copied().take(count).collect();
                assert!(changed == expected[..count], "{name} of {len}");
                assert!(
                    got[0] == host[0] && got[len + 1..] == host[len + 1..],
                    "{name} of {len}: beyond the view"
                );
            };
            let new = || vector(queue, &host);
            macro_rules! in_place {
                ($name:literal, $count:expr, $expected:expr, |$view:ident| $run:expr) => {{
                    let mut x = new();
                    let $view = x.slice_mut(1..=len).rev();
                    let counted = $run;
                    let _ = &counted;
                    check($name, x, &$expected, $count);
                    counted
                }};
            }
            let middle = len / 3;
            let mut expected = inside.clone();
            expected.reverse();
            in_place!("reverse", len, expected, |view| reverse::<u32>(view).unwrap());
            let mut expected = inside.clone();
            expected.rotate_left(middle);
            in_place!("rotate", len, expected, |view| rotate::<u32>(view, middle).unwrap());
            let expected: Vec<u32> = inside.iter().map(|&x| if x == 3 { 9 } else { x }).collect();
            in_place!("replace", len, expected, |view| replace(view, 3, 9).unwrap());
            in_place!("replace_if", len, expected, |view| replace_if(view, |x: Val<u32>| x.eq(3), 9)
                .unwrap());

            let expected: Vec<u32> = inside.iter().copied().filter(|x| x % 2 == 0).collect();
            let count = expected.len();
            let got = in_place!("remove_if", count, expected, |view| {
                remove_if::<u32>(view, |x| (x % 2).eq(1)).unwrap()
            });
            assert_eq!(got.get().unwrap() as usize, count);
            let expected: Vec<u32> = inside.iter().copied().filter(|&x| x != 3).collect();
            let count = expected.len();
            let got = in_place!("remove", count, expected, |view| remove(view, 3).unwrap());
            assert_eq!(got.get().unwrap() as usize, count);
            let mut expected = inside.clone();
            expected.dedup();
            let count = expected.len();
            let got = in_place!("unique", count, expected, |view| unique_in_place::<u32>(view).unwrap());
            assert_eq!(got.get().unwrap() as usize, count);
            let (mut expected, odd): (Vec<u32>, Vec<u32>) = inside.iter().partition(|&x| x % 2 == 0);
            let count = expected.len();
            expected.extend(odd);
            let got = in_place!("partition", len, expected, |view| {
                stable_partition::<u32>(view, |x| (x % 2).eq(0)).unwrap()
            });
            assert_eq!(got.get().unwrap() as usize, count);
        }
        let mut x = vector(queue, &[1, 2, 3]);
        assert!(matches!(rotate::<i32>(&mut x, 4).unwrap_err(), Error::OutOfBounds { .. }));
        assert!(matches!(inplace_merge(&mut x, 4).unwrap_err(), Error::OutOfBounds { .. }));
        let mut y = vector(queue, &[1, 2]);
        assert!(matches!(swap_ranges::<i32>(&mut x, &mut y).unwrap_err(), Error::LengthMismatch { .. }));
    });
}

#[test]
fn several_vectors_and_wide_items_in_place() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(10_001, 4100);
        let keys = noise(len, 1000);
        let wide: Vec<F32x4> = keys.iter().map(|&x| F32x4::from([x as f32, 0.5, 0.25, -1.0])).collect();
        let (mut x, mut y) = (vector(queue, &keys), vector(queue, &wide));
        reverse((&mut x, &mut y)).unwrap();
        rotate((&mut x, &mut y), 77).unwrap();
        let mut expected = keys.clone();
        expected.reverse();
        expected.rotate_left(77);
        assert_eq!(x.to_vec().unwrap(), expected);
        assert!(
            y.to_vec()
                .unwrap()
                .into_iter()
                .eq(expected.iter().map(|&x| F32x4::from([x as f32, 0.5, 0.25, -1.0])))
        );
        let count = remove_if((&mut x, &mut y), |(x, _)| x.gt(500)).unwrap().get().unwrap() as usize;
        expected.retain(|&x| x <= 500);
        assert_eq!(count, expected.len());
        assert_eq!(x.to_vec().unwrap()[..count], expected);
        assert!(y.to_vec().unwrap()[..count].iter().zip(&expected).all(|(y, &x)| y[0] == x as f32));

        let middle = expected.len() / 3;
        expected[..middle].sort_unstable();
        expected[middle..].sort_unstable();
        let mut x = vector(queue, &expected);
        inplace_merge(&mut x, middle).unwrap();
        let mut sorted = expected.clone();
        sorted.sort_unstable();
        assert_eq!(x.to_vec().unwrap(), sorted);
        for parts in 1..6 {
            let part = expected.len() / parts + 1;
            let sequences: Vec<Vec<u32>> = expected
                .chunks(part)
                .map(|chunk| {
                    let mut chunk = chunk.to_vec();
                    chunk.sort_unstable();
                    chunk
                })
                .collect();
            let vectors: Vec<DeviceVec<u32>> = sequences.iter().map(|one| vector(queue, one)).collect();
            let mut all = DeviceVec::filled(queue, 0, expected.len()).unwrap();
            merge_all(&vectors, &mut all).unwrap();
            assert_eq!(all.to_vec().unwrap(), sorted, "{parts}");
        }
        let none: [&DeviceVec<u32>; 0] = [];
        assert!(matches!(merge_all(none, &mut x).unwrap_err(), Error::InvalidInput { .. }));
    });
}

#[test]
fn permutations_in_order() {
    each_queue(|queue| {
        // All orders of five elements, two of which are equal: 60.
        let mut x = vector(queue, &[1_u8, 2, 2, 3, 4]);
        let mut seen = vec![x.to_vec().unwrap()];
        while next_permutation(&mut x).unwrap() {
            seen.push(x.to_vec().unwrap());
        }
        assert_eq!(seen.len(), 60);
        assert!(seen.is_sorted_by(|a, b| a < b));
        assert_eq!(x.to_vec().unwrap(), seen[0], "begins again");
        assert!(!prev_permutation(&mut x).unwrap());
        for expected in seen.iter().rev().take(5) {
            assert_eq!(x.to_vec().unwrap(), *expected);
            prev_permutation(&mut x).unwrap();
        }
        // A long descending end, in a view.
        let mut host: Vec<u32> = (0..9000).rev().collect();
        host[0] = 100;
        host[1] = 50;
        let mut long = vector(queue, &host);
        assert!(next_permutation(long.slice_mut(1..)).unwrap());
        let mut expected = host[1..].to_vec();
        let j = expected.iter().rposition(|&x| x > 50).unwrap();
        expected.swap(0, j);
        expected[1..].reverse();
        assert_eq!(long.to_vec().unwrap()[1..], expected);
        assert!(!next_permutation(x.slice_mut(..1)).unwrap());
    });
}

#[test]
fn runs_are_encoded_and_decoded() {
    each_queue(|queue| {
        let mut out = vector(queue, &[0_u32; 4]);
        let (x, n) = (vector(queue, &[5_u32]), vector(queue, &[4_u32]));
        let endless = run_length_decode(&x, &n, out.scatter_mut(index::<u32>())).map(drop);
        assert!(endless.unwrap_err().to_string().contains("take"));
        // A number is the count of each item.
        let pairs = vector(queue, &[6_u32, 7]);
        assert_eq!(pairs.iter().repeat_each(2).unwrap().to_vec().unwrap(), [6, 6, 7, 7]);
        assert_eq!(run_length_decode(&pairs, 2_u32, &mut out).unwrap().get().unwrap(), 4);
        assert_eq!(out.to_vec().unwrap(), [6, 6, 7, 7]);
        proptest!(config(), |(runs in vec((0..4_u32, 0..70_u16), 0..90), room in 0..3000_usize)| {
            let (items, counts): (Vec<u32>, Vec<u16>) = runs.iter().copied().unzip();
            let all: Vec<u32> = runs.iter().flat_map(|&(x, n)| vec![x; n.into()]).collect();
            let (x, n) = (vector(queue, &items), vector(queue, &counts));
            let mut out = vector(queue, &vec![9_u32; room]);
            let count = run_length_decode(&x, &n, &mut out).unwrap().get().unwrap() as usize;
            assert_eq!(count, all.len());
            let expected: Vec<u32> = all.iter().copied().chain(std::iter::repeat(9)).take(room).collect();
            assert!(out.to_vec().unwrap() == expected);
            if !runs.is_empty() {
                assert_eq!(x.iter().repeat_each(&n).unwrap().to_vec().unwrap(), all);
            }
            let device = vector(queue, &all);
            let (mut values, mut lengths) = (vector(queue, &all), vector(queue, &vec![0_u64; all.len()]));
            let count = run_length_encode(&device, &mut values, &mut lengths).unwrap().get().unwrap() as usize;
            let (values, lengths) = (values.to_vec().unwrap(), lengths.to_vec().unwrap());
            let expected: Vec<(u32, usize)> = all.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
            assert!(values.into_iter().zip(lengths).take(count).eq(expected.into_iter().map(|(x, n)| (x, n as u64))));
        });
    });
}

#[test]
fn runs_are_numbered_by_types_that_hold_their_number() {
    each_queue(|queue| {
        let begins: Vec<u32> = (0..256).collect();
        let mut numbers = vector(queue, &[7_u8; 260]);
        let filled = vector(queue, &[true; 257]);
        number_runs(vector(queue, &begins), filled.slice(..256), &mut numbers).unwrap();
        let expected: Vec<u8> = (0..260).map(|i| i.min(255) as u8).collect();
        assert_eq!(numbers.to_vec().unwrap(), expected);
        let begins = vector(queue, &[begins, vec![256]].concat());
        let error = number_runs(&begins, &filled, &mut numbers).unwrap_err().to_string();
        assert!(error.contains("8 bits cannot hold the numbers of 257 runs"), "{error}");
        let mut signed = vector(queue, &[7_i8; 260]);
        assert!(number_runs(begins.slice(..128), filled.slice(..128), &mut signed).is_ok());
        assert!(number_runs(begins.slice(..129), filled.slice(..129), &mut signed).is_err());
        // All runs are empty, and so are the elements.
        let mut none = vector::<u32>(queue, &[]);
        number_runs(vector(queue, &[0_u32, 0]), vector(queue, &[false; 2]), &mut none).unwrap();
    });
}

/// Compares searches and set operations of few items at the ends of a type with the host.
fn compare_ends<T>(queue: &Queue, values: [T; 4])
where
    T: cl_algo::SortKey + cl_algo::Ordered + PartialEq + PartialOrd + std::fmt::Debug,
{
    let [a, b, c, d] = values;
    let few = [vec![], vec![a], vec![d, d], vec![a, d], vec![a, b, d], vec![a, a, a], vec![b, c, d]];
    for x in &few {
        for y in &few {
            let (left, right) = (vector(queue, x), vector(queue, y));
            let windows = || (0..=x.len()).filter(|&i| x[i..].starts_with(y));
            assert_eq!(search(&left, &right).unwrap(), windows().next(), "{y:?} in {x:?}");
            assert_eq!(find_end(&left, &right).unwrap(), windows().next_back(), "{y:?} in {x:?}");
            let first = x.iter().position(|value| y.contains(value));
            assert_eq!(find_first_of(&left, &right).unwrap(), first, "{y:?} in {x:?}");
            let count = |x: &[T], value: &T| x.iter().filter(|own| *own == value).count();
            let has_all = y.iter().all(|value| count(y, value) <= count(x, value));
            assert_eq!(includes(&left, &right).unwrap(), has_all, "{x:?} {y:?}");
            let order = lexicographical_compare(&left, &right).unwrap();
            assert_eq!(Some(order), x.partial_cmp(y), "{x:?} {y:?}");
            let mut both = DeviceVec::filled(queue, a, x.len() + y.len()).unwrap();
            let common = set_intersection(&left, &right, &mut both).unwrap();
            both.truncate_by(&common).unwrap();
            let mut host = x.clone();
            host.dedup();
            let times = |value: &T| count(x, value).min(count(y, value));
            let host: Vec<T> = host.iter().flat_map(|&value| vec![value; times(&value)]).collect();
            assert_eq!(both.to_vec().unwrap(), host, "{x:?} {y:?}");
        }
        for n in 0..3 {
            let run = (0..=x.len()).find(|&i| x[i..].starts_with(&vec![d; n]));
            assert_eq!(search_n(vector(queue, x), n, d).unwrap(), run, "{n} in {x:?}");
        }
    }
}

#[test]
fn few_items_at_the_ends_of_their_types() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        compare_ends(queue, [u8::MIN, 1, u8::MAX - 1, u8::MAX]);
        compare_ends(queue, [i8::MIN, -1, 0, i8::MAX]);
        compare_ends(queue, [i16::MIN, -1, 0, i16::MAX]);
        compare_ends(queue, [u64::MIN, 1, 1 << 63, u64::MAX]);
        compare_ends(queue, [i64::MIN, -1, 0, i64::MAX]);
        compare_ends(queue, [f32::NEG_INFINITY, f32::MIN, 0.0, f32::INFINITY]);
        compare_ends(queue, [f32::MIN, -f32::MIN_POSITIVE, f32::MIN_POSITIVE, f32::MAX]);
        // Zeros of both signs are equal, and NaN equals nothing.
        let (zeros, nan) = (vector(queue, &[0.0_f32, -0.0]), vector(queue, &[f32::NAN]));
        assert_eq!(search(&zeros, vector(queue, &[-0.0_f32, 0.0])).unwrap(), Some(0));
        assert_eq!(search(&nan, &nan).unwrap(), None);
        assert_eq!(find_first_of(&nan, &nan).unwrap(), None);
        assert_eq!(search_n(&zeros, 2, -0.0).unwrap(), Some(0));
    });
}
