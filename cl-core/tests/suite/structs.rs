//! Writes to structs that drivers lose, each in a kernel of its own. `cl-algo` probes devices for such faults.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_core::{Access, Arg, Buffer, BuildOptions, Program, Queue};
use cl_test::known_faults::each_device;

const SOURCE: &str = "
typedef struct { uint first; ulong second; } pair;
typedef volatile struct { volatile uint first; volatile ulong second; } kept_pair;
kernel void written_twice(global uint *x, const uint n) {
    pair one, copies[2];
    one.first = n; one.second = n + 1; copies[0] = one;
    one.first = n + 2; one.second = n + 3; copies[1] = one;
    for (uint k = 0; k < 2; ++k) { x[2 * k] = copies[k].first; x[2 * k + 1] = copies[k].second; }
}
kernel void in_a_loop(global uint *x, const uint n) {
    pair copies[2];
    for (uint k = 0; k < 2; ++k) copies[k] = (pair){n + 2 * k, n + 2 * k + 1};
    for (uint k = 0; k < 2; ++k) { x[2 * k] = copies[k].first; x[2 * k + 1] = copies[k].second; }
}
static uint sum(pair one) {
    one.first += (uint)one.second;
    return one.first;
}
kernel void given_to_a_function(global uint *x, const uint n) {
    pair one = {n, n + 1};
    x[0] = one.first;
    x[1] = (uint)one.second;
    x[3] = sum(one) - 3;
    x[2] = one.first + 2;
}
kernel void volatile_in_a_loop(global uint *x, const uint n) {
    kept_pair copies[2];
    for (uint k = 0; k < 2; ++k) copies[k] = (kept_pair){n + 2 * k, n + 2 * k + 1};
    for (uint k = 0; k < 2; ++k) { x[2 * k] = copies[k].first; x[2 * k + 1] = copies[k].second; }
}
kernel void volatile_written_twice(global uint *x, const uint n) {
    kept_pair one, copies[2];
    one.first = n; one.second = n + 1; copies[0] = one;
    one.first = n + 2; one.second = n + 3; copies[1] = one;
    for (uint k = 0; k < 2; ++k) { x[2 * k] = copies[k].first; x[2 * k + 1] = copies[k].second; }
}
";

/// A source of its own, because a driver may crash when it builds the program.
const ARRAY_OF_ONE: &str = "
typedef struct { uint first; ulong second; } pair;
static void next(pair *row, const uint rows) {
    for (uint k = 0; k < rows; ++k) {
        const pair old = row[k];
        row[k] = (pair){old.first + 1, old.second + 1};
    }
}
kernel void array_of_one(global uint *x, const uint n) {
    pair one = {n - 1, n};
    next(&one, 1);
    x[0] = one.first; x[1] = (uint)one.second; x[2] = n + 2; x[3] = n + 3;
}
";

/// Asserts that a kernel of `SOURCE` finds 5 and 6 in one struct, and 7 and 8 in another.
fn copied(test: &str, kernel: &str) {
    copied_by(SOURCE, test, kernel);
}

fn copied_by(source: &str, test: &str, kernel: &str) {
    each_device(test, |device| {
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
        let x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        let kernel = program.kernel(kernel).unwrap();
        let launch = kernel.launch().arg(Arg::Memory(x.memory(), Access::Write)).arg(Arg::value(5_u32));
        // SAFETY: the kernel has one work-item, which writes exactly the four words of the buffer.
        unsafe { launch.global(1).local(1).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [5, 6, 7, 8]);
    });
}

#[test]
fn a_struct_that_is_written_twice_is_copied_twice() {
    copied("structs::a_struct_that_is_written_twice_is_copied_twice", "written_twice");
}

#[test]
fn structs_made_in_a_loop_differ() {
    copied("structs::structs_made_in_a_loop_differ", "in_a_loop");
}

#[test]
fn a_function_that_changes_its_struct_changes_no_other() {
    copied("structs::a_function_that_changes_its_struct_changes_no_other", "given_to_a_function");
}

#[test]
fn a_struct_is_an_array_of_one() {
    copied_by(ARRAY_OF_ONE, "structs::a_struct_is_an_array_of_one", "array_of_one");
}

/// Checks that `volatile` keeps structs. Kernels use `volatile` structs on devices where the tests above
/// fail.
#[test]
fn volatile_structs_are_kept() {
    for kernel in ["volatile_written_twice", "volatile_in_a_loop"] {
        copied("volatile_structs_are_kept", kernel);
    }
}
