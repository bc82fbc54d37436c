//! The functions for shared virtual memory, and the device's capabilities; asked once for each
//! context.

use crate::context::Context;
use crate::device::{Device, SvmCapabilities};
use crate::error::{Error, Result};
use crate::raw::require;
use crate::raw::{
    SvmFreeCallback, c_void, cl_bool, cl_command_queue, cl_context, cl_event, cl_int, cl_kernel,
    cl_kernel_exec_info, cl_map_flags, cl_svm_mem_flags, cl_uint, size_t,
};
use std::sync::OnceLock;

/// The answers that a context has, once they are known.
#[derive(Default)]
struct Known(OnceLock<(Functions, SvmCapabilities)>);

macro_rules! functions {
    ($($field:ident: $name:ident($($type:ty),*) -> $result:ty;)*) => {
        /// Functions of OpenCL 2.0.
        #[derive(Clone, Copy)]
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "system" fn($($type),*) -> $result,)*
        }

        impl Functions {
            fn of(device: &Device) -> Result<Functions> {
                Ok(Functions { $($field: require::$name(device)?,)* })
            }
        }
    };
}

functions! {
    alloc: clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) -> *mut c_void;
    free: clSVMFree(cl_context, *mut c_void) -> ();
    enqueue_free: clEnqueueSVMFree(cl_command_queue, cl_uint, *const *const c_void, Option<SvmFreeCallback>,
        *mut c_void, cl_uint, *const cl_event, *mut cl_event) -> cl_int;
    copy: clEnqueueSVMMemcpy(cl_command_queue, cl_bool, *mut c_void, *const c_void, size_t, cl_uint,
        *const cl_event, *mut cl_event) -> cl_int;
    fill: clEnqueueSVMMemFill(cl_command_queue, *mut c_void, *const c_void, size_t, size_t, cl_uint,
        *const cl_event, *mut cl_event) -> cl_int;
    map: clEnqueueSVMMap(cl_command_queue, cl_bool, cl_map_flags, *mut c_void, size_t, cl_uint,
        *const cl_event, *mut cl_event) -> cl_int;
    unmap: clEnqueueSVMUnmap(cl_command_queue, *mut c_void, cl_uint, *const cl_event, *mut cl_event) -> cl_int;
    set_argument: clSetKernelArgSVMPointer(cl_kernel, cl_uint, *const c_void) -> cl_int;
    set_exec_info: clSetKernelExecInfo(cl_kernel, cl_kernel_exec_info, size_t, *const c_void) -> cl_int;
}

/// Returns the functions if the device has all of `wanted`. Checks the capabilities before any
/// function is called: with Oclgrind, which has no shared virtual memory, `clSVMAlloc` never
/// returns.
pub(super) fn functions(context: &Context, wanted: SvmCapabilities) -> Result<Functions> {
    let device = context.device();
    let known = context.attachment::<Known>();
    let (functions, has) = match known.0.get() {
        Some(known) => *known,
        None => {
            let has = device.svm_capabilities()?.unwrap_or(SvmCapabilities::empty());
            if !has.contains(wanted) {
                return unsupported(device, wanted);
            }
            *known.0.get_or_init({
                let functions = Functions::of(device)?;
                move || (functions, has)
            })
        }
    };
    if has.contains(wanted) { Ok(functions) } else { unsupported(device, wanted) }
}

fn unsupported<T>(device: &Device, wanted: SvmCapabilities) -> Result<T> {
    let feature = if wanted.contains(SvmCapabilities::ATOMICS) {
        "fine-grained shared virtual memory with atomics"
    } else if wanted.contains(SvmCapabilities::FINE_GRAIN_BUFFER) {
        "fine-grained shared virtual memory"
    } else {
        "coarse-grained shared virtual memory"
    };
    Err(Error::Unsupported { feature: feature.to_owned(), device: device.to_string() })
}
