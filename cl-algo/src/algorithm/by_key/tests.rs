//! Tests of both methods by key on every device, and of look-back when a tile stalls.

use super::reduce::reduce;
use super::scan::scan;
use super::*;
use crate::codegen::look_back::tests::methods;
use crate::vec::DeviceVec;
use cl_core::Queue;

/// Returns keys in runs of about `run` items, and values without a pattern.
fn data(len: usize, run: u32) -> (Vec<u32>, Vec<u32>) {
    let values: Vec<u32> = (0..len as u32).map(|i| (i + 1).wrapping_mul(2_654_435_761) >> 7).collect();
    let mut key = 7;
    let keys = values.iter().map(|x| {
        key += u32::from((x >> 3).is_multiple_of(run));
        key
    });
    (keys.collect(), values)
}

/// Returns the composition of two affine maps `x -> a x + b`. Compositions do not commute.
fn after((a, b): (u32, u32), (c, d): (u32, u32)) -> (u32, u32) {
    (c.wrapping_mul(a), c.wrapping_mul(b).wrapping_add(d))
}

fn maps<'a>(keys: &'a DeviceVec<u32>, values: &'a DeviceVec<u32>) -> Inputs<'a> {
    Inputs::of::<u32, (u32, u32)>(
        "by_key",
        keys,
        (values.iter() | 1, values.iter() / 3),
        Val::eq,
        |(a, b), (c, d)| (c * a, c * b + d),
    )
}

const LENGTHS: &[usize] = &[
    1, 2, 3, 4, 5, 8, 9, 63, 65, 127, 255, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4097,
    5460, 16_385, 70_003,
];

/// The lengths of one item, a part of a tile, and three tiles of which the last has one item.
const FEW_LENGTHS: &[usize] = &[1, 65, 4097];

/// The lengths of runs: one, a few, some longer than a tile, and all items.
const RUNS: [u32; 4] = [1, 4, 3000, u32::MAX];

#[test]
fn sizes_around_every_edge() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let lengths = cl_test::full_or_small(LENGTHS, FEW_LENGTHS);
        for (len, run) in lengths.iter().flat_map(|&len| RUNS.map(|run| (len, run))) {
            let (k, x) = data(len, run);
            let [keys, values] = [&k, &x].map(|host| DeviceVec::from_slice(queue, host).unwrap());
            let maps_of = |i: usize| (x[i] | 1, x[i] / 3);
            let mut inclusive: Vec<(u32, u32)> = Vec::new();
            let mut exclusive: Vec<(u32, u32)> = Vec::new();
            let mut runs: Vec<(u32, (u32, u32))> = Vec::new();
            for i in 0..len {
                let head = i == 0 || k[i] != k[i - 1];
                let before = if head { (5, 6) } else { after(exclusive[i - 1], maps_of(i - 1)) };
                let own = if head { maps_of(i) } else { after(inclusive[i - 1], maps_of(i)) };
                exclusive.push(before);
                inclusive.push(own);
                match runs.last_mut() {
                    Some(run) if !head => run.1 = own,
                    _ => runs.push((k[i], own)),
                }
            }
            for method in methods(queue) {
                let case = format!("{len} items, runs of {run}, {method:?}");
                for (initial, expected) in [(None, &inclusive), (Some((5_u32, 6_u32)), &exclusive)] {
                    let [mut a, mut b] = [0, 1].map(|_| DeviceVec::filled(queue, 77_u32, len).unwrap());
                    let mut inputs = maps(&keys, &values);
                    inputs.initial =
                        initial.map(|initial| Operand::<(u32, u32)>::into_expr(initial).into_graph());
                    let sinks = (&mut a, &mut b);
                    scan(inputs, |fused| fused.output::<(u32, u32)>("", "", sinks), method).unwrap();
                    let found: Vec<_> = a.to_vec().unwrap().into_iter().zip(b.to_vec().unwrap()).collect();
                    let wrong = (0..len).find(|&i| found[i] != expected[i]);
                    assert_eq!(wrong, None, "{case}, from {initial:?}");
                }
                let [mut key, mut a, mut b] =
                    [0, 1, 2].map(|_| DeviceVec::filled(queue, 77_u32, len + 1).unwrap());
                let sinks = (&mut a, &mut b);
                let count = reduce(
                    maps(&keys, &values),
                    |fused| fused.output::<u32>("KEY", "KEY", &mut key).output::<(u32, u32)>("", "", sinks),
                    method,
                );
                let count = count.unwrap();
                assert_eq!(count.get().unwrap() as usize, runs.len(), "{case}");
                let [key, a, b] = [key, a, b].map(|vector| vector.to_vec().unwrap());
                let found: Vec<_> =
                    key.iter().zip(a.iter().zip(&b)).map(|(&k, (&a, &b))| (k, (a, b))).collect();
                let wrong = (0..runs.len()).find(|&i| found[i] != runs[i]);
                assert_eq!(wrong, None, "{case}");
                assert!(found[runs.len()..].iter().all(|&run| run == (77, (77, 77))), "{case}: beyond");
            }
        }
    });
}
