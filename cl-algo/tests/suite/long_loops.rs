//! Loops of a work-item that are longer than some drivers let them run.

use cl_algo::prelude::*;
use cl_algo::{assign, device_fn};
use cl_core::Error;

/// Steps of a loop, counted.
#[device_fn]
fn steps(count: u32) -> u32 {
    let mut done = 0;
    let mut k = 0;
    while k < count {
        done += 1 + (done & k & 0x8000_0000);
        k += 1;
    }
    done
}

/// The result is right, or an error says why there is none.
#[test]
fn no_loop_is_cut_in_silence() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for count in [1000_u32, 65_535, 70_000, 200_000] {
            let counts = DeviceVec::filled(&queue, count, 3).unwrap();
            let mut done = DeviceVec::filled(&queue, 0_u32, 3).unwrap();
            assign(&mut done, steps(counts.iter())).unwrap();
            match done.to_vec() {
                Ok(done) => assert_eq!(done, [count; 3]),
                Err(Error::Unsupported { feature, .. }) => {
                    assert!(count > 60_000 && feature.contains("steps of loops"), "{count}: {feature}");
                }
                Err(error) => panic!("{count}: {error}"),
            }
            // What was reported is over.
            assert_eq!(counts.to_vec().unwrap(), [count; 3]);
        }
    });
}

/// Sums and searches of what is longer than such a loop.
#[test]
fn long_vectors_take_short_loops() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::filled(&queue, 1_u32, 1 << 21).unwrap();
        assert_eq!(x.sum().unwrap(), 1 << 21);
        assert_eq!(x.iter().eq(2).position().unwrap(), None);
    });
}
