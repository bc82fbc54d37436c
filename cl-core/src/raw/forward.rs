//! Every function of OpenCL as a Rust function that forwards to the process's library.

use super::*;
use crate::library::Library;
use crate::status::Status;

/// The table of the process's library, or the status code that stands for its absence.
fn table() -> Result<&'static Functions, cl_int> {
    Library::load().map(Library::functions).map_err(|_| Status::PLATFORM_NOT_FOUND_KHR.0)
}

/// What a function returns that could not be called.
trait Failure {
    fn failure(status: cl_int) -> Self;
}

impl Failure for cl_int {
    fn failure(status: cl_int) -> cl_int {
        status
    }
}

impl Failure for *mut c_void {
    fn failure(_: cl_int) -> *mut c_void {
        std::ptr::null_mut()
    }
}

impl Failure for () {
    fn failure(_: cl_int) {}
}

/// Stores the status where a parameter is named as the place for it. The parameter is given twice:
/// to be compared with the name, and to be used.
macro_rules! report {
    (errcode_ret $place:ident $status:ident) => {
        if !$place.is_null() {
            // SAFETY: OpenCL's caller gives null or a place for the status.
            unsafe { *$place = $status };
        }
    };
    ($other:ident $parameter:ident $status:ident) => {};
}

macro_rules! define_forwarders {
    (
        required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
    ) => {
        $(define_forwarders!(
            "1.2", $name, |functions| Some(functions.$name), ($($argument: $type),*), $return
        );)*
        $(define_forwarders!(
            $since, $extra, |functions| functions.$extra, ($($parameter: $kind),*), $result
        );)*
    };
    (
        $since:literal, $name:ident, |$functions:ident| $entry:expr,
        ($($argument:ident: $type:ty),*), $return:ty
    ) => {
        #[doc = concat!("The C function of this name; brought by `", $since, "` at the latest.")]
        ///
        /// # Safety
        /// As in C: handles are valid, pointers point to what OpenCL says they point to.
        #[allow(non_snake_case, clippy::too_many_arguments)] // the name and the arguments are C's
        pub unsafe extern "system" fn $name($($argument: $type),*) -> $return {
            let entry = table().and_then(|$functions| $entry.ok_or(Status::INVALID_OPERATION.0));
            match entry {
                // SAFETY: the caller's arguments, unchanged, to the function it meant.
                Ok(function) => unsafe { function($($argument),*) },
                Err(status) => {
                    $(report!($argument $argument status);)*
                    Failure::failure(status)
                }
            }
        }
    };
}

for_each_function!(define_forwarders);
