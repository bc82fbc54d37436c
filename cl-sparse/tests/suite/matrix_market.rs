//! Files of the Matrix Market format: all kinds, all errors, and reading what was written.

#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_sparse::matrix_market::{
    self, Array, Field, Format, Header, Problem, Progress, ReadError, Reader, Symmetry, Value, WriteError,
    Writer,
};
use cl_sparse::{HostCsr, InvalidMatrix, Triplets};
use proptest::prelude::*;
use std::io::{BufReader, Read};

type C = Complex<f64>;

fn dense<T: Value>(file: &str) -> Vec<T> {
    let a: HostCsr<T> =
        matrix_market::read(file.as_bytes()).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(a.rows_are_sorted());
    // Reading the file as an array gives the same matrix, zeros included.
    let array: Array<T> = Reader::new(file.as_bytes()).unwrap().array().unwrap();
    let transposed = a.transposed().to_dense();
    assert!(array.values() == transposed, "{file}");
    a.to_dense()
}

#[test]
fn every_field_of_coordinates() {
    let real = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2e-3\n1 2 +7\n";
    assert_eq!(dense::<f64>(real), [1.5, 7.0, 0.0, 0.0, 0.0, -2e-3]);
    assert_eq!(dense::<f32>(real), [1.5, 7.0, 0.0, 0.0, 0.0, -2e-3]);
    assert_eq!(dense::<C>(real)[0], C::new(1.5, 0.0));
    let integer = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 -9007199254740993\n2 2 3\n";
    assert_eq!(dense::<i64>(integer), [-9_007_199_254_740_993, 0, 0, 3]);
    assert_eq!(dense::<f64>(integer), [-9_007_199_254_740_992.0, 0.0, 0.0, 3.0]);
    // SciPy's name for unsigned integers.
    let unsigned =
        "%%MatrixMarket matrix coordinate unsigned-integer symmetric\n2 2 2\n2 1 7\n2 2 4294967295\n";
    assert_eq!(dense::<i64>(unsigned), [0, 7, 7, 4_294_967_295]);
    assert_eq!(Reader::new(unsigned.as_bytes()).unwrap().header().field, Field::Integer);
    let complex = "%%MatrixMarket matrix coordinate complex general\n1 2 2\n1 1 1 -2\n1 2 0 1e1\n";
    assert_eq!(dense::<C>(complex), [C::new(1.0, -2.0), C::new(0.0, 10.0)]);
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n";
    assert_eq!(dense::<f32>(pattern), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(dense::<i32>(pattern), [0, 1, 1, 0]);
    assert_eq!(dense::<Complex<f32>>(pattern)[1], Complex::new(1.0, 0.0));
}

#[test]
fn every_symmetry_of_coordinates() {
    let file =
        |words: &str, entries: &str| format!("%%MatrixMarket matrix coordinate {words}\n2 2 {entries}\n");
    assert_eq!(dense::<f64>(&file("real symmetric", "2\n1 1 5\n2 1 3")), [5.0, 3.0, 3.0, 0.0]);
    assert_eq!(dense::<f64>(&file("pattern symmetric", "1\n2 1")), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(dense::<i32>(&file("integer skew-symmetric", "1\n2 1 3")), [0, -3, 3, 0]);
    let (z, w) = (C::new(1.0, 2.0), C::new(1.0, -2.0));
    assert_eq!(dense::<C>(&file("complex symmetric", "2\n1 1 1 2\n2 1 1 2")), [z, z, z, C::default()]);
    assert_eq!(
        dense::<C>(&file("complex skew-symmetric", "1\n2 1 1 2")),
        [C::default(), -z, z, C::default()]
    );
    let hermitian = dense::<C>(&file("complex hermitian", "2\n2 2 4 0\n2 1 1 2"));
    assert_eq!(hermitian, [C::default(), w, z, C::new(4.0, 0.0)]);
}

#[test]
fn arrays_go_column_by_column() {
    let file = |words: &str, lines: &str| format!("%%MatrixMarket matrix array {words}\n{lines}\n");
    let general = file("real general", "2 3\n1\n2\n3\n0\n5\n6");
    assert_eq!(dense::<f64>(&general), [1.0, 3.0, 5.0, 2.0, 0.0, 6.0]);
    let stored: HostCsr<f64> = matrix_market::read(general.as_bytes()).unwrap();
    assert_eq!(stored.nonzeros(), 5);
    let symmetric = file("integer symmetric", "3 3\n1\n2\n3\n4\n5\n6");
    assert_eq!(dense::<i64>(&symmetric), [1, 2, 3, 2, 4, 5, 3, 5, 6]);
    let skew = file("real skew-symmetric", "3 3\n1\n2\n3");
    assert_eq!(dense::<f64>(&skew), [0.0, -1.0, -2.0, 1.0, 0.0, -3.0, 2.0, 3.0, 0.0]);
    let hermitian = file("complex hermitian", "2 2\n1 0\n2 3\n4 0");
    let expected = [C::new(1.0, 0.0), C::new(2.0, -3.0), C::new(2.0, 3.0), C::new(4.0, 0.0)];
    assert_eq!(dense::<C>(&hermitian), expected);
    for empty in ["0 0", "0 5", "5 0"] {
        assert_eq!(dense::<f64>(&file("real general", empty)), []);
    }
    for (symmetry, lines) in [("symmetric", "0 0"), ("skew-symmetric", "1 1"), ("skew-symmetric", "0 0")] {
        assert!(dense::<i32>(&file(&format!("integer {symmetry}"), lines)).iter().all(|&value| value == 0));
    }
}

#[test]
fn what_the_standard_leaves_open_is_read() {
    let expected = [1e3, 0.0, 0.0, -0.25];
    for file in [
        "%%matrixmarket MATRIX Coordinate REAL General\n2 2 2\n1 1 1000\n2 2 -.25\n",
        "%%MatrixMarket matrix coordinate double general\n2 2 2\n1 1 1D3\n2 2 -2.5d-1\n",
        "%%MatrixMarket matrix coordinate real general\r\n% x\r\n2 2 2\r\n1 1 1.E+03\r\n2 2 -0.25\r\n",
        "\n  %%MatrixMarket\tmatrix  coordinate real general \n%\n\n % c\n\n 2\t2  2 \n\n  1 1\t1e3\n%\n2 2 -0.25  \n\n % c\n",
        // The last line without an end of line.
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e3\n2 2 -0.25",
        // Two entries with the same row and column, and a zero.
        "%%MatrixMarket matrix coordinate real general\n2 2 4\n2 2 -1\n1 1 1e3\n2 2 0.75\n1 2 0\n",
        // A comment that is not ASCII text.
        "%%MatrixMarket matrix coordinate real general\n% caf\u{e9}\n2 2 2\n1 1 1000\n2 2 -0.25\n",
    ] {
        assert_eq!(dense::<f64>(file), expected, "{file}");
    }
    let mut latin = b"%%MatrixMarket matrix coordinate real general\n% caf\xe9\n1 1 1\n1 1 inf\n".to_vec();
    assert_eq!(matrix_market::read::<f64, u32>(&latin[..]).unwrap().values(), [f64::INFINITY]);
    latin.truncate(latin.len() - 4);
    latin.extend_from_slice(b"\xff\n");
    assert!(matrix_market::read::<f64, u32>(&latin[..]).is_err());
}

#[test]
fn a_header_says_what_the_file_is() {
    let file = "%%MatrixMarket matrix array complex hermitian\n3 3\n";
    let expected = Header {
        format: Format::Array,
        field: Field::Complex,
        symmetry: Symmetry::Hermitian,
        rows: 3,
        columns: 3,
        entries: 6,
    };
    assert_eq!(Reader::new(file.as_bytes()).unwrap().header(), &expected);
}

/// Returns the line and the problem of a file that is read as `T`.
fn mistake<T: Value + std::fmt::Debug>(file: &str) -> (usize, Problem) {
    let entries = Reader::new(file.as_bytes()).and_then(Reader::entries::<T>);
    let entries = entries.and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match entries {
        Err(ReadError::Malformed { line, problem, .. }) => (line, problem),
        other => panic!("{file}: {other:?}"),
    }
}

#[test]
fn malformed_files_are_refused_with_line_and_reason() {
    use Problem as P;
    let number = |what, word: &str, kind| P::Number { what, word: word.to_owned(), kind };
    let banner = "%%MatrixMarket matrix coordinate real general\n";
    let word = str::to_owned;
    let range = |what, index, bound| P::OutOfRange { what, index, bound };
    let cases: Vec<(String, usize, P)> = vec![
        (word(""), 1, P::Banner),
        (word("\n\n"), 3, P::Banner),
        (word("1 1 1\n"), 1, P::Banner),
        (word("\n%MatrixMarket matrix coordinate real general\n"), 2, P::Banner),
        (word("%%MatrixMarket\n"), 1, P::Missing { what: "object" }),
        (word("%%MatrixMarket vector coordinate real general\n"), 1, P::Object(word("vector"))),
        (word("%%MatrixMarket matrix\n"), 1, P::Missing { what: "format" }),
        (word("%%MatrixMarket matrix sparse real general\n"), 1, P::Format(word("sparse"))),
        (word("%%MatrixMarket matrix array\n"), 1, P::Missing { what: "field" }),
        (word("%%MatrixMarket matrix array float general\n"), 1, P::Field(word("float"))),
        (word("%%MatrixMarket matrix array real\n"), 1, P::Missing { what: "symmetry" }),
        (word("%%MatrixMarket matrix array real odd\n"), 1, P::Symmetry(word("odd"))),
        (word("%%MatrixMarket matrix array real general x\n"), 1, P::Extra(word("x"))),
        (
            word("%%MatrixMarket matrix array pattern general\n"),
            1,
            P::Combination { field: Field::Pattern, symmetry: Symmetry::General },
        ),
        (
            word("%%MatrixMarket matrix coordinate real hermitian\n"),
            1,
            P::Combination { field: Field::Real, symmetry: Symmetry::Hermitian },
        ),
        (
            word("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"),
            1,
            P::Combination { field: Field::Pattern, symmetry: Symmetry::SkewSymmetric },
        ),
        (
            word("\n%%MatrixMarket matrix coordinate complex general\n%\n1 1 1\n1 1 1 1\n"),
            2,
            P::Mismatch { field: Field::Complex, wanted: "f64" },
        ),
        (banner.to_owned(), 2, P::NoSizes),
        (format!("{banner}%\n\n%\n"), 5, P::NoSizes),
        (format!("{banner}%\n3\n"), 3, P::Missing { what: "number of columns" }),
        (format!("{banner}3 3\n"), 2, P::Missing { what: "number of entries" }),
        (format!("{banner}3 3 1 1\n"), 2, P::Extra(word("1"))),
        (format!("{banner}3 x 1\n"), 2, number("number of columns", "x", "size")),
        (format!("{banner}-3 3 1\n"), 2, number("number of rows", "-3", "size")),
        (
            format!("{banner}3 3 18446744073709551616\n"),
            2,
            number("number of entries", "18446744073709551616", "size"),
        ),
        (
            word("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
            2,
            P::NotSquare { symmetry: Symmetry::Symmetric, rows: 2, columns: 3 },
        ),
        (
            word("%%MatrixMarket matrix array real general\n4294967296 4294967296\n"),
            2,
            P::TooLarge { rows: 1 << 32, columns: 1 << 32 },
        ),
        (word("%%MatrixMarket matrix array real general\n1 2 2\n"), 2, P::Extra(word("2"))),
        (format!("{banner}3 3 2\n1 1 1\n"), 4, P::End { read: 1, entries: 2 }),
        (format!("{banner}3 3 1\n1 1 1\n\n2 2 2\n"), 5, P::TooMany { entries: 1 }),
        (format!("{banner}3 3 0\n0 0 0\n"), 3, P::TooMany { entries: 0 }),
        (format!("{banner}3 3 2\n% c\n1 1 1\n1\n"), 5, P::Missing { what: "column" }),
        (format!("{banner}3 3 1\n1 2\n"), 3, P::Missing { what: "value" }),
        (format!("{banner}3 3 1\n1 2 3 4\n"), 3, P::Extra(word("4"))),
        (format!("{banner}3 3 1\n0 2 3\n"), 3, range("row", 0, 3)),
        (format!("{banner}3 4 1\n4 2 3\n"), 3, range("row", 4, 3)),
        (format!("{banner}3 4 1\n3 5 3\n"), 3, range("column", 5, 4)),
        (format!("{banner}0 0 1\n1 1 3\n"), 3, range("row", 1, 0)),
        (format!("{banner}3 4 1\n1.0 2 3\n"), 3, number("row", "1.0", "size")),
        (format!("{banner}3 4 1\n1 -2 3\n"), 3, number("column", "-2", "size")),
        (format!("{banner}3 4 1\n1 2 3,5\n"), 3, number("value", "3,5", "number")),
        (format!("{banner}3 4 1\n1 2 0x3\n"), 3, number("value", "0x3", "number")),
        (
            word("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 2.0\n"),
            3,
            number("value", "2.0", "integer"),
        ),
        (
            word("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 -\n"),
            3,
            number("value", "-", "integer"),
        ),
        (word("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n"), 3, P::Extra(word("1"))),
        (
            word("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n1 2 1\n"),
            4,
            P::Above { symmetry: Symmetry::Symmetric },
        ),
        (
            word("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 0\n"),
            3,
            P::Diagonal { symmetry: Symmetry::SkewSymmetric },
        ),
        (word("%%MatrixMarket matrix array real general\n2 1\n1\n1 2\n"), 4, P::Extra(word("2"))),
        (word("%%MatrixMarket matrix array real general\n2 1\n1\n"), 4, P::End { read: 1, entries: 2 }),
        (word("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n"), 6, P::TooMany { entries: 3 }),
        (format!("{banner}3 {}\n", "x".repeat(1 << 16)), 2, P::LongLine(1 << 16)),
        (
            format!("{banner}3 4 1\n1 2 {}\n", "9e".repeat(50)),
            3,
            number("value", &("9e".repeat(20) + "…"), "number"),
        ),
    ];
    for (file, line, problem) in cases {
        assert_eq!(mistake::<f64>(&file), (line, problem), "{file}");
    }
}

#[test]
fn values_that_a_type_does_not_have_are_refused() {
    let complex = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1\n";
    assert_eq!(mistake::<C>(complex), (3, Problem::Missing { what: "imaginary part" }));
    let hermitian = "%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 1\n";
    assert_eq!(mistake::<C>(hermitian), (3, Problem::Diagonal { symmetry: Symmetry::Hermitian }));
    let real = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
    assert_eq!(mistake::<i32>(real), (1, Problem::Mismatch { field: Field::Real, wanted: "i32" }));
    let large = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 2147483648\n";
    let kind = "integer of type i32";
    let problem = Problem::Number { what: "value", word: "2147483648".to_owned(), kind };
    assert_eq!(mistake::<i32>(large), (3, problem));
    assert_eq!(dense::<i64>(large), [1 << 31]);
}

#[test]
fn errors_say_the_line_in_words() {
    let error = matrix_market::read::<f64, u32>(
        &b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 4 2\n"[..],
    );
    let error = error.unwrap_err();
    assert_eq!(error.to_string(), "line 3: the column is 4, and not between 1 and 3");
    let text = "invalid Matrix Market file: line 3: the column is 4, and not between 1 and 3";
    assert_eq!(cl_core::Error::from(error).to_string(), text);
    let missing = matrix_market::read_file::<f64, u32>("no/such/file.mtx").unwrap_err();
    assert!(missing.to_string().starts_with("cannot open no/such/file.mtx: "), "{missing}");
}

#[test]
fn a_file_that_claims_more_than_there_is_costs_no_memory() {
    let file = "%%MatrixMarket matrix coordinate real general\n5 5 1000000000000000\n1 1 1\n";
    assert!(matches!(
        matrix_market::read::<f64, u64>(file.as_bytes()),
        Err(ReadError::Malformed {
            line: 4,
            problem: Problem::End { read: 1, entries: 1_000_000_000_000_000 },
            ..
        })
    ));
    let file = "%%MatrixMarket matrix coordinate real general\n4294967296 1 0\n";
    assert!(matches!(
        matrix_market::read::<f64, u32>(file.as_bytes()),
        Err(ReadError::Matrix(InvalidMatrix::TooManyForIndex { what: "rows", .. }))
    ));
    let file = "%%MatrixMarket matrix coordinate real general\n18446744073709551615 1 0\n";
    assert!(matches!(matrix_market::read::<f64, u64>(file.as_bytes()), Err(ReadError::Matrix(_))));
    let array = Reader::new(file.as_bytes()).unwrap().array::<f64>();
    assert!(matches!(array, Err(ReadError::Matrix(InvalidMatrix::Parameter { what: "elements", .. }))));
}

/// A reader that returns one byte at a time, and fails at the end.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let Some((&first, rest)) = self.0.split_first() else {
            return Err(std::io::Error::other("unplugged"));
        };
        (into[0], self.0) = (first, rest);
        Ok(1)
    }
}

