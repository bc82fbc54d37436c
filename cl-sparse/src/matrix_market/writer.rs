//! Writing files.

use super::reader::mirrored;
use super::{Array, Field, Format, Symmetry, Value, WriteError};
use crate::host::HostCsr;
use crate::index::Index;
use std::convert::Infallible;
use std::io::{BufWriter, Write};

/// The longest text of a comment line. The format allows 1024 characters for a line, including the sign and the blank
/// in front. Some readers also count the end of the line, and count bytes instead of characters.
const LONGEST_COMMENT: usize = 1024 - 3;

/// Options for writing a matrix. By default all entries are written as coordinates with values.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
/// use cl_sparse::matrix_market::{Symmetry, Writer};
///
/// let a: HostCsr<i32> = generate::five_point([2, 1], 4, -1)?;
/// let mut out = Vec::new();
/// Writer::new().symmetry(Symmetry::Symmetric).comment("two points").write(&mut out, &a)?;
/// let text = "%%MatrixMarket matrix coordinate integer symmetric\n% two points\n2 2 3\n1 1 4\n2 1 -1\n2 2 4\n";
/// assert_eq!(String::from_utf8(out)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    symmetry: Symmetry,
    is_pattern: bool,
    comment: String,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer::new()
    }
}

impl Writer {
    /// Creates a writer of all entries with their values.
    #[must_use]
    pub fn new() -> Writer {
        Writer { symmetry: Symmetry::General, is_pattern: false, comment: String::new() }
    }

    /// Omits the entries above the diagonal, for matrices that have this symmetry.
    #[must_use]
    pub fn symmetry(mut self, symmetry: Symmetry) -> Writer {
        self.symmetry = symmetry;
        self
    }

    /// Omits the values. Entries with the same row and column are written once, because without values there is nothing
    /// to add.
    #[must_use]
    pub fn pattern(mut self) -> Writer {
        self.is_pattern = true;
        self
    }

