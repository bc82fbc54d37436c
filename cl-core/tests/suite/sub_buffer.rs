//! Sub-buffers. They share their buffer's bytes, keep its borrow, and order their commands.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Buffer, BuildOptions, Context, Device, Error, HostAccess, In, InOut, Out, Program, Queue, QueueOptions,
    SliceMut,
};
use cl_test::{counting, each_device};

/// Returns `CL_DEVICE_MEM_BASE_ADDR_ALIGN`, in elements of `u32`.
fn step(device: &Device) -> usize {
    (device.base_address_align().unwrap() as usize / 8).div_ceil(4)
}

fn add(queue: &Queue) -> cl_core::Kernel {
    let source = "kernel void add(global const uint *x, global uint *y)
        { y[get_global_id(0)] += x[get_global_id(0)]; }";
    Program::build(queue.context(), source, &BuildOptions::new()).unwrap().kernel("add").unwrap()
}

#[test]
fn kernels_take_parts_of_one_buffer() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let mut queues = vec![Queue::new(&context, QueueOptions::new()).unwrap()];
        if device.has_out_of_order_queues().unwrap() {
            queues.push(Queue::new(&context, QueueOptions::new().out_of_order()).unwrap());
        }
        for queue in queues {
            let n = step(device);
            let mut x = Buffer::filled(&queue, 1_u32, 3 * n).unwrap();
            let (left, rest) = SliceMut::from(&mut x).split_at_mut(n).unwrap();
            let (middle, mut right) = rest.split_at_mut(n).unwrap();
            right.fill(&queue, 100).unwrap();
            let left = left.into_sub_buffer_mut().unwrap();
            let mut middle = middle.into_sub_buffer_mut().unwrap();
            assert_eq!((left.len(), middle.is_empty()), (n, false));
            let add = add(&queue);
            for _ in 0..10 {
                // SAFETY: work-item i touches element i of the two parts only, which have n elements each.
                unsafe { add.launch().arg(&left).arg(&mut middle).global(n).enqueue(&queue) }.unwrap();
            }
            // The whole buffer has the writes to its parts, without a wait in between.
            let values = x.to_vec(&queue).unwrap();
            assert!(values[..n].iter().all(|&value| value == 1), "left of {device}");
            assert!(values[n..2 * n].iter().all(|&value| value == 11), "middle of {device}");
            assert!(values[2 * n..].iter().all(|&value| value == 100), "right of {device}");
        }
    });
}

#[test]
fn transfers_reach_parts() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let n = step(device);
        let mut x = Buffer::from_slice(&queue, &(0..3 * n as u32).collect::<Vec<_>>()).unwrap();
        let part = x.sub_buffer(n..n + 5).unwrap();
        let expected: Vec<u32> = (n as u32..n as u32 + 5).collect();
        assert_eq!(part.as_slice().to_vec(&queue).unwrap(), expected);
        assert_eq!(part.as_slice().slice(1..3).unwrap().to_vec(&queue).unwrap(), expected[1..3]);
        // A read-only part leaves the buffer readable.
        assert_eq!(x.slice(n..n + 5).unwrap().to_vec(&queue).unwrap(), expected);
        drop(part);

        let mut part = x.sub_buffer_mut(2 * n..).unwrap();
        part.as_slice_mut().into_slice_mut(1..3).unwrap().write(&queue, &[7, 8]).unwrap();
        drop(part);
        assert_eq!(x.slice(2 * n..2 * n + 4).unwrap().to_vec(&queue).unwrap(), {
            [2 * n as u32, 7, 8, 2 * n as u32 + 3]
        });
    });
}

#[test]
fn parts_copy_to_each_other_and_to_the_whole() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let n = step(device);
        let mut x = Buffer::from_slice(&queue, &(0..2 * n as u32).collect::<Vec<_>>()).unwrap();
        let (left, mut right) = SliceMut::from(&mut x).split_at_mut(n).unwrap();
        let left = left.into_sub_buffer_mut().unwrap();
        // Both have the same distance from the beginning of their own buffer, and still do not overlap.
        right.copy_from(&queue, left.as_slice()).unwrap();
        let values = x.to_vec(&queue).unwrap();
        assert_eq!(values[..n], values[n..]);
    });
}

