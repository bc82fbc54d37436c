//! Bugs planted on purpose, which Oclgrind must report. `cargo xtask drivers` runs these tests first, so that
//! a check that sees nothing does not count as a suite without bugs. They are ignored by default, because
//! they do harm on other devices.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, BuildOptions, Device, Program, Queue};

/// Launches one work-group of 8 with memory for 8 numbers. Only the simulator may run this.
fn plant(source: &str) {
    let device = Device::first().unwrap();
    assert_eq!(device.platform().name().unwrap(), "Oclgrind", "only a simulator survives this");
    let queue = Queue::on(&device).unwrap();
    let f = Program::build(queue.context(), source, &BuildOptions::new()).unwrap().kernel("f").unwrap();
    let mut x = Buffer::filled(&queue, 0, 8).unwrap();
    // SAFETY: the simulator checks each access, and does not carry out invalid ones.
    unsafe { f.launch().arg(&mut x).global(8).local(8).enqueue(&queue) }.unwrap();
    queue.finish().unwrap();
}

#[test]
#[ignore = "writes out of bounds"]
fn out_of_bounds() {
    plant("kernel void f(global int *x) { x[get_global_id(0) + 1] = 1; }");
}

#[test]
#[ignore = "races"]
fn race() {
    plant("kernel void f(global int *x) { x[0] = get_local_id(0); }");
}

#[test]
#[ignore = "the control of the other two"]
fn clean() {
    plant("kernel void f(global int *x) { x[get_global_id(0)] = 1; }");
}
