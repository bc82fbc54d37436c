//! OpenCL's functions, with the steps before and after each forwarded call.

use crate::guard;
use crate::ledger;
use crate::plan::{Fate, fate_of};
use cl_core::raw::*;
use std::ffi::CStr;
use std::ptr::null_mut;

/// The return type of a function.
trait Outcome: Copy {
    /// `true` if a returned value can tell a failure.
    const CAN_FAIL: bool = true;
    /// Returns the value for a call that failed.
    fn failed(status: cl_int) -> Self;
    /// Returns whether a call succeeded, as far as the value shows it.
    fn is_success(self) -> bool;
}

impl Outcome for cl_int {
    fn failed(status: cl_int) -> cl_int {
        status
    }
    fn is_success(self) -> bool {
        self == CL_SUCCESS
    }
}

impl Outcome for *mut c_void {
    fn failed(_: cl_int) -> *mut c_void {
        null_mut()
    }
    fn is_success(self) -> bool {
        !self.is_null()
    }
}

/// Callers of a function without a return value cannot learn of a failure, so the call is always carried out.
impl Outcome for () {
    const CAN_FAIL: bool = false;
    fn failed(_: cl_int) {}
    fn is_success(self) -> bool {
        true
    }
}

/// A parameter named `event`: an event, or a pointer to which a command stores its event.
trait EventParameter {
    /// Counts in the ledger the event that the call has stored, if any.
    fn enter(self);
    /// Returns the argument to pass to the driver if the call will be reported as failed. A pointer becomes
    /// null, because the caller of a failed call would never release the event.
    fn withheld(self) -> Self;
}

impl EventParameter for *mut cl_event {
    fn enter(self) {
        if !self.is_null() {
            // SAFETY: the caller gave a pointer for the event, and the call succeeded.
            ledger::enter_event(unsafe { *self });
        }
    }
    fn withheld(self) -> Self {
        null_mut()
    }
}

impl EventParameter for cl_event {
    fn enter(self) {}
    /// Returns the event itself, which is the one that the call is about.
    fn withheld(self) -> Self {
        self
    }
}

/// Returns whether a function gives something back to the driver. Such a function is carried out even when it
/// will be reported as failed.
///
/// `cl-core` never tries such a call again, because it cannot know whether the driver has released the
/// object. If the call were held back, a real driver would keep the object and its context as long as the
/// process lives. A sweep, in which thousands of calls fail, would run out of memory. `clEnqueueSVMFree` and
/// `clSetUserEventStatus` are held back like any other function. After their failure `cl-core` tries again,
/// by `clSVMFree` or when the event is dropped, so their work would be done twice.
fn gives_back(function: &str) -> bool {
    function.starts_with("clRelease") || ["clEnqueueUnmapMemObject", "clEnqueueSVMUnmap"].contains(&function)
}

/// A parameter whose name says that it is the size of an answer or the number of answers. It is a pointer to
/// the number, or the number itself.
trait AnswerParameter {
    /// `true` if the parameter is a pointer.
    const IS_POINTER: bool;
    /// Stores `size` as the reported size or number, if the parameter is a pointer.
    fn lie(self, size: usize);
}

impl AnswerParameter for *mut size_t {
    const IS_POINTER: bool = true;
    fn lie(self, size: usize) {
        if !self.is_null() {
            // SAFETY: OpenCL's caller gives null or a pointer for the size.
            unsafe { *self = size };
        }
    }
}

impl AnswerParameter for *mut cl_uint {
    const IS_POINTER: bool = true;
    fn lie(self, number: usize) {
        if !self.is_null() {
            // SAFETY: OpenCL's caller gives null or a pointer for the number.
            unsafe { *self = cl_uint::try_from(number).unwrap_or(cl_uint::MAX) };
        }
    }
}

impl AnswerParameter for cl_uint {
    const IS_POINTER: bool = false;
    fn lie(self, _: usize) {}
}

/// Returns whether a device is a sub-device. OpenCL does not count references to root devices.
fn is_sub_device(device: cl_device_id) -> bool {
    let mut parent: cl_device_id = null_mut();
    let (name, size) = (CL_DEVICE_PARENT_DEVICE, size_of::<cl_device_id>());
    // SAFETY: the caller's device, and room for one handle.
    let status =
        unsafe { cl_core::raw::clGetDeviceInfo(device, name, size, (&raw mut parent).cast(), null_mut()) };
    status == CL_SUCCESS && !parent.is_null()
}

/// Counts in the ledger the objects that a call stored in an array of `room` entries.
fn enter_array(function: &str, array: *mut *mut c_void, room: cl_uint, found: *mut cl_uint) {
    if !array.is_null() {
        // SAFETY: OpenCL's caller gives null or a pointer for the number, which the call has stored.
        let found = if found.is_null() { room } else { unsafe { *found } };
        // SAFETY: an array of `found` entries or more, which `cl-core` fills with null before.
        let objects = unsafe { std::slice::from_raw_parts(array, found.min(room) as usize) };
        let made = objects.iter().filter(|object| !object.is_null()).count();
        ledger::enter_many(function, made as i64);
    }
}

// The macros below act on one parameter, known by its name. The parameter is given twice: once to compare its
// name, and once to use it.

macro_rules! report {
    (errcode_ret $place:ident $status:ident) => {
        if !$place.is_null() {
            // SAFETY: OpenCL's caller gives null or a pointer for the status.
            unsafe { *$place = $status };
        }
    };
    ($other:ident $parameter:ident $status:ident) => {};
}

