//! Loops that drivers end too early, each in a kernel of its own. `cl-algo` probes devices for such faults.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_core::{Access, Arg, Buffer, BuildOptions, Program, Queue};
use cl_test::known_faults::each_device;

const SOURCE: &str = "
kernel void one(global uint *x, const uint n) {
    uint count = 0;
    for (uint k = 0; k < n; ++k) count += x[1] + 1;
    x[0] = count;
}
kernel void nested(global uint *x, const uint n) {
    uint count = 0;
    for (uint j = 0; j < n / 100; ++j)
        for (uint k = 0; k < 100 + x[1]; ++k) count += x[1] + 1;
    x[0] = count;
}
kernel void two(global uint *x, const uint n) {
    uint first = 0, second = 0;
    for (uint k = 0; k < n / 2; ++k) first += x[1] + 1;
    for (uint k = 0; k < n / 2; ++k) second += x[1] + 1;
    x[0] = first + second;
}
kernel void left_at_a_barrier(global uint *x, const uint n) {
    local uint shared;
    while (true) {
        shared = n;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (shared > 0) break;
    }
    uint count = 0;
    for (uint k = 0; k < n; ++k) count += x[1] + 1;
    x[0] = count;
}
kernel void declares(global uint *x, const uint n) {
    local uint shared[256];
    shared[get_local_id(0)] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = shared[0];
}
";

/// Checks the number of steps that one work-item of a kernel counts in its loops, which should be `steps`.
fn counted(test: &str, kernel: &str, steps: u32) {
    each_device(test, |device| {
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
        let x = Buffer::filled(&queue, 0_u32, 2).unwrap();
        let kernel = program.kernel(kernel).unwrap();
        let launch = kernel.launch().arg(Arg::Memory(x.memory(), Access::Write)).arg(Arg::value(steps));
        // SAFETY: one work-item, which reads and writes two words.
        unsafe { launch.global(1).local(1).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [steps, 0]);
    });
}

#[test]
fn a_long_loop_ends_where_it_should() {
    counted("loops::a_long_loop_ends_where_it_should", "one", 70_000);
}

#[test]
fn long_nested_loops_end_where_they_should() {
    counted("loops::long_nested_loops_end_where_they_should", "nested", 70_000);
}

#[test]
fn two_loops_that_are_long_together_end_where_they_should() {
    counted("loops::two_loops_that_are_long_together_end_where_they_should", "two", 70_000);
}

#[test]
fn loops_behind_one_that_was_left_at_a_barrier_run() {
    counted("loops::loops_behind_one_that_was_left_at_a_barrier_run", "left_at_a_barrier", 10);
}

#[test]
fn a_kernel_takes_the_local_memory_that_it_declares() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
        let resources = program.kernel("declares").unwrap().resources().unwrap();
        assert!((1024..2048).contains(&resources.local_memory), "{resources:?}");
    });
}
