//! Events as futures.

use super::{Event, watch::watch};
use crate::error::Result;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The end of a command, for any executor. Made by `event.await` or `(&event).await`.
///
/// The first poll hands the command to the device, with everything else in its queue. A command
/// that fails is an `Err`, also when it fails because a command that it waited for failed. Dropping
/// the future does not stop the command, because OpenCL cannot stop commands. (Oclgrind runs a
/// queue's commands when they are handed to the device, so its first poll blocks.)
///
/// ```
/// # use cl_core::{Buffer, Event, Queue};
/// async fn filled(queue: &Queue, x: &mut Buffer<f32>) -> cl_core::Result<()> {
///     let mut event = None;
///     x.fill(queue.signal(&mut event), 1.0)?;
///     match event {
///         Some(event) => event.await,
///         None => Ok(()),
///     }
/// }
/// ```
#[derive(Debug)]
#[must_use = "a future does nothing unless it is polled"]
pub struct EventFuture {
    event: Event,
    /// Shared with the watching thread from the first poll on.
    shared: Option<Arc<Shared>>,
}

#[derive(Debug, Default)]
struct Shared(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    result: Option<Result<()>>,
    waker: Option<Waker>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the result of the command and wakes the task.
    fn end(&self, result: Result<()>) {
        let mut state = self.lock();
        state.result = Some(result);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl EventFuture {
    /// Starts to watch the command, on the first poll.
    fn begin(&self) -> Result<Arc<Shared>> {
        let shared = Arc::new(Shared::default());
        if self.event.outcome().is_none() {
            self.event.flush()?;
        }
        match self.event.outcome() {
            Some(result) => shared.end(result),
            None => {
                let told = Arc::clone(&shared);
                watch(&self.event, Box::new(move |result| told.end(result)))?;
            }
        }
        Ok(shared)
    }
}

impl Future for EventFuture {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let shared = match &self.shared {
            Some(shared) => Arc::clone(shared),
            None => {
                let shared = match self.begin() {
                    Ok(shared) => shared,
                    Err(error) => return Poll::Ready(Err(error)),
                };
                self.shared.insert(shared).clone()
            }
        };
        let mut state = shared.lock();
        if let Some(result) = &state.result {
            return Poll::Ready(result.clone());
        }
        // A waker's own code runs outside the lock, because it might poll this future.
        let replaced = match &mut state.waker {
            Some(waker) if waker.will_wake(context.waker()) => None,
            waker => waker.replace(context.waker().clone()),
        };
        drop(state);
        drop(replaced);
        Poll::Pending
    }
}

impl Drop for EventFuture {
    fn drop(&mut self) {
        // The thread watches until the command ends; the task must not live that long.
        let waker = self.shared.as_ref().and_then(|shared| shared.lock().waker.take());
        drop(waker);
    }
}

impl IntoFuture for Event {
    type Output = Result<()>;
    type IntoFuture = EventFuture;

    fn into_future(self) -> EventFuture {
        EventFuture { event: self, shared: None }
    }
}

impl IntoFuture for &Event {
    type Output = Result<()>;
    type IntoFuture = EventFuture;

    fn into_future(self) -> EventFuture {
        self.clone().into_future()
    }
}
