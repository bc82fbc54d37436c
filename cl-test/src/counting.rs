//! An OpenCL library that counts its calls.
//!
//! It is the system's library behind a table in which every function first adds one to a counter. Tests use
//! it to check claims such as "no driver call", "one launch", "nothing leaks".
//!
//! The counters belong to the process, and `cargo test` runs the tests of one binary in parallel. A test that
//! uses this library therefore holds [`exclusive`] all the time, even when it does not count. Tests on the
//! uncounted library neither disturb these tests nor are disturbed by them.
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

use crate::forced;
use cl_core::raw::*;
use cl_core::{Device, Library};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The number of calls by C name.
pub type Calls = BTreeMap<&'static str, u64>;

static COUNTING: OnceLock<Library> = OnceLock::new();
static EXCLUSIVE: Mutex<()> = Mutex::new(());

/// Returns the counting library, the same one on every call.
///
/// # Panics
/// When the machine has no OpenCL library.
#[must_use]
pub fn library() -> Library {
    // SAFETY: each entry forwards to the system's function of that name.
    *COUNTING.get_or_init(|| unsafe { Library::from_functions(counting_table()) })
}

/// Returns the devices of [`library`], narrowed as [`devices`](crate::devices) are.
///
/// # Panics
/// When the library has no device.
#[must_use]
pub fn devices() -> Vec<Device> {
    crate::narrowed(Device::all_of(library()))
}

/// Returns the devices of [`devices`], which claim to be GPUs: as [`forced::gpus`], but the calls are
/// counted. Every call makes a new library, for which nothing is compiled or probed yet.
///
/// # Panics
/// When the library has no device.
#[must_use]
pub fn gpus() -> Vec<Device> {
    // SAFETY: each entry forwards to the system's function of that name, and one says that devices are GPUs.
    unsafe { forced::devices(Functions { clGetDeviceInfo: forced::gpu_info, ..counting_table() }) }
}

/// Returns the right to use the counting library. Waits until no other thread of the process has this right.
#[must_use]
pub fn exclusive() -> Exclusive {
    // A test that panicked while it held the lock leaves its counts behind. That does no harm, as counters only
    // grow.
    Exclusive { _lock: EXCLUSIVE.lock().unwrap_or_else(PoisonError::into_inner) }
}

/// The right to use the counting library. Made by [`exclusive`].
#[derive(Debug)]
pub struct Exclusive {
    _lock: MutexGuard<'static, ()>,
}

impl Exclusive {
    /// Returns the number of calls of each function that `work` called. Functions that it did not call are
    /// absent.
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

/// Returns the system's functions.
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

        /// Counted forms of every function of the table.
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

        /// Returns the system's table, with counting. A function that the system lacks is absent here as well.
        fn counting_table() -> Functions {
            let system = system();
            Functions {
                $($name: counted::$name,)*
                $($extra: system.$extra.map(|_| counted::$extra as _),)*
            }
        }

        /// Returns the number of calls of each function of the counting library since the process began.
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
