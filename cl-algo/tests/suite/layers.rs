//! Items that a kernel keeps in layers: each item of an output reads the right ones, for spaces and blocks of many sizes.

use cl_algo::prelude::*;
use cl_algo::ranked::{AxisMap, Layers, Layout, coordinate, load};
use cl_algo::{Castable, DeviceProfile, Number};
use cl_test::each_device;

/// Spaces, each with the items that the kept expression has more along each axis.
const SPACES: &[(&[usize], &[usize])] = &[
    (&[1], &[0]),
    (&[1000], &[3]),
    (&[40_000], &[1]),
    (&[7, 9], &[2, 0]),
    (&[50, 1], &[0, 2]),
    (&[37, 1200], &[4, 3]),
    (&[1, 1, 1], &[2, 2, 2]),
    (&[5, 6, 40], &[0, 0, 0]),
    (&[20, 33, 70], &[2, 2, 2]),
    (&[70, 3, 64], &[1, 3, 0]),
    (&[9, 40, 700], &[3, 2, 1]),
];

/// Slabs of these sizes take whole rows, parts of rows, and one layer.
const BYTES: [usize; 3] = [24 << 10, 64 << 10, 1 << 20];

/// Returns `x` at each coordinate plus `by`.
fn moved<'a, T: Number>(x: &Expr<'a, T>, by: &[usize]) -> Expr<'a, T> {
    let maps: Vec<_> =
        by.iter().enumerate().map(|(axis, &offset)| AxisMap { offset, ..AxisMap::whole(axis) }).collect();
    x.clone().at_coordinates(&maps, by.len())
}

/// Returns the distances that are read: both ends along each axis, and one in between.
fn reads(more: &[usize]) -> Vec<Vec<usize>> {
    let corners = (0..1 << more.len()).map(|corner: usize| {
        more.iter().enumerate().map(|(axis, &more)| if corner >> axis & 1 == 1 { more } else { 0 }).collect()
    });
    corners.chain([more.iter().map(|more| more / 2).collect()]).collect()
}

fn check<T: Number + Castable + std::fmt::Debug + PartialEq>(queue: &Queue, of: impl Fn(i64) -> T) {
    for &(shape, more) in SPACES {
        let kept_shape: Vec<usize> = shape.iter().zip(more).map(|(len, more)| len + more).collect();
        let (rank, count) = (shape.len(), shape.iter().product::<usize>());
        let kept_count: usize = kept_shape.iter().product();
        let host: Vec<i64> = (0..kept_count as i64).map(|at| at * 7 % 13).collect();
        let items: Vec<T> = host.iter().map(|&value| of(value)).collect();
        let vector = DeviceVec::from_slice(queue, &items).unwrap();
        let kept_layout = Layout::row_major(&kept_shape).unwrap();
        let index = |at: usize, shape: &[usize]| -> Vec<usize> {
            let mut rest = at;
            let mut point: Vec<usize> = shape.iter().rev().map(|len| (rest % len, rest /= len).0).collect();
            point.reverse();
            point
        };
        let expected: Vec<T> = (0..count)
            .map(|at| {
                let point = index(at, shape);
                let value = |by: &[usize]| -> i64 {
                    let point: Vec<usize> = point.iter().zip(by).map(|(at, by)| at + by).collect();
                    // The kept items are `2 x + c`, where `c` is the last coordinate modulo 4.
                    2 * host[kept_layout.index(&point).unwrap()] + (point[rank - 1] % 4) as i64
                };
                of(reads(more).iter().map(|by| value(by)).sum::<i64>() + (point[0] % 3) as i64)
            })
            .collect();
        for bytes in BYTES {
            // In order, and with the axes turned around, behind other elements.
            let outputs = [Layout::row_major(shape).unwrap(), Layout::column_major(shape).unwrap()];
            let x = load(&vector, &kept_layout);
            let kept = x.clone() + x + (coordinate::<u32>(rank - 1, rank) % 4).cast::<T>();
            let own = (coordinate::<u32>(0, rank) % 3).cast::<T>();
            // Layers may be in the order of the axes of another array than the one that is written.
            for (order, output) in [(0, 0), (1, 1), (1, 0), (0, 1)] {
                let layers = Layers::<T>::new(queue, &kept_shape, &outputs[order], bytes).unwrap();
                let Some(layers) = layers else { continue };
                let all = layers.items();
                let sum = reads(more).iter().fold(own.clone(), |sum, by| sum + moved(&all, by));
                let (mut values, layout) =
                    (DeviceVec::filled(queue, of(99), count).unwrap(), outputs[output]);
                layers.assign("test", (&mut values, layout), kept.clone(), sum).unwrap();
                let values = values.to_vec().unwrap();
                for (at, wanted) in expected.iter().enumerate() {
                    let value = values[layout.index(&index(at, shape)).unwrap()];
                    assert_eq!(
                        value, *wanted,
                        "{shape:?} and {more:?}, {at}, {bytes} bytes, {order} {output}"
                    );
                }
            }
        }
    }
}

