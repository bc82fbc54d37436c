//! Both shapes of kernels on every device: as it is, and claiming to be a GPU.

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;

/// Runs the test on a queue of each device, in each shape.
pub(crate) fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_guise(|device| {
        let gpu = device.kind().unwrap().contains(cl_core::DeviceKind::GPU);
        assert!(!(gpu && DeviceProfile::of(device).unwrap().chunked), "{device}");
        test(&Queue::on(device).unwrap());
    });
}
