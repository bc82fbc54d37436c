//! Numbers at the ends of their types, zeros, and parts of matrices that are not used.

use cl_core::Queue;
use cl_linalg::{
    Error, FactorSettings, Lanczos, PowerIteration, RandomizedSvd, RunsOn, Scalar, Spectra, add_matmul,
    prelude::*, singular_values,
};
use num_complex::Complex;

fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
}

fn each_queue_with_f64(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| {
        if cl_test::offers(device, "f64", device.has_fp64()) {
            test(&Queue::on(device).unwrap());
        }
    });
}

fn diagonal<T: Scalar>(queue: &Queue, items: &[T]) -> Array<T, 2> {
    let n = items.len();
    let mut host = vec![T::zeroed(); n * n];
    items.iter().enumerate().for_each(|(i, item)| host[i * n + i] = *item);
    Array::from_slice(queue, [n, n], &host).unwrap()
}

#[test]
fn matrices_of_zeros_have_rank_zero() {
    each_queue_with_f64(|queue| {
        for shape in [[1, 1], [3, 2], [2, 3], [40, 40]] {
            let a = Array::filled(queue, shape, 0.0_f64).unwrap();
            assert_eq!(a.rank().unwrap(), 0);
            let qr = a.qr_pivoted().unwrap();
            let steps = shape[0].min(shape[1]);
            let unit = Array::<f64, 2>::eye(queue, shape[0]).unwrap();
            assert_eq!(qr.q().unwrap().to_vec().unwrap(), unit.slice(s![.., ..steps]).to_vec().unwrap());
            assert!(qr.r().unwrap().to_vec().unwrap().iter().all(|item| *item == 0.0));
            let b = Array::filled(queue, [shape[0]], 1.0_f64).unwrap();
            assert_eq!(qr.least_squares(&b).unwrap().to_vec().unwrap(), vec![0.0; shape[1]]);
        }
        let complex = Array::filled(queue, [3, 3], Complex::new(0.0_f32, 0.0)).unwrap();
        assert_eq!(complex.rank().unwrap(), 0);
    });
}

#[test]
fn columns_without_a_reciprocal_are_factorised() {
    each_queue_with_f64(|queue| {
        // A small multiple of [[3, 1], [4, 2]], whose columns change their places as little.
        let size = (-1060.0_f64).exp2();
        let host = [3.0, 1.0, 4.0, 2.0].map(|item| item * size);
        let a = Array::from_slice(queue, [2, 2], &host).unwrap();
        let qr = a.qr_pivoted().unwrap();
        let product = qr.q().unwrap().matmul(qr.r().unwrap().iter() / size).unwrap().to_vec().unwrap();
        let wanted = [3.0, 1.0, 4.0, 2.0];
        assert!(product.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3), "{product:?}");
        assert_eq!(qr.permutation(), [0, 1]);
    });
}

#[test]
fn determinants_neither_overflow_nor_underflow_on_the_way() {
    each_queue_with_f64(|queue| {
        let (large, small) = (1e20_f32, 1e-20_f32);
        for (items, wanted) in [
            (vec![large, large, 0.0], 0.0),
            (vec![large, large, small, small], 1.0),
            (vec![small, small, small, large, large, large], 1.0),
            (vec![1e-40, 1e20, 1e20], 1.0),
            (vec![2.0, -3.0, 0.5], -3.0),
        ] {
            let det: f32 = diagonal(queue, &items).det().unwrap();
            assert!((det - wanted).abs() <= 1e-4 * wanted.abs(), "{items:?}: {det}");
        }
        assert_eq!(diagonal(queue, &[large; 2]).det().unwrap(), f32::INFINITY);
        assert_eq!(diagonal(queue, &[small; 3]).det().unwrap(), 0.0);
        let det = diagonal(queue, &[large, large, small, small]).cholesky().unwrap().det();
        assert!((det - 1.0).abs() < 1e-4, "{det}");
        let items = [
            Complex::new(0.0, 1e200),
            Complex::new(0.0, 1e200),
            Complex::new(1e-300, 0.0),
            Complex::new(1e-100, 0.0),
        ];
        let det: Complex<f64> = diagonal(queue, &items).det().unwrap();
        assert!((det + Complex::new(1.0, 0.0)).norm() < 1e-12, "{det}");
        // Of a batch, the determinants of singular matrices.
        let host = [large, 0.0, 0.0, 0.0, large, 0.0, 0.0, 0.0, 0.0];
        let batch = Array::from_slice(queue, [1, 3, 3], &host).unwrap();
        assert_eq!(batch.det().unwrap().to_vec().unwrap(), [0.0]);
    });
}

