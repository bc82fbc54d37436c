//! User events that fail. On every driver, whatever depends on a failed event counts as failed, and
//! everything else goes on.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Buffer, BuildOptions, Context, Device, DeviceKind, Event, EventStatus, In, InOut, Out, Program, Queue,
    QueueOptions, Result, Status, UserEvent,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

const N: usize = 1000;
const WHY: Status = Status::OUT_OF_RESOURCES;

/// Returns two queues of one context, of which the second may be out of order.
fn queues(device: &Device) -> [Queue; 2] {
    let context = Context::on(device).unwrap();
    let mut options = QueueOptions::new();
    if device.has_out_of_order_queues().unwrap() {
        options = options.out_of_order();
    }
    [Queue::new(&context, QueueOptions::new()).unwrap(), Queue::new(&context, options).unwrap()]
}

/// Runs `test` on each queue of each device, with the queue and another one of the same context.
fn each_queue(test: impl Fn(&Queue, &Queue)) {
    cl_test::each_device(|device| {
        let [first, second] = queues(device);
        test(&first, &second);
        test(&second, &first);
    });
}

#[track_caller]
fn fails<T>(result: Result<T>) {
    let error = result.map(drop).expect_err("what it depends on has failed");
    assert_eq!(error.status(), Some(WHY), "{error}");
}

const COPY: &str = "kernel void copy(global const int *from, global int *to)
    { to[get_global_id(0)] = from[get_global_id(0)] + 1; }
    kernel void increase(global int *x) { x[get_global_id(0)] += 1; }";

#[test]
fn memory_that_depends_on_it_is_an_error_to_read() {
    each_queue(|queue, other| {
        let mut x = Buffer::filled(queue, 1, N).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        x.fill(queue.after(&[go.event()]), 2).unwrap();
        // Behind the event on the queue, but independent of it.
        let y = Buffer::filled(queue, 7, N).unwrap();
        // Depends on the event through its input.
        let mut z = Buffer::filled(queue, 0, N).unwrap();
        z.copy_from(queue, &x).unwrap();
        go.fail(WHY).unwrap();

        assert_eq!(y.to_vec(queue).unwrap(), [7; N]);
        for queue in [queue, other] {
            let mut host = [0; N];
            fails(x.to_vec(queue));
            fails(z.to_vec(queue));
            fails(x.read(queue, 5, &mut host[..1]));
            fails(x.map(queue, ..));
            fails(x.map_mut(queue, ..));
            fails(x.read_owned(queue, ..));
            fails(queue.scope(|scope| scope.read(&x, &mut host)));
            let mut w = Buffer::filled(queue, 0, N).unwrap();
            fails(w.copy_from(queue, &x));
            assert_eq!(w.to_vec(queue).unwrap(), [0; N]);
            let program = Program::build(queue.context(), COPY, &BuildOptions::new()).unwrap();
            let copy = program.kernel("copy").unwrap();
            // SAFETY: one work-item for each element of both buffers.
            fails(unsafe { copy.launch().arg(In(&x)).arg(Out(&mut w)).global(N).enqueue(queue) });
        }

        // Writing a part does not make the rest valid.
        x.write(other, 0, &[3]).unwrap();
        fails(x.to_vec(queue));
        x.fill(other, 4).unwrap();
        assert_eq!(x.to_vec(queue).unwrap(), [4; N]);
        z.write(queue, 0, &[5; N]).unwrap();
        assert_eq!(z.to_vec(other).unwrap(), [5; N]);
    });
}

#[test]
fn memory_is_good_again_after_all_of_it_was_overwritten() {
    each_queue(|queue, _| {
        let program = Program::build(queue.context(), COPY, &BuildOptions::new()).unwrap();
        let (copy, increase) = (program.kernel("copy").unwrap(), program.kernel("increase").unwrap());
        let source = Buffer::filled(queue, 8, N).unwrap();
        type Overwrite = fn(&Queue, &mut Buffer<i32>) -> Result<()>;
        let overwrite: [Overwrite; 4] = [
            |queue, x| x.fill(queue, 9),
            |queue, x| x.write(queue, 0, &[9; N]),
            |queue, x| x.map_overwrite(queue, ..).map(|mut x| x.fill(9)),
            |queue, x| x.write_owned(queue, 0, vec![9; N])?.wait().map(drop).map_err(Into::into),
        ];
        for overwrite in overwrite {
            let mut x = failed(queue);
            overwrite(queue, &mut x).unwrap();
            assert_eq!(x.to_vec(queue).unwrap(), [9; N]);
        }
        let mut x = failed(queue);
        // SAFETY: one work-item for each element.
        unsafe { copy.launch().arg(In(&source)).arg(Out(&mut x)).global(N).enqueue(queue) }.unwrap();
        assert_eq!(x.to_vec(queue).unwrap(), [9; N]);
        let mut x = failed(queue);
        x.copy_from(queue, &source).unwrap();
        assert_eq!(x.to_vec(queue).unwrap(), [8; N]);
        let mut x = failed(queue);
        // SAFETY: as above.
        unsafe { increase.launch().arg(InOut(&mut x)).global(N).enqueue(queue) }.unwrap();
        fails(x.to_vec(queue));
    });
}

