//! The answers of devices and platforms to questions about themselves: the machine's own answers, and made-up
//! answers that the machine's drivers do not give.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{c_void, cl_device_id, cl_int, cl_uint, size_t};
use cl_core::{
    AtomicCapabilities, CacheKind, Device, DeviceEnqueueCapabilities, DeviceKind, Error,
    ExecutionCapabilities, FpConfig, Library, LocalMemoryKind, PciAddress, Platform, QueueCapabilities,
    Result, Status, Uuid, Version,
};
use std::cell::RefCell;
use std::collections::HashMap;

#[test]
fn versions_are_read_and_ordered() {
    let good = [
        ("1.2", (1, 2)),
        ("OpenCL 1.2", (1, 2)),
        ("OpenCL 3.0 CUDA 13.0.84", (3, 0)),
        ("OpenCL 2.1 ", (2, 1)),
        ("OpenCL C 2.0 PoCL", (2, 0)),
        ("OpenCL 10.11 x", (10, 11)),
    ];
    for (text, (major, minor)) in good {
        assert_eq!(text.parse::<Version>().unwrap(), Version::new(major, minor), "{text}");
    }
    let bad = [
        "",
        " ",
        ".",
        "1",
        "1.",
        ".2",
        "OpenCL",
        "OpenCL ",
        "OpenCL 1",
        "OpenCL C",
        "OpenCL 1.2.3",
        "OpenCL +1.2",
        "OpenCL 1.-2",
        "OpenCL one.two",
        "opencl 1.2",
        "OpenCL  1.2",
        "1.2 x",
        "OpenCL 99999999999.0",
        "OpenCL ١.٢",
        "FULL_PROFILE",
        "OpenCL C++ 1.0",
    ];
    for text in bad {
        let error = text.parse::<Version>().unwrap_err();
        assert!(matches!(&error, Error::InvalidInput { .. }), "{error}");
        assert!(error.to_string().contains(&format!("{text:?}")), "{error}");
    }
    let mut versions =
        [(3, 0), (1, 10), (2, 1), (1, 2), (2, 0)].map(|(major, minor)| Version::new(major, minor));
    versions.sort();
    assert_eq!(versions.map(|version| version.to_string()), ["1.2", "1.10", "2.0", "2.1", "3.0"]);
}

#[test]
fn every_device_answers_what_opencl_1_2_asks() {
    cl_test::known_faults::each_device("device_info::every_device_answers_what_opencl_1_2_asks", |device| {
        let sane = || -> Result<()> {
            assert!(!device.name()?.is_empty() && !device.vendor()?.is_empty());
            assert!(!device.driver_version()?.is_empty());
            assert!(device.version()?.starts_with(&format!("OpenCL {}", device.opencl_version()?)));
            assert!(device.c_version()?.starts_with("OpenCL C "));
            assert!(device.opencl_version()? >= Version::new(1, 2));
            assert!(device.opencl_c_version()? >= device.c_version()?.parse()?);
            assert!(["FULL_PROFILE", "EMBEDDED_PROFILE"].contains(&device.profile()?.as_str()));
            assert!(!device.kind()?.is_empty() && device.is_available()?);
            device.vendor_id()?;
            device.built_in_kernels()?;
            for extension in device.extensions()? {
                assert!(device.has_extension(&extension)? && extension.starts_with("cl_"), "{extension}");
            }
            assert!(!device.has_extension("cl")? && !device.has_extension("")?);

            assert!(device.compute_units()? >= 1 && device.max_dimensions()? >= 3);
            assert_eq!(device.max_work_item_sizes()?.len(), device.max_dimensions()? as usize);
            assert!(device.max_work_group_size()? >= 1);
            assert!([32, 64].contains(&device.address_bits()?));
            assert!(device.max_parameter_size()? >= 256);
            assert!(device.profiling_resolution()? >= 1);
            assert!(device.printf_buffer()? >= 1024);
            device.clock()?;

            assert!(
                device.max_allocation()? <= device.global_memory()? && device.max_allocation()? >= 1 << 20
            );
            assert!(device.local_memory()? >= 1024 && device.max_constant_buffer()? >= 1024);
            assert!(device.max_constant_args()? >= 4);
            assert!(device.base_address_align()? % 8 == 0 && device.min_data_type_align()?.is_power_of_two());
            assert_eq!(device.global_cache_kind()? == CacheKind::None, device.global_cache()? == 0);
            device.global_cache_line()?;
            assert_ne!(device.local_memory_kind()?, LocalMemoryKind::None);

            if device.has_images()? {
                assert!(device.max_image_2d_width()? >= 2048 && device.max_image_2d_height()? >= 2048);
                assert!(device.max_read_image_args()? >= 8 && device.max_samplers()? >= 8);
            }
            for image in [
                Device::max_image_3d_width,
                Device::max_image_3d_height,
                Device::max_image_3d_depth,
                Device::max_image_buffer,
                Device::max_image_array,
            ] {
                assert!(image(device)? > 0 || !device.has_images()?);
            }
            device.max_write_image_args()?;

            let single = FpConfig::ROUND_TO_NEAREST | FpConfig::INF_NAN;
            assert!(device.single_fp()?.contains(single));
            assert_eq!(device.double_fp()?.is_some(), device.has_fp64()?);
            assert_eq!(device.half_fp()?.is_some(), device.has_fp16()?);
            assert!(device.execution_capabilities()?.contains(ExecutionCapabilities::KERNELS));
            assert!(device.queue_capabilities()?.contains(QueueCapabilities::PROFILING));
            assert!(device.has_compiler()? && device.has_linker()?);
            device.corrects_errors()?;
            device.shares_host_memory()?;
            device.prefers_user_sync()?;
            assert_eq!(device.is_little_endian()?, cfg!(target_endian = "little"));
            for widths in [device.preferred_vector_widths()?, device.native_vector_widths()?] {
                assert!([1, 2, 4, 8, 16].contains(&widths.int) && [1, 2, 4, 8, 16].contains(&widths.float));
                assert_eq!(widths.double > 0, device.has_fp64()?);
                assert_eq!(widths.half > 0, device.has_fp16()?);
            }

            device.max_sub_devices()?;
            device.affinity_domains()?;
            device.partition_kinds()?;
            Ok(())
        };
        sane().unwrap();
    });
}

