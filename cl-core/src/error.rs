//! The one error type of the workspace.

use crate::build_error::BuildError;
use crate::raw::cl_int;
use crate::status::Status;

/// The result of every fallible call of the workspace.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, where, and what to do about it.
///
/// `Debug` prints the same text as `Display`, so that `fn main() -> cl_core::Result<()>` and
/// `.unwrap()` show a readable message, compiler log included.
///
/// ```
/// use cl_core::{Device, Error, Filter};
///
/// match Device::select(Filter::name("a device that nobody has")) {
///     Err(Error::NoDevice { platforms, .. }) => println!("none of {}", platforms.join(", ")),
///     Err(other) => println!("{other}"), // no library, no platform
///     Ok(devices) => println!("{}", devices[0]),
/// }
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No OpenCL library could be loaded.
    #[error("no OpenCL library: tried {}\n{}", tried.join("; "), cl_loader::INSTALL_HINT)]
    LibraryNotFound {
        /// Each name that was tried, with the loader's answer.
        tried: Vec<String>,
    },

    /// A library was loaded that is not a complete OpenCL 1.2 library.
    #[error(
        "{library} is no usable OpenCL library: it has no function {function}, which OpenCL 1.2 requires"
    )]
    LibraryIncomplete {
        /// The library, as it was asked for.
        library: String,
        /// The first function that is missing.
        function: &'static str,
    },

    /// The OpenCL library is there, but no platform (driver) is registered with it.
    #[error(
        "the OpenCL library is loaded, but no platform is registered with it: {searched}\n{}",
        NO_PLATFORM_HINT
    )]
    NoPlatform {
        /// Where the library looks for platforms, and what is there.
        searched: String,
    },

    /// There are platforms, but none of them has a (suitable) device.
    #[error("{}", no_device_text(wanted.as_deref(), platforms))]
    NoDevice {
        /// What was asked for, if not just any device.
        wanted: Option<String>,
        /// The platforms, or the devices that were passed over, each with the reason.
        platforms: Vec<String>,
    },

    /// The file that stands for the exclusive use of a device cannot be made or locked.
    #[error("the lock of a device, {path}, cannot be used: {reason}")]
    DeviceLock {
        /// The file or its folder.
        path: String,
        /// What the system says.
        reason: String,
    },

    /// A thread that this crate needs, for callbacks and futures, cannot be started.
    #[error("the thread `{name}` cannot be started: {reason}")]
    Thread {
        /// The thread's name.
        name: String,
        /// What the system says.
        reason: String,
    },

    /// An OpenCL function returned an error.
    #[error(transparent)]
    Driver(Box<DriverError>),

    /// A program did not compile.
    #[error(transparent)]
    Build(Box<BuildError>),

    /// The device lacks something that the operation needs.
    #[error("{device} does not support {feature}")]
    Unsupported {
        /// What is missing: an extension, a type, a version.
        feature: String,
        /// The device's name.
        device: String,
    },

    /// The program has no kernel of this name.
    #[error("the program has no kernel `{name}`; it has {}", list(available))]
    UnknownKernel {
        /// The name that was asked for.
        name: String,
        /// The kernels that the program has.
        available: Vec<String>,
    },

    /// A kernel was launched with too few or too many arguments.
    #[error("kernel `{kernel}` takes {expected} arguments, {given} were given")]
    ArgumentCount {
        /// The kernel's name.
        kernel: String,
        /// How many arguments it declares.
        expected: usize,
        /// How many it was given.
        given: usize,
    },

    /// A kernel was given an argument that is not what it declares.
    #[error(transparent)]
    Argument(Box<ArgumentError>),

    /// Global or local work size cannot be launched on this device with this kernel.
    #[error("kernel `{kernel}` cannot be launched: {reason}")]
    WorkSize {
        /// The kernel's name.
        kernel: String,
        /// Which size is wrong, and the limit.
        reason: String,
    },

    /// Two things that must have the same number of elements do not.
    #[error("lengths differ in {operation}: {left} and {right} elements")]
    LengthMismatch {
        /// The operation, as the user wrote it.
        operation: &'static str,
        /// Length of the left or target side.
        left: usize,
        /// Length of the right or source side.
        right: usize,
    },

    /// A range reaches beyond the end of device memory.
    #[error("{operation}: elements {start}..{end} of a buffer that has {len}")]
    OutOfBounds {
        /// The operation.
        operation: &'static str,
        /// First element of the range.
        start: usize,
        /// One past the last element (saturated when that overflows).
        end: usize,
        /// Elements in the buffer.
        len: usize,
    },

    /// A kernel met an index out of range, which data had chosen. It touched nothing that it should
    /// not have; its results are not what was wanted.
    #[error(
        "{operation}: index {} is out of range, the bound is {bound}; see the data that the indices came from",
        *.index as i64
    )]
    IndexOutOfRange {
        /// What the index was used for.
        operation: &'static str,
        /// The first such index, modulo 2^64 if it was negative. The text takes 2^63 or more for that.
        index: u64,
        /// How many elements there were.
        bound: u64,
    },

    /// A box of pixels reaches beyond the edge of an image.
    #[error("{operation}: {size:?} pixels at {origin:?} of an image of {image:?}")]
    OutsideImage {
        /// The operation.
        operation: &'static str,
        /// The box's corner: x, y, z, or the layer in the place of the first that is missing.
        origin: [usize; 3],
        /// The box's pixels along each dimension.
        size: [usize; 3],
        /// The image's pixels along each dimension.
        image: [usize; 3],
    },

    /// One allocation would exceed what the device can give, or what a size can express.
    #[error("{bytes} bytes cannot be allocated at once on {device}: its limit is {limit} bytes")]
    TooLarge {
        /// The size in bytes, saturated at `u128::MAX`.
        bytes: u128,
        /// `CL_DEVICE_MAX_MEM_ALLOC_SIZE`.
        limit: u64,
        /// The device's name.
        device: String,
    },

    /// Objects of different contexts, or of different queues, were mixed.
    #[error("{operation}: {reason}")]
    ForeignObject {
        /// The operation.
        operation: &'static str,
        /// Which objects do not belong together.
        reason: &'static str,
    },

    /// Text that may not reach the driver: a NUL byte, a build option that is none, a bad name.
    #[error("invalid {what}: {reason}")]
    InvalidInput {
        /// What kind of input.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

/// The facts behind [`Error::Driver`]: which C function failed, how, and on what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call} failed: {status}{}", note.as_ref().map(|n| format!(", {n}")).unwrap_or_default())]
pub struct DriverError {
    /// The C function.
    pub call: &'static str,
    /// What it returned.
    pub status: Status,
    /// Which object or argument it was about, when that is known.
    pub note: Option<String>,
}

/// The facts behind [`Error::Argument`]: which argument of which kernel, and what was wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "argument {index}{} of kernel `{kernel}` is declared {}, {given} was given{}",
    name.as_ref().map(|name| format!(" (`{name}`)")).unwrap_or_default(),
    declared.as_ref().map_or("as the driver does not tell".to_owned(), |text| format!("`{text}`")),
    hint.map(|hint| format!(": {hint}")).unwrap_or_default()
)]
pub struct ArgumentError {
    /// The kernel's name.
    pub kernel: String,
    /// The argument's position, from 0.
    pub index: usize,
    /// Its name, where the driver tells.
    pub name: Option<String>,
    /// Its declaration in C, without the name, where the driver tells.
    pub declared: Option<String>,
    /// What was given instead.
    pub given: String,
    /// What to do about it, where the rest does not say it.
    pub hint: Option<&'static str>,
}

