//! Pinned vectors, and the staging of ordinary slices, which is forced on devices that do not need it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, Context, Device, DeviceKind, Error, PinnedVec, Queue, QueueOptions, Staging};
use cl_test::{counting, each_device};

fn queues(device: &Device) -> Vec<Queue> {
    let context = Context::on(device).unwrap();
    let mut queues = vec![Queue::new(&context, QueueOptions::new()).unwrap()];
    if device.has_out_of_order_queues().unwrap() {
        queues.push(Queue::new(&context, QueueOptions::new().out_of_order()).unwrap());
    }
    queues
}

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

#[test]
fn pinned_vectors_are_slices() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut host = PinnedVec::<u32>::zeroed(&queue, 1000).unwrap();
        assert_eq!(*host, [0; 1000]);
        host.copy_from_slice(&numbers(1000));
        let mut x = Buffer::from_slice(&queue, &host).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), numbers(1000));
        x.fill(&queue, 5).unwrap();
        x.read(&queue, 10, &mut host[1..4]).unwrap();
        assert_eq!(host[..5], [0, 5, 5, 5, numbers(5)[4]]);
        let small = PinnedVec::from_slice(&queue, &[1.5_f64, 2.5]).unwrap();
        assert_eq!(format!("{small:?}"), "[1.5, 2.5]");

        let mut output = PinnedVec::<u32>::zeroed(&queue, 1000).unwrap();
        queue.scope(|scope| scope.read(&x, &mut output)).unwrap();
        assert_eq!(*output, [5; 1000]);
        // The vector outlives its queue.
        drop((x, queue));
        assert_eq!((output[999], small[1]), (5, 2.5));
        let sum = std::thread::spawn(move || output.iter().sum::<u32>()).join().unwrap();
        assert_eq!(sum, 5000);
    });
}

#[test]
fn pinned_vectors_leave_nothing_behind() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        device.limits().unwrap();
        let calls = counter.calls_during(|| {
            let empty = PinnedVec::<f32>::zeroed(&queue, 0).unwrap();
            assert!(empty.is_empty());
            let limit = device.limits().unwrap().allocation as usize;
            let refused = PinnedVec::<u8>::zeroed(&queue, limit.saturating_add(1)).unwrap_err();
            assert!(matches!(refused, Error::TooLarge { .. }), "{refused}");
            let refused = PinnedVec::<u64>::zeroed(&queue, usize::MAX / 4).unwrap_err();
            assert!(matches!(refused, Error::TooLarge { .. }), "{refused}");
        });
        // The messages name the device; the driver was asked for nothing else.
        assert!(calls.keys().all(|call| call.ends_with("Info")), "{calls:?} on {device}");
        let calls = counter.calls_during(|| drop(PinnedVec::<f32>::zeroed(&queue, 9).unwrap()));
        for (one, other) in [
            ("clCreateBuffer", "clReleaseMemObject"),
            ("clEnqueueMapBuffer", "clEnqueueUnmapMemObject"),
            ("clRetainCommandQueue", "clReleaseCommandQueue"),
        ] {
            assert_eq!((calls[one], calls[other]), (1, 1), "{calls:?} on {device}");
        }
    }
}

/// Odd chunk sizes, chunks larger than the data, one thread and many.
const STAGINGS: [Staging; 5] = [
    Staging { threshold: 0, chunk: 4096, threads: 4 },
    Staging { threshold: 1, chunk: 1000, threads: 3 },
    Staging { threshold: 0, chunk: 7, threads: 1 },
    Staging { threshold: 5000, chunk: 1 << 20, threads: 8 },
    Staging { threshold: 100, chunk: 64, threads: 64 },
];

#[test]
fn staged_transfers_move_every_byte() {
    cl_test::known_faults::each_device("pinned::staged_transfers_move_every_byte", |device| {
        for queue in queues(device) {
            for staging in STAGINGS {
                queue.set_staging(staging);
                assert_eq!(queue.staging(), staging);
                for len in [1, 2, 63, 64, 65, 1023, 1024, 1025, 4097, 20_001] {
                    let values = numbers(len);
                    let mut x = Buffer::from_slice(&queue, &values).unwrap();
                    assert_eq!(x.to_vec(&queue).unwrap(), values, "{len} values by {staging:?}");
                    // A part at an offset: the elements around it do not change.
                    let (start, end) = (len / 3, len - len / 4);
                    let other: Vec<u32> = (0..(end - start) as u32).collect();
                    x.slice_mut(start..end).unwrap().write(&queue, &other).unwrap();
                    let expected = [&values[..start], &other, &values[end..]].concat();
                    assert_eq!(x.to_vec(&queue).unwrap(), expected, "{len} values by {staging:?}");
                    let mut part = vec![0; end - start];
                    x.read(&queue, start, &mut part).unwrap();
                    assert_eq!(part, other);
                }
            }
        }
    });
}

