// Table: one line for each status code of OpenCL 1.0 to 3.0 and of the extensions met in practice.
//! Status codes by their C names.

use std::fmt;

/// A status code of an OpenCL function. Displays as its C name and number: `CL_OUT_OF_RESOURCES (-5)`.
///
/// ```
/// use cl_core::Status;
/// assert_eq!(Status(-5).to_string(), "CL_OUT_OF_RESOURCES (-5)");
/// assert_eq!(Status(-4242).to_string(), "unknown OpenCL status (-4242)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(pub i32);

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "unknown OpenCL status ({})", self.0),
        }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! statuses {
    ($($name:ident = $code:literal),* $(,)?) => {
        #[allow(missing_docs)] // the names and their documentation are C's
        impl Status {
            $(pub const $name: Status = Status($code);)*

            /// Returns the C name, if OpenCL or a known extension defines the code.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($code => Some(concat!("CL_", stringify!($name))),)*
                    _ => None,
                }
            }
        }
    };
}

statuses! {
    SUCCESS = 0,
    DEVICE_NOT_FOUND = -1,
    DEVICE_NOT_AVAILABLE = -2,
    COMPILER_NOT_AVAILABLE = -3,
    MEM_OBJECT_ALLOCATION_FAILURE = -4,
    OUT_OF_RESOURCES = -5,
    OUT_OF_HOST_MEMORY = -6,
    PROFILING_INFO_NOT_AVAILABLE = -7,
    MEM_COPY_OVERLAP = -8,
    IMAGE_FORMAT_MISMATCH = -9,
    IMAGE_FORMAT_NOT_SUPPORTED = -10,
    BUILD_PROGRAM_FAILURE = -11,
    MAP_FAILURE = -12,
    MISALIGNED_SUB_BUFFER_OFFSET = -13,
    EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    COMPILE_PROGRAM_FAILURE = -15,
    LINKER_NOT_AVAILABLE = -16,
    LINK_PROGRAM_FAILURE = -17,
    DEVICE_PARTITION_FAILED = -18,
    KERNEL_ARG_INFO_NOT_AVAILABLE = -19,
    INVALID_VALUE = -30,
    INVALID_DEVICE_TYPE = -31,
    INVALID_PLATFORM = -32,
    INVALID_DEVICE = -33,
    INVALID_CONTEXT = -34,
    INVALID_QUEUE_PROPERTIES = -35,
    INVALID_COMMAND_QUEUE = -36,
    INVALID_HOST_PTR = -37,
    INVALID_MEM_OBJECT = -38,
    INVALID_IMAGE_FORMAT_DESCRIPTOR = -39,
    INVALID_IMAGE_SIZE = -40,
    INVALID_SAMPLER = -41,
    INVALID_BINARY = -42,
    INVALID_BUILD_OPTIONS = -43,
    INVALID_PROGRAM = -44,
    INVALID_PROGRAM_EXECUTABLE = -45,
    INVALID_KERNEL_NAME = -46,
    INVALID_KERNEL_DEFINITION = -47,
    INVALID_KERNEL = -48,
    INVALID_ARG_INDEX = -49,
    INVALID_ARG_VALUE = -50,
    INVALID_ARG_SIZE = -51,
    INVALID_KERNEL_ARGS = -52,
    INVALID_WORK_DIMENSION = -53,
    INVALID_WORK_GROUP_SIZE = -54,
    INVALID_WORK_ITEM_SIZE = -55,
    INVALID_GLOBAL_OFFSET = -56,
    INVALID_EVENT_WAIT_LIST = -57,
    INVALID_EVENT = -58,
    INVALID_OPERATION = -59,
    INVALID_GL_OBJECT = -60,
    INVALID_BUFFER_SIZE = -61,
    INVALID_MIP_LEVEL = -62,
    INVALID_GLOBAL_WORK_SIZE = -63,
    INVALID_PROPERTY = -64,
    INVALID_IMAGE_DESCRIPTOR = -65,
    INVALID_COMPILER_OPTIONS = -66,
    INVALID_LINKER_OPTIONS = -67,
    INVALID_DEVICE_PARTITION_COUNT = -68,
    INVALID_PIPE_SIZE = -69,
    INVALID_DEVICE_QUEUE = -70,
    INVALID_SPEC_ID = -71,
    MAX_SIZE_RESTRICTION_EXCEEDED = -72,
    INVALID_GL_SHAREGROUP_REFERENCE_KHR = -1000,
    PLATFORM_NOT_FOUND_KHR = -1001,
    INVALID_D3D10_DEVICE_KHR = -1002,
    INVALID_D3D10_RESOURCE_KHR = -1003,
    D3D10_RESOURCE_ALREADY_ACQUIRED_KHR = -1004,
    D3D10_RESOURCE_NOT_ACQUIRED_KHR = -1005,
    INVALID_D3D11_DEVICE_KHR = -1006,
    INVALID_D3D11_RESOURCE_KHR = -1007,
    D3D11_RESOURCE_ALREADY_ACQUIRED_KHR = -1008,
    D3D11_RESOURCE_NOT_ACQUIRED_KHR = -1009,
    INVALID_DX9_MEDIA_ADAPTER_KHR = -1010,
    INVALID_DX9_MEDIA_SURFACE_KHR = -1011,
    DX9_MEDIA_SURFACE_ALREADY_ACQUIRED_KHR = -1012,
    DX9_MEDIA_SURFACE_NOT_ACQUIRED_KHR = -1013,
    DEVICE_PARTITION_FAILED_EXT = -1057,
    INVALID_PARTITION_COUNT_EXT = -1058,
    INVALID_PARTITION_NAME_EXT = -1059,
    EGL_RESOURCE_NOT_ACQUIRED_KHR = -1092,
    INVALID_EGL_OBJECT_KHR = -1093,
    INVALID_ACCELERATOR_INTEL = -1094,
    INVALID_ACCELERATOR_TYPE_INTEL = -1095,
    INVALID_ACCELERATOR_DESCRIPTOR_INTEL = -1096,
    ACCELERATOR_TYPE_NOT_SUPPORTED_INTEL = -1097,
    INVALID_VA_API_MEDIA_ADAPTER_INTEL = -1098,
    INVALID_VA_API_MEDIA_SURFACE_INTEL = -1099,
    VA_API_MEDIA_SURFACE_ALREADY_ACQUIRED_INTEL = -1100,
    VA_API_MEDIA_SURFACE_NOT_ACQUIRED_INTEL = -1101,
    COMMAND_TERMINATED_ITSELF_WITH_FAILURE_ARM = -1108,
    CONTEXT_TERMINATED_KHR = -1121,
    INVALID_COMMAND_BUFFER_KHR = -1138,
    INVALID_SYNC_POINT_WAIT_LIST_KHR = -1139,
    INCOMPATIBLE_COMMAND_QUEUE_KHR = -1140,
    INVALID_MUTABLE_COMMAND_KHR = -1141,
    INVALID_SEMAPHORE_KHR = -1142,
    NV_ILLEGAL_BUFFER_READ_OR_WRITE = -9999,
}

/// Logs a release that failed. Destructors never panic.
pub(crate) fn log_failed_release(call: &'static str, status: crate::raw::cl_int) {
    if status != 0 {
        log::error!("{call} failed: {}", Status(status));
    }
}
