//! Bodies that attract each other: all pairs as a broadcast, folded along an axis.
//!
//! `cargo run --release --example 24_nbody -- --bodies 16384 --steps 100`. `pull` is ordinary Rust, generic over the type of
//! numbers. It runs on the host, and on the device on the differences of all pairs, which are never stored: the kernel that
//! adds up the pulls computes them. The numbers are `f64`, or `f32` if the device has no `f64`. The simulation must conserve
//! the energy, as nature does. Draws the final positions of the bodies.

use cl_algo::{Float, Symbol};
use cl_array::assign_with;
use cl_array::prelude::*;
use cl_core::DeviceKind;
use cl_examples::picture;
use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::ops::{Add, Div, Mul, Sub};
use std::path::PathBuf;

#[derive(Parser)]
struct Options {
    /// The number of bodies; by default 32768 on a GPU, and 1024 elsewhere.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    bodies: Option<u32>,
    /// The number of steps.
    #[arg(long, default_value_t = 200)]
    steps: usize,
}

/// `f32` or `f64`.
trait Real: Float + Root + From<f32> + Into<f64> {}

impl<T: Float + Root + From<f32> + Into<f64>> Real for T {}

/// A number of the host, or a value on the device.
trait Root: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    fn root(self) -> Self;
}

impl Root for f32 {
    fn root(self) -> f32 {
        self.sqrt()
    }
}

impl Root for f64 {
    fn root(self) -> f64 {
        self.sqrt()
    }
}

impl<T: Float> Root for Val<T> {
    fn root(self) -> Val<T> {
        self.sqrt()
    }
}

/// The square of a length that softens distances, so that bodies that meet do not fly apart at once.
const SOFTENING: f32 = 0.01;

/// Returns the pull of a body of this mass at this distance.
fn pull<N: Root>([dx, dy, dz]: [N; 3], mass: N, softening: N) -> (N, N, N) {
    let square = dx * dx + dy * dy + dz * dz + softening;
    let pull = mass / (square * square.root());
    (dx * pull, dy * pull, dz * pull)
}

struct Bodies<T: Real> {
    place: [Array<T, 1>; 3],
    speed: [Array<T, 1>; 3],
    mass: Array<T, 1>,
}

/// The differences along one axis from each body, a row, to each body, a column.
fn differences<T: Real>(place: &Array<T, 1>) -> ArrayExpr<'_, T, 2> {
    place.view().insert_axis(0) - place.view().insert_axis(1)
}

impl<T: Real> Bodies<T> {
    /// Creates a cloud that rotates.
    fn new(queue: &Queue, count: usize) -> cl_core::Result<Bodies<T>> {
        // Multiples of these numbers fill a cube evenly.
        let place = |i: usize, step: f64| (2.0 * (i as f64 * step).fract() - 1.0) as f32;
        let [x, y, z] = [0.8191725134, 0.6710436067, 0.5497004779];
        let array = |of: &dyn Fn(usize) -> f32| {
            Array::from_slice(queue, [count], &(0..count).map(|i| T::from(of(i))).collect::<Vec<T>>())
        };
        Ok(Bodies {
            place: [array(&|i| place(i, x))?, array(&|i| place(i, y))?, array(&|i| place(i, z))?],
            speed: [array(&|i| -0.5 * place(i, y))?, array(&|i| 0.5 * place(i, x))?, array(&|_| 0.0)?],
            mass: Array::filled(queue, [count], T::from(1.0 / count as f32))?,
        })
    }

    /// Returns the accelerations of all bodies along the three axes, by one kernel: each body adds up a row of pulls.
    fn accelerations(&self) -> cl_core::Result<(Array<T, 1>, Array<T, 1>, Array<T, 1>)> {
        let [dx, dy, dz] = self.place.each_ref().map(differences);
        let pulls = dx
            .zip(dy)
            .zip(dz)
            .zip(self.mass.view())
            .map(|(((dx, dy), dz), mass)| pull([dx, dy, dz], mass, T::from(SOFTENING).into_val()));
        pulls.fold_axis(1, |(ax, ay, az), (bx, by, bz)| (ax + bx, ay + by, az + bz))
    }

    /// Updates the velocities by the time `h`.
    fn kick(&mut self, h: T) -> cl_core::Result<()> {
        let (ax, ay, az) = self.accelerations()?;
        let [u, v, w] = &mut self.speed;
        assign_with((u, v, w), |speed| {
            speed
                .zip(ax.iter().zip(&ay).zip(&az))
                .map(|((u, v, w), ((ax, ay), az))| (u + ax * h, v + ay * h, w + az * h))
        })
    }

    /// Updates the positions by the time `h`.
    fn drift(&mut self, h: T) -> cl_core::Result<()> {
        let ([x, y, z], [u, v, w]) = (&mut self.place, &self.speed);
        assign_with((x, y, z), |place| {
            place
                .zip(u.iter().zip(v).zip(w))
                .map(|((x, y, z), ((u, v), w))| (x + u * h, y + v * h, z + w * h))
        })
    }

