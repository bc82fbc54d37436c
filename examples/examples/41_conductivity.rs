//! Heat in a plate of two materials: the equation `du/dt = div(k grad u)` with a conductivity `k` that varies.
//!
//! `cargo run --release --example 41_conductivity`. The operator `grid.diffusion(k)` computes the flow between
//! neighbouring cells, so that what leaves one cell enters the next, and the heat of an insulated plate stays the same. The
//! picture shows the temperature at four times: heat runs along the spiral that conducts well.

use cl_examples::picture::{self, Pixels};
use cl_grid::prelude::*;
use cl_grid::{Method, RungeKutta};
use std::error::Error;
use std::f32::consts::PI;

const CELLS: usize = 72;
const STEPS: usize = 150;
const PANELS: usize = 4;
/// The pixels of a cell's edge.
const SCALE: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let h = 1.0 / CELLS as f64;
    let grid = Grid::uniform([CELLS, CELLS], [h, h])?.with_origin([0.5 * h - 0.5, 0.5 * h - 0.5])?;
    // A spiral of one material, 100 times as conductive as the other.
    let turns = |[y, x]: [Val<f32>; 2]| y.atan2(x) / (2.0 * PI) + 7.0 * (x * x + y * y).sqrt();
    let k = grid.function::<f32>(|at| {
        let turns = turns(at);
        (turns - turns.floor()).lt(0.4).select(1.0, 0.01)
    });
    let diffusion = grid.diffusion(Formula::from(k.collect_on(&queue)?).border(BorderRule::Edge));
    let hot = grid.function::<f32>(|[y, x]| (x * x + y * y).lt(0.003).select(4.0, 0.0)).collect_on(&queue)?;
    let heat = grid.integral(&hot)?;

    let mut state = [hot];
    let mut method = RungeKutta::new(Method::Heun, &state)?;
    let edge = CELLS * SCALE;
    let mut canvas = Array::filled(&queue, [edge, PANELS * edge, 3], 0_u8)?;
    let begins = Array::from_slice(&queue, [3], &[0.0_f32, 1.0, 2.0])?;
    let mut hottest = state[0].reduce_max()?;
    let dt = 0.2 * h * h;
    for panel in 0..PANELS {
        for _ in 0..STEPS {
            method.step(&mut state, 0.0, dt, |_, [u]| [diffusion.of(u.border(BorderRule::Symmetric))])?;
        }
        let now = grid.integral(&state[0])?;
        let most = state[0].reduce_max()?;
        println!("the heat is {now:.6}, the hottest cell has {:.4}", most.unwrap_or(f32::NAN));
        assert!((now - heat).abs() < 1e-3 * heat, "{now} is left of {heat}");
        assert!(most < hottest && state[0].reduce_min()? >= Some(-1e-6), "heat must spread");
        hottest = most;

        // Black, red, yellow, white, by the fourth root of the temperature.
        let shade = state[0].view().insert_axis(2).iter().max(0.0).sqrt().sqrt() * 3.0 - &begins;
        let bytes = (shade.max(0.0).min(1.0) * 255.0).cast::<u8>().repeat(0, SCALE).repeat(1, SCALE);
        canvas.slice_mut(s![.., panel * edge..(panel + 1) * edge, ..]).assign(bytes)?;
    }
    let picture = Pixels { width: PANELS * edge, height: edge, rgb: canvas.to_vec()? };
    println!("see {}", picture::save(&picture)?.display());
    Ok(())
}
