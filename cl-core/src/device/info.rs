//! The identity of a device: names, versions, and its position in the machine.

use super::property::{newer_properties, properties};
use super::{Device, DeviceKind, NamedVersion, Version};
use crate::error::Result;
use crate::info::known;
use crate::raw;
use std::fmt;

/// A UUID as `cl_khr_device_uuid` returns it. Displays in the usual groups of hexadecimal digits.
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

/// The position of a device on the PCI bus. Displays as system tools write it: `0000:3b:00.0`.
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
    vendor_id: value<u32> -> u32, CL_DEVICE_VENDOR_ID, ": the PCI vendor id, if the vendor has one";
    version: text -> String, CL_DEVICE_VERSION, ", such as `OpenCL 3.0 CUDA`";
    driver_version: text -> String, CL_DRIVER_VERSION, "";
    profile: text -> String, CL_DEVICE_PROFILE, ": `FULL_PROFILE` or `EMBEDDED_PROFILE`";
    c_version: text -> String, CL_DEVICE_OPENCL_C_VERSION, ", such as `OpenCL C 1.2`";
    extensions: names -> Vec<String>, CL_DEVICE_EXTENSIONS, ", one string for each extension";
    built_in_kernels: names -> Vec<String>, CL_DEVICE_BUILT_IN_KERNELS, ", one string for each kernel";
    is_available: flag -> bool, CL_DEVICE_AVAILABLE, "";
    reference_count: value<u32> -> u32, CL_DEVICE_REFERENCE_COUNT,
        ": always 1 for a root device; outdated as soon as it is read";
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
        " (2.1, or `cl_khr_il_program`), such as `SPIR-V_1.2`; empty if there is no such language";
    conformance_version: text -> String, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
        " (3.0): the conformance tests that were passed last, such as `v2021-02-01-00`";
}

impl Device {
    /// Returns `CL_DEVICE_TYPE`.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn kind(&self) -> Result<DeviceKind> {
        Ok(DeviceKind::from_bits_truncate(self.value(raw::CL_DEVICE_TYPE)?))
    }

    /// Returns the version of OpenCL that the device supports, parsed from the text of
    /// [`version`](Device::version).
    ///
    /// # Errors
    /// [`Error::InvalidInput`](crate::Error::InvalidInput) if the text holds no version,
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn opencl_version(&self) -> Result<Version> {
        self.version()?.parse()
    }

    /// Returns the newest version of OpenCL C that the compiler accepts: the highest of
    /// [`c_versions`](Device::c_versions), or before OpenCL 3.0 the version in
    /// [`c_version`](Device::c_version).
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

    /// Returns whether the device lists this extension.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn has_extension(&self, name: &str) -> Result<bool> {
        Ok(self.extensions()?.iter().any(|extension| extension == name))
    }

    /// Returns `CL_DEVICE_UUID_KHR`, which is the same in every process and in Vulkan; `None`
    /// without `cl_khr_device_uuid`.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn uuid(&self) -> Result<Option<Uuid>> {
        self.with_extension("cl_khr_device_uuid", || self.value(raw::CL_DEVICE_UUID_KHR).map(Uuid))
    }

    /// Returns `CL_DRIVER_UUID_KHR`; `None` without `cl_khr_device_uuid`.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn driver_uuid(&self) -> Result<Option<Uuid>> {
        self.with_extension("cl_khr_device_uuid", || self.value(raw::CL_DRIVER_UUID_KHR).map(Uuid))
    }

    /// Returns `CL_DEVICE_LUID_KHR`, which identifies the device in Direct3D 12 until the machine
    /// restarts. Returns `None` without `cl_khr_device_uuid`, or if the driver says that the device
    /// has no LUID.
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

    /// Returns the position of the device on the PCI bus, from `cl_khr_pci_bus_info` or from an
    /// extension of NVIDIA or AMD. Returns `None` if the driver has none of these extensions, or if
    /// the device is not on a PCI bus.
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
                // Older drivers do not report the domain; they are older than machines with several
                // domains.
                domain: known(self.value(raw::CL_DEVICE_PCI_DOMAIN_ID_NV))?.unwrap_or(0),
                bus: self.value(raw::CL_DEVICE_PCI_BUS_ID_NV)?,
                device: slot >> 3,
                function: slot & 7,
            }));
        }
        if self.has_extension("cl_amd_device_attribute_query")? {
            // The layout: a 32-bit type, which is 1 for PCI, 17 unused bytes, then one byte for
            // each number.
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

    /// Returns NVIDIA's compute capability, such as 9.0 for an H200; `None` on devices of other makers.
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

    /// Returns the answer to a query of an extension; `None` without the extension.
    pub(super) fn with_extension<T>(
        &self,
        extension: &str,
        ask: impl FnOnce() -> Result<T>,
    ) -> Result<Option<T>> {
        if self.has_extension(extension)? { ask().map(Some) } else { Ok(None) }
    }
}
