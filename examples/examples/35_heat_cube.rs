//! Heat in three dimensions: hot balls in a cube whose walls let no heat through.
//!
//! `cargo run --release --example 35_heat_cube`. A step is a stencil: a closure over a cell and its neighbours. Beyond the
//! border the outermost cells are repeated, so that nothing flows through the walls: the sum of all temperatures stays
//! the same, which the program checks.

use cl_array::prelude::*;
use cl_examples::picture::{self, Pixels};
use std::error::Error;

/// The cells along an edge of the cube, the part of a difference that flows in one step, and the steps between two
/// panels of the picture.
const CELLS: usize = 48;
const FLOW: f32 = 0.15;
const STEPS: usize = 60;
const PANELS: usize = 4;
/// The pixels of a cell's edge.
const SCALE: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let ball = |at: [Val<f32>; 3], centre: [f32; 3], radius: f32| {
        let [z, y, x] = std::array::from_fn(|axis| at[axis] - centre[axis]);
        (z * z + y * y + x * x).lt(radius * radius)
    };
    let mut now = Array::from_fn(&queue, [CELLS; 3], |at| {
        let at = at.map(|k| (k.cast::<f32>() + 0.5) / CELLS as f32);
        (ball(at, [0.5, 0.3, 0.35], 0.2) | ball(at, [0.5, 0.7, 0.6], 0.15)).select(1.0_f32, 0.0)
    })?;
    let mut next = Array::filled(&queue, [CELLS; 3], 0.0_f32)?;
    let start = now.to_vec()?;
    let total = f64::from(now.sum()?);

    // Black, red, yellow, white: each colour begins to grow at another temperature.
    let begins = Array::from_slice(&queue, [3], &[0.0_f32, 1.0, 2.0])?;
    let edge = CELLS * SCALE;
    let mut canvas = Array::filled(&queue, [edge, PANELS * edge, 3], 0_u8)?;
    let mut hottest = f32::INFINITY;
    for panel in 0..PANELS {
        let cut = now.slice(s![CELLS / 2, .., ..]).insert_axis(2) * 3.0 - &begins;
        let bytes = (cut.max(0.0).min(1.0) * 255.0).cast::<u8>().repeat(0, SCALE).repeat(1, SCALE);
        canvas.slice_mut(s![.., panel * edge..(panel + 1) * edge, ..]).assign(bytes)?;

        let (sum, most) = (f64::from(now.sum()?), now.reduce_max()?.unwrap_or(f32::NAN));
        println!("step {:3}: the sum is {sum:.2}, the hottest cell has {most:.3}", panel * STEPS);
        assert!((sum - total).abs() < 1e-4 * total, "{sum} is left of {total}");
        assert!(most <= hottest && now.reduce_min()? >= Some(0.0), "heat must spread");
        hottest = most;
        for at in 0..STEPS {
            step(&now, &mut next)?;
            std::mem::swap(&mut now, &mut next);
            if panel == 0 && at == 1 {
                check(&on_host(&on_host(&start)), &now.to_vec()?);
            }
        }
    }
    let picture = Pixels { width: PANELS * edge, height: edge, rgb: canvas.to_vec()? };
    println!("all right; see {}", picture::save(&picture)?.display());
    Ok(())
}

/// Computes the next temperatures, in one kernel.
fn step(now: &Array<f32, 3>, next: &mut Array<f32, 3>) -> cl_core::Result<()> {
    let flow = now.stencil_padded(Pad::Edge, |at| {
        let [z, y, x] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|by: [isize; 3]| at(by.map(|by| -by)) + at(by));
        at([0; 3]) + FLOW * (z + y + x - 6.0 * at([0; 3]))
    });
    flow.collect_into(next)
}

/// Computes the next temperatures on the host.
fn on_host(now: &[f32]) -> Vec<f32> {
    let at = |z: usize, y: usize, x: usize| now[(z * CELLS + y) * CELLS + x];
    let (before, after) = (|k: usize| k.saturating_sub(1), |k: usize| (k + 1).min(CELLS - 1));
    let next = |i: usize| {
        let (z, y, x) = (i / CELLS / CELLS, i / CELLS % CELLS, i % CELLS);
        let along_z = at(before(z), y, x) + at(after(z), y, x);
        let along_y = at(z, before(y), x) + at(z, after(y), x);
        let along_x = at(z, y, before(x)) + at(z, y, after(x));
        now[i] + FLOW * (along_z + along_y + along_x - 6.0 * now[i])
    };
    (0..now.len()).map(next).collect()
}

fn check(expected: &[f32], found: &[f32]) {
    for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert!((expected - found).abs() < 1e-6, "cell {i} has {found}, not {expected}");
    }
}