    /// Returns the total energy, by two kernels that store nothing but the sums. Each pair counts half for each of its
    /// bodies. A body's potential in its own place is a constant.
    fn energy(&self) -> cl_core::Result<f64> {
        let ([u, v, w], mass) = (&self.speed, &self.mass);
        let motion = (mass * (u * u + v * v + w * w)).sum()?;
        let [dx, dy, dz] = self.place.each_ref().map(differences);
        let square = dx.clone() * dx + dy.clone() * dy + dz.clone() * dz + T::from(SOFTENING);
        let potential = (mass.view().insert_axis(1) * mass / square.sqrt()).sum()?;
        Ok(0.5 * (motion.into() - potential.into()))
    }

    /// Returns the largest difference between the device's accelerations and the host's by the same
    /// function, relative to the largest acceleration.
    fn error(&self) -> cl_core::Result<f64> {
        let ax = self.accelerations()?.0.to_vec()?;
        let [x, y, z] = self.place.each_ref().map(Array::to_vec);
        let (x, y, z, mass) = (x?, y?, z?, self.mass.to_vec()?);
        let (mut error, mut largest) = (0.0_f64, 0.0_f64);
        for i in (0..x.len()).step_by(x.len().div_ceil(500)) {
            let of = |j: usize| pull([x[j] - x[i], y[j] - y[i], z[j] - z[i]], mass[j], T::from(SOFTENING)).0;
            let expected: f64 = (0..x.len()).map(of).fold(T::from(0.0), |sum, pull| sum + pull).into();
            error = error.max((ax[i].into() - expected).abs());
            largest = largest.max(expected.abs());
        }
        Ok(error / largest)
    }

    /// Draws the bodies as seen along their axis, with warmer colours for faster ones.
    fn draw(&self) -> Result<PathBuf, Box<dyn Error>> {
        let ([x, y, _], [u, v, w]) = (&self.place, &self.speed);
        let speeds = (u * u + v * v + w * w).to_vec()?;
        let bodies: Vec<[f64; 3]> = x
            .to_vec()?
            .into_iter()
            .zip(y.to_vec()?)
            .zip(speeds)
            .map(|((x, y), square)| [x.into(), y.into(), Into::<f64>::into(square).sqrt()])
            .collect();
        picture::draw((800, 800), |area| {
            let mut chart = ChartBuilder::on(area)
                .margin(15)
                .x_label_area_size(45)
                .y_label_area_size(55)
                .build_cartesian_2d(-1.5..1.5, -1.5..1.5)?;
            let mut mesh = chart.configure_mesh();
            mesh.light_line_style(TRANSPARENT).label_style(("sans-serif", 14)).x_desc("x").y_desc("y");
            mesh.draw()?;
            chart.draw_series(bodies.iter().map(|&[x, y, speed]| {
                let hue = (0.65 - 0.45 * speed).clamp(0.0, 0.65);
                Circle::new((x, y), 2, HSLColor(hue, 0.9, 0.45).filled())
            }))?;
            Ok(())
        })
    }
}

fn simulate<T: Real>(queue: &Queue, bodies: usize, steps: usize, epsilon: f64) -> Result<(), Box<dyn Error>> {
    let h = 0.01_f32;
    let mut bodies = Bodies::<T>::new(queue, bodies)?;
    let before = bodies.energy()?;
    // Leapfrog: velocities are half a step ahead of positions.
    bodies.kick(T::from(0.5 * h))?;
    for _ in 1..steps {
        bodies.drift(T::from(h))?;
        bodies.kick(T::from(h))?;
    }
    bodies.drift(T::from(h))?;
    bodies.kick(T::from(0.5 * h))?;
    let after = bodies.energy()?;

    println!("energy before {before:.9}, after {after:.9}");
    assert!((after / before - 1.0).abs() < 1e-3, "the energy is not kept");
    let error = bodies.error()?;
    println!("accelerations are the host's within {error:.1e} of the largest one");
    assert!(error < 100.0 * epsilon, "the device's accelerations differ from the host's");
    println!("all right; see {}", bodies.draw()?.display());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let device = Device::first()?;
    let queue = Queue::on(&device)?;
    let default = if device.kind()?.contains(DeviceKind::GPU) { 1 << 15 } else { 1 << 10 };
    let (bodies, steps) = (options.bodies.unwrap_or(default) as usize, options.steps);
    let double = device.has_fp64()?;
    println!("{bodies} bodies, {steps} steps in {} on {device}", if double { "f64" } else { "f32" });
    if double {
        simulate::<f64>(&queue, bodies, steps, f64::EPSILON)
    } else {
        simulate::<f32>(&queue, bodies, steps, f64::from(f32::EPSILON))
    }
}
