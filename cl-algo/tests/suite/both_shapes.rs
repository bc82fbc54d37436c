//! Both shapes of kernels on every device: its own shape, and a GPU's forced shape.

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_core::DeviceKind;

/// Runs the test on a queue of each device, in each shape.
pub(crate) fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device_and_forced(|device| {
        // A simulator may claim to be all kinds of devices at once.
        let kind = device.kind().unwrap();
        let gpu = kind.contains(DeviceKind::GPU) && !kind.contains(DeviceKind::CPU);
        assert!(!(gpu && DeviceProfile::of(device).unwrap().chunked), "{device}");
        test(&Queue::on(device).unwrap());
    });
}
