//! Errors of invalid matrices.

use crate::index::Index;

/// The reason why data is not a valid sparse matrix. Rows, columns and entries are counted from 0.
///
/// Converts into [`cl_core::Error::InvalidInput`], so that `?` passes it on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidMatrix {
    /// The number of row offsets is not the number of rows plus one.
    #[error("{rows} rows need one row offset more than that, {given} were given")]
    OffsetCount {
        /// The number of rows.
        rows: usize,
        /// The number of row offsets that were given.
        given: usize,
    },

    /// The numbers of column indices and of values differ.
    #[error("{column_indices} column indices for {values} values")]
    ValueCount {
        /// The number of column indices that were given.
        column_indices: usize,
        /// The number of values that were given.
        values: usize,
    },

    /// The first row does not begin with the first value.
    #[error("the first row offset is {first} and not 0")]
    FirstOffset {
        /// The first row offset.
        first: usize,
    },

    /// A row ends before it begins.
    #[error("row {row} begins at {begin} and ends before that, at {end}")]
    DecreasingOffset {
        /// The first row that ends before it begins.
        row: usize,
        /// The offset at which the row begins.
        begin: usize,
        /// The offset at which the row ends.
        end: usize,
    },

    /// A row ends beyond the last value.
    #[error("row {row} ends at {end}, and there are {values} values")]
    OffsetBeyondValues {
        /// The first row that ends beyond the last value.
        row: usize,
        /// The offset at which the row ends.
        end: usize,
        /// The number of values.
        values: usize,
    },

    /// The last row ends before the last value.
    #[error("the last row offset is {last}, and there are {values} values")]
    LastOffset {
        /// The last row offset.
        last: usize,
        /// The number of values.
        values: usize,
    },

    /// An entry's column does not exist.
    #[error("row {row} has an entry in column {column}, and there are {columns} columns")]
    Column {
        /// The first row with a wrong column.
        row: usize,
        /// The wrong column.
        column: usize,
        /// The number of columns.
        columns: usize,
    },

    /// An entry's row does not exist.
    #[error("entry {entry} is in row {row}, and there are {rows} rows")]
    Row {
        /// The index of the entry.
        entry: usize,
        /// The row of the entry.
        row: usize,
        /// The number of rows of the matrix.
        rows: usize,
    },

    /// The index type cannot count the rows, columns or values.
    #[error("{count} {what} are more than indices of type {index} can count")]
    TooManyForIndex {
        /// The thing counted: "rows", "columns" or "values".
        what: &'static str,
        /// The count.
        count: usize,
        /// The index type, see [`Index::NAME`].
        index: &'static str,
    },

    /// The sum of integer values with the same row and column overflows their type.
    #[error("the values in row {row} and column {column} have a sum that `{wanted}` does not hold")]
    Sum {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The type of the values.
        wanted: &'static str,
    },

    /// A parameter of the requested matrix is invalid.
    #[error("{what} {reason}")]
    Parameter {
        /// The name of the parameter.
        what: &'static str,
        /// The reason why the parameter is invalid.
        reason: String,
    },
}

impl InvalidMatrix {
    /// Converts a count to an index, or returns an error if it does not fit.
    pub(crate) fn count<I: Index>(what: &'static str, count: usize) -> Result<I, InvalidMatrix> {
        I::from_usize(count).ok_or(InvalidMatrix::TooManyForIndex { what, count, index: I::NAME })
    }

    /// Reserves memory for `more` elements, or returns an error if there is not enough.
    pub(crate) fn reserve<T>(what: &'static str, vec: &mut Vec<T>, more: usize) -> Result<(), InvalidMatrix> {
        let too_many = |_| InvalidMatrix::parameter(what, format!("are {more}, more than memory can hold"));
        vec.try_reserve(more).map_err(too_many)
    }

    /// Returns an error for an invalid parameter.
    pub(crate) fn parameter(what: &'static str, reason: impl Into<String>) -> InvalidMatrix {
        InvalidMatrix::Parameter { what, reason: reason.into() }
    }
}

impl From<InvalidMatrix> for cl_core::Error {
    fn from(error: InvalidMatrix) -> cl_core::Error {
        cl_core::Error::invalid_input("sparse matrix", error.to_string())
    }
}
