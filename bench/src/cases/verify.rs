//! Steps whose first result was verified against the host's, or against the digest of one that was.

use crate::answers::are_known;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::{DeviceScalar, DeviceVec, Element};
use cl_core::Result;

/// Returns a step that evaluates into `target`, after it has given the expected values once.
pub(super) fn into_vector<T: Element + PartialEq + std::fmt::Debug>(
    mut target: DeviceVec<T>,
    expected: impl ExactSizeIterator<Item = T>,
    mut evaluate: impl FnMut(&mut DeviceVec<T>) -> Result<()> + 'static,
) -> std::result::Result<Step, Failure> {
    evaluate(&mut target)?;
    verify(&target.to_vec()?, expected)?;
    Ok(Box::new(move || evaluate(&mut target)))
}

/// Does the same as [`into_vector`] with values that the host computes only where they are needed.
pub(super) fn into_vector_by<T: Element + PartialEq + std::fmt::Debug>(
    mut target: DeviceVec<T>,
    expected: impl FnOnce() -> Vec<T>,
    mut evaluate: impl FnMut(&mut DeviceVec<T>) -> Result<()> + 'static,
) -> std::result::Result<Step, Failure> {
    evaluate(&mut target)?;
    verify_by(&target.to_vec()?, expected)?;
    Ok(Box::new(move || evaluate(&mut target)))
}

/// Returns a step that leaves one value on the device, after `check` has accepted it once.
pub(super) fn to_scalar<T: Element>(
    mut evaluate: impl FnMut() -> Result<DeviceScalar<T>> + 'static,
    check: impl FnOnce(T) -> std::result::Result<(), Failure>,
) -> std::result::Result<Step, Failure> {
    check(evaluate()?.get()?)?;
    Ok(Box::new(move || evaluate().map(drop)))
}

/// Returns a step that computes one value, after `check` has accepted it once.
pub(super) fn to_value<T>(
    mut evaluate: impl FnMut() -> Result<T> + 'static,
    check: impl FnOnce(T) -> std::result::Result<(), Failure>,
) -> std::result::Result<Step, Failure> {
    check(evaluate()?)?;
    Ok(Box::new(move || evaluate().map(drop)))
}

/// Returns an error at the first position where the device's values differ from the host's. The host's values are not
/// computed if an earlier process has verified the same result.
pub(super) fn verify<T: Element + PartialEq + std::fmt::Debug>(
    device: &[T],
    host: impl ExactSizeIterator<Item = T>,
) -> std::result::Result<(), Failure> {
    verify_by(device, || host)
}

/// Does the same as [`verify`] with values that the host computes only where they are needed.
pub(super) fn verify_by<T: Element + PartialEq + std::fmt::Debug, Host: IntoIterator<Item = T>>(
    device: &[T],
    host: impl FnOnce() -> Host,
) -> std::result::Result<(), Failure>
where
    Host::IntoIter: ExactSizeIterator,
{
    if are_known(device)? {
        return Ok(());
    }
    let host = host().into_iter();
    if device.len() != host.len() {
        return Err(format!("wrong result: {} elements, expected {}", device.len(), host.len()).into());
    }
    for (i, (got, expected)) in device.iter().zip(host).enumerate() {
        if *got != expected {
            return Err(format!("wrong result: element {i} is {got:?}, expected {expected:?}").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_or_missing_element_is_found() {
        let fails = |device: &[u32]| verify(device, [1, 2, 3].into_iter()).map_err(|e| e.to_string());
        assert_eq!(fails(&[1, 2, 3]), Ok(()));
        assert_eq!(fails(&[1, 5, 3]), Err("wrong result: element 1 is 5, expected 2".to_owned()));
        assert_eq!(fails(&[1, 2]), Err("wrong result: 2 elements, expected 3".to_owned()));
    }
}
