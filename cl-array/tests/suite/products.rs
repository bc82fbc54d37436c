//! Products of matrices and vectors, and sums of products over any axes.

use cl_algo::codegen::Ranges;
use cl_algo::num_complex::Complex;
use cl_array::Format;
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced, full_or_small};

fn numbers(count: usize, seed: i64) -> Vec<i64> {
    (0..count as i64).map(|i| (i * i + seed * i + 3) % 17 - 8).collect()
}

/// Returns the product of two matrices in row-major order.
fn product(a: &[i64], b: &[i64], [m, k, n]: [usize; 3]) -> Vec<i64> {
    let entry = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|at| entry(at / n, at % n)).collect()
}

fn transposed(a: &[i64], [rows, columns]: [usize; 2]) -> Vec<i64> {
    (0..rows * columns).map(|at| a[at % rows * columns + at / rows]).collect()
}

#[test]
fn views_have_the_products_of_arrays() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [2, 2], &[1_i64, 2, 3, 4]).unwrap();
        let x = Array::from_slice(queue, [2], &[10_i64, 1]).unwrap();
        assert_eq!(a.t().matmul(&a).unwrap().to_vec().unwrap(), [10, 14, 14, 20]);
        assert_eq!(
            a.t().matmul_with(a.t(), 1_i64, |x, one| x + one).unwrap().to_vec().unwrap(),
            [8, 16, 11, 23]
        );
        assert_eq!(a.t().matvec(&x).unwrap().to_vec().unwrap(), [13, 24]);
        assert_eq!(a.row(1).dot(&x).unwrap(), 34);
        assert_eq!(a.row(1).dot(a.column(0)).unwrap(), 15);
        assert_eq!(a.column(1).outer(&x).row(0).to_vec().unwrap(), [20, 2]);
        assert_eq!(a.t().sort_axis_descending(1).unwrap().to_vec().unwrap(), [3, 1, 4, 2]);
        // A slice is `Copy`.
        let (lower, columns) = (s![1.., ..], [0, 1].map(|_| s![.., 0]));
        let parts = [a.slice(lower), a.t().slice(lower)].map(|part| part.to_vec().unwrap());
        assert_eq!(parts, [[3, 4], [2, 4]]);
        assert_eq!(columns.map(|column| a.slice(column).to_vec().unwrap()), [[1, 3], [1, 3]]);
    });
}

#[test]
fn products_of_all_shapes_and_transpositions() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let edges = vec![[1, 1, 1], [3, 5, 2], [4, 1, 5], [7, 1, 40], [6, 0, 4], [0, 3, 5]];
        let larger = full_or_small(
            vec![[1, 300, 1], [4, 4, 4], [13, 33, 65], [64, 20, 48], [131, 70, 129], [300, 9, 5]],
            vec![[13, 9, 33]],
        );
        for [m, k, n] in edges.into_iter().chain(larger) {
            let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
            let wanted = product(&a, &b, [m, k, n]);
            let left = Array::from_slice(queue, [m, k], &a).unwrap();
            let right = Array::from_slice(queue, [k, n], &b).unwrap();
            let left_t = Array::from_slice(queue, [k, m], &transposed(&a, [m, k])).unwrap();
            let right_t = Array::from_slice(queue, [n, k], &transposed(&b, [k, n])).unwrap();
            let shape = [m, k, n];
            assert_eq!(left.matmul(&right).unwrap().to_vec().unwrap(), wanted, "{shape:?}");
            assert_eq!(
                left.matmul(right_t.t()).unwrap().to_vec().unwrap(),
                wanted,
                "{shape:?}, second transposed"
            );
            let left = ArrayExpr::from(left_t.t());
            assert_eq!(
                left_t.t().matmul(&right).unwrap().to_vec().unwrap(),
                wanted,
                "{shape:?}, first transposed"
            );
            assert_eq!(
                left.clone().matmul(right_t.t()).unwrap().to_vec().unwrap(),
                wanted,
                "{shape:?}, both transposed"
            );
            // Operands that take more operations are copied into panels before they are multiplied, on GPUs too.
            let costly = |x: Val<i64>| ((((x + 1) ^ 5) ^ 5) - 3) + 2;
            let found = left.map(costly).matmul(right.map(costly)).unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted, "{shape:?}, costly");
            if n > 0 {
                let column: Vec<i64> = wanted.iter().step_by(n).copied().collect();
                let left = Array::from_slice(queue, [m, k], &a).unwrap();
                assert_eq!(left.matvec(right.column(0)).unwrap().to_vec().unwrap(), column, "{shape:?}");
            }
        }
    });
}

