//! Neighbours of expressions that are made of neighbours: plain loads inside, and item by item at borders.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::ranked::{Composition, Layout, Neighbourhood, contract, load};
use cl_test::{each_device, each_device_and_forced};

const BORDERS: [Border<i32>; 3] = [Border::Clamp, Border::Wrap, Border::Constant(1000)];

/// Computes `shifted` on the host.
fn shifted(x: &[i32], offset: isize, border: Border<i32>) -> Vec<i32> {
    let len = x.len() as isize;
    let at = |i: isize| match border {
        Border::Clamp => x[i.clamp(0, len - 1) as usize],
        Border::Wrap => x[i.rem_euclid(len) as usize],
        Border::Constant(value) => x.get(i as usize).copied().filter(|_| i >= 0).unwrap_or(value),
        other => panic!("the host knows no border {other:?}"),
    };
    (0..len).map(|i| at(i + offset)).collect()
}

/// Returns three times each item plus and minus its neighbours at two distances.
fn on_host(x: &[i32], [a, b]: [isize; 2], border: Border<i32>) -> Vec<i32> {
    let (left, right) = (shifted(x, a, border), shifted(x, b, border));
    x.iter()
        .zip(left)
        .zip(right)
        .map(|((x, a), b)| a.wrapping_sub(b).wrapping_add(x.wrapping_mul(3)))
        .collect()
}

fn lazily<'a>(x: &Expr<'a, i32>, [a, b]: [isize; 2], border: Border<i32>) -> Expr<'a, i32> {
    x.clone().shifted(a, border) - x.clone().shifted(b, border) + x.clone() * 3
}

#[test]
fn two_stencils_are_one_kernel() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in [1, 17, 4099] {
            let host: Vec<i32> = (0..len).map(|i| i * 7919 % 1013).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let half = (len / 2) as isize;
            // Each border within another one, and the last within itself.
            let outer = [BORDERS[1], BORDERS[2], BORDERS[2]];
            for (inner, outer) in BORDERS.into_iter().zip(outer) {
                for (first, second) in
                    [([-1, 1], [1, -2]), ([17, -40], [-3, 5]), ([half, 2], [-half, half + 1])]
                {
                    let expected = on_host(&on_host(&host, first, inner), second, outer);
                    let both = lazily(&lazily(&x.iter(), first, inner), second, outer);
                    let what = format!("{len}: {first:?} {inner:?}, {second:?} {outer:?}");
                    assert_eq!(both.collect().unwrap().to_vec().unwrap(), expected, "{what}");
                }
            }
        }
    });
}

/// Tests views of neighbours, neighbours of views, and slices of them as targets.
#[test]
fn views_and_neighbours_in_any_order() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in [20, 9001] {
            let host: Vec<i32> = (0..len).map(|i| (i * 31 % 257) as i32).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            for border in BORDERS {
                let check = |expr: Expr<'_, i32>, expected: &[i32], what: &str| {
                    let mut y = DeviceVec::filled(&queue, -1, expected.len() + 8).unwrap();
                    assign(y.slice_mut(5..expected.len() + 5), expr).unwrap();
                    assert_eq!(
                        y.to_vec().unwrap()[5..expected.len() + 5],
                        *expected,
                        "{what}, {len}, {border:?}"
                    );
                };
                let (moved, there) = (x.iter().shifted(3, border), shifted(&host, 3, border));
                check(moved.clone().skip(7), &there[7..], "a part of neighbours");
                check(
                    moved.clone().skip(7).shifted(-2, border),
                    &shifted(&there[7..], -2, border),
                    "and again",
                );
                let reversed: Vec<i32> = there.iter().rev().copied().collect();
                check(moved.clone().rev(), &reversed, "backwards");
                check(moved.clone().rev().shifted(1, border), &shifted(&reversed, 1, border), "of backwards");
                let stepped: Vec<i32> = there.iter().step_by(3).copied().collect();
                check(moved.clone().step_by(3), &stepped, "by steps");
                check(moved.step_by(3).shifted(-1, border), &shifted(&stepped, -1, border), "of steps");
                let indices: Vec<i32> = (0..len as i32).collect();
                check(iota(0, len).shifted(-4, border), &shifted(&indices, -4, border), "of indices");
            }
        }
    });
}

/// Checks that inside, where nearly all packs are, a stencil of a stencil loads packs and nothing item by item.
#[test]
fn packs_are_loaded_inside() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::filled(&queue, 1, 100_000).unwrap();
        let source = lazily(&lazily(&x.iter(), [-1, 1], Border::Clamp), [-1, 1], Border::Wrap)
            .kernel_source(device)
            .unwrap();
        let pack = &source[source.find("PACK_ITEM pack_at(").unwrap()..];
        let pack = &pack[..pack.find("\n}").unwrap()];
        assert!(
            source.contains("#define PACK 1\n") || pack.contains("vload") && !pack.contains(".s1"),
            "{pack}"
        );
    });
}

/// The last step of a product of matrices reads neighbours of another vector.
#[test]
fn neighbours_are_added_to_products() {
    const ROWS: usize = 40;
    let host: Vec<i32> = (0..(ROWS * ROWS) as i32).map(|i| i * 7919 % 1013 - 500).collect();
    let item = |row: usize, column: usize| {
        (0..ROWS).fold(0_i32, |sum, k| {
            sum.wrapping_add(host[row * ROWS + k].wrapping_mul(host[k * ROWS + column]))
        })
    };
    let product: Vec<i32> = (0..ROWS * ROWS).map(|at| item(at / ROWS, at % ROWS)).collect();
    each_device_and_forced(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let layout = Layout::row_major(&[ROWS, ROWS]).unwrap();
        for border in BORDERS {
            let mut y = DeviceVec::filled(&queue, 0, ROWS * ROWS).unwrap();
            let operands = [(load(&x, &layout), layout.shape()), (load(&x, &layout), layout.shape())];
            let neighbours = x.iter().shifted(1, border).with_shape(&[ROWS, ROWS]);
            contract("test", (&mut y, layout), operands, neighbours, |item: Val<i32>, next: Val<i32>| {
                item + next
            })
            .unwrap();
            let expected: Vec<i32> =
                product.iter().zip(shifted(&host, 1, border)).map(|(a, b)| a.wrapping_add(b)).collect();
            assert_eq!(y.to_vec().unwrap(), expected, "{border:?}");
        }
    });
}

/// An item of one composition, and too few items, are deferred errors in another one.
#[test]
fn items_of_another_composition_are_refused() {
    let sum = Neighbourhood::<i32, i32, usize>::record(|at| at(0) + at(1));
    let (mut here, mut there) = (Composition::default(), Composition::default());
    let foreign = (0..9).map(|i| there.add(iota(i, 8))).last().unwrap();
    let own = here.add(iota(0, 8));
    let refused = |expr: Expr<'_, i32>| {
        let error = expr.collect().unwrap_err();
        assert!(error.to_string().starts_with("invalid stencil: "), "{error}");
    };
    refused(here.expr(&foreign));
    let none = there.apply(&sum, &[]);
    let again = there.apply(&sum, &[none.clone(), none]);
    refused(there.expr(&again));
    let mixed = here.apply(&sum, &[own, foreign]);
    let again = here.apply(&sum, &[mixed.clone(), mixed]);
    refused(here.expr(&again));
}