/// Returns memory that depends on a failed event.
fn failed(queue: &Queue) -> Buffer<i32> {
    let go = UserEvent::new(queue.context()).unwrap();
    let mut x = Buffer::filled(queue, 1, N).unwrap();
    x.fill(queue.after(&[go.event()]), 2).unwrap();
    go.fail(WHY).unwrap();
    x
}

#[test]
fn events_that_depend_on_it_fail() {
    each_queue(|queue, other| {
        if cl_test::flushing_blocks(queue.device()) {
            return;
        }
        let go = UserEvent::new(queue.context()).unwrap();
        let mut x = Buffer::filled(queue, 1, N).unwrap();
        let mut events: [Option<Event>; 3] = [None, None, None];
        let [fill, copy, independent] = &mut events;
        x.fill(queue.after(&[go.event()]).signal(fill), 2).unwrap();
        let mut y = Buffer::filled(queue, 0, N).unwrap();
        y.copy_from(queue.signal(copy), &x).unwrap();
        let mut z = Buffer::filled(queue, 0, N).unwrap();
        z.fill(queue.signal(independent), 3).unwrap();
        let [fill, copy, independent] = events.map(Option::unwrap);
        let marker = other.after(&[&copy]).marker().unwrap();
        let (sender, receiver) = mpsc::channel();
        copy.on_complete(move |result| sender.send(result).unwrap()).unwrap();
        go.fail(WHY).unwrap();

        for event in [&fill, &copy, &marker] {
            fails(event.wait());
            assert_eq!(event.status(), Ok(EventStatus::Failed(WHY)));
        }
        fails(receiver.recv_timeout(Duration::from_secs(10)).unwrap());
        independent.wait().unwrap();
        fails(queue.after(&[&copy]).marker());
        queue.finish().unwrap();
        other.finish().unwrap();
    });
}

/// Checks many commands behind one that fails. PoCL 3.1 would end the process if it were told of the failure.
#[test]
fn many_commands_behind_one_that_fails() {
    each_queue(|queue, other| {
        if cl_test::flushing_blocks(queue.device()) {
            return;
        }
        for dropped in [false, true] {
            let go = UserEvent::new(queue.context()).unwrap();
            let mut x = Buffer::filled(queue, 1, N).unwrap();
            let mut y = Buffer::filled(queue, 1, N).unwrap();
            let mut z = Buffer::filled(other, 1, N).unwrap();
            x.fill(queue.after(&[go.event()]), 2).unwrap();
            for value in 0..10 {
                y.fill(queue, value).unwrap();
                z.copy_from(other, &y).unwrap();
            }
            let why = if dropped { UserEvent::ABANDONED } else { WHY };
            if dropped {
                drop(go);
            } else {
                go.fail(WHY).unwrap();
            }
            assert_eq!(x.to_vec(queue).unwrap_err().status(), Some(why));
            assert_eq!(z.to_vec(other).unwrap(), [9; N]);
            assert_eq!(y.to_vec(queue).unwrap(), [9; N]);
        }
    });
}

#[test]
fn one_that_completes_leaves_no_doubt() {
    each_queue(|queue, other| {
        let go = UserEvent::new(queue.context()).unwrap();
        let mut x = Buffer::filled(queue, 1, N).unwrap();
        let mut y = Buffer::filled(queue, 1, N).unwrap();
        x.fill(queue.after(&[go.event()]), 2).unwrap();
        y.copy_from(queue, &x).unwrap();
        go.complete().unwrap();
        assert_eq!(y.to_vec(other).unwrap(), [2; N]);
        assert_eq!(x.to_vec(queue).unwrap(), [2; N]);
    });
}

#[test]
fn a_native_kernel_that_depends_on_it_does_not_run() {
    cl_test::each_device(|device| {
        if !device.kind().unwrap().contains(DeviceKind::CPU) {
            return;
        }
        let [queue, _] = queues(device);
        let go = UserEvent::new(queue.context()).unwrap();
        let mut x = Buffer::filled(&queue, 1, N).unwrap();
        let ran = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&ran);
        x.fill(queue.after(&[go.event()]), 2).unwrap();
        let Ok(event) = queue.native((&x,), move |(_,)| seen.store(true, Ordering::Relaxed)) else {
            return;
        };
        go.fail(WHY).unwrap();
        fails(event.wait());
        queue.finish().unwrap();
        assert!(!ran.load(Ordering::Relaxed), "{device}");
    });
}