#[test]
fn reading_that_fails_is_an_error_with_the_line() {
    let file = b"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
    let error = matrix_market::read::<f64, u32>(BufReader::new(Slow(file))).unwrap_err();
    assert_eq!(error.to_string(), "line 4: unplugged");
    let error = matrix_market::read::<f64, u32>(BufReader::new(Slow(&file[..48]))).unwrap_err();
    assert_eq!(error.to_string(), "line 2: unplugged");
}

#[test]
fn after_an_error_there_are_no_more_entries() {
    let file = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 5\n1 2 1\n2 2 1\n";
    let mut entries = Reader::new(file.as_bytes()).unwrap().entries::<f64>().unwrap();
    assert_eq!(entries.next().unwrap().unwrap(), (1, 0, 5.0));
    assert_eq!(entries.next().unwrap().unwrap(), (0, 1, 5.0));
    assert!(entries.next().unwrap().is_err());
    assert!(entries.next().is_none());
}

#[test]
fn progress_is_reported_to_the_last_entry() {
    // The end of a file is reported once, also if it is at a multiple of 2^16 entries.
    for (more, expected) in [(5, &[1, 2, 3, 3][..]), (0, &[1, 2, 3])] {
        let count = 3 * (1 << 16) + more;
        let a: HostCsr<i32> =
            cl_sparse::generate::banded(1, count, 0, count, |_, column| column as i32).unwrap();
        let mut file = Vec::new();
        matrix_market::write(&mut file, &a).unwrap();
        let mut reports: Vec<Progress> = Vec::new();
        let reader = Reader::new(&file[..]).unwrap().on_progress(|progress| reports.push(progress));
        assert_eq!(reader.csr::<i32, u32>().unwrap(), a);
        assert_eq!(reports.iter().map(|report| report.entries >> 16).collect::<Vec<_>>(), expected);
        let last = Progress { entries: count, of: count, bytes: file.len() as u64 };
        assert_eq!(reports.last(), Some(&last));
        assert!(reports.is_sorted_by_key(|report| report.bytes));
        assert!(reports.iter().all(|report| report.of == count));
    }
}