macro_rules! withhold {
    (event $event:ident $fails:ident) => {
        let $event = if $fails { EventParameter::withheld($event) } else { $event };
    };
    ($other:ident $parameter:ident $fails:ident) => {};
}

macro_rules! enter {
    (event $event:ident) => {
        EventParameter::enter($event)
    };
    ($other:ident $parameter:ident) => {};
}

macro_rules! answers {
    (param_value_size_ret $type:ty) => {
        <$type as AnswerParameter>::IS_POINTER
    };
    (num_platforms $type:ty) => {
        <$type as AnswerParameter>::IS_POINTER
    };
    (num_devices $type:ty) => {
        <$type as AnswerParameter>::IS_POINTER
    };
    (num_devices_ret $type:ty) => {
        <$type as AnswerParameter>::IS_POINTER
    };
    (num_image_formats $type:ty) => {
        <$type as AnswerParameter>::IS_POINTER
    };
    (num_kernels_ret $type:ty) => {
        <$type as AnswerParameter>::IS_POINTER
    };
    ($other:ident $type:ty) => {
        false
    };
}

macro_rules! lie {
    (param_value_size_ret $place:ident $size:ident) => {
        AnswerParameter::lie($place, $size)
    };
    (num_platforms $place:ident $size:ident) => {
        AnswerParameter::lie($place, $size)
    };
    (num_devices $place:ident $size:ident) => {
        AnswerParameter::lie($place, $size)
    };
    (num_devices_ret $place:ident $size:ident) => {
        AnswerParameter::lie($place, $size)
    };
    (num_image_formats $place:ident $size:ident) => {
        AnswerParameter::lie($place, $size)
    };
    (num_kernels_ret $place:ident $size:ident) => {
        AnswerParameter::lie($place, $size)
    };
    ($other:ident $parameter:ident $size:ident) => {};
}

macro_rules! define_exports {
    (
        required { $(fn $name:ident $arguments:tt -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident $parameters:tt -> $result:ty;)* }
    ) => {
        $(define_exports!($name $arguments $return);)*
        $(define_exports!($extra $parameters $result);)*
    };
    ($name:ident ($($argument:ident: $type:ty),*) $return:ty) => {
        /// Forwards OpenCL's function of this name, unless the plan says otherwise.
        ///
        /// # Safety
        /// The same as in C.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, clippy::too_many_arguments)] // the name and the arguments are C's
        unsafe extern "system" fn $name($($argument: $type),*) -> $return {
            const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            };
            let name = stringify!($name);
            let asks = false $(|| answers!($argument $type))*;
            let fate =
                if <$return as Outcome>::CAN_FAIL { fate_of(NAME, asks) } else { Fate::Forwarded };
            if let (Fate::Fails(status), false) = (fate, gives_back(name)) {
                $(report!($argument $argument status);)*
                return Outcome::failed(status);
            }
            let _fails = matches!(fate, Fate::Fails(_));
            $(withhold!($argument $argument _fails);)*
            let counted = define_exports!(@counted $name ($($argument),*));
            // SAFETY: the caller's arguments, to the function that the caller named.
            let outcome = unsafe { define_exports!(@call $name ($($argument),*)) };
            if Outcome::is_success(outcome) {
                if counted {
                    ledger::enter(name);
                }
                $(enter!($argument $argument);)*
                define_exports!(@array $name ($($argument),*));
                define_exports!(@shared $name ($($argument),*));
            }
            match fate {
                Fate::Fails(status) => Outcome::failed(status),
                Fate::Lies(_size) => {
                    $(lie!($argument $argument _size);)*
                    outcome
                }
                Fate::Forwarded => outcome,
            }
        }
    };
    (@call clCreateBuffer $arguments:tt) => {
        guard::create_buffer $arguments
    };
    (@call clGetMemObjectInfo $arguments:tt) => {
        guard::memory_info $arguments
    };
    (@call $name:ident $arguments:tt) => {
        cl_core::raw::$name $arguments
    };
    (@counted clRetainDevice ($device:ident)) => {
        is_sub_device($device)
    };
    (@counted clReleaseDevice ($device:ident)) => {
        is_sub_device($device)
    };
    (@counted $name:ident $arguments:tt) => {
        true
    };
    (@array clCreateSubDevices ($device:ident, $list:ident, $room:ident, $array:ident, $found:ident)) => {
        enter_array("clCreateSubDevices", $array, $room, $found)
    };
    (@array clCreateKernelsInProgram ($program:ident, $room:ident, $array:ident, $found:ident)) => {
        enter_array("clCreateKernelsInProgram", $array, $room, $found)
    };
    (@array $name:ident $arguments:tt) => {};
    (@shared clSVMAlloc $arguments:tt) => {
        ledger::enter_many("clSVMAlloc", 1)
    };
    (@shared clSVMFree ($context:ident, $pointer:ident)) => {
        if !$pointer.is_null() {
            ledger::enter_many("clSVMFree", -1)
        }
    };
    (@shared clEnqueueSVMFree ($queue:ident, $count:ident, $($rest:ident),*)) => {
        ledger::enter_many("clEnqueueSVMFree", -i64::from($count))
    };
    (@shared $name:ident $arguments:tt) => {};
}

for_each_function!(define_exports);
