// Table: one line for each type or constant.
//! Types and constants that `cl-sys` lacks: OpenCL 2.2 and 3.0, and extensions found in practice.
#![allow(non_camel_case_types, missing_docs)] // the names are C's, and so is their documentation

use super::*;
use bytemuck::{Pod, Zeroable};

pub type cl_version = cl_uint;
pub type cl_properties = cl_ulong;
pub type cl_mem_properties = cl_properties;
pub type cl_khronos_vendor_id = cl_uint;
pub type cl_device_atomic_capabilities = cl_bitfield;
pub type cl_device_device_enqueue_capabilities = cl_bitfield;

/// The size of the name in a [`cl_name_version`] in bytes, including the NUL.
pub const CL_NAME_VERSION_MAX_NAME_SIZE: usize = 64;

/// The name and version of an extension, feature, intermediate language or built-in kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct cl_name_version {
    pub version: cl_version,
    /// The name, which ends in NUL.
    pub name: [u8; CL_NAME_VERSION_MAX_NAME_SIZE],
}

// SAFETY: zeros are valid values of both fields.
unsafe impl Zeroable for cl_name_version {}
// SAFETY: plain numbers without padding.
unsafe impl Pod for cl_name_version {}

/// The address of a device on the PCI bus.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct cl_device_pci_bus_info_khr {
    pub pci_domain: cl_uint,
    pub pci_bus: cl_uint,
    pub pci_device: cl_uint,
    pub pci_function: cl_uint,
}

// SAFETY: zeros are valid values of every field.
unsafe impl Zeroable for cl_device_pci_bus_info_khr {}
// SAFETY: plain numbers without padding.
unsafe impl Pod for cl_device_pci_bus_info_khr {}

/// Returns the major number of a version.
#[allow(non_snake_case)] // its name in C
#[must_use]
pub const fn CL_VERSION_MAJOR(version: cl_version) -> cl_uint {
    version >> (CL_VERSION_MINOR_BITS + CL_VERSION_PATCH_BITS)
}

/// Returns the minor number of a version.
#[allow(non_snake_case)] // its name in C
#[must_use]
pub const fn CL_VERSION_MINOR(version: cl_version) -> cl_uint {
    (version >> CL_VERSION_PATCH_BITS) & CL_VERSION_MINOR_MASK
}

/// Returns the patch number of a version.
#[allow(non_snake_case)] // its name in C
#[must_use]
pub const fn CL_VERSION_PATCH(version: cl_version) -> cl_uint {
    version & CL_VERSION_PATCH_MASK
}

/// Packs three numbers into a version; bits that do not fit are cut off.
///
/// ```
/// use cl_core::raw::*;
/// let version = CL_MAKE_VERSION(3, 0, 12);
/// assert_eq!(version, 0x00c0_000c);
/// assert_eq!((CL_VERSION_MAJOR(version), CL_VERSION_PATCH(version)), (3, 12));
/// ```
#[allow(non_snake_case)] // its name in C
#[must_use]
pub const fn CL_MAKE_VERSION(major: cl_uint, minor: cl_uint, patch: cl_uint) -> cl_version {
    ((major & CL_VERSION_MAJOR_MASK) << (CL_VERSION_MINOR_BITS + CL_VERSION_PATCH_BITS))
        | ((minor & CL_VERSION_MINOR_MASK) << CL_VERSION_PATCH_BITS)
        | (patch & CL_VERSION_PATCH_MASK)
}

// Versions.
pub const CL_VERSION_MAJOR_BITS: cl_uint = 10;
pub const CL_VERSION_MINOR_BITS: cl_uint = 10;
pub const CL_VERSION_PATCH_BITS: cl_uint = 12;
pub const CL_VERSION_MAJOR_MASK: cl_uint = (1 << CL_VERSION_MAJOR_BITS) - 1;
pub const CL_VERSION_MINOR_MASK: cl_uint = (1 << CL_VERSION_MINOR_BITS) - 1;
pub const CL_VERSION_PATCH_MASK: cl_uint = (1 << CL_VERSION_PATCH_BITS) - 1;

// Constants for the versions that the headers cover.
pub const CL_VERSION_2_2: cl_bool = 1;
pub const CL_VERSION_3_0: cl_bool = 1;

// Status codes.
pub const CL_INVALID_SPEC_ID: cl_int = -71;
pub const CL_MAX_SIZE_RESTRICTION_EXCEEDED: cl_int = -72;

