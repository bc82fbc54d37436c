//! The function table, made from the loader's list.

use super::*;

macro_rules! define_table {
    (
        required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
    ) => {
        /// Every function of OpenCL 1.0 to 3.0, and sharing with OpenGL, as loaded from one library.
        ///
        /// The fields carry the C names. What OpenCL 1.2 requires is there; what it deprecates, and
        /// what newer versions or extensions bring, is an `Option`. The functions of
        /// [`require`] turn a missing one into an error that says why.
        ///
        /// The table is plain data: copy it, replace an entry, and give it to
        /// [`Library::from_functions`](crate::Library::from_functions) to count calls or to make
        /// one of them fail.
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
            /// Looks every function up by its C name; the error is the first required one that is
            /// missing.
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
                        // SAFETY: by the caller's promise this is the function whose signature
                        // stands in the list; cl-sys agrees, see the constants below.
                        unsafe {
                            std::mem::transmute::<
                                *const c_void,
                                unsafe extern "system" fn($($argument: $type),*) -> $return,
                            >(address)
                        }
                    },)*
                    // SAFETY: as above; null and `None` are the same.
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

/// Has the compiler compare a signature with cl-sys's. An unnamed constant generates no code, so
/// this creates no reference to the C function.
macro_rules! compare {
    // cl-sys has a Rust `char` where C has a `char`, and forgets the result of the other.
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
