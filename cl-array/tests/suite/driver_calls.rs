//! The driver calls of evaluations: one kernel each, no transfers, and no other kernel for other shapes.

use cl_algo::ranked::{Layout, fold};
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::counting::{Calls, devices, exclusive};

fn count_of(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

/// Evaluates a transposition, a row and a column added, a part, an update of a part, and reductions, for one shape.
fn evaluate(queue: &Queue, [rows, columns]: [usize; 2]) {
    let host: Vec<f32> = (0..rows * columns).map(|i| i as f32).collect();
    let a = Array::from_slice(queue, [rows, columns], &host).unwrap();
    let row = Array::from_slice(queue, [columns], &host[..columns]).unwrap();
    let column = Array::from_slice(queue, [rows, 1], &host[..rows]).unwrap();
    let mut b = (&a + &row - &column).collect().unwrap();
    drop((2.0 * a.t()).collect().unwrap());
    b.slice_mut(s![1.., 1..-1]).assign(a.slice(s![..-1, 2..])).unwrap();
    drop(a.map(|x| x * x).sum_axis(0).unwrap());
    drop(a.sum_axis(1).unwrap());
}

/// The evaluations of [`evaluate`].
const EVALUATIONS: u64 = 5;

#[test]
fn other_shapes_use_the_same_kernels() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let shapes: Vec<[usize; 2]> = (0..32).map(|k| [37 + 9 * k, 90 + k]).collect();
        // Rows that begin at multiples of 16 elements have kernels of their own, with aligned packs. On GPUs the number
        // of work-items that fold a row depends on its length, in steps of powers of 2.
        evaluate(queue, shapes[0]);
        evaluate(queue, [48, 96]);
        evaluate(queue, [38, 120]);
        for &shape in &shapes[1..] {
            let calls = counter.calls_during(|| evaluate(queue, shape));
            let compiled =
                count_of(&calls, "clCreateProgramWithSource") + count_of(&calls, "clCreateProgramWithBinary");
            assert_eq!(compiled, 0, "{shape:?} {calls:?}");
            assert_eq!(count_of(&calls, "clEnqueueNDRangeKernel"), EVALUATIONS, "{shape:?} {calls:?}");
            assert_eq!(count_of(&calls, "clEnqueueReadBuffer"), 0, "{shape:?} {calls:?}");
        }
    }
}

/// A fill by an expression over a vector is one launch, of the same kernel for all shapes.
#[test]
fn fills_of_other_shapes_use_the_same_kernel() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let fill = |shape: [usize; 3]| {
            let squares = iota(0_u32, shape.iter().product()).map(|i| i * i);
            drop(ArrayExpr::from_expr(squares, shape).collect_on(queue).unwrap());
        };
        // A vector's fill is the same kernel.
        drop(iota(0_u32, 1000).map(|i| i * i).collect_on(queue).unwrap());
        for k in 0..8 {
            let calls = counter.calls_during(|| fill([3 + k, 10 - k, 20 + 7 * k]));
            assert_eq!(count_of(&calls, "clCreateProgramWithSource"), 0, "{calls:?}");
            assert_eq!(count_of(&calls, "clEnqueueNDRangeKernel"), 1, "{calls:?}");
        }
    }
}

#[test]
fn what_is_refused_calls_no_driver() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let a = Array::filled(queue, [3, 4], 1_i32).unwrap();
        let mut b = Array::filled(queue, [4, 4], 1_i32).unwrap();
        let calls = counter.calls_during(|| {
            (&a + &b).collect().unwrap_err();
            b.assign(&a).unwrap_err();
            b.slice_mut(s![3..9, ..]).assign(7).unwrap_err();
            a.slice(s![-4, ..]).collect().unwrap_err();
            a.sum_axis(2).map(drop).unwrap_err();
            a.matmul(&a).map(drop).unwrap_err();
            a.reshape([5, 5]).map(drop).unwrap_err();
            Array::<i32, 3>::filled(queue, [usize::MAX, 2, 3], 1).map(drop).unwrap_err();
        });
        assert!(calls.is_empty(), "{calls:?}");
        // Shapes that no array can have, given to the mechanism below arrays.
        let mut sum = DeviceVec::filled(queue, 0_u32, 1).unwrap();
        let calls = counter.calls_during(|| {
            for shape in [&[1; 7][..], &[1 << 33, 1 << 33]] {
                let axes: Vec<usize> = (0..shape.len()).collect();
                let (sink, folded) = ((&mut sum, Layout::scalar()), (shape, &axes[..]));
                let error = fold::<u32, _>("fold", sink, 1_u32, folded, |a, b| a + b, |sum| sum).unwrap_err();
                assert!(matches!(error, Error::InvalidInput { what: "shape", .. }), "{error}");
            }
        });
        assert!(calls.is_empty(), "{calls:?}");
        // An array without elements needs no driver either.
        let empty = Array::<i32, 2>::filled(queue, [0, 4], 1).unwrap();
        let calls = counter.calls_during(|| b.slice_mut(s![..0, ..]).assign(&empty).unwrap());
        assert!(calls.is_empty(), "{calls:?}");
    }
}