#[test]
fn expressions_are_multiplied_without_being_stored() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (numbers(30 * 20, 3), numbers(20 * 36, 4));
        let left = Array::from_slice(queue, [30, 20], &a).unwrap();
        let right = Array::from_slice(queue, [20, 36], &b).unwrap();
        let found = (&left * 2 + 1).matmul(right.map(|x| x * x)).unwrap().to_vec().unwrap();
        let a: Vec<i64> = a.iter().map(|x| 2 * x + 1).collect();
        let b: Vec<i64> = b.iter().map(|x| x * x).collect();
        let wanted = product(&a, &b, [30, 20, 36]);
        assert_eq!(found, wanted);

        // Views with steps and reversed axes, and what is computed of each element of the product.
        let bias = numbers(36, 9);
        let row = Array::from_slice(queue, [36], &bias).unwrap();
        let a = Array::from_slice(queue, [30, 20], &a).unwrap();
        let b = Array::from_slice(queue, [20, 36], &b).unwrap();
        let clipped = a.matmul_with(&b, &row, |product, bias| (product + bias).max(0)).unwrap();
        let with_bias: Vec<i64> =
            wanted.iter().enumerate().map(|(at, x)| (x + bias[at % 36]).max(0)).collect();
        assert_eq!(clipped.to_vec().unwrap(), with_bias);
        let part = a.slice(s![..; -2, 3..17]).iter().matmul(b.slice(s![3..17, ..; 3])).unwrap();
        let left = a.slice(s![..; -2, 3..17]).to_vec().unwrap();
        let right = b.slice(s![3..17, ..; 3]).to_vec().unwrap();
        assert_eq!(part.to_vec().unwrap(), product(&left, &right, [15, 14, 12]));
        let mut turned = Array::filled(queue, [36, 32], 0_i64).unwrap();
        turned.slice_mut(s![.., 1..-1]).t().assign_matmul(&a, &b).unwrap();
        let found = turned.slice(s![.., 1..-1]).t().to_vec().unwrap();
        assert_eq!(found, wanted, "rows that are not contiguous");
        let is_large = a.matmul_with(&b, 100, Val::gt).unwrap();
        let wanted: Vec<bool> = wanted.iter().map(|&x| x > 100).collect();
        assert_eq!(is_large.to_vec().unwrap(), wanted, "results of another type");
    });
}

/// Checks products of matrices that are rounded to shorter formats, which matrix units multiply on some GPUs. The numbers are
/// integers, so that all sums are exact.
#[test]
fn rounded_matrices_are_multiplied() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let large = full_or_small(vec![[1500, 40, 2311], [130, 300, 257], [64, 33, 64]], vec![[34, 35, 36]]);
        let shapes = [[1, 40, 70], [33, 1, 40], [40, 0, 35], [70, 65, 33]].into_iter().chain(large);
        for ([m, k, n], format) in shapes.zip([Format::Tf32, Format::Bf16, Format::F16].into_iter().cycle()) {
            let floats = |numbers: Vec<i64>| numbers.into_iter().map(|x| x as f32).collect::<Vec<_>>();
            let (a, b) = (floats(numbers(m * k, 1)), floats(numbers(k * n, 2)));
            let left = Array::from_slice(queue, [m, k], &a).unwrap();
            let right = Array::from_slice(queue, [k, n], &b).unwrap();
            let wanted = left.matmul(&right).unwrap().to_vec().unwrap();
            let turned = |array: &Array<f32, 2>| array.iter().t().collect().unwrap();
            let (left_t, right_t) = (turned(&left), turned(&right));
            for (at, (left, right)) in [
                (left.iter(), right.iter()),
                (left_t.iter().t(), right.iter()),
                (left.iter(), right_t.iter().t()),
                (left_t.iter().t(), right_t.iter().t()),
            ]
            .into_iter()
            .enumerate()
            {
                let found = left.clone().round_to(format).matmul(right.clone().round_to(format)).unwrap();
                assert_eq!(found.to_vec().unwrap(), wanted, "{m} {k} {n} {format:?}, form {at}");
                // Operands that take more operations are copied into panels before they are multiplied.
                let costly = |x: Val<f32>| ((((x + 1.0) * 2.0) - 1.0) - 1.0) * 0.5;
                let [left, right] = [left, right].map(|operand| operand.map(costly).round_to(format));
                let found = left.matmul(right).unwrap();
                assert_eq!(found.to_vec().unwrap(), wanted, "{m} {k} {n} {format:?}, form {at}, costly");
            }
        }

        // Numbers that are not of the format, stacks of matrices, an operand that is computed, a result of another type.
        let x: Vec<f32> = (0..2 * 40 * 50).map(|i| ((i * 37 % 1001) as f32 - 500.0) / 333.0).collect();
        let stack = Array::from_slice(queue, [2, 40, 50], &x).unwrap();
        let factor = Array::from_slice(queue, [50, 36], &x[..1800]).unwrap();
        let bias = Array::from_slice(queue, [36], &x[..36]).unwrap();
        // The sums are of f64.
        let formats = [Format::Tf32, Format::Bf16, Format::F16].into_iter();
        for format in formats.filter(|_| device.has_fp64().unwrap()) {
            let (left, right) = ((2.0 * stack.iter()).round_to(format), factor.iter().round_to(format));
            let [a, b] = [left.clone().to_vec(), right.clone().to_vec()].map(Result::unwrap);
            let found =
                left.matmul_with(right, &bias, |sum, bias| (sum + bias).max(0.0).cast::<f64>()).unwrap();
            for (at, found) in found.to_vec().unwrap().into_iter().enumerate() {
                let (row, column) = (at / 36, at % 36);
                let products = (0..50).map(|l| f64::from(a[row * 50 + l]) * f64::from(b[l * 36 + column]));
                let size: f64 = products.clone().map(f64::abs).sum();
                let wanted = (products.sum::<f64>() + f64::from(x[column])).max(0.0);
                assert!((found - wanted).abs() <= 4e-6 * size, "{format:?} at {at}: {found}, not {wanted}");
            }
        }
    });
}

