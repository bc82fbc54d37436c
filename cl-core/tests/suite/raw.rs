//! The C API under its own names. It is complete, it forwards, and it reports missing functions.
#![allow(clippy::unwrap_used)] // tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Error, Library, Status};
use std::ptr::{null, null_mut};

macro_rules! list {
    (
        required { $(fn $name:ident $arguments:tt -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident $parameters:tt -> $result:ty;)* }
    ) => {
        /// Returns the addresses of all forwarders. If one of them were `cl-sys`'s, this program would not link on a
        /// machine without development files.
        fn forwarders() -> Vec<(&'static str, *const ())> {
            vec![
                $((stringify!($name), $name as *const ()),)*
                $((stringify!($extra), $extra as *const ()),)*
            ]
        }

        /// Returns the names of the optional functions that `functions` has.
        fn present(functions: &Functions) -> Vec<&'static str> {
            let all = [$((stringify!($extra), functions.$extra.is_some())),*];
            all.into_iter().filter(|(_, present)| *present).map(|(name, _)| name).collect()
        }

        fn without_optional(mut functions: Functions) -> Functions {
            $(functions.$extra = None;)*
            functions
        }
    };
}

for_each_function!(list);

#[test]
fn every_function_is_there_once() {
    let mut names: Vec<_> = forwarders().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 124, "114 of OpenCL 1.0 to 3.0 and 10 for OpenGL");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 124);
}

#[test]
fn no_forwarder_is_a_function_of_the_library() {
    let handle = cl_loader::open_system().unwrap();
    for (name, address) in forwarders() {
        assert_ne!(address, handle.find(name).cast(), "{name}");
    }
}

#[test]
fn counting_keeps_what_is_missing_missing() {
    let system = present(Library::load().unwrap().functions());
    assert_eq!(present(cl_test::counting::library().functions()), system);
}

#[test]
fn written_against_cl_sys() {
    let mut count = 0;
    // SAFETY: asks for the number, then for the platforms, and for a device of the first that has one.
    unsafe {
        assert_eq!(clGetPlatformIDs(0, null_mut(), &raw mut count), CL_SUCCESS);
        assert!(count > 0);
        let mut platforms = vec![null_mut(); count as usize];
        assert_eq!(clGetPlatformIDs(count, platforms.as_mut_ptr(), null_mut()), CL_SUCCESS);
        let mut device = null_mut();
        // A platform whose hardware is absent has no device.
        let found = platforms.into_iter().any(|platform| {
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &raw mut device, null_mut()) == CL_SUCCESS
        });
        assert!(found, "no platform has a device");
        let mut status = CL_INVALID_VALUE;
        let context = clCreateContext(null(), 1, &raw const device, None, null_mut(), &raw mut status);
        assert_eq!(status, CL_SUCCESS);
        let buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 0, null_mut(), &raw mut status);
        assert_eq!((buffer.is_null(), status), (true, CL_INVALID_BUFFER_SIZE), "the driver's answer");
        assert_eq!(clReleaseContext(context), CL_SUCCESS);
    }
}

#[test]
fn a_missing_function_is_unsupported() {
    let functions = without_optional(*Library::load().unwrap().functions());
    assert_eq!(present(&functions), [""; 0]);
    // SAFETY: the system's functions, without some of them.
    let library = unsafe { Library::from_functions(functions) };
    for device in cl_core::Device::all_of(library).unwrap() {
        let version = device.version().unwrap();
        let error = require::clSVMAlloc(&device).unwrap_err();
        let Error::Unsupported { feature, device: name, .. } = &error else { panic!("{error}") };
        assert!(feature.contains("clSVMAlloc") && feature.contains("OpenCL 2.0"), "{error}");
        assert!(feature.contains(&version), "{error}");
        assert_eq!(*name, device.name().unwrap());
        let error = require::clEnqueueMarker(&device.platform()).unwrap_err();
        assert!(error.to_string().contains("its OpenCL library has no such function"), "{error}");
    }
}

/// Answers with the `CL_DEVICE_VERSION` of an old device.
unsafe extern "system" fn old_device(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name != CL_DEVICE_VERSION {
        // SAFETY: the caller's arguments.
        return unsafe { clGetDeviceInfo(device, name, size, value, size_ret) };
    }
    let text = b"OpenCL 1.2 old\0";
    if !value.is_null() {
        // SAFETY: there is room for `size` bytes.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), size.min(text.len())) };
    }
    if !size_ret.is_null() {
        // SAFETY: the caller gives null or a pointer for the size.
        unsafe { *size_ret = text.len() };
    }
    CL_SUCCESS
}

#[test]
fn a_function_of_a_newer_version_than_the_device_is_unsupported() {
    let mut functions = *Library::load().unwrap().functions();
    functions.clGetDeviceInfo = old_device;
    // SAFETY: the system's functions, and one that forwards to them.
    let library = unsafe { Library::from_functions(functions) };
    for device in cl_core::Device::all_of(library).unwrap() {
        let error = require::clSVMAlloc(&device).unwrap_err();
        assert!(error.to_string().contains("it is older, it has OpenCL 1.2 old"), "{error}");
        assert_eq!(require::clEnqueueBarrier(&device).is_ok(), functions.clEnqueueBarrier.is_some());
    }
}

#[test]
fn sharing_with_opengl_needs_its_extension() {
    for device in cl_test::devices() {
        let shares = device.has_extension("cl_khr_gl_sharing").unwrap();
        let present = device.library().functions().clCreateFromGLBuffer.is_some();
        assert_eq!(require::clCreateFromGLBuffer(&device).is_ok(), shares && present, "{device}");
    }
}

#[test]
fn newer_types_are_those_of_the_driver() {
    assert_eq!(size_of::<cl_name_version>(), 68);
    assert_eq!(size_of::<cl_kernel_arg_type_qualifier>(), 8);
    for device in cl_test::devices().into_iter().filter(|d| d.version().unwrap() >= "OpenCL 3".into()) {
        if cl_test::known_faults::skips("raw::newer_types_are_those_of_the_driver", &device) {
            continue;
        }
        let mut version: cl_version = 0;
        let get = device.library().functions().clGetDeviceInfo;
        let value = (&raw mut version).cast();
        // SAFETY: there is room for the answer.
        let status = unsafe {
            get(device.as_raw(), CL_DEVICE_NUMERIC_VERSION, size_of::<cl_version>(), value, null_mut())
        };
        assert_eq!(status, CL_SUCCESS, "{device}");
        let text = format!("OpenCL {}.{} ", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
        assert!(device.version().unwrap().starts_with(&text), "{device}: {text}");

        let mut size = 0;
        let info = CL_DEVICE_EXTENSIONS_WITH_VERSION;
        // SAFETY: asks for the size only.
        let status = unsafe { get(device.as_raw(), info, 0, null_mut(), &raw mut size) };
        assert_eq!((status, size % size_of::<cl_name_version>()), (CL_SUCCESS, 0), "{device}");
    }
}

#[test]
fn the_status_names_cover_the_newer_codes() {
    assert_eq!(Status(CL_INVALID_SPEC_ID).name(), Some("CL_INVALID_SPEC_ID"));
    assert_eq!(Status(CL_MAX_SIZE_RESTRICTION_EXCEEDED).name(), Some("CL_MAX_SIZE_RESTRICTION_EXCEEDED"));
    assert_eq!(Status(-1121).name(), Some("CL_CONTEXT_TERMINATED_KHR"));
}
