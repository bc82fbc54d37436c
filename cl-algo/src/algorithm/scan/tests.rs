//! Tests of both methods of scans on every device, and of look-back when a tile stalls.

use super::*;
use crate::codegen::look_back::LookBack;
use crate::codegen::look_back::tests::methods;
use crate::codegen::sub_groups::tests::every_kind;
use crate::device::SubGroups;
use crate::device::profile::tests::{profile, row};
use crate::device::{DeviceProfile, shapes};
use crate::expr::Val;
use crate::vec::DeviceVec;
use cl_core::Queue;

/// Returns numbers without a pattern.
fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
}

fn sums(queue: &Queue, x: &[u32], initial: Option<u32>, method: Method) -> Vec<u32> {
    let vector = DeviceVec::from_slice(queue, x).unwrap();
    let mut out = DeviceVec::filled(queue, 77, x.len()).unwrap();
    let initial = initial.map(|initial| Operand::<u32>::into_expr(initial).into_graph());
    let items = (&vector * 3).into_graph();
    let inputs = Inputs::of::<u32>("scan", items, initial, |a: Val<u32>, b: Val<u32>| a + b);
    scan(inputs, |fused| fused.output::<u32>("", "", &mut out), method).unwrap();
    out.to_vec().unwrap()
}

/// Scans three times the numbers, and compares the results with the host's.
pub(in crate::algorithm) fn check_sums(queue: &Queue, x: &[u32], method: Method) {
    let expected = x.iter().scan(0_u32, |total, x| {
        *total = total.wrapping_add(x.wrapping_mul(3));
        Some(*total)
    });
    assert!(sums(queue, x, None, method).into_iter().eq(expected), "{} {method:?}", x.len());
}

#[test]
fn sizes_around_every_edge() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let edges =
            [1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024];
        let large = [1025, 2047, 2048, 2049, 4095, 4097, 8191, 8193, 16_385, 65_537, 100_003];
        let all = [&edges[..], &large].concat();
        for len in cl_test::full_or_small(all, vec![1, 9, 257, 2048, 2049, 8193]) {
            let x = numbers(len);
            let mut total = 0_u32;
            let inclusive: Vec<u32> = x
                .iter()
                .map(|&x| {
                    total = total.wrapping_add(x.wrapping_mul(3));
                    total
                })
                .collect();
            let exclusive: Vec<u32> =
                [5].into_iter().chain(inclusive.iter().map(|sum| sum.wrapping_add(5))).take(len).collect();
            for method in methods(queue) {
                assert_eq!(sums(queue, &x, None, method), inclusive, "{len} {method:?}");
                assert_eq!(sums(queue, &x, Some(5), method), exclusive, "{len} {method:?}");
            }
        }
    });
}

/// Computes the last number that is not 0. The order matters, and tiles must not overwrite elements that other tiles
/// still read. (PoCL 3.1 crashes when it compiles this for pairs.)
#[test]
fn operators_that_do_not_commute_in_place() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in [16, 17, 2048, cl_test::full_or_small(30_001, 8193)] {
            let x: Vec<u32> = numbers(len).into_iter().map(|x| if x % 5 > 0 { 0 } else { x }).collect();
            let last = |last: &mut u32, &x: &u32| {
                let before = *last;
                *last = if x != 0 { x } else { before };
                Some(before)
            };
            let expected: Vec<u32> = x.iter().scan(9, last).collect();
            for method in methods(queue) {
                let mut x = DeviceVec::from_slice(queue, &x).unwrap();
                let initial = Operand::<u32>::into_expr(9).into_graph();
                let operator = |a: Val<u32>, b: Val<u32>| b.ne(0).select(b, a);
                in_place::<u32>("scan", &mut x, Some(initial), operator, method).unwrap();
                assert!(x.to_vec().unwrap() == expected, "{len} {method:?}");
            }
        }
    });
}

/// Reads messages of many words while they are overwritten: totals that become prefixes.
#[test]
fn messages_of_many_words() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let one = crate::U32x16::from([1; 16]);
        let len = cl_test::full_or_small(100_000, 5000);
        let [x, mut out] = [(); 2].map(|()| DeviceVec::filled(queue, one, len).unwrap());
        let counts = crate::index::<u32>().map(|i| i + 1);
        for run in 0..cl_test::full_or_small(500, 2) {
            let items = x.iter().into_graph();
            let inputs = Inputs::of::<crate::U32x16>("scan", items, None, |a, b| a + b);
            let alone =
                LookBack { sub_groups: SubGroups::NONE, tickets: true, ..LookBack::on(queue).unwrap() };
            let method = Method::LookBack(alone);
            scan(inputs, |fused| fused.output::<crate::U32x16>("", "", &mut out), method).unwrap();
            let wrong = out.iter().component(15).ne(counts.clone()).count().unwrap();
            assert_eq!(wrong, 0, "run {run}");
        }
    });
}

/// Returns the number of words of an item in messages and totals.
fn words<T: Item>() -> usize {
    let items = Graph::default();
    Inputs::of::<T>("scan", items, None, |_, item| item).words
}

#[test]
fn words_are_those_of_structs_in_c() {
    assert_eq!(words::<u8>(), 1);
    assert_eq!(words::<(u8, u8, u16)>(), 1);
    assert_eq!(words::<crate::F32x3>(), 4);
    // There is a gap after the first byte, and one after the last.
    assert_eq!(words::<(u8, crate::F64x4, u8)>(), 24);
    assert_eq!(words::<(bool, u64, bool, u64, bool)>(), 10);
}

/// Returns the parameters of a long scan.
fn values(sub_groups: SubGroups, elements: usize) -> single::Values {
    let look_back = LookBack { sub_groups, ..LookBack::ALONE };
    let (in_place, exclusive, has_initial, short) = (false, false, false, false);
    single::Values { look_back, in_place, exclusive, has_initial, short, elements }
}

/// Checks that a work-group's carried items fit into local memory, whatever their size.
#[test]
fn local_memory_is_enough() {
    cl_test::each_device(|device| {
        let profile = DeviceProfile { chunked: false, ..DeviceProfile::of(device).unwrap() };
        for sub_groups in every_kind() {
            let most = if profile.tile_rule(&shapes::SCAN, 4).local > 24 << 10 { 48 << 10 } else { 32 << 10 };
            for (size, elements) in [(1, 1), (8, 1), (8, 8), (128, 1), (128, 8), (4096, 1)] {
                let shape = single::shape(&profile, size, &values(sub_groups, elements));
                let aside =
                    if sub_groups.width > 1 && shape.pack > 1 { shape.packs * shape.group } else { 0 };
                let items = shape.group / sub_groups.width + aside;
                assert!(items > 0 && items * size * elements < most, "{size} {elements} {shape:?}");
            }
        }
    });
}

#[test]
fn rows_get_no_more_local_memory_than_there_is() {
    let profile = profile(false, &row(&shapes::SCAN, "100000 100000 -"));
    let shape = single::shape(&profile, 4, &values(SubGroups::WARPS, 1));
    assert!(shape.packs * shape.group * size_of::<u32>() < profile.local_memory, "{shape:?}");
}
