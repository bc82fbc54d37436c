//! Both shapes of kernels on every device: as it is, and claiming to be a GPU, which is slow on one
//! that is none, and as right as on a GPU.

#[allow(dead_code)] // other tests use the rest
#[path = "../disguise/mod.rs"]
mod disguise;

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;

/// Runs the test on a queue of each device, in each shape.
pub(crate) fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
    let devices = disguise::gpus();
    assert!(!devices.is_empty());
    for device in devices {
        assert!(!DeviceProfile::of(&device).unwrap().chunked);
        test(&Queue::on(&device).unwrap());
    }
}