// Properties of platforms.
pub const CL_PLATFORM_NUMERIC_VERSION: cl_platform_info = 0x0906;
pub const CL_PLATFORM_EXTENSIONS_WITH_VERSION: cl_platform_info = 0x0907;
pub const CL_PLATFORM_ICD_SUFFIX_KHR: cl_platform_info = 0x0920;

// Properties of devices, 3.0.
pub const CL_DEVICE_NUMERIC_VERSION: cl_device_info = 0x105E;
pub const CL_DEVICE_EXTENSIONS_WITH_VERSION: cl_device_info = 0x1060;
pub const CL_DEVICE_ILS_WITH_VERSION: cl_device_info = 0x1061;
pub const CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: cl_device_info = 0x1062;
pub const CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: cl_device_info = 0x1063;
pub const CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: cl_device_info = 0x1064;
pub const CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: cl_device_info = 0x1065;
pub const CL_DEVICE_OPENCL_C_ALL_VERSIONS: cl_device_info = 0x1066;
pub const CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: cl_device_info = 0x1067;
pub const CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: cl_device_info = 0x1068;
pub const CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: cl_device_info = 0x1069;
pub const CL_DEVICE_OPENCL_C_FEATURES: cl_device_info = 0x106F;
pub const CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: cl_device_info = 0x1070;
pub const CL_DEVICE_PIPE_SUPPORT: cl_device_info = 0x1071;
pub const CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: cl_device_info = 0x1072;

// Properties of devices, extensions of the Khronos Group.
pub const CL_DEVICE_UUID_KHR: cl_device_info = 0x106A;
pub const CL_DRIVER_UUID_KHR: cl_device_info = 0x106B;
pub const CL_DEVICE_LUID_VALID_KHR: cl_device_info = 0x106C;
pub const CL_DEVICE_LUID_KHR: cl_device_info = 0x106D;
pub const CL_DEVICE_NODE_MASK_KHR: cl_device_info = 0x106E;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: cl_device_info = 0x1073;
pub const CL_DEVICE_TERMINATE_CAPABILITY_KHR: cl_device_info = 0x2031;
pub const CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR: cl_device_info = 0x2035;
pub const CL_DEVICE_SPIR_VERSIONS: cl_device_info = 0x40E0;
pub const CL_DEVICE_PCI_BUS_INFO_KHR: cl_device_info = 0x410F;

// Properties of devices, extensions of NVIDIA.
pub const CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV: cl_device_info = 0x4000;
pub const CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV: cl_device_info = 0x4001;
pub const CL_DEVICE_REGISTERS_PER_BLOCK_NV: cl_device_info = 0x4002;
pub const CL_DEVICE_WARP_SIZE_NV: cl_device_info = 0x4003;
pub const CL_DEVICE_GPU_OVERLAP_NV: cl_device_info = 0x4004;
pub const CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV: cl_device_info = 0x4005;
pub const CL_DEVICE_INTEGRATED_MEMORY_NV: cl_device_info = 0x4006;
pub const CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV: cl_device_info = 0x4007;
pub const CL_DEVICE_PCI_BUS_ID_NV: cl_device_info = 0x4008;
pub const CL_DEVICE_PCI_SLOT_ID_NV: cl_device_info = 0x4009;
pub const CL_DEVICE_PCI_DOMAIN_ID_NV: cl_device_info = 0x400A;

// Properties of devices, extensions of AMD.
pub const CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD: cl_device_info = 0x4030;
pub const CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD: cl_device_info = 0x4031;
pub const CL_DEVICE_PREFERRED_CONSTANT_BUFFER_SIZE_AMD: cl_device_info = 0x4033;
pub const CL_DEVICE_PCIE_ID_AMD: cl_device_info = 0x4034;
pub const CL_DEVICE_PROFILING_TIMER_OFFSET_AMD: cl_device_info = 0x4036;
pub const CL_DEVICE_TOPOLOGY_AMD: cl_device_info = 0x4037;
pub const CL_DEVICE_BOARD_NAME_AMD: cl_device_info = 0x4038;
pub const CL_DEVICE_GLOBAL_FREE_MEMORY_AMD: cl_device_info = 0x4039;
pub const CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD: cl_device_info = 0x4040;
pub const CL_DEVICE_SIMD_WIDTH_AMD: cl_device_info = 0x4041;
pub const CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD: cl_device_info = 0x4042;
pub const CL_DEVICE_WAVEFRONT_WIDTH_AMD: cl_device_info = 0x4043;
pub const CL_DEVICE_GLOBAL_MEM_CHANNELS_AMD: cl_device_info = 0x4044;
pub const CL_DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD: cl_device_info = 0x4045;
pub const CL_DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD: cl_device_info = 0x4046;
pub const CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD: cl_device_info = 0x4047;
pub const CL_DEVICE_LOCAL_MEM_BANKS_AMD: cl_device_info = 0x4048;
pub const CL_DEVICE_THREAD_TRACE_SUPPORTED_AMD: cl_device_info = 0x4049;
pub const CL_DEVICE_GFXIP_MAJOR_AMD: cl_device_info = 0x404A;
pub const CL_DEVICE_GFXIP_MINOR_AMD: cl_device_info = 0x404B;
pub const CL_DEVICE_AVAILABLE_ASYNC_QUEUES_AMD: cl_device_info = 0x404C;

