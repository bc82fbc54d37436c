//! The factors multiplied, in every place, for all types and many kinds of matrices.

use super::sample::{C64, Dense, KINDS, Kind, Sample, at_most};
use cl_linalg::prelude::*;
use cl_linalg::{FactorSettings, Lu, Result, RunsOn};
use num_complex::Complex;

/// Several panels, whose last one is not whole.
const PANEL: usize = 8;

const SHAPES: [[usize; 2]; 8] = [[1, 1], [0, 0], [0, 3], [3, 0], [29, 29], [37, 13], [11, 30], [1, 5]];

/// Returns the places and shapes that a type is tried with. Each shape is another kernel for devices, so that not all
/// types are tried with all of them there.
fn places<T: Sample>() -> Vec<(RunsOn, &'static [[usize; 2]])> {
    let mut places = vec![(RunsOn::Host, &SHAPES[..])];
    let is_double = T::unit() < 1e-10;
    if is_double == T::IS_COMPLEX {
        places.push((RunsOn::Device, &SHAPES[4..7]));
        places.push((RunsOn::Device, &SHAPES[..2]));
    }
    if is_double && !T::IS_COMPLEX {
        places.push((RunsOn::Hybrid, &SHAPES[4..7]));
    }
    places
}

/// Calls a function for all places, kinds and shapes.
fn each<T: Sample>(check: impl Fn(&str, &Dense, &Array<T, 2>, &FactorSettings) -> Result<()>) {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() && T::unit() < 1e-10 {
            return;
        }
        let queue = Queue::on(device).unwrap();
        for (place, shapes) in places::<T>() {
            let settings = FactorSettings::new().runs_on(place).panel(PANEL);
            for (seed, kind) in KINDS.into_iter().enumerate() {
                for &shape in shapes {
                    let matrix = Dense::sample::<T>(kind, shape, seed);
                    let array = matrix.to::<T>(&queue).unwrap();
                    let name = format!("{place:?} {kind:?} {shape:?} {}", std::any::type_name::<T>());
                    check(&name, &matrix, &array, &settings).unwrap();
                }
            }
        }
    });
}

fn qr<T: Sample>() {
    each::<T>(|name, a, array, settings| {
        let [rows, columns] = a.shape;
        let qr = array.qr_with(settings)?;
        let (q, r) = (Dense::from(&qr.q()?)?, Dense::from(&qr.r()?)?);
        assert_eq!((q.shape, r.shape), ([rows, rows.min(columns)], [rows.min(columns), columns]), "{name}");
        check_qr::<T>(name, a, &q, &r);
        Ok(())
    });
}

/// Checks the factors of a QR factorisation.
fn check_qr<T: Sample>(name: &str, a: &Dense, q: &Dense, r: &Dense) {
    let root = (a.shape[0].max(a.shape[1]) as f64).sqrt();
    at_most(&format!("{name}: A - Q R"), a.minus(&q.times(r)).norm(), 5.0 * root * T::unit() * a.norm());
    let orthogonal = q.adjoint().times(q).minus(&Dense::identity(q.shape[1]));
    at_most(&format!("{name}: Qᴴ Q - I"), orthogonal.largest(), 10.0 * root * T::unit());
    for row in 0..r.shape[0] {
        assert!((0..row.min(r.shape[1])).all(|column| r.at(row, column) == C64::default()), "{name}: R");
    }
}

#[test]
fn qr_f32() {
    qr::<f32>();
}

#[test]
fn qr_f64() {
    qr::<f64>();
}

#[test]
fn qr_complex_f32() {
    qr::<Complex<f32>>();
}

#[test]
fn qr_complex_f64() {
    qr::<Complex<f64>>();
}

