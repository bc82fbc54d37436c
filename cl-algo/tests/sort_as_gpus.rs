//! Radix sorts as GPUs do them, on every device: those that are no GPU claim to be one.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

mod disguise;

use cl_algo::prelude::*;
use cl_core::raw::*;
use disguise::{LAUNCHES, system};
use std::sync::atomic::Ordering;

/// Says that the device is a GPU, and the truth about all else.
unsafe extern "system" fn gpu_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name == CL_DEVICE_TYPE {
        let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
        // SAFETY: the caller's places.
        return unsafe { disguise::answer(&gpu, size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) }
}

/// One launch for each digit, one that counts four of them at once, and one that sums up; the same each
/// time, with values of all sizes; and nothing is left behind that the next sort would trip over.
#[test]
fn one_launch_a_digit() {
    // SAFETY: one entry behaves as described above, one counts, the others are the system's.
    let devices = unsafe {
        disguise::devices(Functions {
            clGetDeviceInfo: gpu_info,
            clEnqueueNDRangeKernel: disguise::counted_launch,
            ..*system()
        })
    };
    for device in devices {
        let queue = &Queue::on(&device).unwrap();
        for (len, times) in [(3, 3), (40_009, 100), (1000, 3)] {
            let of = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 777;
            let host: Vec<u64> = (0..len).map(of).collect();
            let mut order: Vec<u64> = (0..len).collect();
            order.sort_by_key(|&i| host[i as usize]);
            for time in 0..times {
                let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
                let mut bytes = DeviceVec::from_fn(queue, host.len(), |i| i as u8).unwrap();
                let mut large = DeviceVec::from_fn(queue, host.len(), |i| F64x4::splat(i as f64)).unwrap();
                let before = LAUNCHES.load(Ordering::Relaxed);
                let bits = if time % 2 == 0 { 0..64 } else { 0..10 };
                Sort::new().bits(bits.clone()).by_key(&mut keys, (&mut bytes, &mut large)).unwrap();
                let launches = LAUNCHES.load(Ordering::Relaxed) - before;
                assert_eq!(launches, if bits.end == 64 { 8 + 2 + 1 } else { 2 + 1 + 1 });
                let sorted = |i: &u64| host[*i as usize];
                assert!(keys.to_vec().unwrap().into_iter().eq(order.iter().map(sorted)), "{len} {time}");
                assert!(bytes.to_vec().unwrap().into_iter().eq(order.iter().map(|&i| i as u8)));
                let large = large.to_vec().unwrap();
                assert!(large.into_iter().eq(order.iter().map(|&i| F64x4::splat(i as f64))));
            }
        }
    }
}
