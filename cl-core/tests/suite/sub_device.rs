//! Parts of devices are made, used and released. Invalid partitions are refused before the driver sees them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{c_void, cl_device_id, cl_device_partition_property, cl_int, cl_uint, size_t};
use cl_core::{
    AffinityDomains, Buffer, BuildOptions, Context, Device, Error, Library, Partition, PartitionKinds,
    Program, Queue, Status,
};
use std::cell::RefCell;

/// Returns whether the device can be divided in this way into at least two parts. Prints a message if it
/// cannot.
fn can(device: &Device, kind: PartitionKinds) -> bool {
    let can = device.partition_kinds().unwrap().contains(kind)
        && device.compute_units().unwrap() > 1
        && device.max_sub_devices().unwrap() > 1;
    if !can {
        eprintln!("skipped: {device} cannot be divided {kind:?}");
    }
    can
}

/// Checks that the device computes: it doubles some numbers.
fn assert_computes(device: &Device) {
    let queue = Queue::on(device).unwrap();
    let source = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";
    let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
    let twice = program.kernel("twice").unwrap();
    let mut x = Buffer::from_slice(&queue, &[1, 2, 3]).unwrap();
    // SAFETY: work-item i touches x[i] only; there are as many work-items as elements.
    unsafe { twice.launch().arg(&mut x).global(3).enqueue(&queue).unwrap() };
    assert_eq!(x.to_vec(&queue).unwrap(), [2, 4, 6]);
}

#[test]
fn equal_parts() {
    cl_test::known_faults::each_device("sub_device::equal_parts", |device| {
        if !can(device, PartitionKinds::EQUALLY) {
            return;
        }
        let units = device.compute_units().unwrap();
        let parts = device.partition(&Partition::Equally(1)).unwrap();
        assert_eq!(parts.len(), units as usize);
        for part in &parts {
            assert_eq!(part.compute_units().unwrap(), 1);
            assert_eq!(part.parent(), Some(device));
            assert_eq!(part.platform(), device.platform());
            assert_eq!(part.partition_type().unwrap(), Some(Partition::Equally(1)));
            assert_ne!(part, device);
            assert_computes(part);
        }
        // The remainder is left out, and the whole device remains usable.
        let largest = device.partition(&Partition::Equally(units / 2 + 1)).unwrap();
        assert_eq!(largest.len(), 1);
        assert_computes(device);
    });
}

#[test]
fn counted_parts() {
    cl_test::each_device(|device| {
        if !can(device, PartitionKinds::BY_COUNTS) {
            return;
        }
        let units = device.compute_units().unwrap();
        let counts = Partition::ByCounts(vec![1, units - 1]);
        let parts = device.partition(&counts).unwrap();
        let found: Vec<u32> = parts.iter().map(|part| part.compute_units().unwrap()).collect();
        assert_eq!(found, [1, units - 1]);
        assert_eq!(parts[0].partition_type().unwrap(), Some(counts));
        parts.iter().for_each(assert_computes);
    });
}

#[test]
fn parts_by_affinity() {
    cl_test::each_device(|device| {
        let supported = device.partition_kinds().unwrap().contains(PartitionKinds::BY_AFFINITY);
        for domain in AffinityDomains::all() {
            let parts = device.partition(&Partition::ByAffinity(domain));
            if supported && device.affinity_domains().unwrap().contains(domain) {
                parts.unwrap().iter().for_each(assert_computes);
            } else {
                assert!(matches!(parts, Err(Error::Unsupported { .. })), "{domain:?}: {parts:?}");
            }
        }
    });
}

#[test]
fn a_whole_device_is_no_part() {
    cl_test::each_device(|device| {
        assert_eq!(device.parent(), None);
        assert_eq!(device.partition_type().unwrap(), None);
        assert_eq!(device.reference_count().unwrap(), 1);
    });
}

