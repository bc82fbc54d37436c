//! The devices of the library that counts driver calls, already probed.

use cl_core::Device;

/// Returns the devices of the counting library. Each has been probed, so that no test counts the calls of the probe
/// among those of an algorithm. Devices that end loops early are left out: there each kernel has one more argument, and
/// the host reads one more buffer.
pub(crate) fn devices() -> Vec<Device> {
    let has_loops = |device: &Device| {
        let profile = cl_algo::DeviceProfile::of(device);
        cl_test::offers(device, "loops of any length", profile.map(|profile| profile.loop_steps.is_none()))
    };
    cl_test::counting::devices().into_iter().filter(has_loops).collect()
}
