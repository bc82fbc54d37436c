//! Steps with the functions below arrays, which take layouts, axes and sizes from their callers. Calls that name elements
//! outside of a vector must be refused; calls that are accepted must agree with the model.

use crate::claim::{Claim, coordinates};
use crate::dice::Dice;
use crate::finding::{Finding, Outcome, same};
use cl_algo::prelude::*;
use cl_algo::ranked::{self, Layout, contract, coordinate, fold, load, scan, scatter, substitute};
use cl_core::{Error, Result};
use std::collections::HashSet;

/// A function that takes layouts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mechanism {
    Assign,
    AssignWith,
    Load,
    Scan,
    Fold,
    Scatter,
    Contract,
    Substitute,
}

pub(crate) const MECHANISMS: [Mechanism; 8] = [
    Mechanism::Assign,
    Mechanism::AssignWith,
    Mechanism::Load,
    Mechanism::Scan,
    Mechanism::Fold,
    Mechanism::Scatter,
    Mechanism::Contract,
    Mechanism::Substitute,
];

/// The outcome that a call must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    Succeeds,
    /// It may be refused; else it agrees with the model.
    May,
    Fails,
}

/// Compares what a call did with what it must do. Returns whether it was accepted.
fn kept<T>(what: &dyn Fn() -> String, promise: Promise, result: Result<T>) -> Outcome<Option<T>> {
    match (result, promise) {
        (Ok(_), Promise::Fails) => Err(Finding::NoError(what())),
        (Ok(made), _) => Ok(Some(made)),
        (Err(error @ (Error::InvalidInput { .. } | Error::OutOfBounds { .. })), Promise::Succeeds) => {
            Err(Finding::Error(format!("{}: {error}", what())))
        }
        (Err(Error::InvalidInput { .. } | Error::OutOfBounds { .. }), _) => Ok(None),
        (Err(error), _) => Err(Finding::Error(format!("{}: {error}", what()))),
    }
}

