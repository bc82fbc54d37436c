//! The devices of the library that counts driver calls, already probed.

use cl_core::Device;

/// Returns the devices of the counting library. Each has been probed, so that no test counts the calls of the probe
/// among those of an algorithm. Devices that end loops early are left out: there each kernel has one more argument, and
/// the host reads one more buffer.
pub(crate) fn devices() -> Vec<Device> {
    probed(cl_test::counting::devices())
}

/// Returns [`devices`], and the same devices once more while they claim to be GPUs.
pub(crate) fn devices_and_forced() -> Vec<Device> {
    probed([cl_test::counting::devices(), cl_test::counting::gpus()].concat())
}

fn probed(devices: Vec<Device>) -> Vec<Device> {
    let has_loops = |device: &Device| {
        let profile = cl_algo::DeviceProfile::of(device);
        cl_test::offers(device, "loops of any length", profile.map(|profile| profile.loop_steps.is_none()))
    };
    devices.into_iter().filter(has_loops).collect()
}
