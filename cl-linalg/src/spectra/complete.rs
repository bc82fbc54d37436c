//! Orthonormal columns, completed to more of them.

use crate::error::Result;
use crate::scalar::{RealScalar, Scalar};
use cl_array::Array;

/// Returns a matrix whose first columns are the orthonormal columns of `known`, and which has `columns` orthonormal
/// columns. The host adds unit vectors, made orthogonal to the columns before them twice: L. Giraud et al., "The loss of
/// orthogonality in the Gram-Schmidt orthogonalization process", Comput. Math. Appl. 50 (2005).
pub(super) fn completed<T: Scalar>(known: &Array<T, 2>, columns: usize) -> Result<Array<T, 2>> {
    let [rows, count] = known.shape();
    if count >= columns {
        return Ok(known.try_clone()?);
    }
    let host = known.to_vec()?;
    let mut all: Vec<Vec<T>> = (0..count).map(|j| (0..rows).map(|i| host[i * count + j]).collect()).collect();
    // The squares of the projections of unit vectors onto the columns.
    let square = |item: T| item.magnitude().to_f64().powi(2);
    let mut projections: Vec<f64> =
        (0..rows).map(|i| all.iter().map(|column| square(column[i])).sum()).collect();
    while all.len() < columns {
        let least = (0..rows).min_by(|&a, &b| projections[a].total_cmp(&projections[b])).unwrap_or(0);
        let mut new = vec![T::zeroed(); rows];
        new[least] = T::from_real(T::Real::from_f64(1.0));
        for _ in 0..2 {
            for column in &all {
                let mut product = T::zeroed();
                column.iter().zip(&new).for_each(|(&a, &b)| product += a.conjugate() * b);
                new.iter_mut().zip(column).for_each(|(new, &a)| *new -= product * a);
            }
        }
        let norm = new.iter().map(|&item| square(item)).sum::<f64>().sqrt();
        let inverse = T::from_real(T::Real::from_f64(1.0 / norm));
        new.iter_mut().for_each(|item| *item *= inverse);
        projections.iter_mut().zip(&new).for_each(|(sum, &item)| *sum += square(item));
        all.push(new);
    }
    let items: Vec<T> = (0..rows).flat_map(|i| all.iter().map(move |column| column[i])).collect();
    Ok(Array::from_slice(known.queue(), [rows, columns], &items)?)
}