pub(crate) fn mechanism(queue: &Queue, mechanism: Mechanism, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 14);
    match mechanism {
        Mechanism::Contract => return products(queue, &mut dice),
        Mechanism::Substitute => return triangles(queue, &mut dice),
        _ => {}
    }
    let claim = Claim::random(&mut dice);
    let told = || format!("{mechanism:?} with {claim:?}");
    let promise = match claim.is_right() {
        _ if claim.is_empty() => Promise::May,
        true => Promise::Succeeds,
        false => Promise::Fails,
    };
    let Some(layout) = kept(&told, promise, claim.layout())? else { return Ok(()) };
    let (Some(count), true) = (claim.count(), claim.is_right()) else { return Ok(()) };
    let rank = claim.shape.len();
    let indices = claim.indices();
    let whole: usize = claim.base.iter().product();
    // Now and then the vector is too short for the layout.
    let len = if dice.one_in(4) { dice.below(whole) } else { whole };
    let reaches = indices.iter().all(|&index| index < len);
    let repeats = indices.iter().collect::<HashSet<_>>().len() < indices.len();
    let host: Vec<i32> = (0..len).map(|i| 3 * i as i32 - 50).collect();
    let mut vector = DeviceVec::from_slice(queue, &host)?;
    let told = || format!("{mechanism:?} with {claim:?} of a vector of {len} elements");
    let promise = |fails: bool| if fails { Promise::Fails } else { Promise::Succeeds };
    // Now and then an axis that the space does not have.
    let beyond = usize::from(dice.one_in(4));
    let axis = dice.below(rank + beyond);
    let at = coordinates(&claim.shape);
    let mut expected = host.clone();
    match mechanism {
        Mechanism::Assign => {
            let wide = rank + usize::from(dice.one_in(4));
            let value = coordinate::<i32>(axis, wide) + 5;
            // A coordinate counts from the last axis.
            let own = (axis < wide).then(|| (axis + rank).checked_sub(wide)).flatten();
            let fails = count > 0 && (!reaches || repeats) || axis >= wide;
            let promise = match own {
                None if !fails => Promise::May,
                _ => promise(fails),
            };
            if kept(&told, promise, ranked::assign("hostile", (&mut vector, layout), value))?.is_some() {
                for (&index, at) in indices.iter().zip(&at) {
                    expected[index] = own.map_or(0, |axis| at[axis] as i32) + 5;
                }
            }
        }
        Mechanism::AssignWith => {
            let fails = count > 0 && (!reaches || repeats);
            let done = ranked::assign_with("hostile", (&mut vector, layout), |x: Expr<'_, i32>| x * 3 + 1);
            if kept(&told, promise(fails), done)?.is_some() {
                indices.iter().for_each(|&index| expected[index] = host[index] * 3 + 1);
            }
        }
        Mechanism::Load => {
            let mut output = DeviceVec::filled(queue, 7, count)?;
            let into = Layout::row_major(&claim.shape)?;
            let done = ranked::assign("hostile", (&mut output, into), load(&vector, &layout) - 1);
            if kept(&told, promise(count > 0 && !reaches), done)?.is_some() {
                let read: Vec<i32> = indices.iter().map(|&index| host[index] - 1).collect();
                same(&told(), &output.to_vec()?, &read)?;
            }
        }
        Mechanism::Scan => {
            let value = coordinate::<i32>(0, rank) + 1;
            let sum = |a: Val<i32>, b: Val<i32>| a + b;
            let sink = (&mut vector, layout);
            let done = scan::<i32, _>("hostile", sink, value, (&claim.shape, axis), None, sum, |sum| sum);
            let fails = count > 0 && (!reaches || repeats) || axis >= rank;
            if kept(&told, promise(fails), done)?.is_some() {
                for (&index, at) in indices.iter().zip(&at) {
                    let term = |i: usize| if axis == 0 { i as i32 + 1 } else { at[0] as i32 + 1 };
                    expected[index] = (0..=at[axis]).map(term).sum();
                }
            }
        }
        Mechanism::Fold => {
            // An axis that is named twice, or that the space does not have, may be refused.
            let mut axes = vec![axis];
            if dice.one_in(3) {
                axes.push(dice.below(rank));
            }
            let fits = axis < rank && (axes.len() == 1 || axes[0] != axes[1]);
            let left: Vec<usize> =
                (0..rank).filter(|axis| !axes.contains(axis)).map(|axis| claim.shape[axis]).collect();
            let mut output = DeviceVec::filled(queue, 7, left.iter().product())?;
            let into = Layout::row_major(&left)?;
            let sink = (&mut output, into);
            let sum = |a: Val<i32>, b: Val<i32>| a + b;
            let value = load(&vector, &layout);
            let done = fold::<i32, _>("hostile", sink, value, (&claim.shape, &axes), sum, |sum| sum);
            let promise = match count > 0 && !reaches {
                true => Promise::Fails,
                false if fits && count > 0 => Promise::Succeeds,
                false => Promise::May,
            };
            let told = || format!("{} along the axes {axes:?}", told());
            let done = kept(&told, promise, done)?;
            if done.is_some() && count > 0 {
                let mut sums = vec![0_i32; left.iter().product()];
                for (&index, at) in indices.iter().zip(&at) {
                    let kept = (0..rank).filter(|axis| !axes.contains(axis));
                    sums[kept.fold(0, |to, axis| to * claim.shape[axis] + at[axis])] += host[index];
                }
                same(&told(), &output.to_vec()?, &sums)?;
            }
        }
        _ => {
            // Reverses the coordinates along an axis.
            let turns = claim.shape.get(axis).copied().unwrap_or(1);
            let places = (turns as i64 - 1) - coordinate::<i64>(axis.min(rank - 1), rank);
            let value = coordinate::<i32>(0, rank);
            let into = (&mut vector, layout).into();
            let done = scatter("hostile", into, (axis, turns), places, value);
            let fails = count > 0 && (!reaches || repeats) || axis >= rank;
            if kept(&told, promise(fails), done)?.is_some() && count > 0 {
                for at in &at {
                    let mut to = at.clone();
                    to[axis] = turns - 1 - at[axis];
                    let number = to.iter().zip(&claim.shape).fold(0, |number, (i, len)| number * len + i);
                    expected[indices[number]] = at[0] as i32;
                }
            }
        }
    }
    queue.finish()?;
    same(&told(), &vector.to_vec()?, &expected)
}

/// A row-major operand of a product: the shape of its vector, and the shape that the caller claims.
#[derive(Clone, Debug)]
struct Matrices {
    stored: Vec<usize>,
    claimed: Vec<usize>,
}

impl Matrices {
    /// Returns an operand that fits, or, in some cases, one that does not.
    fn random(batch: usize, rows: usize, columns: usize, dice: &mut Dice) -> Matrices {
        let mut claimed = vec![batch, rows, columns];
        if dice.one_in(6) {
            claimed[dice.below(3)] = dice.below(5);
        }
        let mut stored = claimed.clone();
        if dice.one_in(6) {
            stored[dice.below(3)] = dice.below(5);
        }
        let alone = dice.one_in(2);
        if alone {
            claimed.remove(0);
        }
        // Now and then the vector has batches and the claim does not, or the other way round.
        if alone != dice.one_in(8) {
            stored.remove(0);
        }
        Matrices { stored, claimed }
    }

    /// Returns the index in the vector of the element of a batch at a row and a column: the operand is read at the last
    /// coordinates that it has.
    fn index(&self, at: [usize; 3]) -> usize {
        let mut stride = 1;
        self.stored.iter().zip(&at[3 - self.stored.len()..]).rev().fold(0, |index, (&len, &at)| {
            let index = index + if len > 1 { at * stride } else { 0 };
            stride *= len.max(1);
            index
        })
    }

