//! Tests of both methods of selection on every device, and of look-back when a tile stalls.

use super::*;
use crate::codegen::look_back::LookBack;
use crate::codegen::look_back::tests::methods;
use crate::codegen::sub_groups::tests::every_kind;
use crate::device::SubGroups;
use crate::device::profile::tests::{profile, row};
use crate::device::{DeviceProfile, shapes};
use cl_core::Queue;
use cl_test::known_faults::each_device;

/// Keeps a third of the numbers, and compares the result with the host's.
pub(in crate::algorithm) fn check_kept(queue: &Queue, vector: &DeviceVec<u32>, x: &[u32], method: Method) {
    let kept: Vec<u32> = x.iter().copied().filter(|x| x % 3 == 1).collect();
    let mut out = DeviceVec::filled(queue, 77_u32, x.len()).unwrap();
    let inputs = Inputs::keeping::<u32, _>("copy_if", vector, |x| (x % 3).eq(1));
    let count = select(inputs, |fused| fused.output::<u32>("", "", &mut out), method).unwrap();
    assert_eq!(count.get().unwrap() as usize, kept.len(), "{method:?}");
    assert_eq!(out.to_vec().unwrap()[..kept.len()], kept, "{method:?}");
}

#[test]
fn sizes_around_every_edge() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let edges = [1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1024];
        // A tile has 2048 items.
        let large = [1025, 2047, 2048, 2049, 4096, 4097, 8193, 16_385, 65_537, 100_003];
        let all = [&edges[..], &large].concat();
        for len in cl_test::full_or_small(all, vec![1, 9, 257, 2048, 2049, 8193]) {
            let x: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
            let vector = DeviceVec::from_slice(queue, &x).unwrap();
            let (kept, rejected): (Vec<u32>, Vec<u32>) = x.iter().partition(|&x| x % 3 == 1);
            for method in methods(queue) {
                // The memory of the next count must not hold the right number by chance.
                drop(DeviceScalar::from_value(queue, u64::MAX).unwrap());
                let mut yes = DeviceVec::filled(queue, 77_u32, len).unwrap();
                let mut no = DeviceVec::filled(queue, 88_u32, len).unwrap();
                let mut inputs = Inputs::keeping::<u32, _>("partition", &vector, |x| (x % 3).eq(1));
                inputs.rejects = Rejects::Apart;
                let count = select(
                    inputs,
                    |fused| fused.output::<u32>("", "", &mut yes).output::<u32>("REJECT", "", &mut no),
                    method,
                )
                .unwrap();
                assert_eq!(count.get().unwrap() as usize, kept.len(), "{len} {method:?}");
                let (yes, no) = (yes.to_vec().unwrap(), no.to_vec().unwrap());
                assert_eq!(yes[..kept.len()], kept, "{len} {method:?}");
                assert_eq!(no[..rejected.len()], rejected, "{len} {method:?}");
                assert!(yes[kept.len()..].iter().all(|&x| x == 77), "{len} {method:?}: beyond the end");
                assert!(no[rejected.len()..].iter().all(|&x| x == 88), "{len} {method:?}: beyond the end");

                let mut both = DeviceVec::filled(queue, 77_u32, len + 1).unwrap();
                let mut inputs = Inputs::keeping::<u32, _>("partition", &vector, |x| (x % 3).eq(1));
                inputs.rejects = Rejects::Behind;
                let count = select(inputs, |fused| fused.output::<u32>("", "", &mut both), method).unwrap();
                assert_eq!(count.get().unwrap() as usize, kept.len(), "{len} {method:?}");
                let expected = [&kept[..], &rejected, &[77]].concat();
                assert_eq!(both.to_vec().unwrap(), expected, "{len} {method:?}");
            }
        }
    });
}

