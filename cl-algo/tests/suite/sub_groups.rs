//! Sub-groups that work incorrectly are detected, and not used. The devices of the machine claim to be GPUs with
//! sub-groups, and their compiler puts definitions in front of programs that use them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::stl::{copy_if, inclusive_scan, reduce_by_key, sort};
use cl_core::raw::*;
use cl_test::forced::{self, system};
use std::ffi::{CStr, CString};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The definitions in front of every source that uses sub-groups.
static DEFINITIONS: Mutex<String> = Mutex::new(String::new());
/// The number of times that the kernel that tests sub-groups was made.
static TESTS: AtomicUsize = AtomicUsize::new(0);

/// Reports a GPU with Khronos' sub-groups. Its driver's name includes the definitions, so that its compiled programs
/// are not used for other devices.
unsafe extern "system" fn info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let text;
    let bytes = match name {
        CL_DEVICE_EXTENSIONS => {
            text = CString::new(
                "cl_khr_subgroup_shuffle cl_khr_subgroup_ballot cl_intel_required_subgroup_size \
                 cl_khr_int64_base_atomics cl_khr_fp64",
            );
            text.as_ref().unwrap().to_bytes_with_nul()
        }
        CL_DEVICE_SUB_GROUP_SIZES_INTEL => &32_usize.to_ne_bytes(),
        CL_DRIVER_VERSION => {
            text = CString::new(DEFINITIONS.lock().unwrap().as_str());
            text.as_ref().unwrap().to_bytes_with_nul()
        }
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { forced::gpu_info(device, name, size, value, size_ret) },
    };
    // SAFETY: the caller's pointers.
    unsafe { forced::answer(bytes, size, value, size_ret) }
}

unsafe extern "system" fn with_definitions(
    context: cl_context,
    count: cl_uint,
    strings: *const *const c_char,
    lengths: *const size_t,
    status: *mut cl_int,
) -> cl_program {
    let create = system().clCreateProgramWithSource;
    // SAFETY: the caller's arrays, of as many entries; cl-core gives all lengths.
    let text: Vec<u8> = unsafe {
        let strings = std::slice::from_raw_parts(strings.cast::<*const u8>(), count as usize);
        let lengths = std::slice::from_raw_parts(lengths, count as usize);
        let pieces = strings.iter().zip(lengths);
        pieces.flat_map(|(&piece, &len)| std::slice::from_raw_parts(piece, len)).copied().collect()
    };
    let text = String::from_utf8(text).unwrap();
    if !text.contains("#define SUB_GROUPS 2") {
        // SAFETY: the caller's arguments, unchanged.
        return unsafe { create(context, count, strings, lengths, status) };
    }
    let text = DEFINITIONS.lock().unwrap().clone() + &text;
    // SAFETY: one string of this length, and the caller's pointer.
    unsafe { create(context, 1, &text.as_ptr().cast(), &text.len(), status) }
}

unsafe extern "system" fn counted_kernel(
    program: cl_program,
    name: *const c_char,
    status: *mut cl_int,
) -> cl_kernel {
    // SAFETY: the caller's name.
    if unsafe { CStr::from_ptr(name) } == c"test_sub_groups" {
        TESTS.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clCreateKernel)(program, name, status) }
}

/// Wrong definitions of all functions of the extensions that are used, which compile on any device.
const COMPLETE: [&str; 4] = [
    "#define get_sub_group_local_id() ((uint)get_local_id(0) % 32)\n",
    "#define sub_group_barrier(flags) barrier(flags)\n",
    "#define sub_group_ballot(condition) ((uint4)((condition) ? ~0u : 0u))\n",
    "#define sub_group_shuffle(word, lane) (word)\n",
];

/// Checks scans, selections, reductions by key and sorts.
fn check(queue: &Queue) {
    let host: Vec<u32> =
        (0..cl_test::full_or_small(20_003_u32, 9003)).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    let mut y = DeviceVec::filled(queue, 0, host.len()).unwrap();

    inclusive_scan(&x, &mut y).unwrap();
    let sums = host.iter().scan(0_u32, |sum, &x| {
        *sum = sum.wrapping_add(x);
        Some(*sum)
    });
    assert!(y.to_vec().unwrap().into_iter().eq(sums), "scan");

    let kept: Vec<u32> = host.iter().copied().filter(|x| x % 3 == 0).collect();
    let count = copy_if(&x, |x: Val<u32>| (x % 3).eq(0), &mut y).unwrap();
    assert_eq!(count.get().unwrap(), kept.len() as u64);
    assert!(y.to_vec().unwrap()[..kept.len()] == kept, "copy_if");

    let runs: Vec<u32> =
        host.chunks(7).map(|run| run.iter().fold(0, |sum: u32, &x| sum.wrapping_add(x))).collect();
    let keys = index::<u32>() / 7;
    let count = reduce_by_key(keys, &x, Discard, &mut y).unwrap();
    assert_eq!(count.get().unwrap(), runs.len() as u64);
    assert!(y.to_vec().unwrap()[..runs.len()] == runs, "reduce_by_key");

    let mut x = x;
    let mut sorted = host;
    sorted.sort_unstable();
    sort(&mut x).unwrap();
    assert!(x.to_vec().unwrap() == sorted, "sort");
}

/// Tests with `definitions` on each of these devices; returns how often each of them tested its sub-groups.
fn tries(on: &[Device], definitions: &str) -> Vec<usize> {
    definitions.clone_into(&mut DEFINITIONS.lock().unwrap());
    let functions = Functions {
        clGetDeviceInfo: info,
        clCreateProgramWithSource: with_definitions,
        clCreateKernel: counted_kernel,
        ..*system()
    };
    // SAFETY: three entries behave as described above; the others are the system's.
    let devices = unsafe { forced::devices(functions) };
    let disguised = devices.iter().filter(|device| on.iter().any(|one| one.as_raw() == device.as_raw()));
    let tries = disguised.map(|device| {
        let before = TESTS.load(Ordering::Relaxed);
        check(&Queue::on(device).unwrap());
        TESTS.load(Ordering::Relaxed) - before
    });
    tries.collect()
}

// One test, because the definitions are global.
#[test]
fn sub_groups_that_lie_are_not_used() {
    let mut devices = cl_test::devices();
    devices.retain(|device| {
        !cl_test::known_faults::skips("sub_groups::sub_groups_that_lie_are_not_used", device)
    });
    // If the functions are missing, nothing is compiled.
    tries(&devices, "");
    let lies = tries(&devices, &COMPLETE.concat());
    assert!(
        lies.len() == devices.len() && lies.iter().all(|&tries| tries > 0),
        "nothing was tried: {lies:?}"
    );
}
