//! A wave through two slits: the equation `d²u/dt² = c² lap(u)`, as two functions, the height and its velocity.
//!
//! `cargo run --release --example 42_wave`. The speed `c` is a function of the position without storage: it is zero in the
//! wall, which reflects the wave. A step of the Runge-Kutta method of order 4 is four kernels for each function. The film
//! strip shows the height at five times.

use cl_examples::picture::{self, Pixels};
use cl_grid::prelude::*;
use cl_grid::{Method, RungeKutta};
use std::error::Error;

const SHAPE: [usize; 2] = [200, 160];
const STEPS: usize = 30;
const PANELS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let grid = Grid::uniform(SHAPE, [1.0, 1.0])?;
    // A wall at x = 60 with two slits.
    let squared_speed = grid.function::<f32>(|[y, x]| {
        let is_slit = (y - 80.0).abs().lt(5.0) | (y - 120.0).abs().lt(5.0);
        let is_wall = (x - 60.0).abs().lt(2.0) & !is_slit;
        is_wall.select(0.0, 1.0)
    });
    // A pulse that runs to the right: its height and its velocity belong together.
    let pulse = |x: Val<f32>| (-(x - 30.0) * (x - 30.0) / 32.0).exp();
    let height = grid.function::<f32>(|[_, x]| pulse(x)).collect_on(&queue)?;
    let velocity = grid.function::<f32>(|[_, x]| pulse(x) * (x - 30.0) / 16.0).collect_on(&queue)?;
    let laplacian = grid.laplacian::<f32>();

    let mut state = [height, velocity];
    let energy = |[height, velocity]: &[Array<f32, 2>; 2]| -> cl_core::Result<f32> {
        // Kinetic, and the stretching between neighbours.
        let height = Formula::from(height).border(BorderRule::Symmetric);
        let stretched = height.clone() * laplacian.of(height);
        Ok(velocity.map(|v| v * v).sum()? - stretched.sum()?)
    };
    let start = energy(&state)?;
    let mut method = RungeKutta::new(Method::Kutta4, &state)?;
    let [rows, columns] = SHAPE;
    let mut canvas = Array::filled(&queue, [rows, PANELS * columns, 3], 0_u8)?;
    for panel in 0..PANELS {
        // Blue below zero, red above it, by the square root of the height.
        let signs = Array::from_slice(&queue, [3], &[1.0_f32, 0.0, -1.0])?;
        let shade = (state[0].view().insert_axis(2) * &signs).max(0.0).sqrt() * 255.0;
        let wall = squared_speed.clone().collect_on(&queue)?;
        let grey = (1.0 - wall.view().insert_axis(2)) * 90.0;
        let bytes = (shade + grey).min(255.0).cast::<u8>();
        canvas.slice_mut(s![.., panel * columns..(panel + 1) * columns, ..]).assign(bytes)?;
        for _ in 0..STEPS {
            method.step(&mut state, 0.0, 0.8, |_, [height, velocity]| {
                let around = laplacian.of(height.border(BorderRule::Symmetric));
                [velocity, &squared_speed * around]
            })?;
        }
        println!("after {:3} steps the largest height is {:.3}", (panel + 1) * STEPS, state[0].norm_max()?);
    }
    let behind = state[0].slice(s![.., 100..]).norm_max()?;
    assert!(behind > 0.05, "no wave came through the slits: {behind}");
    let (end, most) = (energy(&state)?, state[0].norm_max()?);
    assert!((end - start).abs() < 0.02 * start && most < 2.5, "energy {end} is left of {start}");
    println!("energy at the start {start:.2}, at the end {end:.2}");
    let picture = Pixels { width: PANELS * columns, height: rows, rgb: canvas.to_vec()? };
    println!("see {}", picture::save(&picture)?.display());
    Ok(())
}
