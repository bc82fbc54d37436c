//! Several threads that use one queue at once.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_core::Context;
use std::cell::RefCell;
use std::sync::mpsc;
use std::thread;

/// Reductions of a queue share the counter of their work-groups, on an out-of-order queue too.
#[test]
fn reductions_of_several_threads() {
    cl_test::known_faults::each_device("several_threads::reductions_of_several_threads", |device| {
        for options in [QueueOptions::new(), QueueOptions::new().out_of_order()] {
            let context = Context::on(device).unwrap();
            let Ok(queue) = Queue::new(&context, options) else { continue };
            let queue = &queue;
            thread::scope(|scope| {
                for thread in 1..=4_u32 {
                    scope.spawn(move || {
                        let x = DeviceVec::filled(queue, thread, 40_000).unwrap();
                        let hit = 30_000 + thread as usize;
                        for round in 0..25 {
                            assert_eq!(x.iter().sum().unwrap(), 40_000 * thread, "{round}");
                            let found = index::<u32>().take(40_000).eq(hit as u32).on(queue).position();
                            assert_eq!(found.unwrap(), Some(hit), "{round}");
                        }
                    });
                }
            });
        }
    });
}

#[device_fn]
fn one_more(x: i32) -> i32 {
    x + 1
}

/// What records a closure when its thread ends.
struct AtTheEnd(Queue, mpsc::Sender<Vec<i32>>);

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        let x = DeviceVec::from_slice(&self.0, &[1, 2]).unwrap();
        let y = x.iter().map(|x| one_more(x * 10)).collect().unwrap();
        self.1.send(y.to_vec().unwrap()).unwrap();
    }
}

thread_local! {
    static LAST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
}

#[test]
fn closures_are_recorded_while_a_thread_ends() {
    cl_test::known_faults::each_device(
        "several_threads::closures_are_recorded_while_a_thread_ends",
        |device| {
            let queue = Queue::on(device).unwrap();
            let (send, receive) = mpsc::channel();
            let ends = thread::spawn(move || {
                LAST.set(Some(AtTheEnd(queue.clone(), send)));
                // What is destroyed first was made last.
                let x = DeviceVec::filled(&queue, 1, 2).unwrap();
                x.iter().map(|x| x + 1).collect().unwrap();
            });
            ends.join().unwrap();
            assert_eq!(receive.recv().unwrap(), [11, 21]);
        },
    );
}