/// Returns the answer to `question`. A device of at least this version must answer, an older one may.
fn since<T>(device: &Device, version: Version, question: fn(&Device) -> Result<Option<T>>) -> Option<T> {
    let answer = question(device).unwrap();
    assert!(
        answer.is_some() || device.opencl_version().unwrap() < version,
        "{device} of {version} has no answer"
    );
    answer
}

#[test]
fn newer_devices_answer_what_newer_versions_ask() {
    cl_test::each_device(|device| {
        // OpenCL 3.0 makes optional many features that 2.x required, but the questions remain.
        let v3 = Version::new(3, 0);
        for question in [
            Device::max_pipe_args,
            Device::max_pipe_reservations,
            Device::max_pipe_packet,
            Device::device_queue_preferred_size,
            Device::device_queue_max_size,
            Device::max_device_queues,
            Device::max_device_events,
            Device::max_read_write_image_args,
            Device::image_pitch_alignment,
            Device::image_base_address_alignment,
            Device::preferred_platform_atomic_alignment,
            Device::preferred_global_atomic_alignment,
            Device::preferred_local_atomic_alignment,
            Device::max_sub_groups,
        ] {
            since(device, v3, question);
        }
        for question in [
            Device::max_global_variable,
            Device::preferred_global_variables,
            Device::preferred_group_multiple,
        ] {
            since(device, v3, question);
        }
        for question in [
            Device::has_independent_sub_groups,
            Device::has_non_uniform_groups,
            Device::has_group_functions,
            Device::has_generic_pointers,
            Device::has_pipes,
        ] {
            since(device, v3, question);
        }
        since(device, v3, Device::svm_capabilities);
        since(device, v3, Device::device_queue_capabilities);
        since(device, v3, Device::device_enqueue_capabilities);
        since(device, v3, Device::il_version);
        since(device, v3, Device::conformance_version);
        since(device, v3, Device::atomic_fence_capabilities);
        if let Some(atomics) = since(device, v3, Device::atomic_memory_capabilities) {
            let least = AtomicCapabilities::ORDER_RELAXED | AtomicCapabilities::SCOPE_WORK_GROUP;
            assert!(atomics.contains(least), "{atomics:?}");
        }
        for question in [Device::c_features, Device::il_versions, Device::built_in_kernel_versions] {
            since(device, v3, question);
        }
        if let Some(extensions) = since(device, v3, Device::extension_versions) {
            let mut names: Vec<_> = extensions.into_iter().map(|extension| extension.name).collect();
            let mut expected = device.extensions().unwrap();
            names.sort();
            expected.sort();
            assert_eq!(names, expected);
        }
        if let Some(languages) = since(device, v3, Device::c_versions) {
            assert!(languages.iter().all(|language| language.name == "OpenCL C"), "{languages:?}");
            assert!(languages.iter().any(|language| language.version == Version::new(1, 2)));
        }
        let identified = device.has_extension("cl_khr_device_uuid").unwrap();
        assert_eq!(device.uuid().unwrap().is_some(), identified);
        assert_eq!(device.driver_uuid().unwrap().is_some(), identified);
        device.luid().unwrap();
        device.pci_address().unwrap();
        device.sub_group_sizes().unwrap();
        device.compute_capability().unwrap();
    });
}

