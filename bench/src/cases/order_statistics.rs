//! Selection by order.

use super::{to_scalar, to_value, verify_by};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::{Restored, Step};
use cl_algo::prelude::*;
use cl_algo::stl::nth_element;
use rayon::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// The number of the largest elements that are selected.
const TOP: usize = 100;

/// Selects the element in the middle of random numbers.
pub(super) fn middle(queue: &Queue, n: usize) -> Result<Step, Failure> {
    selected(queue, Source::fresh().f32s(n))
}

/// Selects the element in the middle of 16 values, so that no sample helps.
pub(super) fn middle_of_few(queue: &Queue, n: usize) -> Result<Step, Failure> {
    selected(queue, Source::fresh().few(n).into_iter().map(|x| x as f32).collect())
}

fn selected(queue: &Queue, mut host: Vec<f32>) -> Result<Step, Failure> {
    let (x, middle) = (DeviceVec::from_slice(queue, &host)?, host.len() / 2);
    host.par_sort_unstable_by(f32::total_cmp);
    let expected = host.get(middle).copied().unwrap_or_default();
    to_scalar(
        move || x.iter().select_nth_on_device(middle),
        move |found| match found == expected {
            true => Ok(()),
            false => Err(format!("wrong result: {found}, expected {expected}").into()),
        },
    )
}

pub(super) fn top_100(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let mut host = Source::fresh().f32s(n);
    let (x, k) = (DeviceVec::from_slice(queue, &host)?, TOP.min(n));
    let expected = move || {
        host.par_sort_unstable_by(|a, b| b.total_cmp(a));
        host.truncate(k);
        host
    };
    to_value(move || x.iter().top_k(k), move |(largest, _)| verify_by(&largest.to_vec()?, expected))
}

/// Moves random numbers around the one in the middle.
pub(super) fn around(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    restored(queue, &Source::fresh().f32s(n))
}

/// Moves 16 values around the one in the middle.
pub(super) fn around_few(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    let host: Vec<f32> = Source::fresh().few(n).into_iter().map(|x| x as f32).collect();
    restored(queue, &host)
}

fn restored(queue: &Queue, host: &[f32]) -> Result<Restored, Failure> {
    let middle = host.len() / 2;
    let unsorted = DeviceVec::from_slice(queue, host)?;
    let mut x = DeviceVec::from_slice(queue, host)?;
    nth_element(&mut x, middle)?;
    let found = x.to_vec()?;
    let pivot = found[middle];
    if found[..middle].iter().any(|x| *x > pivot) || found[middle..].iter().any(|x| *x < pivot) {
        return Err("wrong result: an element is on the wrong side".into());
    }
    let x = Rc::new(RefCell::new(x));
    let restored = Rc::clone(&x);
    Ok(Restored {
        restore: Some(Box::new(move || restored.borrow_mut().assign(&unsorted))),
        step: Box::new(move || nth_element(&mut *x.borrow_mut(), middle)),
    })
}
