//! Tests of both methods of set operations on every device, and of look-back when a tile stalls.

use super::launch::{Values, tile_shape};
use super::*;
use crate::codegen::look_back::LookBack;
use crate::codegen::look_back::tests::methods;
use crate::codegen::sub_groups::tests::every_kind;
use crate::device::DeviceProfile;
use crate::device::profile::tests::profile;
use cl_core::Queue;

/// Returns what the host's loop keeps.
fn expected(kept: Kept, a: &[u32], b: &[u32]) -> Vec<u32> {
    let (mut i, mut j, mut result) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        let only_a = j == b.len() || i < a.len() && a[i] < b[j];
        let only_b = i == a.len() || j < b.len() && b[j] < a[i];
        let keeps = if only_a {
            kept.first
        } else if only_b {
            kept.second
        } else {
            kept.both
        };
        if keeps {
            result.push(if only_b { b[j] } else { a[i] });
        }
        i += usize::from(!only_b);
        j += usize::from(!only_a);
    }
    result
}

/// Returns sorted pseudo-random numbers below `different`.
fn sorted(len: usize, seed: u32, different: u32) -> Vec<u32> {
    let number = |i: usize| (i as u32 ^ seed).wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(40503);
    let mut all: Vec<u32> = (0..len).map(|i| number(i) % different).collect();
    all.sort_unstable();
    all
}

/// Compares all set operations by a method with the host's.
fn check(queue: &Queue, a: &[u32], b: &[u32], method: Method) {
    let (x, y) = (DeviceVec::from_slice(queue, a).unwrap(), DeviceVec::from_slice(queue, b).unwrap());
    for kept in [UNION, INTERSECTION, DIFFERENCE, SYMMETRIC_DIFFERENCE] {
        let case = format!("{} and {} items, {kept:?}, {method:?}", a.len(), b.len());
        let expected = expected(kept, a, b);
        // The memory of the next count must not hold the right number by chance.
        drop(DeviceScalar::from_value(queue, u64::MAX).unwrap());
        let mut out = DeviceVec::filled(queue, 77_777_777_u32, a.len() + b.len() + 1).unwrap();
        let both = (x.iter(), y.iter());
        let count = set_operation("set", kept, both, ascending, &mut out, method).unwrap().get().unwrap();
        assert_eq!(count as usize, expected.len(), "{case}");
        let out = out.to_vec().unwrap();
        assert!(out[..expected.len()] == expected, "{case}");
        assert!(out[expected.len()..].iter().all(|&x| x == 77_777_777), "{case}: beyond the end");
    }
}

#[test]
fn runs_of_equal_items_across_tiles() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let large = cl_test::full_or_small(30_011, 9001);
        for method in methods(queue) {
            for (a_len, b_len) in
                [(1, 1), (2, 3), (255, 1), (3841, 3839), (8191, 8191), (large, 17_000), (5, large)]
            {
                for different in [1, 2, 40, 5000, u32::MAX] {
                    check(queue, &sorted(a_len, 1, different), &sorted(b_len, 2, different), method);
                }
            }
            // Runs of all lengths, long in one sequence and short in the other.
            let runs = |lengths: [u32; 3]| -> Vec<u32> {
                (0..9).flat_map(|key| vec![key; lengths[key as usize % 3] as usize]).collect()
            };
            check(queue, &runs([1, 7000, 3]), &runs([2000, 1, 3001]), method);
            check(queue, &runs([0, 4000, 4000]), &runs([4000, 3999, 0]), method);
        }
    });
}

#[test]
fn tiles_fit_into_local_memory() {
    for sub_groups in every_kind() {
        for local_memory in [32 << 10, 48 << 10, 228 << 10] {
            for item_bytes in [1, 4, 12, 16, 200, 4096, 12 << 10] {
                let look_back = LookBack { sub_groups, ..LookBack::ALONE };
                let values = Values { look_back, kept: UNION, item_bytes };
                let device = DeviceProfile { local_memory, ..profile(false, "") };
                let Some(shape) = tile_shape(&device, &values) else {
                    assert!(item_bytes >= 200, "{item_bytes} {sub_groups:?}");
                    continue;
                };
                let bytes = (shape.tile() + 1) * item_bytes + shape.group * 8;
                assert!(bytes + shape.group / sub_groups.width * 8 < local_memory, "{item_bytes} {shape:?}");
                assert!(shape.group.is_multiple_of(sub_groups.width), "{item_bytes} {shape:?}");
            }
        }
    }
}
