//! Buffers and scratch memory on every device. Values that are written come back. Invalid use is refused
//! before the driver sees it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use bytemuck::Pod;
use cl_core::raw::{CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_ONLY};
use cl_core::{
    Buffer, BufferOptions, Context, Error, HostAccess, KernelAccess, Migration, Queue, QueueOptions, SliceMut,
};
use cl_test::{counting, each_device, settled_references};
use std::fmt::Debug;

/// Lengths around the sizes at which drivers, or the fill by doubling, change their method.
const LENGTHS: [usize; 9] = [0, 1, 2, 3, 7, 64, 255, 1000, 4097];

/// Checks `from_slice`, `to_vec` and `copy_from` at every length.
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

/// Checks `filled` and `fill` at every length.
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
        fill(&queue, [3_u64; 16], [4; 16]); // 128 bytes: the largest pattern of OpenCL
        fill(&queue, [3_u64; 32], [4; 32]); // 256 bytes: larger than OpenCL's patterns
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
        // The last start, times four bytes, wraps around to 0.
        for start in [2, 3, 4, usize::MAX, usize::MAX - 1, 1 << (usize::BITS - 2)] {
            let end = start.saturating_add(2);
            let refused = |operation| Error::out_of_bounds(operation, start, end, 3);
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
        let expected = Error::length_mismatch("copy", 3, 4);
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
        // Eight times this length wraps around to eight bytes.
        check(Buffer::filled(&queue, 0, (usize::MAX >> 3) + 2), ((usize::MAX >> 3) as u128 + 2) * 8);

        // Sizes that the host cannot hold are refused as well.
        let closed = BufferOptions::new().host(HostAccess::None);
        let refused = closed.filled(&queue, [1_u8; 3], usize::MAX).unwrap_err();
        assert!(matches!(refused, Error::TooLarge { .. }), "{refused}");

        let too_much = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
        let error = queue.scratch(too_much).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    });
}

#[test]
fn buffers_in_scratch_memory_give_it_back() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        // SAFETY: the buffer is written before it is read.
        let mut buffer = unsafe { queue.scratch_buffer::<u32>(100) }.unwrap();
        let raw = buffer.as_raw();
        buffer.write(&queue, 0, &[7; 100]).unwrap();
        assert_eq!((buffer.len(), buffer.to_vec(&queue).unwrap()), (100, vec![7; 100]));
        // SAFETY: the buffer was made in scratch memory of this queue, and nothing else has it.
        unsafe { queue.return_scratch(buffer) };
        assert_eq!(queue.scratch(400).unwrap().as_raw(), raw);
        assert_eq!(queue.scratch_statistics().allocations, 1);
        // SAFETY: nothing is made.
        let error = unsafe { queue.scratch_buffer::<u32>(usize::MAX) }.unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    });
}

#[test]
fn fresh_scratch_memory_is_exact_and_never_used_again() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().fresh_scratch()).unwrap();
        assert!(!queue.reuses_scratch());
        for bytes in [1000, 900, 0] {
            assert_eq!(queue.scratch(bytes).unwrap().bytes(), bytes.max(1));
        }
        let statistics = queue.scratch_statistics();
        assert_eq!((statistics.requests, statistics.allocations, statistics.idle_bytes), (3, 3, 0));
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

#[test]
fn views_are_read_written_copied_and_filled() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = Buffer::from_slice(&queue, &[0_u32, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        assert_eq!(x.slice(2..5).unwrap().to_vec(&queue).unwrap(), [2, 3, 4]);
        assert_eq!(x.slice(2..).unwrap().slice(..=1).unwrap().to_vec(&queue).unwrap(), [2, 3]);
        assert!(x.slice(8..).unwrap().is_empty());
        x.slice_mut(6..).unwrap().write(&queue, &[60, 70]).unwrap();
        x.slice_mut(1..3).unwrap().fill(&queue, 9).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [0, 9, 9, 3, 4, 5, 60, 70]);

        let (left, mut right) = SliceMut::from(&mut x).split_at_mut(3).unwrap();
        right.reborrow().into_slice_mut(1..4).unwrap().copy_from(&queue, left).unwrap();
        assert_eq!(right.as_slice().to_vec(&queue).unwrap(), [3, 0, 9, 9, 70]);
        let other = Buffer::from_slice(&queue, &[100_u32, 101, 102]).unwrap();
        x.slice_mut(..2).unwrap().copy_from(&queue, other.slice(1..).unwrap()).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [101, 102, 9, 3, 0, 9, 9, 70]);
    });
}

