//! Power iteration, Lanczos' method and randomised decompositions, against eigenvalues that are known.

use crate::hosts::random;
use cl_core::Queue;
use cl_linalg::{
    Error, Lanczos, PowerIteration, RandomizedSvd, Wanted, eigvalsh, prelude::*, singular_values,
};
use num_complex::Complex;

/// Returns the product with the second difference on a line, whose eigenvalues are `2 - 2 cos(k π / (n + 1))`.
fn difference(x: &Array<f32, 1>) -> cl_core::Result<Array<f32, 1>> {
    let n = x.len();
    let inside = x.iter().pad([(1, 1)], Pad::Constant(0.0)).collect()?;
    (2.0 * x - inside.slice(s![..n]) - inside.slice(s![2..])).collect()
}

fn known(n: usize, k: usize) -> f32 {
    (2.0 - 2.0 * (std::f64::consts::PI * k as f64 / (n + 1) as f64).cos()) as f32
}

#[test]
fn lanczos_finds_both_ends() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let n = 60;
        for wanted in [Wanted::Largest, Wanted::Smallest, Wanted::LargestMagnitude] {
            let pairs = Lanczos::new(3).wanted(wanted).tolerance(1e-5).solve(&queue, n, &difference).unwrap();
            let values = pairs.values.to_vec().unwrap();
            assert_eq!(pairs.vectors.shape(), [n, 3]);
            for (i, value) in values.iter().enumerate() {
                let k = if wanted == Wanted::Smallest { i + 1 } else { n - i };
                assert!((value - known(n, k)).abs() < 1e-4, "{wanted:?}: {value} and {}", known(n, k));
                let x = pairs.vectors.column(i).collect().unwrap();
                let product = difference(&x).unwrap();
                let residual = (&product - *value * &x).collect().unwrap().to_vec().unwrap();
                assert!(residual.iter().all(|r| r.abs() < 2e-4), "{residual:?}");
                assert!((x.iter().dot(&x).unwrap() - 1.0).abs() < 1e-4);
            }
        }
    });
}

#[test]
fn lanczos_of_small_and_complex_matrices() {
    let queue = Queue::on(&Device::first().unwrap()).unwrap();
    // Fewer rows than vectors of the basis, and invariant subspaces: the identity has one eigenvalue.
    let unit = Array::<f32, 2>::eye(&queue, 5).unwrap();
    let values = Lanczos::new(5).solve(&queue, 5, &unit).unwrap().values.to_vec().unwrap();
    assert!(values.iter().all(|value| (value - 1.0).abs() < 1e-5), "{values:?}");

    let n = 12;
    let half = Array::from_slice(&queue, [n, n], &random::<Complex<f32>>(2, n * n)).unwrap();
    let a = (&half + half.t().iter().conj()).collect().unwrap();
    let expected = eigvalsh(&a).unwrap().to_vec().unwrap();
    let values =
        Lanczos::new(2).subspace(6).tolerance(1e-5).solve(&queue, n, &a).unwrap().values.to_vec().unwrap();
    assert!((values[0] - expected[n - 1]).abs() < 1e-4 && (values[1] - expected[n - 2]).abs() < 1e-4);

    let nothing = Lanczos::new(0).solve(&queue, 5, &unit).unwrap();
    assert!(nothing.values.is_empty() && Lanczos::new(6).solve(&queue, 5, &unit).is_err());
    let nan = |x: &Array<f32, 1>| (f32::NAN * x).collect();
    assert!(matches!(Lanczos::new(1).solve(&queue, 5, &nan), Err(Error::NotFinite { .. })));
    let short = |x: &Array<f32, 1>| x.slice(s![..3]).collect();
    assert!(Lanczos::new(1).solve(&queue, 5, &short).is_err());
    let hard =
        Lanczos::new(3).wanted(Wanted::Smallest).subspace(5).restarts(1).solve(&queue, 60, &difference);
    assert!(matches!(hard, Err(Error::NotConverged { .. })));
}

#[test]
fn power_iteration_finds_the_dominant_eigenvalue() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<f32> =
            (0..16).map(|i| if i % 5 == 0 { [-5.0, 2.0, 1.0, 0.5][i / 5] } else { 0.1 }).collect();
        let a = Array::from_slice(&queue, [4, 4], &host).unwrap();
        let dominant = PowerIteration::new().solve(&queue, 4, &a).unwrap();
        let product = a.iter().matvec(&dominant.vector).unwrap();
        let residual = (&product - dominant.value * &dominant.vector).collect();
        assert!(residual.unwrap().to_vec().unwrap().iter().all(|r| r.abs() < 1e-3));
        assert!((dominant.value + 5.0).abs() < 0.1, "{}", dominant.value);
        let swap = Array::from_slice(&queue, [2, 2], &[0.0_f32, 1.0, -1.0, 0.0]).unwrap();
        let endless = PowerIteration::new().iterations(20).solve(&queue, 2, &swap);
        assert!(matches!(endless, Err(Error::NotConverged { iterations: 20, .. })));
    });
}

#[test]
fn randomised_decompositions_find_the_largest_values() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        // Singular values that decrease: the columns are scaled.
        let host: Vec<f32> = random(4, 50 * 30);
        let factors: Vec<f32> = (0..30).map(|j| 0.5_f32.powi(j)).collect();
        let factors = Array::from_slice(&queue, [30], &factors).unwrap();
        let a = (Array::from_slice(&queue, [50, 30], &host).unwrap().iter() * &factors).collect().unwrap();
        let expected = singular_values(&a).unwrap().to_vec().unwrap();
        for a in [a.view(), a.t()] {
            let svd = RandomizedSvd::new(4).seed(3).svd(&a).unwrap();
            let s = svd.s.to_vec().unwrap();
            assert_eq!(s.len(), 4);
            assert!(
                s.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4 * expected[0]),
                "{s:?} {expected:?}"
            );
            let product = (&svd.u * &svd.s).matmul(svd.v.t()).unwrap();
            let rest = (&product - &a).collect().unwrap().to_vec().unwrap();
            assert!(rest.iter().all(|rest| rest.abs() < 1.1 * expected[4]));
        }
        assert!(RandomizedSvd::new(0).oversampling(0).svd(&a).unwrap().s.is_empty());
    });
}
