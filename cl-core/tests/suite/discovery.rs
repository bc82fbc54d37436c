//! The first questions of a process, asked by several threads at once. Drivers initialise
//! themselves on the first one, and not all of them guard that: unserialised, PoCL 3.1 answers that
//! it has no device, or crashes. This is the only test of its binary, because it must be the first.

use cl_core::{Device, Error};
use std::sync::Barrier;

#[test]
fn threads_that_ask_at_once_get_the_same_answer() {
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
}
