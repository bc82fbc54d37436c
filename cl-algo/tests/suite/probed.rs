//! The devices of the library that counts its calls, after their probe.

use cl_core::Device;

/// Returns the devices of the counting library. Each has been probed, so that no test counts the calls of the probe
/// among those of an algorithm. Devices that end loops early are left out: each kernel has an argument more there, and
/// the host looks at one buffer more.
pub(crate) fn devices() -> Vec<Device> {
    let has_loops = |device: &Device| {
        let profile = cl_algo::DeviceProfile::of(device);
        cl_test::offers(device, "loops of any length", profile.map(|profile| profile.loop_steps.is_none()))
    };
    cl_test::counting::devices().into_iter().filter(has_loops).collect()
}
