//! Dense matrices.

use crate::host::{InvalidMatrix, sum};
use std::ops::Add;

/// A dense matrix, column by column: the content of an array file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array<T> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

impl<T> Array<T> {
    /// Creates a matrix from its values, column by column.
    ///
    /// # Errors
    /// If the number of values is not `rows * columns`.
    pub fn new(rows: usize, columns: usize, values: Vec<T>) -> Result<Array<T>, InvalidMatrix> {
        if rows.checked_mul(columns) != Some(values.len()) {
            let reason = format!("are {} and not the product of {rows} and {columns}", values.len());
            return Err(InvalidMatrix::parameter("values", reason));
        }
        Ok(Array { rows, columns, values })
    }

    /// Creates a matrix of one column.
    #[must_use]
    pub fn column(values: Vec<T>) -> Array<T> {
        Array { rows: values.len(), columns: 1, values }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the values, column by column.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Converts the matrix into the vector of its values, column by column.
    #[must_use]
    pub fn into_values(self) -> Vec<T> {
        self.values
    }

    /// Returns the value in this row and column, or `None` if the row or column does not exist.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<&T> {
        let is_inside = row < self.rows && column < self.columns;
        if is_inside { self.values.get(row + column * self.rows) } else { None }
    }
}

impl<T: Copy + Default + Add<Output = T> + 'static> Array<T> {
    /// Creates a matrix of zeros, or returns an error if there is not enough memory.
    pub(super) fn zeros(rows: usize, columns: usize) -> Result<Array<T>, InvalidMatrix> {
        let mut values = Vec::new();
        let fits = rows.checked_mul(columns).filter(|&elements| values.try_reserve_exact(elements).is_ok());
        let Some(elements) = fits else {
            let reason = format!("are {rows} times {columns}, more than memory can hold");
            return Err(InvalidMatrix::parameter("elements", reason));
        };
        values.resize(elements, T::default());
        Ok(Array { rows, columns, values })
    }

    /// Adds `value` to the element in this row and column, which must exist. Returns an error if an integer sum
    /// overflows.
    pub(super) fn add(&mut self, row: usize, column: usize, value: T) -> Result<(), InvalidMatrix> {
        if let Some(element) = self.values.get_mut(row + column * self.rows) {
            let wanted = std::any::type_name::<T>();
            *element = sum::checked(*element, value).ok_or(InvalidMatrix::Sum { row, column, wanted })?;
        }
        Ok(())
    }
}
