//! The cases as Rust libraries compute them on the host's processor, one file for each family.

mod linalg;
mod products;
mod sequences;
mod sparse;
mod tables;
mod transforms;

use crate::cases::Case;
use crate::failure::Failure;
use crate::timing::Restored;
use std::cell::RefCell;
use std::fmt::{Debug, Display};
use std::rc::Rc;

/// The names of the libraries.
pub(super) const NAMES: [&str; 6] = ["std", "rayon", "rustfft", "sprs", "matrixmultiply", "faer"];

/// A library's function for a case.
pub(crate) struct HostPeer {
    pub(crate) name: &'static str,
    case: &'static str,
    element: &'static str,
    /// The function that makes the data, for this number of elements, and returns the step.
    pub(crate) prepare: fn(usize) -> Result<Restored, Failure>,
}

/// Returns the functions for a case.
pub(crate) fn of(case: &Case) -> impl Iterator<Item = &'static HostPeer> {
    let (name, element) = (case.name, case.element);
    all().filter(move |peer| (peer.case, peer.element) == (name, element))
}

fn all() -> impl Iterator<Item = &'static HostPeer> {
    [sequences::ALL, transforms::ALL, sparse::ALL, products::ALL, linalg::ALL, tables::ALL]
        .into_iter()
        .flatten()
}

/// Returns a step that leaves its data unchanged.
fn step(mut work: impl FnMut() + 'static) -> Restored {
    Restored::from(Box::new(move || {
        work();
        Ok(())
    }) as crate::timing::Step)
}

/// Returns a step that changes its values, which are restored before each evaluation.
fn restored<T: Copy + 'static>(values: Vec<T>, mut work: impl FnMut(&mut [T]) + 'static) -> Restored {
    let changed = Rc::new(RefCell::new(values.clone()));
    let again = Rc::clone(&changed);
    Restored {
        restore: Some(Box::new(move || {
            again.borrow_mut().copy_from_slice(&values);
            Ok(())
        })),
        step: Box::new(move || {
            work(&mut changed.borrow_mut());
            Ok(())
        }),
    }
}

/// Returns an error unless a value is the expected one. `what` names the value.
fn expect_equal<T: PartialEq + Debug>(what: impl Display, found: T, expected: T) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    Err(format!("wrong result: {what} is {found:?}, expected {expected:?}").into())
}

/// Returns an error at the first position where the values differ from the expected ones.
fn expect_values<T: Copy + PartialEq + Debug>(
    found: &[T],
    expected: impl IntoIterator<Item = T>,
) -> Result<(), Failure> {
    let mut rest = found.iter().copied();
    let mut count = 0;
    for expected in expected {
        let Some(value) = rest.next() else {
            return Err(format!("wrong result: element {count} is missing, expected {expected:?}").into());
        };
        expect_equal(format_args!("element {count}"), value, expected)?;
        count += 1;
    }
    expect_equal("the number of elements", found.len(), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn each_has_a_case_and_runs_twice() {
        for peer in all() {
            let case = cases::ALL.iter().find(|case| (case.name, case.element) == (peer.case, peer.element));
            let case = case.unwrap_or_else(|| panic!("no case has the name {} {}", peer.case, peer.element));
            assert!(of(case).any(|found| std::ptr::eq(found, peer)) && NAMES.contains(&peer.name));
            let mut work = (peer.prepare)(case.elements(1000)).unwrap();
            for _ in 0..2 {
                if let Some(restore) = &mut work.restore {
                    restore().unwrap();
                }
                (work.step)().unwrap();
            }
        }
    }

    #[test]
    fn a_wrong_result_says_what_was_found_and_expected() {
        let error = |found: &[u32]| expect_values(found, [1, 2]).map_err(|error| error.to_string());
        assert_eq!(error(&[1, 2]), Ok(()));
        assert_eq!(error(&[1, 5]), Err("wrong result: element 1 is 5, expected 2".to_owned()));
        assert_eq!(error(&[1]), Err("wrong result: element 1 is missing, expected 2".to_owned()));
        let longer = "wrong result: the number of elements is 3, expected 2";
        assert_eq!(error(&[1, 2, 2]), Err(longer.to_owned()));
    }

    #[test]
    fn what_is_changed_is_restored() {
        let mut work = restored(vec![3, 1, 2], |x: &mut [u32]| {
            assert_eq!(x, [3, 1, 2]);
            x.sort_unstable();
        });
        for _ in 0..2 {
            work.restore.as_mut().unwrap()().unwrap();
            (work.step)().unwrap();
        }
    }
}
