//! Both shapes of kernels on every device: as it is, and claiming to be a GPU, which is slow on one
//! that is none, and as right as on a GPU.

#[allow(dead_code)] // other tests use the rest
#[path = "../disguise/mod.rs"]
mod disguise;

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_test::known_faults;

/// Runs the test on a queue of each device, in each shape.
pub(crate) fn each_queue(test: impl Fn(&Queue)) {
    each_queue_but_for("", test);
}

/// The same, but for devices that are known to fail the test of this name.
#[allow(dead_code)] // few tests are known to fail somewhere
pub(crate) fn each_queue_but_for(name: &str, test: impl Fn(&Queue)) {
    known_faults::each_device(name, |device| test(&Queue::on(device).unwrap()));
    let devices = disguise::gpus();
    assert!(!devices.is_empty());
    for device in devices.iter().filter(|device| !known_faults::skips(name, device)) {
        assert!(!DeviceProfile::of(device).unwrap().chunked);
        test(&Queue::on(device).unwrap());
    }
}
