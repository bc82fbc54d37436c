//! Images over a driver that answers as the test says: calls that reach the driver, and pitches that no
//! device at hand has.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{
    Buffer, BuildOptions, Context, Device, Error, Image1dArray, Image1dBuffer, Image3d, Library, Program,
    Queue, QueueOptions, Rgba, Status,
};
use serial_test::serial;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

fn system() -> &'static Functions {
    Library::load().unwrap().functions()
}

/// Returns the wanted devices that have images, seen through another table.
fn devices(functions: Functions) -> Vec<Device> {
    // SAFETY: the replaced entries do what the originals do, or answer as a driver may.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    let mut devices = Device::all_of(library).unwrap();
    devices.retain(|device| wanted.iter().any(|other| other.as_raw() == device.as_raw()));
    devices.retain(|device| device.has_images().unwrap());
    devices
}

static WAITS: AtomicU32 = AtomicU32::new(0);

/// Records the number of events that a read waits for.
unsafe extern "system" fn watched_read(
    queue: cl_command_queue,
    image: cl_mem,
    blocking: cl_bool,
    origin: *const size_t,
    region: *const size_t,
    row_pitch: size_t,
    slice_pitch: size_t,
    into: *mut c_void,
    waits: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    WAITS.store(waits, Ordering::Relaxed);
    let read = system().clEnqueueReadImage;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { read(queue, image, blocking, origin, region, row_pitch, slice_pitch, into, waits, list, event) }
}

#[test]
#[serial(image_driver)] // the driver's answers belong to the process
fn a_read_of_an_image_waits_for_a_write_to_the_buffer_under_it() {
    for device in devices(Functions { clEnqueueReadImage: watched_read, ..*system() }) {
        let queue = Queue::on(&device).unwrap();
        let context = queue.context();
        let other = Queue::new(context, QueueOptions::new()).unwrap();
        let buffer = Buffer::filled(&queue, Rgba([1_u32; 4]), 10).unwrap();
        let mut image = Image1dBuffer::over(context, buffer).unwrap();
        let source = "kernel void set(global uint4 *x) { x[get_global_id(0)] = 7; }";
        let program = Program::build(context, source, &BuildOptions::new()).unwrap();
        let set = program.kernel("set").unwrap();
        // SAFETY: item i writes element i, and there are ten.
        unsafe { set.launch().arg(image.buffer_arg_mut().unwrap()).global(10).enqueue(&other) }.unwrap();
        assert_eq!(image.to_vec(&queue).unwrap(), [Rgba([7; 4]); 10]);
        assert_eq!(WAITS.load(Ordering::Relaxed), 1, "for the kernel on the other queue");
        assert_eq!(image.to_vec(&other).unwrap(), [Rgba([7; 4]); 10]);
        assert_eq!(WAITS.load(Ordering::Relaxed), 0, "the queue's order is enough");
    }
}

static PITCHES: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
static UNMAPPED: AtomicU32 = AtomicU32::new(0);
static HOST: [AtomicU32; 256] = [const { AtomicU32::new(0) }; 256];

/// Maps host memory with the pitches that a test sets.
unsafe extern "system" fn map(
    _: cl_command_queue,
    _: cl_mem,
    _: cl_bool,
    _: cl_map_flags,
    _: *const size_t,
    _: *const size_t,
    row_pitch: *mut size_t,
    slice_pitch: *mut size_t,
    _: cl_uint,
    _: *const cl_event,
    _: *mut cl_event,
    errcode_ret: *mut cl_int,
) -> *mut c_void {
    // SAFETY: the caller gives pointers for all of these.
    unsafe {
        *row_pitch = PITCHES[0].load(Ordering::Relaxed);
        *slice_pitch = PITCHES[1].load(Ordering::Relaxed);
        *errcode_ret = CL_SUCCESS;
    }
    HOST.as_ptr().cast_mut().cast()
}

unsafe extern "system" fn unmap(
    _: cl_command_queue,
    _: cl_mem,
    pointer: *mut c_void,
    _: cl_uint,
    _: *const cl_event,
    _: *mut cl_event,
) -> cl_int {
    assert_eq!(pointer.cast_const(), HOST.as_ptr().cast());
    UNMAPPED.fetch_add(1, Ordering::Relaxed);
    CL_SUCCESS
}

/// Returns devices whose images are mapped to `HOST`, where each word holds its index.
fn mapping_devices() -> Vec<Device> {
    HOST.iter().zip(0..).for_each(|(word, index)| word.store(index, Ordering::Relaxed));
    devices(Functions { clEnqueueMapImage: map, clEnqueueUnmapMemObject: unmap, ..*system() })
}

fn set_pitches(row: usize, slice: usize) {
    PITCHES[0].store(row, Ordering::Relaxed);
    PITCHES[1].store(slice, Ordering::Relaxed);
}

/// Returns the first words of the rows that a guard sees.
fn starts<'a>(rows: impl Iterator<Item = &'a [Rgba<u32>]>) -> Vec<u32> {
    rows.map(|row| row[0].0[0]).collect()
}

