//! From its second launch on, a thread allocates nothing to launch a kernel. The counting allocator is the
//! one of the whole process.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, BuildOptions, Program, Queue};
use serial_test::serial;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// The number of allocations of this thread. Drivers allocate in C and on other threads.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: by the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
#[serial]
fn no_allocation_a_launch() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let source = "kernel void f(global const int *x, global int *y, const int by, local int *tile) {
            tile[0] = x[0];
            y[0] = tile[0] + by;
        }";
        let f = Program::build(queue.context(), source, &BuildOptions::new()).unwrap().kernel("f").unwrap();
        let x = Buffer::filled(&queue, 2, 1).unwrap();
        let mut y = Buffer::filled(&queue, 0, 1).unwrap();
        let mut launch = |by: i32| {
            let launch = f.launch().arg(&x).arg(&mut y).arg(by).arg(cl_core::Local::<i32>::new(1));
            // SAFETY: one work-item reads and writes one element.
            unsafe { launch.global(1).local(1).enqueue(&queue) }.unwrap();
        };
        launch(1); // the memory gets its home queue, the thread a box for launches
        let before = ALLOCATIONS.get();
        for by in 0..100 {
            launch(by);
        }
        let allocations = ALLOCATIONS.get() - before;
        assert_eq!(allocations, 0, "in 100 launches");
        assert_eq!(y.to_vec(&queue).unwrap(), [101]);
    });
}
