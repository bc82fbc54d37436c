//! The first questions of a process, asked by several threads at once. Drivers initialise themselves on the
//! first question, and some do not lock this. Without a lock of ours, PoCL 3.1 answers that it has no device,
//! or crashes. The test asks in a process of its own, because its questions must be the first.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Device, Error};
use std::sync::Barrier;

/// The environment variable that is set in the child process.
const CHILD: &str = "CL_DISCOVERY_CHILD";

#[test]
fn threads_that_ask_at_once_get_the_same_answer() {
    let output = cl_test::child(child).env(CHILD, "1").output().expect("this program again");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("the same answer"), "{said}\n{errors}");
}

#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let together = Barrier::new(8);
    let answers: Vec<Result<Vec<Device>, Error>> = std::thread::scope(|threads| {
        let ask = || {
            together.wait();
            Device::all()
        };
        let asking: Vec<_> = (0..8).map(|_| threads.spawn(ask)).collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers[0].is_ok(), "{answers:?}");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    println!("the same answer");
}
