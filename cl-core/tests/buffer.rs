//! Buffers and scratch memory on every device: what is written comes back, and what may not be is
//! refused before the driver sees it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use bytemuck::Pod;
use cl_core::{Buffer, Error, Queue};
use cl_test::{counting, each_device};
use std::fmt::Debug;

/// Lengths around the sizes at which drivers and the fill by doubling change their ways.
const LENGTHS: [usize; 9] = [0, 1, 2, 3, 7, 64, 255, 1000, 4097];

/// `from_slice`, `to_vec`, `copy_from` at every length.
fn round_trip<T: Pod + PartialEq + Debug>(queue: &Queue, value: impl Fn(usize) -> T) {
    for len in LENGTHS {
        let values: Vec<T> = (0..len).map(&value).collect();
        let buffer = Buffer::from_slice(queue, &values).unwrap();
        assert_eq!((buffer.len(), buffer.is_empty()), (len, len == 0));
        assert_eq!(buffer.to_vec(queue).unwrap(), values, "{buffer:?}");
        let mut copy = Buffer::filled(queue, T::zeroed(), len).unwrap();
        copy.copy_from(queue, &buffer).unwrap();
        drop(buffer);
        assert_eq!(copy.to_vec(queue).unwrap(), values, "copy of {copy:?}");
    }
}

#[test]
fn values_come_back_as_they_were() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        round_trip(&queue, |i| i as u8);
        round_trip(&queue, |i| i as i16 - 5);
        round_trip(&queue, |i| i as f32 * 0.5);
        round_trip(&queue, |i| i as f64 * -0.1);
        round_trip(&queue, |i| u64::MAX - i as u64);
        round_trip(&queue, |i| [i as u8, 1, 2]);
        round_trip(&queue, |i| [i as f32, 1.0, -1.0]);
        round_trip(&queue, |i| [i as u32; 4]);
    });
}

/// `filled` and `fill` at every length.
fn fill<T: Pod + PartialEq + Debug>(queue: &Queue, one: T, other: T) {
    for len in LENGTHS {
        let mut buffer = Buffer::filled(queue, one, len).unwrap();
        assert_eq!(buffer.to_vec(queue).unwrap(), vec![one; len], "{buffer:?}");
        buffer.fill(queue, other).unwrap();
        assert_eq!(buffer.to_vec(queue).unwrap(), vec![other; len], "{buffer:?}");
    }
}

#[test]
fn patterns_of_every_size_fill() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        fill(&queue, 0x5a_u8, 7);
        fill(&queue, 0x1234_u16, 9);
        fill(&queue, [1_u8, 2, 3], [4, 5, 6]);
        fill(&queue, 1.5_f32, -0.25);
        fill(&queue, 1.5_f64, -0.25);
        fill(&queue, [1.0_f32, 2.0, 3.0], [4.0; 3]);
        fill(&queue, [1_u32, 2, 3, 4], [5; 4]);
        fill(&queue, [3_u64; 16], [4; 16]); // 128 bytes: the largest that OpenCL fills with
        fill(&queue, [3_u64; 32], [4; 32]); // 256 bytes: beyond it
    });
}

#[test]
fn ranges_are_read_and_written() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut buffer = Buffer::from_slice(&queue, &[0_u32, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        buffer.write(&queue, 2, &[20, 30]).unwrap();
        buffer.write(&queue, 8, &[]).unwrap();
        let mut part = [0; 4];
        buffer.read(&queue, 1, &mut part).unwrap();
        assert_eq!(part, [1, 20, 30, 4]);
        buffer.read(&queue, 8, &mut []).unwrap();
        assert_eq!(buffer.to_vec(&queue).unwrap(), [0, 1, 20, 30, 4, 5, 6, 7]);
    });
}

#[test]
fn ranges_beyond_the_end_are_refused() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut buffer = Buffer::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        // The last start times four bytes wraps around to 0.
        for start in [2, 3, 4, usize::MAX, usize::MAX - 1, 1 << (usize::BITS - 2)] {
            let end = start.saturating_add(2);
            let refused = |operation| Error::OutOfBounds { operation, start, end, len: 3 };
            assert_eq!(buffer.read(&queue, start, &mut [0; 2]), Err(refused("read")));
            assert_eq!(buffer.write(&queue, start, &[9; 2]), Err(refused("write")));
        }
        let text = buffer.read(&queue, 2, &mut [0; 2]).unwrap_err().to_string();
        assert_eq!(text, "read: elements 2..4 of a buffer that has 3");
        assert_eq!(buffer.to_vec(&queue).unwrap(), [1, 2, 3]);
    });
}