#[test]
fn a_part_is_released_with_its_last_user() {
    let counter = cl_test::counting::exclusive();
    for device in cl_test::counting::devices() {
        if !can(&device, PartitionKinds::EQUALLY) {
            continue;
        }
        let mut parts = Vec::new();
        let calls = counter.calls_during(|| parts = device.partition(&Partition::Equally(1)).unwrap());
        assert_eq!(calls["clCreateSubDevices"], 2, "one call asks for the number");
        assert!(!calls.contains_key("clReleaseDevice"));

        let count = parts.len() as u64;
        let first = parts[0].clone();
        let calls = counter.calls_during(|| drop(parts));
        assert_eq!(calls.get("clReleaseDevice").copied().unwrap_or(0), count - 1, "one has a clone");

        // A context keeps its device after the last clone outside it is dropped.
        let context = Context::on(&first).unwrap();
        let calls = counter.calls_during(|| drop(first));
        assert!(calls.is_empty(), "{calls:?}");
        assert_eq!(context.device().compute_units().unwrap(), 1);
        let calls = counter.calls_during(|| drop(context));
        assert_eq!(calls["clReleaseDevice"], 1);
        assert_eq!(calls["clReleaseContext"], 1);
        // Whole devices have no reference count.
        let calls = counter.calls_during(|| drop(device));
        assert!(calls.is_empty(), "{calls:?}");
    }
}

#[test]
fn handles_are_taken_over_with_one_reference() {
    let counter = cl_test::counting::exclusive();
    for device in cl_test::counting::devices() {
        let (library, raw) = (device.library(), device.as_raw());
        // SAFETY: the handle of a whole device of this library.
        let same = unsafe { Device::from_raw(library, raw).unwrap() };
        assert_eq!((&same, same.platform(), same.parent()), (&device, device.platform(), None));
        let calls = counter.calls_during(|| drop(same));
        assert!(calls.is_empty(), "{calls:?}");

        if !can(&device, PartitionKinds::EQUALLY) {
            continue;
        }
        let part = device.partition(&Partition::Equally(1)).unwrap().remove(0);
        let references = part.reference_count().unwrap();
        // SAFETY: the part is alive.
        let status = unsafe { (library.functions().clRetainDevice)(part.as_raw()) };
        assert_eq!(Status(status), Status::SUCCESS);
        // SAFETY: the reference was made above.
        let adopted = unsafe { Device::from_raw(library, part.as_raw()).unwrap() };
        assert_eq!(adopted.parent(), Some(&device));
        assert_eq!(adopted, part);
        drop(part);
        assert_eq!(adopted.reference_count().unwrap(), references);
        assert_computes(&adopted);
        let calls = counter.calls_during(|| drop(adopted));
        assert_eq!(calls["clReleaseDevice"], 1);
    }
    // SAFETY: null is allowed.
    let null = unsafe { Device::from_raw(cl_test::counting::library(), std::ptr::null_mut()) };
    assert!(matches!(null, Err(Error::InvalidInput { .. })), "{null:?}");
}

#[test]
fn bad_counts_never_reach_the_driver() {
    let counter = cl_test::counting::exclusive();
    for device in cl_test::counting::devices() {
        let units = device.compute_units().unwrap();
        let equally = [Partition::Equally(0), Partition::Equally(units + 1), Partition::Equally(u32::MAX)];
        let counts = [vec![], vec![0], vec![1, 0], vec![units, 1], vec![u32::MAX, u32::MAX]];
        let by_counts = counts.into_iter().map(Partition::ByCounts);
        let nothing = Partition::ByAffinity(AffinityDomains::empty());
        let two = Partition::ByAffinity(AffinityDomains::NUMA | AffinityDomains::L1_CACHE);
        for wrong in equally.into_iter().chain(by_counts).chain([nothing, two]) {
            let kind = match wrong {
                Partition::Equally(_) => PartitionKinds::EQUALLY,
                Partition::ByCounts(_) => PartitionKinds::BY_COUNTS,
                Partition::ByAffinity(_) => PartitionKinds::BY_AFFINITY,
            };
            let mut error = None;
            let calls = counter.calls_during(|| error = device.partition(&wrong).err());
            assert!(!calls.contains_key("clCreateSubDevices"), "{wrong}");
            if device.partition_kinds().unwrap().contains(kind) {
                assert!(matches!(error, Some(Error::InvalidInput { .. })), "{wrong}: {error:?}");
            } else {
                assert!(matches!(error, Some(Error::Unsupported { .. })), "{wrong}: {error:?}");
            }
        }
    }
}