    /// Adds comment lines. Lines that are longer than the format allows are broken, between words if possible.
    #[must_use]
    pub fn comment(mut self, text: &str) -> Writer {
        // Some readers also end lines at lone carriage returns.
        for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
            let mut rest = line;
            loop {
                let (begin, end) = split_comment(rest);
                self.comment += format!("% {begin}").trim_end();
                self.comment.push('\n');
                if end.is_empty() {
                    break;
                }
                rest = end;
            }
        }
        self
    }

    /// Writes a sparse matrix as coordinates, in storage order. With a symmetry, or for a pattern with duplicates, a
    /// copy with sorted rows and without duplicates is written instead.
    ///
    /// For the check of the symmetry, an element without an entry counts as zero. For a pattern, an entry must be
    /// stored on both sides of the diagonal or on neither.
    ///
    /// # Errors
    /// [`WriteError::NotSymmetric`] if the matrix does not have the symmetry, [`WriteError::Combination`] if its values
    /// cannot have it, [`WriteError::Matrix`] if a sum of duplicates overflows `T`, [`WriteError::Io`] if writing
    /// fails.
    pub fn write<T: Value, I: Index>(
        &self,
        out: impl Write,
        matrix: &HostCsr<T, I>,
    ) -> Result<(), WriteError> {
        let field = self.field::<T>()?;
        if self.symmetry == Symmetry::General && (!self.is_pattern || matrix.has_no_duplicates()) {
            return self.write_entries(out, field, matrix, matrix.nonzeros(), matrix.entries());
        }
        let mut summed = matrix.clone();
        if self.is_pattern {
            let Ok(()) = summed.merge_duplicates(|_, _, first, _| Ok::<T, Infallible>(first));
        } else {
            summed.try_sum_duplicates()?;
        }
        if self.symmetry != Symmetry::General {
            self.check(&summed)?;
        }
        let is_given = |entry: &(usize, usize, &T)| self.contains(entry.0, entry.1);
        let count = summed.entries().filter(is_given).count();
        self.write_entries(out, field, &summed, count, summed.entries().filter(is_given))
    }

    fn write_entries<'m, T: Value + 'm, I: Index>(
        &self,
        out: impl Write,
        field: Field,
        matrix: &HostCsr<T, I>,
        count: usize,
        entries: impl Iterator<Item = (usize, usize, &'m T)>,
    ) -> Result<(), WriteError> {
        let mut out = BufWriter::new(out);
        self.write_banner(&mut out, Format::Coordinate, field)?;
        writeln!(out, "{} {} {count}", matrix.rows(), matrix.columns())?;
        for (row, column, value) in entries {
            write!(out, "{} {}", row + 1, column + 1)?;
            if field != Field::Pattern {
                out.write_all(b" ")?;
                value.write(&mut out)?;
            }
            out.write_all(b"\n")?;
        }
        Ok(out.flush()?)
    }

    /// Writes a dense matrix as an array.
    ///
    /// ```
    /// use cl_sparse::matrix_market::{Array, Writer};
    ///
    /// let mut out = Vec::new();
    /// Writer::new().write_array(&mut out, &Array::column(vec![4.0, -1.0]))?;
    /// assert_eq!(out, b"%%MatrixMarket matrix array real general\n2 1\n4.0\n-1.0\n");
    /// # Ok::<(), cl_sparse::matrix_market::WriteError>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Writer::write); [`WriteError::Combination`] for a pattern, because arrays need values.
    pub fn write_array<T: Value>(&self, out: impl Write, array: &Array<T>) -> Result<(), WriteError> {
        let field = self.field::<T>()?;
        if self.is_pattern {
            return Err(WriteError::Combination { field, symmetry: self.symmetry });
        }
        let indices = (0..array.columns()).flat_map(|column| (0..array.rows()).map(move |row| (row, column)));
        let entries = indices.zip(array.values().iter().copied());
        if self.symmetry != Symmetry::General {
            for ((row, column), value) in entries.clone() {
                let other = array.get(column, row).copied();
                self.compare(row, column, value, other)?;
            }
            self.check_sizes(array.rows(), array.columns())?;
        }
        let mut out = BufWriter::new(out);
        self.write_banner(&mut out, Format::Array, field)?;
        writeln!(out, "{} {}", array.rows(), array.columns())?;
        for (_, value) in entries.filter(|&((row, column), _)| self.contains(row, column)) {
            value.write(&mut out)?;
            out.write_all(b"\n")?;
        }
        Ok(out.flush()?)
    }

    /// Returns the kind of values in the file.
    fn field<T: Value>(&self) -> Result<Field, WriteError> {
        let field = if self.is_pattern { Field::Pattern } else { T::FIELD };
        let symmetry = self.symmetry;
        if symmetry.exists_for(field) { Ok(field) } else { Err(WriteError::Combination { field, symmetry }) }
    }

    fn write_banner(&self, out: &mut impl Write, format: Format, field: Field) -> Result<(), WriteError> {
        let symmetry = self.symmetry.to_string().to_lowercase();
        writeln!(out, "%%MatrixMarket matrix {format} {field} {symmetry}")?;
        Ok(out.write_all(self.comment.as_bytes())?)
    }

    /// Returns whether the file contains the entry in this row and column.
    fn contains(&self, row: usize, column: usize) -> bool {
        match self.symmetry {
            Symmetry::General => true,
            Symmetry::Symmetric | Symmetry::Hermitian => row >= column,
            Symmetry::SkewSymmetric => row > column,
        }
    }

    /// Returns an error unless the matrix, with sorted rows and without duplicates, has the symmetry.
    fn check<T: Value, I: Index>(&self, matrix: &HostCsr<T, I>) -> Result<(), WriteError> {
        for (row, column, &value) in matrix.entries() {
            let is_inside = column < matrix.rows() && row < matrix.columns();
            let other = is_inside.then(|| matrix.row(column)).and_then(|(columns, values)| {
                match columns.binary_search_by(|other| other.to_usize().cmp(&row)) {
                    Ok(at) => Some(values[at]),
                    // In a pattern the other entry must be stored.
                    Err(_) => (!self.is_pattern).then(T::default),
                }
            });
            self.compare(row, column, value, other)?;
        }
        self.check_sizes(matrix.rows(), matrix.columns())
    }

    /// Returns an error unless the matrix is square. The caller must have checked that each entry has a
    /// counterpart across the diagonal: the error then names the first row and column that are outside the
    /// largest square.
    fn check_sizes(&self, rows: usize, columns: usize) -> Result<(), WriteError> {
        let less = rows.min(columns);
        if rows == columns { Ok(()) } else { Err(self.not_symmetric(less, less)) }
    }

    /// Returns an error unless `other`, the counterpart across the diagonal, is the value that the symmetry implies.
    fn compare<T: Value>(
        &self,
        row: usize,
        column: usize,
        value: T,
        other: Option<T>,
    ) -> Result<(), WriteError> {
        let is_right = if row == column {
            match self.symmetry {
                Symmetry::SkewSymmetric => value == T::default(),
                Symmetry::Hermitian => value.is_real(),
                Symmetry::General | Symmetry::Symmetric => true,
            }
        } else if self.is_pattern {
            other.is_some()
        } else {
            let expected = mirrored(self.symmetry, row, column, value).ok().flatten();
            expected.zip(other).is_some_and(|((.., expected), other)| expected.is_same(&other))
        };
        if is_right { Ok(()) } else { Err(self.not_symmetric(row, column)) }
    }

    fn not_symmetric(&self, row: usize, column: usize) -> WriteError {
        WriteError::NotSymmetric { symmetry: self.symmetry, row, column }
    }
}

/// Splits a comment line into a beginning that the format allows, and the rest.
fn split_comment(line: &str) -> (&str, &str) {
    if line.len() <= LONGEST_COMMENT {
        return (line, "");
    }
    let end = (0..=LONGEST_COMMENT).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(line.len());
    let end = line[..end].rfind(' ').map_or(end, |blank| blank + 1);
    line.split_at(end)
}
