//! The features of a device.

use super::property::{newer_properties, properties};
use super::{Device, Version};
use crate::error::{Error, Result};
use crate::info::known;
use crate::raw;
use crate::raw::cl_bool;

bitflags::bitflags! {
    /// The properties of a device's arithmetic with one type of float.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct FpConfig: u64 {
        /// Denormal numbers are kept, and not flushed to zero.
        const DENORMALS = 1;
        /// Infinities and NaNs exist.
        const INF_NAN = 1 << 1;
        /// Rounds to the nearest, ties to even.
        const ROUND_TO_NEAREST = 1 << 2;
        /// Rounds towards zero.
        const ROUND_TO_ZERO = 1 << 3;
        /// Rounds towards the infinities.
        const ROUND_TO_INFINITY = 1 << 4;
        /// `fma` is IEEE 754's fused multiply-add.
        const FMA = 1 << 5;
        /// The basic operations are done in software.
        const SOFT_FLOAT = 1 << 6;
        /// `/` and `sqrt` can be asked to round correctly.
        const CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7;
    }

    /// The kinds of functions that a device can execute.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct ExecutionCapabilities: u64 {
        /// OpenCL kernels.
        const KERNELS = 1;
        /// Functions of the host, enqueued as commands.
        const NATIVE_KERNELS = 1 << 1;
    }

    /// The properties that a command queue can have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct QueueCapabilities: u64 {
        /// Commands may overtake each other.
        const OUT_OF_ORDER = 1;
        /// The driver records when commands run.
        const PROFILING = 1 << 1;
    }

    /// Kinds of shared virtual memory (OpenCL 2.0).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SvmCapabilities: u64 {
        /// Allocations that the host must map before it uses them.
        const COARSE_GRAIN_BUFFER = 1;
        /// Allocations that host and device use at the same time.
        const FINE_GRAIN_BUFFER = 1 << 1;
        /// All memory of the host.
        const FINE_GRAIN_SYSTEM = 1 << 2;
        /// Atomic operations between host and device on fine-grained memory.
        const ATOMICS = 1 << 3;
    }

    /// Memory orders and scopes that atomic operations or fences can have (OpenCL 3.0).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct AtomicCapabilities: u64 {
        /// `memory_order_relaxed`.
        const ORDER_RELAXED = 1;
        /// `memory_order_acquire`, `memory_order_release` and both.
        const ORDER_ACQ_REL = 1 << 1;
        /// `memory_order_seq_cst`.
        const ORDER_SEQ_CST = 1 << 2;
        /// `memory_scope_work_item`.
        const SCOPE_WORK_ITEM = 1 << 3;
        /// `memory_scope_work_group`.
        const SCOPE_WORK_GROUP = 1 << 4;
        /// `memory_scope_device`.
        const SCOPE_DEVICE = 1 << 5;
        /// `memory_scope_all_svm_devices`.
        const SCOPE_ALL_DEVICES = 1 << 6;
    }

    /// The commands that kernels can enqueue (OpenCL 3.0).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct DeviceEnqueueCapabilities: u64 {
        /// Other kernels.
        const SUPPORTED = 1;
        /// Kernels on a default queue that the host can replace.
        const REPLACEABLE_DEFAULT = 1 << 1;
    }
}

/// The caching of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheKind {
    /// Global memory is not cached.
    None,
    /// Reads are cached.
    ReadOnly,
    /// Reads and writes are cached.
    ReadWrite,
}

/// The location of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalMemoryKind {
    /// The device has no local memory (custom devices).
    None,
    /// Memory of its own, near the processor.
    Dedicated,
    /// A part of global memory: copying to it does not make accesses faster.
    Global,
}

properties! {
    single_fp: bits<FpConfig> -> FpConfig, CL_DEVICE_SINGLE_FP_CONFIG, ": of `float`";
    execution_capabilities: bits<ExecutionCapabilities> -> ExecutionCapabilities,
        CL_DEVICE_EXECUTION_CAPABILITIES, "";
    queue_capabilities: bits<QueueCapabilities> -> QueueCapabilities, CL_DEVICE_QUEUE_PROPERTIES,
        ": of queues that the host fills";
    has_images: flag -> bool, CL_DEVICE_IMAGE_SUPPORT, "";
    has_compiler: flag -> bool, CL_DEVICE_COMPILER_AVAILABLE, ": programs can be built from source";
    has_linker: flag -> bool, CL_DEVICE_LINKER_AVAILABLE, ": compiled programs can be linked";
    corrects_errors: flag -> bool, CL_DEVICE_ERROR_CORRECTION_SUPPORT, ": all memories correct errors";
    is_little_endian: flag -> bool, CL_DEVICE_ENDIAN_LITTLE, "";
    shares_host_memory: flag -> bool, CL_DEVICE_HOST_UNIFIED_MEMORY, "";
    prefers_user_sync: flag -> bool, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
        ": the device prefers that the program itself synchronises with other interfaces, such as OpenGL";
}

