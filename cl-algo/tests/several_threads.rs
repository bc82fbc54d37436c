//! Several threads that use one queue at once.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_core::Context;
use std::thread;

/// Reductions of a queue share the counter of their work-groups, on an out-of-order queue too.
#[test]
fn reductions_of_several_threads() {
    cl_test::each_device(|device| {
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
                            assert_eq!(x.expr().sum().unwrap(), 40_000 * thread, "{round}");
                            let found = index::<u32>().take(40_000).eq(hit as u32).on(queue).position();
                            assert_eq!(found.unwrap(), Some(hit), "{round}");
                        }
                    });
                }
            });
        }
    });
}