#[test]
fn platforms_answer() {
    for platform in Platform::all().unwrap() {
        assert!(!platform.name().unwrap().is_empty() && !platform.vendor().unwrap().is_empty());
        let version = platform.opencl_version().unwrap();
        assert!(platform.version().unwrap().starts_with(&format!("OpenCL {version}")));
        for extension in platform.extensions().unwrap() {
            assert!(platform.has_extension(&extension).unwrap());
        }
        assert_eq!(platform.icd_suffix().unwrap().is_some(), platform.has_extension("cl_khr_icd").unwrap());
        assert!(version < Version::new(3, 0) || platform.extension_versions().unwrap().is_some());
        assert!(version < Version::new(3, 0) || platform.host_timer_resolution().unwrap().is_some());

        // SAFETY: a handle of this library.
        let same = unsafe { Platform::from_raw(platform.library(), platform.as_raw()) };
        assert_eq!(same, platform);

        let devices = platform.devices().unwrap();
        let all = platform.devices_of(DeviceKind::all()).unwrap();
        assert!(devices.iter().all(|device| all.contains(device)), "{all:?}");
        let preferred = platform.devices_of(DeviceKind::DEFAULT).unwrap();
        assert!(preferred.len() <= 1 && preferred.iter().all(|device| devices.contains(device)));
        for device in devices {
            assert!(platform.devices_of(device.kind().unwrap()).unwrap().contains(&device));
        }
        assert!(matches!(platform.devices_of(DeviceKind::empty()), Err(Error::InvalidInput { .. })));
    }
}

// The machine's devices, with some answers replaced.

type Answers = HashMap<cl_uint, std::result::Result<Vec<u8>, Status>>;

thread_local! {
    static ANSWERS: RefCell<Answers> = RefCell::new(Answers::new());
}

unsafe extern "system" fn device_info(
    device: cl_device_id,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    match ANSWERS.with_borrow(|answers| answers.get(&name).cloned()) {
        Some(Err(status)) => status.0,
        Some(Ok(answer)) => {
            // SAFETY: OpenCL's caller gives null or room for `size` bytes, and null or a pointer for the size.
            unsafe {
                if !value.is_null() {
                    value.cast::<u8>().copy_from_nonoverlapping(answer.as_ptr(), size.min(answer.len()));
                }
                if !size_ret.is_null() {
                    *size_ret = answer.len();
                }
            }
            0
        }
        // SAFETY: the caller's arguments, unchanged, to the function that the caller named.
        None => unsafe {
            (Library::load().unwrap().functions().clGetDeviceInfo)(device, name, size, value, size_ret)
        },
    }
}

/// Returns a device of the machine that gives these answers instead of its own.
fn device_with(answers: Vec<(cl_uint, std::result::Result<Vec<u8>, Status>)>) -> Device {
    ANSWERS.set(answers.into_iter().collect());
    let mut functions = *Library::load().unwrap().functions();
    functions.clGetDeviceInfo = device_info;
    // SAFETY: the entries are the system's, or fakes that keep to OpenCL's rules.
    Device::all_of(unsafe { Library::from_functions(functions) }).unwrap().remove(0)
}

fn text(text: &str) -> std::result::Result<Vec<u8>, Status> {
    Ok(text.bytes().chain([0]).collect())
}

fn numbers(numbers: &[u32]) -> std::result::Result<Vec<u8>, Status> {
    Ok(numbers.iter().flat_map(|number| number.to_ne_bytes()).collect())
}

