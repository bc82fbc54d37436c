//! The banner and the line of sizes.

use super::lines::{Lines, size, text};
use super::{Problem, ReadError};
use std::fmt::{self, Display, Formatter};
use std::io::BufRead;

/// The layout of the entries in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Row, column and value of each nonzero element.
    Coordinate,
    /// All values, column by column.
    Array,
}

/// The kind of values in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Real numbers.
    Real,
    /// Integers.
    Integer,
    /// Real and imaginary parts.
    Complex,
    /// Rows and columns without values. The values are read as ones.
    Pattern,
}

/// The relation between entries below and above the diagonal. Except for `General`, files omit the entries
/// above the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// No relation: the file has all entries.
    General,
    /// Entries above the diagonal equal those below.
    Symmetric,
    /// Entries above the diagonal are the negatives of those below; the diagonal is zero.
    SkewSymmetric,
    /// Entries above the diagonal are the complex conjugates of those below.
    Hermitian,
}

/// The banner and sizes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The layout of the entries.
    pub format: Format,
    /// The kind of values.
    pub field: Field,
    /// The symmetry.
    pub symmetry: Symmetry,
    /// The number of rows of the matrix.
    pub rows: usize,
    /// The number of columns of the matrix.
    pub columns: usize,
    /// The number of entries in the file.
    pub entries: usize,
}

/// The words of the first line.
pub(super) struct Banner {
    format: Format,
    field: Field,
    symmetry: Symmetry,
}

impl Banner {
    /// Reads the banner.
    pub(super) fn read(lines: &mut Lines<impl BufRead>) -> Result<Banner, ReadError> {
        let found = lines.next_not_blank()?;
        let banner = if found { Banner::parse(lines) } else { Err(Problem::Banner) };
        banner.map_err(|problem| lines.malformed_here(found, problem))
    }

    /// Reads the comments after the banner, and the sizes.
    pub(super) fn header(self, lines: &mut Lines<impl BufRead>) -> Result<Header, ReadError> {
        let found = lines.next_data()?;
        let header = if found { self.sizes(lines) } else { Err(Problem::NoSizes) };
        header.map_err(|problem| lines.malformed_here(found, problem))
    }

    fn parse(lines: &Lines<impl BufRead>) -> Result<Banner, Problem> {
        let mut words = lines.words();
        if !words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"%%MatrixMarket")) {
            return Err(Problem::Banner);
        }
        let mut next = |what| words.next().ok_or(Problem::Missing { what });
        let object = next("object")?;
        if !object.eq_ignore_ascii_case(b"matrix") {
            return Err(Problem::Object(text(object)));
        }
        let format = next("format")?;
        let format = match &format.to_ascii_lowercase()[..] {
            b"coordinate" => Format::Coordinate,
            b"array" => Format::Array,
            _ => return Err(Problem::Format(text(format))),
        };
        let field = next("field")?;
        let field = match &field.to_ascii_lowercase()[..] {
            b"real" | b"double" => Field::Real,
            b"integer" | b"unsigned-integer" => Field::Integer,
            b"complex" => Field::Complex,
            b"pattern" => Field::Pattern,
            _ => return Err(Problem::Field(text(field))),
        };
        let symmetry = next("symmetry")?;
        let symmetry = match &symmetry.to_ascii_lowercase()[..] {
            b"general" => Symmetry::General,
            b"symmetric" => Symmetry::Symmetric,
            b"skew-symmetric" => Symmetry::SkewSymmetric,
            b"hermitian" => Symmetry::Hermitian,
            _ => return Err(Problem::Symmetry(text(symmetry))),
        };
        if let Some(extra) = words.next() {
            return Err(Problem::Extra(text(extra)));
        }
        if !symmetry.exists_for(field) || (format == Format::Array && field == Field::Pattern) {
            return Err(Problem::Combination { field, symmetry });
        }
        Ok(Banner { format, field, symmetry })
    }

    fn sizes(self, lines: &Lines<impl BufRead>) -> Result<Header, Problem> {
        let Banner { format, field, symmetry } = self;
        let mut words = lines.words();
        let mut next = |what| size(what, words.next().ok_or(Problem::Missing { what })?);
        let (rows, columns) = (next("number of rows")?, next("number of columns")?);
        if symmetry != Symmetry::General && rows != columns {
            return Err(Problem::NotSquare { symmetry, rows, columns });
        }
        let entries = match format {
            Format::Coordinate => next("number of entries")?,
            Format::Array => symmetry.array_len(rows, columns).ok_or(Problem::TooLarge { rows, columns })?,
        };
        match words.next() {
            Some(extra) => Err(Problem::Extra(text(extra))),
            None => Ok(Header { format, field, symmetry, rows, columns, entries }),
        }
    }
}

impl Symmetry {
    /// Returns whether the Matrix Market format allows this symmetry for values of this field.
    pub(super) fn exists_for(self, field: Field) -> bool {
        match self {
            Symmetry::General | Symmetry::Symmetric => true,
            Symmetry::SkewSymmetric => field != Field::Pattern,
            Symmetry::Hermitian => field == Field::Complex,
        }
    }

    /// Returns the number of entries in an array file with this symmetry, or `None` if the number of elements
    /// of the matrix overflows `usize`.
    pub(super) fn array_len(self, rows: usize, columns: usize) -> Option<usize> {
        let all = rows.checked_mul(columns)?;
        Some(match self {
            Symmetry::General => all,
            Symmetry::Symmetric | Symmetry::Hermitian => (all - rows) / 2 + rows,
            Symmetry::SkewSymmetric => (all - rows) / 2,
        })
    }
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Coordinate => "coordinate",
            Format::Array => "array",
        })
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Real => "real",
            Field::Integer => "integer",
            Field::Complex => "complex",
            Field::Pattern => "pattern",
        })
    }
}

impl Display for Symmetry {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Symmetry::General => "general",
            Symmetry::Symmetric => "symmetric",
            Symmetry::SkewSymmetric => "skew-symmetric",
            Symmetry::Hermitian => "Hermitian",
        })
    }
}
