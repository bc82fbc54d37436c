//! Noticing that a command has ended, with any driver.
//!
//! A driver is asked to call back. Some drivers (PoCL, rusticl) never call back when a command fails
//! because a command that it waited for failed. So one thread of the process also asks for the status
//! of the watched commands, at growing intervals. The thread sleeps while no command is watched.
//!
//! None of the program's code runs inside the driver's callback, because OpenCL forbids blocking
//! there, and calling many of its own functions is undefined. The callback only notifies the thread.

use super::{Event, EventStatus};
use crate::error::{Error, Result};
use crate::host_thread;
use crate::raw::{c_void, cl_event, cl_int};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A function that gets the result of a command.
pub(super) type Then = Box<dyn FnOnce(Result<()>) + Send>;

/// The time before a command is first asked for its status.
const FIRST_INTERVAL: Duration = Duration::from_millis(1);
/// The longest time between two queries for the status.
const LONGEST_INTERVAL: Duration = Duration::from_millis(64);
/// The number of queries in a row that may fail; asking them takes about a second. One more failed
/// query makes the command count as failed.
const MOST_UNANSWERED: u32 = 20;

/// A command that is being watched. Either the driver's callback or the thread notices its end
/// first, and takes the contents.
struct Watched(Mutex<Option<(Event, Then)>>);

impl Watched {
    fn lock(&self) -> MutexGuard<'_, Option<(Event, Then)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `then` on the watching thread, once, when the command has ended. `then` must not block.
///
/// # Errors
/// [`Error::Thread`] or [`Error::Driver`]; `then` is never run in that case.
pub(super) fn watch(event: &Event, then: Then) -> Result<()> {
    WATCHDOG.start()?;
    let watched = Arc::new(Watched(Mutex::new(Some((event.clone(), then)))));
    let for_driver = Arc::into_raw(Arc::clone(&watched));
    let set = event.library().functions().clSetEventCallback;
    // SAFETY: a valid event; `called_back` takes over the reference that is passed along.
    let status =
        unsafe { set(event.as_raw(), cl_sys::CL_COMPLETE, Some(called_back), for_driver.cast_mut().cast()) };
    if let Err(error) = Error::check("clSetEventCallback", status) {
        // SAFETY: a driver that refuses does not call back, so the reference is still ours.
        drop(unsafe { Arc::from_raw(for_driver) });
        return Err(error);
    }
    WATCHDOG.tell(|news| news.arrived.push(watched));
    Ok(())
}

/// Receives the end of a command from the driver, on a thread of the driver's choice. If the driver
/// never calls, the reference in `data` is leaked. When the watching thread has noticed the end and
/// taken the contents, that reference keeps only an empty [`Watched`] alive.
extern "C" fn called_back(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: `watch` passed this reference along, and a driver calls back once.
    let watched = unsafe { Arc::from_raw(data.cast_const().cast::<Watched>()) };
    let taken = watched.lock().take();
    if let Some((event, then)) = taken {
        // The command has ended, so any status that is not an error counts as success.
        let status = EventStatus::from_raw(status.min(cl_sys::CL_COMPLETE));
        WATCHDOG.tell(|news| news.ended.push(Ended { event, then, status }));
    }
}

static WATCHDOG: Watchdog =
    Watchdog { started: Mutex::new(false), news: Mutex::new(News::NONE), told: Condvar::new() };

/// The thread and its mailbox.
struct Watchdog {
    started: Mutex<bool>,
    news: Mutex<News>,
    told: Condvar,
}

struct News {
    /// Commands to watch from now on.
    arrived: Vec<Arc<Watched>>,
    /// Commands that drivers have called back about.
    ended: Vec<Ended>,
}

struct Ended {
    event: Event,
    then: Then,
    status: EventStatus,
}

impl News {
    const NONE: News = News { arrived: Vec::new(), ended: Vec::new() };
}

/// A command, and the time of the next query for its status.
struct Pending {
    watched: Arc<Watched>,
    due: Instant,
    interval: Duration,
    /// The number of failed queries since the last one that succeeded.
    unanswered: u32,
}

impl Watchdog {
    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&'static self) -> Result<()> {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        if !*started {
            host_thread::spawn("cl-core events", move || self.run())?;
            *started = true;
        }
        Ok(())
    }

    fn tell(&self, what: impl FnOnce(&mut News)) {
        what(&mut self.lock());
        self.told.notify_one();
    }

    /// Runs the thread's loop.
    fn run(&self) {
        let mut pending: Vec<Pending> = Vec::new();
        let mut due = None;
        loop {
            let News { arrived, ended } = self.wait_until(due);
            for Ended { event, then, status } in ended {
                let said = event.outcome_of(status).unwrap_or(Ok(()));
                // NVIDIA's driver calls back with success for commands that failed.
                let outcome = said.and_then(|()| event.outcome().unwrap_or(Ok(())));
                host_thread::contain("waking a task", || then(outcome));
            }
            let now = Instant::now();
            pending.extend(arrived.into_iter().map(|watched| Pending {
                watched,
                due: now + FIRST_INTERVAL,
                interval: FIRST_INTERVAL,
                unanswered: 0,
            }));
            pending.retain_mut(|pending| pending.due > now || pending.ask(now));
            due = pending.iter().map(|pending| pending.due).min();
        }
    }

    /// Waits for news and returns it; returns empty news when `due` is reached first.
    fn wait_until(&self, due: Option<Instant>) -> News {
        let mut news = self.lock();
        while news.arrived.is_empty() && news.ended.is_empty() {
            news = match due.map(|due| due.saturating_duration_since(Instant::now())) {
                None => self.told.wait(news).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => break,
                Some(time) => self.told.wait_timeout(news, time).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        std::mem::replace(&mut *news, News::NONE)
    }
}

impl Pending {
    /// Asks for the status. Returns `true` if the command must be asked again later.
    fn ask(&mut self, now: Instant) -> bool {
        // The driver is not called under the lock, because it may be about to call back.
        let Some(event) = self.watched.lock().as_ref().map(|(event, _)| event.clone()) else { return false };
        let outcome = match event.status() {
            Ok(status) => {
                self.unanswered = 0;
                event.outcome_of(status)
            }
            Err(error) => {
                self.unanswered += 1;
                (self.unanswered > MOST_UNANSWERED).then_some(Err(error))
            }
        };
        let Some(outcome) = outcome else {
            self.interval = (2 * self.interval).min(LONGEST_INTERVAL);
            self.due = now + self.interval;
            return true;
        };
        let taken = self.watched.lock().take();
        if let Some((_, then)) = taken {
            host_thread::contain("waking a task", || then(outcome));
        }
        false
    }
}