#[test]
fn architectures_come_from_vendor_ids_and_what_each_vendor_tells() {
    let (extensions, gpu) = (cl_sys::CL_DEVICE_EXTENSIONS, Ok(4_u64.to_ne_bytes().to_vec()));
    let of = |vendor: u32, kind, told: Vec<(u32, _)>| {
        let all = [(cl_sys::CL_DEVICE_VENDOR_ID, numbers(&[vendor])), (cl_sys::CL_DEVICE_TYPE, kind)];
        device_with(all.into_iter().chain(told).collect()).architecture().unwrap().to_string()
    };
    let nvidia =
        |extension| vec![(extensions, text(extension)), (0x4000, numbers(&[9])), (0x4001, numbers(&[0]))];
    assert_eq!(of(0x10de, gpu.clone(), nvidia("cl_nv_device_attribute_query")), "NVIDIA sm_90");
    assert_eq!(of(0x10de, gpu.clone(), nvidia("")), "NVIDIA", "another driver of the same device");
    let amd = |name| vec![(extensions, text("")), (cl_sys::CL_DEVICE_NAME, text(name))];
    assert_eq!(of(0x1002, gpu.clone(), amd("gfx942:sramecc+:xnack-")), "AMD gfx942");
    assert_eq!(of(0x1002, gpu.clone(), amd("AMD Radeon")), "AMD");
    let intel = |answer| vec![(extensions, text("cl_intel_device_attribute_query")), (0x4250, answer)];
    assert_eq!(of(0x8086, gpu.clone(), intel(numbers(&[12 << 22 | 60 << 14 | 3]))), "Intel 12.60");
    assert_eq!(of(0x8086, gpu.clone(), intel(Err(Status::INVALID_VALUE))), "Intel");
    assert_eq!(of(0x8086, Ok(2_u64.to_ne_bytes().to_vec()), intel(numbers(&[12 << 22]))), "Intel CPU");
    assert_eq!(of(0x13b5, gpu, vec![(extensions, text(""))]), "vendor 0x13b5");
}

#[test]
fn identities_come_from_the_extensions_of_each_vendor() {
    let extensions = cl_sys::CL_DEVICE_EXTENSIONS;
    let device = device_with(vec![(extensions, text(""))]);
    assert_eq!(device.uuid().unwrap(), None);
    assert_eq!(device.luid().unwrap(), None);
    assert_eq!(device.pci_address().unwrap(), None);
    assert_eq!(device.compute_capability().unwrap(), None);
    assert_eq!(device.sub_group_sizes().unwrap(), None);

    let device = device_with(vec![
        (extensions, text("cl_khr_device_uuid cl_khr_pci_bus_info")),
        (0x106A, Ok((0..16).map(|n| 0x10 * n + n).collect())),
        (0x106B, Ok(vec![7; 16])),
        (0x106C, numbers(&[1])),
        (0x106D, Ok(vec![9; 8])),
        (0x410F, numbers(&[1, 0x3b, 2, 3])),
    ]);
    assert_eq!(device.uuid().unwrap().unwrap().to_string(), "00112233-4455-6677-8899-aabbccddeeff");
    assert_eq!(device.driver_uuid().unwrap(), Some(Uuid([7; 16])));
    assert_eq!(device.luid().unwrap(), Some([9; 8]));
    assert_eq!(device.pci_address().unwrap().unwrap().to_string(), "0001:3b:02.3");
    ANSWERS.with_borrow_mut(|answers| answers.insert(0x106C, numbers(&[0])));
    assert_eq!(device.luid().unwrap(), None, "the driver says that the device has no LUID");

    let device = device_with(vec![
        (extensions, text("cl_nv_device_attribute_query")),
        (0x4000, numbers(&[9])),
        (0x4001, numbers(&[0])),
        (0x4003, numbers(&[32])),
        (0x4008, numbers(&[0x1a])),
        (0x4009, numbers(&[(4 << 3) | 1])),
        (0x400A, Err(Status::INVALID_VALUE)),
    ]);
    let address = PciAddress { domain: 0, bus: 0x1a, device: 4, function: 1 };
    assert_eq!(device.pci_address().unwrap(), Some(address));
    assert_eq!(device.compute_capability().unwrap(), Some(Version::new(9, 0)));
    assert_eq!(device.sub_group_sizes().unwrap(), Some(vec![32]));

    let topology = |kind: u32| {
        let unused = [0xff; 17];
        Ok([&kind.to_ne_bytes()[..], &unused, &[0x81, 2, 1]].concat())
    };
    let device = device_with(vec![
        (extensions, text("cl_amd_device_attribute_query")),
        (0x4037, topology(1)),
        (0x4043, numbers(&[64])),
    ]);
    let address = PciAddress { domain: 0, bus: 0x81, device: 2, function: 1 };
    assert_eq!(device.pci_address().unwrap(), Some(address));
    assert_eq!(device.sub_group_sizes().unwrap(), Some(vec![64]));
    ANSWERS.with_borrow_mut(|answers| answers.insert(0x4037, topology(0)));
    assert_eq!(device.pci_address().unwrap(), None, "on no PCI bus");

    let sizes = [8_usize, 16, 32].iter().flat_map(|size| size.to_ne_bytes()).collect();
    let device =
        device_with(vec![(extensions, text("cl_intel_required_subgroup_size")), (0x4108, Ok(sizes))]);
    assert_eq!(device.sub_group_sizes().unwrap(), Some(vec![8, 16, 32]));
}

