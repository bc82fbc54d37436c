//! The flow in a box whose lid moves: vorticity and stream function, with a cycle of multigrid in each step.
//!
//! `cargo run --release --example 44_cavity`. The flow carries the vorticity `w`, which also diffuses:
//! `dw/dt = ds/dx dw/dy - ds/dy dw/dx + lap(w) / Re`. The stream function `s` follows from it by the Poisson equation
//! `-lap(s) = w`, and its derivatives are the velocities. At a wall the vorticity follows from the velocity, after A. Thom,
//! 1933: a border by a function. The picture shows the stream lines. The vortex is compared with the one of U. Ghia,
//! K. N. Ghia and C. T. Shin, Journal of Computational Physics 48, 1982.

use cl_examples::picture::{self, Pixels};
use cl_grid::multigrid::{Multigrid, Problem};
use cl_grid::prelude::*;
use std::error::Error;
use std::f32::consts::PI;

/// The points along an edge, inside the walls.
const POINTS: usize = 23;
const REYNOLDS: f32 = 100.0;
const STEPS: usize = 300;
/// The pixels of a point's edge.
const SCALE: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let h = 1.0 / (POINTS + 1) as f32;
    let spacing = [f64::from(h); 2];
    let grid = Grid::uniform([POINTS; 2], spacing)?.with_origin(spacing)?; // axis 0 points upwards
    let (along_y, along_x) = (grid.derivative::<f32>(0, 1)?, grid.derivative::<f32>(1, 1)?);
    let laplacian = grid.laplacian::<f32>();
    // The lid beyond the last row moves with the speed 1.
    let lid = Formula::from_fn(|[i, _]| i.eq(POINTS as i32).select(-2.0 / h, 0.0_f32));
    // The solution of the step before is so near that one cycle is enough.
    let mut poisson = Multigrid::new(&queue, &Problem::new(&grid))?.sweeps(1, 1).max_cycles(1);

    let [mut w, mut next, mut s] = [grid.zeros(&queue)?, grid.zeros(&queue)?, grid.zeros(&queue)?];
    let step = 0.2 * h * h * REYNOLDS;
    for _ in 0..STEPS {
        poisson.solve_into(&mut s, &w)?;
        let stream = Formula::from(&s).border(BorderRule::Value(0.0));
        let walls = Formula::from(&s).border(BorderRule::Edge) * (-2.0 / (h * h)) + &lid;
        let vorticity = Formula::from(&w).border(BorderRule::Function(walls));
        let carried =
            along_y.of(&stream) * along_x.of(&vorticity) - along_x.of(&stream) * along_y.of(&vorticity);
        next.whole().assign(&w + step * (laplacian.of(&vorticity) / REYNOLDS - carried))?;
        std::mem::swap(&mut w, &mut next);
    }

    let (depth, centre) = (s.reduce_min()?.unwrap_or(f32::NAN), s.argmin()?.unwrap_or([0; 2]));
    let [y, x] = centre.map(|at| (at + 1) as f32 * h);
    println!(
        "the vortex turns around [{x:.3}, {y:.3}], its stream function is {depth:.4}, on {}",
        queue.device()
    );
    assert!((x - 0.6172).abs() < 0.02 && (y - 0.7344).abs() < 0.02, "Ghia: [0.6172, 0.7344]");
    assert!((depth + 0.1034).abs() < 0.008, "Ghia, on a finer grid: -0.1034");

    // Stripes between stream lines; the first row of the picture is the one at the lid.
    let stripes = (s.iter() * (6.0 * PI / depth)).cos() * 100.0 + 155.0;
    let colours = Array::from_slice(&queue, [3], &[0.4_f32, 0.7, 1.0])?;
    let bytes = (stripes.flip(0).insert_axis(2) * &colours).cast::<u8>().repeat(0, SCALE).repeat(1, SCALE);
    let edge = POINTS * SCALE;
    let picture = Pixels { width: edge, height: edge, rgb: bytes.collect()?.to_vec()? };
    println!("all right; see {}", picture::save(&picture)?.display());
    Ok(())
}