/// Selects from stretches of which all, none or a few items are kept, with arbitrary ends.
#[test]
fn stretches_of_all_and_of_none() {
    each_device("algorithm::select::tests::stretches_of_all_and_of_none", |device| {
        let queue = &Queue::on(device).unwrap();
        let methods = [Method::ByDevice, Method::Runs, Method::LookBack(LookBack::ALONE)];
        for (len, stretch) in [(64, 64), (4097, 64), (8193, 100), (20_001, 3000), (20_001, 1 << 20)] {
            for few in [u32::MAX, 30] {
                let is_kept = |i: u32| i / stretch % 2 == 1 || i % few == few - 3;
                let x: Vec<u32> = (0..len).map(|i| 2 * i + u32::from(is_kept(i))).collect();
                let (kept, rejected): (Vec<u32>, Vec<u32>) = x.iter().partition(|&x| x % 2 == 1);
                let vector = DeviceVec::from_slice(queue, &x).unwrap();
                for (method, rejects) in methods.iter().flat_map(|&method| {
                    [Rejects::Dropped, Rejects::Apart, Rejects::Behind].map(|it| (method, it))
                }) {
                    let case = format!("{len} {stretch} {few} {method:?} {rejects:?}");
                    let mut yes = DeviceVec::filled(queue, 77_u32, x.len()).unwrap();
                    let mut no = DeviceVec::filled(queue, 77_u32, x.len()).unwrap();
                    let mut inputs = Inputs::keeping::<u32, _>("partition", &vector, |x| (x & 1).eq(1));
                    inputs.rejects = rejects;
                    let count = if rejects == Rejects::Apart {
                        let sinks = (&mut yes, &mut no);
                        select(
                            inputs,
                            |fused| fused.output::<u32>("", "", sinks.0).output::<u32>("REJECT", "", sinks.1),
                            method,
                        )
                    } else {
                        select(inputs, |fused| fused.output::<u32>("", "", &mut yes), method)
                    };
                    let count = count.unwrap();
                    assert_eq!(count.get().unwrap() as usize, kept.len(), "{case}");
                    let (yes, no) = (yes.to_vec().unwrap(), no.to_vec().unwrap());
                    let rest = vec![77; rejected.len()];
                    let behind = if rejects == Rejects::Behind { &rejected } else { &rest };
                    assert!(yes == [&kept[..], behind].concat(), "{case}");
                    if rejects == Rejects::Apart {
                        assert!(no == [&rejected[..], &vec![77; kept.len()]].concat(), "{case}");
                    }
                }
            }
        }
    });
}

/// Removes duplicates in runs whose ends do and do not coincide with the ends of tiles, packs and chunks.
#[test]
fn neighbours_across_tiles() {
    each_device("algorithm::select::tests::neighbours_across_tiles", |device| {
        let queue = &Queue::on(device).unwrap();
        for len in [1, 2, 2047, 2048, 4097, cl_test::full_or_small(30_001, 8193)] {
            for run in [1, 4, 8, 20, 64, 2048, 3000] {
                let x: Vec<u32> = (0..len as u32).map(|i| (i + 1) / run).collect();
                let vector = DeviceVec::from_slice(queue, &x).unwrap();
                let mut expected = x.clone();
                expected.dedup();
                for method in [Method::Runs, Method::LookBack(LookBack::ALONE)] {
                    let mut out = DeviceVec::filled(queue, 77_u32, len).unwrap();
                    let inputs = Inputs::dropping_duplicates::<u32, _>("unique", &vector, Val::eq);
                    let count =
                        select(inputs, |fused| fused.output::<u32>("", "", &mut out), method).unwrap();
                    let count = count.get().unwrap() as usize;
                    assert_eq!(out.to_vec().unwrap()[..count], expected, "{len} {run} {method:?}");
                }
            }
        }
    });
}

fn values(sub_groups: SubGroups, short: bool, elements: usize) -> single::Values {
    let look_back = LookBack { sub_groups, ..LookBack::ALONE };
    single::Values { look_back, by_neighbour: false, rejects: Rejects::Dropped, short, elements }
}

/// Checks that a tile's items fit into local memory, whatever their size.
#[test]
fn local_memory_is_enough() {
    cl_test::each_device(|device| {
        let profile = DeviceProfile { chunked: false, ..DeviceProfile::of(device).unwrap() };
        for sub_groups in every_kind() {
            let most =
                if profile.tile_rule(&shapes::SELECT, 4).local > 24 << 10 { 48 << 10 } else { 32 << 10 };
            for (size, elements) in [(1, 1), (4, 1), (8, 1), (8, 8), (16, 3), (64, 1), (128, 1)] {
                for short in [false, true] {
                    let shape = single::shape(&profile, size, &values(sub_groups, short, elements));
                    let bytes = shape.tile() * size * elements;
                    assert!(shape.group > 0 && bytes < most, "{size} {elements} {shape:?}");
                }
            }
        }
    });
}

#[test]
fn tuning_rows_are_limited_by_local_memory() {
    let shape = |numbers, size, elements| {
        let profile = profile(false, &row(&shapes::SELECT, numbers).replace("\t4\t", "\t-\t"));
        let shape = single::shape(&profile, size, &values(SubGroups::WARPS, false, elements));
        (shape.group, shape.packs)
    };
    assert_eq!(shape("256 160 -", 4, 1), (256, 10));
    assert_eq!(shape("1 0 -", 4, 1), (32, 1));
    for (size, elements) in [(4, 1), (8, 4), (12, 2)] {
        assert_eq!(
            shape("1024 100000 -", size, elements),
            shape("- - -", size, elements),
            "more than there is"
        );
    }
}
