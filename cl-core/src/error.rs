//! The one error type of the workspace.

use crate::build_error::BuildError;
use crate::raw::cl_int;
use crate::status::Status;

/// The result of every fallible call of the workspace.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: the failure, its cause and what to do about it.
///
/// `Debug` prints the same text as `Display`, so that `fn main() -> cl_core::Result<()>` and
/// `.unwrap()` show a readable message, including the compiler's log.
///
/// ```
/// use cl_core::{Device, Error, Filter};
///
/// match Device::select(Filter::name("a device that nobody has")) {
///     Err(Error::NoDevice { candidates, .. }) => println!("none of {}", candidates.join(", ")),
///     Err(other) => println!("{other}"), // no library, no platform
///     Ok(devices) => println!("{}", devices[0]),
/// }
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No OpenCL library could be loaded.
    #[non_exhaustive]
    #[error("no OpenCL library: tried {}\n{}", tried.join("; "), cl_loader::INSTALL_HINT)]
    LibraryNotFound {
        /// Each name that was tried, with the loader's answer.
        tried: Vec<String>,
    },

    /// A library was loaded, but it is not a complete OpenCL 1.2 library.
    #[non_exhaustive]
    #[error(
        "{library} is not a usable OpenCL library: function {function}, which OpenCL 1.2 requires, is missing"
    )]
    LibraryIncomplete {
        /// The library, under the name or path that was opened.
        library: String,
        /// The first function that is missing.
        function: &'static str,
    },

    /// The OpenCL library is loaded, but no platform (driver) is registered with it.
    #[non_exhaustive]
    #[error(
        "the OpenCL library is loaded, but no platform is registered with it: {searched}\n{}",
        NO_PLATFORM_HINT
    )]
    NoPlatform {
        /// The folder or registry in which the library looks for platforms, and its contents.
        searched: String,
    },

    /// There are platforms, but none of them has a (suitable) device.
    #[non_exhaustive]
    #[error("{}", no_device_text(wanted.as_deref(), candidates))]
    NoDevice {
        /// The filter that no device passed; `None` if every device was accepted.
        wanted: Option<String>,
        /// With a filter, the devices that were passed over, each with the reason. Without a filter,
        /// the platforms that were asked.
        candidates: Vec<String>,
    },

    /// The file that marks a device as exclusively used cannot be made or locked.
    #[non_exhaustive]
    #[error("the lock of a device, {path}, cannot be used: {reason}")]
    DeviceLock {
        /// The file or its folder.
        path: String,
        /// The system's message.
        reason: String,
    },

    /// A thread that this crate needs, for callbacks and futures, cannot be started.
    #[non_exhaustive]
    #[error("the thread `{name}` cannot be started: {reason}")]
    Thread {
        /// The thread's name.
        name: String,
        /// The system's message.
        reason: String,
    },

    /// An OpenCL function returned an error.
    #[error(transparent)]
    Driver(Box<DriverError>),

    /// A program did not compile.
    #[error(transparent)]
    Build(Box<BuildError>),

    /// The device lacks a feature that the operation needs.
    #[non_exhaustive]
    #[error("{device} does not support {feature}")]
    Unsupported {
        /// The missing feature: an extension, a type, a version.
        feature: String,
        /// The device's name.
        device: String,
    },

    /// The program has no kernel of this name.
    #[non_exhaustive]
    #[error("the program has no kernel `{name}`; it has {}", list(available))]
    UnknownKernel {
        /// The requested name.
        name: String,
        /// The kernels that the program has.
        available: Vec<String>,
    },

    /// A kernel was launched with too few or too many arguments.
    #[non_exhaustive]
    #[error("kernel `{kernel}` takes {expected} arguments, {given} were given")]
    ArgumentCount {
        /// The kernel's name.
        kernel: String,
        /// The number of arguments that the kernel declares.
        expected: usize,
        /// The number of arguments that were given.
        given: usize,
    },

    /// A kernel was given an argument that does not match its declaration.
    #[error(transparent)]
    Argument(Box<ArgumentError>),

    /// This kernel cannot be launched on this device with this global or local work size.
    #[non_exhaustive]
    #[error("kernel `{kernel}` cannot be launched: {reason}")]
    WorkSize {
        /// The kernel's name.
        kernel: String,
        /// The size that is wrong, and the limit.
        reason: String,
    },

    /// Two operands that must have the same number of elements have different lengths.
    #[non_exhaustive]
    #[error("lengths differ in {operation}: {left} and {right} elements")]
    LengthMismatch {
        /// The operation, as the user wrote it.
        operation: &'static str,
        /// The length of the left or target side.
        left: usize,
        /// The length of the right or source side.
        right: usize,
    },

    /// A range reaches beyond the end of device memory.
    #[non_exhaustive]
    #[error("{operation}: elements {start}..{end} of a buffer that has {len}")]
    OutOfBounds {
        /// The operation.
        operation: &'static str,
        /// The first element of the range.
        start: usize,
        /// One past the last element; saturated on overflow.
        end: usize,
        /// The number of elements in the buffer.
        len: usize,
    },

    /// A kernel got an index out of range from its data. The kernel did not access memory outside
    /// its buffers, but its results are wrong.
    #[non_exhaustive]
    #[error(
        "{operation}: index {} is out of range, the bound is {bound}; see the data that the indices came from",
        *.index as i64
    )]
    IndexOutOfRange {
        /// The operation that used the index, such as "gather".
        operation: &'static str,
        /// The first index out of range; a negative index is stored modulo 2^64. The error's text
        /// shows values of 2^63 or more as negative.
        index: u64,
        /// The number of elements.
        bound: u64,
    },

    /// A box of pixels reaches beyond the edge of an image.
    #[non_exhaustive]
    #[error("{operation}: {size:?} pixels at {origin:?} of an image of {image:?}")]
    OutsideImage {
        /// The operation.
        operation: &'static str,
        /// The corner of the box: x, y, z. The layer of an image array follows the coordinates of one
        /// layer: it is y in a 1D array, and z in a 2D array.
        origin: [usize; 3],
        /// The size of the box in pixels along each dimension.
        size: [usize; 3],
        /// The size of the image in pixels along each dimension.
        image: [usize; 3],
    },

    /// One allocation would exceed the device's limit, or its size does not fit into a `usize`.
    #[non_exhaustive]
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
    #[non_exhaustive]
    #[error("{operation}: {reason}")]
    ForeignObject {
        /// The operation.
        operation: &'static str,
        /// The objects that do not belong together.
        reason: &'static str,
    },

    /// An argument is invalid, such as a step of 0, or text that may not reach the driver (with a
    /// NUL byte, or as a build option).
    #[non_exhaustive]
    #[error("invalid {what}: {reason}")]
    InvalidInput {
        /// The kind of input.
        what: &'static str,
        /// The defect of the input.
        reason: String,
    },
}

