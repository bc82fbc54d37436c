//! What a device is: names, versions, and where in the machine it sits.

use super::property::{newer_properties, properties};
use super::{Device, DeviceKind, NamedVersion, Version};
use crate::error::Result;
use crate::info::known;
use crate::raw;
use std::fmt;

/// A UUID as `cl_khr_device_uuid` gives it. Displays in the usual groups of hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uuid(pub [u8; 16]);

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// Where a device sits on the PCI bus. Displays as tools of the system write it: `0000:3b:00.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PciAddress {
    /// The domain, or segment.
    pub domain: u32,
    /// The bus in its domain.
    pub bus: u32,
    /// The device, or slot, on its bus.
    pub device: u32,
    /// The function of the device.
    pub function: u32,
}

impl fmt::Display for PciAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}:{:02x}:{:02x}.{:x}", self.domain, self.bus, self.device, self.function)
    }
}

properties! {
    name: text -> String, CL_DEVICE_NAME, "";
    vendor: text -> String, CL_DEVICE_VENDOR, "";
    vendor_id: value<u32> -> u32, CL_DEVICE_VENDOR_ID, ": the PCI vendor id where there is one";
    version: text -> String, CL_DEVICE_VERSION, ", such as `OpenCL 3.0 CUDA`";
    driver_version: text -> String, CL_DRIVER_VERSION, "";
    profile: text -> String, CL_DEVICE_PROFILE, ": `FULL_PROFILE` or `EMBEDDED_PROFILE`";
    c_version: text -> String, CL_DEVICE_OPENCL_C_VERSION, ", such as `OpenCL C 1.2`";
    extensions: names -> Vec<String>, CL_DEVICE_EXTENSIONS, ", one string an extension";
    built_in_kernels: names -> Vec<String>, CL_DEVICE_BUILT_IN_KERNELS, ", one string a kernel";
    is_available: flag -> bool, CL_DEVICE_AVAILABLE, "";
    reference_count: value<u32> -> u32, CL_DEVICE_REFERENCE_COUNT,
        ": always 1 for a device that is no sub-device; stale when it is read";
}

newer_properties! {
    c_versions: versions -> Vec<NamedVersion>, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
        " (3.0): every version of OpenCL C that the compiler accepts";
    c_features: versions -> Vec<NamedVersion>, CL_DEVICE_OPENCL_C_FEATURES,
        " (3.0): optional features of OpenCL C, such as `__opencl_c_subgroups`";
    extension_versions: versions -> Vec<NamedVersion>, CL_DEVICE_EXTENSIONS_WITH_VERSION,
        " (3.0): the extensions, each with its version";
    built_in_kernel_versions: versions -> Vec<NamedVersion>, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
        " (3.0): the built-in kernels, each with its version";
    il_versions: versions -> Vec<NamedVersion>, CL_DEVICE_ILS_WITH_VERSION,
        " (3.0): intermediate languages, such as SPIR-V, each with its version";
    il_version: text -> String, CL_DEVICE_IL_VERSION,
        " (2.1, or `cl_khr_il_program`), such as `SPIR-V_1.2`; empty where there is none";
    conformance_version: text -> String, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
        " (3.0): the conformance tests that were passed last, such as `v2021-02-01-00`";
}

