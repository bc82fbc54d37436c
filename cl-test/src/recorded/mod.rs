//! Devices that are not there: the answers of real devices, in front of a driver that computes nothing.
//!
//! Code generation depends only on a device's answers. A recorded device is therefore enough to see the
//! OpenCL C that an algorithm writes for it: [`programs_of`] returns the programs that were built in a
//! context. Commands on buffers work as they should. Launches change nothing, so memory that only kernels
//! would write holds zeros. The kernels by which `cl-algo` probes a device are the exception: they get the
//! answers of a device without faults.
//!
//! ```
//! use cl_core::{BuildOptions, Buffer, Program, Queue};
//! use cl_test::recorded;
//!
//! let device = recorded::device("nvidia-h200");
//! assert_eq!(device.compute_units().unwrap(), 132);
//!
//! let queue = Queue::on(&device).unwrap();
//! let ones = Buffer::filled(&queue, 1_u32, 5).unwrap();
//! assert_eq!(ones.to_vec(&queue).unwrap(), [1; 5]);
//!
//! let source = "kernel void f(global int *x) { x[0] = 1; }";
//! let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
//! assert_eq!(program.kernel("f").unwrap().arguments(), 1);
//! assert_eq!(recorded::programs_of(queue.context())[0].source, source);
//! ```
//!
//! | file | concept |
//! | --- | --- |
//! | `devices/` | the answers of each device |
//! | `profile` | reading and recording these answers |
//! | `library`, `queries`, `programs`, `commands`, `objects` | the driver: its functions, and the objects behind its handles |
//! | `declaration`, `preprocessor` | the kernels that a text declares, and how many parameters each has |
//! | `probes` | the answers of the kernels that probe a device |

mod commands;
mod declaration;
mod library;
mod objects;
mod preprocessor;
pub(crate) mod probes;
mod profile;
mod programs;
mod queries;

pub use objects::BuiltProgram;
pub use profile::record;

use cl_core::{Context, Device, Library};
use objects::Platform;
use profile::Profile;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The profiles by the names of their files.
const PROFILES: &[(&str, &str)] = &[
    ("nvidia-h200", include_str!("devices/nvidia-h200.txt")),
    ("pocl-2-cores", include_str!("devices/pocl-2-cores.txt")),
    ("intel-cpu", include_str!("devices/intel-cpu.txt")),
    ("amd-wavefront-64", include_str!("devices/amd-wavefront-64.txt")),
    ("intel-gpu", include_str!("devices/intel-gpu.txt")),
    ("gpu-opencl-1.2", include_str!("devices/gpu-opencl-1.2.txt")),
];

/// Returns the recorded devices, each with a platform of its own, and then those of [`replayed`]. They live as long as the
/// process, as a driver's devices do.
fn platforms() -> MutexGuard<'static, Vec<&'static Platform>> {
    static PLATFORMS: OnceLock<Mutex<Vec<&'static Platform>>> = OnceLock::new();
    let all = PLATFORMS.get_or_init(|| {
        let profiles = PROFILES.iter().map(|(name, text)| Profile::read(name, text));
        Mutex::new(profiles.map(platform).collect())
    });
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

fn platform(profile: Profile) -> &'static Platform {
    Box::leak(Box::new(Platform { profile, probes: Mutex::default() }))
}

/// Returns the library of the recorded devices, the same one on every call.
#[must_use]
pub fn library() -> Library {
    library::library()
}

/// Returns the names of the recorded devices, in the order of [`devices`].
pub fn names() -> impl Iterator<Item = &'static str> {
    PROFILES.iter().map(|(name, _)| *name)
}

/// Returns the recorded devices.
///
/// # Panics
/// When a profile cannot be read.
#[must_use]
pub fn devices() -> Vec<Device> {
    let mut devices = all_devices();
    devices.truncate(PROFILES.len());
    devices
}

/// Returns the recorded and the replayed devices, in the order of their platforms.
fn all_devices() -> Vec<Device> {
    let devices_of = |platforms: Vec<cl_core::Platform>| {
        platforms.into_iter().map(cl_core::Platform::devices).collect::<cl_core::Result<Vec<_>>>()
    };
    let devices = cl_core::Platform::all_of(library()).and_then(devices_of);
    devices.unwrap_or_else(|error| panic!("the recorded devices: {error}")).concat()
}

/// Returns a device that answers as this one does, and computes as recorded devices do.
///
/// # Panics
/// When the device has no name.
#[must_use]
pub fn replayed(device: &Device) -> Device {
    let own = platform(Profile::read("a replayed device", &record(device)));
    let at = {
        let mut all = platforms();
        all.push(own);
        all.len() - 1
    };
    all_devices().swap_remove(at)
}

/// Returns the recorded device whose platform and kind are those of a device.
#[must_use]
pub fn resembling(device: &Device) -> Option<&'static str> {
    let own = record(device);
    let same = |text: &str, key: &str| profile::answer(text, key) == profile::answer(&own, key);
    let alike = |(_, text): &&(&str, &str)| same(text, "CL_PLATFORM_NAME") && same(text, "CL_DEVICE_TYPE");
    PROFILES.iter().find(alike).map(|(name, _)| *name)
}

/// Returns a line for each answer in which a device and the recorded one of a name differ.
///
/// # Panics
/// When no recorded device has this name.
#[must_use]
pub fn differences(name: &str, device: &Device) -> Vec<String> {
    let found = PROFILES.iter().find(|(other, _)| *other == name);
    let (_, kept) = found.unwrap_or_else(|| panic!("no recorded device is called {name}"));
    profile::differences(kept, &record(device))
}

/// Returns the recorded device of a name.
///
/// # Panics
/// When no recorded device has this name.
#[must_use]
pub fn device(name: &str) -> Device {
    let found = names().zip(devices()).find(|(other, _)| *other == name);
    found.unwrap_or_else(|| panic!("no recorded device is called {name}")).1
}

/// Returns the programs that were built in a context of a recorded device, in the order of their builds.
/// Leaves out those of [`probes_of`].
///
/// # Panics
/// When the context's device is not a recorded one.
#[must_use]
pub fn programs_of(context: &Context) -> Vec<BuiltProgram> {
    assert!(context.device().library() == library(), "{} is not a recorded device", context.device());
    // SAFETY: contexts of this library are these objects, and the borrow keeps this one alive.
    let context = unsafe { objects::from_handle::<objects::Context>(context.as_raw()) };
    context.built.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Returns the programs that probed a recorded device in this process, each once, sorted by their texts.
///
/// # Panics
/// When the device is not a recorded one.
#[must_use]
pub fn probes_of(device: &Device) -> Vec<BuiltProgram> {
    assert!(device.library() == library(), "{device} is not a recorded device");
    // SAFETY: devices of this library are these objects, which live for ever.
    let platform = unsafe { objects::from_handle::<Platform>(device.as_raw()) };
    let mut probes = platform.probes.lock().unwrap_or_else(PoisonError::into_inner).clone();
    probes.sort();
    probes
}