newer_properties! {
    svm_capabilities: bits<SvmCapabilities> -> SvmCapabilities, CL_DEVICE_SVM_CAPABILITIES, " (2.0)";
    device_queue_capabilities: bits<QueueCapabilities> -> QueueCapabilities,
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, " (2.0): of queues that kernels fill";
    atomic_memory_capabilities: bits<AtomicCapabilities> -> AtomicCapabilities,
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, " (3.0): of atomic operations";
    atomic_fence_capabilities: bits<AtomicCapabilities> -> AtomicCapabilities,
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, " (3.0): of `atomic_work_item_fence`";
    has_independent_sub_groups: flag -> bool, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
        " (2.1): a sub-group advances while another sub-group of its work-group waits";
    has_non_uniform_groups: flag -> bool, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
        " (3.0): the last work-group may be smaller";
    has_group_functions: flag -> bool, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
        " (3.0): `work_group_reduce_add` and its family";
    has_generic_pointers: flag -> bool, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, " (3.0)";
    has_pipes: flag -> bool, CL_DEVICE_PIPE_SUPPORT, " (3.0)";
}

impl Device {
    /// Returns `CL_DEVICE_DOUBLE_FP_CONFIG`, the properties of `double`; `None` on a device without
    /// `double`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn double_fp(&self) -> Result<Option<FpConfig>> {
        // Drivers without `double` answer 0 or do not know the property.
        let config = known(self.bits::<FpConfig>(raw::CL_DEVICE_DOUBLE_FP_CONFIG))?;
        Ok(config.filter(|config| !config.is_empty()))
    }

    /// Returns `CL_DEVICE_HALF_FP_CONFIG`, the properties of `half`; `None` on a device without
    /// `cl_khr_fp16`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn half_fp(&self) -> Result<Option<FpConfig>> {
        self.with_extension("cl_khr_fp16", || self.bits(raw::CL_DEVICE_HALF_FP_CONFIG))
    }

    /// Returns `CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES` (3.0), or `None` from a driver that does not
    /// know the property.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn device_enqueue_capabilities(&self) -> Result<Option<DeviceEnqueueCapabilities>> {
        let query = raw::CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES;
        // PoCL 3.1 answers with a `cl_bool`, whose single bit means the same.
        if known(self.list::<u8>(query))?.is_some_and(|answer| answer.len() == size_of::<cl_bool>()) {
            let supported = u64::from(self.flag(query)?);
            return Ok(Some(DeviceEnqueueCapabilities::from_bits_retain(supported)));
        }
        known(self.bits(query))
    }

    /// Returns whether a queue of the device can be out of order.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_out_of_order_queues(&self) -> Result<bool> {
        Ok(self.queue_capabilities()?.contains(QueueCapabilities::OUT_OF_ORDER))
    }

    /// Returns whether kernels in OpenCL C 3.0 can order memory accesses among all work-groups of a
    /// launch, by `atomic_work_item_fence` with `memory_order_acq_rel` and `memory_scope_device`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_device_fence(&self) -> Result<bool> {
        let needed = AtomicCapabilities::ORDER_ACQ_REL | AtomicCapabilities::SCOPE_DEVICE;
        let capable = self.atomic_fence_capabilities()?.is_some_and(|fence| fence.contains(needed));
        Ok(capable && self.opencl_c_version()? >= Version::new(3, 0))
    }

    /// Returns whether kernels can use `double`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_fp64(&self) -> Result<bool> {
        Ok(self.double_fp()?.is_some() || self.has_extension("cl_khr_fp64")?)
    }

    /// Returns whether kernels can compute with `half`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn has_fp16(&self) -> Result<bool> {
        self.has_extension("cl_khr_fp16")
    }

    /// Returns whether the compiler can be asked for single-precision `/` and `sqrt` that round
    /// correctly, as on the host.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn rounds_division_correctly(&self) -> Result<bool> {
        Ok(self.single_fp()?.contains(FpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT))
    }

    /// Returns `CL_DEVICE_GLOBAL_MEM_CACHE_TYPE`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer, [`Error::InvalidInput`] if OpenCL does
    /// not define the answer.
    pub fn global_cache_kind(&self) -> Result<CacheKind> {
        match self.value(raw::CL_DEVICE_GLOBAL_MEM_CACHE_TYPE)? {
            0_u32 => Ok(CacheKind::None),
            1 => Ok(CacheKind::ReadOnly),
            2 => Ok(CacheKind::ReadWrite),
            other => Err(unknown("CL_DEVICE_GLOBAL_MEM_CACHE_TYPE", other)),
        }
    }

    /// Returns `CL_DEVICE_LOCAL_MEM_TYPE`.
    ///
    /// # Errors
    /// As [`global_cache_kind`](Device::global_cache_kind).
    pub fn local_memory_kind(&self) -> Result<LocalMemoryKind> {
        match self.value(raw::CL_DEVICE_LOCAL_MEM_TYPE)? {
            0_u32 => Ok(LocalMemoryKind::None),
            1 => Ok(LocalMemoryKind::Dedicated),
            2 => Ok(LocalMemoryKind::Global),
            other => Err(unknown("CL_DEVICE_LOCAL_MEM_TYPE", other)),
        }
    }
}

/// Returns the error for an answer that OpenCL does not define.
fn unknown(what: &'static str, answer: u32) -> Error {
    Error::InvalidInput {
        what,
        reason: format!("the driver answered {answer}, which OpenCL does not define"),
    }
}
