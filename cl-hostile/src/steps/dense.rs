//! Steps with dense linear algebra: matrices of any shape and content, structures, batches. Matrices of small integers have
//! exact products; factorisations are compared with the matrix within a bound.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome, equal, same};
use cl_algo::prelude::*;
use cl_array::{Array, Half};
use cl_linalg::{
    Error, FactorSettings, LinearAlgebra, MatrixBatch, RunsOn, Structure, WithStructure, add_matmul,
    add_matmul_half,
};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Dense {
    Lu,
    Cholesky,
    Qr,
    Pivoted,
    Structured,
    Update,
    BatchLu,
    BatchCholesky,
    BatchQr,
    Wrong,
}

pub(crate) const DENSE: [Dense; 10] = [
    Dense::Lu,
    Dense::Cholesky,
    Dense::Qr,
    Dense::Pivoted,
    Dense::Structured,
    Dense::Update,
    Dense::BatchLu,
    Dense::BatchCholesky,
    Dense::BatchQr,
    Dense::Wrong,
];

/// A matrix of the host, row by row.
#[derive(Clone, Debug)]
struct Matrix {
    shape: [usize; 2],
    items: Vec<f32>,
}

impl Matrix {
    fn build([rows, columns]: [usize; 2], item: impl FnMut([usize; 2]) -> f32) -> Matrix {
        let at = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
        Matrix { shape: [rows, columns], items: at.map(item).collect() }
    }

    fn get(&self, [i, j]: [usize; 2]) -> f32 {
        self.items[i * self.shape[1] + j]
    }

    fn times(&self, other: &Matrix) -> Matrix {
        Matrix::build([self.shape[0], other.shape[1]], |[i, j]| {
            (0..self.shape[1]).map(|k| self.get([i, k]) * other.get([k, j])).sum()
        })
    }

    fn t(&self) -> Matrix {
        Matrix::build([self.shape[1], self.shape[0]], |[i, j]| self.get([j, i]))
    }

    fn device(&self, queue: &Queue) -> cl_core::Result<Array<f32, 2>> {
        Array::from_slice(queue, self.shape, &self.items)
    }

    fn of(device: &Array<f32, 2>) -> cl_core::Result<Matrix> {
        Ok(Matrix { shape: device.shape(), items: device.to_vec()? })
    }

    fn largest(&self) -> f32 {
        self.items.iter().fold(0.0, |most: f32, x| most.max(x.abs()))
    }

    fn is_finite(&self) -> bool {
        self.items.iter().all(|x| x.is_finite())
    }
}

/// Returns a finding unless two matrices agree within rounding: `terms` is the number of products in each sum.
fn close(what: &str, got: &Matrix, expected: &Matrix, terms: usize, scale: f32) -> Outcome {
    equal(&format!("the shape of {what}"), got.shape, expected.shape)?;
    let bound = 8.0 * (terms as f32 + 4.0) * f32::EPSILON * scale.max(1e-30);
    for (at, (x, y)) in got.items.iter().zip(&expected.items).enumerate() {
        if (x - y).abs() > bound || x.is_nan() {
            let text = format!(
                "{what}: item {at} of {:?} is {x:?} instead of {y:?}, further than {bound:?}",
                got.shape
            );
            return Err(Finding::Wrong(text));
        }
    }
    Ok(())
}

impl From<Error> for Finding {
    fn from(error: Error) -> Finding {
        Finding::Error(error.to_string())
    }
}

/// Returns a matrix: random, singular, zero, or with numbers that are not finite.
fn random(shape: [usize; 2], dice: &mut Dice) -> Matrix {
    let kind = dice.below(8);
    let mut made = Matrix::build(shape, |_| dice.below(19) as f32 - 9.0);
    match kind {
        0 => made.items.fill(0.0),
        // Equal rows.
        1 if shape[0] > 1 => {
            let row: Vec<f32> = made.items[..shape[1]].to_vec();
            made.items[(shape[0] - 1) * shape[1]..].copy_from_slice(&row);
        }
        2 if !made.items.is_empty() => {
            let at = dice.below(made.items.len());
            made.items[at] = dice.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        }
        3 => made.items.iter_mut().for_each(|x| *x *= 1e-12),
        _ => {}
    }
    made
}

