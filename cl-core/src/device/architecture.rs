//! The maker and the generation of a device.

use super::{Device, DeviceKind};
use crate::error::Result;
use crate::info::known;
use crate::raw;
use std::fmt;

/// The maker of a device, by its PCI vendor id.
///
/// CPU drivers of other makers report the id of the processor's maker, or an id of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Any other maker, by its id.
    Other(u32),
}

impl Vendor {
    /// Returns the vendor that `CL_DEVICE_VENDOR_ID` names.
    const fn of_id(id: u32) -> Vendor {
        match id {
            0x10de => Vendor::Nvidia,
            // AMD's processors have an id of their own.
            0x1002 | 0x1022 => Vendor::Amd,
            0x8086 => Vendor::Intel,
            other => Vendor::Other(other),
        }
    }
}

impl fmt::Display for Vendor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vendor::Nvidia => f.write_str("NVIDIA"),
            Vendor::Amd => f.write_str("AMD"),
            Vendor::Intel => f.write_str("Intel"),
            Vendor::Other(id) => write!(f, "vendor {id:#06x}"),
        }
    }
}

/// The architecture of a device. It decides which shapes of kernels are fast on the device.
///
/// Displays as `NVIDIA sm_90`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Architecture {
    /// The maker.
    pub vendor: Vendor,
    /// `true` if the device is a CPU.
    pub cpu: bool,
    /// The generation in the maker's words: `sm_90` for NVIDIA's compute capability 9.0, `gfx942` for AMD, `12.60` for
    /// the version of Intel's graphics; empty if the driver does not report it.
    pub generation: String,
}

impl Architecture {
    /// Makes an architecture from its properties.
    #[must_use]
    pub fn new(vendor: Vendor, cpu: bool, generation: impl Into<String>) -> Architecture {
        Architecture { vendor, cpu, generation: generation.into() }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.cpu { " CPU" } else { "" };
        let space = if self.generation.is_empty() { "" } else { " " };
        write!(f, "{}{kind}{space}{}", self.vendor, self.generation)
    }
}

impl Device {
    /// Returns the device's architecture. This is the only place that decides who made a device.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    ///
    /// ```
    /// # fn main() -> cl_core::Result<()> {
    /// use cl_core::{Device, Vendor};
    ///
    /// let architecture = Device::first()?.architecture()?;
    /// if architecture.vendor == Vendor::Nvidia {
    ///     assert!(architecture.generation.starts_with("sm_"));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn architecture(&self) -> Result<Architecture> {
        let vendor = Vendor::of_id(self.vendor_id()?);
        let cpu = self.kind()?.contains(DeviceKind::CPU);
        let generation = match vendor {
            _ if cpu => None,
            Vendor::Nvidia => {
                self.compute_capability()?.map(|version| format!("sm_{}{}", version.major, version.minor))
            }
            // Features follow in the name: `gfx942:sramecc+:xnack-`.
            Vendor::Amd => {
                let name = self.name()?;
                let target = name.split(':').next().filter(|target| target.starts_with("gfx"));
                target.map(str::to_owned)
            }
            Vendor::Intel => self.graphics_version()?,
            Vendor::Other(_) => None,
        };
        Ok(Architecture { vendor, cpu, generation: generation.unwrap_or_default() })
    }

    /// Returns the version of Intel's graphics, such as `12.60`. The driver packs the number before
    /// the point into the upper 10 bits, and the number after the point into the next 8 bits.
    fn graphics_version(&self) -> Result<Option<String>> {
        let ask = || known(self.value::<u32>(raw::CL_DEVICE_IP_VERSION_INTEL));
        let version = self.with_extension("cl_intel_device_attribute_query", ask)?.flatten();
        Ok(version.map(|packed| format!("{}.{:02}", packed >> 22, (packed >> 14) & 0xff)))
    }
}
