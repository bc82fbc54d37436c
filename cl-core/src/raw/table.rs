//! The function table, generated from the loader's list.

use super::*;

macro_rules! define_table {
    (
        required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
    ) => {
        /// All functions of OpenCL 1.0 to 3.0, and of sharing with OpenGL, as loaded from one
        /// library.
        ///
        /// The fields have the C names. Functions that OpenCL 1.2 requires are always present.
        /// Deprecated functions, and functions of newer versions or extensions, are an `Option`.
        /// The functions of [`require`] convert a missing one to an error that says why.
        ///
        /// The table is plain data. To count calls, or to make a call fail, copy the table, replace
        /// an entry, and give it to [`Library::from_functions`](crate::Library::from_functions).
        #[allow(non_snake_case, missing_docs)] // the names are C's, and so is their documentation
        #[derive(Clone, Copy, Debug)]
        pub struct Functions {
            $(pub $name: unsafe extern "system" fn($($argument: $type),*) -> $return,)*
            $(
                #[doc = concat!("Brought by `", $since, "`: a version of OpenCL, or an extension.")]
                pub $extra: Option<unsafe extern "system" fn($($parameter: $kind),*) -> $result>,
            )*
        }

        impl Functions {
            /// Looks up all functions by their C names; the error is the name of the first required
            /// function that is missing.
            ///
            /// # Safety
            /// `find` returns null or the address of the OpenCL function of that name.
            pub(crate) unsafe fn resolve(
                find: impl Fn(&'static str) -> *const c_void,
            ) -> Result<Self, &'static str> {
                Ok(Self {
                    $($name: {
                        let address = find(stringify!($name));
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: by the caller's promise this is the function with the signature
                        // in the list. cl-sys has the same signature, see the constants below.
                        unsafe {
                            std::mem::transmute::<
                                *const c_void,
                                unsafe extern "system" fn($($argument: $type),*) -> $return,
                            >(address)
                        }
                    },)*
                    // SAFETY: as above; null is `None`.
                    $($extra: unsafe {
                        std::mem::transmute::<
                            *const c_void,
                            Option<unsafe extern "system" fn($($parameter: $kind),*) -> $result>,
                        >(find(stringify!($extra)))
                    },)*
                })
            }
        }

        $(compare!($name: unsafe extern "system" fn($($type),*) -> $return);)*
        $(compare!($extra: unsafe extern "system" fn($($kind),*) -> $result);)*
    };
}

/// Makes the compiler compare a signature with cl-sys's. An unnamed constant generates no code, so
/// this creates no reference to the C function.
macro_rules! compare {
    // cl-sys has a Rust `char` instead of a C `char` in the first, and lacks the result of the
    // second.
    (clCreateProgramWithBuiltInKernels: $signature:ty) => {};
    (clGetExtensionFunctionAddress: $signature:ty) => {};
    // cl-sys does not have these.
    (clSetCommandQueueProperty: $signature:ty) => {};
    (clUnloadPlatformCompiler: $signature:ty) => {};
    (clSetProgramReleaseCallback: $signature:ty) => {};
    (clSetProgramSpecializationConstant: $signature:ty) => {};
    (clCreateBufferWithProperties: $signature:ty) => {};
    (clCreateImageWithProperties: $signature:ty) => {};
    (clSetContextDestructorCallback: $signature:ty) => {};
    ($name:ident: $signature:ty) => {
        const _: $signature = cl_sys::$name;
    };
}

for_each_function!(define_table);