/// Checks operands whose kernels have no packs, beside a kernel of the product that has them.
#[test]
fn folds_of_ranges_are_operands() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let [m, k, n] = [40, 36, 50];
        let (a, b) = (numbers(m * k, 3), numbers(2 * k * n, 4));
        let entries = DeviceVec::from_slice(queue, &b).unwrap();
        let offsets: Vec<u32> = (0..=k * n).map(|i| 2 * i as u32).collect();
        let offsets = DeviceVec::from_slice(queue, &offsets).unwrap();
        // SAFETY: the offsets ascend from 0 to the number of entries.
        let sums = unsafe { entries.iter().fold_ranges(Ranges::between(&offsets), 0, |x, y| x + y, None) };
        let left = Array::from_slice(queue, [m, k], &a).unwrap();
        let found = left.matmul(ArrayExpr::from_expr(sums, [k, n])).unwrap();
        let b: Vec<i64> = b.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        assert_eq!(found.to_vec().unwrap(), product(&a, &b, [m, k, n]));
    });
}

#[test]
fn stacks_of_matrices_are_broadcast() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for [m, k, n] in [[5, 3, 6], [2, 4, 3]] {
            let (a, b) = (numbers(2 * 3 * m * k, 3), numbers(3 * k * n, 4));
            let left = Array::from_slice(queue, [2, 3, m, k], &a).unwrap();
            let right = Array::from_slice(queue, [3, k, n], &b).unwrap();
            let found = left.matmul(&right).unwrap();
            assert_eq!(found.shape(), [2, 3, m, n]);
            let of = |i: usize, j: usize| {
                product(&a[(i * 3 + j) * m * k..][..m * k], &b[j * k * n..][..k * n], [m, k, n])
            };
            let wanted: Vec<i64> =
                (0..2).flat_map(|i| (0..3).flat_map(move |j| [(i, j)])).flat_map(|(i, j)| of(i, j)).collect();
            assert_eq!(found.to_vec().unwrap(), wanted);
            // One matrix for all, on either side.
            let first = right.iter().index_axis(0, 1);
            let shared = left.matmul(first).unwrap();
            let wanted: Vec<i64> = (0..6)
                .flat_map(|i| product(&a[i * m * k..][..m * k], &b[k * n..][..k * n], [m, k, n]))
                .collect();
            assert_eq!(shared.to_vec().unwrap(), wanted);
            let one = left.iter().index_axis(0, 1).index_axis(0, 2);
            let shared = one.matmul(&right).unwrap();
            let wanted: Vec<i64> =
                (0..3).flat_map(|j| product(&a[5 * m * k..], &b[j * k * n..][..k * n], [m, k, n])).collect();
            assert_eq!(shared.to_vec().unwrap(), wanted);
        }
    });
}

