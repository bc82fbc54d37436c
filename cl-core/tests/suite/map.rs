//! Mapped buffers. The host's writes arrive at the device, the device's writes are seen, and leaks do no
//! harm.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Buffer, BufferOptions, BuildOptions, Context, Error, Image1dBuffer, Image2d, Program, Queue,
    QueueOptions, R, Rgba,
};
use cl_test::{counting, each_device};

/// Returns an in-order queue and, if the device has them, an out-of-order one.
fn queues(device: &cl_core::Device) -> Vec<Queue> {
    let context = Context::on(device).unwrap();
    let mut queues = vec![Queue::new(&context, QueueOptions::new()).unwrap()];
    if device.has_out_of_order_queues().unwrap() {
        queues.push(Queue::new(&context, QueueOptions::new().out_of_order()).unwrap());
    }
    queues
}

#[test]
fn maps_read_and_write_in_place() {
    each_device(|device| {
        for queue in queues(device) {
            let mut x = Buffer::from_slice(&queue, &(0..1000_u32).collect::<Vec<_>>()).unwrap();
            let read = x.map(&queue, 10..15).unwrap();
            assert_eq!(*read, [10, 11, 12, 13, 14]);
            let again = x.map(&queue, ..).unwrap(); // readers share
            assert_eq!((again.len(), again[999], read[0]), (1000, 999, 10));
            assert_eq!(x.slice(..2).unwrap().to_vec(&queue).unwrap(), [0, 1]);
            assert_eq!(format!("{read:?}"), "[10, 11, 12, 13, 14]");
            read.unmap().unwrap();
            drop(again);

            let mut write = x.map_mut(&queue, 998..).unwrap();
            assert_eq!(*write, [998, 999]);
            write[1] = 7;
            write.unmap().unwrap();
            x.map_mut(&queue, ..=0).unwrap()[0] = 5; // unmapped on drop
            let mut over = x.map_overwrite(&queue, 1..4).unwrap();
            assert_eq!(*over, [0, 0, 0], "nothing of what was there before");
            over[1] = 20;
            drop(over);
            assert_eq!(x.slice(..5).unwrap().to_vec(&queue).unwrap(), [5, 0, 20, 0, 4]);
            assert_eq!(x.slice(997..).unwrap().to_vec(&queue).unwrap(), [997, 998, 7]);
        }
    });
}

#[test]
fn maps_and_commands_wait_for_each_other() {
    each_device(|device| {
        let source = "kernel void add(global int *x, const int a) { x[get_global_id(0)] += a; }";
        for queue in queues(device) {
            let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
            let add = program.kernel("add").unwrap();
            let mut x = Buffer::filled(&queue, 0_i32, 4096).unwrap();
            for round in 0..50 {
                // SAFETY: one work-item for each element, which touches its own element only.
                unsafe { add.launch().arg(&mut x).arg(1).global(4096).enqueue(&queue) }.unwrap();
                let mut map = x.map_mut(&queue, ..).unwrap();
                assert!(map.iter().all(|&value| value == 2 * round + 1), "round {round} on {device}");
                map.iter_mut().for_each(|value| *value += 1);
            }
            assert_eq!(x.to_vec(&queue).unwrap(), [100; 4096]);
        }
    });
}

#[test]
fn maps_that_cannot_be_are_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, elsewhere) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let mut x = Buffer::filled(&queue, 1_u32, 4).unwrap();
        let calls = counter.calls_during(|| {
            let beyond = Error::out_of_bounds("map", 2, 5, 4);
            assert_eq!(x.map(&queue, 2..5).unwrap_err(), beyond);
            assert_eq!(x.map_mut(&queue, 2..5).unwrap_err(), beyond);
            assert_eq!(x.map_overwrite(&queue, 2..5).unwrap_err(), beyond);
            let foreign = x.map(&elsewhere, ..).unwrap_err();
            assert!(matches!(foreign, Error::ForeignObject { .. }), "{foreign}");
            assert!(x.map(&queue, 4..).unwrap().is_empty());
            assert!(x.map_mut(&queue, 2..2).unwrap().is_empty());
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        let calls = counter.calls_during(|| drop(x.map(&queue, 1..).unwrap()));
        let expected = ["clEnqueueMapBuffer", "clEnqueueUnmapMemObject"].map(|call| (call, 1));
        assert_eq!(calls, counting::Calls::from(expected), "unmapped once, and nothing else");
    }
}