// Properties of devices, extensions of Intel.
pub const CL_DEVICE_SUB_GROUP_SIZES_INTEL: cl_device_info = 0x4108;
pub const CL_DEVICE_IP_VERSION_INTEL: cl_device_info = 0x4250;
pub const CL_DEVICE_ID_INTEL: cl_device_info = 0x4251;
pub const CL_DEVICE_NUM_SLICES_INTEL: cl_device_info = 0x4252;
pub const CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL: cl_device_info = 0x4253;
pub const CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL: cl_device_info = 0x4254;
pub const CL_DEVICE_NUM_THREADS_PER_EU_INTEL: cl_device_info = 0x4255;
pub const CL_DEVICE_FEATURE_CAPABILITIES_INTEL: cl_device_info = 0x4256;

// Bits of the atomic capabilities.
pub const CL_DEVICE_ATOMIC_ORDER_RELAXED: cl_device_atomic_capabilities = 1 << 0;
pub const CL_DEVICE_ATOMIC_ORDER_ACQ_REL: cl_device_atomic_capabilities = 1 << 1;
pub const CL_DEVICE_ATOMIC_ORDER_SEQ_CST: cl_device_atomic_capabilities = 1 << 2;
pub const CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM: cl_device_atomic_capabilities = 1 << 3;
pub const CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP: cl_device_atomic_capabilities = 1 << 4;
pub const CL_DEVICE_ATOMIC_SCOPE_DEVICE: cl_device_atomic_capabilities = 1 << 5;
pub const CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES: cl_device_atomic_capabilities = 1 << 6;

// Bits of the capabilities of queues on devices.
pub const CL_DEVICE_QUEUE_SUPPORTED: cl_device_device_enqueue_capabilities = 1 << 0;
pub const CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT: cl_device_device_enqueue_capabilities = 1 << 1;

// Properties of queues.
pub const CL_QUEUE_PROPERTIES_ARRAY: cl_command_queue_info = 0x1098;

// Creating queues with hints.
pub const CL_QUEUE_PRIORITY_KHR: cl_queue_properties = 0x1096;
pub const CL_QUEUE_THROTTLE_KHR: cl_queue_properties = 0x1097;
pub const CL_QUEUE_PRIORITY_HIGH_KHR: cl_queue_properties = 1 << 0;
pub const CL_QUEUE_PRIORITY_MED_KHR: cl_queue_properties = 1 << 1;
pub const CL_QUEUE_PRIORITY_LOW_KHR: cl_queue_properties = 1 << 2;
pub const CL_QUEUE_THROTTLE_HIGH_KHR: cl_queue_properties = 1 << 0;
pub const CL_QUEUE_THROTTLE_MED_KHR: cl_queue_properties = 1 << 1;
pub const CL_QUEUE_THROTTLE_LOW_KHR: cl_queue_properties = 1 << 2;

// Properties of memory.
pub const CL_MEM_PROPERTIES: cl_mem_info = 0x110A;

// Properties of pipes.
pub const CL_PIPE_PROPERTIES: cl_pipe_info = 0x1122;

// Properties of samplers.
pub const CL_SAMPLER_PROPERTIES: cl_sampler_info = 0x1158;

// Properties of programs.
pub const CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT: cl_program_info = 0x116A;
pub const CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: cl_program_info = 0x116B;

// Kinds of a program's binary.
pub const CL_PROGRAM_BINARY_TYPE_INTERMEDIATE: cl_program_binary_type = 0x40E1;

// Commands.
pub const CL_COMMAND_SVM_MIGRATE_MEM: cl_command_type = 0x120E;

// Vendors without a vendor number of the PCI group.
pub const CL_KHRONOS_VENDOR_ID_CODEPLAY: cl_khronos_vendor_id = 0x1_0004;
