//! Bodies that attract each other: a device function over slices, fused into the steps that use it.
//!
//! `cargo run --release --example 24_nbody -- --bodies 16384 --steps 100`. `acceleration` is ordinary Rust,
//! generic over the type of numbers. It runs on the host, and by `#[device_fn]` on the device, where `&[T]` is
//! a whole device vector with every index checked. The numbers are `f64`, or `f32` if the device has no `f64`.
//! The simulation must conserve the energy, as nature does. Draws the final positions of the bodies.

use cl_algo::{Float, prelude::*};
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

/// `f32` or `f64`, on the host and on the device.
trait Real: Float + From<f32> + Into<f64> + Arithmetic {
    fn sqrt(self) -> Self;
}

trait Arithmetic:
    Sized + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl<T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>> Arithmetic for T {}

impl Real for f32 {
    fn sqrt(self) -> f32 {
        self.sqrt()
    }
}

impl Real for f64 {
    fn sqrt(self) -> f64 {
        self.sqrt()
    }
}

/// Returns the square of a distance, softened so that bodies that meet do not fly apart at once.
#[device_fn]
fn square<T: Real>(dx: T, dy: T, dz: T) -> T {
    let softening: T = 0.01_f32.into();
    dx * dx + dy * dy + dz * dz + softening
}

/// Returns the acceleration of body `i` by all bodies.
#[device_fn]
fn acceleration<T: Real>(i: u64, x: &[T], y: &[T], z: &[T], mass: &[T]) -> (T, T, T) {
    let i = i as usize;
    let zero: T = 0.0_f32.into();
    let (mut ax, mut ay, mut az) = (zero, zero, zero);
    for j in 0..x.len() {
        let (dx, dy, dz) = (x[j] - x[i], y[j] - y[i], z[j] - z[i]);
        let r2 = square(dx, dy, dz);
        let pull = mass[j] / (r2 * r2.sqrt());
        ax = ax + dx * pull;
        ay = ay + dy * pull;
        az = az + dz * pull;
    }
    (ax, ay, az)
}

/// Returns the potential energy of body `i` among the others. Each pair counts half for each of its bodies.
#[device_fn]
fn potential<T: Real>(i: u64, x: &[T], y: &[T], z: &[T], mass: &[T]) -> T {
    let i = i as usize;
    let half: T = 0.5_f32.into();
    let mut sum: T = 0.0_f32.into();
    for j in 0..x.len() {
        if j != i {
            sum = sum - mass[j] / square(x[j] - x[i], y[j] - y[i], z[j] - z[i]).sqrt();
        }
    }
    sum * mass[i] * half
}

struct Bodies<T: Real> {
    place: [DeviceVec<T>; 3],
    speed: [DeviceVec<T>; 3],
    mass: DeviceVec<T>,
}

impl<T: Real> Bodies<T> {
    /// Creates a cloud that rotates.
    fn new(queue: &Queue, count: usize) -> cl_core::Result<Bodies<T>> {
        // Multiples of these numbers fill a cube evenly.
        let place = |i: usize, step: f64| (2.0 * (i as f64 * step).fract() - 1.0) as f32;
        let [x, y, z] = [0.8191725134, 0.6710436067, 0.5497004779];
        let vector = |of: &dyn Fn(usize) -> f32| DeviceVec::from_fn(queue, count, |i| T::from(of(i)));
        Ok(Bodies {
            place: [vector(&|i| place(i, x))?, vector(&|i| place(i, y))?, vector(&|i| place(i, z))?],
            speed: [vector(&|i| -0.5 * place(i, y))?, vector(&|i| 0.5 * place(i, x))?, vector(&|_| 0.0)?],
            mass: DeviceVec::filled(queue, T::from(1.0 / count as f32), count)?,
        })
    }

    /// Updates the velocities by the time `h` in one kernel, which contains the device function.
    fn kick(&mut self, h: T) -> cl_core::Result<()> {
        let ([x, y, z], [u, v, w], mass) = (&self.place, &mut self.speed, &self.mass);
        assign_with((u, v, w), |speed| {
            let pull = acceleration(index::<u64>(), x, y, z, mass);
            speed.zip(pull).map(|((u, v, w), (ax, ay, az))| (u + ax * h, v + ay * h, w + az * h))
        })
    }

    /// Updates the positions by the time `h`.
    fn drift(&mut self, h: T) -> cl_core::Result<()> {
        let ([x, y, z], [u, v, w]) = (&mut self.place, &self.speed);
        assign_with((x, y, z), |place| {
            place.zip(zip((u, v, w))).map(|((x, y, z), (u, v, w))| (x + u * h, y + v * h, z + w * h))
        })
    }

    /// Returns the total energy, by one kernel that stores nothing but the sum.
    fn energy(&self) -> cl_core::Result<f64> {
        let ([x, y, z], [u, v, w], mass) = (&self.place, &self.speed, &self.mass);
        let motion = mass * (u * u + v * v + w * w) * T::from(0.5);
        Ok((motion + potential(index::<u64>(), x, y, z, mass)).sum()?.into())
    }

    /// Returns the largest difference between the device's accelerations and the host's by the same
    /// function, relative to the largest acceleration.
    fn error(&self) -> cl_core::Result<f64> {
        let ([x, y, z], mass) = (&self.place, &self.mass);
        let ax = acceleration(iota(0_u64, x.len()), x, y, z, mass).unzip().0.collect()?.to_vec()?;
        let (x, y, z, mass) = (x.to_vec()?, y.to_vec()?, z.to_vec()?, mass.to_vec()?);
        let (mut error, mut largest) = (0.0_f64, 0.0_f64);
        for i in (0..x.len()).step_by(x.len().div_ceil(500)) {
            let expected: f64 = acceleration(i as u64, &x, &y, &z, &mass).0.into();
            error = error.max((ax[i].into() - expected).abs());
            largest = largest.max(expected.abs());
        }
        Ok(error / largest)
    }

    /// Draws the bodies as seen along their axis, with warmer colours for faster ones.
    fn draw(&self) -> Result<PathBuf, Box<dyn Error>> {
        let ([x, y, _], [u, v, w]) = (&self.place, &self.speed);
        let speeds = (u * u + v * v + w * w).collect()?.to_vec()?;
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
