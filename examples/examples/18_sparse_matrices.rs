//! Sparse matrices: almost all entries are zero, and only the others are stored and computed with.
//!
//! `cargo run --release --example 18_sparse_matrices`. The example is a net of resistors: a square of knots
//! with wires between neighbours. The wires make a matrix. Its product with the voltages is the currents, and a
//! solver finds the voltages for given currents. The same wires with another arithmetic give the shortest
//! paths.

use cl_algo::{prelude::*, stl::equal};
use cl_random::{Engine, Philox4x32};
use cl_sparse::solve::{Cg, Tolerance};
use cl_sparse::{Csr, HostCsr, Triplets};
use std::collections::BinaryHeap;
use std::error::Error;

/// The number of knots along an edge of the square.
const EDGE: usize = 40;
const KNOTS: usize = EDGE * EDGE;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let mut ohms = <Philox4x32>::new(1847).uniform::<f32>().iter().map(|x| 1.0 + 9.0 * x);
    // Each wire adds to four entries. Entries at the same position are added up.
    let mut conducts = Triplets::new(KNOTS, KNOTS);
    let mut wires = Triplets::new(KNOTS, KNOTS);
    for knot in 0..KNOTS {
        let right = (knot % EDGE + 1 < EDGE).then_some(knot + 1);
        let below = (knot + EDGE < KNOTS).then_some(knot + EDGE);
        for other in [right, below].into_iter().flatten() {
            let ohms = ohms.next().ok_or("random numbers never end")?;
            for (from, to) in [(knot, other), (other, knot)] {
                conducts.push(from, from, 1.0 / ohms)?;
                conducts.push(from, to, -1.0 / ohms)?;
                wires.push(from, to, ohms)?;
            }
        }
    }
    // A wire of a tenth of an ohm connects the last knot to earth.
    conducts.push(KNOTS - 1, KNOTS - 1, 10.0)?;
    let host: HostCsr<f32> = conducts.to_csr()?;
    let a = Csr::new(&queue, &host)?;
    println!("{KNOTS} knots, {} of {} entries, on {}", a.nonzeros(), KNOTS * KNOTS, queue.device());

    // One ampere flows in at the first knot. Conjugate gradients find the voltages; the host hardly ever
    // waits.
    let current = DeviceVec::from_fn(&queue, KNOTS, |knot| if knot == 0 { 1.0_f32 } else { 0.0 })?;
    let mut voltage = DeviceVec::filled(&queue, 0.0_f32, KNOTS)?;
    let report = Cg::new().tolerance(Tolerance::Relative(1e-5)).solve(&a, &current, &mut voltage)?;
    let volts = voltage.to_vec()?;
    println!("{} iterations; from corner to earth it resists with {:.2} ohms", report.iterations, volts[0]);

    // A product is an expression: operations on it run in the same kernel, and the product is not stored.
    let left = (&current - &a * &voltage).map(|rest| rest * rest).sum()?.sqrt();
    assert!(left < 1e-3, "Kirchhoff's law does not hold: {left} amperes are left");
    // The whole current flows to the earth.
    assert!((volts[KNOTS - 1] * 10.0 - 1.0).abs() < 5e-3);
    let product = host.multiply(&volts)?;
    assert!(product.iter().enumerate().all(|(knot, x)| (x - if knot == 0 { 1.0 } else { 0.0 }).abs() < 1e-3));

    // A product can use other operations than multiplication and addition. With addition and minimum, each
    // product extends all paths by one wire. When the lengths no longer change, they are those of the
    // shortest paths.
    let wires: HostCsr<f32> = wires.to_csr()?;
    let ways = Csr::new(&queue, &wires)?;
    let mut length = DeviceVec::from_fn(&queue, KNOTS, |knot| if knot == 0 { 0.0 } else { f32::INFINITY })?;
    for round in 1.. {
        let further = ways.times_with(&length, f32::INFINITY, |wire, length| wire + length, Val::min);
        let next = further.min(&length).collect()?;
        let done = round % 8 == 0 && equal(&next, &length)?;
        length = next;
        if done {
            println!("shortest paths after {round} products at most");
            break;
        }
    }
    let length = length.to_vec()?;
    assert_eq!(length, shortest(&wires), "the host found other paths");
    println!("the shortest path from corner to corner has {:.2} ohms: all right", length[KNOTS - 1]);
    Ok(())
}

/// Returns the length of the shortest path from knot 0 to each knot, by Dijkstra's algorithm.
fn shortest(wires: &HostCsr<f32>) -> Vec<f32> {
    let mut length = vec![f32::INFINITY; wires.rows()];
    // The heap returns its largest element. Lengths are positive, so that their bits have the same order.
    let mut heap = BinaryHeap::from([(std::cmp::Reverse(0.0_f32.to_bits()), 0)]);
    while let Some((std::cmp::Reverse(bits), knot)) = heap.pop() {
        if length[knot] <= f32::from_bits(bits) {
            continue;
        }
        length[knot] = f32::from_bits(bits);
        let (others, ohms) = wires.row(knot);
        for (&other, ohms) in others.iter().zip(ohms) {
            heap.push((std::cmp::Reverse((ohms + length[knot]).to_bits()), other as usize));
        }
    }
    length
}