/// Products over several axes read operands where they are if the axes follow each other in memory, and store the result in
/// its order.
#[test]
fn products_over_several_axes_copy_little() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let host =
            |count: i64, seed: i64| (0..count).map(|i| (i * 7919 + seed) % 101 - 50).collect::<Vec<i64>>();
        let (a, b) = (host(120, 3), host(240, 11));
        let cube = Array::from_slice(queue, [5, 4, 6], &a).unwrap();
        let four = Array::from_slice(queue, [5, 4, 6, 2], &b).unwrap();
        let turned = Array::from_slice(queue, [4, 5, 12], &b).unwrap();
        let [i5, j4, k6] = [5, 4, 6];
        let at = |i: usize, j: usize, k: usize| a[(i * j4 + j) * k6 + k];
        let table = |counts: [usize; 2], sum: &dyn Fn(usize, usize) -> i64| -> Vec<i64> {
            (0..counts[0] * counts[1]).map(|all| sum(all / counts[1], all % counts[1])).collect()
        };
        let square = table([5, 5], &|i, l| (0..24).map(|jk| a[i * 24 + jk] * a[l * 24 + jk]).sum());
        let columns = table([12, 6], &|n, k| {
            (0..20).map(|ij| at(ij / j4, ij % j4, k) * b[((ij % j4) * i5 + ij / j4) * 12 + n]).sum()
        });
        let rows = table([24, 10], &|jk, jl| (0..5).map(|i| a[i * 24 + jk] * b[i * 48 + jl]).sum());
        type Evaluation<'e> = &'e dyn Fn() -> Vec<i64>;
        let evaluations: [(&str, u64, Vec<i64>, Evaluation<'_>); 4] = [
            ("both over two axes", 1, square.clone(), &|| {
                einsum::<_, 3, 3, 2>("ijk,ljk->il", &cube, &cube).unwrap().to_vec().unwrap()
            }),
            ("the result in the order of the right operand", 1, square, &|| {
                einsum::<_, 3, 3, 2>("ijk,ljk->li", &cube, &cube).unwrap().to_vec().unwrap()
            }),
            ("one operand in another order", 2, columns, &|| {
                einsum::<_, 3, 3, 2>("ijk,jin->nk", &cube, &turned).unwrap().to_vec().unwrap()
            }),
            ("rows and columns of two axes", 1, rows, &|| {
                let part = four.slice(s![.., ..1]).reshape([5, 12]).unwrap();
                let tall = part.slice(s![.., ..10]);
                einsum::<_, 3, 2, 3>("ijk,il->jkl", &cube, tall).unwrap().to_vec().unwrap()
            }),
        ];
        for (name, kernels, wanted, evaluate) in evaluations {
            assert_eq!(evaluate(), wanted, "{name}");
            let calls = counter.calls_during(|| drop(evaluate()));
            assert_eq!(count_of(&calls, "clEnqueueNDRangeKernel"), kernels, "{name}: {calls:?}");
        }
    }
}

/// Counts the programs of evaluations that were made before.
#[test]
fn nothing_is_compiled_twice() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let a = Array::filled(queue, [20, 33], 1.0_f32).unwrap();
        let indices = Array::filled(queue, [5], 3_u32).unwrap();
        let evaluations: [(&str, &dyn Fn()); 12] = [
            ("sum_axis(0)", &|| drop(a.sum_axis(0).unwrap())),
            ("sum_axis(1)", &|| drop(a.sum_axis(1).unwrap())),
            ("argmin_axis", &|| drop(a.argmin_axis(1).unwrap())),
            ("argmax_axis", &|| drop(a.argmax_axis(0).unwrap())),
            ("reduce_max", &|| assert!(a.reduce_max().unwrap().is_some())),
            ("mean_axis", &|| drop(a.mean_axis(0).unwrap())),
            ("variance_axis", &|| drop(a.variance_axis(0, 1).unwrap())),
            ("norm", &|| assert!(a.norm().unwrap() > 0.0)),
            ("matmul", &|| drop(a.matmul(a.t()).unwrap())),
            ("take", &|| drop(a.iter().take(0, &indices).collect().unwrap())),
            ("pad", &|| drop(a.iter().pad([(1, 2), (3, 0)], Pad::Constant(7.0)).collect().unwrap())),
            ("concatenate", &|| drop(concatenate(queue, 0, [&a, &a]).unwrap())),
        ];
        for (name, evaluate) in evaluations {
            evaluate();
            let calls = counter.calls_during(evaluate);
            assert_eq!(count_of(&calls, "clCreateProgramWithSource"), 0, "{name}: {calls:?}");
            assert_eq!(count_of(&calls, "clCreateProgramWithBinary"), 0, "{name}: {calls:?}");
        }
    }
}