/// Checks that a matrix has the same bits after writing and reading.
fn there_and_back<T: Value + std::fmt::Debug>(writer: &Writer, a: &HostCsr<T>) {
    let mut file = Vec::new();
    writer.write(&mut file, a).unwrap();
    let back: HostCsr<T> = matrix_market::read(&file[..]).unwrap();
    assert_eq!(format!("{back:?}"), format!("{a:?}"), "{}", String::from_utf8_lossy(&file));
}

fn places() -> impl Strategy<Value = Vec<(usize, usize)>> {
    proptest::collection::vec((0_usize..7, 0_usize..7), 0..30)
}

/// Returns a matrix with values in these rows and columns, and the entries that the symmetry implies.
fn with_symmetry<T: Value>(
    symmetry: Symmetry,
    places: &[(usize, usize)],
    mut value: impl FnMut() -> T,
) -> HostCsr<T> {
    let mut places = places.to_vec();
    if symmetry != Symmetry::General {
        places.retain(|(row, column)| row > column || row == column && symmetry == Symmetry::Symmetric);
    }
    places.sort_unstable();
    places.dedup();
    let mut triplets = Triplets::new(7, 7);
    for (row, column) in places {
        let value = value();
        triplets.push(row, column, value).unwrap();
        let other = match symmetry {
            Symmetry::General => continue,
            Symmetry::Symmetric => value,
            Symmetry::SkewSymmetric => -value,
            Symmetry::Hermitian => value.conjugate(),
        };
        if row != column {
            triplets.push(column, row, other).unwrap();
        }
    }
    triplets.to_csr().unwrap()
}