#[test]
fn copies_need_equal_lengths_and_one_context() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut three = Buffer::filled(&queue, 1_u8, 3).unwrap();
        let four = Buffer::filled(&queue, 2_u8, 4).unwrap();
        let expected = Error::LengthMismatch { operation: "copy", left: 3, right: 4 };
        assert_eq!(three.copy_from(&queue, &four), Err(expected));

        let elsewhere = Queue::on(device).unwrap();
        let foreign = Buffer::filled(&elsewhere, 2_u8, 3).unwrap();
        for refused in [
            three.copy_from(&queue, &foreign),
            foreign.read(&queue, 0, &mut [0; 3]),
            three.write(&elsewhere, 0, &[5; 3]),
            three.fill(&elsewhere, 5),
        ] {
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
        }
        assert_eq!(three.to_vec(&queue).unwrap(), [1; 3]);
    });
}

#[test]
fn empty_buffers_never_reach_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let calls = counter.calls_during(|| {
            let mut empty = Buffer::<f32>::from_slice(&queue, &[]).unwrap();
            let other = Buffer::filled(&queue, 1.0, 0).unwrap();
            empty.copy_from(&queue, &other).unwrap();
            empty.fill(&queue, 2.0).unwrap();
            empty.write(&queue, 0, &[]).unwrap();
            empty.read(&queue, 0, &mut []).unwrap();
            assert!(empty.to_vec(&queue).unwrap().is_empty());
            assert!(empty.is_empty() && empty.memory().as_raw().is_null());
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}

#[test]
fn buffers_make_no_needless_calls() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        device.limits().unwrap(); // asked once a device
        let calls = counter.calls_during(|| {
            let buffer = Buffer::filled(&queue, 1.0_f32, 1000).unwrap();
            assert_eq!(buffer.to_vec(&queue).unwrap(), [1.0; 1000]);
        });
        let expected = ["clCreateBuffer", "clEnqueueFillBuffer", "clEnqueueReadBuffer", "clReleaseMemObject"]
            .map(|c| (c, 1));
        assert_eq!(calls, counting::Calls::from(expected), "on {device}");
    }
}

#[test]
fn sizes_beyond_the_limit_are_refused() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let limit = device.limits().unwrap().allocation;
        let check = |result: cl_core::Result<Buffer<u64>>, expected: u128| match result {
            Err(Error::TooLarge { bytes, limit: named, .. }) => assert_eq!((bytes, named), (expected, limit)),
            other => panic!("{expected} bytes: {other:?}"),
        };
        let len = (limit / 8 + 1) as usize;
        // SAFETY: never made.
        check(unsafe { Buffer::uninit(&queue, len) }, len as u128 * 8);
        check(Buffer::filled(&queue, 0, usize::MAX), usize::MAX as u128 * 8);
        // Eight times this wraps around to eight bytes.
        check(Buffer::filled(&queue, 0, (usize::MAX >> 3) + 2), ((usize::MAX >> 3) as u128 + 2) * 8);

        let too_much = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
        let error = queue.scratch(too_much).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    });
}

#[test]
fn scratch_memory_is_used_again() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let numbers = || {
            let statistics = queue.scratch_statistics();
            (statistics.requests, statistics.allocations, statistics.idle_bytes)
        };
        assert_eq!(numbers(), (0, 0, 0));
        let block = queue.scratch(1000).unwrap();
        assert!(block.bytes() >= 1000);
        let size = block.bytes() as u64;
        let raw = block.as_raw();
        drop(block);
        assert_eq!(numbers(), (1, 1, size));

        let again = queue.scratch(900).unwrap();
        assert_eq!(again.as_raw(), raw, "the same block");
        assert_eq!(numbers(), (2, 1, 0));

        let second = queue.scratch(900).unwrap();
        assert_ne!(second.as_raw(), raw, "a block in use is nobody else's");
        assert_eq!(numbers(), (3, 2, 0));
        drop((again, second));
        assert_eq!(numbers(), (3, 2, 2 * size));

        for _ in 0..100 {
            drop(queue.scratch(1000).unwrap());
        }
        assert_eq!(numbers(), (103, 2, 2 * size));
        queue.trim_scratch();
        assert_eq!(numbers(), (103, 2, 0));
    });
}