#[test]
fn staged_transfers_keep_the_order_of_commands() {
    cl_test::known_faults::each_device("pinned::staged_transfers_keep_the_order_of_commands", |device| {
        for queue in queues(device) {
            queue.set_staging(Staging { threshold: 0, chunk: 1 << 10, threads: 4 });
            let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
            let (mut x, mut y) =
                (Buffer::filled(&queue, 0, 10_000).unwrap(), Buffer::filled(&queue, 0, 10_000).unwrap());
            for round in 1..50_u32 {
                x.fill(&other, u32::MAX).unwrap();
                x.write(&queue, 0, &vec![round; 10_000]).unwrap();
                y.copy_from(&other, &x).unwrap();
                x.fill(&queue, 0).unwrap();
                assert_eq!(y.to_vec(&queue).unwrap(), vec![round; 10_000], "on {device}");
                let mut event = None;
                let filled = queue.marker().unwrap();
                let zeros = x.to_vec(queue.after(&[&filled]).signal(&mut event)).unwrap();
                assert_eq!(zeros, [0; 10_000]);
                event.unwrap().wait().unwrap();
            }
        }
    });
}

#[test]
fn several_threads_stage_on_one_queue() {
    cl_test::known_faults::each_device("pinned::several_threads_stage_on_one_queue", |device| {
        let queue = Queue::on(device).unwrap();
        queue.set_staging(Staging { threshold: 0, chunk: 512, threads: 3 });
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let queue = &queue;
                scope.spawn(move || {
                    for round in 0..20 {
                        let values = vec![[thread, round, 0]; 777];
                        let x = Buffer::from_slice(queue, &values).unwrap();
                        assert_eq!(x.to_vec(queue).unwrap(), values);
                    }
                });
            }
        });
    });
}

#[test]
fn staging_is_used_where_it_helps_and_its_blocks_again() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        if device.kind().unwrap().contains(DeviceKind::CPU) || device.shares_host_memory().unwrap() {
            assert_eq!(queue.staging(), Staging::OFF);
        } else {
            assert_eq!(queue.staging(), Staging::DEFAULT);
        }
        queue.set_staging(Staging { threshold: 4000, chunk: 1000, threads: 2 });
        let mut x = Buffer::from_slice(&queue, &[1_u8; 4000]).unwrap();
        let pinned = PinnedVec::from_slice(&queue, &[2_u8; 5000]).unwrap();
        let mut values = vec![0; 4000];
        let calls = counter.calls_during(|| x.read(&queue, 0, &mut values).unwrap());
        assert_eq!(calls["clEnqueueReadBuffer"], 4, "as many as chunks: {calls:?}");
        for needless in ["clCreateBuffer", "clEnqueueMapBuffer", "clFinish"] {
            assert!(!calls.contains_key(needless), "{calls:?} on {device}");
        }
        // Below the threshold, or from pinned memory, one call is enough.
        for part in [&values[..3999], &pinned[..4000], &pinned[1000..]] {
            let calls = counter.calls_during(|| x.write(&queue, 0, part).unwrap());
            assert_eq!(calls, counting::Calls::from([("clEnqueueWriteBuffer", 1)]), "on {device}");
        }
        // A slice at an address where pinned memory was before counts as ordinary.
        drop(pinned);
        queue.set_staging(Staging { threshold: 1, chunk: 4000, threads: 1 });
        let calls = counter.calls_during(|| drop(x.to_vec(&queue).unwrap()));
        assert_eq!(calls["clEnqueueMapBuffer"], 2, "two new blocks: {calls:?}");
        let calls = counter.calls_during(|| drop((x, queue)));
        assert_eq!(calls["clEnqueueUnmapMemObject"], 2, "{calls:?}");
        assert_eq!(calls["clReleaseMemObject"], 3, "{calls:?}");
    }
}

#[test]
fn staged_transfers_are_checked_like_any_other() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, elsewhere) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        queue.set_staging(Staging { threshold: 0, chunk: 0, threads: 0 });
        assert_eq!(queue.staging(), Staging { threshold: 0, chunk: 1, threads: 1 });
        elsewhere.set_staging(queue.staging());
        let mut x = Buffer::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        let calls = counter.calls_during(|| {
            assert!(matches!(x.write(&queue, 2, &[9; 2]), Err(Error::OutOfBounds { .. })));
            assert!(matches!(x.read(&queue, 2, &mut [9; 2]), Err(Error::OutOfBounds { .. })));
            assert!(matches!(x.write(&elsewhere, 0, &[9]), Err(Error::ForeignObject { .. })));
            assert!(matches!(x.read(&elsewhere, 0, &mut [9]), Err(Error::ForeignObject { .. })));
            x.write(&queue, 3, &[]).unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        assert_eq!(x.to_vec(&queue).unwrap(), [1, 2, 3], "chunks of one byte, on one thread");
    }
}

#[test]
fn staged_transfers_are_recorded() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().profiling()).unwrap();
        queue.set_staging(Staging { threshold: 0, chunk: 1000, threads: 2 });
        let x = Buffer::filled(&queue, 1_u8, 3500).unwrap();
        let recording = queue.record().unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [1; 3500]);
        let commands = recording.finish().unwrap();
        let reads = commands.iter().filter(|command| command.command == "clEnqueueReadBuffer");
        assert_eq!(reads.count(), 4);
    });
}
