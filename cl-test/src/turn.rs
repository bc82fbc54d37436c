//! A limit to the number of tests of a process that use devices at once.
//!
//! Each test has contexts of its own, and the test runner starts as many tests as there are processors. A GPU
//! gives every context memory, and time in turns. With some two hundred contexts NVIDIA's driver refuses
//! more, and long before that each context waits for the others.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};

const AT_ONCE: usize = 8;

static TAKEN: Mutex<usize> = Mutex::new(0);
static RETURNED: Condvar = Condvar::new();

thread_local! {
    /// The number of turns that this thread holds. A thread waits only for its first turn. If it waited for a
    /// second one, it could wait for itself.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// A turn, which is given back when it is dropped, also when the test panics.
pub(crate) struct Turn(());

/// Waits until fewer than eight threads hold a turn.
pub(crate) fn wait() -> Turn {
    if HELD.replace(HELD.get() + 1) == 0 {
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let free = RETURNED.wait_while(taken, |taken| *taken >= AT_ONCE);
        *free.unwrap_or_else(PoisonError::into_inner) += 1;
    }
    Turn(())
}

impl Drop for Turn {
    fn drop(&mut self) {
        if HELD.replace(HELD.get() - 1) == 1 {
            *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
            RETURNED.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn so_many_at_once_and_all_in_the_end() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for number in 0..50 {
                let (now, most) = (&now, &most);
                scope.spawn(move || {
                    let panicking = std::panic::catch_unwind(|| {
                        let _turn = wait();
                        let _inner = wait();
                        most.fetch_max(now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        now.fetch_sub(1, Ordering::Relaxed);
                        assert!(number % 7 > 0, "this one panics, as told");
                    });
                    assert_eq!(panicking.is_err(), number % 7 == 0);
                });
            }
        });
        assert_eq!(now.into_inner(), 0);
        let most = most.into_inner();
        assert!((2..=AT_ONCE).contains(&most), "{most}");
    }
}