impl Error {
    /// A failed driver call.
    pub(crate) fn driver(call: &'static str, status: Status) -> Error {
        Error::Driver(Box::new(DriverError { call, status, note: None }))
    }

    /// `Ok` for `CL_SUCCESS`, else the failed call.
    pub(crate) fn check(call: &'static str, status: cl_int) -> Result<()> {
        if status == Status::SUCCESS.0 { Ok(()) } else { Err(Error::driver(call, Status(status))) }
    }

    /// Adds what the call was about; leaves other kinds of error as they are.
    pub(crate) fn note(mut self, text: impl Into<String>) -> Error {
        if let Error::Driver(error) = &mut self {
            error.note = Some(text.into());
        }
        self
    }

    /// The status code, when a driver call failed.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        match self {
            Error::Driver(error) => Some(error.status),
            Error::Build(error) => Some(error.status),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Names in backticks, or the word "none".
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What to do when the library knows no platform.
const NO_PLATFORM_HINT: &str = "install a driver (Debian, Ubuntu: apt-get install pocl-opencl-icd runs \
    OpenCL on the CPU). If a vendor's driver is installed but has no .icd file, as in NVIDIA's containers, \
    register it: echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd";

/// What to do when no platform has a device.
const NO_DEVICE_HINT: &str = "a driver is installed, but it sees no hardware that it can use: \
    check the kernel driver and the permissions of the device files, or install a driver for the CPU \
    (Debian, Ubuntu: apt-get install pocl-opencl-icd)";

/// The text of [`Error::NoDevice`].
fn no_device_text(wanted: Option<&str>, passed_over: &[String]) -> String {
    match wanted {
        None => format!("no OpenCL device: asked {}\n{NO_DEVICE_HINT}", passed_over.join(", ")),
        Some(wanted) => format!("no OpenCL device is {wanted}:\n  {}", passed_over.join("\n  ")),
    }
}
