//! Numbers and sizes of a device: units, memory, images.

use super::Device;
use super::property::{newer_properties, properties};
use crate::error::Result;
use crate::raw;
use crate::raw::cl_uint;

/// The limits that every launch and allocation is checked against, read from the driver once.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest number of work-items in a work-group.
    pub work_group_size: usize,
    /// The largest number of work-items in a work-group along each dimension.
    pub work_item_sizes: Vec<usize>,
    /// The largest number of bytes in one buffer.
    pub allocation: u64,
    /// The number of bytes of local memory in a work-group.
    pub local_memory: u64,
    /// The width of a device address in bits.
    pub address_bits: u32,
    /// The alignment of sub-buffers, in bits: each begins at a multiple of this number.
    pub base_address_align: u32,
}

/// The number of components of a vector of each type; 0 if the device does not support the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorWidths {
    /// The width for 8-bit integers.
    pub char: u32,
    /// The width for 16-bit integers.
    pub short: u32,
    /// The width for 32-bit integers.
    pub int: u32,
    /// The width for 64-bit integers.
    pub long: u32,
    /// The width for 16-bit floats.
    pub half: u32,
    /// The width for 32-bit floats.
    pub float: u32,
    /// The width for 64-bit floats.
    pub double: u32,
}

// Work and processors.
properties! {
    compute_units: value<u32> -> u32, CL_DEVICE_MAX_COMPUTE_UNITS, "";
    clock: value<u32> -> u32, CL_DEVICE_MAX_CLOCK_FREQUENCY, ", in MHz";
    address_bits: value<u32> -> u32, CL_DEVICE_ADDRESS_BITS, ": the width of an address";
    max_work_group_size: value<usize> -> usize, CL_DEVICE_MAX_WORK_GROUP_SIZE, ", in work-items";
    max_dimensions: value<u32> -> u32, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, ": of a launch, at least 3";
    max_work_item_sizes: list<usize> -> Vec<usize>, CL_DEVICE_MAX_WORK_ITEM_SIZES, ", per dimension";
    max_parameter_size: value<usize> -> usize, CL_DEVICE_MAX_PARAMETER_SIZE,
        ", in bytes: of all arguments of a kernel together";
    profiling_resolution: value<usize> -> usize, CL_DEVICE_PROFILING_TIMER_RESOLUTION, ", in nanoseconds";
    printf_buffer: value<usize> -> usize, CL_DEVICE_PRINTF_BUFFER_SIZE, ", in bytes";
}

// Memory.
properties! {
    global_memory: value<u64> -> u64, CL_DEVICE_GLOBAL_MEM_SIZE, ", in bytes";
    global_cache: value<u64> -> u64, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, ", in bytes";
    global_cache_line: value<u32> -> u32, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, ", in bytes";
    local_memory: value<u64> -> u64, CL_DEVICE_LOCAL_MEM_SIZE, ", in bytes";
    max_allocation: value<u64> -> u64, CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", in bytes";
    max_constant_buffer: value<u64> -> u64, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, ", in bytes";
    max_constant_args: value<u32> -> u32, CL_DEVICE_MAX_CONSTANT_ARGS,
        ": arguments of a kernel that may be `constant` pointers";
    base_address_align: value<u32> -> u32, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
        ", in bits: the alignment of a sub-buffer";
    min_data_type_align: value<u32> -> u32, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE,
        ", in bytes: alignment of the largest data type";
}

// Images and samplers; all of them are 0 if `has_images` returns `false`.
properties! {
    max_image_2d_width: value<usize> -> usize, CL_DEVICE_IMAGE2D_MAX_WIDTH, ", in pixels";
    max_image_2d_height: value<usize> -> usize, CL_DEVICE_IMAGE2D_MAX_HEIGHT, ", in pixels";
    max_image_3d_width: value<usize> -> usize, CL_DEVICE_IMAGE3D_MAX_WIDTH, ", in pixels";
    max_image_3d_height: value<usize> -> usize, CL_DEVICE_IMAGE3D_MAX_HEIGHT, ", in pixels";
    max_image_3d_depth: value<usize> -> usize, CL_DEVICE_IMAGE3D_MAX_DEPTH, ", in pixels";
    max_image_buffer: value<usize> -> usize, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
        ", in pixels: of a 1D image made from a buffer";
    max_image_array: value<usize> -> usize, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, ", in images";
    max_read_image_args: value<u32> -> u32, CL_DEVICE_MAX_READ_IMAGE_ARGS, ": of a kernel";
    max_write_image_args: value<u32> -> u32, CL_DEVICE_MAX_WRITE_IMAGE_ARGS, ": of a kernel";
    max_samplers: value<u32> -> u32, CL_DEVICE_MAX_SAMPLERS, ": of a kernel";
}