#[test]
fn each_item_reads_the_kept_items_around_it() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check::<f32>(queue, |value| value as f32);
        check::<i32>(queue, |value| value as i32);
        check::<u8>(queue, |value| value as u8);
        if device.has_fp64().unwrap() {
            check::<f64>(queue, |value| value as f64);
        }
    });
}

#[test]
fn cpus_have_layers() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let is_cpu = DeviceProfile::of(device).unwrap().chunked;
        for &(shape, more) in SPACES {
            let kept: Vec<usize> = shape.iter().zip(more).map(|(len, more)| len + more).collect();
            let output = Layout::row_major(shape).unwrap();
            let layers = Layers::<f32>::new(queue, &kept, &output, 1 << 20).unwrap();
            assert_eq!(layers.is_some(), is_cpu, "{shape:?} {more:?}");
            let overlap = Layers::<f32>::overlap(queue, &kept, &output, 1 << 20).unwrap();
            assert!(overlap.is_none_or(|overlap| overlap >= 1.0), "{overlap:?}");
        }
    });
}

/// Several outputs of one kernel, into slices of longer vectors.
#[test]
fn outputs_may_be_several() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let output = Layout::row_major(&[40, 60]).unwrap();
        let Some(layers) = Layers::<i32>::new(queue, &[42, 61], &output, 64 << 10).unwrap() else { return };
        let mut outputs = [0, 0].map(|value| DeviceVec::filled(queue, value, 41 * 60).unwrap());
        let [first, second] = &mut outputs;
        let kept = coordinate::<i32>(0, 2) * 100 + coordinate::<i32>(1, 2);
        let all = layers.items();
        let pair = zip((moved(&all, &[0, 1]), moved(&all, &[2, 0]) * 2));
        let whole = Layout::row_major(&[41, 60]).unwrap();
        let part =
            whole.view(&[AxisMap { offset: 1, ..AxisMap::whole(0) }, AxisMap::whole(1)], &[40, 60]).unwrap();
        layers.assign("test", ((first, part), (second, part)), kept, pair).unwrap();
        for (output, factor, [down, across]) in [(&outputs[0], 1, [0, 1]), (&outputs[1], 2, [2, 0])] {
            let values = output.to_vec().unwrap();
            for (at, &value) in values.iter().enumerate() {
                let (i, j) = (at as i32 / 60, at as i32 % 60);
                let wanted = if i == 0 { 0 } else { factor * ((i - 1 + down) * 100 + j + across) };
                assert_eq!(value, wanted, "{i} {j}");
            }
        }
    });
}

#[test]
fn other_coordinates_and_shapes_are_errors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = Layout::row_major(&[40, 60]).unwrap();
        let Some(layers) = Layers::<f32>::new(queue, &[42, 61], &shape, 64 << 10).unwrap() else { return };
        let mut output = DeviceVec::filled(queue, 0.5_f32, 41 * 60).unwrap();
        let kept = || coordinate::<f32>(0, 2);
        let all = layers.items();
        let across = all.clone().at_coordinates(&[AxisMap::whole(1), AxisMap::whole(0)], 2);
        let row = all.clone().at_coordinates(&[AxisMap::at(0), AxisMap::whole(1)], 2);
        for wrong in [moved(&all, &[3, 0]), moved(&all, &[0, 2]), across, row] {
            let before = || panic!("an error of the input comes before everything else");
            let result = layers.assign_after("test", (&mut output, shape), kept(), wrong, before);
            let error = result.unwrap_err().to_string();
            assert!(error.contains("not kept"), "{error}");
        }
        let error = layers.assign("test", (&mut output, shape), all.clone(), kept()).unwrap_err().to_string();
        assert!(error.contains("not kept"), "{error}");
        let other = Layout::row_major(&[41, 60]).unwrap();
        let error = layers.assign("test", (&mut output, other), kept(), kept()).unwrap_err().to_string();
        assert!(error.contains("[41, 60]"), "{error}");
        // Elsewhere the items cannot be read.
        cl_algo::ranked::assign("test", (&mut output, other), all.clone()).unwrap_err();
        assert!(output.to_vec().unwrap().iter().all(|&value| value == 0.5));
    });
}