#[test]
fn a_leaked_guard_closes_the_buffer() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let mut read = Buffer::filled(&queue, 1_u32, 4).unwrap();
        let mut written = Buffer::filled(&queue, 2_u32, 4).unwrap();
        let source = "kernel void f(global int *x) { x[0] = 9; }";
        let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
        let kernel = program.kernel("f").unwrap();
        std::mem::forget(read.map(&queue, ..).unwrap());
        std::mem::forget(written.map_mut(&queue, ..1).unwrap());

        assert_eq!(read.to_vec(&queue).unwrap(), [1; 4], "readers do not disturb a reader");
        let calls = counter.calls_during(|| {
            // SAFETY: never runs.
            let launch = |x| unsafe { kernel.launch().arg(x).global(1).enqueue(&queue) };
            for refused in [
                launch(&mut written),
                launch(&mut read),
                queue.native((&mut read,), |_| ()).map(drop),
                queue.native((&written,), |_| ()).map(drop),
                read.fill(&queue, 3),
                read.write(&queue, 0, &[1]),
                read.map_mut(&queue, ..).map(drop),
                read.sub_buffer_mut(..).map(drop),
                read.copy_within(&queue, 0..1, 1),
                written.read(&queue, 0, &mut [0]),
                written.map(&queue, 2..).map(drop),
                written.slice(..).unwrap().into_sub_buffer().map(drop),
                read.copy_from(&queue, &written),
            ] {
                let text = refused.unwrap_err().to_string();
                assert!(text.contains("still mapped"), "{text}");
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}

#[test]
fn a_leaked_guard_closes_the_image_and_the_buffer_under_it() {
    let counter = counting::exclusive();
    for device in counting::devices().iter().filter(|device| device.has_images().unwrap()) {
        let queue = Queue::on(device).unwrap();
        let (size, pixel) = ([4, 4], Rgba([1_u8; 4]));
        let image = || Image2d::filled(&queue, size, pixel).unwrap();
        let (mut read, mut written, whole) = (image(), image(), image());
        let (mut line, mut other) =
            (Buffer::filled(&queue, pixel, 16).unwrap(), Buffer::filled(&queue, pixel, 16).unwrap());
        std::mem::forget(read.map(&queue, [0, 0], [1, 1]).unwrap());
        std::mem::forget(written.map_mut(&queue, [0, 0], [1, 1]).unwrap());
        std::mem::forget(line.map(&queue, ..).unwrap());
        assert_eq!(read.to_vec(&queue).unwrap(), [pixel; 16], "readers do not disturb a reader");
        other.copy_from(&queue, &line).unwrap();
        let mut over = Image1dBuffer::over(queue.context(), other).unwrap();
        std::mem::forget(over.map(&queue, [0], [1]).unwrap());
        let source = "kernel void f(write_only image2d_t x) { write_imageui(x, (int2)(0, 0), (uint4)(9)); }";
        let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
        let kernel = program.kernel("f").unwrap();
        let calls = counter.calls_during(|| {
            // SAFETY: never runs.
            let launch = |x| unsafe { kernel.launch().arg(x).global(1).enqueue(&queue) };
            for refused in [
                launch(&mut read),
                launch(&mut written),
                read.fill(&queue, pixel),
                read.write(&queue, [0, 0], [1, 1], &[pixel]),
                read.map_mut(&queue, [0, 0], [1, 1]).map(drop),
                read.copy_from(&queue, [0, 0], &whole, [0, 0], size),
                written.read(&queue, [0, 0], [1, 1], &mut [pixel]),
                written.map(&queue, [2, 2], [1, 1]).map(drop),
                whole.copy_to_buffer(&queue, [0, 0], size, &mut line, 0),
                over.fill(&queue, pixel),
                Image1dBuffer::over(queue.context(), line).map(drop).map_err(|refused| refused.error),
            ] {
                let text = refused.unwrap_err().to_string();
                assert!(text.contains("still mapped"), "{text}");
            }
        });
        assert!(!calls.keys().any(|call| call.starts_with("clEnqueue")), "{calls:?} on {device}");
    }
}

#[test]
fn a_guard_that_is_dropped_opens_the_image_again() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        if !device.has_images().unwrap() {
            return;
        }
        let mut image = Image2d::filled(&queue, [4, 4], R(1_u32)).unwrap();
        let (first, second) = (image.map(&queue, [0, 0], [2, 2]).unwrap(), image.map(&queue, [1, 1], [2, 2]));
        assert_eq!(image.to_vec(&queue).unwrap(), [R(1); 16]);
        drop(first);
        second.unwrap().unmap().unwrap();
        image.map_mut(&queue, [0, 0], [1, 1]).unwrap().row_mut(0, 0).unwrap()[0] = R(7);
        image.fill_region(&queue, [1, 0], [1, 1], R(8)).unwrap();
        assert_eq!(image.to_vec(&queue).unwrap()[..3], [R(7), R(8), R(1)]);
    });
}