/// The details of [`Error::Driver`]: the C function, its status, and the object that the call was about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call} failed: {status}{}", note.as_ref().map(|n| format!(", {n}")).unwrap_or_default())]
#[non_exhaustive]
pub struct DriverError {
    /// The C function.
    pub call: &'static str,
    /// The status that the function returned.
    pub status: Status,
    /// The object or argument that the call was about, if known.
    pub note: Option<String>,
}

/// The details of [`Error::Argument`]: the kernel, the argument, and the mismatch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "argument {index}{} of kernel `{kernel}` {}, {given} was given{}",
    name.as_ref().map(|name| format!(" (`{name}`)")).unwrap_or_default(),
    declared.as_ref().map_or("has an unknown declaration".to_owned(), |text| format!("is declared `{text}`")),
    hint.map(|hint| format!(": {hint}")).unwrap_or_default()
)]
#[non_exhaustive]
pub struct ArgumentError {
    /// The kernel's name.
    pub kernel: String,
    /// The argument's position, from 0.
    pub index: usize,
    /// The argument's name, if the driver reports it.
    pub name: Option<String>,
    /// The argument's declaration in C, without the name, if the driver reports it.
    pub declared: Option<String>,
    /// The value that was given instead.
    pub given: String,
    /// Advice, unless the other fields say enough.
    pub hint: Option<&'static str>,
}

/// The kind of an [`Error`], for programs that react to some errors: see [`Error::kind`].
///
/// ```
/// use cl_core::{Buffer, Device, ErrorKind, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// # let wanted = usize::MAX / 8;
/// match Buffer::filled(&queue, 0_u64, wanted) {
///     Err(error) if error.kind() == ErrorKind::TooLarge => println!("in smaller pieces, then: {error}"),
///     other => drop(other?),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No OpenCL library could be loaded.
    LibraryNotFound,
    /// A library was loaded, but it is not a complete OpenCL 1.2 library.
    LibraryIncomplete,
    /// The OpenCL library is loaded, but no platform (driver) is registered with it.
    NoPlatform,
    /// There are platforms, but none of them has a (suitable) device.
    NoDevice,
    /// The file that marks a device as exclusively used cannot be made or locked.
    DeviceLock,
    /// A thread that this crate needs, for callbacks and futures, cannot be started.
    Thread,
    /// An OpenCL function returned an error.
    Driver,
    /// A program did not compile.
    Build,
    /// The device lacks a feature that the operation needs.
    Unsupported,
    /// The program has no kernel of this name.
    UnknownKernel,
    /// A kernel was launched with too few or too many arguments.
    ArgumentCount,
    /// A kernel was given an argument that does not match its declaration.
    Argument,
    /// This kernel cannot be launched on this device with this global or local work size.
    WorkSize,
    /// Two operands that must have the same number of elements have different lengths.
    LengthMismatch,
    /// A range reaches beyond the end of device memory.
    OutOfBounds,
    /// A kernel got an index out of range from its data.
    IndexOutOfRange,
    /// A box of pixels reaches beyond the edge of an image.
    OutsideImage,
    /// One allocation would exceed the device's limit, or its size does not fit into a `usize`.
    TooLarge,
    /// Objects of different contexts, or of different queues, were mixed.
    ForeignObject,
    /// An argument is invalid, such as a step of 0, or text that may not reach the driver.
    InvalidInput,
}