fn settings(dice: &mut Dice) -> FactorSettings {
    let settings = FactorSettings::new();
    match dice.below(4) {
        0 => settings.runs_on(RunsOn::Device),
        1 => settings.runs_on(RunsOn::Host),
        2 => settings.runs_on(RunsOn::Device).panel(1 + dice.below(9)),
        _ => settings,
    }
}

fn side(dice: &mut Dice) -> usize {
    match dice.below(6) {
        0 => dice.below(3),
        1 => dice.pick(&[31, 32, 33, 64, 65]),
        _ => 1 + dice.below(20),
    }
}

/// Returns the result of a factorisation. A matrix with numbers that are not finite must be refused, and no other.
fn factored<T>(what: &str, a: &Matrix, result: cl_linalg::Result<T>) -> Outcome<Option<T>> {
    match result {
        Ok(_) if !a.is_finite() => Err(Finding::NoError(format!("{what} of a matrix that is not finite"))),
        Ok(made) => Ok(Some(made)),
        Err(Error::NotFinite { .. }) if !a.is_finite() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn dense(queue: &Queue, what: Dense, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 18);
    let dice = &mut dice;
    match what {
        Dense::Lu => lu(queue, dice),
        Dense::Cholesky => cholesky(queue, dice),
        Dense::Qr => qr(queue, dice),
        Dense::Pivoted => pivoted(queue, dice),
        Dense::Structured => structured(queue, dice),
        Dense::Update => update(queue, dice),
        Dense::BatchLu | Dense::BatchCholesky | Dense::BatchQr => batch(queue, what, dice),
        Dense::Wrong => wrong(queue, dice),
    }
}

fn lu(queue: &Queue, dice: &mut Dice) -> Outcome {
    let a = random([side(dice), side(dice)], dice);
    let device = a.device(queue)?;
    let Some(lu) = factored("lu", &a, device.lu_with(&settings(dice)))? else { return Ok(()) };
    let (l, u, order) = (Matrix::of(&lu.l()?)?, Matrix::of(&lu.u()?)?, lu.permutation());
    let permuted = Matrix::build(a.shape, |[i, j]| a.get([order[i], j]));
    let steps = a.shape[0].min(a.shape[1]);
    // Pivoting keeps the elements of L at most 1; the elements of U grow little in practice.
    equal("the largest element of L", l.largest() <= 1.0, true)?;
    close("L U", &l.times(&u), &permuted, steps, a.largest().max(u.largest()))?;
    if a.shape[0] != a.shape[1] || steps == 0 || lu.zero_pivot().is_some() {
        return Ok(());
    }
    let b = Matrix::build([steps, 2], |_| dice.below(9) as f32 - 4.0);
    let x = Matrix::of(&lu.solve(&b.device(queue)?)?)?;
    let scale = a.largest().max(u.largest()) * x.largest() * steps as f32 + b.largest();
    if scale.is_finite() { close("A X", &a.times(&x), &b, steps, scale) } else { Ok(()) }
}

fn cholesky(queue: &Queue, dice: &mut Dice) -> Outcome {
    let n = side(dice);
    let root = random([n, n], dice);
    let mut a = root.times(&root.t());
    let shift = if dice.one_in(3) { 0.0 } else { n as f32 + root.largest() };
    (0..n).for_each(|i| a.items[i * n + i] += shift);
    let is_definite = shift > 0.0 && a.is_finite();
    if dice.one_in(2) && n > 0 {
        // The upper half is not used.
        (0..n).for_each(|i| (i + 1..n).for_each(|j| a.items[i * n + j] = f32::NAN));
    }
    let lower_is_finite = (0..n).all(|i| (0..=i).all(|j| a.get([i, j]).is_finite()));
    match a.device(queue)?.cholesky_with(&settings(dice)) {
        Ok(made) => {
            if !lower_is_finite {
                return Err(Finding::NoError("cholesky of a matrix that is not finite".to_owned()));
            }
            let l = Matrix::of(&made.l()?)?;
            let whole = Matrix::build([n, n], |[i, j]| a.get([i.max(j), i.min(j)]));
            close("L Lᵀ", &l.times(&l.t()), &whole, n, whole.largest())
        }
        Err(Error::NotFinite { .. }) if !lower_is_finite => Ok(()),
        Err(Error::NotPositiveDefinite { .. }) if !is_definite => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn qr(queue: &Queue, dice: &mut Dice) -> Outcome {
    let a = random([side(dice), side(dice)], dice);
    let device = a.device(queue)?;
    let Some(qr) = factored("qr", &a, device.qr_with(&settings(dice)))? else { return Ok(()) };
    let (q, r) = (Matrix::of(&qr.q()?)?, Matrix::of(&qr.r()?)?);
    let most = a.shape[0].max(a.shape[1]);
    close("Q R", &q.times(&r), &a, most, a.largest() * most as f32)?;
    let identity = Matrix::build([q.shape[1]; 2], |[i, j]| f32::from(u8::from(i == j)));
    close("Qᵀ Q", &q.t().times(&q), &identity, most, 4.0)
}

fn pivoted(queue: &Queue, dice: &mut Dice) -> Outcome {
    let a = random([side(dice), side(dice)], dice);
    let device = a.device(queue)?;
    let Some(qr) = factored("qr_pivoted", &a, device.qr_pivoted())? else { return Ok(()) };
    let (q, r, order) = (Matrix::of(&qr.q()?)?, Matrix::of(&qr.r()?)?, qr.permutation());
    let permuted = Matrix::build(a.shape, |[i, j]| a.get([i, order[j]]));
    let most = a.shape[0].max(a.shape[1]);
    close("Q R", &q.times(&r), &permuted, most, a.largest() * most as f32)?;
    let falls = (1..r.shape[0].min(r.shape[1]))
        .all(|i| r.get([i, i]).abs() <= r.get([i - 1, i - 1]).abs() * (1.0 + 1e-4) + f32::MIN_POSITIVE);
    equal("whether the diagonal of R falls", falls, true)?;
    equal("whether the rank fits", qr.rank() <= a.shape[0].min(a.shape[1]), true)
}

const STRUCTURES: [Structure; 7] = [
    Structure::LOWER,
    Structure::UPPER,
    Structure::UNIT_LOWER,
    Structure::UNIT_UPPER,
    Structure::Symmetric(Half::Lower),
    Structure::Symmetric(Half::Upper),
    Structure::General,
];

/// Returns the elements of a matrix with a structure.
fn dense_of(a: &Matrix, structure: Structure) -> Matrix {
    Matrix::build(a.shape, |[i, j]| match structure {
        Structure::Triangular { unit: true, .. } if i == j => 1.0,
        Structure::Triangular { half: Half::Lower, .. } if i < j => 0.0,
        Structure::Triangular { half: Half::Upper, .. } if i > j => 0.0,
        Structure::Symmetric(Half::Lower) => a.get([i.max(j), i.min(j)]),
        Structure::Symmetric(Half::Upper) => a.get([i.min(j), i.max(j)]),
        _ => a.get([i, j]),
    })
}

/// Returns a square matrix of small integers, and NaN where a structure does not use it.
fn stored(n: usize, structure: Structure, dice: &mut Dice) -> Matrix {
    Matrix::build([n, n], |[i, j]| {
        let x = dice.below(7) as f32 - 3.0;
        let is_unused = match structure {
            Structure::Triangular { unit: true, .. } if i == j => true,
            Structure::Triangular { half: Half::Lower, .. } | Structure::Symmetric(Half::Lower) => i < j,
            Structure::Triangular { half: Half::Upper, .. } | Structure::Symmetric(Half::Upper) => i > j,
            _ => false,
        };
        if is_unused { f32::NAN } else { x }
    })
}

fn structured(queue: &Queue, dice: &mut Dice) -> Outcome {
    let (n, kinds) = (side(dice), [dice.pick(&STRUCTURES), dice.pick(&STRUCTURES)]);
    let [a, b] = kinds.map(|structure| stored(n, structure, dice));
    let (x, y) = (a.device(queue)?, b.device(queue)?);
    let [dense_a, dense_b] = [dense_of(&a, kinds[0]), dense_of(&b, kinds[1])];
    let turned = dice.one_in(2);
    let left = (&x).with_structure(kinds[0]);
    let (left, dense_a) = if turned { (left.t(), dense_a.t()) } else { (left, dense_a) };
    let product = left.clone().matmul((&y).with_structure(kinds[1]))?;
    let told = format!("a product of {kinds:?}");
    same(&told, &product.array().to_vec()?, &dense_a.times(&dense_b).items)?;
    let vector: Vec<f32> = (0..n).map(|i| (i % 5) as f32 - 2.0).collect();
    let by = Array::from_slice(queue, [n], &vector)?;
    let expected = dense_a.times(&Matrix { shape: [n, 1], items: vector });
    same("a structured matrix times a vector", &left.matvec(&by)?.to_vec()?, &expected.items)
}

/// Adds products to a matrix or to one half of it.
fn update(queue: &Queue, dice: &mut Dice) -> Outcome {
    let (n, k) = (side(dice), side(dice));
    let whole = |rows: usize, columns: usize, dice: &mut Dice| {
        Matrix::build([rows, columns], |_| dice.below(9) as f32 - 4.0)
    };
    let (a, b, mut c) = (whole(n, k, dice), whole(k, n, dice), whole(n, n, dice));
    let half = dice.pick(&[None, Some(Half::Lower), Some(Half::Upper)]);
    let beta = dice.pick(&[0.0, 1.0, -2.0]);
    let (x, y) = (a.device(queue)?, b.device(queue)?);
    // Elements that are multiplied by zero may be anything.
    if beta == 0.0 && half.is_none() && n > 0 {
        c.items.fill(f32::NAN);
    }
    let mut into = c.device(queue)?;
    let product = a.times(&b);
    match half {
        None => add_matmul(into.view_mut(), 2.0, &x, &y, beta)?,
        Some(half) => add_matmul_half(half, into.view_mut(), 2.0, &x, &y, beta)?,
    }
    let expected = Matrix::build([n, n], |[i, j]| match half {
        Some(Half::Lower) if i < j => c.get([i, j]),
        Some(Half::Upper) if i > j => c.get([i, j]),
        _ if beta == 0.0 => 2.0 * product.get([i, j]),
        _ => 2.0 * product.get([i, j]) + beta * c.get([i, j]),
    });
    same(&format!("a product added to {half:?}"), &into.to_vec()?, &expected.items)
}

fn batch(queue: &Queue, what: Dense, dice: &mut Dice) -> Outcome {
    let (count, n) = (dice.pick(&[0, 1, 2, 7, 40]), dice.pick(&[0, 1, 2, 3, 5, 8, 17, 32, 33]));
    let rows = if matches!(what, Dense::BatchQr) { n + dice.below(3) } else { n };
    let fits = rows <= 32;
    let matrices: Vec<Matrix> = (0..count)
        .map(|_| {
            let mut a = Matrix::build([rows, n], |_| dice.below(9) as f32 - 4.0);
            if matches!(what, Dense::BatchCholesky) {
                a = a.times(&a.t());
            }
            (0..n).for_each(|i| a.items[i * n + i] += 9.0 * n as f32 + 9.0);
            a
        })
        .collect();
    let spoiled = if dice.one_in(3) && n > 0 && count > 0 { Some(dice.below(count)) } else { None };
    let mut items: Vec<f32> = matrices.iter().flat_map(|a| a.items.clone()).collect();
    if let Some(at) = spoiled {
        items[at * rows * n] = f32::NAN;
    }
    let a = Array::from_slice(queue, [count, rows, n], &items)?;
    let failed = |result: cl_linalg::Result<()>| match (result, spoiled, fits) {
        (Err(Error::Failed(_)), _, false) => Ok(false),
        (Ok(()), None, true) => Ok(true),
        (Err(Error::InBatch { matrix, .. }), Some(at), true) if matrix == at => Ok(false),
        (Err(error), ..) => Err(Finding::Error(format!("{error} (spoiled: {spoiled:?}, {rows} rows)"))),
        (Ok(()), ..) => {
            Err(Finding::NoError(format!("{what:?} of {count} matrices of {rows} rows, {spoiled:?}")))
        }
    };
    let each = |factors: Vec<f32>, shape: [usize; 2]| -> Vec<Matrix> {
        let size = shape[0] * shape[1];
        (0..count).map(|at| Matrix { shape, items: factors[at * size..(at + 1) * size].to_vec() }).collect()
    };
    match what {
        Dense::BatchLu => {
            let right: Vec<f32> = (0..count * n).map(|i| (i % 7) as f32 - 3.0).collect();
            let b = Array::from_slice(queue, [count, n], &right)?;
            let made = MatrixBatch::solve(&a, &b);
            let x = match made {
                Ok(x) => {
                    failed(Ok(()))?;
                    x.to_vec()?
                }
                Err(error) => return failed(Err(error)).map(drop),
            };
            for (at, a) in matrices.iter().enumerate() {
                let part = |of: &[f32]| Matrix { shape: [n, 1], items: of[at * n..(at + 1) * n].to_vec() };
                let x = part(&x);
                close(
                    "A x of a batch",
                    &a.times(&x),
                    &part(&right),
                    n,
                    a.largest() * (x.largest() + 1.0) * n as f32,
                )?;
            }
            Ok(())
        }
        Dense::BatchCholesky => match MatrixBatch::cholesky(&a) {
            Ok(made) => {
                failed(Ok(()))?;
                for (l, a) in each(made.factors().to_vec()?, [n, n]).iter().zip(&matrices) {
                    close("L Lᵀ of a batch", &l.times(&l.t()), a, n, a.largest())?;
                }
                Ok(())
            }
            Err(error) => failed(Err(error)).map(drop),
        },
        _ => match MatrixBatch::qr(&a) {
            Ok(made) => {
                failed(Ok(()))?;
                let (q, r) = (each(made.q().to_vec()?, [rows, n]), each(made.r().to_vec()?, [n, n]));
                for ((q, r), a) in q.iter().zip(&r).zip(&matrices) {
                    close("Q R of a batch", &q.times(r), a, rows, a.largest() * rows as f32)?;
                }
                Ok(())
            }
            Err(error) => failed(Err(error)).map(drop),
        },
    }
}

/// Uses shapes that do not fit.
fn wrong(queue: &Queue, dice: &mut Dice) -> Outcome {
    let (rows, columns) = (1 + side(dice), 1 + side(dice));
    let a = Matrix::build([rows, columns], |[i, j]| if i == j { 2.0 } else { 0.0 }).device(queue)?;
    let vector = |n: usize| Array::from_slice(queue, [n], &vec![1.0_f32; n]);
    let failed = |what: &str, failed: bool| match failed {
        true => Ok(()),
        false => Err(Finding::NoError(format!("{what} with {rows} rows and {columns} columns"))),
    };
    let other = columns + 1 + dice.below(3);
    failed(
        "a product of other shapes",
        a.iter()
            .matmul(a.slice_axis(0, ..rows as isize).iter().t().slice_axis(0, ..columns as isize - 1))
            .is_err(),
    )?;
    failed("a vector of another length", a.iter().matvec(&vector(other)?).is_err())?;
    failed("a right side of another length", a.solve(&vector(rows + 1)?).is_err())?;
    if rows != columns {
        failed("cholesky of no square", a.cholesky().is_err())?;
        failed("the determinant of no square", a.det().is_err())?;
        failed("a triangle of no square", (&a).lower().matvec(&vector(columns)?).is_err())?;
    }
    Ok(())
}
