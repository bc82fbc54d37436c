//! A process that ends while PoCL is at work waits for PoCL. PoCL compiles in threads of its own, and crashed
//! when the process ended and took the compiler away from them.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{cl_command_queue, cl_int};
use cl_core::{Device, Library, Queue};
use cl_test::counting;
use std::io::Write;
use std::time::Duration;

/// The environment variable that is set in the child process.
const CHILD: &str = "CL_PROCESS_END_CHILD";

/// The text that the child prints when its queue's last command has ended.
const FINISHED: &str = "<finished>";

/// A time that is longer than the release of a queue blocks its caller.
const WORK: Duration = Duration::from_millis(700);

fn is_pocl(device: &Device) -> bool {
    device.platform().name().unwrap() == "Portable Computing Language"
}

/// Calls the driver's function after a while.
unsafe extern "system" fn slow_finish(queue: cl_command_queue) -> cl_int {
    std::thread::sleep(WORK);
    // SAFETY: the caller's argument.
    let status = unsafe { (counting::library().functions().clFinish)(queue) };
    std::io::stderr().write_all(FINISHED.as_bytes()).unwrap();
    status
}

/// Ends while its queue is busy.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut functions = *counting::library().functions();
    functions.clFinish = slow_finish;
    // SAFETY: the counting library's functions, and one that keeps to OpenCL's rules.
    let devices = Device::all_of(unsafe { Library::from_functions(functions) }).unwrap();
    drop(Queue::on(devices.iter().find(|device| is_pocl(device)).unwrap()).unwrap());
}

#[test]
fn the_last_commands_of_pocl_are_waited_for() {
    if !cl_test::devices().iter().any(is_pocl) {
        eprintln!("skipped: PoCL is not among the devices");
        return;
    }
    let output = cl_test::child(child).env(CHILD, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains(FINISHED), "{:?}: {said}", output.status);
}
