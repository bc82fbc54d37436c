//! Devices and what they can do.

use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::platform::Platform;
use crate::raw::{cl_bool, cl_device_id, cl_device_type, cl_uint};
use bytemuck::AnyBitPattern;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What to do when no platform has a device.
pub(crate) const INSTALL_HINT: &str = "a driver is installed, but it sees no hardware that it can use: \
    check the kernel driver and the permissions of the device files, or install a driver for the CPU \
    (Debian, Ubuntu: apt-get install pocl-opencl-icd)";

bitflags::bitflags! {
    /// The kind of a device, as OpenCL classes it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct DeviceKind: cl_device_type {
        /// The platform's default device.
        const DEFAULT = 1;
        /// The host's processor.
        const CPU = 1 << 1;
        /// A graphics processor.
        const GPU = 1 << 2;
        /// A dedicated accelerator.
        const ACCELERATOR = 1 << 3;
        /// A device without programmable kernels.
        const CUSTOM = 1 << 4;
    }
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (DeviceKind::CPU, "CPU"),
            (DeviceKind::GPU, "GPU"),
            (DeviceKind::ACCELERATOR, "accelerator"),
            (DeviceKind::CUSTOM, "custom"),
        ];
        let present: Vec<_> =
            names.iter().filter(|(kind, _)| self.contains(*kind)).map(|(_, n)| *n).collect();
        f.write_str(&if present.is_empty() { "default".to_owned() } else { present.join("+") })
    }
}

/// Facts that every launch and allocation is checked against, asked of the driver once.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Work-items in a work-group.
    pub work_group_size: usize,
    /// Work-items in a work-group along each dimension.
    pub work_item_sizes: Vec<usize>,
    /// Bytes in one buffer.
    pub allocation: u64,
    /// Bytes of local memory in a work-group.
    pub local_memory: u64,
    /// Width of a device address in bits.
    pub address_bits: u32,
}

/// An OpenCL device. Cheap to clone.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    platform: Platform,
    id: cl_device_id,
    limits: OnceLock<Limits>,
}

// SAFETY: a root device's id names something that lives as long as the process; OpenCL allows its
// use from any thread.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Device {
    pub(crate) fn new(platform: Platform, id: cl_device_id) -> Device {
        Device(Arc::new(Inner { platform, id, limits: OnceLock::new() }))
    }

    /// The first GPU, or else the first accelerator, or else the first device of any kind.
    ///
    /// # Errors
    /// [`Error::LibraryNotFound`], [`Error::NoPlatform`] or [`Error::NoDevice`]: each says what
    /// was tried and what to install.
    pub fn first() -> Result<Device> {
        let devices = Device::all()?;
        let rank = |device: &Device| match device.kind() {
            Ok(kind) if kind.contains(DeviceKind::GPU) => 0,
            Ok(kind) if kind.contains(DeviceKind::ACCELERATOR) => 1,
            Ok(_) => 2,
            Err(_) => 3,
        };
        // `all` never returns an empty list.
        devices.into_iter().min_by_key(rank).ok_or(Error::NoDevice { wanted: None, platforms: vec![] })
    }

    /// All devices of all platforms; at least one.
    ///
    /// A platform that fails to list its devices is passed over with a warning in the log as long
    /// as another one has devices.
    ///
    /// # Errors
    /// As [`Device::first`].
    pub fn all() -> Result<Vec<Device>> {
        Device::all_of(Library::load()?)
    }

    /// All devices of all platforms of one OpenCL library; at least one.
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
            return Ok(devices);
        }
        let named = platforms.iter().map(|p| p.name().unwrap_or_else(|e| e.to_string())).collect();
        Err(failure.unwrap_or(Error::NoDevice { wanted: None, platforms: named }))
    }

    /// The platform that the device belongs to.
    #[must_use]
    pub fn platform(&self) -> Platform {
        self.0.platform
    }

    /// The library that the device was found in.
    #[must_use]
    pub fn library(&self) -> Library {
        self.0.platform.library()
    }

    /// The C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_device_id {
        self.0.id
    }

    /// The limits that launches and allocations are checked against.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn limits(&self) -> Result<&Limits> {
        if let Some(limits) = self.0.limits.get() {
            return Ok(limits);
        }
        let limits = Limits {
            work_group_size: self.max_work_group_size()?,
            work_item_sizes: self.list(cl_sys::CL_DEVICE_MAX_WORK_ITEM_SIZES)?,
            allocation: self.max_allocation()?,
            local_memory: self.local_memory()?,
            address_bits: self.value(cl_sys::CL_DEVICE_ADDRESS_BITS)?,
        };
        Ok(self.0.limits.get_or_init(|| limits))
    }

    /// Whether the device lists this extension.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_extension(&self, name: &str) -> Result<bool> {
        Ok(self.extensions()?.iter().any(|extension| extension == name))
    }

    /// Whether kernels can use `double`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_fp64(&self) -> Result<bool> {
        // Optional since OpenCL 1.2; drivers that lack it answer 0 or refuse the question.
        Ok(self.value::<u64>(cl_sys::CL_DEVICE_DOUBLE_FP_CONFIG).unwrap_or(0) != 0
            || self.has_extension("cl_khr_fp64")?)
    }

    /// Whether kernels can compute with `half`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_fp16(&self) -> Result<bool> {
        self.has_extension("cl_khr_fp16")
    }

    /// Whether single-precision `/` and `sqrt` can be asked to round correctly, as the host's do.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn rounds_division_correctly(&self) -> Result<bool> {
        let config: u64 = self.value(cl_sys::CL_DEVICE_SINGLE_FP_CONFIG)?;
        Ok(config & cl_sys::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0)
    }

    /// Whether a queue of the device can be out of order.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_out_of_order_queues(&self) -> Result<bool> {
        let properties: u64 = self.value(cl_sys::CL_DEVICE_QUEUE_PROPERTIES)?;
        Ok(properties & cl_sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0)
    }

    /// Whether kernels in OpenCL C 3.0 can order memory accesses among all work-groups of a
    /// launch: `atomic_work_item_fence` with `memory_order_acq_rel` and `memory_scope_device`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_device_fence(&self) -> Result<bool> {
        // Devices before OpenCL 3.0 refuse the question.
        const CAPABILITIES: cl_uint = 0x1064; // CL_DEVICE_ATOMIC_FENCE_CAPABILITIES
        const ACQ_REL_IN_DEVICE_SCOPE: u64 = 1 << 1 | 1 << 5;
        let capabilities = self.value(CAPABILITIES).unwrap_or(0_u64);
        let c_version = self.c_version()?;
        Ok(c_version.starts_with("OpenCL C 3.")
            && capabilities & ACQ_REL_IN_DEVICE_SCOPE == ACQ_REL_IN_DEVICE_SCOPE)
    }

    /// `CL_DEVICE_AVAILABLE`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn is_available(&self) -> Result<bool> {
        Ok(self.value::<cl_bool>(cl_sys::CL_DEVICE_AVAILABLE)? != 0)
    }

    /// `CL_DEVICE_EXTENSIONS`, one string an extension.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn extensions(&self) -> Result<Vec<String>> {
        Ok(self.text(cl_sys::CL_DEVICE_EXTENSIONS)?.split_whitespace().map(str::to_owned).collect())
    }

    /// `CL_DEVICE_TYPE`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn kind(&self) -> Result<DeviceKind> {
        Ok(DeviceKind::from_bits_truncate(self.value(cl_sys::CL_DEVICE_TYPE)?))
    }

    fn query(&self, name: cl_uint) -> impl info::Query + '_ {
        let get = self.library().functions().clGetDeviceInfo;
        // SAFETY: the id came from this library; `info` passes matching pointers and sizes.
        move |size, value, ret| unsafe { get(self.0.id, name, size, value, ret) }
    }

    fn text(&self, name: cl_uint) -> Result<String> {
        info::text("clGetDeviceInfo", self.query(name))
    }

    fn value<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        info::value("clGetDeviceInfo", self.query(name))
    }

    fn list<T: AnyBitPattern>(&self, name: cl_uint) -> Result<Vec<T>> {
        info::list("clGetDeviceInfo", self.query(name))
    }
}

