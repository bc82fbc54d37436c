//! Small programs that users would write, on each device compared with the host: bodies that attract each other, heat
//! in a rod, permutations, polynomials, the Mandelbrot set.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::Float;
use cl_algo::prelude::*;
use cl_test::each_device;
use std::ops::{Add, Div, Mul, Sub};

/// Returns lengths around packs, tiles and chunks.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(vec![1, 2, 3, 17, 255, 1000, 4097, 70_001], vec![1, 2, 3, 17, 255, 1000, 9001])
}

/// A generator of numbers without a pattern, from a seed.
struct Noise(u64);

impl Noise {
    /// Returns the next number of Marsaglia's xorshift.
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number from -1 to 1, with 24 bits.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Returns the numbers below `n` in random order.
    fn order(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        (1..n).rev().for_each(|last| order.swap(last, (self.next() % (last as u64 + 1)) as usize));
        order
    }
}

/// `f32` or `f64`, on the host and on the device.
trait Real: Float + From<f32> + PartialEq + Arithmetic + std::fmt::Debug {
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

/// Returns the acceleration of body `i` by all bodies.
#[device_fn]
fn acceleration<T: Real>(i: u64, x: &[T], y: &[T], z: &[T], mass: &[T]) -> (T, T, T) {
    let i = i as usize;
    let softening: T = 0.01_f32.into();
    let zero: T = 0.0_f32.into();
    let (mut ax, mut ay, mut az) = (zero, zero, zero);
    for j in 0..x.len() {
        let (dx, dy, dz) = (x[j] - x[i], y[j] - y[i], z[j] - z[i]);
        let r2 = dx * dx + dy * dy + dz * dz + softening;
        let pull = mass[j] / (r2 * r2.sqrt());
        ax = ax + dx * pull;
        ay = ay + dy * pull;
        az = az + dz * pull;
    }
    (ax, ay, az)
}

fn bodies<T: Real>(queue: &Queue, n: usize) {
    let mut noise = Noise(n as u64 + 1);
    let mut column = || -> Vec<T> { (0..n).map(|_| T::from(noise.unit())).collect() };
    let (x, y, z, mass) = (column(), column(), column(), column());
    let there = |values: &[T]| DeviceVec::from_slice(queue, values).unwrap();
    let (dx, dy, dz, dm) = (there(&x), there(&y), there(&z), there(&mass));
    let host: Vec<(T, T, T)> = (0..n as u64).map(|i| acceleration(i, &x, &y, &z, &mass)).collect();

    let (ax, ay, az) = acceleration(iota(0_u64, n), &dx, &dy, &dz, &dm).collect().unwrap();
    let (ax, ay, az) = (ax.to_vec().unwrap(), ay.to_vec().unwrap(), az.to_vec().unwrap());
    (0..n).for_each(|i| assert_eq!((ax[i], ay[i], az[i]), host[i], "body {i} of {n}"));

    // The kernel for the velocities contains the function, so accelerations are not stored.
    let (mut u, mut v, mut w) = (there(&y), there(&z), there(&x));
    let h = T::from(0.125);
    assign_with((&mut u, &mut v, &mut w), |speed| {
        let pull = acceleration(index::<u64>(), &dx, &dy, &dz, &dm);
        speed.zip(pull).map(|((u, v, w), (ax, ay, az))| (u + ax * h, v + ay * h, w + az * h))
    })
    .unwrap();
    let (u, v, w) = (u.to_vec().unwrap(), v.to_vec().unwrap(), w.to_vec().unwrap());
    for (i, &(ax, ay, az)) in host.iter().enumerate() {
        assert_eq!((u[i], v[i], w[i]), (y[i] + ax * h, z[i] + ay * h, x[i] + az * h), "body {i} of {n}");
    }
}

#[test]
fn bodies_attract_each_other() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for n in [1, 2, 3, 17, 255, 600] {
            if device.rounds_division_correctly().unwrap() {
                bodies::<f32>(&queue, n);
            }
            if device.has_fp64().unwrap() {
                bodies::<f64>(&queue, n);
            }
        }
    });
}

#[test]
fn heat_spreads_up_to_the_borders() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let mut noise = Noise(len as u64);
            // The numbers have so few bits that all values are exact.
            let rod: Vec<f32> = (0..len).map(|_| (noise.next() % 100) as f32).collect();
            for border in [Border::Clamp, Border::Wrap, Border::Constant(64.0)] {
                let mut u = DeviceVec::from_slice(&queue, &rod).unwrap();
                let mut host = rod.clone();
                for _ in 0..4 {
                    let at = |offset| u.iter().shifted(offset, border);
                    u = (&u + 0.25 * (at(-1) - 2.0 * &u + at(1))).collect().unwrap();
                    let at = |i: isize| match border {
                        Border::Clamp => host[i.clamp(0, len as isize - 1) as usize],
                        Border::Wrap => host[i.rem_euclid(len as isize) as usize],
                        Border::Constant(value) => *host.get(i as usize).unwrap_or(&value),
                        other => panic!("the host knows no border {other:?}"),
                    };
                    let next = |i| at(i) + 0.25 * (at(i - 1) - 2.0 * at(i) + at(i + 1));
                    host = (0..len as isize).map(next).collect();
                }
                assert_eq!(u.to_vec().unwrap(), host, "{len} cells, {border:?}");
            }
        }
    });
}

