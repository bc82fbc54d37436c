//! Devices: finding them, and keeping them alive.
//!
//! | file | concept |
//! | --- | --- |
//! | `kind` | CPU, GPU and other kinds |
//! | `architecture` | the maker and the generation of a device |
//! | `info` | names, versions, position in the machine |
//! | `limits` | numbers and sizes: units, memory, images |
//! | `capabilities` | the features of a device |
//! | `partition` | parts of a device as devices |
//! | `quirks` | behaviour of a driver that differs from all others |
//! | `version` | versions as values |
//! | `property` | the queries behind all of these |

mod architecture;
mod capabilities;
mod info;
mod kind;
mod limits;
mod partition;
mod property;
mod quirks;
mod version;

pub use architecture::{Architecture, Vendor};
pub use capabilities::{
    AtomicCapabilities, CacheKind, DeviceEnqueueCapabilities, ExecutionCapabilities, FpConfig,
    LocalMemoryKind, QueueCapabilities, SvmCapabilities,
};
pub use info::{PciAddress, Uuid};
pub use kind::DeviceKind;
pub use limits::{Limits, VectorWidths};
pub use partition::{AffinityDomains, Partition, PartitionKinds};
pub use quirks::Quirk;
pub use version::{NamedVersion, Version};

use crate::error::{Error, Result};
use crate::library::Library;
use crate::platform::Platform;
use crate::raw::{self, cl_device_id};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// An OpenCL device, or a sub-device that [`Device::partition`] made. Cheap to clone. A sub-device
/// is released with its last clone, and keeps its parent alive.
///
/// ```
/// use cl_core::{Device, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// for device in Device::all()? {
///     println!("{device}: {} units, {} MiB", device.compute_units()?, device.global_memory()? >> 20);
/// }
/// let device = Device::first()?; // the first GPU, or else any
/// assert!(!device.name()?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    platform: Platform,
    id: cl_device_id,
    /// The parent of a sub-device. Only sub-devices have a reference count of their own.
    parent: Option<Device>,
    limits: OnceLock<Limits>,
}

// SAFETY: a root device's id identifies a device that lives as long as the process, and a
// sub-device is kept alive by a reference. OpenCL allows the use of both from any thread.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.parent.is_some() {
            // SAFETY: a sub-device's one reference is owned and released once. Fields are dropped
            // later, so the parent is still alive.
            let status = unsafe { (self.platform.library().functions().clReleaseDevice)(self.id) };
            crate::status::log_failed_release("clReleaseDevice", status);
        }
    }
}

impl Device {
    /// Makes a device. For a sub-device, which has a parent, one reference is taken over.
    fn with_parent(platform: Platform, id: cl_device_id, parent: Option<Device>) -> Device {
        Device(Arc::new(Inner { platform, id, parent, limits: OnceLock::new() }))
    }

    pub(crate) fn root(platform: Platform, id: cl_device_id) -> Device {
        Device::with_parent(platform, id, None)
    }

    /// Takes over a device that other code found or created.
    ///
    /// OpenCL does not count references to a root device. For a sub-device, *one reference* is
    /// taken over, and released with the last clone. Call `clRetainDevice` first if the other code
    /// keeps and releases its own reference. The device's parents are retained here, and released
    /// in the same way.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for null, [`Error::Driver`] if the driver does not know the device.
    /// After an error the reference is still the caller's.
    ///
    /// # Safety
    /// `raw` is null or a live device of `library`. If it is a sub-device, one of its references
    /// belongs to the caller.
    pub unsafe fn from_raw(library: Library, raw: cl_device_id) -> Result<Device> {
        if raw.is_null() {
            return Err(Error::InvalidInput { what: "device handle", reason: "it is null".to_owned() });
        }
        // SAFETY: by the caller's promise.
        let platform = unsafe { property::handle(library, raw, raw::CL_DEVICE_PLATFORM)? };
        // SAFETY: the library says that this is a platform.
        let platform = unsafe { Platform::from_raw(library, platform) };
        // SAFETY: by the caller's promise.
        let parent = unsafe { Device::parent_of(library, raw)? };
        Ok(Device::with_parent(platform, raw, parent))
    }

