//! Loops of a work-item that are longer than some drivers allow.

use cl_algo::prelude::*;
use cl_algo::{assign, device_fn};
use cl_core::Error;

/// Counts the steps of a loop.
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

/// Checks that the result is right, or that an error explains why it is missing.
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
            // The error is not returned again.
            assert_eq!(counts.to_vec().unwrap(), [count; 3]);
        }
    });
}

/// Sums and searches vectors that are longer than such a loop.
#[test]
fn long_vectors_take_short_loops() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::filled(&queue, 1_u32, 1 << 21).unwrap();
        assert_eq!(x.sum().unwrap(), 1 << 21);
        assert_eq!(x.iter().eq(2).position().unwrap(), None);
    });
}
