//! Finding platforms and devices, and asking for their properties.

use cl_core::raw::require;
use cl_core::{Device, DeviceKind, Filter, Library, Platform, Version};
use cl_test::sweep::{Bench, Operation, run};

/// Returns a device that has not been asked anything yet.
fn new_device(bench: &Bench) -> Device {
    let library = bench.device.library();
    // SAFETY: a root device, which has no references.
    unsafe { Device::from_raw(library, bench.device.as_raw()) }.unwrap()
}

fn library(bench: &Bench) -> Library {
    bench.device.library()
}

/// Asks for properties, one after the other.
macro_rules! ask {
    ($whom:expr; $($property:ident),* $(,)?) => {{
        let asked = $whom;
        run(move || {
            $(asked.$property()?;)*
            Ok(())
        })
    }};
}

#[rustfmt::skip] // one line a row where it fits
pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Platform::all_of", |bench| run(|| Platform::all_of(library(bench)).map(drop))),
    Operation::new("Platform::devices", |bench| run(|| bench.device.platform().devices().map(drop))),
    Operation::new("Platform::devices_of", |bench| {
        run(|| bench.device.platform().devices_of(DeviceKind::CPU | DeviceKind::GPU).map(drop))
    }),
    // A platform that fails is skipped as long as another one has devices. A device that does not tell its kind is the
    // last one.
    Operation::new("Device::all_of", |bench| run(|| Device::all_of(library(bench)).map(drop)))
        .ignores_failures_of(&["clGetDeviceIDs", "clGetDeviceInfo"]),
    Operation::new("Device::from_raw", |bench| {
        // SAFETY: a root device, which has no references.
        run(|| unsafe { Device::from_raw(library(bench), bench.device.as_raw()) }.map(drop))
    }),
    Operation::new("Filter::select_from", |bench| {
        let device = new_device(bench);
        let wanted = (Filter::fp64() | Filter::fp16() | Filter::any())
            & Filter::platform("") & Filter::vendor("") & Filter::name("") & !Filter::extension("cl_none")
            & Filter::opencl(Version::new(1, 0)) & Filter::global_memory(1) & Filter::compute_units(1);
        run(move || wanted.select_from(&[device]).map(drop))
    }),
    Operation::new("Library::extension_function", |bench| {
        // Its only failure is to find nothing.
        run(|| library(bench).extension_function(&bench.device.platform(), "clNoSuchFunction").map(drop))
    })
    .ignores_failures_of(&["clGetExtensionFunctionAddressForPlatform"]),
    Operation::new("raw::require", |bench| {
        require::clGetHostTimer(&bench.device).is_ok().then_some(())?;
        run(|| require::clGetHostTimer(&bench.device).map(drop))
    }),
    Operation::new("text of a device", |bench| {
        run(|| {
            let _ = (bench.device.to_string(), format!("{:?}", bench.device), format!("{:?}", bench.queue));
            Ok(())
        })
    })
    .ignores_failures_of(&["clGetDeviceInfo", "clGetPlatformInfo"]),
    Operation::new("properties of a platform", |bench| ask!(bench.device.platform();
        name, vendor, version, profile, extensions, opencl_version, extension_versions,
        host_timer_resolution, icd_suffix)),
    Operation::new("what a device is", |bench| ask!(new_device(bench);
        name, vendor, vendor_id, version, driver_version, profile, c_version, extensions, built_in_kernels,
        is_available, reference_count, c_versions, c_features, extension_versions,
        built_in_kernel_versions, il_versions, il_version, conformance_version, kind, opencl_version,
        opencl_c_version, uuid, driver_uuid, luid, pci_address, compute_capability, architecture)),
    Operation::new("what a device can do", |bench| ask!(new_device(bench);
        single_fp, double_fp, half_fp, execution_capabilities, queue_capabilities, has_images, has_compiler,
        has_linker, corrects_errors, is_little_endian, shares_host_memory, prefers_user_sync,
        svm_capabilities, device_queue_capabilities, device_enqueue_capabilities,
        atomic_memory_capabilities, atomic_fence_capabilities, has_independent_sub_groups,
        has_non_uniform_groups, has_group_functions, has_generic_pointers, has_pipes,
        has_out_of_order_queues, has_device_fence, has_fp64, has_fp16, rounds_division_correctly,
        global_cache_kind, local_memory_kind)),
    Operation::new("how much a device has", |bench| ask!(new_device(bench);
        limits, compute_units, clock, address_bits, max_work_group_size, max_dimensions,
        max_work_item_sizes, max_parameter_size, profiling_resolution, printf_buffer, global_memory,
        global_cache, global_cache_line, local_memory, max_allocation, max_constant_buffer,
        max_constant_args, base_address_align, min_data_type_align, preferred_vector_widths,
        native_vector_widths, sub_group_sizes, max_sub_devices, affinity_domains)),
    Operation::new("how much a device has of images and the like", |bench| ask!(new_device(bench);
        max_image_2d_width, max_image_2d_height, max_image_3d_width, max_image_3d_height,
        max_image_3d_depth, max_image_buffer, max_image_array, max_read_image_args, max_write_image_args,
        max_samplers, max_read_write_image_args, image_pitch_alignment, image_base_address_alignment,
        max_global_variable, preferred_global_variables, max_pipe_args, max_pipe_reservations,
        max_pipe_packet, device_queue_preferred_size, device_queue_max_size, max_device_queues,
        max_device_events, preferred_platform_atomic_alignment, preferred_global_atomic_alignment,
        preferred_local_atomic_alignment, max_sub_groups, preferred_group_multiple)),
];
