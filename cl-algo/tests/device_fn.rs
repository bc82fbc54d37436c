//! scratch
use cl_algo::Number;
use cl_algo::device_fn;
use cl_algo::function::Function;
use cl_algo::function::probe::DeviceFunction;
use std::ops::{Add, Mul};

/// Lennard-Jones
#[device_fn]
fn lj(r2: f32, eps: f32) -> f32 {
    let s = 1.0 / (r2 * r2 * r2);
    eps * s * (s - 1.0)
}

#[device_fn]
fn collatz(n: u64) -> u32 {
    let mut n = n;
    let mut steps = 0;
    while n > 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

#[device_fn]
fn horner<T: Number + Add<Output = T> + Mul<Output = T>>(x: T, c: &[T]) -> T {
    let mut sum = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        sum = sum * x + c[i];
    }
    sum
}

#[device_fn]
fn twice(x: f64, c: &[f64]) -> f64 {
    let (a, b) = (horner(x, c), 2.0);
    let mut table = [0.5; 4];
    table[(x as usize) % 7] += 1.0;
    let y = match x as i32 {
        0 | 1 => a,
        2..=5 if b > 1.0 => {
            let k = a * b;
            k.sqrt()
        }
        n => n as f64,
    };
    'outer: for i in 0..3 {
        for j in 0..=i {
            if j == 2 {
                continue 'outer;
            }
            if j > 5 {
                break 'outer;
            }
        }
    }
    let z = loop {
        if y > 3.0 {
            break y;
        } else {
            return table[1];
        }
    };
    y.max(z) + b + table[3]
}

fn show<F: DeviceFunction>() {
    println!("{}", Function::definitions([F::function().unwrap()]));
}

#[test]
fn scratch() {
    assert_eq!(collatz(27), 111);
    let _: f32 = lj(1.0, 0.2);
    assert_eq!(horner(2.0, &[1.0, 2.0, 3.0]), 17.0);
    show::<lj>();
    show::<collatz>();
    show::<horner<f32>>();
    show::<twice>();
}
