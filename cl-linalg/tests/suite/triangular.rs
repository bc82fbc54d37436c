//! Triangular solves, against the product of the matrix and the solution.

use cl_core::{Device, Queue};
use cl_linalg::prelude::*;
use cl_linalg::{Error, Half, RealScalar, Structure};
use cl_test::{each_device, each_device_and_forced};
use num_complex::Complex;

/// Elements that are made of two parts; real ones of the first.
trait OfParts: Scalar {
    fn of_parts(re: Self::Real, im: Self::Real) -> Self;
}

impl OfParts for f32 {
    fn of_parts(re: f32, _: f32) -> f32 {
        re
    }
}

impl OfParts for f64 {
    fn of_parts(re: f64, _: f64) -> f64 {
        re
    }
}

impl OfParts for Complex<f32> {
    fn of_parts(re: f32, im: f32) -> Complex<f32> {
        Complex::new(re, im)
    }
}

/// Returns a number whose parts lie between -1 and 1.
fn number<T: OfParts>(seed: usize) -> T {
    let part = |seed: usize| (seed.wrapping_mul(2_654_435_761) >> 7) % 2001;
    let [re, im] = [part(seed + 1), part(seed + 77)].map(|x| T::Real::from_f64(x as f64 / 1000.0 - 1.0));
    T::of_parts(re, im)
}

/// Returns the matrix of a triangle with well-conditioned blocks: NaN where no element may be read.
fn triangle<T: OfParts>(n: usize, structure: Structure) -> (Vec<T>, Vec<T>) {
    let Structure::Triangular { half, unit } = structure else { panic!("{structure:?} is not triangular") };
    let one = T::from_real(RealScalar::from_f64(1.0));
    let nan = T::from_real(RealScalar::from_f64(f64::NAN));
    let scale = T::from_real(RealScalar::from_f64(2.0 / (n.max(1) as f64)));
    let (mut stored, mut meant) = (Vec::new(), Vec::new());
    for at in 0..n * n {
        let (i, j) = (at / n, at % n);
        let inside = if half == Half::Lower { j < i } else { j > i };
        let (is, means) = match (i == j, inside) {
            (true, _) if unit => (nan, one),
            (true, _) => (number::<T>(at) + one + one, number::<T>(at) + one + one),
            (_, true) => (number::<T>(at) * scale, number::<T>(at) * scale),
            _ => (nan, T::zeroed()),
        };
        stored.push(is);
        meant.push(means);
    }
    (stored, meant)
}

/// Returns the largest backward error of a solution of `A X = B`, in units of `n u`.
fn backward_error<T: Scalar>(a: &[T], x: &[T], b: &[T], [n, m]: [usize; 2]) -> f64 {
    let size = |x: T| x.magnitude().to_f64();
    let mut largest = 0.0_f64;
    for i in 0..n {
        for j in 0..m {
            let terms = || (0..n).map(|k| a[i * n + k] * x[k * m + j]);
            let sum = terms().fold(T::zeroed(), |sum, term| sum + term);
            let scale: f64 = terms().map(size).sum::<f64>() + size(b[i * m + j]);
            largest = largest.max(size(sum - b[i * m + j]) / scale.max(f64::MIN_POSITIVE));
        }
    }
    largest / (n.max(1) as f64 * <T::Real as RealScalar>::UNIT_ROUNDOFF)
}

fn transposed<T: Copy>(a: &[T], [rows, columns]: [usize; 2]) -> Vec<T> {
    (0..rows * columns).map(|at| a[at % rows * columns + at / rows]).collect()
}

const TRIANGLES: [Structure; 4] =
    [Structure::LOWER, Structure::UPPER, Structure::UNIT_LOWER, Structure::UNIT_UPPER];

/// Checks both sides, all triangles, and operands that are whole, transposed, or have steps.
fn check<T: OfParts>(device: &Device, n: usize, m: usize, triangles: &[Structure]) {
    let queue = &Queue::on(device).unwrap();
    let two = T::from_real(RealScalar::from_f64(2.0));
    for &part in triangles {
        let (stored, meant) = triangle::<T>(n, part);
        let b: Vec<T> = (0..n * m).map(number::<T>).collect();
        let scaled: Vec<T> = b.iter().map(|&b| two * b).collect();
        let good = |x: &[T], how: &str| {
            let error = backward_error(&meant, x, &scaled, [n, m]);
            assert!(error < 4.0, "{n} rows, {m} columns, {part:?}, {how}: {error} n u");
        };
        let a = Array::from_slice(queue, [n, n], &stored).unwrap();
        let mut x = Array::from_slice(queue, [n, m], &b).unwrap();
        a.with_structure(part).solve_in_place(two, x.view_mut()).unwrap();
        good(&x.to_vec().unwrap(), "whole");

        // The transposed matrix from the other side, into a view with steps in an array by columns.
        let mut large = Array::filled(queue, [2 * m + 1, n + 3], two).unwrap();
        large.slice_mut(s![1..; 2, 1..-2]).t().assign(Array::from_slice(queue, [n, m], &b).unwrap()).unwrap();
        let from_right = a.t().with_structure(part.transposed());
        from_right.t().solve_in_place(two, large.slice_mut(s![1..; 2, 1..-2]).t()).unwrap();
        good(&transposed(&large.slice(s![1..; 2, 1..-2]).to_vec().unwrap(), [m, n]), "right, steps");
        let kept = large.to_vec().unwrap().iter().filter(|&&x| x == two).count();
        assert!(kept >= (2 * m + 1) * (n + 3) - m * n, "{kept} elements are kept");
    }
}

#[test]
fn solutions_have_small_backward_errors() {
    each_device_and_forced(|device| {
        for (n, m) in [(0, 2), (1, 1), (2, 3), (33, 1)] {
            check::<f32>(device, n, m, &TRIANGLES);
        }
        check::<f32>(device, 64, 9, &[Structure::LOWER]);
        check::<f32>(device, 131, 17, &[Structure::UNIT_LOWER, Structure::UPPER]);
    });
}

#[test]
fn all_types_are_solved() {
    each_device(|device| {
        if cl_test::offers(device, "f64", device.has_fp64()) {
            check::<f64>(device, 70, 20, &[Structure::LOWER, Structure::UPPER]);
        }
        check::<Complex<f32>>(device, 70, 5, &[Structure::LOWER, Structure::UNIT_UPPER]);
    });
}

#[test]
fn singular_matrices_and_wrong_shapes_are_errors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = Array::eye(queue, 40).unwrap();
        a.set([17, 17], 0.0_f32).unwrap();
        let mut b = Array::filled(queue, [40, 2], 1.0_f32).unwrap();
        let error = a.lower().solve_in_place(1.0, b.view_mut()).unwrap_err();
        assert!(matches!(error, Error::Singular { pivot: 17, .. }), "{error}");
        assert_eq!(b.to_vec().unwrap(), [1.0; 80], "nothing is written");
        a.unit_lower().solve_in_place(1.0, b.view_mut()).unwrap();
        let mut short = Array::filled(queue, [39, 2], 1.0_f32).unwrap();
        let error = a.unit_lower().solve_in_place(1.0, short.view_mut()).unwrap_err().to_string();
        assert!(error.contains("[40, 40]") && error.contains("[39, 2]"), "{error}");
    });
}