#[test]
fn patterns_of_every_size_fill_ranges() {
    fn fill_range<T: Pod + PartialEq + Debug>(queue: &Queue, one: T, other: T) {
        for (start, end) in [(0, 1), (1, 2), (3, 50), (99, 100), (7, 7)] {
            let mut buffer = Buffer::filled(queue, one, 100).unwrap();
            buffer.slice_mut(start..end).unwrap().fill(queue, other).unwrap();
            let mut expected = vec![one; 100];
            expected[start..end].fill(other);
            assert_eq!(buffer.to_vec(queue).unwrap(), expected, "{start}..{end} of {buffer:?}");
        }
    }
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        fill_range(&queue, 1_u8, 2);
        fill_range(&queue, [1_u8; 3], [2; 3]);
        fill_range(&queue, 1.5_f64, 2.5);
        fill_range(&queue, [1_u64; 32], [2; 32]);
    });
}

#[test]
fn views_beyond_the_end_are_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let mut x = Buffer::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        let calls = counter.calls_during(|| {
            let refused = |start, end| Error::out_of_bounds("slice", start, end, 3);
            assert_eq!(x.slice(1..4).unwrap_err(), refused(1, 4));
            assert_eq!(x.slice(4..).unwrap_err(), refused(4, 3));
            assert_eq!(x.slice_mut(usize::MAX..).unwrap_err(), refused(usize::MAX, 3));
            assert_eq!(x.slice(0..=usize::MAX).unwrap_err(), refused(0, usize::MAX));
            #[allow(clippy::reversed_empty_ranges)] // the invalid range that is refused
            let reversed = x.slice(2..1);
            assert_eq!(reversed.unwrap_err(), refused(2, 1));
            assert_eq!(x.slice(1..).unwrap().slice(..3).unwrap_err().to_string(), {
                "slice: elements 0..3 of a buffer that has 2"
            });
            let split = SliceMut::from(&mut x).split_at_mut(4).map(|_| ()).unwrap_err();
            assert_eq!(split, Error::out_of_bounds("split", 4, 3, 3));

            let two = x.slice(..2).unwrap();
            let differ = |operation, left, right| Error::length_mismatch(operation, left, right);
            assert_eq!(two.read(&queue, &mut [0; 3]), Err(differ("read", 3, 2)));
            let mut two = x.slice_mut(..2).unwrap();
            assert_eq!(two.write(&queue, &[0; 1]), Err(differ("write", 2, 1)));
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        assert_eq!(x.to_vec(&queue).unwrap(), [1, 2, 3]);
    }
}

#[test]
fn overlapping_copies_are_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let mut x = Buffer::from_slice(&queue, &[0_u16, 1, 2, 3, 4, 5]).unwrap();
        let calls = counter.calls_during(|| {
            for (source, start) in [(0..3, 0), (0..3, 2), (2..5, 0), (1..4, 2)] {
                let refused = x.copy_within(&queue, source, start);
                assert!(matches!(refused, Err(Error::InvalidInput { what: "copy", .. })), "{refused:?}");
            }
            let beyond = Error::out_of_bounds("copy", 4, 7, 6);
            assert_eq!(x.copy_within(&queue, 0..3, 4), Err(beyond));
            x.copy_within(&queue, 2..2, 2).unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        x.copy_within(&queue, 0..3, 3).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [0, 1, 2, 0, 1, 2]);
        x.copy_within(&queue, 4.., 0).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [1, 2, 2, 0, 1, 2]);
    }
}

