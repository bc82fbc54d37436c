//! Products with triangular matrices, and updates of one half, against plain loops.

use cl_core::{Device, Queue};
use cl_linalg::prelude::*;
use cl_linalg::{Half, Structure, add_matmul, add_matmul_half};
use cl_test::{each_device, each_device_and_forced, full_or_small};
use num_complex::Complex;

const TRIANGLES: [Structure; 4] =
    [Structure::LOWER, Structure::UPPER, Structure::UNIT_LOWER, Structure::UNIT_UPPER];

/// Returns small integers, so that sums are exact.
fn numbers<T>(count: usize, seed: usize, of: impl Fn(i8, i8) -> T) -> Vec<T> {
    let part = |at: usize| ((at * at + seed * at + 3) % 11) as i8 - 5;
    (0..count).map(|at| of(part(at), part(at + 5))).collect()
}

fn product<T: Scalar>(a: &[T], b: &[T], [m, k, n]: [usize; 3]) -> Vec<T> {
    let entry = |i: usize, j: usize| (0..k).fold(T::zeroed(), |sum, l| sum + a[i * k + l] * b[l * n + j]);
    (0..m * n).map(|at| entry(at / n, at % n)).collect()
}

/// Checks products of `n` rows and `m` columns. `of` makes an element of two integers, `nan` stands where no element may
/// be read.
fn check<T: Scalar>(device: &Device, [n, m]: [usize; 2], of: impl Fn(i8, i8) -> T + Copy, nan: T) {
    let queue = &Queue::on(device).unwrap();
    let [one, two] = [of(1, 0), of(2, 0)];
    let (b, c) = (numbers(n * m, 2, of), numbers(n * m, 7, of));
    let [right, left] = [[n, m], [m, n]].map(|shape| Array::from_slice(queue, shape, &b).unwrap());
    for part in TRIANGLES {
        let Structure::Triangular { half, unit } = part else { continue };
        let inside = |at: usize| {
            let (i, j) = (at / n, at % n);
            let strict = if half == Half::Lower { j < i } else { i < j };
            strict || (i == j && !unit)
        };
        let all: Vec<T> = numbers(n * n, 1, of);
        let stored: Vec<T> = (0..n * n).map(|at| if inside(at) { all[at] } else { nan }).collect();
        let filled = |at: usize| if unit && at / n == at % n { one } else { T::zeroed() };
        let meant: Vec<T> = (0..n * n).map(|at| if inside(at) { all[at] } else { filled(at) }).collect();
        let a = Array::from_slice(queue, [n, n], &stored).unwrap();

        let mut sum = Array::from_slice(queue, [n, m], &c).unwrap();
        add_matmul(sum.view_mut(), two, a.with_structure(part), &right, -one).unwrap();
        let wanted: Vec<T> =
            product(&meant, &b, [n, n, m]).iter().zip(&c).map(|(&x, &c)| two * x - c).collect();
        assert_eq!(sum.to_vec().unwrap(), wanted, "{part:?} times {n} x {m}");

        let mut product_of = Array::filled(queue, [m, n], nan).unwrap();
        add_matmul(product_of.view_mut(), one, &left, a.with_structure(part), T::zeroed()).unwrap();
        assert_eq!(product_of.to_vec().unwrap(), product(&b, &meant, [m, n, n]), "{m} x {n} times {part:?}");
    }
    for half in [Half::Lower, Half::Upper] {
        let old: Vec<T> = numbers(n * n, 4, of);
        let is_in = |at: usize| if half == Half::Lower { at % n <= at / n } else { at / n <= at % n };
        let new = product(&b, &transposed(&b, [n, m]), [n, m, n]);
        let wanted: Vec<T> =
            (0..n * n).map(|at| if is_in(at) { old[at] - new[at] } else { old[at] }).collect();
        let mut c = Array::from_slice(queue, [n, n], &old).unwrap();
        add_matmul_half(half, c.view_mut(), -one, &right, right.t(), one).unwrap();
        assert_eq!(c.to_vec().unwrap(), wanted, "{half:?} half of {n} x {n}, {m} products");
        // By columns, in the middle of a larger matrix.
        let mut large = Array::filled(queue, [n + 3, n + 2], two).unwrap();
        let inner = || s![1..-2, 1..-1];
        large.slice_mut(inner()).t().assign(Array::from_slice(queue, [n, n], &old).unwrap()).unwrap();
        add_matmul_half(half, large.slice_mut(inner()).t(), -one, &right, right.t(), one).unwrap();
        assert_eq!(large.slice(inner()).t().to_vec().unwrap(), wanted, "{half:?} half by columns");
    }
}

fn transposed<T: Copy>(a: &[T], [rows, columns]: [usize; 2]) -> Vec<T> {
    (0..rows * columns).map(|at| a[at % rows * columns + at / rows]).collect()
}

#[test]
fn halves_are_used_and_the_others_are_not() {
    each_device_and_forced(|device| {
        for shape in [[0, 2], [1, 1], [2, 3], [33, 5], full_or_small([70, 34], [36, 9])] {
            check(device, shape, |re, _| f32::from(re), f32::NAN);
        }
    });
}

#[test]
fn all_types_have_triangles() {
    each_device(|device| {
        if cl_test::offers(device, "f64", device.has_fp64()) {
            check(device, full_or_small([70, 34], [36, 9]), |re, _| f64::from(re), f64::NAN);
        }
        let nan = Complex::new(f32::NAN, f32::NAN);
        check(device, [40, 9], |re, im| Complex::new(f32::from(re), f32::from(im)), nan);
    });
}

/// Products of more than 2^30 steps, which GPUs compute from copies.
#[test]
fn halves_of_large_products_are_those_of_the_whole() {
    each_device(|device| {
        if !cl_test::offers(device, "f64", device.has_fp64()) {
            return;
        }
        let [n, m] = full_or_small([1060, 1000], [100, 20]);
        let queue = &Queue::on(device).unwrap();
        let a = numbers(n * m, 5, |re, _| f64::from(re));
        let a = Array::from_slice(queue, [n, m], &a).unwrap();
        let whole = a.matmul(a.t()).unwrap().to_vec().unwrap();
        for half in [Half::Lower, Half::Upper] {
            let mut c = Array::filled(queue, [n, n], 3.0).unwrap();
            add_matmul_half(half, c.view_mut(), -1.0, &a, a.t(), 1.0).unwrap();
            for (at, (item, whole)) in c.to_vec().unwrap().into_iter().zip(&whole).enumerate() {
                let is_in = if half == Half::Lower { at % n <= at / n } else { at / n <= at % n };
                assert_eq!(item, if is_in { 3.0 - whole } else { 3.0 }, "{half:?} {} {}", at / n, at % n);
            }
        }
    });
}

#[test]
fn wrong_shapes_are_errors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [3, 4], 1.0_f32).unwrap();
        let mut c = Array::filled(queue, [3, 4], 1.0_f32).unwrap();
        let error = add_matmul_half(Half::Lower, c.view_mut(), 1.0, &a, a.t(), 1.0).unwrap_err().to_string();
        assert!(error.contains("[3, 4]") && error.contains("[4, 3]"), "{error}");
        let error = add_matmul(c.view_mut(), 1.0, a.lower(), a.t(), 1.0).unwrap_err();
        assert!(error.to_string().contains("[3, 4]"), "{error}");
    });
}
