//! Functions under C's names that forward to a table of a library's.

/// What a function of OpenCL returns when it could not be called, given the status that says why.
#[doc(hidden)]
pub trait Failure {
    fn failure(status: i32) -> Self;
}

impl Failure for i32 {
    fn failure(status: i32) -> i32 {
        status
    }
}

impl<T> Failure for *mut T {
    fn failure(_: i32) -> *mut T {
        std::ptr::null_mut()
    }
}

impl Failure for () {
    fn failure(_: i32) {}
}

/// Defines every function of [`for_each_function!`](crate::for_each_function) as a Rust function
/// that forwards to a table.
///
/// The place of use provides, beside the names that the list needs, a function `table` without
/// parameters. It returns either a reference to a structure whose fields have the functions' names
/// and are function pointers or `Option`s of them, or the status code that stands for the absence
/// of a library. A function that the table lacks is `CL_INVALID_OPERATION`. A status is returned by
/// functions that return one, and stored through `errcode_ret` by those that have it; a pointer is
/// then null.
#[macro_export]
macro_rules! define_forwarders {
    (
        required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
    ) => {
        $($crate::define_forwarders!(@one "1.2" $name ($($argument: $type),*) $return);)*
        $($crate::define_forwarders!(@one $since $extra ($($parameter: $kind),*) $result);)*
    };
    (@one $since:literal $name:ident ($($argument:ident: $type:ty),*) $return:ty) => {
        #[doc = concat!("The C function of this name; brought by `", $since, "` at the latest.")]
        ///
        /// # Safety
        /// As in C: handles are valid, pointers point to what OpenCL says they point to.
        #[allow(non_snake_case, clippy::too_many_arguments)] // the name and the arguments are C's
        pub unsafe extern "system" fn $name($($argument: $type),*) -> $return {
            type Entry = Option<unsafe extern "system" fn($($type),*) -> $return>;
            // An entry is a function or an `Option` of one, and both convert into an `Option`.
            let entry = table().and_then(|functions| {
                Entry::from(functions.$name).ok_or($crate::INVALID_OPERATION)
            });
            match entry {
                // SAFETY: the caller's arguments, unchanged, to the function it meant.
                Ok(function) => unsafe { function($($argument),*) },
                Err(status) => {
                    $($crate::define_forwarders!(@report $argument $argument status);)*
                    $crate::Failure::failure(status)
                }
            }
        }
    };
    // Stores the status where a parameter is named as the place for it. The parameter is given
    // twice: to be compared with the name, and to be used.
    (@report errcode_ret $place:ident $status:ident) => {
        if !$place.is_null() {
            // SAFETY: OpenCL's caller gives null or a place for the status.
            unsafe { *$place = $status };
        }
    };
    (@report $other:ident $parameter:ident $status:ident) => {};
}

/// `CL_INVALID_OPERATION`: the status of a function that the library lacks.
#[doc(hidden)]
pub const INVALID_OPERATION: i32 = -59;
