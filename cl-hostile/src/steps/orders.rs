//! Steps with comparators, some of which are not orders. Sorts and merges must then still neither lose nor
//! double an item.

use crate::dice::Dice;
use crate::finding::{Outcome, same};
use crate::target::{Target, at, put};
use crate::world::World;
use cl_algo::prelude::*;
use cl_algo::stl::{argsort_by, merge_by, merge_by_key, sort_by, sort_by_key_by};

/// A comparator that puts `a` before `b` if `(a & mask) * p + (b & mask) * q` is less than `bound`, modulo
/// 2^32. One kernel serves all comparators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparator {
    mask: i32,
    p: i32,
    q: i32,
    bound: i32,
}

impl Comparator {
    pub(crate) fn random(data: &mut Dice) -> Comparator {
        let mask = data.pick(&[7, 0xffff, -1]);
        let (p, q, bound) = match data.below(7) {
            // Strict weak orders, unless the mask lets differences overflow.
            0 | 1 => (1, -1, 0),
            2 => (-1, 1, 0),
            // Not strict; always true; always false; arbitrary.
            3 => (1, -1, 1),
            4 => (0, 0, 1),
            5 => (0, 0, 0),
            _ => (data.next() as i32, data.next() as i32, data.value()),
        };
        Comparator { mask, p, q, bound }
    }

    /// Returns whether the comparator is a strict weak order.
    fn is_order(self) -> bool {
        matches!((self.p, self.q, self.bound), (1, -1, 0) | (-1, 1, 0) | (0, 0, 0)) && self.mask >= 0
    }

    fn on_host(self, a: i32, b: i32) -> bool {
        let (a, b) = ((a & self.mask).wrapping_mul(self.p), (b & self.mask).wrapping_mul(self.q));
        a.wrapping_add(b) < self.bound
    }

    fn on_device(self, a: Val<i32>, b: Val<i32>) -> Val<bool> {
        ((a & self.mask) * self.p + (b & self.mask) * self.q).lt(self.bound)
    }

    /// Sorts items by their keys, stably, if the comparator is an order.
    fn sort<T>(self, items: &mut [T], key: impl Fn(&T) -> i32) {
        if self.is_order() {
            items.sort_by(|a, b| {
                let (a, b) = (key(a), key(b));
                self.on_host(b, a).cmp(&self.on_host(a, b))
            });
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum By {
    Sort,
    SortPairs,
    Argsort,
    Merge,
    MergeByKey,
}

pub(crate) const BYS: [By; 5] = [By::Sort, By::SortPairs, By::Argsort, By::Merge, By::MergeByKey];

/// Compares two sequences. If `in_order` is false, compares their sorted copies.
fn alike<T: Ord + Clone + std::fmt::Debug>(what: &str, device: &[T], host: &[T], in_order: bool) -> Outcome {
    if in_order {
        return same(what, device, host);
    }
    let sorted = |items: &[T]| {
        let mut items = items.to_vec();
        items.sort_unstable();
        items
    };
    same(&format!("{what}, sorted"), &sorted(device), &sorted(host))
}

/// Sorts or merges by a comparator.
pub(crate) fn by(world: &mut World, by: By, less: Comparator, target: &Target, other: usize) -> Outcome {
    let in_order = less.is_order();
    world.change(target.vector, |world, device, host| {
        let positions = target.positions(host.len());
        let before = at(host, &positions);
        let n = before.len();
        match by {
            By::Sort => {
                sort_by(target.view(device), |a: Val<i32>, b| less.on_device(a, b))?;
                let got = at(&device.to_vec()?, &positions);
                let mut expected = before;
                less.sort(&mut expected, |&x| x);
                alike("what was sorted", &got, &expected, in_order)?;
                put(host, &positions, got);
            }
            By::SortPairs => {
                let mut indices = DeviceVec::from_fn(world.main_queue(), n, |i| (n - 1 - i) as u32)?;
                let values = indices.view_mut().rev();
                sort_by_key_by(target.view(device), values, |a: Val<i32>, b| less.on_device(a, b))?;
                let keys = at(&device.to_vec()?, &positions);
                let mut order = indices.to_vec()?;
                order.reverse();
                let got: Vec<(i32, u32)> = keys.iter().copied().zip(order).collect();
                let mut expected: Vec<(i32, u32)> = before.into_iter().zip(0..).collect();
                less.sort(&mut expected, |pair| pair.0);
                alike("the sorted pairs", &got, &expected, in_order)?;
                put(host, &positions, keys);
            }
            By::Argsort => {
                let mut order = DeviceVec::filled(world.main_queue(), 7_u32, n)?;
                argsort_by(target.read(device), |a: Val<i32>, b| less.on_device(a, b), &mut order)?;
                let mut expected: Vec<u32> = (0..n as u32).collect();
                less.sort(&mut expected, |&i| before[i as usize]);
                alike("the order", &order.to_vec()?, &expected, in_order)?;
            }
            By::Merge | By::MergeByKey => merged(world, by, less, &before, other)?,
        }
        same("the vector that a view was sorted of", &device.to_vec()?, host)
    })
}

/// Merges two sequences. They are sorted first if the comparator is an order and their lengths have an even sum.
fn merged(world: &World, by: By, less: Comparator, a: &[i32], other: usize) -> Outcome {
    let queue = world.main_queue();
    let (mut a, mut b) = (a.to_vec(), world.host[world.resolve(other)].clone());
    let sorted = (a.len() + b.len()).is_multiple_of(2);
    let by_key = matches!(by, By::MergeByKey);
    let less = if by_key { Comparator { mask: 0x7fff_ffff, p: 1, q: -1, bound: 0 } } else { less };
    let in_order = sorted && less.is_order();
    if by_key && in_order {
        a.iter_mut().chain(&mut b).for_each(|x| *x &= less.mask);
    }
    if in_order {
        less.sort(&mut a, |&x| x);
        less.sort(&mut b, |&x| x);
    }
    let n = a.len() + b.len();
    let mut expected: Vec<(i32, u32)> = a.iter().chain(&b).copied().zip(0..).collect();
    if in_order {
        less.sort(&mut expected, |pair| pair.0);
    }
    let keys: Vec<i32> = expected.iter().map(|pair| pair.0).collect();
    let (first, second) = (DeviceVec::from_slice(queue, &a)?, DeviceVec::from_slice(queue, &b)?);
    let mut output = DeviceVec::filled(queue, -77, n)?;
    if !by_key {
        merge_by(&first, &second, |a: Val<i32>, b| less.on_device(a, b), output.view_mut().rev())?;
        let mut got = output.to_vec()?;
        got.reverse();
        return alike("what was merged", &got, &keys, in_order);
    }
    let mut order = DeviceVec::filled(queue, 7_u32, n)?;
    let second_indices = index::<u32>() + a.len() as u32;
    merge_by_key((&first, index::<u32>()), (&second, second_indices), (&mut output, &mut order))?;
    let got: Vec<(i32, u32)> = output.to_vec()?.into_iter().zip(order.to_vec()?).collect();
    alike("the merged pairs", &got, &expected, in_order)
}
