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

/// What tells a device's name: an error or a report that lacks it is no other one.
const NAMES: [&str; 2] = ["clGetDeviceInfo", "clGetPlatformInfo"];

/// What a queue's release asks for, where the driver needs it to wait: an error is no reason to keep the queue.
const RELEASE: &str = "clFinish";

/// `None` for what the device does not have: it is asked all the same, and each question may fail.
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

/// Drives a future to its end; `None` after `limit`.
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