impl Error {
    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::LibraryNotFound { .. } => ErrorKind::LibraryNotFound,
            Error::LibraryIncomplete { .. } => ErrorKind::LibraryIncomplete,
            Error::NoPlatform { .. } => ErrorKind::NoPlatform,
            Error::NoDevice { .. } => ErrorKind::NoDevice,
            Error::DeviceLock { .. } => ErrorKind::DeviceLock,
            Error::Thread { .. } => ErrorKind::Thread,
            Error::Driver(_) => ErrorKind::Driver,
            Error::Build(_) => ErrorKind::Build,
            Error::Unsupported { .. } => ErrorKind::Unsupported,
            Error::UnknownKernel { .. } => ErrorKind::UnknownKernel,
            Error::ArgumentCount { .. } => ErrorKind::ArgumentCount,
            Error::Argument(_) => ErrorKind::Argument,
            Error::WorkSize { .. } => ErrorKind::WorkSize,
            Error::LengthMismatch { .. } => ErrorKind::LengthMismatch,
            Error::OutOfBounds { .. } => ErrorKind::OutOfBounds,
            Error::IndexOutOfRange { .. } => ErrorKind::IndexOutOfRange,
            Error::OutsideImage { .. } => ErrorKind::OutsideImage,
            Error::TooLarge { .. } => ErrorKind::TooLarge,
            Error::ForeignObject { .. } => ErrorKind::ForeignObject,
            Error::InvalidInput { .. } => ErrorKind::InvalidInput,
        }
    }

    /// Returns an [`Error::InvalidInput`], for crates that check input of their own.
    #[must_use]
    pub fn invalid_input(what: &'static str, reason: impl Into<String>) -> Error {
        Error::InvalidInput { what, reason: reason.into() }
    }

    /// Returns an [`Error::LengthMismatch`] of the lengths `left` and `right`.
    #[must_use]
    pub fn length_mismatch(operation: &'static str, left: usize, right: usize) -> Error {
        Error::LengthMismatch { operation, left, right }
    }

    /// Returns an [`Error::OutOfBounds`] of the range from `start` to `end`, of `len` elements.
    #[must_use]
    pub fn out_of_bounds(operation: &'static str, start: usize, end: usize, len: usize) -> Error {
        Error::OutOfBounds { operation, start, end, len }
    }

    /// Returns an [`Error::IndexOutOfRange`] of an index of at least `bound`.
    #[must_use]
    pub fn index_out_of_range(operation: &'static str, index: u64, bound: u64) -> Error {
        Error::IndexOutOfRange { operation, index, bound }
    }

    /// Returns an [`Error::ForeignObject`] of objects that do not belong together.
    #[must_use]
    pub fn foreign_object(operation: &'static str, reason: &'static str) -> Error {
        Error::ForeignObject { operation, reason }
    }

    /// Returns an [`Error::Unsupported`] of a feature that the device of this name lacks.
    #[must_use]
    pub fn unsupported(feature: impl Into<String>, device: impl Into<String>) -> Error {
        Error::Unsupported { feature: feature.into(), device: device.into() }
    }

    /// Returns the error of a failed driver call.
    pub(crate) fn driver(call: &'static str, status: Status) -> Error {
        Error::Driver(Box::new(DriverError { call, status, note: None }))
    }

    /// Returns `Ok` for `CL_SUCCESS`, otherwise the error of the failed call.
    pub(crate) fn check(call: &'static str, status: cl_int) -> Result<()> {
        if status == Status::SUCCESS.0 { Ok(()) } else { Err(Error::driver(call, Status(status))) }
    }

    /// Adds a note about the object of the call to a driver's error; leaves other kinds of error unchanged.
    pub(crate) fn note(mut self, text: impl Into<String>) -> Error {
        if let Error::Driver(error) = &mut self {
            error.note = Some(text.into());
        }
        self
    }

    /// Returns the status code, if a driver call failed.
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

/// Returns the names in backticks, or the word "none".
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Advice for a library without platforms.
const NO_PLATFORM_HINT: &str = "install a driver (Debian, Ubuntu: apt-get install pocl-opencl-icd runs \
    OpenCL on the CPU). If a vendor's driver is installed but has no .icd file, as in NVIDIA's containers, \
    register it: echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd";

/// Advice for platforms without devices.
const NO_DEVICE_HINT: &str = "a driver is installed, but it sees no hardware that it can use: \
    check the kernel driver and the permissions of the device files, or install a driver for the CPU \
    (Debian, Ubuntu: apt-get install pocl-opencl-icd)";

/// Returns the text of [`Error::NoDevice`].
fn no_device_text(wanted: Option<&str>, candidates: &[String]) -> String {
    match wanted {
        None => format!("no OpenCL device: asked {}\n{NO_DEVICE_HINT}", candidates.join(", ")),
        Some(wanted) => format!("no OpenCL device is {wanted}:\n  {}", candidates.join("\n  ")),
    }
}