newer_properties! {
    max_read_write_image_args: value<u32> -> u32, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, " (2.0): of a kernel";
    image_pitch_alignment: value<u32> -> u32, CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
        " (2.0), in pixels: of the rows of a 2D image made from a buffer";
    image_base_address_alignment: value<u32> -> u32, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
        " (2.0), in pixels: of the host memory under such a buffer";
    max_global_variable: value<usize> -> usize, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
        " (2.0), in bytes: of one variable that a program declares `global`";
    preferred_global_variables: value<usize> -> usize, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
        " (2.0), in bytes: of all such variables together";
    max_pipe_args: value<u32> -> u32, CL_DEVICE_MAX_PIPE_ARGS, " (2.0): of a kernel";
    max_pipe_reservations: value<u32> -> u32, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
        " (2.0): for one pipe and one work-item";
    max_pipe_packet: value<u32> -> u32, CL_DEVICE_PIPE_MAX_PACKET_SIZE, " (2.0), in bytes";
    device_queue_preferred_size: value<u32> -> u32, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
        " (2.0), in bytes";
    device_queue_max_size: value<u32> -> u32, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, " (2.0), in bytes";
    max_device_queues: value<u32> -> u32, CL_DEVICE_MAX_ON_DEVICE_QUEUES, " (2.0): in one context";
    max_device_events: value<u32> -> u32, CL_DEVICE_MAX_ON_DEVICE_EVENTS, " (2.0): in use by one device queue";
    preferred_platform_atomic_alignment: value<u32> -> u32, CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
        " (2.0), in bytes; 0 means the alignment of the type";
    preferred_global_atomic_alignment: value<u32> -> u32, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
        " (2.0), in bytes; 0 means the alignment of the type";
    preferred_local_atomic_alignment: value<u32> -> u32, CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
        " (2.0), in bytes; 0 means the alignment of the type";
    max_sub_groups: value<u32> -> u32, CL_DEVICE_MAX_NUM_SUB_GROUPS,
        " (2.1): in a work-group; 0 if the device has no sub-groups";
    preferred_group_multiple: value<usize> -> usize, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
        " (3.0), in work-items";
}

impl Device {
    /// Returns the limits that launches and allocations are checked against.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn limits(&self) -> Result<&Limits> {
        if let Some(limits) = self.0.limits.get() {
            return Ok(limits);
        }
        let limits = Limits {
            work_group_size: self.max_work_group_size()?,
            work_item_sizes: self.max_work_item_sizes()?,
            allocation: self.max_allocation()?,
            local_memory: self.local_memory()?,
            address_bits: self.address_bits()?,
            base_address_align: self.base_address_align()?,
        };
        Ok(self.0.limits.get_or_init(|| limits))
    }

    /// Returns `CL_DEVICE_PREFERRED_VECTOR_WIDTH_*`: the widths of vectors that source code should
    /// use. A compiler that vectorises by itself prefers 1.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn preferred_vector_widths(&self) -> Result<VectorWidths> {
        use raw::*;
        self.vector_widths([
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
        ])
    }

    /// Returns `CL_DEVICE_NATIVE_VECTOR_WIDTH_*`: the widths of the hardware's vectors.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn native_vector_widths(&self) -> Result<VectorWidths> {
        use raw::*;
        self.vector_widths([
            CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR,
            CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
            CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
            CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
            CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
            CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
            CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
        ])
    }

    /// Asks for the seven widths. `names` holds the queries in the order of [`VectorWidths`]'s fields.
    fn vector_widths(&self, names: [cl_uint; 7]) -> Result<VectorWidths> {
        let [char, short, int, long, half, float, double] = names;
        Ok(VectorWidths {
            char: self.value(char)?,
            short: self.value(short)?,
            int: self.value(int)?,
            long: self.value(long)?,
            half: self.value(half)?,
            float: self.value(float)?,
            double: self.value(double)?,
        })
    }

    /// Returns the numbers of work-items that a sub-group can have: the sizes of
    /// `cl_intel_required_subgroup_size`, or the single width of NVIDIA's warps or AMD's
    /// wavefronts. Returns `None` if the driver does not report them.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub fn sub_group_sizes(&self) -> Result<Option<Vec<usize>>> {
        if self.has_extension("cl_intel_required_subgroup_size")? {
            return self.list(raw::CL_DEVICE_SUB_GROUP_SIZES_INTEL).map(Some);
        }
        let vendors = [
            ("cl_nv_device_attribute_query", raw::CL_DEVICE_WARP_SIZE_NV),
            ("cl_amd_device_attribute_query", raw::CL_DEVICE_WAVEFRONT_WIDTH_AMD),
        ];
        for (extension, query) in vendors {
            if let Some(width) = self.with_extension(extension, || self.value::<u32>(query))? {
                return Ok(Some(vec![width as usize]));
            }
        }
        Ok(None)
    }
}