#[test]
fn guards_may_go_to_other_threads() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = Buffer::filled(&queue, 1_u64, 64).unwrap();
        let map = x.map_mut(&queue, ..).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut map = map;
                map[63] = 5;
            });
        });
        assert_eq!(x.slice(62..).unwrap().to_vec(&queue).unwrap(), [1, 5]);
    });
}

/// Checks that several threads can map one range. Drivers tell maps apart by their pointers: PoCL and
/// Oclgrind crash when one pointer is unmapped twice.
#[test]
fn threads_map_one_range() {
    const ROUNDS: usize = 200;
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let options = [BufferOptions::new(), BufferOptions::new().in_host_memory()];
        for x in options.map(|options| options.filled(&queue, 7, 1000).unwrap()) {
            let x = &x;
            std::thread::scope(|scope| {
                for queue in [&queue, &other, &queue] {
                    scope.spawn(move || {
                        for round in 0..ROUNDS {
                            let len = [1000, 10][round % 2];
                            assert_eq!(*x.map(queue, ..len).unwrap(), [7; 1000][..len]);
                        }
                    });
                }
            });
            queue.finish().unwrap();
            other.finish().unwrap();
            assert_eq!(x.memory().info().unwrap().maps, 0, "{device}");
        }
        if !device.has_images().unwrap() {
            return;
        }
        let pixel = Rgba([5_u8; 4]);
        let image = &Image2d::filled(&queue, [16, 16], pixel).unwrap();
        std::thread::scope(|scope| {
            for queue in [&queue, &other] {
                scope.spawn(move || {
                    for _ in 0..ROUNDS {
                        let map = image.map(queue, [0, 0], [16, 16]).unwrap();
                        assert!(map.rows().all(|row| row == [pixel; 16]));
                    }
                });
            }
        });
    });
}

#[test]
fn one_thread_maps_one_range_several_times() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let mut x = Buffer::filled(&queue, 7, 1000).unwrap();
        let maps = [
            x.map(&queue, ..).unwrap(),
            x.map(&other, ..).unwrap(),
            x.map(&queue, ..10).unwrap(),
            x.map(&other, 5..20).unwrap(),
        ];
        for map in maps {
            assert!(map.iter().all(|&value| value == 7));
            map.unmap().unwrap();
        }
        queue.finish().unwrap();
        other.finish().unwrap();
        assert_eq!(x.memory().info().unwrap().maps, 0, "{device}");
        x.map_mut(&other, ..).unwrap()[0] = 8;
        assert_eq!(x.to_vec(&queue).unwrap()[..2], [8, 7]);
    });
}

/// Checks maps by several threads. Each thread has a queue of its own, and reads and maps other parts.
#[test]
fn threads_map_parts_of_one_buffer() {
    const ROUNDS: usize = 500;
    cl_test::known_faults::each_device("map::threads_map_parts_of_one_buffer", |device| {
        let queue = Queue::on(device).unwrap();
        let numbers: Vec<u32> = (0..1000).collect();
        let (x, numbers) = (&Buffer::from_slice(&queue, &numbers).unwrap(), &numbers);
        let queues = [(); 4].map(|()| Queue::new(queue.context(), QueueOptions::new()).unwrap());
        std::thread::scope(|scope| {
            for (number, queue) in queues.iter().enumerate() {
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let begin = (7 * round + 250 * number) % 900;
                        let part = begin..begin + 1 + round % 100;
                        let map = x.map(queue, part.clone()).unwrap();
                        assert_eq!(*map, numbers[part.clone()]);
                        assert_eq!(x.slice(part.clone()).unwrap().to_vec(queue).unwrap(), numbers[part]);
                    }
                });
            }
        });
    });
}