impl Device {
    /// `CL_DEVICE_TYPE`.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn kind(&self) -> Result<DeviceKind> {
        Ok(DeviceKind::from_bits_truncate(self.value(raw::CL_DEVICE_TYPE)?))
    }

    /// The version of OpenCL that the device supports, out of [`version`](Device::version)'s text.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](crate::Error::InvalidInput) when the text holds no version,
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn opencl_version(&self) -> Result<Version> {
        self.version()?.parse()
    }

    /// The newest version of OpenCL C that the compiler accepts: the highest of
    /// [`c_versions`](Device::c_versions), or before OpenCL 3.0 what [`c_version`](Device::c_version)
    /// says.
    ///
    /// # Errors
    /// As [`opencl_version`](Device::opencl_version).
    pub fn opencl_c_version(&self) -> Result<Version> {
        let listed = self.c_versions()?.unwrap_or_default();
        match listed.into_iter().map(|language| language.version).max() {
            Some(version) => Ok(version),
            None => self.c_version()?.parse(),
        }
    }

    /// Whether the device lists this extension.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn has_extension(&self, name: &str) -> Result<bool> {
        Ok(self.extensions()?.iter().any(|extension| extension == name))
    }

    /// `CL_DEVICE_UUID_KHR`, the same in every process and in Vulkan; `None` without
    /// `cl_khr_device_uuid`.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn uuid(&self) -> Result<Option<Uuid>> {
        self.with_extension("cl_khr_device_uuid", || self.value(raw::CL_DEVICE_UUID_KHR).map(Uuid))
    }

    /// `CL_DRIVER_UUID_KHR`; `None` without `cl_khr_device_uuid`.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn driver_uuid(&self) -> Result<Option<Uuid>> {
        self.with_extension("cl_khr_device_uuid", || self.value(raw::CL_DRIVER_UUID_KHR).map(Uuid))
    }

    /// `CL_DEVICE_LUID_KHR`, by which Direct3D 12 knows the device until the machine restarts;
    /// `None` without `cl_khr_device_uuid`, and where the driver says that it has none.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn luid(&self) -> Result<Option<[u8; 8]>> {
        let valid = || self.flag(raw::CL_DEVICE_LUID_VALID_KHR);
        match self.with_extension("cl_khr_device_uuid", valid)? {
            Some(true) => self.value(raw::CL_DEVICE_LUID_KHR).map(Some),
            _ => Ok(None),
        }
    }

    /// Where the device sits on the PCI bus, from `cl_khr_pci_bus_info` or NVIDIA's or AMD's own
    /// extension; `None` when the driver has none of them, or the device is on no such bus.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn pci_address(&self) -> Result<Option<PciAddress>> {
        if self.has_extension("cl_khr_pci_bus_info")? {
            let [domain, bus, device, function] = self.value(raw::CL_DEVICE_PCI_BUS_INFO_KHR)?;
            return Ok(Some(PciAddress { domain, bus, device, function }));
        }
        if self.has_extension("cl_nv_device_attribute_query")? {
            let slot: u32 = self.value(raw::CL_DEVICE_PCI_SLOT_ID_NV)?;
            return Ok(Some(PciAddress {
                // Older drivers do not tell the domain, and machines with several are new.
                domain: known(self.value(raw::CL_DEVICE_PCI_DOMAIN_ID_NV))?.unwrap_or(0),
                bus: self.value(raw::CL_DEVICE_PCI_BUS_ID_NV)?,
                device: slot >> 3,
                function: slot & 7,
            }));
        }
        if self.has_extension("cl_amd_device_attribute_query")? {
            // A 32-bit type, 1 for PCI, 17 unused bytes, then one byte each.
            let topology: Option<[u8; 24]> = known(self.value(raw::CL_DEVICE_TOPOLOGY_AMD))?;
            if let Some([a, b, c, d, .., bus, device, function]) = topology {
                let on_pci = u32::from_ne_bytes([a, b, c, d]) == 1;
                let address = PciAddress {
                    domain: 0,
                    bus: bus.into(),
                    device: device.into(),
                    function: function.into(),
                };
                return Ok(on_pci.then_some(address));
            }
        }
        Ok(None)
    }

    /// NVIDIA's compute capability, such as 9.0 of an H200; `None` on devices of others.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn compute_capability(&self) -> Result<Option<Version>> {
        self.with_extension("cl_nv_device_attribute_query", || {
            Ok(Version::new(
                self.value(raw::CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV)?,
                self.value(raw::CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV)?,
            ))
        })
    }

    /// The answer to a question that an extension brought; `None` without the extension.
    pub(super) fn with_extension<T>(
        &self,
        extension: &str,
        ask: impl FnOnce() -> Result<T>,
    ) -> Result<Option<T>> {
        if self.has_extension(extension)? { ask().map(Some) } else { Ok(None) }
    }
}
