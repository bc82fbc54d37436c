//! Reading files entry by entry.

use super::header::Banner;
use super::lines::{Lines, size, text};
use super::{Array, Field, Format, Header, Problem, ReadError, Symmetry, Value};
use crate::host::{HostCsr, Triplets};
use crate::index::Index;
use std::fmt::{self, Debug, Formatter};
use std::io::BufRead;

/// The number of entries between two reports of progress.
const REPORT_EVERY: usize = 1 << 16;

/// The largest number of entries for which memory is reserved in advance, because a file may announce any number.
const MOST_RESERVED: usize = 1 << 20;

/// The progress of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of entries that have been read.
    pub entries: usize,
    /// The number of entries in the file.
    pub of: usize,
    /// The number of bytes that have been read, from the beginning of the file.
    pub bytes: u64,
}

/// A reader of the entries of a file. [`Reader::new`] has already read the banner and the sizes.
///
/// ```
/// use cl_sparse::matrix_market::{Reader, Symmetry};
///
/// let file = "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n3 1 7\n";
/// let reader = Reader::new(file.as_bytes())?;
/// assert_eq!((reader.header().rows, reader.header().symmetry), (3, Symmetry::SkewSymmetric));
/// // Entry by entry, and none of them kept.
/// let entries: Result<Vec<(usize, usize, f32)>, _> = reader.entries()?.collect();
/// assert_eq!(entries?, [(2, 0, 7.0), (0, 2, -7.0)]);
/// # Ok::<(), cl_sparse::matrix_market::ReadError>(())
/// ```
pub struct Reader<'p, R> {
    lines: Lines<R>,
    header: Header,
    /// The number of the banner's line.
    banner: usize,
    progress: Option<Box<dyn FnMut(Progress) + 'p>>,
}

impl<'p, R: BufRead> Reader<'p, R> {
    /// Reads the banner and the sizes of a file.
    ///
    /// # Errors
    /// [`ReadError::Malformed`] if the banner or the sizes are invalid, [`ReadError::Io`] if reading fails.
    pub fn new(input: R) -> Result<Reader<'p, R>, ReadError> {
        let mut lines = Lines::new(input);
        let words = Banner::read(&mut lines)?;
        let banner = lines.number();
        let header = words.header(&mut lines)?;
        Ok(Reader { lines, header, banner, progress: None })
    }

    /// Returns the banner and sizes of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Calls `report` every 65 536 entries, and at the end of the file.
    ///
    /// ```
    /// use cl_sparse::HostCsr;
    /// use cl_sparse::matrix_market::Reader;
    ///
    /// let file = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4.0\n2 1 -1.0\n";
    /// let reader = Reader::new(file.as_bytes())?.on_progress(|progress| {
    ///     println!("{} of {} entries, {} bytes", progress.entries, progress.of, progress.bytes);
    /// });
    /// let a: HostCsr<f64> = reader.csr()?;
    /// assert_eq!(a.nonzeros(), 2);
    /// # Ok::<(), cl_sparse::matrix_market::ReadError>(())
    /// ```
    #[must_use]
    pub fn on_progress(mut self, report: impl FnMut(Progress) + 'p) -> Reader<'p, R> {
        self.progress = Some(Box::new(report));
        self
    }

    /// Returns an iterator over all entries of the matrix, with rows and columns counted from 0. It returns the file's
    /// entries in their order, each followed by the entry that the symmetry implies. It ends after an error.
    ///
    /// # Errors
    /// [`Problem::Mismatch`] if the file's values cannot be read as `T`.
    pub fn entries<T: Value>(self) -> Result<Entries<'p, T, R>, ReadError> {
        let field = self.header.field;
        if !T::accepts(field) {
            let problem = Problem::Mismatch { field, wanted: T::NAME };
            return Err(ReadError::Malformed { line: self.banner, problem });
        }
        let array_index = if self.header.symmetry == Symmetry::SkewSymmetric { (1, 0) } else { (0, 0) };
        Ok(Entries { reader: self, read: 0, array_index, mirrored: None, is_done: false })
    }

    /// Reads the matrix as triplets. Zeros of an array are omitted.
    ///
    /// # Errors
    /// [`ReadError::Malformed`] with the first wrong line, [`ReadError::Io`] if reading fails.
    pub fn triplets<T: Value>(self) -> Result<Triplets<T>, ReadError> {
        let Header { rows, columns, entries, format, .. } = self.header;
        let mut triplets = Triplets::with_capacity(rows, columns, entries.min(MOST_RESERVED));
        for entry in self.entries::<T>()? {
            let (row, column, value) = entry?;
            if format == Format::Coordinate || value != T::default() {
                triplets.push(row, column, value)?;
            }
        }
        Ok(triplets)
    }

    /// Reads the matrix as sorted rows. Entries with the same row and column are added.
    ///
    /// # Errors
    /// As [`triplets`](Reader::triplets), and [`ReadError::Matrix`] if `I` cannot count the rows, columns or entries;
    /// [`ReadError::Sum`] if an integer sum overflows `T`.
    pub fn csr<T: Value, I: Index>(self) -> Result<HostCsr<T, I>, ReadError> {
        Ok(self.triplets()?.to_csr()?)
    }

    /// Reads the matrix as a dense one: a right-hand side, for instance.
    ///
    /// ```
    /// use cl_sparse::matrix_market::Reader;
    ///
    /// let file = "%%MatrixMarket matrix array real general\n2 1\n4.0\n-1.0\n";
    /// let side = Reader::new(file.as_bytes())?.array::<f32>()?;
    /// assert_eq!((side.rows(), side.columns()), (2, 1));
    /// assert_eq!(side.into_values(), [4.0, -1.0]);
    /// # Ok::<(), cl_sparse::matrix_market::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// As [`triplets`](Reader::triplets), and if there is not enough memory for the matrix; [`ReadError::Sum`] if an
    /// integer sum overflows `T`.
    pub fn array<T: Value>(self) -> Result<Array<T>, ReadError> {
        let mut array = Array::zeros(self.header.rows, self.header.columns)?;
        for entry in self.entries::<T>()? {
            let (row, column, value) = entry?;
            array.add(row, column, value)?;
        }
        Ok(array)
    }
}