/// Strips of a panel on GPUs: less than a row for each of 256 work-items, several rows, and more than registers keep; strips
/// that are not whole; numbers whose squares overflow and underflow.
#[test]
fn qr_in_strips() {
    fn check<T: Sample>(queue: &Queue, shapes: &[[usize; 2]]) {
        for &shape in shapes {
            for (kind, scale) in [
                (Kind::Random, 1.0),
                (Kind::Graded, 1.0),
                (Kind::ZeroColumns, T::unit().powf(-2.2)),
                (Kind::NearlySingular, T::unit().powf(2.2)),
            ] {
                let sample = Dense::sample::<T>(kind, shape, 3);
                let a = Dense::from_fn(shape, |row, column| T::of(sample.at(row, column) * scale).wide());
                let settings = FactorSettings::new().runs_on(RunsOn::Device).panel(64);
                let qr = a.to::<T>(queue).unwrap().qr_with(&settings).unwrap();
                let (q, r) = (Dense::from(&qr.q().unwrap()).unwrap(), Dense::from(&qr.r().unwrap()).unwrap());
                let name = format!("{kind:?} {shape:?} {}", std::any::type_name::<T>());
                check_qr::<T>(&name, &a, &q, &r);
            }
        }
    }
    for device in cl_test::forced::gpus() {
        if cl_test::known_faults::skips("factors::residuals::qr_in_strips", &device) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        check::<f32>(&queue, &[[500, 9]]);
        check::<Complex<f32>>(&queue, &[[1100, 10]]);
        if device.has_fp64().unwrap() {
            check::<f64>(&queue, &[[100, 90], [4000, 6], [8200, 19]]);
            check::<Complex<f64>>(&queue, &[[600, 10]]);
        }
    }
}

fn check_lu<T: Sample>(name: &str, a: &Dense, lu: &Lu<T>) -> Result<()> {
    let (l, u) = (Dense::from(&lu.l()?)?, Dense::from(&lu.u()?)?);
    let rows = a.shape[0].max(a.shape[1]) as f64;
    let residual = a.rows(&lu.permutation()).minus(&l.times(&u));
    at_most(&format!("{name}: P A - L U"), residual.norm(), 5.0 * rows * T::unit() * a.norm());
    // No element of L is larger than 1, in the norm by which pivots are compared.
    let limit = if T::IS_COMPLEX { 2_f64.sqrt() } else { 1.0 };
    at_most(&format!("{name}: L"), l.largest(), limit * (1.0 + 4.0 * T::unit()));
    for row in 0..l.shape[0] {
        assert!(
            (row..l.shape[1]).all(|j| l.at(row, j) == C64::from(f64::from(u8::from(row == j)))),
            "{name}"
        );
    }
    Ok(())
}

fn lu<T: Sample>() {
    each::<T>(|name, a, array, settings| {
        let lu = array.lu_with(settings)?;
        check_lu(name, a, &lu)?;
        assert_eq!(Dense::from(&lu.p()?)?.times(a), a.rows(&lu.permutation()), "{name}");
        Ok(())
    });
}

/// Strips of each number of columns, strips that stay in memory, and panels that are not a number of strips, on GPUs.
#[test]
fn lu_in_strips() {
    fn check<T: Sample>(queue: &Queue, shapes: &[[usize; 2]]) {
        for &shape in shapes {
            for kind in [Kind::Random, Kind::Graded, Kind::ZeroColumns, Kind::NearlySingular] {
                let a = Dense::sample::<T>(kind, shape, 3);
                let settings = FactorSettings::new().runs_on(RunsOn::Device).panel(64);
                let lu = a.to::<T>(queue).unwrap().lu_with(&settings).unwrap();
                let name = format!("{kind:?} {shape:?} {}", std::any::type_name::<T>());
                check_lu(&name, &a, &lu).unwrap();
            }
        }
    }
    for device in cl_test::forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        check::<f32>(&queue, &[[500, 35], [20, 33]]);
        check::<Complex<f32>>(&queue, &[[1100, 10]]);
        if device.has_fp64().unwrap() {
            check::<f64>(&queue, &[[100, 90], [4000, 6], [8200, 19]]);
            check::<Complex<f64>>(&queue, &[[600, 20]]);
        }
    }
}

