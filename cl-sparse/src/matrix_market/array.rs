//! Matrices without zeros left out.

use crate::host::{InvalidMatrix, sum};
use std::ops::Add;

/// A dense matrix, column by column: what files of arrays hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array<T> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

impl<T> Array<T> {
    /// A matrix of these values, column by column.
    ///
    /// # Errors
    /// If there are not `rows * columns` values.
    pub fn new(rows: usize, columns: usize, values: Vec<T>) -> Result<Array<T>, InvalidMatrix> {
        if rows.checked_mul(columns) != Some(values.len()) {
            let reason = format!("are {} and not the product of {rows} and {columns}", values.len());
            return Err(InvalidMatrix::parameter("values", reason));
        }
        Ok(Array { rows, columns, values })
    }

    /// A matrix of one column.
    #[must_use]
    pub fn column(values: Vec<T>) -> Array<T> {
        Array { rows: values.len(), columns: 1, values }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The values, column by column.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values, column by column.
    #[must_use]
    pub fn into_values(self) -> Vec<T> {
        self.values
    }

    /// The value at a place, if there is such a place.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<&T> {
        let is_inside = row < self.rows && column < self.columns;
        if is_inside { self.values.get(row + column * self.rows) } else { None }
    }
}

impl<T: Copy + Default + Add<Output = T> + 'static> Array<T> {
    /// A matrix of zeros, if memory can hold it.
    pub(super) fn zeros(rows: usize, columns: usize) -> Result<Array<T>, InvalidMatrix> {
        let mut values = Vec::new();
        let fits = rows.checked_mul(columns).filter(|&places| values.try_reserve_exact(places).is_ok());
        let Some(places) = fits else {
            let reason = format!("are {rows} times {columns}, more than memory can hold");
            return Err(InvalidMatrix::parameter("places", reason));
        };
        values.resize(places, T::default());
        Ok(Array { rows, columns, values })
    }

    /// Adds to what is at a place, which exists, unless the type cannot hold the sum.
    pub(super) fn add(&mut self, row: usize, column: usize, value: T) -> Result<(), InvalidMatrix> {
        if let Some(place) = self.values.get_mut(row + column * self.rows) {
            let wanted = std::any::type_name::<T>();
            *place = sum::checked(*place, value).ok_or(InvalidMatrix::Sum { row, column, wanted })?;
        }
        Ok(())
    }
}
