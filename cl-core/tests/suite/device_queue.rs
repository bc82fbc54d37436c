//! Queues that kernels fill. On devices without them they are refused. On devices with them they are made as
//! OpenCL prescribes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Context, Device, DeviceQueue, Error, Library, QueueCapabilities};
use cl_test::counting;
use std::sync::Mutex;

#[test]
fn a_device_without_is_told_so() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let context = Context::on(&device).unwrap();
        let capable = device.device_queue_capabilities().unwrap();
        if capable.is_some_and(|capable| capable.contains(QueueCapabilities::OUT_OF_ORDER)) {
            let queue = DeviceQueue::new(&context, None).unwrap();
            assert!(!queue.as_raw().is_null() && queue.context() == &context);
            continue;
        }
        let calls = counter.calls_during(|| {
            let error = DeviceQueue::new(&context, None).unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        });
        assert!(calls.keys().all(|name| name.ends_with("Info")), "only questions: {calls:?}");
    }
}

static ASKED_FOR: Mutex<Vec<cl_queue_properties>> = Mutex::new(Vec::new());

/// Answers as `clGetDeviceInfo`, but for a device with queues of up to 4096 bytes.
unsafe extern "system" fn device_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let answer = match name {
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES => CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE.to_ne_bytes().to_vec(),
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE => 4096_u32.to_ne_bytes().to_vec(),
        CL_DEVICE_VERSION => b"OpenCL 2.0 test\0".to_vec(),
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { clGetDeviceInfo(device, name, size, value, size_ret) },
    };
    // SAFETY: the caller's pointers, to memory of the size that the caller says.
    unsafe {
        if !size_ret.is_null() {
            *size_ret = answer.len();
        }
        if !value.is_null() {
            assert!(size >= answer.len());
            value.cast::<u8>().copy_from_nonoverlapping(answer.as_ptr(), answer.len());
        }
    }
    CL_SUCCESS
}

/// Records the properties, and makes a queue for the host.
unsafe extern "system" fn create(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_queue_properties,
    status: *mut cl_int,
) -> cl_command_queue {
    let mut noted = Vec::new();
    // SAFETY: the list ends with 0 instead of a name; the rest are the caller's arguments.
    unsafe {
        while *properties.add(noted.len()) != 0 {
            let pair = properties.add(noted.len());
            noted.extend([*pair, *pair.add(1)]);
        }
        *ASKED_FOR.lock().unwrap() = noted;
        clCreateCommandQueue(context, device, 0, status)
    }
}

#[test]
fn a_device_with_queues_is_asked_for_its_default() {
    let functions = Functions {
        clGetDeviceInfo: device_info,
        clCreateCommandQueueWithProperties: Some(create),
        ..*Library::load().unwrap().functions()
    };
    // SAFETY: the entries do as much of the originals' work as the test needs.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    for device in Device::all_of(library).unwrap() {
        if !wanted.iter().any(|other| other.as_raw() == device.as_raw()) {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let bits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
        let plain = [u64::from(CL_QUEUE_PROPERTIES), bits];
        drop(DeviceQueue::new(&context, None).unwrap());
        assert_eq!(std::mem::take(&mut *ASKED_FOR.lock().unwrap()), plain);
        drop(DeviceQueue::new(&context, Some(4096)).unwrap());
        let sized = [plain[0], plain[1], u64::from(CL_QUEUE_SIZE), 4096];
        assert_eq!(std::mem::take(&mut *ASKED_FOR.lock().unwrap()), sized);
        let error = DeviceQueue::new(&context, Some(4097)).unwrap_err();
        assert!(matches!(error, Error::TooLarge { bytes: 4097, limit: 4096, .. }), "{error}");
        assert!(ASKED_FOR.lock().unwrap().is_empty());
    }
}
