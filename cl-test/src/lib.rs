//! Helpers that the workspace's tests share: every device of the machine, recorded devices, and OpenCL
//! libraries that count their calls, fail, or change the answers of devices.
//!
//! | module | concept |
//! | --- | --- |
//! | [`child()`] | a test that runs once more, in a process of its own |
//! | [`counting`] | a library that counts its calls |
//! | [`forced`] | devices that claim to be others |
//! | [`faults`] | a library that fails when it is told to, and counts objects that are not released |
//! | [`sweep`] | each driver call of each operation fails once |
//! | [`known_faults`] | tests that are known to fail on some driver |
//! | [`simulated`] | sub-groups of any width |
//! | [`recorded`] | devices that are not there, for tests of the kernels that are generated for them |
//! | [`kernel_text`] | checks of the texts of kernels |
//! | `fourier` | Fourier transforms on the host, with the feature `rustfft` |
//! | [`golden`] | kernels that were generated for recorded devices, kept to be compared with |
//!
//! A test that runs kernels runs them on every device that is present:
//!
//! ```
//! use cl_core::{Buffer, Queue};
//!
//! cl_test::each_device(|device| {
//!     let queue = Queue::on(device).unwrap();
//!     let ones = Buffer::filled(&queue, 1_u32, 5).unwrap();
//!     assert_eq!(ones.to_vec(&queue).unwrap(), [1; 5]);
//! });
//! ```
//!
//! `CL_TEST_DEVICE=nvidia cargo test` runs them only on devices whose text contains that word.
//! `CL_TEST_SIZES=small cargo test` gives long tests less data: see [`full_or_small`].

mod child;
pub mod counting;
pub mod faults;
pub mod forced;
#[cfg(feature = "rustfft")]
pub mod fourier;
pub mod golden;
pub mod kernel_text;
pub mod known_faults;
pub mod recorded;
pub mod simulated;
pub mod sweep;
mod turn;

pub use child::{child, name, output_of_copy};
use cl_core::{Context, Device, Memory};
use std::collections::HashSet;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The environment variable that narrows the devices.
const NARROW: &str = "CL_TEST_DEVICE";
/// The environment variable that shortens tests.
const SIZES: &str = "CL_TEST_SIZES";

/// Returns the devices of the machine whose text, `name (platform)`, contains the value of the environment
/// variable `CL_TEST_DEVICE`, in any case. Without the variable it returns all devices. Of several equal
/// devices it returns one.
///
/// # Panics
/// When the machine has no such device, because a test that runs on no device would pass without testing anything.
#[must_use]
pub fn devices() -> Vec<Device> {
    narrowed(Device::all())
}

/// Runs `test` on each of [`devices`]. When `test` panics, the device is named below the message.
///
/// At most eight threads of a process are in `each_device` at once. Other threads wait.
///
/// # Panics
/// When `test` does, or when the machine has no device.
pub fn each_device(test: impl Fn(&Device)) {
    let _turn = turn::wait();
    for device in devices() {
        let _named = Named(&device);
        test(&device);
    }
}

/// Runs `test` as [`each_device`] does, and once more on each device while it claims to be a GPU. A CPU that
/// claims to be a GPU is slow, and its results are as correct as a GPU's.
///
/// # Panics
/// When `test` does, or when the machine has no device.
pub fn each_device_and_forced(test: impl Fn(&Device)) {
    each_device(&test);
    for device in forced::gpus() {
        let _named = Named(&device);
        test(&device);
    }
}

/// Returns `full`, or `small` if `CL_TEST_SIZES=small` asks for short tests.
///
/// Use it for lengths and counts in tests that would take minutes on a simulator of devices. Choose small
/// values with which the test still crosses every edge of its kernels: several work-groups, and a last one
/// that is not full.
///
/// ```
/// let lengths = cl_test::full_or_small(vec![0, 1, 255, 256, 257, 100_000], vec![0, 1, 257]);
/// # assert!(lengths.contains(&257));
/// ```
///
/// # Panics
/// When the variable is neither unset, `full`, nor `small`.
#[must_use]
pub fn full_or_small<T>(full: T, small: T) -> T {
    match std::env::var(SIZES).as_deref() {
        Err(std::env::VarError::NotPresent) | Ok("full") => full,
        Ok("small") => small,
        other => panic!("{SIZES} is {other:?}; it may be full or small"),
    }
}

/// Returns whether a device has a feature that a test needs. Says so in the test's output if the device lacks
/// it.
///
/// ```
/// cl_test::each_device(|device| {
///     if cl_test::offers(device, "f64", device.has_fp64()) {
///         // ...
///     }
/// });
/// ```
///
/// # Panics
/// When the driver did not answer.
#[must_use]
pub fn offers(device: &Device, what: &str, has: cl_core::Result<bool>) -> bool {
    let has = has.unwrap_or_else(|error| panic!("{error}"));
    if !has {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        // Written past the test runner, which shows the output of failed tests only.
        let _ = writeln!(std::io::stderr(), "skipped: {test} on {device}: it has no {what}");
    }
    has
}

/// Returns whether the driver runs a queue's commands on the thread that flushes the queue, as Oclgrind does.
/// That thread then waits for every event that a command waits for.
///
/// # Panics
/// When the platform does not tell its name.
#[must_use]
pub fn flushing_blocks(device: &Device) -> bool {
    device.platform().name().unwrap_or_else(|error| panic!("{error}")) == "Oclgrind"
}

/// Returns the number of references to memory after the driver's threads have dropped theirs. PoCL's threads
/// may do so a moment after the command has ended. Waits until the number is 1, at most five seconds.
///
/// # Panics
/// When the driver does not tell the number.
#[must_use]
pub fn settled_references(memory: &Memory) -> u32 {
    let end = Instant::now() + Duration::from_secs(5);
    loop {
        match memory.info().map(|info| info.references) {
            Ok(references) if references == 1 || Instant::now() > end => return references,
            Ok(_) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => panic!("the references to the memory: {error}"),
        }
    }
}

/// Names the device when a test unwinds through it.
struct Named<'d>(&'d Device);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the test above failed on {}", self.0);
        }
    }
}

/// Returns the devices that `CL_TEST_DEVICE` asks for.
fn narrowed(all: cl_core::Result<Vec<Device>>) -> Vec<Device> {
    let all = all.unwrap_or_else(|error| panic!("these tests need an OpenCL device: {error}"));
    let wanted = std::env::var(NARROW).unwrap_or_default();
    let matches = |device: &&Device| device.to_string().to_lowercase().contains(&wanted.to_lowercase());
    // Equal devices share programs, so tests that count programs would count wrongly.
    let mut kinds = HashSet::new();
    let is_new = |device: &&Device| kinds.insert((device.to_string(), device.driver_version().ok()));
    let chosen: Vec<Device> = all.iter().filter(matches).filter(is_new).cloned().collect();
    if chosen.is_empty() {
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        panic!("{NARROW}={wanted} matches no device; there are: {}", names.join(", "));
    }
    chosen.iter().for_each(keep_compiler);
    chosen
}

/// Keeps a context of the device until the process ends. With the last context, PoCL 3.1 drops the headers
/// that its compiler has read, and takes 0.8 s to read them again for the next context. Most tests have a
/// context of their own.
fn keep_compiler(device: &Device) {
    static KEPT: Mutex<Vec<Context>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !kept.iter().any(|context| context.device() == device) {
        // Some tests run on devices that refuse contexts.
        kept.extend(Context::on(device));
    }
}
