//! The first call of a process tries the device in the context of the call, because drivers take long to create another.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;

/// The environment variable that tells [`child`] to work.
const CHILD: &str = "CL_ALGO_FIRST_CALL_TEST";

/// Runs in a process of its own, in which no device was tried before.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let counter = cl_test::counting::exclusive();
    let call = |device: &Device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_fn(&queue, 1000, |i| i as u32).unwrap();
        assert_eq!(x.sum().unwrap(), 499_500, "{device}");
    };
    for device in cl_test::counting::gpus() {
        let calls = counter.calls_during(|| call(&device));
        assert!(calls["clEnqueueNDRangeKernel"] > 1, "{device}: {calls:?}");
        assert_eq!(calls["clCreateContext"], 1, "{device}: {calls:?}");
    }
}

#[test]
fn a_first_call_creates_no_context() {
    cl_test::each_device(|device| {
        let mut command = cl_test::child(child);
        let output = command.env(CHILD, "1").env("CL_TEST_DEVICE", device.to_string()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    });
}