/// Checks that floats are added with errors of a few units in the last place of the largest partial sum, and complex
/// numbers and small integers, too.
#[test]
fn all_types_of_numbers_are_multiplied() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let [m, k, n] = [19, 40, 33];
        let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
        let wanted = product(&a, &b, [m, k, n]);
        macro_rules! check {
            ($($type:ty),*) => {$({
                let [a, b] = [&a, &b].map(|x| x.iter().map(|&x| x as $type).collect::<Vec<_>>());
                let a = Array::from_slice(queue, [m, k], &a).unwrap();
                let b = Array::from_slice(queue, [k, n], &b).unwrap();
                let wanted: Vec<$type> = wanted.iter().map(|&x| x as $type).collect();
                assert_eq!(a.matmul(&b).unwrap().to_vec().unwrap(), wanted, stringify!($type));
            })*};
        }
        // All sums are small integers, so floats are exact.
        check!(f32, i8, u16, i32, u64);
        if cl_test::offers(device, "f64", device.has_fp64()) {
            check!(f64);
        }
        let [a, b] =
            [&a, &b].map(|x| x.iter().map(|&x| Complex::new(x as f32, 1.0 - x as f32)).collect::<Vec<_>>());
        let left = Array::from_slice(queue, [m, k], &a).unwrap();
        let right = Array::from_slice(queue, [k, n], &b).unwrap();
        let entry = |at: usize| (0..k).map(|l| a[at / n * k + l] * b[l * n + at % n]).sum();
        let wanted: Vec<Complex<f32>> = (0..m * n).map(entry).collect();
        assert_eq!(left.matmul(&right).unwrap().to_vec().unwrap(), wanted, "complex");
    });
}

#[test]
fn axes_are_contracted_as_in_numpy() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (numbers(3 * 4 * 5, 1), numbers(5 * 6 * 4, 2));
        let left = Array::from_slice(queue, [3, 4, 5], &a).unwrap();
        let right = Array::from_slice(queue, [5, 6, 4], &b).unwrap();
        let at = |i: usize, j: usize, k: usize| a[(i * 4 + j) * 5 + k];
        let bt = |k: usize, l: usize, j: usize| b[(k * 6 + l) * 4 + j];
        let both: Array<i64, 2> = contract(&left, &right, &[(1, 2), (2, 0)]).unwrap();
        let wanted: Vec<i64> = (0..3 * 6)
            .map(|il| (0..20).map(|jk| at(il / 6, jk / 5, jk % 5) * bt(jk % 5, il % 6, jk / 5)).sum())
            .collect();
        assert_eq!(both.to_vec().unwrap(), wanted);
        let one: Array<i64, 4> = contract(&left, &right, &[(2, 0)]).unwrap();
        assert_eq!(one.shape(), [3, 4, 6, 4]);
        let wanted: Vec<i64> = (0..3 * 4 * 6 * 4)
            .map(|at_all| {
                let (i, j, l, m) = (at_all / 96, at_all / 24 % 4, at_all / 4 % 6, at_all % 4);
                (0..5).map(|k| at(i, j, k) * bt(k, l, m)).sum()
            })
            .collect();
        assert_eq!(one.to_vec().unwrap(), wanted);
        // The same by letters, in another order of the result, and with large matrices.
        let turned: Array<i64, 4> = einsum("ijk,klm->mjli", &left, &right).unwrap();
        let same = one.permute_axes([3, 1, 2, 0]).iter().to_vec().unwrap();
        assert_eq!(turned.to_vec().unwrap(), same);
        let outer: Array<i64, 6> = contract(&left, &right, &[]).unwrap();
        assert_eq!(outer.shape(), [3, 4, 5, 5, 6, 4]);
        assert_eq!(outer.slice(s![1, 2, 3, .., .., ..]).to_vec().unwrap()[7], at(1, 2, 3) * b[7]);
    });
}

