//! Transforms of arrays of `cl-array` along axes.

use crate::reference::{UNIT, along_axes, bound, difference, noise};
use cl_algo::num_complex::Complex;
use cl_array::AxisSlice;
use cl_array::prelude::*;
use cl_fft::{Fft, Problem, fftn, fftn_into, ifftn, ifftn_into, irfftn, irfftn_into, rfftn, rfftn_into};
use cl_test::{counting, each_device};

type C32 = Complex<f32>;

fn floats(points: &[Complex<f64>]) -> Vec<C32> {
    points.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect()
}

/// Returns the points of an array with its axes in another order.
fn permuted<T: Copy>(points: &[T], shape: [usize; 3], order: [usize; 3]) -> Vec<T> {
    let to = order.map(|axis| shape[axis]);
    let strides = [shape[1] * shape[2], shape[2], 1];
    let mut result = Vec::new();
    for i in 0..to[0] {
        for j in 0..to[1] {
            for k in 0..to[2] {
                let at = i * strides[order[0]] + j * strides[order[1]] + k * strides[order[2]];
                result.push(points[at]);
            }
        }
    }
    result
}

/// Asserts that numbers are a transform along these axes. `scale` is a factor of the exact transform.
fn assert_near(got: &[C32], points: &[Complex<f64>], shape: [usize; 3], axes: &[usize], inverse: bool) {
    let all: usize = axes.iter().map(|&axis| shape[axis]).product();
    let scale = if inverse { all as f32 } else { 1.0 };
    let got: Vec<C32> = got.iter().map(|z| z * scale).collect();
    let error = difference(&got, &along_axes(points, &shape, axes, inverse));
    // The inverse is divided and, for the comparison, multiplied: two more roundings.
    let most = bound(all, UNIT) + if inverse { 2.0 * UNIT } else { 0.0 };
    assert!(error <= most, "{shape:?} {axes:?} {inverse}: {error} above {most}");
}

#[test]
fn every_axis_and_order() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = [3, 4, 10];
        let points = noise(120, 3);
        let a = Array::from_slice(queue, shape, &floats(&points)).unwrap();
        for axes in [&[0][..], &[1], &[2], &[0, 2], &[2, 1], &[0, 1, 2]] {
            let spectrum = fftn(&a, axes).unwrap();
            assert_eq!(spectrum.shape(), shape);
            assert_near(&spectrum.to_vec().unwrap(), &points, shape, axes, false);
            assert_near(&ifftn(&a, axes).unwrap().to_vec().unwrap(), &points, shape, axes, true);
        }
        // Views of other orders are copied.
        for order in [[2, 0, 1], [1, 0, 2], [2, 1, 0]] {
            let view = a.permute_axes(order);
            let points = permuted(&points, shape, order);
            assert_near(&fftn(&view, [1]).unwrap().to_vec().unwrap(), &points, view.shape(), &[1], false);
        }
    });
}

#[test]
fn expressions() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = [2, 6, 8];
        let points = noise(96, 5);
        let a = Array::from_slice(queue, shape, &floats(&points)).unwrap();
        let two = Complex::new(2.0_f32, 0.0);
        let doubled: Vec<_> = points.iter().map(|z| z * 2.0).collect();
        // Multiplied inside the transform; multiplied by a broadcast row.
        assert_near(
            &fftn(a.map(|z| z + z), [1, 2]).unwrap().to_vec().unwrap(),
            &doubled,
            shape,
            &[1, 2],
            false,
        );
        let row = Array::filled(queue, [8], two).unwrap();
        assert_near(&fftn(&a * &row, [1, 2]).unwrap().to_vec().unwrap(), &doubled, shape, &[1, 2], false);
        // A part; and an expression that reads no array.
        let part = fftn(a.slice(s![1.., .., ..]), [2]).unwrap().to_vec().unwrap();
        assert_near(&part, &points[48..], [1, 6, 8], &[2], false);
        let ones =
            ArrayExpr::from_expr(iota(0, 8).map(|i| Val::complex(i.cast::<f32>() * 0.0 + 1.0, 0.0)), [2, 4]);
        let spectrum = fftn(ones.on(queue), [1]).unwrap().to_vec().unwrap();
        let pulse = [4.0, 0.0, 0.0, 0.0].map(|x| Complex::new(x, 0.0));
        assert_eq!(spectrum, [pulse, pulse].concat());
    });
}

#[test]
fn real_numbers() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for (shape, axes) in
            [([3, 4, 10], &[2][..]), ([3, 4, 10], &[0]), ([3, 5, 9], &[2, 1]), ([4, 6, 1], &[0, 2])]
        {
            let reals: Vec<_> =
                noise(shape.iter().product(), 9).iter().map(|z| Complex::new(z.re, 0.0)).collect();
            let host: Vec<f32> = reals.iter().map(|z| z.re as f32).collect();
            let a = Array::from_slice(queue, shape, &host).unwrap();
            let last = axes[axes.len() - 1];
            let half = rfftn(&a, axes).unwrap();
            let mut expected = shape;
            expected[last] = shape[last] / 2 + 1;
            assert_eq!(half.shape(), expected);
            // The first half of the spectrum of complex numbers.
            let whole = Array::from_slice(queue, shape, &floats(&reals)).unwrap();
            let whole = fftn(&whole, axes).unwrap();
            let part = AxisSlice::Range { start: 0, end: Some(expected[last] as isize), step: 1 };
            let first = whole.view().slice_axis(last, part).to_vec().unwrap();
            let scale = first.iter().map(|z| z.norm()).fold(0.0, f32::max);
            let differs = |(a, b): (&C32, &C32)| (a - b).norm() > 1e-5 * scale;
            assert!(!half.to_vec().unwrap().iter().zip(&first).any(differs), "{shape:?} {axes:?}");
            let back = irfftn(&half, axes, shape[last]).unwrap();
            assert_eq!(back.shape(), shape);
            assert!(back.to_vec().unwrap().iter().zip(&host).all(|(a, b)| (a - b).abs() < 1e-5));
            let (mut half_out, mut back_out) =
                (Array::zeros(queue, expected).unwrap(), Array::zeros(queue, shape).unwrap());
            rfftn_into(&mut half_out, &a, axes).unwrap();
            irfftn_into(&mut back_out, &half_out, axes).unwrap();
            assert_eq!(half_out.to_vec().unwrap(), half.to_vec().unwrap());
            assert_eq!(back_out.to_vec().unwrap(), back.to_vec().unwrap());
        }
    });
}