#[test]
fn names_with_versions_are_taken_apart() {
    let entry = |version: u32, name: &str| {
        let mut entry = version.to_ne_bytes().to_vec();
        entry.extend(name.bytes());
        entry.resize(68, 0);
        entry
    };
    let longest = "x".repeat(64);
    let list = [entry((3 << 22) | (1 << 12) | 4095, "OpenCL C"), entry(1 << 22, &longest)].concat();
    let device = device_with(vec![(0x1066, Ok(list)), (0x106F, Ok(vec![]))]);
    let languages = device.c_versions().unwrap().unwrap();
    assert_eq!(languages[0].to_string(), "OpenCL C 3.1.4095");
    assert_eq!(languages[1].name, longest);
    assert_eq!((languages[1].version, languages[1].patch), (Version::new(1, 0), 0));
    assert_eq!(device.opencl_c_version().unwrap(), Version::new(3, 1), "the highest");
    assert_eq!(device.c_features().unwrap(), Some(vec![]));
}

#[test]
fn an_unknown_question_is_none_and_a_failure_is_an_error() {
    let (svm, double) = (cl_sys::CL_DEVICE_SVM_CAPABILITIES, cl_sys::CL_DEVICE_DOUBLE_FP_CONFIG);
    let (extensions, all_c) = (cl_sys::CL_DEVICE_EXTENSIONS, 0x1066);
    let unknown = || Err(Status::INVALID_VALUE);
    let device = device_with(vec![
        (svm, unknown()),
        (double, unknown()),
        (extensions, text("")),
        (all_c, unknown()),
        (cl_sys::CL_DEVICE_OPENCL_C_VERSION, text("OpenCL C 1.2 old")),
    ]);
    assert_eq!(device.svm_capabilities().unwrap(), None);
    assert_eq!(device.double_fp().unwrap(), None);
    assert!(!device.has_fp64().unwrap());
    assert_eq!(device.opencl_c_version().unwrap(), Version::new(1, 2), "before 3.0 there is one");

    let failed = || Err(Status::OUT_OF_HOST_MEMORY);
    let device = device_with(vec![(svm, failed()), (double, failed()), (all_c, failed())]);
    assert_eq!(device.svm_capabilities().unwrap_err().status(), Some(Status::OUT_OF_HOST_MEMORY));
    assert_eq!(device.has_fp64().unwrap_err().status(), Some(Status::OUT_OF_HOST_MEMORY));
    assert_eq!(device.opencl_c_version().unwrap_err().status(), Some(Status::OUT_OF_HOST_MEMORY));

    // An answer of another size than OpenCL prescribes is an error, too, and does not count as "unknown".
    let device = device_with(vec![(svm, numbers(&[1]))]);
    let error = device.svm_capabilities().unwrap_err();
    assert!(error.to_string().contains("4 bytes where 8"), "{error}");
}

#[test]
fn odd_answers_are_kept_or_refused() {
    let device = device_with(vec![
        (cl_sys::CL_DEVICE_SVM_CAPABILITIES, Ok((1_u64 << 40 | 1).to_ne_bytes().to_vec())),
        (cl_sys::CL_DEVICE_DOUBLE_FP_CONFIG, Ok(vec![0; 8])),
        (cl_sys::CL_DEVICE_BUILT_IN_KERNELS, text("one;two;")),
        (cl_sys::CL_DEVICE_VERSION, text("Vulkan 1.2")),
        (cl_sys::CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, numbers(&[3])),
        (cl_sys::CL_DEVICE_LOCAL_MEM_TYPE, numbers(&[9])),
    ]);
    assert_eq!(device.svm_capabilities().unwrap().unwrap().bits(), 1 << 40 | 1, "unknown bits are kept");
    assert_eq!(device.double_fp().unwrap(), None, "no bit at all means no double");
    assert_eq!(device.built_in_kernels().unwrap(), ["one", "two"]);
    for answer in [numbers(&[1]), numbers(&[1, 0])] {
        ANSWERS.with_borrow_mut(|answers| answers.insert(0x1070, answer));
        let capabilities = device.device_enqueue_capabilities().unwrap().unwrap();
        assert_eq!(capabilities, DeviceEnqueueCapabilities::SUPPORTED, "of 4 bytes or of 8");
    }
    assert!(matches!(device.opencl_version(), Err(Error::InvalidInput { .. })));
    assert!(device.global_cache_kind().unwrap_err().to_string().contains("answered 3"));
    assert!(device.local_memory_kind().unwrap_err().to_string().contains("answered 9"));
}
