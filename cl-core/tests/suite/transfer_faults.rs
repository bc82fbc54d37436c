//! A driver that fails once, at each of its calls in turn. Each failure must give an error, and everything
//! must work afterwards.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Buffer, Context, Device, Library, PinnedVec, Queue, QueueOptions, Result, Staging};
use serial_test::serial;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// The number of calls until one fails; negative if no call fails.
static LEFT: AtomicI64 = AtomicI64::new(-1);

fn fails_now() -> bool {
    LEFT.load(Ordering::SeqCst) >= 0 && LEFT.fetch_sub(1, Ordering::SeqCst) == 0
}

macro_rules! failing {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $code:ty;)*) => {
        /// The functions of transfers, each of which may fail.
        #[allow(non_snake_case, clippy::too_many_arguments)] // the names and arguments are C's
        mod failing {
            use super::*;

            $(pub(super) unsafe extern "system" fn $name($($argument: $type),*) -> $code {
                if fails_now() {
                    return CL_OUT_OF_RESOURCES;
                }
                // SAFETY: the caller's arguments, unchanged.
                unsafe { cl_core::raw::$name($($argument),*) }
            })*

            pub(super) unsafe extern "system" fn clEnqueueMapBuffer(
                queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, flags: cl_map_flags,
                offset: size_t, size: size_t, count: cl_uint, list: *const cl_event,
                event: *mut cl_event, code: *mut cl_int,
            ) -> *mut c_void {
                if fails_now() {
                    // SAFETY: the caller gives a pointer for the code.
                    unsafe { *code = CL_OUT_OF_RESOURCES };
                    return std::ptr::null_mut();
                }
                // SAFETY: the caller's arguments, unchanged.
                unsafe {
                    cl_core::raw::clEnqueueMapBuffer(
                        queue, buffer, blocking, flags, offset, size, count, list, event, code,
                    )
                }
            }
        }

        fn library() -> Library {
            static LIBRARY: OnceLock<Library> = OnceLock::new();
            *LIBRARY.get_or_init(|| {
                let mut table = *Library::load().unwrap().functions();
                $(table.$name = failing::$name;)*
                table.clEnqueueMapBuffer = failing::clEnqueueMapBuffer;
                // SAFETY: each entry is the system's function of that name, or fails instead of it.
                unsafe { Library::from_functions(table) }
            })
        }
    };
}

failing! {
    fn clEnqueueReadBuffer(q: cl_command_queue, m: cl_mem, b: cl_bool, o: size_t, s: size_t, p: *mut c_void,
        n: cl_uint, l: *const cl_event, e: *mut cl_event) -> cl_int;
    fn clEnqueueWriteBuffer(q: cl_command_queue, m: cl_mem, b: cl_bool, o: size_t, s: size_t,
        p: *const c_void, n: cl_uint, l: *const cl_event, e: *mut cl_event) -> cl_int;
    fn clEnqueueUnmapMemObject(q: cl_command_queue, m: cl_mem, p: *mut c_void, n: cl_uint,
        l: *const cl_event, e: *mut cl_event) -> cl_int;
    fn clEnqueueMarkerWithWaitList(q: cl_command_queue, n: cl_uint, l: *const cl_event, e: *mut cl_event)
        -> cl_int;
    fn clWaitForEvents(n: cl_uint, l: *const cl_event) -> cl_int;
    fn clGetEventInfo(e: cl_event, i: cl_uint, s: size_t, v: *mut c_void, r: *mut size_t) -> cl_int;
    fn clFlush(q: cl_command_queue) -> cl_int;
    fn clRetainCommandQueue(q: cl_command_queue) -> cl_int;
}

/// Runs `work` for the test `name` with the first call failing, then the second, until no call is left to
/// fail.
fn sweep(name: &str, mut work: impl FnMut(&Queue) -> Result<()>) {
    for device in Device::all_of(library()).unwrap() {
        if cl_test::known_faults::skips(&format!("transfer_faults::{name}"), &device) {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let mut all_options = vec![QueueOptions::new()];
        if device.has_out_of_order_queues().unwrap() {
            all_options.push(QueueOptions::new().out_of_order());
        }
        for options in all_options {
            let queue = Queue::new(&context, options).unwrap();
            work(&queue).unwrap();
            let mut errors = 0;
            for call in 0.. {
                assert!(call < 1000, "{name}: no end of calls on {device}");
                LEFT.store(call, Ordering::SeqCst);
                let result = work(&queue);
                let failed = LEFT.swap(-1, Ordering::SeqCst) < 0;
                if let Err(error) = &result {
                    assert_eq!(error.status().map(|status| status.0), Some(CL_OUT_OF_RESOURCES), "{error}");
                    errors += 1;
                }
                work(&queue).unwrap_or_else(|error| panic!("{name} after a failure of call {call}: {error}"));
                if !failed {
                    assert!(result.is_ok());
                    break;
                }
            }
            assert!(errors > 0, "{name}: no failure was reported");
        }
    }
}

const N: usize = 5000;

#[test]
#[serial(transfer_faults)] // the call that fails is set for the whole process
fn staged_transfers() {
    sweep("staged_transfers", |queue| {
        queue.set_staging(Staging { threshold: 1000, chunk: 900, threads: 3 });
        // SAFETY: written before it is read.
        let mut x = unsafe { Buffer::<u8>::uninit(queue, N)? };
        let values: Vec<u8> = (0..N).map(|i| i as u8).collect();
        x.write(queue, 0, &values)?;
        assert_eq!(x.to_vec(queue)?, values);
        Ok(())
    });
}

#[test]
#[serial(transfer_faults)] // the call that fails is set for the whole process
fn owned_transfers() {
    sweep("owned_transfers", |queue| {
        let mut x = Buffer::filled(queue, 1_u32, N)?;
        let write = x.write_owned(queue, 0, vec![2; N])?;
        let read = x.read_owned(queue, ..)?;
        let values = write.wait()?;
        assert_eq!((values, read.wait()?), (vec![2; N], vec![2; N]));
        Ok(())
    });
}

#[test]
#[serial(transfer_faults)] // the call that fails is set for the whole process
fn scoped_transfers() {
    sweep("scoped_transfers", |queue| {
        let mut x = Buffer::filled(queue, 1_u32, N)?;
        let (input, mut output) = (vec![2; N], vec![0; N]);
        queue.scope(|scope| {
            scope.write(&mut x, &input)?;
            scope.read(&x, &mut output)
        })?;
        assert_eq!(output, input);
        Ok(())
    });
}

#[test]
#[serial(transfer_faults)] // the call that fails is set for the whole process
fn maps() {
    sweep("maps", |queue| {
        let mut x = Buffer::filled(queue, 1_u32, N)?;
        let mut map = x.map_mut(queue, 10..)?;
        map[0] = 5;
        map.unmap()?;
        let map = x.map(queue, 10..12)?;
        assert_eq!(*map, [5, 1]);
        map.unmap()
    });
}

#[test]
#[serial(transfer_faults)] // the call that fails is set for the whole process
fn pinned_vectors() {
    sweep("pinned_vectors", |queue| {
        let pinned = PinnedVec::from_slice(queue, &[7_u32; N])?;
        assert_eq!(*pinned, [7; N]);
        Ok(())
    });
}
