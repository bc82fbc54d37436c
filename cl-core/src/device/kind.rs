//! The kinds of device.

use crate::raw::cl_device_type;
use std::fmt;

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