    /// Returns the outcome of a call whose output asks for an operand of `wanted`, without batches if there is one matrix for
    /// all of them.
    fn promise(&self, wanted: [usize; 3]) -> Promise {
        if self.claimed != wanted && self.claimed != wanted[1..] {
            return Promise::Fails;
        }
        if self.stored == self.claimed {
            return Promise::Succeeds;
        }
        // Nothing is loaded.
        if wanted.contains(&0) {
            return Promise::May;
        }
        let depends_on_more = self.claimed.len() == 2 && self.stored.len() == 3 && self.stored[0] > 1;
        let len: usize = self.stored.iter().product();
        let last = self.index(wanted.map(|len| len - 1));
        if depends_on_more || last >= len { Promise::Fails } else { Promise::May }
    }
}

/// Returns the outcome for two operands together.
fn both(a: Promise, b: Promise) -> Promise {
    match (a, b) {
        (Promise::Fails, _) | (_, Promise::Fails) => Promise::Fails,
        (Promise::May, _) | (_, Promise::May) => Promise::May,
        _ => Promise::Succeeds,
    }
}

fn products(queue: &Queue, dice: &mut Dice) -> Outcome {
    let [batch, rows, inner, columns] = [(); 4].map(|()| 1 + dice.below(4));
    let left = Matrices::random(batch, rows, inner, dice);
    let right = Matrices::random(batch, inner, columns, dice);
    let vector = |of: &Matrices| -> Result<(DeviceVec<i32>, Vec<i32>)> {
        let host: Vec<i32> = (0..of.stored.iter().product()).map(|i: usize| i as i32 * 5 % 13 - 6).collect();
        Ok((DeviceVec::from_slice(queue, &host)?, host))
    };
    let ((a, host_a), (b, host_b)) = (vector(&left)?, vector(&right)?);
    let mut output = DeviceVec::filled(queue, 7, batch * rows * columns)?;
    let sink = (&mut output, Layout::row_major(&[batch, rows, columns])?);
    let loads = [load(&a, &Layout::row_major(&left.stored)?), load(&b, &Layout::row_major(&right.stored)?)];
    let [x, y] = loads;
    let operands = [(x, &left.claimed[..]), (y, &right.claimed[..])];
    let done = contract::<i32, i32, _>("hostile", sink, operands, 0, |item, _: Val<i32>| item);
    // The operands may agree on another length than they were made for.
    let inner = left.claimed.last().copied().unwrap_or(inner);
    let promise = both(left.promise([batch, rows, inner]), right.promise([batch, inner, columns]));
    let told = || format!("contract of {left:?} and {right:?} to {:?}", [batch, rows, columns]);
    if kept(&told, promise, done)?.is_none() {
        return Ok(());
    }
    let expected: Vec<i32> = coordinates(&[batch, rows, columns])
        .iter()
        .map(|at| {
            let term =
                |k: usize| host_a[left.index([at[0], at[1], k])] * host_b[right.index([at[0], k, at[2]])];
            (0..inner).map(term).sum()
        })
        .collect();
    same(&told(), &output.to_vec()?, &expected)
}

fn triangles(queue: &Queue, dice: &mut Dice) -> Outcome {
    let [batch, rows, columns] = [(); 3].map(|()| 1 + dice.below(4));
    let lower = Matrices::random(batch, rows, rows, dice);
    // Small integers with ones on the diagonal: all results are exact.
    let matrix: Vec<f32> =
        (0..lower.stored.iter().product()).map(|i: usize| (i * 7 % 5) as f32 - 2.0).collect();
    let right: Vec<f32> = (0..batch * rows * columns).map(|i| (i * 3 % 11) as f32 - 5.0).collect();
    let (a, mut b) = (DeviceVec::from_slice(queue, &matrix)?, DeviceVec::from_slice(queue, &right)?);
    let sink = (&mut b, Layout::row_major(&[batch, rows, columns])?);
    let operand = (load(&a, &Layout::row_major(&lower.stored)?), &lower.claimed[..]);
    let told = || format!("substitute with {lower:?} into {:?}", [batch, rows, columns]);
    let done = substitute("hostile", sink, operand, true, 1.0);
    let mut expected = right;
    if kept(&told, lower.promise([batch, rows, rows]), done)?.is_some() {
        for at in coordinates(&[batch, columns]) {
            for row in 0..rows {
                let place = |row: usize| (at[0] * rows + row) * columns + at[1];
                let known: f32 =
                    (0..row).map(|k| matrix[lower.index([at[0], row, k])] * expected[place(k)]).sum();
                expected[place(row)] -= known;
            }
        }
    }
    same(&told(), &b.to_vec()?, &expected)
}
