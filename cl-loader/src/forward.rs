//! Functions under C's names that forward calls to the table of a library.

/// The return value of an OpenCL function that could not be called, made from the status that gives the
/// reason.
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

/// Defines every function of [`for_each_function!`](crate::for_each_function) as a Rust function that
/// forwards to a table.
///
/// The code that uses the macro provides the names that the list needs, and a function `table` without
/// parameters. `table` returns either a reference to a structure or a status code. The fields of the
/// structure have the functions' names, and are function pointers or `Option`s of them. The status code says
/// why no library could be loaded.
///
/// A call of a function that the table lacks has the status `CL_INVALID_OPERATION`; without a table, calls
/// have the status code of `table`. Functions that return a status return it. Functions with a parameter
/// `errcode_ret` store the status there, and return null.
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
        /// The same as in C: handles are valid, and pointers point to what OpenCL says they point to.
        #[allow(non_snake_case, clippy::too_many_arguments)] // the name and the arguments are C's
        pub unsafe extern "system" fn $name($($argument: $type),*) -> $return {
            type Entry = Option<unsafe extern "system" fn($($type),*) -> $return>;
            // An entry is a function or an `Option` of one, and both convert into an `Option`.
            let entry = table().and_then(|functions| {
                Entry::from(functions.$name).ok_or($crate::INVALID_OPERATION)
            });
            match entry {
                // SAFETY: the caller's arguments, unchanged, to the function that the caller named.
                Ok(function) => unsafe { function($($argument),*) },
                Err(status) => {
                    $($crate::define_forwarders!(@report $argument $argument status);)*
                    $crate::Failure::failure(status)
                }
            }
        }
    };
    // Stores the status if the parameter's name is `errcode_ret`. The parameter is given twice: once to
    // compare its name, and once to use it.
    (@report errcode_ret $place:ident $status:ident) => {
        if !$place.is_null() {
            // SAFETY: OpenCL's caller gives null or a pointer for the status.
            unsafe { *$place = $status };
        }
    };
    (@report $other:ident $parameter:ident $status:ident) => {};
}

/// `CL_INVALID_OPERATION`: the status of a function that the library lacks.
#[doc(hidden)]
pub const INVALID_OPERATION: i32 = -59;
