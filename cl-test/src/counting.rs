//! An OpenCL library that counts its calls.
//!
//! The system's library behind a table in which every function adds one to a counter first: for
//! tests that claim "no driver call", "one launch", "nothing leaks".
//!
//! The counters are the process's, and `cargo test` runs the tests of one binary in parallel: a
//! test that uses this library holds [`exclusive`] for as long as it does, whether it counts or
//! not. Tests on the uncounted library are not disturbed and do not disturb.
//!
//! ```
//! use cl_core::{Buffer, Queue};
//!
//! let counter = cl_test::counting::exclusive();
//! for device in cl_test::counting::devices() {
//!     let queue = Queue::on(&device).unwrap();
//!     let calls = counter.calls_during(|| drop(Buffer::filled(&queue, 1_u32, 5).unwrap()));
//!     assert_eq!(calls["clCreateBuffer"], 1);
//!     assert_eq!(calls["clReleaseMemObject"], 1);
//! }
//! ```

use cl_core::raw::*;
use cl_core::{Device, Library};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Number of calls by C name.
pub type Calls = BTreeMap<&'static str, u64>;

static COUNTING: OnceLock<Library> = OnceLock::new();
static FORWARD: OnceLock<&'static Functions> = OnceLock::new();
static EXCLUSIVE: Mutex<()> = Mutex::new(());

/// The counting library; the same one on every call.
///
/// # Panics
/// When the machine has no OpenCL library.
#[must_use]
pub fn library() -> Library {
    // SAFETY: each entry forwards to the system's function of that name.
    *COUNTING.get_or_init(|| unsafe { Library::from_functions(counting_table()) })
}

/// The devices of [`library`], narrowed as [`devices`](crate::devices) are.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn devices() -> Vec<Device> {
    crate::narrowed(Device::all_of(library()))
}

/// The right to use the counting library, alone in the process until it is dropped.
#[must_use]
pub fn exclusive() -> Exclusive {
    // A test that panicked while it held the lock leaves counters behind, and those only grow.
    Exclusive { _lock: EXCLUSIVE.lock().unwrap_or_else(PoisonError::into_inner) }
}

/// Made by [`exclusive`].
#[derive(Debug)]
pub struct Exclusive {
    _lock: MutexGuard<'static, ()>,
}

impl Exclusive {
    /// The functions that `work` called, each with how often; those it did not call are absent.
    pub fn calls_during(&self, work: impl FnOnce()) -> Calls {
        let before = calls();
        work();
        let mut calls = calls();
        calls.retain(|name, count| {
            *count -= before[name];
            *count > 0
        });
        calls
    }
}

/// The system's functions.
fn forward() -> &'static Functions {
    FORWARD.get_or_init(|| match Library::load() {
        Ok(library) => library.functions(),
        Err(error) => panic!("these tests need an OpenCL library: {error}"),
    })
}

macro_rules! count_calls {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)*) => {
        #[allow(non_snake_case)] // the names are C's
        struct Counters {
            $($name: AtomicU64,)*
        }

        static COUNTERS: Counters = Counters { $($name: AtomicU64::new(0),)* };

        /// Every function of the table, counted.
        #[allow(non_snake_case)] // the names are C's
        mod counted {
            use super::*;

            $(
                pub(super) unsafe extern "system" fn $name($($argument: $type),*) -> $return {
                    COUNTERS.$name.fetch_add(1, Ordering::Relaxed);
                    // SAFETY: the caller's arguments, unchanged, to the function it meant.
                    unsafe { (forward().$name)($($argument),*) }
                }
            )*
        }

        fn counting_table() -> Functions {
            forward(); // loaded here, where a panic may unwind, and not below a C signature
            Functions { $($name: counted::$name,)* }
        }

        /// How often each function of the counting library was called since the process began.
        #[must_use]
        pub fn calls() -> Calls {
            Calls::from([$((stringify!($name), COUNTERS.$name.load(Ordering::Relaxed)),)*])
        }
    };
}

cl_core::for_each_function!(count_calls);
