//! Platforms: the OpenCL drivers registered on the machine.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::raw::{cl_platform_id, cl_uint};
use crate::status::Status;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What to do when the library knows no platform.
pub(crate) const INSTALL_HINT: &str = "install a driver (Debian, Ubuntu: apt-get install pocl-opencl-icd runs \
    OpenCL on the CPU). If a vendor's driver is installed but has no .icd file, as in NVIDIA's containers, \
    register it: echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd";

/// An OpenCL implementation: one vendor's driver with its devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    library: Library,
    id: cl_platform_id,
}

// SAFETY: a platform id is a name for something that lives as long as the process; OpenCL allows
// its use from any thread.
unsafe impl Send for Platform {}
// SAFETY: as above.
unsafe impl Sync for Platform {}

/// Held while a library is asked for its platforms and devices: loaders and drivers initialise
/// themselves then, and PoCL 3.1 has no devices, or crashes, when two threads are the first.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Platform {
    /// All platforms of the system's OpenCL library, in the library's order.
    ///
    /// # Errors
    /// Those of [`Library::load`], and [`Error::NoPlatform`].
    pub fn all() -> Result<Vec<Platform>> {
        Platform::all_of(Library::load()?)
    }

    /// All platforms of one OpenCL library.
    ///
    /// # Errors
    /// [`Error::NoPlatform`] when there is none.
    pub fn all_of(library: Library) -> Result<Vec<Platform>> {
        let _alone = alone();
        let call = "clGetPlatformIDs";
        let get = library.functions().clGetPlatformIDs;
        let mut count: cl_uint = 0;
        // SAFETY: asks for the number only; null with zero entries is allowed.
        let status = unsafe { get(0, null_mut(), &raw mut count) };
        if status == Status::PLATFORM_NOT_FOUND_KHR.0 || (status == 0 && count == 0) {
            return Err(Error::NoPlatform { searched: searched() });
        }
        Error::check(call, status)?;
        let mut ids = vec![null_mut(); count as usize];
        // SAFETY: `ids` has room for `count` entries.
        Error::check(call, unsafe { get(count, ids.as_mut_ptr(), &raw mut count) })?;
        ids.truncate(count as usize);
        Ok(ids.into_iter().map(|id| Platform { library, id }).collect())
    }

    /// The platform's devices of every type, in the driver's order; may be none.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn devices(self) -> Result<Vec<Device>> {
        let _alone = alone();
        let call = "clGetDeviceIDs";
        let get = self.library.functions().clGetDeviceIDs;
        let all = cl_sys::CL_DEVICE_TYPE_ALL;
        let mut count: cl_uint = 0;
        // SAFETY: the id came from this library; null with zero entries asks for the number.
        let status = unsafe { get(self.id, all, 0, null_mut(), &raw mut count) };
        if status == Status::DEVICE_NOT_FOUND.0 {
            return Ok(Vec::new());
        }
        Error::check(call, status)?;
        let mut ids = vec![null_mut(); count as usize];
        if count > 0 {
            // SAFETY: `ids` has room for `count` entries.
            Error::check(call, unsafe { get(self.id, all, count, ids.as_mut_ptr(), &raw mut count) })?;
        }
        ids.truncate(count as usize);
        Ok(ids.into_iter().map(|id| Device::new(self, id)).collect())
    }

    /// `CL_PLATFORM_NAME`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer; so for all properties.
    pub fn name(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_NAME)
    }

    /// `CL_PLATFORM_VENDOR`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn vendor(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_VENDOR)
    }

    /// `CL_PLATFORM_VERSION`, such as `OpenCL 3.0 CUDA 13.0.84`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn version(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_VERSION)
    }

    /// `CL_PLATFORM_PROFILE`: `FULL_PROFILE` or `EMBEDDED_PROFILE`.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn profile(self) -> Result<String> {
        self.text(cl_sys::CL_PLATFORM_PROFILE)
    }

    /// `CL_PLATFORM_EXTENSIONS`, one string an extension.
    ///
    /// # Errors
    /// As [`Platform::name`].
    pub fn extensions(self) -> Result<Vec<String>> {
        Ok(self.text(cl_sys::CL_PLATFORM_EXTENSIONS)?.split_whitespace().map(str::to_owned).collect())
    }

    /// The library that this platform was found in.
    #[must_use]
    pub fn library(self) -> Library {
        self.library
    }

    /// The C handle.
    #[must_use]
    pub fn as_raw(self) -> cl_platform_id {
        self.id
    }

    fn text(self, name: cl_uint) -> Result<String> {
        let get = self.library.functions().clGetPlatformInfo;
        // SAFETY: the id came from this library; `info` passes matching pointers and sizes.
        info::text("clGetPlatformInfo", |size, value, ret| unsafe { get(self.id, name, size, value, ret) })
    }
}

/// Where loaders look for drivers, and what is there: the first thing to know when there is none.
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