proptest! {
    #[test]
    fn what_is_written_is_read((places, bits) in (places(), any::<[u64; 16]>())) {
        let mut at = 0;
        let mut next = || { at += 1; bits[at % 16].rotate_left(at as u32) };
        let real = |bits: u64| f64::from_bits(bits & !(1 << 62)); // every finite number below 2
        let single = |bits: u64| f32::from_bits(bits as u32 & !(1 << 30));
        for symmetry in [Symmetry::General, Symmetry::Symmetric, Symmetry::SkewSymmetric, Symmetry::Hermitian] {
            let writer = Writer::new().symmetry(symmetry).comment("there\nand back");
            let z = with_symmetry(symmetry, &places, || C::new(real(next()), real(next())));
            there_and_back(&writer, &z);
            if symmetry == Symmetry::Hermitian {
                continue;
            }
            there_and_back(&writer, &with_symmetry(symmetry, &places, || real(next())));
            there_and_back(&writer, &with_symmetry(symmetry, &places, || single(next())));
            there_and_back(&writer, &with_symmetry(symmetry, &places, || next() as i32 >> 1));
            there_and_back(&writer, &with_symmetry(symmetry, &places, || next() as i64 >> 1));
            if symmetry != Symmetry::SkewSymmetric {
                there_and_back(&writer.clone().pattern(), &with_symmetry(symmetry, &places, || 1.0_f32));
            }
        }
    }

    #[test]
    fn arrays_that_are_written_are_read((places, bits) in (places(), any::<[u64; 16]>())) {
        let mut at = 0;
        let mut next = || { at += 1; f64::from_bits(bits[at % 16].rotate_left(at as u32) & !(1 << 62)) };
        for symmetry in [Symmetry::General, Symmetry::Symmetric, Symmetry::SkewSymmetric, Symmetry::Hermitian] {
            let a = with_symmetry(symmetry, &places, || C::new(next(), next()));
            let array = Array::new(7, 7, a.transposed().to_dense()).unwrap();
            let mut file = Vec::new();
            Writer::new().symmetry(symmetry).write_array(&mut file, &array).unwrap();
            let back = Reader::new(&file[..]).unwrap();
            prop_assert_eq!(back.header().symmetry, symmetry);
            prop_assert_eq!(back.array::<C>().unwrap(), array);
        }
    }

    /// Reading any file ends with an error or a matrix.
    #[test]
    fn damaged_files_are_no_danger(cuts in proptest::collection::vec((0_usize..200, any::<u8>()), 1..4), end in 0_usize..200) {
        let file = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 4\n1 1 1.5\n2 1 -2e3\n\n3 1 4\n3 3 1\n";
        let mut file = file.as_bytes().to_vec();
        for (at, byte) in cuts {
            let at = at % file.len();
            file[at] = byte;
        }
        file.truncate(end);
        if let Ok(a) = matrix_market::read::<f64, u32>(&file[..]) {
            let (offsets, columns, values) = a.clone().into_parts();
            prop_assert!(HostCsr::new(a.rows(), a.columns(), offsets, columns, values).is_ok());
        }
    }
}