#[test]
fn signs_of_determinants_have_the_absolute_value_one() {
    each_queue(|queue| {
        for size in [1e20_f32, 1e-25, 1.0] {
            let (sign, log) = diagonal(queue, &[Complex::new(0.0, size)]).log_det().unwrap();
            assert!((sign - Complex::new(0.0, 1.0)).norm() < 1e-6, "{sign}");
            assert!((log - size.ln()).abs() < 1e-3);
        }
    });
}

#[test]
fn imaginary_parts_on_the_diagonal_are_not_used() {
    each_queue_with_f64(|queue| {
        let plain = [2.0, 1.0, 0.5, 1.0, 3.0, 0.25, 0.5, 0.25, 1.0].map(|re| Complex::new(re, 0.0_f64));
        let mut host = plain;
        host[1].im = 0.5;
        host[3].im = -0.5;
        let wanted = Array::from_slice(queue, [3, 3], &host).unwrap();
        (host[4].im, host[8].im) = (1.0, f64::NAN);
        let given = Array::from_slice(queue, [3, 3], &host).unwrap();
        for runs_on in [RunsOn::Host, RunsOn::Device] {
            let spectra = Spectra::new().runs_on(runs_on);
            let wanted = spectra.eigvalsh(&wanted).unwrap().to_vec().unwrap();
            let given = spectra.eigvalsh(&given).unwrap().to_vec().unwrap();
            assert!(given.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-13), "{given:?} {wanted:?}");
        }
    });
}

#[test]
fn small_and_large_numbers_have_spectra() {
    each_queue_with_f64(|queue| {
        for runs_on in [RunsOn::Host, RunsOn::Device] {
            let spectra = Spectra::new().runs_on(runs_on);
            let a = diagonal(queue, &[1e-310_f64, 4e-310]);
            let values = spectra.eigvalsh(&a).unwrap().to_vec().unwrap();
            assert!(
                (values[1] / 1e-310 - 4.0).abs() < 1e-9 && (values[0] / 1e-310 - 1.0).abs() < 1e-9,
                "{values:?}"
            );
            let values = spectra.singular_values(&a).unwrap().to_vec().unwrap();
            assert!((values[0] / 1e-310 - 4.0).abs() < 1e-9, "{values:?}");
        }
        for size in [1e-24_f32, 1.0, 1e20] {
            let a = diagonal(queue, &[2.0 * size, size]);
            let dominant = PowerIteration::new().solve(queue, 2, &a).unwrap();
            assert!((dominant.value / size - 2.0).abs() < 1e-2, "{size}: {}", dominant.value);
            let items: Vec<f32> = (1..=30).map(|i| size * i as f32).collect();
            let values =
                Lanczos::new(1).subspace(12).tolerance(1e-5).solve(queue, 30, &diagonal(queue, &items));
            let values = values.unwrap().values.to_vec().unwrap();
            assert!((values[0] / size - 30.0).abs() < 1e-2, "{size}: {values:?}");
        }
    });
}

#[test]
fn empty_decompositions_have_the_shapes_of_the_matrix() {
    each_queue(|queue| {
        for shape in [[50, 30], [0, 30], [50, 0]] {
            let a = Array::filled(queue, shape, 1.0_f32).unwrap();
            let svd = RandomizedSvd::new(0).oversampling(0).svd(&a).unwrap();
            assert_eq!((svd.u.shape(), svd.s.len(), svd.v.shape()), ([shape[0], 0], 0, [shape[1], 0]));
        }
        assert!(singular_values(Array::filled(queue, [0, 3], 1.0_f32).unwrap()).unwrap().is_empty());
    });
}

#[test]
fn factors_of_zero_leave_out_their_numbers() {
    each_queue(|queue| {
        let nan = Array::filled(queue, [3, 3], f32::NAN).unwrap();
        let mut c = Array::from_slice(queue, [3, 3], &[1.0_f32; 9]).unwrap();
        add_matmul(c.view_mut(), 0.0, &nan, &nan, 2.0).unwrap();
        assert_eq!(c.to_vec().unwrap(), [2.0; 9]);
        c.add_matmul(0.0, &nan, &nan, 2.0).unwrap();
        assert_eq!(c.to_vec().unwrap(), [4.0; 9]);
        let mut d = nan.try_clone().unwrap();
        d.add_matmul(0.0, &nan, &nan, 0.0).unwrap();
        assert_eq!(d.to_vec().unwrap(), [0.0; 9]);
        let mut d = nan.try_clone().unwrap();
        add_matmul(d.view_mut(), 0.0, nan.lower(), &nan, 0.0).unwrap();
        assert_eq!(d.to_vec().unwrap(), [0.0; 9]);
        let mut b = nan.try_clone().unwrap();
        nan.lower().solve_in_place(0.0, b.view_mut()).unwrap();
        assert_eq!(b.to_vec().unwrap(), [0.0; 9]);
    });
}

