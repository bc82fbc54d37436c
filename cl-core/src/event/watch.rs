//! Noticing that a command has ended, whatever the driver does.
//!
//! A driver is asked to call back. Some never do when a command fails because one that it waits for
//! failed (PoCL, rusticl), so one thread of the process also asks for the status of what is being
//! watched, at intervals that grow. It sleeps while nothing is.
//!
//! Nothing of the program's runs inside the driver's callback: there OpenCL forbids to block, and
//! leaves undefined what half of its own functions do. The callback only tells the thread.

use super::{Event, EventStatus};
use crate::error::{Error, Result};
use crate::host_thread;
use crate::raw::{c_void, cl_event, cl_int};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What to do with the result of a command.
pub(super) type Then = Box<dyn FnOnce(Result<()>) + Send>;

/// How long a command is left alone before it is first asked for its status.
const FIRST_INTERVAL: Duration = Duration::from_millis(1);
/// The most that it is left alone between two questions.
const LONGEST_INTERVAL: Duration = Duration::from_millis(64);

/// A command that is being watched. Whoever notices its end takes the contents: the driver's
/// callback or the thread.
struct Watched(Mutex<Option<(Event, Then)>>);

impl Watched {
    fn lock(&self) -> MutexGuard<'_, Option<(Event, Then)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `then` on the watching thread, once, when the command has ended. It must not block.
///
/// # Errors
/// [`Error::Thread`] or [`Error::Driver`]; `then` is never run in that case.
pub(super) fn watch(event: &Event, then: Then) -> Result<()> {
    WATCHDOG.start()?;
    let watched = Arc::new(Watched(Mutex::new(Some((event.clone(), then)))));
    let for_driver = Arc::into_raw(Arc::clone(&watched));
    let set = event.library().functions().clSetEventCallback;
    // SAFETY: a valid event; `called_back` takes over the reference that goes along.
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

/// What the driver calls, on a thread of its choice. A driver that never does keeps an empty
/// [`Watched`], and nothing of the program's.
extern "C" fn called_back(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: `watch` gave this reference along, and a driver calls back once.
    let watched = unsafe { Arc::from_raw(data.cast_const().cast::<Watched>()) };
    let taken = watched.lock().take();
    if let Some((event, then)) = taken {
        // Said to have ended: any other status than an error's is that of success.
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
    /// To be watched from now on.
    arrived: Vec<Arc<Watched>>,
    /// What drivers have called back about.
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

/// A command, and when to ask for its status.
struct Pending {
    watched: Arc<Watched>,
    due: Instant,
    interval: Duration,
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

    /// The thread's life.
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
            }));
            pending.retain_mut(|pending| pending.due > now || pending.ask(now));
            due = pending.iter().map(|pending| pending.due).min();
        }
    }

    /// What has happened; nothing when `due` comes before.
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
    /// Asks for the status; whether to ask again later.
    fn ask(&mut self, now: Instant) -> bool {
        // The driver is not called under the lock, because it may be about to call back.
        let Some(event) = self.watched.lock().as_ref().map(|(event, _)| event.clone()) else { return false };
        let Some(outcome) = event.outcome() else {
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
