//! The devices of the library that counts its calls, after their probe.

use cl_core::Device;

/// Returns the devices of the counting library. Each has been probed, so that no test counts the calls of the probe
/// among those of an algorithm.
pub(crate) fn devices() -> Vec<Device> {
    let devices = cl_test::counting::devices();
    devices.iter().for_each(|device| drop(cl_algo::DeviceProfile::of(device).unwrap()));
    devices
}
