//! The names of device and platform queries: those of `cl-sys`, and those that it does not have.

use crate::raw::cl_uint;

pub(crate) use cl_sys::*;

// OpenCL 3.0.
pub(crate) const CL_PLATFORM_EXTENSIONS_WITH_VERSION: cl_uint = 0x0907;
pub(crate) const CL_DEVICE_EXTENSIONS_WITH_VERSION: cl_uint = 0x1060;
pub(crate) const CL_DEVICE_ILS_WITH_VERSION: cl_uint = 0x1061;
pub(crate) const CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: cl_uint = 0x1062;
pub(crate) const CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: cl_uint = 0x1063;
pub(crate) const CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: cl_uint = 0x1064;
pub(crate) const CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: cl_uint = 0x1065;
pub(crate) const CL_DEVICE_OPENCL_C_ALL_VERSIONS: cl_uint = 0x1066;
pub(crate) const CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: cl_uint = 0x1067;
pub(crate) const CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: cl_uint = 0x1068;
pub(crate) const CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: cl_uint = 0x1069;
pub(crate) const CL_DEVICE_OPENCL_C_FEATURES: cl_uint = 0x106F;
pub(crate) const CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: cl_uint = 0x1070;
pub(crate) const CL_DEVICE_PIPE_SUPPORT: cl_uint = 0x1071;
pub(crate) const CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: cl_uint = 0x1072;

// cl_khr_icd
pub(crate) const CL_PLATFORM_ICD_SUFFIX_KHR: cl_uint = 0x0920;

// cl_khr_device_uuid
pub(crate) const CL_DEVICE_UUID_KHR: cl_uint = 0x106A;
pub(crate) const CL_DRIVER_UUID_KHR: cl_uint = 0x106B;
pub(crate) const CL_DEVICE_LUID_VALID_KHR: cl_uint = 0x106C;
pub(crate) const CL_DEVICE_LUID_KHR: cl_uint = 0x106D;

// cl_khr_pci_bus_info
pub(crate) const CL_DEVICE_PCI_BUS_INFO_KHR: cl_uint = 0x410F;

// cl_intel_required_subgroup_size
pub(crate) const CL_DEVICE_SUB_GROUP_SIZES_INTEL: cl_uint = 0x4108;

// cl_nv_device_attribute_query
pub(crate) const CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV: cl_uint = 0x4000;
pub(crate) const CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV: cl_uint = 0x4001;
pub(crate) const CL_DEVICE_WARP_SIZE_NV: cl_uint = 0x4003;
pub(crate) const CL_DEVICE_PCI_BUS_ID_NV: cl_uint = 0x4008;
pub(crate) const CL_DEVICE_PCI_SLOT_ID_NV: cl_uint = 0x4009;
pub(crate) const CL_DEVICE_PCI_DOMAIN_ID_NV: cl_uint = 0x400A;

// cl_amd_device_attribute_query
pub(crate) const CL_DEVICE_TOPOLOGY_AMD: cl_uint = 0x4037;
pub(crate) const CL_DEVICE_WAVEFRONT_WIDTH_AMD: cl_uint = 0x4043;
