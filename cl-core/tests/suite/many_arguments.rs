//! Kernels with more arguments than most kernels have. Each argument must arrive at its own index.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, BuildOptions, Error, Kernel, Launch, Program, Queue};
use std::fmt::Write;

/// Returns a kernel that copies its `values` values, one argument each, into its first argument.
fn kernel(queue: &Queue, values: usize) -> Kernel {
    let (mut parameters, mut body) = (String::new(), String::new());
    for i in 0..values {
        write!(parameters, ", const uint v{i}").unwrap();
        writeln!(body, "    to[{i}] = v{i};").unwrap();
    }
    let source = format!("kernel void gather(global uint *to{parameters}) {{\n{body}}}");
    Program::build(queue.context(), &source, &BuildOptions::new()).unwrap().kernel("gather").unwrap()
}

#[test]
fn every_argument_arrives() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for values in [1, 6, 7, 8, 9, 15, 16, 17, 40] {
            let gather = kernel(&queue, values);
            let mut to = Buffer::filled(&queue, 0, values).unwrap();
            // In the second launch the queue is already the memory's home.
            for round in [1000, 2000] {
                let given = 0..values as u32;
                let launch = given
                    .clone()
                    .fold(gather.launch().arg(&mut to), |launch, value| launch.arg(round + value));
                // SAFETY: one work-item writes each element once.
                unsafe { launch.global(1).enqueue(&queue) }.unwrap();
                let expected: Vec<u32> = given.map(|value| round + value).collect();
                assert_eq!(to.to_vec(&queue).unwrap(), expected);
            }
        }
    });
}

#[test]
fn one_too_many_and_one_of_another_type_are_refused() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let gather = kernel(&queue, 20);
        let mut to = Buffer::filled(&queue, 0_u32, 20).unwrap();
        let launch = (0..21_u32).fold(gather.launch().arg(&mut to), Launch::arg);
        // SAFETY: refused.
        let error = unsafe { launch.global(1).enqueue(&queue) }.unwrap_err();
        assert!(matches!(error, Error::ArgumentCount { expected: 21, given: 22, .. }), "{error}");
        if gather.argument_info(0).is_none() {
            return; // the driver does not tell the kernel's declaration
        }
        let launch = (0..19_u32).fold(gather.launch().arg(&mut to), Launch::arg);
        // SAFETY: refused.
        let error = unsafe { launch.arg(1.0_f32).global(1).enqueue(&queue) }.unwrap_err();
        assert!(matches!(&error, Error::Argument(about) if about.index == 20), "{error}");
        assert_eq!(to.to_vec(&queue).unwrap(), [0; 20]);
    });
}
