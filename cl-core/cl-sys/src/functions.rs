//! OpenCL's functions, which forward to the library that the first call loads.
//!
//! They come from the loader's list, which has more functions than `cl-sys`. The crate's root
//! exports those of `cl-sys`.
#![allow(dead_code, non_camel_case_types, non_snake_case)] // unexported functions; C's names

use crate::constants::CL_PLATFORM_NOT_FOUND_KHR;
use crate::types::*;
use cl_loader::{Library, define_forwarders, for_each_function};
use libc::{c_char, c_uchar, c_void, size_t};
use std::mem::transmute;
use std::sync::OnceLock;

// Types in the loader's list that `cl-sys` does not have.
type cl_mem_properties = cl_ulong;
type ContextCallback = extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void);
type ContextDestructorCallback = extern "C" fn(cl_context, *mut c_void);
type MemoryCallback = extern "C" fn(cl_mem, *mut c_void);
type BuildCallback = extern "C" fn(cl_program, *mut c_void);
type EventCallback = extern "C" fn(cl_event, cl_int, *mut c_void);
type NativeKernel = extern "C" fn(*mut c_void);
type SvmFreeCallback = extern "C" fn(cl_command_queue, cl_uint, *const *const c_void, *mut c_void);

macro_rules! define_table {
    (
        required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
    ) => {
        /// The functions of one library; `None` for a function that it lacks. Even a library of
        /// OpenCL 1.1, which lacks many, serves programs that do not need them.
        struct Functions {
            $($name: Option<unsafe extern "system" fn($($type),*) -> $return>,)*
            $($extra: Option<unsafe extern "system" fn($($kind),*) -> $result>,)*
        }

        impl Functions {
            /// Looks up all functions in a library.
            ///
            /// # Safety
            /// The library's functions with names of OpenCL are OpenCL's functions.
            unsafe fn of(library: &Library) -> Functions {
                Functions {
                    // SAFETY: an address, or null for `None`, of the function whose type is in the
                    // list.
                    $($name: unsafe {
                        transmute::<*const c_void, Option<unsafe extern "system" fn($($type),*) -> $return>>(
                            library.find(stringify!($name)),
                        )
                    },)*
                    // SAFETY: as above.
                    $($extra: unsafe {
                        transmute::<*const c_void, Option<unsafe extern "system" fn($($kind),*) -> $result>>(
                            library.find(stringify!($extra)),
                        )
                    },)*
                }
            }
        }
    };
}

for_each_function!(define_table);

static LOADED: OnceLock<Functions> = OnceLock::new();

/// Returns the functions of the system's library. A failure to load it is not remembered: the next
/// call tries again.
fn table() -> Result<&'static Functions, cl_int> {
    if let Some(functions) = LOADED.get() {
        return Ok(functions);
    }
    let library = cl_loader::open_system().map_err(|_| CL_PLATFORM_NOT_FOUND_KHR)?;
    // SAFETY: the system's library with OpenCL's name holds OpenCL's functions, and so does a
    // library that the user has chosen in its place.
    Ok(LOADED.get_or_init(|| unsafe { Functions::of(&library) }))
}

for_each_function!(define_forwarders);