#[test]
fn subscripts_mean_what_they_mean_in_numpy() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (numbers(6 * 6, 1), numbers(6 * 6, 2));
        let left = Array::from_slice(queue, [6, 6], &a).unwrap();
        let right = Array::from_slice(queue, [6, 6], &b).unwrap();
        let [i6, all] = [6_usize, 36];
        let by = |entry: &dyn Fn(usize, usize) -> i64| -> Vec<i64> {
            (0..all).map(|x| entry(x / i6, x % i6)).collect()
        };
        let (at, bt) = (|i: usize, j: usize| a[i * 6 + j], |i: usize, j: usize| b[i * 6 + j]);
        let matrix = |text: &str| einsum::<i64, 2, 2, 2>(text, &left, &right).unwrap().to_vec().unwrap();
        let sum = |of: &dyn Fn(usize) -> i64| (0..6).map(of).sum::<i64>();
        assert_eq!(matrix("ij,jk->ik"), by(&|i, k| sum(&|j| at(i, j) * bt(j, k))));
        assert_eq!(matrix("ij, jk"), by(&|i, k| sum(&|j| at(i, j) * bt(j, k))), "implicit result");
        assert_eq!(matrix("ij,jk->ki"), by(&|k, i| sum(&|j| at(i, j) * bt(j, k))));
        assert_eq!(matrix("ij,kj->ik"), by(&|i, k| sum(&|j| at(i, j) * bt(k, j))));
        assert_eq!(matrix("ij,ij->ij"), by(&|i, j| at(i, j) * bt(i, j)));
        assert_eq!(matrix("ii,kl->kl"), by(&|k, l| sum(&|i| at(i, i)) * bt(k, l)));
        assert_eq!(matrix("ij,kl->ik"), by(&|i, k| sum(&|j| at(i, j)) * sum(&|l| bt(k, l))));
        assert_eq!(matrix("ji,jk->ik"), by(&|i, k| sum(&|j| at(j, i) * bt(j, k))));
        let scalar: Array<i64, 0> = einsum("ij,ij->", &left, &right).unwrap();
        assert_eq!(scalar.to_vec().unwrap(), [(0..36).map(|x| a[x] * b[x]).sum::<i64>()]);
        // A batch, a letter of one operand alone, and more letters than an array has axes.
        let stack = Array::from_slice(queue, [2, 3, 6], &a).unwrap();
        let batches: Array<i64, 3> = einsum("bij,bkj->bik", &stack, &stack).unwrap();
        assert_eq!(batches.to_vec().unwrap()[9..].len(), 9);
        let wanted =
            |bat: usize, i: usize, k: usize| sum(&|j| a[(bat * 3 + i) * 6 + j] * a[(bat * 3 + k) * 6 + j]);
        let all: Vec<i64> = (0..18).map(|x| wanted(x / 9, x / 3 % 3, x % 3)).collect();
        assert_eq!(batches.to_vec().unwrap(), all);
        let c = Array::from_slice(queue, [2, 3, 2, 1, 3], &a).unwrap();
        let many: Array<i64, 4> = einsum("abcde,afghe->bfgd", &c, &c).unwrap();
        let entry = |b: usize, f: usize, g: usize| -> i64 {
            (0..2 * 2 * 3)
                .map(|x| {
                    let (aa, cc, e) = (x / 6, x / 3 % 2, x % 3);
                    a[((aa * 3 + b) * 2 + cc) * 3 + e] * a[((aa * 3 + f) * 2 + g) * 3 + e]
                })
                .sum()
        };
        let wanted: Vec<i64> = (0..3 * 3 * 2).map(|x| entry(x / 6, x / 2 % 3, x % 2)).collect();
        assert_eq!(many.to_vec().unwrap(), wanted);
    });
}

