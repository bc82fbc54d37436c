//! Sorts and merges neither lose nor duplicate items, whatever the comparator returns, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{argsort_by, merge, merge_by, merge_by_key, sort_by, sort_by_key_by};

/// Returns a length with few items, one with more than a CPU's block, and one with several tiles.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(vec![16, 2049, 30_001], vec![16, 2049, 5001])
}

/// The answer of a comparator about two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    /// An answer without a pattern.
    Random,
    True,
    False,
    /// `<`, with exceptions.
    Less,
}

const ANSWERS: [Answer; 4] = [Answer::Random, Answer::True, Answer::False, Answer::Less];

/// Returns a comparator. All comparators are one function of launch values, so that one kernel serves all of them.
fn comparator(answer: Answer) -> impl Fn(Val<u32>, Val<u32>) -> Val<bool> + Copy {
    move |a, b| {
        let random = ((((a * 0x9e37_79b9) ^ (b * 0x85eb_ca6b)) * 0xc2b2_ae35) >> 31).eq(1);
        let less = a.lt(b) ^ ((a + b) % 101).eq(0);
        random & (answer == Answer::Random) | less & (answer == Answer::Less) | (answer == Answer::True)
    }
}

fn numbers(len: usize, seed: u32) -> Vec<u32> {
    let odd = 2 * seed + 0x9e37_79b1; // its multiples are all different
    (0..len as u32).map(|i| i.wrapping_mul(odd)).collect()
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

fn sorted(mut values: Vec<u32>) -> Vec<u32> {
    values.sort_unstable();
    values
}

/// Asserts that `found` has the expected items in any order, naming only the first difference.
fn has_all(found: Vec<u32>, expected: &[u32], what: &str) {
    let found = sorted(found);
    let wrong = found.iter().zip(expected).filter(|(a, b)| a != b).count();
    assert!(found.len() == expected.len() && wrong == 0, "{what}: {wrong} of {}", expected.len());
}

#[test]
fn sorts_keep_all_items() {
    each_queue(|queue| {
        for len in lengths() {
            let host = numbers(len, 1);
            let expected = sorted(host.clone());
            for answer in ANSWERS {
                let what = format!("{len} by {answer:?}");
                let mut x = vector(queue, &host);
                sort_by(&mut x, comparator(answer)).unwrap();
                has_all(x.to_vec().unwrap(), &expected, &what);
            }
        }
    });
}

#[test]
fn keys_values_and_orders_stay_together() {
    each_queue(|queue| {
        for len in [300, 9000] {
            let host = numbers(len, 2);
            let indices: Vec<u32> = (0..len as u32).collect();
            for answer in [Answer::Random, Answer::Less] {
                let (less, what) = (comparator(answer), format!("{len} by {answer:?}"));
                let (mut keys, mut places) = (vector(queue, &host), vector(queue, &indices));
                sort_by_key_by(&mut keys, places.view_mut().rev(), less).unwrap();
                let (keys, mut places) = (keys.to_vec().unwrap(), places.to_vec().unwrap());
                places.reverse();
                let of = |place: u32| host[len - 1 - place as usize];
                assert!(keys.iter().zip(&places).all(|(&key, &place)| key == of(place)), "{what}");
                has_all(places, &indices, &what);

                let mut order = vector(queue, &indices);
                argsort_by(vector(queue, &host), less, &mut order).unwrap();
                has_all(order.to_vec().unwrap(), &indices, &what);
            }
        }
    });
}

#[test]
fn merges_keep_all_items_of_sequences_in_no_order() {
    each_queue(|queue| {
        for (a_len, b_len) in [(1, 1), (20_000, 3), (2049, 3000), (60_001, 50_000)] {
            let all = numbers(a_len + b_len, 3);
            let (a, b) = (vector(queue, &all[..a_len]), vector(queue, &all[a_len..]));
            let expected = sorted(all);
            let mut out = vector(queue, &vec![7; a_len + b_len]);
            merge(&a, &b, &mut out).unwrap();
            has_all(out.to_vec().unwrap(), &expected, &format!("{a_len} and {b_len}"));
            for answer in ANSWERS {
                out.assign(7).unwrap();
                merge_by(&a, &b, comparator(answer), &mut out).unwrap();
                has_all(out.to_vec().unwrap(), &expected, &format!("{a_len} and {b_len} by {answer:?}"));
            }
            let mut places = vector(queue, &vec![7_u32; a_len + b_len]);
            let places_of_b = index::<u32>() + a_len as u32;
            merge_by_key((&a, index::<u32>()), (&b, places_of_b), (&mut out, &mut places)).unwrap();
            let indices: Vec<u32> = (0..(a_len + b_len) as u32).collect();
            has_all(places.to_vec().unwrap(), &indices, &format!("{a_len} and {b_len} by key"));
        }
    });
}

/// Checks that no float is lost in a sort by `<`, which is not an order with NaN: NaN then equals every number.
#[test]
fn floats_with_nan_are_all_there_after_a_sort_by_less() {
    each_queue(|queue| {
        for (len, every) in [(16, 16), (cl_test::full_or_small(100_000, 9000), 20), (5000, 3)] {
            let host: Vec<f32> =
                (0..len)
                    .map(|i: u32| {
                        if i % every == 5 {
                            f32::from_bits(0x7fc0_0000 + i)
                        } else {
                            ((i * 7919) % len) as f32
                        }
                    })
                    .collect();
            let mut x = vector(queue, &host);
            sort_by(&mut x, Val::lt).unwrap();
            let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect();
            has_all(bits(x.to_vec().unwrap()), &sorted(bits(host)), &format!("{len}"));
        }
    });
}
