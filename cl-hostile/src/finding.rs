//! Findings: things that a program should not do.

use std::fmt;

/// The first thing that a program did and should not have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A result differs from the model's.
    Wrong(String),
    /// A valid call returned an error.
    Error(String),
    /// An invalid call returned no error.
    NoError(String),
    /// A command wrote beyond the end of a buffer.
    Damage(String),
    /// A panic.
    Panic(String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Wrong(text) => write!(f, "a wrong result: {text}"),
            Finding::Error(text) => write!(f, "an unexpected error: {text}"),
            Finding::NoError(text) => write!(f, "a missing error: {text}"),
            Finding::Damage(text) => write!(f, "a write beyond a buffer: {text}"),
            Finding::Panic(text) => write!(f, "a panic: {text}"),
        }
    }
}

impl From<cl_core::Error> for Finding {
    fn from(error: cl_core::Error) -> Finding {
        Finding::Error(error.to_string())
    }
}

/// The result of a step.
pub(crate) type Outcome<T = ()> = Result<T, Finding>;

/// Compares the values that the device computed with the model's.
pub(crate) fn same<T: PartialEq + fmt::Debug>(what: &str, device: &[T], host: &[T]) -> Outcome {
    if device.len() != host.len() {
        let (device, host) = (device.len(), host.len());
        return Err(Finding::Wrong(format!("{what} has {device} elements instead of {host}")));
    }
    match device.iter().zip(host).position(|(device, host)| device != host) {
        None => Ok(()),
        Some(at) => {
            let wrong = device.iter().zip(host).filter(|(device, host)| device != host).count();
            let (device, expected, all) = (&device[at], &host[at], host.len());
            let text = format!("{what}[{at}] is {device:?} instead of {expected:?}; {wrong} of {all} differ");
            Err(Finding::Wrong(text))
        }
    }
}

/// Compares two values.
pub(crate) fn equal<T: PartialEq + fmt::Debug>(what: &str, device: T, host: T) -> Outcome {
    if device == host {
        return Ok(());
    }
    Err(Finding::Wrong(format!("{what} is {device:?} instead of {host:?}")))
}

/// Returns a finding unless `result` is an error.
pub(crate) fn refused<T>(what: &str, result: cl_core::Result<T>) -> Outcome {
    match result {
        Err(_) => Ok(()),
        Ok(_) => Err(Finding::NoError(what.to_owned())),
    }
}