#[test]
fn vectors_are_multiplied() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (numbers(50, 1), numbers(50, 2));
        let [left, right] = [&a, &b].map(|x| Array::from_slice(queue, [50], x).unwrap());
        assert_eq!(left.dot(&right).unwrap(), a.iter().zip(&b).map(|(x, y)| x * y).sum::<i64>());
        let outer = left.outer(&right).to_vec().unwrap();
        assert_eq!(outer, (0..2500).map(|at| a[at / 50] * b[at % 50]).collect::<Vec<_>>());
        let error = left.dot(right.slice(s![1..])).unwrap_err();
        assert!(error.to_string().contains("[50] and [49]"), "{error}");
    });
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [30, 20], 1).unwrap();
        let refused = |error: Error, what: &str, part: &str| {
            assert!(matches!(&error, Error::InvalidInput { what: found, .. } if *found == what), "{error}");
            assert!(error.to_string().contains(part), "{error}");
        };
        refused(a.matmul(&a).unwrap_err(), "matmul", "[30, 20]");
        refused(a.matmul(a.row(0)).unwrap_err(), "matmul", "matvec");
        let [two, three] = [2, 3].map(|n| Array::filled(queue, [n, 4, 4], 1).unwrap());
        refused(two.matmul(&three).unwrap_err(), "matmul", "lengths 2 and 3 along axis 0");
        refused(a.matmul_with(a.t(), &a, |x, _| x).unwrap_err(), "matmul_with", "[30, 30]");
        let mut other = Array::filled(queue, [30, 20], 1).unwrap();
        refused(other.assign_matmul(&a, a.t()).unwrap_err(), "assign_matmul", "[30, 30]");
        refused(contract::<_, 2, 2, 2>(&a, &a, &[(1, 0)]).unwrap_err(), "contract", "20 and 30");
        refused(contract::<_, 2, 2, 3>(&a, &a, &[(1, 1)]).unwrap_err(), "contract", "2 axes, and 3");
        refused(contract::<_, 2, 2, 2>(&a, &a, &[(1, 2)]).unwrap_err(), "contract", "(1, 2)");
        refused(contract::<_, 2, 2, 0>(&a, &a, &[(1, 1), (1, 0)]).unwrap_err(), "contract", "once");
        for (text, part) in [
            ("ij,jk->ii", "there once"),
            ("ij,jk->il", "'l'"),
            ("ij,jk,kl->il", "several steps"),
            ("ij->ij", "two operands"),
            ("ijk,jk->ik", "3 letters"),
            ("i.,jk->ik", "letters of all axes"),
            ("ij,kj->ik", "20 and 30"),
        ] {
            refused(einsum::<_, 2, 2, 2>(text, &a, a.t()).unwrap_err(), "einsum", part);
        }
    });
}

#[test]
fn products_are_added_in_place() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        // Matrices that are read where they are, and matrices in panels.
        for [m, k, n] in [[5, 3, 6], [41, 33, 38], [6, 0, 4]] {
            let (a, b, c) = (numbers(m * k, 1), numbers(k * n, 2), numbers(m * n, 3));
            let wanted: Vec<i64> =
                product(&a, &b, [m, k, n]).iter().zip(&c).map(|(x, c)| 3 * x - 2 * c).collect();
            let [left, right] =
                [(&a, [m, k]), (&b, [k, n])].map(|(x, of)| Array::from_slice(queue, of, x).unwrap());
            let mut sum = Array::from_slice(queue, [m, n], &c).unwrap();
            sum.add_matmul(3, &left, &right, -2).unwrap();
            assert_eq!(sum.to_vec().unwrap(), wanted, "{:?}", [m, k, n]);
            // A transposed view with steps, whose other elements stay as they are.
            let mut large = Array::filled(queue, [2 * n + 1, m + 2], 77_i64).unwrap();
            let at = || s![1..; 2, 1..-1];
            large.slice_mut(at()).t().assign(Array::from_slice(queue, [m, n], &c).unwrap()).unwrap();
            large.slice_mut(at()).t().add_matmul(3, &left, &right, -2).unwrap();
            assert_eq!(large.slice(at()).t().to_vec().unwrap(), wanted, "{:?}, transposed", [m, k, n]);
            let kept = large.to_vec().unwrap().iter().filter(|&&x| x == 77).count();
            assert!(kept >= large.len() - m * n, "{:?}: {kept} elements are kept", [m, k, n]);
        }
        // The old elements are not read if their factor is zero. Parts of one array are operands and target.
        let ones = Array::filled(queue, [40, 40], 1.0_f32).unwrap();
        let mut c = Array::filled(queue, [40, 40], f32::NAN).unwrap();
        c.add_matmul(0.5, &ones, &ones, 0.0).unwrap();
        assert_eq!(c.to_vec().unwrap(), vec![20.0; 1600]);
        let mut all = Array::filled(queue, [40, 80], 1_i64).unwrap();
        let (left, right) = all.view_mut().split_at(1, 40).unwrap();
        right.add_matmul(-1, left.view(), left.view().t(), 1).unwrap();
        let rows: Vec<i64> = (0..40 * 80).map(|at| if at % 80 < 40 { 1 } else { -39 }).collect();
        assert_eq!(all.to_vec().unwrap(), rows);
        let square = Array::filled(queue, [40, 40], 1_i64).unwrap();
        let error = all.add_matmul(1, &square, &square, 1).unwrap_err();
        assert!(error.to_string().contains("[40, 40]") && error.to_string().contains("[40, 80]"), "{error}");
    });
}
