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
fn system() -> &'static Functions {
    match Library::load() {
        Ok(library) => library.functions(),
        Err(error) => panic!("these tests need an OpenCL library: {error}"),
    }
}

macro_rules! count_calls {
    (
        required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
    ) => {
        #[allow(non_snake_case)] // the names are C's
        struct Counters {
            $($name: AtomicU64,)*
            $($extra: AtomicU64,)*
        }

        static COUNTERS: Counters =
            Counters { $($name: AtomicU64::new(0),)* $($extra: AtomicU64::new(0),)* };

        /// Every function of the table, counted.
        #[allow(non_snake_case, clippy::too_many_arguments)] // the names and arguments are C's
        mod counted {
            use super::*;

            $(
                pub(super) unsafe extern "system" fn $name($($argument: $type),*) -> $return {
                    COUNTERS.$name.fetch_add(1, Ordering::Relaxed);
                    // SAFETY: the caller's arguments, unchanged, to the function it meant.
                    unsafe { cl_core::raw::$name($($argument),*) }
                }
            )*
            $(
                pub(super) unsafe extern "system" fn $extra($($parameter: $kind),*) -> $result {
                    COUNTERS.$extra.fetch_add(1, Ordering::Relaxed);
                    // SAFETY: as above.
                    unsafe { cl_core::raw::$extra($($parameter),*) }
                }
            )*
        }

        /// The system's table, counted; what the system lacks, this one lacks.
        fn counting_table() -> Functions {
            let system = system();
            Functions {
                $($name: counted::$name,)*
                $($extra: system.$extra.map(|_| counted::$extra as _),)*
            }
        }

        /// How often each function of the counting library was called since the process began.
        #[must_use]
        pub fn calls() -> Calls {
            Calls::from([
                $((stringify!($name), COUNTERS.$name.load(Ordering::Relaxed)),)*
                $((stringify!($extra), COUNTERS.$extra.load(Ordering::Relaxed)),)*
            ])
        }
    };
}

for_each_function!(count_calls);