#[test]
fn only_what_has_a_symmetry_is_written_with_it() {
    let csr = |rows, columns, entries: &[(usize, usize, f64)]| {
        let mut triplets = Triplets::new(rows, columns);
        triplets.extend(entries.iter().copied()).unwrap();
        triplets.to_csr::<u32>().unwrap()
    };
    let refused = |symmetry, a: &HostCsr<f64>| {
        let mut out = Vec::new();
        let result = Writer::new().symmetry(symmetry).write(&mut out, a);
        assert!(out.is_empty());
        match result {
            Err(WriteError::NotSymmetric { symmetry: named, row, column, .. }) if named == symmetry => {
                (row, column)
            }
            other => panic!("{other:?}"),
        }
    };
    use Symmetry::{SkewSymmetric, Symmetric};
    assert_eq!(refused(Symmetric, &csr(2, 2, &[(0, 0, 1.0), (1, 0, 2.0)])), (1, 0));
    assert_eq!(refused(Symmetric, &csr(2, 2, &[(0, 1, 1.0), (1, 0, 2.0)])), (0, 1));
    assert_eq!(refused(Symmetric, &csr(2, 3, &[(0, 2, 1.0)])), (0, 2));
    assert_eq!(refused(Symmetric, &csr(2, 3, &[(0, 0, 1.0)])), (2, 2));
    assert_eq!(refused(SkewSymmetric, &csr(2, 2, &[(0, 1, 1.0), (1, 0, 1.0)])), (0, 1));
    assert_eq!(refused(SkewSymmetric, &csr(2, 2, &[(1, 1, 1.0)])), (1, 1));
    let identity = HostCsr::<f64>::identity(2, 1.0).unwrap();
    let hermitian = Writer::new().symmetry(Symmetry::Hermitian).write(Vec::new(), &identity);
    assert!(matches!(hermitian, Err(WriteError::Combination { field: Field::Real, .. })));
    let array = Array::column(vec![1.0]);
    let pattern = Writer::new().pattern().write_array(Vec::new(), &array);
    assert!(matches!(pattern, Err(WriteError::Combination { field: Field::Pattern, .. })));
    let skew = Writer::new().symmetry(SkewSymmetric).write_array(Vec::new(), &array);
    assert!(matches!(skew, Err(WriteError::NotSymmetric { row: 0, column: 0, .. })));
    // Duplicates are added before the check.
    let doubled = HostCsr::new(2, 2, vec![0_u32, 2, 3], vec![1, 1, 0], vec![1.0, 2.0, 3.0]).unwrap();
    let mut out = Vec::new();
    Writer::new().symmetry(Symmetric).write(&mut out, &doubled).unwrap();
    assert_eq!(dense::<f64>(std::str::from_utf8(&out).unwrap()), [0.0, 3.0, 3.0, 0.0]);
}

#[test]
fn a_comment_cannot_break_out() {
    let a = HostCsr::<f64>::identity(1, 1.0).unwrap();
    let mut out = Vec::new();
    Writer::new().comment("1 1 1\n9 9 9\r7 7 7\n").write(&mut out, &a).unwrap();
    assert_eq!(matrix_market::read::<f64, u32>(&out[..]).unwrap(), a);
}