#[test]
fn the_host_access_of_a_buffer_is_kept() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        for host in [HostAccess::ReadWrite, HostAccess::ReadOnly, HostAccess::WriteOnly, HostAccess::None] {
            let reads = matches!(host, HostAccess::ReadWrite | HostAccess::ReadOnly);
            let writes = matches!(host, HostAccess::ReadWrite | HostAccess::WriteOnly);
            let options = BufferOptions::new().host(host).kernel(KernelAccess::ReadWrite);
            let mut x = options.from_slice(&queue, &[1_u32, 2, 3]).unwrap();
            let mut filled = options.filled(&queue, [7_u8; 3], 3).unwrap(); // not a pattern size of OpenCL
            let calls = counter.calls_during(|| {
                assert_eq!(x.read(&queue, 0, &mut [0; 3]).is_ok(), reads, "{host:?}");
                assert_eq!(x.map(&queue, ..).is_ok(), reads, "{host:?}");
                assert_eq!(x.write(&queue, 0, &[1, 2, 3]).is_ok(), writes, "{host:?}");
                assert_eq!(x.map_overwrite(&queue, 3..).is_ok(), writes, "{host:?}");
                assert_eq!(filled.fill(&queue, [8; 3]).is_ok(), writes, "{host:?}");
            });
            assert_eq!(calls.is_empty(), host == HostAccess::None, "{calls:?} for {host:?} on {device}");
            // The device copies buffers that the host may not access.
            let mut copy = Buffer::filled(&queue, 0, 3).unwrap();
            copy.copy_from(&queue, &x).unwrap();
            assert_eq!(copy.to_vec(&queue).unwrap(), [1, 2, 3]);
        }
        let in_host_memory = BufferOptions::new().in_host_memory().kernel(KernelAccess::ReadOnly);
        let x = in_host_memory.filled(&queue, 5_u64, 9).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [5; 9]);
        let info = x.memory().info().unwrap();
        assert_eq!(info.flags & CL_MEM_ALLOC_HOST_PTR, CL_MEM_ALLOC_HOST_PTR);
        assert_eq!(info.flags & CL_MEM_READ_ONLY, CL_MEM_READ_ONLY);
    }
}

#[test]
fn contents_survive_migration() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = Buffer::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        let mut moved = None;
        x.migrate(queue.signal(&mut moved), Migration::ToHost).unwrap();
        assert_eq!(moved.unwrap().command(), "clEnqueueMigrateMemObjects");
        x.migrate(&queue, Migration::ToDevice).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [1, 2, 3]);
        let elsewhere = Queue::on(device).unwrap();
        let refused = x.migrate(&elsewhere, Migration::ToHost);
        assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
    });
}

#[test]
fn handles_go_out_and_come_in() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let context = queue.context();
        let options = BufferOptions::new().host(HostAccess::ReadOnly);
        let raw = options.from_slice(&queue, &[1_u32, 2, 3]).unwrap().into_raw();
        // SAFETY: the reference that `into_raw` gave.
        let back = unsafe { Buffer::<u32>::from_raw(context, raw) }.unwrap();
        assert_eq!((back.len(), back.to_vec(&queue).unwrap()), (3, vec![1, 2, 3]));
        let mut back = back;
        assert!(back.write(&queue, 0, &[9]).is_err(), "the flags came along");
        assert_eq!(settled_references(back.memory()), 1);
        let info = back.memory().info().unwrap();
        assert_eq!((info.bytes, info.maps, info.offset), (12, 0, 0));

        // After a refusal the reference still belongs to the caller.
        let elsewhere = Queue::on(&device).unwrap();
        let raws: Vec<_> = (0..2).map(|_| Buffer::filled(&queue, 1_u8, 6).unwrap().into_raw()).collect();
        let calls = counter.calls_during(|| {
            // SAFETY: as above.
            let odd = unsafe { Buffer::<u32>::from_raw(context, raws[0]) }.unwrap_err();
            assert!(matches!(odd, Error::InvalidInput { .. }), "{odd}");
            // SAFETY: as above.
            let foreign = unsafe { Buffer::<u8>::from_raw(elsewhere.context(), raws[1]) }.unwrap_err();
            assert!(matches!(foreign, Error::ForeignObject { .. }), "{foreign}");
            // SAFETY: null is refused.
            let null = unsafe { Buffer::<u8>::from_raw(context, std::ptr::null_mut()) }.unwrap_err();
            assert!(matches!(null, Error::InvalidInput { .. }), "{null}");
        });
        assert!(!calls.contains_key("clReleaseMemObject"), "{calls:?}");
        // The commands that fill the buffers have references of their own until they have ended.
        queue.finish().unwrap();
        for raw in raws {
            // SAFETY: the reference that `into_raw` gave.
            let buffer = unsafe { Buffer::<u8>::from_raw(context, raw) }.unwrap();
            assert_eq!(settled_references(buffer.memory()), 1);
        }
    }
}