#[test]
#[serial(image_driver)] // the driver's answers belong to the process
fn rows_lie_where_the_driver_says() {
    for device in mapping_devices() {
        let queue = Queue::on(&device).unwrap();
        let pixel = Rgba([0_u32; 4]);
        let volume = Image3d::filled(&queue, [2, 3, 2], pixel).unwrap();
        set_pitches(48, 256);
        let guard = volume.map(&queue, [0, 0, 0], [2, 3, 2]).unwrap();
        assert_eq!(guard.pitches(), [48, 256]);
        assert_eq!(starts(guard.rows()), [0, 12, 24, 64, 76, 88]);
        assert_eq!(guard.row(2, 1).unwrap()[1], Rgba([92, 93, 94, 95]));
        drop(guard);

        // The layers of an array of lines are its second dimension, and a slice pitch apart.
        let lines = Image1dArray::filled(&queue, [2, 3], pixel).unwrap();
        set_pitches(32, 128);
        let guard = lines.map(&queue, [0, 0], [2, 3]).unwrap();
        assert_eq!(starts(guard.rows()), [0, 32, 64]);
        drop(guard);
        // Some drivers only know a row pitch.
        set_pitches(64, 0);
        assert_eq!(starts(lines.map(&queue, [0, 0], [2, 3]).unwrap().rows()), [0, 16, 32]);
    }
}

#[test]
#[serial(image_driver)] // the driver's answers belong to the process
fn rows_that_overlap_or_are_not_aligned_are_given_back() {
    for device in mapping_devices() {
        let queue = Queue::on(&device).unwrap();
        let mut volume = Image3d::filled(&queue, [2, 3, 2], Rgba([0_u32; 4])).unwrap();
        let before = UNMAPPED.load(Ordering::Relaxed);
        for (row, slice) in [(16, 256), (0, 256), (48, 96), (48, 0), (33, 256), (48, 257)] {
            set_pitches(row, slice);
            let refused = volume.map_mut(&queue, [0, 0, 0], [2, 3, 2]).map(drop);
            assert_eq!(
                refused.as_ref().map_err(Error::status),
                Err(Some(Status::MAP_FAILURE)),
                "{refused:?}"
            );
        }
        assert_eq!(UNMAPPED.load(Ordering::Relaxed), before + 6);
    }
}

#[test]
#[serial(image_driver)] // the driver's answers belong to the process
fn a_driver_that_has_no_images_is_not_asked_for_any() {
    unsafe extern "system" fn without(
        device: cl_device_id,
        name: cl_device_info,
        size: size_t,
        value: *mut c_void,
        written: *mut size_t,
    ) -> cl_int {
        // SAFETY: the caller's arguments, unchanged.
        let status = unsafe { (system().clGetDeviceInfo)(device, name, size, value, written) };
        if name == CL_DEVICE_IMAGE_SUPPORT && status == 0 && !value.is_null() {
            // SAFETY: the driver has just written a value of this size there.
            unsafe { value.cast::<cl_bool>().write_unaligned(0) };
        }
        status
    }
    unsafe extern "system" fn never(
        _: cl_context,
        _: cl_mem_flags,
        _: cl_mem_object_type,
        _: cl_uint,
        _: *mut cl_image_format,
        _: *mut cl_uint,
    ) -> cl_int {
        panic!("asked for formats on a device without images")
    }
    let functions = Functions { clGetDeviceInfo: without, clGetSupportedImageFormats: never, ..*system() };
    // SAFETY: one entry answers as some drivers do, the other is never called.
    let library = unsafe { Library::from_functions(functions) };
    for device in Device::all_of(library).unwrap() {
        let context = Context::on(&device).unwrap();
        assert!(Image3d::<Rgba<u8>>::formats(&context).unwrap().is_empty());
        let queue = Queue::new(&context, QueueOptions::new()).unwrap();
        let refused = Image3d::filled(&queue, [1, 1, 1], Rgba([0_u8; 4])).map(drop);
        assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
        let buffer = Buffer::filled(&queue, Rgba([0_u8; 4]), 1).unwrap();
        let refused = Image1dBuffer::over(&context, buffer).unwrap_err();
        assert!(matches!(refused.error, Error::Unsupported { .. }), "{refused:?}");
    }
}

/// Checks that the driver writes only one format when there is room for one. The sweeps of wrong answers ask
/// with less room than there are formats.
#[test]
fn no_more_formats_are_written_than_there_is_room_for() {
    cl_test::known_faults::each_device(
        "image_driver::no_more_formats_are_written_than_there_is_room_for",
        |device| {
            if !device.has_images().unwrap() {
                return;
            }
            let context = Context::on(device).unwrap();
            let untouched = [u32::MAX; 2];
            let mut formats = [untouched; 4096];
            let get = system().clGetSupportedImageFormats;
            let (flags, kind) = (CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D);
            // SAFETY: a valid context, and room for more formats than the driver is told about.
            let status = unsafe {
                get(context.as_raw(), flags, kind, 1, formats.as_mut_ptr().cast(), std::ptr::null_mut())
            };
            assert_eq!(status, CL_SUCCESS);
            assert_ne!(formats[0], untouched);
            assert!(formats[1..].iter().all(|&format| format == untouched));
        },
    );
}