#[test]
fn permutations_as_source_and_as_target() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let mut noise = Noise(len as u64);
            let (order, other) = (noise.order(len), noise.order(len));
            let host: Vec<f32> = (0..len).map(|_| noise.unit()).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let by = DeviceVec::from_slice(&queue, &order).unwrap();
            let wide: Vec<i64> = other.iter().map(|&i| i64::from(i)).collect();
            let to = DeviceVec::from_slice(&queue, &wide).unwrap();
            let mut y = DeviceVec::filled(&queue, 0.0_f32, len).unwrap();
            let mut z = DeviceVec::filled(&queue, 0.0_f32, len).unwrap();

            let gathered: Vec<f32> = order.iter().map(|&i| host[i as usize]).collect();
            let mut scattered = vec![0.0; len];
            order.iter().zip(&host).for_each(|(&i, &x)| scattered[i as usize] = x);
            let reversed: Vec<f32> = host.iter().rev().copied().collect();

            y.assign(x.iter().gather(&by)).unwrap();
            assert_eq!(y.to_vec().unwrap(), gathered, "{len}");
            // Two targets of one kernel, each in its own order.
            assign((y.scatter_mut(&by), z.view_mut().rev()), (&x, &x)).unwrap();
            assert_eq!(y.to_vec().unwrap(), scattered, "{len}");
            assert_eq!(z.to_vec().unwrap(), reversed, "{len}");
            // The same vector as source and target.
            assign(z.scatter_mut(&to), x.iter().gather(&by).rev()).unwrap();
            let mut both = vec![0.0; len];
            other.iter().zip(gathered.iter().rev()).for_each(|(&i, &x)| both[i as usize] = x);
            assert_eq!(z.to_vec().unwrap(), both, "{len}");
            // Computed indices: a reversal by hand.
            let last = len as u64 - 1;
            assign(y.scatter_mut(Expr::map(iota(0_u64, len), |i| last - i)), &x).unwrap();
            assert_eq!(y.to_vec().unwrap(), reversed, "{len}");
        }
    });
}

/// Computes a polynomial for numbers and for symbolic values; the coefficient of the highest power is the last one.
fn recorded<T, C: Copy>(x: T, coefficients: &[C; 21]) -> T
where
    T: Copy + From<C> + Add<C, Output = T> + Mul<Output = T>,
{
    let others = coefficients[..20].iter().rev();
    others.fold(T::from(coefficients[20]), |sum, &coefficient| sum * x + coefficient)
}

#[device_fn]
fn translated<T: Number + Add<Output = T> + Mul<Output = T>>(x: T, coefficients: &[T]) -> T {
    let mut sum = coefficients[coefficients.len() - 1];
    for i in (0..coefficients.len() - 1).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

#[test]
fn polynomials_of_degree_20() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut noise = Noise(20);
        let coefficients: [f32; 21] = std::array::from_fn(|_| noise.unit());
        let whole = coefficients.map(|c| (c * 4.0) as i64);
        let there = DeviceVec::from_slice(&queue, &coefficients).unwrap();
        let whole_there = DeviceVec::from_slice(&queue, &whole).unwrap();
        for len in lengths() {
            let host: Vec<f32> = (0..len).map(|_| noise.unit()).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let expected: Vec<f32> = host.iter().map(|&x| recorded(x, &coefficients)).collect();
            let one = x.iter().map(|x| recorded(x, &coefficients)).collect().unwrap();
            assert_eq!(one.to_vec().unwrap(), expected, "recorded, {len}");
            let other = translated(&x, &there).collect().unwrap();
            assert_eq!(other.to_vec().unwrap(), expected, "translated, {len}");

            let host: Vec<i64> = (0..len).map(|_| (noise.next() % 9) as i64 - 4).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let expected: Vec<i64> = host.iter().map(|&x| recorded(x, &whole)).collect();
            let one = x.iter().map(|x| recorded(x, &whole)).collect().unwrap();
            assert_eq!(one.to_vec().unwrap(), expected, "recorded, {len}");
            let other = translated(&x, &whole_there).collect().unwrap();
            assert_eq!(other.to_vec().unwrap(), expected, "translated, {len}");
        }
    });
}

/// Returns how many iterations of z² + c stay within the circle of radius 2, for a pixel of a picture.
#[device_fn]
fn mandelbrot<T: Real + PartialOrd>(pixel: u32, width: u32, scale: T, limit: u32) -> u32 {
    let zero: T = 0.0_f32.into();
    let two: T = 2.0_f32.into();
    let column: T = ((pixel % width) as f32).into();
    let row: T = ((pixel / width) as f32).into();
    let (re, im) = (column * scale - two, row * scale - two);
    let (mut x, mut y) = (zero, zero);
    for count in 0..limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > two + two {
            return count;
        }
        y = two * x * y + im;
        x = xx - yy + re;
    }
    limit
}

fn mandelbrot_counts<T: Real + PartialOrd>(queue: &Queue, width: u32, limit: u32) {
    let pixels = width * width;
    let scale = T::from(4.0) / T::from(width as f32);
    let counts = mandelbrot(iota(0_u32, pixels as usize), width, scale, limit).collect_on(queue).unwrap();
    let counts = counts.to_vec().unwrap();
    let host: Vec<u32> = (0..pixels).map(|pixel| mandelbrot(pixel, width, scale, limit)).collect();
    assert_eq!(counts, host, "{width} x {width}");
    assert!(width < 50 || counts.contains(&limit) && counts.contains(&1));
}

#[test]
fn the_mandelbrot_set() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for width in [1, 2, 17, 64, 133] {
            mandelbrot_counts::<f32>(&queue, width, 100);
            if device.has_fp64().unwrap() {
                mandelbrot_counts::<f64>(&queue, width, 150);
            }
        }
    });
}