#[test]
fn lu_f32() {
    lu::<f32>();
}

#[test]
fn lu_f64() {
    lu::<f64>();
}

#[test]
fn lu_complex_f32() {
    lu::<Complex<f32>>();
}

#[test]
fn lu_complex_f64() {
    lu::<Complex<f64>>();
}

fn cholesky<T: Sample>() {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() && T::unit() < 1e-10 {
            return;
        }
        let queue = Queue::on(device).unwrap();
        for (place, _) in places::<T>() {
            let settings = FactorSettings::new().runs_on(place).panel(PANEL);
            for (rows, shift) in [(0, 1.0), (1, 1.0), (7, 1.0), (8, 0.01), (29, 1.0), (29, 0.001)] {
                let name = format!("{place:?} {rows} {shift} {}", std::any::type_name::<T>());
                let a = Dense::definite::<T>(rows, shift, 3);
                // The upper half is not read.
                let spoilt =
                    Dense::from_fn(
                        a.shape,
                        |row, column| {
                            if column > row { f64::NAN.into() } else { a.at(row, column) }
                        },
                    );
                let l = spoilt.to::<T>(&queue).unwrap().cholesky_with(&settings).unwrap().l().unwrap();
                let l = Dense::from(&l).unwrap();
                let residual = a.minus(&l.times(&l.adjoint()));
                at_most(&name, residual.norm(), 5.0 * (rows as f64).sqrt() * T::unit() * a.norm());
            }
        }
    });
}

#[test]
fn cholesky_f32() {
    cholesky::<f32>();
}

#[test]
fn cholesky_f64() {
    cholesky::<f64>();
}

#[test]
fn cholesky_complex_f32() {
    cholesky::<Complex<f32>>();
}

#[test]
fn cholesky_complex_f64() {
    cholesky::<Complex<f64>>();
}

#[test]
fn qr_with_pivots() {
    fn check<T: Sample>() {
        cl_test::each_device(|device| {
            if !device.has_fp64().unwrap() && T::unit() < 1e-10 {
                return;
            }
            let queue = Queue::on(device).unwrap();
            for kind in KINDS {
                for shape in SHAPES {
                    let name = format!("{kind:?} {shape:?}");
                    let a = Dense::sample::<T>(kind, shape, 5);
                    let qr = a.to::<T>(&queue).unwrap().qr_pivoted().unwrap();
                    let (q, r) =
                        (Dense::from(&qr.q().unwrap()).unwrap(), Dense::from(&qr.r().unwrap()).unwrap());
                    let order = qr.permutation();
                    let exchanged = Dense::from_fn(shape, |row, column| a.at(row, order[column]));
                    check_qr::<T>(&name, &exchanged, &q, &r);
                    assert_eq!(a.times(&Dense::from(&qr.p().unwrap()).unwrap()), exchanged, "{name}");
                    let sizes: Vec<f64> = (0..r.shape[0]).map(|at| r.at(at, at).norm()).collect();
                    let slack = 1.0 + 100.0 * T::unit();
                    let floor = 100.0 * T::unit() * a.norm();
                    assert!(
                        sizes.windows(2).all(|pair| pair[1] <= pair[0] * slack + floor),
                        "{name}: {sizes:?}"
                    );
                    let rank = match kind {
                        Kind::NearlySingular => (shape[1] / 2 + 1).min(shape[1]),
                        Kind::ZeroColumns => shape[1] - (shape[1] + 1) / 3,
                        _ => shape[1],
                    };
                    if kind != Kind::Graded {
                        assert_eq!(
                            qr.rank_with(T::Real::from_f64(1000.0 * T::unit())),
                            rank.min(shape[0]),
                            "{name}"
                        );
                    }
                }
            }
        });
    }
    use cl_linalg::RealScalar;
    check::<f32>();
    check::<Complex<f64>>();
}
