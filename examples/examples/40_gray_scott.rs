//! Patterns that grow and divide: the reaction and diffusion of two substances, after Gray and Scott.
//!
//! `cargo run --release --example 40_gray_scott`. The equations `du/dt = Du lap(u) - u v² + F (1 - u)` and
//! `dv/dt = Dv lap(v) + u v² - (F + k) v` are written as formulas on a grid. `RungeKutta` steps both functions in one
//! kernel. The picture shows the second substance at four times.
//!
//! After J. E. Pearson, "Complex patterns in a simple system", Science 261, 1993.

use cl_examples::picture::{self, Pixels};
use cl_grid::prelude::*;
use cl_grid::{Method, RungeKutta};
use std::error::Error;

const CELLS: usize = 96;
const FEED: f32 = 0.037;
const KILL: f32 = 0.06;
const STEPS: usize = 250;
const PANELS: usize = 4;
/// The pixels of a cell's edge.
const SCALE: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let grid = Grid::uniform([CELLS, CELLS], [1.0, 1.0])?;
    // A square of the second substance in the middle of the first, with one corner cut off.
    let square = |[y, x]: [Val<f32>; 2]| {
        let near = |at: Val<f32>, width: f32| (at - 0.5 * CELLS as f32).abs().lt(width);
        near(x, 10.0) & near(y, 8.0) & (x + y).lt(CELLS as f32 + 9.0)
    };
    let u = grid.function::<f32>(|at| square(at).select(0.5, 1.0)).collect_on(&queue)?;
    let v = grid.function::<f32>(|at| square(at).select(0.25, 0.0)).collect_on(&queue)?;
    let laplacian = grid.laplacian_9::<f32>()?;

    let mut state = [u, v];
    let mut euler = RungeKutta::new(Method::Euler, &state)?;
    let edge = CELLS * SCALE;
    let mut canvas = Array::filled(&queue, [edge, PANELS * edge, 3], 0_u8)?;
    let colours = Array::from_slice(&queue, [3], &[3.0_f32, 2.2, 1.2])?;
    let mut covered = 0;
    for panel in 0..PANELS {
        for _ in 0..STEPS {
            euler.step(&mut state, 0.0, 1.0, |_, [u, v]| {
                let reaction = &u * &v * &v;
                let [around_u, around_v] =
                    [&u, &v].map(|of| laplacian.of(of.clone().border(BorderRule::Periodic)));
                let grown = FEED * (1.0 - u) - &reaction;
                [0.2 * around_u + grown, 0.1 * around_v + reaction - (FEED + KILL) * v]
            })?;
        }
        let [u, v] = &state;
        let (most, least) = (v.reduce_max()?, u.reduce_min()?);
        assert!(most < Some(1.0) && most > Some(0.2), "the pattern has died out or exploded: {most:?}");
        assert!(least > Some(0.0), "a concentration is negative: {least:?}");
        let now = v.iter().gt(0.1).count()?;
        println!("after {:5} steps the pattern covers {now} cells", (panel + 1) * STEPS);
        assert!(now > covered, "the pattern must grow");
        covered = now;

        let bytes = (v.view().insert_axis(2) * &colours * 255.0).min(255.0).cast::<u8>();
        let bytes = bytes.repeat(0, SCALE).repeat(1, SCALE);
        canvas.slice_mut(s![.., panel * edge..(panel + 1) * edge, ..]).assign(bytes)?;
    }
    let picture = Pixels { width: PANELS * edge, height: edge, rgb: canvas.to_vec()? };
    println!("see {}", picture::save(&picture)?.display());
    Ok(())
}