// The tests below use a made-up device of eight compute units, whose abilities each test sets.

/// A handle that does not tell its parent, and a part of it.
const BROKEN: usize = 32;
const PART_OF_BROKEN: usize = 33;

type Query = unsafe extern "system" fn(cl_device_id, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;

thread_local! {
    /// The kinds of partition, the affinity domains and the number of parts that the fake can do.
    static ABILITY: RefCell<(Vec<isize>, u64, u32)> = const { RefCell::new((Vec::new(), 0, 0)) };
    /// The property list that the driver was given last.
    static GIVEN: RefCell<Vec<isize>> = const { RefCell::new(Vec::new()) };
    /// The answer when sub-devices are made.
    static REFUSAL: RefCell<cl_int> = const { RefCell::new(0) };
    /// The devices that were retained (1) and released (-1).
    static COUNTED: RefCell<Vec<(usize, i32)>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "system" fn fake_info(
    device: cl_device_id,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let (kinds, domains, parts) = ABILITY.with_borrow(Clone::clone);
    let answer: Vec<u8> = match name {
        cl_sys::CL_DEVICE_PARTITION_PROPERTIES => kinds.iter().flat_map(|kind| kind.to_ne_bytes()).collect(),
        cl_sys::CL_DEVICE_PARTITION_AFFINITY_DOMAIN => domains.to_ne_bytes().to_vec(),
        cl_sys::CL_DEVICE_PARTITION_MAX_SUB_DEVICES => parts.to_ne_bytes().to_vec(),
        cl_sys::CL_DEVICE_MAX_COMPUTE_UNITS => 8_u32.to_ne_bytes().to_vec(),
        cl_sys::CL_DEVICE_NAME => b"Fake\0".to_vec(),
        cl_sys::CL_DEVICE_PLATFORM => 0_usize.to_ne_bytes().to_vec(),
        cl_sys::CL_DEVICE_PARENT_DEVICE => match device.addr() {
            PART_OF_BROKEN => BROKEN.to_ne_bytes().to_vec(),
            BROKEN => return Status::INVALID_DEVICE.0,
            _ => 0_usize.to_ne_bytes().to_vec(),
        },
        _ => return Status::INVALID_VALUE.0,
    };
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

unsafe extern "system" fn fake_create(
    _: cl_device_id,
    properties: *const cl_device_partition_property,
    entries: cl_uint,
    devices: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    // SAFETY: the list has a kind and ends with 0, after a second 0 if it holds counts; there is room for
    // `entries` devices, and `count` is null or a pointer for the number.
    unsafe {
        let counts = *properties == cl_sys::CL_DEVICE_PARTITION_BY_COUNTS as isize;
        let mut len = 2;
        while *properties.add(len - 1) != 0 {
            len += 1;
        }
        len += usize::from(counts);
        GIVEN.set(std::slice::from_raw_parts(properties, len).to_vec());
        if entries > 0 {
            *devices = std::ptr::without_provenance_mut(5);
        }
        if !count.is_null() {
            *count = 1;
        }
    }
    REFUSAL.with_borrow(|refusal| *refusal)
}

unsafe extern "system" fn fake_retain(device: cl_device_id) -> cl_int {
    COUNTED.with_borrow_mut(|counted| counted.push((device.addr(), 1)));
    0
}

unsafe extern "system" fn fake_release(device: cl_device_id) -> cl_int {
    COUNTED.with_borrow_mut(|counted| counted.push((device.addr(), -1)));
    0
}

fn fake_device() -> Device {
    let mut functions = *Library::load().unwrap().functions();
    functions.clGetDeviceInfo = fake_info as Query;
    functions.clCreateSubDevices = fake_create;
    functions.clRetainDevice = fake_retain;
    functions.clReleaseDevice = fake_release;
    // SAFETY: the entries are the system's, or fakes that keep to OpenCL's rules.
    let library = unsafe { Library::from_functions(functions) };
    // SAFETY: the replaced functions take any device.
    unsafe { Device::from_raw(library, std::ptr::without_provenance_mut(4)).unwrap() }
}

const EQUALLY: isize = cl_sys::CL_DEVICE_PARTITION_EQUALLY as isize;
const BY_COUNTS: isize = cl_sys::CL_DEVICE_PARTITION_BY_COUNTS as isize;
const BY_AFFINITY: isize = cl_sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as isize;

#[test]
fn kinds_and_domains_that_a_device_cannot_do_never_reach_the_driver() {
    let device = fake_device();
    let ways = [
        (EQUALLY, PartitionKinds::EQUALLY, Partition::Equally(2)),
        (BY_COUNTS, PartitionKinds::BY_COUNTS, Partition::ByCounts(vec![2, 2])),
        (BY_AFFINITY, PartitionKinds::BY_AFFINITY, Partition::ByAffinity(AffinityDomains::NUMA)),
    ];
    for (supported, kind, _) in &ways {
        // One known kind beside an unknown one, which is ignored.
        ABILITY.set((vec![*supported, 0x4059], AffinityDomains::NUMA.bits(), 4));
        assert_eq!(device.partition_kinds().unwrap(), *kind);
        for (_, other, way) in &ways {
            GIVEN.take();
            match device.partition(way) {
                Ok(parts) => assert!(kind == other && parts.len() == 1),
                Err(error) => {
                    assert!(kind != other && matches!(error, Error::Unsupported { .. }), "{error}");
                    assert!(GIVEN.take().is_empty());
                }
            }
        }
    }
    let other = Partition::ByAffinity(AffinityDomains::L3_CACHE);
    let error = device.partition(&other).unwrap_err();
    assert!(matches!(&error, Error::Unsupported { .. }) && error.to_string().contains("L3_CACHE"), "{error}");
    for several in [AffinityDomains::empty(), AffinityDomains::NUMA | AffinityDomains::L3_CACHE] {
        let error = device.partition(&Partition::ByAffinity(several)).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
    }
}

#[test]
fn more_parts_than_there_can_be_never_reach_the_driver() {
    let device = fake_device();
    ABILITY.set((vec![BY_COUNTS], 0, 3));
    assert!(device.partition(&Partition::ByCounts(vec![1; 3])).is_ok());
    GIVEN.take();
    let error = device.partition(&Partition::ByCounts(vec![1; 4])).unwrap_err();
    assert!(
        matches!(&error, Error::InvalidInput { .. }) && error.to_string().contains("can have 3"),
        "{error}"
    );
    assert!(GIVEN.take().is_empty());
}

#[test]
fn the_driver_is_given_lists_that_end() {
    let device = fake_device();
    ABILITY.set((vec![EQUALLY, BY_COUNTS, BY_AFFINITY], AffinityDomains::all().bits(), 8));
    let given = |how: Partition| {
        device.partition(&how).unwrap();
        GIVEN.take()
    };
    assert_eq!(given(Partition::Equally(3)), [EQUALLY, 3, 0]);
    assert_eq!(given(Partition::ByCounts(vec![3, 5])), [BY_COUNTS, 3, 5, 0, 0]);
    assert_eq!(given(Partition::ByAffinity(AffinityDomains::L2_CACHE)), [BY_AFFINITY, 8, 0]);
}

#[test]
fn a_refusal_keeps_its_status_and_says_what_was_asked() {
    let device = fake_device();
    ABILITY.set((vec![EQUALLY], 0, 8));
    REFUSAL.set(Status::DEVICE_PARTITION_FAILED.0);
    let error = device.partition(&Partition::Equally(2)).unwrap_err();
    REFUSAL.set(0);
    assert_eq!(error.status(), Some(Status::DEVICE_PARTITION_FAILED), "{error}");
    assert!(error.to_string().contains("partition equally, 2 compute units each of Fake"), "{error}");
}

#[test]
fn a_handle_that_cannot_be_taken_over_stays_the_caller_s() {
    let library = fake_device().library();
    let part = std::ptr::without_provenance_mut(PART_OF_BROKEN);
    // SAFETY: the replaced functions take any device.
    let error = unsafe { Device::from_raw(library, part) }.unwrap_err();
    assert_eq!(error.status(), Some(Status::INVALID_DEVICE), "{error}");
    assert_eq!(COUNTED.take(), [(BROKEN, 1), (BROKEN, -1)], "nothing leaks, and the part is not released");
}