/// The iterator of [`Reader::entries`] over the entries of a file.
pub struct Entries<'p, T, R> {
    reader: Reader<'p, R>,
    read: usize,
    /// Row and column of an array's next value.
    array_index: (usize, usize),
    /// The entry that the symmetry implies for the last entry.
    mirrored: Option<(usize, usize, T)>,
    is_done: bool,
}

impl<T: Value, R: BufRead> Iterator for Entries<'_, T, R> {
    type Item = Result<(usize, usize, T), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(entry) = self.mirrored.take() {
            return Some(Ok(entry));
        }
        if self.is_done {
            return None;
        }
        let entry = self.read_entry().transpose();
        self.is_done = !matches!(entry, Some(Ok(_)));
        entry
    }
}

impl<T: Value, R: BufRead> Entries<'_, T, R> {
    /// Reads the next entry of the file, or returns `None` after the last one.
    fn read_entry(&mut self) -> Result<Option<(usize, usize, T)>, ReadError> {
        let entries = self.reader.header.entries;
        let found = self.reader.lines.next_data()?;
        let entry = match (found, self.read < entries) {
            (true, true) => self.parse().map(Some),
            (true, false) => Err(Problem::TooMany { entries }),
            (false, true) => Err(Problem::End { read: self.read, entries }),
            (false, false) => Ok(None),
        };
        let entry = entry.map_err(|problem| self.reader.lines.malformed_here(found, problem))?;
        self.read += usize::from(entry.is_some());
        self.report(entry.is_none());
        Ok(entry)
    }

    /// Parses the entry of the current line.
    fn parse(&mut self) -> Result<(usize, usize, T), Problem> {
        let header = &self.reader.header;
        let mut words = self.reader.lines.words();
        let mut index = |what, bound| {
            let index = size(what, words.next().ok_or(Problem::Missing { what })?)?;
            let in_range = (1..=bound).contains(&index);
            if in_range { Ok(index - 1) } else { Err(Problem::OutOfRange { what, index, bound }) }
        };
        let (row, column) = match header.format {
            Format::Coordinate => (index("row", header.rows)?, index("column", header.columns)?),
            Format::Array => self.array_index,
        };
        let value = match header.field {
            Field::Pattern => T::ONE,
            field => T::read(field, &mut words)?,
        };
        if let Some(extra) = words.next() {
            return Err(Problem::Extra(text(extra)));
        }
        check_symmetry(header.symmetry, row, column, value)?;
        self.mirrored = mirrored(header.symmetry, row, column, value)?;
        self.array_index = next_index(header, self.array_index);
        Ok((row, column, value))
    }

    fn report(&mut self, is_last: bool) {
        let Some(report) = &mut self.reader.progress else { return };
        let of = self.reader.header.entries;
        // The end of the file reports the last entry.
        if is_last || (self.read < of && self.read.is_multiple_of(REPORT_EVERY)) {
            report(Progress { entries: self.read, of, bytes: self.reader.lines.bytes() });
        }
    }
}

/// Returns an error unless a file with this symmetry may contain the entry.
fn check_symmetry<T: Value>(symmetry: Symmetry, row: usize, column: usize, value: T) -> Result<(), Problem> {
    if symmetry == Symmetry::General {
        return Ok(());
    }
    if row < column {
        return Err(Problem::Above { symmetry });
    }
    let is_wrong = row == column
        && match symmetry {
            Symmetry::SkewSymmetric => true,
            Symmetry::Hermitian => !value.is_real(),
            Symmetry::General | Symmetry::Symmetric => false,
        };
    if is_wrong { Err(Problem::Diagonal { symmetry }) } else { Ok(()) }
}

/// Returns the entry on the other side of the diagonal, if the symmetry implies one.
pub(super) fn mirrored<T: Value>(
    symmetry: Symmetry,
    row: usize,
    column: usize,
    value: T,
) -> Result<Option<(usize, usize, T)>, Problem> {
    let value = match symmetry {
        Symmetry::General => return Ok(None),
        Symmetry::Symmetric => value,
        Symmetry::SkewSymmetric => value.negated().ok_or(Problem::Negative { wanted: T::NAME })?,
        Symmetry::Hermitian => value.conjugate(),
    };
    Ok((row != column).then_some((column, row, value)))
}

/// Returns row and column of an array's next value, column by column.
fn next_index(header: &Header, (row, column): (usize, usize)) -> (usize, usize) {
    if row + 1 < header.rows {
        return (row + 1, column);
    }
    let first = match header.symmetry {
        Symmetry::General => 0,
        Symmetry::Symmetric | Symmetry::Hermitian => column + 1,
        Symmetry::SkewSymmetric => column + 2,
    };
    (first, column + 1)
}

impl<R> Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("header", &self.header).finish_non_exhaustive()
    }
}

impl<T, R> Debug for Entries<'_, T, R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Entries");
        text.field("header", &self.reader.header).field("read", &self.read).finish_non_exhaustive()
    }
}
