//! Products of sparse matrices with vectors, and a solver's iterations. Here, an element of a case is a row
//! of the matrix.

use crate::failure::Failure;
use crate::matrices::{Make, Narrow, made, poisson, power_law, random, triplets, whole};
use crate::timing::{Restored, Step};
use cl_algo::prelude::*;
use cl_core::Error;
use cl_sparse::solve::{Cg, SolveError, Tolerance};
use cl_sparse::{Coo, Csr, Optimized, generate};
use rayon::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

fn product<T: Narrow>(queue: &Queue, n: usize, make: Make, optimized: bool) -> Result<Step, Failure> {
    let host = made(make, n)?;
    let numbers: Vec<f64> = (0..host.columns()).map(whole).collect();
    let a: Csr<T> = Csr::new(queue, &host.map(|&value| T::narrow(value)))?;
    let x = DeviceVec::from_fn(queue, numbers.len(), |i| T::narrow(whole(i)))?;
    let y = DeviceVec::filled(queue, T::narrow(0.0), host.rows())?;
    // A product that fails gives no expected values, and so a wrong length.
    let expected = || host.multiply(&numbers).unwrap_or_default().into_iter().map(T::narrow).collect();
    if optimized {
        let a = a.optimize()?;
        return super::into_vector_by(y, expected, move |y| a.multiply_into(y, &x));
    }
    super::into_vector_by(y, expected, move |y| a.multiply_into(y, &x))
}

macro_rules! products {
    ($($name:ident = $make:ident, $optimized:literal;)*) => {$(
        pub(super) fn $name<T: Narrow>(queue: &Queue, n: usize) -> Result<Step, Failure> {
            product::<T>(queue, n, $make, $optimized)
        }
    )*};
}

products! {
    of_poisson = poisson, false;
    of_poisson_optimized = poisson, true;
    of_random = random, false;
    of_random_optimized = random, true;
    of_power_law = power_law, false;
    of_power_law_optimized = power_law, true;
}

/// Converts `n` triplets in random order into compressed rows.
pub(super) fn of_triplets(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (rows, [row, column], value) = triplets(n);
    let mut positions: Vec<u64> =
        row.iter().zip(&column).map(|(&i, &j)| u64::from(i) * rows as u64 + u64::from(j)).collect();
    let mut sums = vec![0.0; rows];
    for ((&i, &j), &v) in row.iter().zip(&column).zip(&value) {
        sums[i as usize] += f64::from(v) * whole(j as usize);
    }
    let [i, j] = [&row, &column].map(|indices| DeviceVec::from_slice(queue, indices));
    let a = Coo::<f32>::new(rows, rows, i?, j?, DeviceVec::from_slice(queue, &value)?)?;
    positions.par_sort_unstable();
    positions.dedup();
    let found = a.to_csr()?.to_host()?;
    let in_order = positions.iter().map(|position| (position % rows as u64) as u32);
    let numbers: Vec<f32> = (0..rows).map(|i| whole(i) as f32).collect();
    let product = found.multiply(&numbers)?;
    let same_sums = product.into_iter().map(f64::from).eq(sums);
    let ends = found.row_offsets().windows(2).enumerate();
    let same_rows = ends.flat_map(|(i, ends)| (ends[0]..ends[1]).map(move |_| i as u64));
    let same_rows = same_rows.eq(positions.iter().map(|position| position / rows as u64));
    if !same_rows || !same_sums || !found.column_indices().iter().copied().eq(in_order) {
        return Err("wrong rows of triplets".into());
    }
    Ok(Box::new(move || a.to_csr().map(drop)))
}

/// Sorts the matrix positions of the triplets together with their values: the sort that [`of_triplets`]
/// includes.
pub(super) fn sort_of_triplets(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    let (rows, [row, column], value) = triplets(n);
    let positions = row.into_iter().zip(column).map(|(i, j)| u64::from(i) * rows as u64 + u64::from(j));
    let unsorted = DeviceVec::from_slice(queue, &positions.collect::<Vec<_>>())?;
    let values = DeviceVec::from_slice(queue, &value)?;
    let keys = Rc::new(RefCell::new(unsorted.iter().collect()?));
    let sorted = keys.clone();
    let bits = u64::BITS - (rows as u64 * rows as u64 - 1).leading_zeros();
    let mut values = values;
    let mut step = move || Sort::new().bits(..bits).by_key(&mut *sorted.borrow_mut(), &mut values);
    step()?;
    if !keys.borrow().to_vec()?.is_sorted() {
        return Err("wrong result: the positions are not sorted".into());
    }
    let restore = move || keys.borrow_mut().assign(&unsorted);
    Ok(Restored { restore: Some(Box::new(restore)), step: Box::new(step) })
}

/// The iterations of a solver that are timed together.
const ITERATIONS: usize = 50;

/// The least number of rows of a system. Its matrix then has more eigenvalues than a solver does iterations,
/// so no system is solved exactly.
pub(super) const LEAST_ROWS: usize = 1024;

/// Does `ITERATIONS` iterations of conjugate gradients with the seven-point stencil on a cube.
pub(super) fn of_a_cube(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let edge = (n as f64).cbrt().round() as usize;
    let host = generate::seven_point([edge; 3], 6.0, -1.0)?;
    conjugate_gradients(queue, Csr::new(queue, &host)?.optimize()?, ITERATIONS)
}

/// Does `2 * ITERATIONS` iterations of conjugate gradients with the five-point stencil on a square.
pub(super) fn of_a_square(queue: &Queue, n: usize) -> Result<Step, Failure> {
    conjugate_gradients(queue, Csr::new(queue, &poisson(n)?)?.optimize()?, 2 * ITERATIONS)
}

fn conjugate_gradients(queue: &Queue, a: Optimized<f64>, iterations: usize) -> Result<Step, Failure> {
    let b = DeviceVec::from_fn(queue, a.rows(), whole)?;
    let mut x = DeviceVec::filled(queue, 0.0, a.rows())?;
    let mut solver =
        Cg::new().tolerance(Tolerance::Absolute(0.0)).iteration_limit(iterations).check_every(iterations);
    let size = (&b * &b).sum()?.sqrt();
    let mut iterate = move || {
        x.assign(constant(0.0).take(b.len()))?;
        match solver.solve(&a, &b, &mut x) {
            // The tolerance is 0: if the solver reaches a residual of 0, it ends with `Ok`.
            Ok(report) | Err(SolveError::NotConverged(report)) => Ok(report.residual),
            Err(SolveError::Failed(error)) => Err(error),
            Err(other) => Err(Error::invalid_input("system", other.to_string())),
        }
    };
    let residual = iterate()?;
    // The comparison also rejects NaN.
    if residual < size {
        return Ok(Box::new(move || iterate().map(drop)));
    }
    Err(format!("wrong result: the residual is {residual:e}, and was {size:e} at the beginning").into())
}
