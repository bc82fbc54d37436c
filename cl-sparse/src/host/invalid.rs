//! What can be wrong with a matrix.

use crate::index::Index;

/// Why something is no sparse matrix. Rows, columns and entries are counted from 0.
///
/// Converts into [`cl_core::Error::InvalidInput`], so that `?` passes it on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidMatrix {
    /// There is not one offset more than there are rows.
    #[error("{rows} rows need one row offset more than that, {given} were given")]
    OffsetCount {
        /// Rows of the matrix.
        rows: usize,
        /// Row offsets that were given.
        given: usize,
    },

    /// There are more column indices than values, or fewer.
    #[error("{column_indices} column indices for {values} values")]
    ValueCount {
        /// Column indices that were given.
        column_indices: usize,
        /// Values that were given.
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
        /// The first such row.
        row: usize,
        /// Its offset.
        begin: usize,
        /// The next row's offset.
        end: usize,
    },

    /// A row ends beyond the last value.
    #[error("row {row} ends at {end}, and there are {values} values")]
    OffsetBeyondValues {
        /// The first such row.
        row: usize,
        /// Where it ends.
        end: usize,
        /// Values of the matrix.
        values: usize,
    },

    /// The last row ends before the last value.
    #[error("the last row offset is {last}, and there are {values} values")]
    LastOffset {
        /// The last row offset.
        last: usize,
        /// Values of the matrix.
        values: usize,
    },

    /// An entry's column does not exist.
    #[error("row {row} has an entry in column {column}, and there are {columns} columns")]
    Column {
        /// The first row with such an entry.
        row: usize,
        /// Its column.
        column: usize,
        /// Columns of the matrix.
        columns: usize,
    },

    /// An entry's row does not exist.
    #[error("entry {entry} is in row {row}, and there are {rows} rows")]
    Row {
        /// Which entry it is.
        entry: usize,
        /// Its row.
        row: usize,
        /// Rows of the matrix.
        rows: usize,
    },

    /// A number of rows, columns or values is more than indices can count.
    #[error("{count} {what} are more than indices of type {index} can count")]
    TooManyForIndex {
        /// Rows, columns or values.
        what: &'static str,
        /// How many.
        count: usize,
        /// The type of index, see [`Index::NAME`].
        index: &'static str,
    },

    /// Values at one place are integers whose sum their type cannot hold.
    #[error("the values in row {row} and column {column} have a sum that `{wanted}` does not hold")]
    Sum {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The type of the values.
        wanted: &'static str,
    },

    /// A number has no meaning for the matrix that was asked for.
    #[error("{what} {reason}")]
    Parameter {
        /// Which number.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl InvalidMatrix {
    /// A count as an index, or the error that says why not.
    pub(crate) fn count<I: Index>(what: &'static str, count: usize) -> Result<I, InvalidMatrix> {
        I::from_usize(count).ok_or(InvalidMatrix::TooManyForIndex { what, count, index: I::NAME })
    }

    /// Sets memory aside for so many elements more, or says that there is none.
    pub(crate) fn reserve<T>(what: &'static str, vec: &mut Vec<T>, more: usize) -> Result<(), InvalidMatrix> {
        let too_many = |_| InvalidMatrix::parameter(what, format!("are {more}, more than memory can hold"));
        vec.try_reserve(more).map_err(too_many)
    }

    /// A parameter that makes no sense.
    pub(crate) fn parameter(what: &'static str, reason: impl Into<String>) -> InvalidMatrix {
        InvalidMatrix::Parameter { what, reason: reason.into() }
    }
}

impl From<InvalidMatrix> for cl_core::Error {
    fn from(error: InvalidMatrix) -> cl_core::Error {
        cl_core::Error::InvalidInput { what: "sparse matrix", reason: error.to_string() }
    }
}