#[test]
fn parts_that_cannot_be_are_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let n = step(&device);
        let mut x = Buffer::filled(&queue, 1_u32, 2 * n).unwrap();
        let calls = counter.calls_during(|| {
            let beyond = Error::out_of_bounds("slice", n, 2 * n + 1, 2 * n);
            assert_eq!(x.sub_buffer(n..2 * n + 1).unwrap_err(), beyond);
            assert!(x.sub_buffer_mut(usize::MAX..).is_err());
            if n > 1 {
                for start in [1, n - 1, n + 1] {
                    let refused = x.sub_buffer(start..).unwrap_err();
                    assert!(matches!(refused, Error::InvalidInput { what: "sub-buffer", .. }), "{refused}");
                }
            }
            let empty = x.sub_buffer_mut(3..3).unwrap();
            assert!(empty.is_empty() && empty.memory().as_raw().is_null());
            assert!(empty.as_slice().to_vec(&queue).unwrap().is_empty());
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");

        let mut part = x.sub_buffer_mut(n..).unwrap();
        let calls = counter.calls_during(|| {
            let nested = part.as_slice().into_sub_buffer().unwrap_err();
            assert!(nested.to_string().contains("divide the whole buffer"), "{nested}");
            assert!(part.as_slice_mut().into_sub_buffer_mut().is_err());
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        let calls = counter.calls_during(|| drop(part));
        assert_eq!(calls, counting::Calls::from([("clReleaseMemObject", 1)]));
    }
}

#[test]
fn a_part_has_its_buffers_host_access() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let options = cl_core::BufferOptions::new().host(HostAccess::ReadOnly);
        let mut x = options.filled(&queue, 3_u32, 8).unwrap();
        let mut part = x.sub_buffer_mut(..4).unwrap();
        assert_eq!(part.as_slice().to_vec(&queue).unwrap(), [3; 4]);
        let refused = part.as_slice_mut().write(&queue, &[1; 4]);
        assert!(matches!(refused, Err(Error::InvalidInput { .. })), "{refused:?}");
    });
}

#[test]
fn parts_are_compared_with_what_kernels_declare() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let (add, n) = (add(&queue), step(&device));
        let mut x = Buffer::filled(&queue, 1_u32, 2 * n).unwrap();
        let (left, right) = SliceMut::from(&mut x).split_at_mut(n).unwrap();
        let (mut left, mut right) =
            (left.into_sub_buffer_mut().unwrap(), right.into_sub_buffer_mut().unwrap());
        // A part that may be written can be passed to a kernel that only reads, as a buffer can.
        // SAFETY: work-item i touches element i of the two parts only, which have n elements each.
        unsafe {
            add.launch().arg(&mut left).arg(&mut right).global(n).enqueue(&queue).unwrap();
            add.launch().arg(In(&*left)).arg(InOut(&mut right)).global(n).enqueue(&queue).unwrap();
        }
        assert_eq!(right.as_slice().to_vec(&queue).unwrap(), vec![3; n]);
        let mut floats = Buffer::filled(&queue, 1_f32, n).unwrap();
        let floats = floats.sub_buffer_mut(..).unwrap();
        let calls = counter.calls_during(|| {
            // SAFETY: never run.
            let refused = unsafe {
                [
                    add.launch().arg(&floats).arg(&mut right).global(n).enqueue(&queue),
                    add.launch().arg(In(&*floats)).arg(&mut right).global(n).enqueue(&queue),
                    add.launch().arg(Out(&mut left)).arg(&mut right).global(n).enqueue(&queue),
                ]
            };
            for refused in refused {
                assert!(matches!(refused, Err(Error::Argument(_))), "{refused:?} on {device}");
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}
