//! Platforms: the OpenCL drivers registered on the machine.

use crate::device::{Device, DeviceKind, NamedVersion, Version};
use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::raw::{self, cl_device_type, cl_platform_id, cl_uint};
use crate::status::Status;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

const CALL: &str = "clGetPlatformInfo";

/// An OpenCL implementation: one vendor's driver with its devices.
///
/// ```
/// use cl_core::{Device, Platform, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// for platform in Platform::all()? {
///     println!("{}, {}", platform.name()?, platform.version()?);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    library: Library,
    id: cl_platform_id,
}

// SAFETY: a platform id identifies a platform that lives as long as the process; OpenCL allows its
// use from any thread.
unsafe impl Send for Platform {}
// SAFETY: as above.
unsafe impl Sync for Platform {}

/// Locks the mutex that is held while a library is asked for its platforms and devices. Loaders and
/// drivers initialise themselves on these calls. If two threads make the first call at once, PoCL
/// 3.1 reports no devices, or crashes.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Platform {
    /// Returns all platforms of the system's OpenCL library, in the library's order.
    ///
    /// # Errors
    /// The errors of [`Library::load`], and [`Error::NoPlatform`].
    pub fn all() -> Result<Vec<Platform>> {
        Platform::all_of(Library::load()?)
    }

    /// Returns all platforms of one OpenCL library.
    ///
    /// # Errors
    /// [`Error::NoPlatform`] if the library has no platform.
    pub fn all_of(library: Library) -> Result<Vec<Platform>> {
        let _alone = alone();
        let call = "clGetPlatformIDs";
        let get = library.functions().clGetPlatformIDs;
        let mut count: cl_uint = 0;
        // SAFETY: asks only for the number of platforms; null with zero entries is allowed.
        let status = unsafe { get(0, null_mut(), &raw mut count) };
        if status == Status::PLATFORM_NOT_FOUND_KHR.0 || (status == 0 && count == 0) {
            return Err(Error::NoPlatform { searched: searched() });
        }
        Error::check(call, status)?;
        let mut ids = info::room(call, count as usize, null_mut())?;
        // SAFETY: `ids` has room for `count` entries.
        Error::check(call, unsafe { get(count, ids.as_mut_ptr(), &raw mut count) })?;
        ids.truncate(count as usize);
        Ok(ids.into_iter().map(|id| Platform { library, id }).collect())
    }

    /// Uses a platform that other code found. Platforms have no reference count: nothing is
    /// retained or released.
    ///
    /// # Safety
    /// `raw` is a platform of `library`.
    #[must_use]
    pub unsafe fn from_raw(library: Library, raw: cl_platform_id) -> Platform {
        Platform { library, id: raw }
    }

    /// Returns the platform's devices of every kind, in the driver's order. The list may be empty.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn devices(self) -> Result<Vec<Device>> {
        self.listed(cl_sys::CL_DEVICE_TYPE_ALL)
    }

    /// Returns the platform's devices of some kinds. The list may be empty. [`DeviceKind::DEFAULT`]
    /// stands for the device that the platform prefers, whatever its kind.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an empty set of kinds, [`Error::Driver`] when the driver fails
    /// to answer.
    pub fn devices_of(self, kinds: DeviceKind) -> Result<Vec<Device>> {
        if kinds.is_empty() {
            return Err(Error::InvalidInput { what: "device kind", reason: "it is empty".to_owned() });
        }
        self.listed(kinds.bits())
    }

    fn listed(self, kinds: cl_device_type) -> Result<Vec<Device>> {
        let _alone = alone();
        let call = "clGetDeviceIDs";
        let get = self.library.functions().clGetDeviceIDs;
        let mut count: cl_uint = 0;
        // SAFETY: the id came from this library; null with zero entries asks for the number.
        let status = unsafe { get(self.id, kinds, 0, null_mut(), &raw mut count) };
        if status == Status::DEVICE_NOT_FOUND.0 {
            return Ok(Vec::new());
        }
        Error::check(call, status)?;
        let mut ids = info::room(call, count as usize, null_mut())?;
        if count > 0 {
            // SAFETY: `ids` has room for `count` entries.
            Error::check(call, unsafe { get(self.id, kinds, count, ids.as_mut_ptr(), &raw mut count) })?;
        }
        ids.truncate(count as usize);
        Ok(ids.into_iter().map(|id| Device::root(self, id)).collect())
    }

    /// Returns `CL_PLATFORM_NAME`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer. This holds for all properties.
    pub fn name(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_NAME)
    }

    /// Returns `CL_PLATFORM_VENDOR`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn vendor(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_VENDOR)
    }

    /// Returns `CL_PLATFORM_VERSION`, such as `OpenCL 3.0 CUDA 13.0.84`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn version(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_VERSION)
    }

    /// Returns `CL_PLATFORM_PROFILE`: `FULL_PROFILE` or `EMBEDDED_PROFILE`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn profile(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_PROFILE)
    }

    /// Returns `CL_PLATFORM_EXTENSIONS`, one string for each extension.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn extensions(self) -> Result<Vec<String>> {
        Ok(self.text(cl_sys::CL_PLATFORM_EXTENSIONS)?.split_whitespace().map(str::to_owned).collect())
    }

    /// Returns whether the platform lists this extension.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn has_extension(self, name: &str) -> Result<bool> {
        Ok(self.extensions()?.iter().any(|extension| extension == name))
    }

    /// Returns the version of OpenCL that the platform supports, parsed from the text of
    /// [`version`](Platform::version).
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the text holds no version, and the errors of [`Platform::name`].
    pub fn opencl_version(self) -> Result<Version> {
        self.version()?.parse()
    }

    /// Returns `CL_PLATFORM_EXTENSIONS_WITH_VERSION` (3.0): the extensions, each with its version.
    /// Returns `None` from a driver that does not know this property.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn extension_versions(self) -> Result<Option<Vec<NamedVersion>>> {
        let query = self.query(raw::CL_PLATFORM_EXTENSIONS_WITH_VERSION);
        let listed = info::known(info::list(CALL, query))?;
        Ok(listed.map(|listed| listed.into_iter().map(NamedVersion::from_raw).collect()))
    }

    /// Returns `CL_PLATFORM_HOST_TIMER_RESOLUTION` (2.1), in nanoseconds; 0 if the clocks of host
    /// and device cannot be compared. Returns `None` from a driver that does not know this property.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn host_timer_resolution(self) -> Result<Option<u64>> {
        info::known(info::value(CALL, self.query(raw::CL_PLATFORM_HOST_TIMER_RESOLUTION)))
    }

    /// Returns `CL_PLATFORM_ICD_SUFFIX_KHR`, such as `NV`: the ending of the platform's own
    /// extensions and functions. Returns `None` without `cl_khr_icd`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn icd_suffix(self) -> Result<Option<String>> {
        if !self.has_extension("cl_khr_icd")? {
            return Ok(None);
        }
        self.text(raw::CL_PLATFORM_ICD_SUFFIX_KHR).map(Some)
    }

    /// Returns the library that this platform was found in.
    #[must_use]
    pub fn library(self) -> Library {
        self.library
    }

    /// Returns the C handle.
    #[must_use]
    pub fn as_raw(self) -> cl_platform_id {
        self.id
    }

    fn query(self, name: cl_uint) -> impl info::Query {
        let get = self.library.functions().clGetPlatformInfo;
        // SAFETY: the id came from this library; `info` passes matching pointers and sizes.
        move |size, value, ret| unsafe { get(self.id, name, size, value, ret) }
    }

    fn text(self, name: cl_uint) -> Result<String> {
        info::text(CALL, self.query(name))
    }
}

/// Returns the folder or registry in which loaders look for drivers, and its contents: the first
/// information needed if no platform is found.
fn searched() -> String {
    let (folder, why) = match std::env::var_os("OCL_ICD_VENDORS") {
        Some(path) => (std::path::PathBuf::from(path), "OCL_ICD_VENDORS"),
        None if cfg!(windows) => return "the registry lists no driver".to_owned(),
        None => (std::path::PathBuf::from("/etc/OpenCL/vendors"), "the default"),
    };
    let mut found: Vec<String> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".icd"))
        .collect();
    found.sort();
    let contents = match (found.is_empty(), folder.exists()) {
        (_, false) => "does not exist".to_owned(),
        (true, true) => "holds no .icd file".to_owned(),
        (false, true) => format!("holds {}, but none of them could be loaded", found.join(", ")),
    };
    format!("{} ({why}) {contents}", folder.display())
}