#[test]
fn nan_behind_a_zero_pivot_is_reported_as_nan() {
    each_queue(|queue| {
        let batch = Array::from_slice(queue, [1, 2, 2], &[0.0_f32, f32::NAN, 0.0, f32::NAN]).unwrap();
        for result in [batch.lu().map(drop), batch.inverse().map(drop), batch.det().map(drop)] {
            let Err(Error::InBatch { error, .. }) = result else { panic!("{result:?}") };
            assert!(matches!(*error, Error::NotFinite { .. }), "{error}");
        }
    });
}

/// The reciprocals of these pivots have fewer digits than a number, or none.
#[test]
fn quotients_by_large_pivots_are_exact() {
    for device in cl_test::forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        for pivot in [2.5e38_f32, 3.0e38, 3.3e38, 1.0e38] {
            let elements = [pivot, 1.0, pivot / 2.0, 1.0];
            let a = Array::from_slice(&queue, [2, 2], &elements).unwrap();
            let lu = a.lu_with(&FactorSettings::new().runs_on(RunsOn::Device)).unwrap();
            assert_eq!(lu.l().unwrap().to_vec().unwrap(), [1.0, 0.0, 0.5, 1.0], "{pivot}");
        }
    }
}

/// Numbers of the lower half that are not finite are found, wherever they are: also where a factorisation has not begun to
/// check them, and in imaginary parts of the diagonal, which it does not read.
#[test]
fn definite_matrices_are_finite() {
    const ROWS: usize = 70;
    for device in cl_test::forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        let settings = FactorSettings::new().runs_on(RunsOn::Device);
        let item = |at: usize| if at / ROWS == at % ROWS { 80.0_f32 } else { 1.0 };
        let error = |bad: [usize; 2], value: f32| {
            let mut a: Vec<f32> = (0..ROWS * ROWS).map(item).collect();
            a[bad[0] * ROWS + bad[1]] = value;
            let a = Array::from_slice(&queue, [ROWS, ROWS], &a).unwrap();
            a.cholesky_with(&settings).map(drop)
        };
        for bad in [[0, 0], [5, 5], [69, 0], [69, 69], [66, 65], [30, 29]] {
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let failed = error(bad, value);
                assert!(matches!(failed, Err(Error::NotFinite { .. })), "{bad:?} {value}: {failed:?}");
            }
        }
        error([3, 8], f32::NAN).unwrap();
        let mut a: Vec<Complex<f32>> = (0..ROWS * ROWS).map(|at| Complex::new(item(at), 0.0)).collect();
        a[4 * ROWS + 4].im = f32::NAN;
        let a = Array::from_slice(&queue, [ROWS, ROWS], &a).unwrap();
        assert!(matches!(a.cholesky_with(&settings), Err(Error::NotFinite { .. })));
    }
}

/// Scales the rows and columns of a definite matrix by powers of 2, from 2^-500 to 2^500. The factor's rows are scaled by the
/// same powers.
#[test]
fn graded_definite_matrices_are_factorised() {
    const ROWS: usize = 100;
    let power = |i: usize| f64::from((i * 37 % 101) as u32 * 10).exp2() * (-500.0_f64).exp2();
    let item = |i: usize, j: usize| if i == j { 20.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
    for device in cl_test::forced::gpus() {
        if !device.has_fp64().unwrap() {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let factor = |item: &dyn Fn(usize, usize) -> f64| {
            let host: Vec<f64> = (0..ROWS * ROWS).map(|at| item(at / ROWS, at % ROWS)).collect();
            let a = Array::from_slice(&queue, [ROWS, ROWS], &host).unwrap();
            let settings = FactorSettings::new().runs_on(RunsOn::Device);
            a.cholesky_with(&settings).map(|factor| factor.l().unwrap().to_vec().unwrap())
        };
        let plain = factor(&item).unwrap();
        let graded = factor(&|i, j| item(i, j) * power(i) * power(j)).unwrap();
        for (at, (plain, graded)) in plain.into_iter().zip(graded).enumerate() {
            let scaled = graded / power(at / ROWS);
            assert!((scaled - plain).abs() <= 1e-14, "{at}: {scaled} {plain}");
        }
        // The first pivot that is not positive, at each place of a step, in a first and in a second square.
        for bad in [0, 1, 2, 3, 7, 63, 64, 70, ROWS - 1] {
            let failed = factor(&|i, j| if i == bad && j == bad { -1e-3 } else { item(i, j) }).unwrap_err();
            assert!(
                matches!(failed, Error::NotPositiveDefinite { pivot, .. } if pivot == bad),
                "{bad}: {failed}"
            );
        }
    }
}
