//! The operations of the sweep: one row each.

pub(crate) mod cached;
pub(crate) mod commands;
pub(crate) mod events;
pub(crate) mod handles;
pub(crate) mod images;
pub(crate) mod objects;
pub(crate) mod programs;
pub(crate) mod questions;
pub(crate) mod shared;
pub(crate) mod transfers;
pub(crate) mod views;

use cl_core::{Error, Result};
use std::future::IntoFuture;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::time::{Duration, Instant};

/// The functions that tell a device's name. Errors and reports stay the same without the name.
const NAMES: [&str; 2] = ["clGetDeviceInfo", "clGetPlatformInfo"];

/// The function that waits when a queue is released, on drivers that need this. The queue is released even if
/// it fails.
const RELEASE: &str = "clFinish";

/// Turns `Unsupported` into `None`. A device without a feature is also asked for it, and each question may
/// fail.
fn lacking<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(Error::Unsupported { .. }) => Ok(None),
        other => other.map(Some),
    }
}

struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Drives a future to its end. Returns `None` after `limit`.
fn block_on<F: IntoFuture>(future: F, limit: Duration) -> Option<F::Output> {
    let mut future = pin!(future.into_future());
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let end = Instant::now() + limit;
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
        std::thread::park_timeout(end.checked_duration_since(Instant::now())?);
    }
}