/// Outputs in row-major order and in another order.
#[test]
fn given_outputs() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = [4, 6];
        let a = Array::from_slice(queue, shape, &floats(&noise(24, 3))).unwrap();
        let wanted = fftn(&a, [1]).unwrap().to_vec().unwrap();
        let mut ordered = Array::zeros(queue, shape).unwrap();
        fftn_into(&mut ordered, &a, [1]).unwrap();
        assert_eq!(ordered.to_vec().unwrap(), wanted);
        let zeros = DeviceVec::filled(queue, Complex::new(0.0_f32, 0.0), 24).unwrap();
        let mut columns = Array::column_major(zeros, shape).unwrap();
        fftn_into(&mut columns, &a, [1]).unwrap();
        assert_eq!(columns.to_vec().unwrap(), wanted);
        ifftn_into(&mut columns, &ordered, [1]).unwrap();
        assert_eq!(columns.to_vec().unwrap(), ifftn(&ordered, [1]).unwrap().to_vec().unwrap());
        let mut small = Array::zeros(queue, [4, 5]).unwrap();
        let mut reals = Array::<f32, 2>::zeros(queue, [4, 5]).unwrap();
        for error in [
            fftn_into(&mut small, &a, [1]).unwrap_err(),
            ifftn_into(&mut small, &a, [0]).unwrap_err(),
            rfftn_into(&mut small, a.iter().re(), [1]).unwrap_err(),
            irfftn_into(&mut reals, &a, [0]).unwrap_err(),
        ] {
            let text = error.to_string();
            assert!(text.contains("and the output [4, 5]"), "{text}");
        }
        // 5 real numbers have a spectrum of 3, not of 6.
        assert!(irfftn_into(&mut reals, &a, [1]).is_err());
        assert!(fftn_into(&mut ordered, &a, [2]).is_err());
    });
}

#[test]
fn empty_arrays_and_single_points() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let one = Complex::new(1.0_f32, 2.0);
        assert_eq!(fftn(Array::filled(queue, [3, 0], one).unwrap(), [0, 1]).unwrap().shape(), [3, 0]);
        assert_eq!(rfftn(Array::filled(queue, [3, 0], 1.0_f32).unwrap(), [1]).unwrap().shape(), [3, 0]);
        assert_eq!(rfftn(Array::filled(queue, [0, 4], 1.0_f32).unwrap(), [1]).unwrap().shape(), [0, 3]);
        assert_eq!(fftn(Array::filled(queue, [1, 1], one).unwrap(), [1]).unwrap().to_vec().unwrap(), [one]);
    });
}

#[test]
fn refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [4, 4], Complex::new(1.0_f32, 0.0)).unwrap();
        let real = Array::filled(queue, [4, 4], 1.0_f32).unwrap();
        let message = |result: cl_core::Result<Array<C32, 2>>| result.unwrap_err().to_string();
        assert!(message(fftn(&a, [2])).contains("2 is not one of the 2 axes"));
        assert!(message(ifftn(&a, [0, 0])).contains("more than once"));
        assert!(message(fftn(&a, [])).contains("at least one axis"));
        assert!(message(rfftn(&real, [3])).contains("3 is not one of the 2 axes"));
        assert!(message(fftn(a.slice(s![..5, ..]), [0])).contains("[4, 4]"));
        let nothing = ArrayExpr::from_expr(Complex::new(1.0_f32, 0.0), [2, 2]);
        assert!(message(fftn(nothing, [0])).contains("`on`"));
        // A spectrum of 4 numbers is that of 6 or 7 real numbers.
        let error = irfftn(&a, [1], 4).unwrap_err().to_string();
        assert!(error.contains("16") && error.contains("12"), "{error}");
        assert!(irfftn(&a, [1], 6).is_ok());
        let scalar = Array::filled(queue, [], Complex::new(1.0_f32, 0.0)).unwrap();
        assert!(fftn(&scalar, [0]).unwrap_err().to_string().contains("at least one length"));
    });
}

/// Operands in row-major order are read by the transform itself: it has as many launches as one of a vector.
#[test]
fn nothing_is_copied() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = &Queue::on(&device).unwrap();
        let a = Array::filled(queue, [4, 6, 8], Complex::new(1.0_f32, 0.0)).unwrap();
        let launches = |work: &dyn Fn()| {
            let calls = counter.calls_during(work);
            calls.get("clEnqueueNDRangeKernel").copied().unwrap_or(0)
        };
        let plan = Fft::c2c(queue, Problem::new([4, 6, 8]).axes([0, 2])).unwrap();
        let needed = launches(&|| drop(plan.forward(a.as_vec()).unwrap()));
        assert_eq!(launches(&|| drop(fftn(&a, [0, 2]).unwrap())), needed);
        assert_eq!(launches(&|| drop(fftn(a.map(|z| z * z) + &a, [0, 2]).unwrap())), needed);
        assert_eq!(launches(&|| drop(fftn(a.permute_axes([0, 2, 1]), [0, 1]).unwrap())), needed + 1);
    }
}