/// One getter a property, documented by the C name that it reads and the unit of the answer.
macro_rules! properties {
    ($($method:ident: $kind:ident $(<$type:ty>)? -> $result:ty, $name:ident, $unit:literal;)*) => {
        impl Device {
            $(
                #[doc = concat!("`", stringify!($name), "`", $unit, ".")]
                ///
                /// # Errors
                /// [`Error::Driver`] when the driver fails to answer.
                pub fn $method(&self) -> Result<$result> {
                    self.$kind $(::<$type>)? (cl_sys::$name)
                }
            )*
        }
    };
}

properties! {
    name: text -> String, CL_DEVICE_NAME, "";
    vendor: text -> String, CL_DEVICE_VENDOR, "";
    vendor_id: value<u32> -> u32, CL_DEVICE_VENDOR_ID, ": the PCI vendor id where there is one";
    version: text -> String, CL_DEVICE_VERSION, ", such as `OpenCL 3.0 CUDA`";
    driver_version: text -> String, CL_DRIVER_VERSION, "";
    profile: text -> String, CL_DEVICE_PROFILE, ": `FULL_PROFILE` or `EMBEDDED_PROFILE`";
    c_version: text -> String, CL_DEVICE_OPENCL_C_VERSION, ", such as `OpenCL C 1.2`";
    compute_units: value<u32> -> u32, CL_DEVICE_MAX_COMPUTE_UNITS, "";
    clock: value<u32> -> u32, CL_DEVICE_MAX_CLOCK_FREQUENCY, ", in MHz";
    global_memory: value<u64> -> u64, CL_DEVICE_GLOBAL_MEM_SIZE, ", in bytes";
    global_cache: value<u64> -> u64, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, ", in bytes";
    local_memory: value<u64> -> u64, CL_DEVICE_LOCAL_MEM_SIZE, ", in bytes";
    max_allocation: value<u64> -> u64, CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", in bytes";
    max_work_group_size: value<usize> -> usize, CL_DEVICE_MAX_WORK_GROUP_SIZE, ", in work-items";
    max_work_item_sizes: list<usize> -> Vec<usize>, CL_DEVICE_MAX_WORK_ITEM_SIZES, ", per dimension";
    profiling_resolution: value<usize> -> usize, CL_DEVICE_PROFILING_TIMER_RESOLUTION, ", in nanoseconds";
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
    /// The device's name with its platform's in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |result: Result<String>| result.unwrap_or_else(|error| error.to_string());
        write!(f, "{} ({})", text(self.name()), text(self.platform().name()))
    }
}
