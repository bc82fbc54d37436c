//! The three places agree, and views are factorised as copies of them are.

use super::sample::{Dense, Kind, Sample, at_most};

use cl_linalg::prelude::*;
use cl_linalg::{FactorSettings, RunsOn};
use cl_test::forced;
use num_complex::Complex;

/// Two matrices agree to 1e-12 of the largest element.
#[track_caller]
fn agree(what: &str, a: &Array<f64, 2>, b: &Array<f64, 2>) {
    let (a, b) = (Dense::from(a).unwrap(), Dense::from(b).unwrap());
    at_most(what, a.minus(&b).largest(), 1e-12 * a.largest());
}

/// Factorises matrices with this number of rows on the host and elsewhere.
fn agrees_with_the_host(queue: &Queue, rows: usize, panel: usize, elsewhere: &[RunsOn]) {
    let a = Dense::sample::<f64>(Kind::Random, [rows, rows], 11).to::<f64>(queue).unwrap();
    let definite = Dense::definite::<f64>(rows, 1.0, 11).to::<f64>(queue).unwrap();
    let b = Dense::sample::<f64>(Kind::Random, [rows, 3], 12).to::<f64>(queue).unwrap();
    let factorise = |place: RunsOn| {
        let settings = FactorSettings::new().runs_on(place).panel(panel);
        let (lu, qr) = (a.lu_with(&settings).unwrap(), a.qr_with(&settings).unwrap());
        let cholesky = definite.cholesky_with(&settings).unwrap();
        assert_eq!([lu.ran_on(), qr.ran_on(), cholesky.ran_on()], [place; 3]);
        (lu, qr, cholesky)
    };
    let host = factorise(RunsOn::Host);
    for &place in elsewhere {
        let (lu, qr, cholesky) = factorise(place);
        let name = |what: &str| format!("{place:?}: {what}");
        assert_eq!(lu.permutation(), host.0.permutation());
        agree(&name("L"), &host.0.l().unwrap(), &lu.l().unwrap());
        agree(&name("U"), &host.0.u().unwrap(), &lu.u().unwrap());
        agree(&name("R"), &host.1.r().unwrap(), &qr.r().unwrap());
        agree(&name("Q"), &host.1.q().unwrap(), &qr.q().unwrap());
        agree(&name("Cholesky"), &host.2.l().unwrap(), &cholesky.l().unwrap());
        agree(&name("Cholesky solve"), &host.2.solve(&b).unwrap(), &cholesky.solve(&b).unwrap());
        agree(&name("apply Q"), &host.1.apply_q(&b).unwrap(), &qr.apply_q(&b).unwrap());
    }
}

#[test]
fn host_device_and_hybrid_agree() {
    cl_test::each_device(|device| {
        if device.has_fp64().unwrap() {
            let queue = Queue::on(device).unwrap();
            agrees_with_the_host(&queue, 70, 16, &[RunsOn::Device, RunsOn::Hybrid]);
        }
    });
}

/// Panels are wider than the squares that a work-group factorises in registers: 64 columns, of complex numbers 32.
#[test]
fn kernels_of_gpus_agree() {
    for device in forced::gpus() {
        if !device.has_fp64().unwrap() {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        agrees_with_the_host(&queue, 90, 80, &[RunsOn::Device]);
        // Several work-groups of columns, and rows that are exchanged again and again.
        agrees_with_the_host(&queue, 300, 70, &[RunsOn::Device]);
    }
}

/// Panels of several squares, with rows below.
#[test]
fn kernels_of_gpus_factorise_definite_matrices() {
    fn check<T: Sample>(queue: &Queue, cases: &[(usize, usize)]) {
        for &(rows, panel) in cases {
            let definite = Dense::definite::<T>(rows, 0.01, 7);
            let settings = FactorSettings::new().runs_on(RunsOn::Device).panel(panel);
            let factor = definite.to::<T>(queue).unwrap().cholesky_with(&settings).unwrap();
            let l = Dense::from(&factor.l().unwrap()).unwrap();
            let residual = definite.minus(&l.times(&l.adjoint())).norm();
            let name = format!("LLᴴ {rows} {panel} {}", std::any::type_name::<T>());
            at_most(&name, residual, 2.0 * (rows as f64).sqrt() * T::unit() * definite.norm());
        }
    }
    for device in forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        check::<f32>(&queue, &[(3, 5), (150, 256)]);
        check::<Complex<f32>>(&queue, &[(150, 70)]);
        if device.has_fp64().unwrap() {
            check::<f64>(
                &queue,
                &[(1, 1), (2, 2), (5, 5), (64, 64), (65, 65), (66, 66), (200, 129), (300, 256)],
            );
            check::<Complex<f64>>(&queue, &[(50, 50), (90, 80)]);
        }
    }
}

#[test]
fn views_and_expressions_are_factorised() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let whole = Dense::sample::<f32>(Kind::Random, [24, 20], 4).to::<f32>(&queue).unwrap();
        let column_major =
            Array::column_major(DeviceVec::from_slice(&queue, &whole.to_vec().unwrap()).unwrap(), [20, 24])
                .unwrap();
        let check = |view: ArrayExpr<'_, f32, 2>| {
            let copy = view.clone().collect().unwrap();
            let (of_view, of_copy) = (view.clone().lu().unwrap(), copy.lu().unwrap());
            assert_eq!(of_view.u().unwrap().to_vec().unwrap(), of_copy.u().unwrap().to_vec().unwrap());
            let (of_view, of_copy) = (view.qr().unwrap(), copy.qr().unwrap());
            assert_eq!(of_view.r().unwrap().to_vec().unwrap(), of_copy.r().unwrap().to_vec().unwrap());
        };
        check(whole.slice(s![3..17, 2..12]).iter());
        check(whole.slice(s![..; 2, 1..; 3]).iter());
        check(whole.slice(s![..; -1, ..]).iter());
        check(whole.t().iter());
        check(column_major.iter());
        check(column_major.slice(s![1..9, ..]).iter());
        check(2.0 * whole.t() + 1.0);
        let mut target = whole.try_clone().unwrap();
        let square = whole.slice(s![..20, ..]);
        let lu = square.clone().lu().unwrap();
        lu.solve_in_place(target.slice_mut(s![..20, 4..7])).unwrap();
        let solution = lu.solve(whole.slice(s![..20, 4..7])).unwrap();
        assert_eq!(target.slice(s![..20, 4..7]).to_vec().unwrap(), solution.to_vec().unwrap());
        assert_eq!(target.slice(s![.., 7..]).to_vec().unwrap(), whole.slice(s![.., 7..]).to_vec().unwrap());
    });
}