    /// Returns the parent of a sub-device, retained.
    ///
    /// # Safety
    /// `part` is a live device of `library`.
    unsafe fn parent_of(library: Library, part: cl_device_id) -> Result<Option<Device>> {
        // SAFETY: by the caller's promise.
        let raw = unsafe { property::handle(library, part, raw::CL_DEVICE_PARENT_DEVICE)? };
        if raw.is_null() {
            return Ok(None);
        }
        // SAFETY: a sub-device keeps its parent alive.
        Error::check("clRetainDevice", unsafe { (library.functions().clRetainDevice)(raw) })?;
        // SAFETY: the reference was made above.
        let parent = unsafe { Device::from_raw(library, raw) };
        if parent.is_err() {
            // SAFETY: releases the reference that was not taken over.
            let status = unsafe { (library.functions().clReleaseDevice)(raw) };
            crate::status::log_failed_release("clReleaseDevice", status);
        }
        parent.map(Some)
    }

    /// Returns the first GPU, otherwise the first accelerator, otherwise the first device of any kind.
    ///
    /// # Errors
    /// [`Error::LibraryNotFound`], [`Error::NoPlatform`] or [`Error::NoDevice`]: each lists the
    /// attempts and says what to install.
    pub fn first() -> Result<Device> {
        // `all` never returns an empty list.
        let first = Device::all()?.into_iter().next();
        first.ok_or(Error::NoDevice { wanted: None, candidates: vec![] })
    }

    /// Returns all devices of all platforms; at least one. GPUs come first, then accelerators, then the others; devices of
    /// one kind are in the order in which the platforms list them. [`Device::first`], [`Device::select`] and the
    /// positions of filters go by this order.
    ///
    /// A platform that fails to list its devices is skipped with a warning in the log, as long as
    /// another platform has devices.
    ///
    /// # Errors
    /// As [`Device::first`].
    pub fn all() -> Result<Vec<Device>> {
        Device::all_of(Library::load()?)
    }

    /// Returns all devices of all platforms of one OpenCL library, in the order of [`Device::all`]; at least one.
    ///
    /// # Errors
    /// [`Error::NoPlatform`] or [`Error::NoDevice`].
    pub fn all_of(library: Library) -> Result<Vec<Device>> {
        let platforms = Platform::all_of(library)?;
        let mut devices = Vec::new();
        let mut failure = None;
        for platform in &platforms {
            match platform.devices() {
                Ok(found) => devices.extend(found),
                Err(error) => {
                    log::warn!("{}: {error}", platform.name().unwrap_or_default());
                    failure = failure.or(Some(error));
                }
            }
        }
        if !devices.is_empty() {
            devices.sort_by_cached_key(|device| match device.kind() {
                Ok(kind) if kind.contains(DeviceKind::GPU) => 0,
                Ok(kind) if kind.contains(DeviceKind::ACCELERATOR) => 1,
                Ok(_) => 2,
                Err(_) => 3,
            });
            return Ok(devices);
        }
        let named = platforms.iter().map(|p| p.name().unwrap_or_else(|e| e.to_string())).collect();
        Err(failure.unwrap_or(Error::NoDevice { wanted: None, candidates: named }))
    }

    /// Returns the device's platform.
    #[must_use]
    pub fn platform(&self) -> Platform {
        self.0.platform
    }

    /// Returns the parent of a sub-device; `None` for a root device.
    #[must_use]
    pub fn parent(&self) -> Option<&Device> {
        self.0.parent.as_ref()
    }

    /// Returns the library that the device was found in.
    #[must_use]
    pub fn library(&self) -> Library {
        self.0.platform.library()
    }

    /// Returns the C handle. It stays valid as long as this `Device` or a clone of it lives; call
    /// `clRetainDevice` to keep a sub-device's handle for longer.
    #[must_use]
    pub fn as_raw(&self) -> cl_device_id {
        self.0.id
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id && self.library() == other.library()
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name().unwrap_or_else(|e| e.to_string())).finish()
    }
}

impl fmt::Display for Device {
    /// Writes the device's name, and its platform's name in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |result: Result<String>| result.unwrap_or_else(|error| error.to_string());
        write!(f, "{} ({})", text(self.name()), text(self.platform().name()))
    }
}
