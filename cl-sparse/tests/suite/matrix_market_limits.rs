//! Files of the Matrix Market format at the limits of types and lines, and writers whose files must be readable.

#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_sparse::matrix_market::{
    self, Array, Problem, Progress, ReadError, Reader, Symmetry, Value, WriteError, Writer,
};
use cl_sparse::{HostCsr, InvalidMatrix};

type C = Complex<f64>;

fn read<T: Value>(file: &[u8]) -> Result<HostCsr<T>, ReadError> {
    matrix_market::read(file)
}

fn written<T: Value>(writer: &Writer, a: &HostCsr<T>) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    writer.write(&mut out, a).map(|()| out)
}

/// Writes a matrix and reads it again.
fn there_and_back<T: Value>(writer: &Writer, a: &HostCsr<T>) -> HostCsr<T> {
    read(&written(writer, a).unwrap()).unwrap()
}

fn symmetric() -> Writer {
    Writer::new().symmetry(Symmetry::Symmetric)
}

#[test]
fn integers_that_a_type_cannot_add_are_refused() {
    let file = "%%MatrixMarket matrix coordinate integer general\n2 3 3\n2 3 2147483647\n1 1 5\n2 3 1\n";
    let text = "the entries in row 2 and column 3 have a sum that `i32` does not hold";
    assert_eq!(read::<i32>(file.as_bytes()).unwrap_err().to_string(), text);
    let array = Reader::new(file.as_bytes()).unwrap().array::<i32>().unwrap_err();
    assert!(matches!(array, ReadError::Sum { row: 2, column: 3, wanted: "i32", .. }), "{array}");
    assert_eq!(read::<i64>(file.as_bytes()).unwrap().values(), [5, 1 << 31]);
    assert_eq!(read::<f64>(file.as_bytes()).unwrap().values(), [5.0, 2_147_483_648.0]);
    let least = "%%MatrixMarket matrix coordinate integer general\n1 1 2\n1 1 -9223372036854775808\n1 1 -1\n";
    assert!(matches!(
        read::<i64>(least.as_bytes()),
        Err(ReadError::Sum { row: 1, column: 1, wanted: "i64", .. })
    ));
}

#[test]
fn integers_without_a_negative_are_refused_where_one_follows() {
    for format in ["coordinate integer skew-symmetric\n2 2 1\n2 1 ", "array integer skew-symmetric\n2 2\n"] {
        let file = format!("%%MatrixMarket matrix {format}-2147483648\n");
        let error = read::<i32>(file.as_bytes()).unwrap_err();
        let problem = Problem::Negative { wanted: "i32" };
        assert!(
            matches!(&error, ReadError::Malformed { line: 3, problem: found, .. } if *found == problem),
            "{error}"
        );
        let text =
            "line 3: `i32` cannot hold the negated value, which the symmetry requires above the diagonal";
        assert_eq!(error.to_string(), text);
        assert_eq!(read::<i64>(file.as_bytes()).unwrap().values(), [1 << 31, -(1 << 31)]);
    }
    // A matrix of such values is not written with the symmetry either.
    let a = HostCsr::new(2, 2, vec![0_u32, 1, 2], vec![1, 0], vec![i32::MIN; 2]).unwrap();
    let error = written(&Writer::new().symmetry(Symmetry::SkewSymmetric), &a).unwrap_err();
    assert!(matches!(error, WriteError::NotSymmetric { row: 0, column: 1, .. }), "{error}");
    assert_eq!(there_and_back(&symmetric(), &a), a);
}

#[test]
fn integers_that_must_be_added_to_be_written() {
    let a = HostCsr::new(1, 1, vec![0_u32, 2], vec![0, 0], vec![i32::MAX, 1]).unwrap();
    let error = written(&symmetric(), &a).unwrap_err();
    let sum = InvalidMatrix::Sum { row: 0, column: 0, wanted: "i32" };
    assert!(matches!(&error, WriteError::Matrix(found) if *found == sum), "{error}");
}

#[test]
fn arrays_that_are_not_square_have_no_symmetry() {
    for (rows, columns) in [(0, 2), (2, 0), (1, 2), (3, 2)] {
        for symmetry in [Symmetry::Symmetric, Symmetry::SkewSymmetric, Symmetry::Hermitian] {
            let array = Array::new(rows, columns, vec![C::default(); rows * columns]).unwrap();
            let mut out = Vec::new();
            let result = Writer::new().symmetry(symmetry).write_array(&mut out, &array);
            assert!(matches!(result, Err(WriteError::NotSymmetric { .. })), "{rows} {columns} {symmetry}");
            assert!(out.is_empty());
        }
    }
    let empty = Array::<f64>::new(0, 0, Vec::new()).unwrap();
    symmetric().write_array(Vec::new(), &empty).unwrap();
}

#[test]
fn a_pattern_has_each_place_once() {
    let a = HostCsr::new(2, 3, vec![0_u32, 3, 4], vec![2, 0, 2, 1], vec![1, i32::MAX, 2, 3]).unwrap();
    let back = there_and_back(&Writer::new().pattern(), &a);
    assert_eq!(back.to_dense(), [1, 0, 1, 0, 1, 0]);
    let b = HostCsr::new(2, 2, vec![0_u32, 2, 3], vec![1, 1, 0], vec![i32::MAX, 1, 5]).unwrap();
    assert_eq!(there_and_back(&symmetric().pattern(), &b).to_dense(), [0, 1, 1, 0]);
    // A matrix without duplicates is written in storage order.
    let c = HostCsr::new(1, 3, vec![0_u32, 2], vec![2, 0], vec![7, 8]).unwrap();
    let file = "%%MatrixMarket matrix coordinate pattern general\n1 3 2\n1 3\n1 1\n";
    assert_eq!(String::from_utf8(written(&Writer::new().pattern(), &c).unwrap()).unwrap(), file);
}

#[test]
fn what_is_not_stored_is_zero() {
    // A zero that is stored on one side of the diagonal only.
    for (offsets, columns, values) in [
        (vec![0_u32, 1, 3], vec![0, 0, 1], vec![1.0, 0.0, 3.0]),
        (vec![0, 2, 3], vec![0, 1, 1], vec![1.0, 0.0, 3.0]),
    ] {
        let a = HostCsr::new(2, 2, offsets, columns, values).unwrap();
        assert_eq!(there_and_back(&symmetric(), &a).to_dense(), [1.0, 0.0, 0.0, 3.0]);
        // As a pattern the matrix is not symmetric.
        let pattern = written(&symmetric().pattern(), &a);
        assert!(matches!(pattern, Err(WriteError::NotSymmetric { .. })), "{pattern:?}");
    }
    // An entry without a counterpart across the diagonal is an error, even if it is zero.
    let wide = HostCsr::new(1, 2, vec![0_u32, 1], vec![1], vec![0.0]).unwrap();
    let error = written(&symmetric(), &wide).unwrap_err();
    assert!(matches!(error, WriteError::NotSymmetric { row: 0, column: 1, .. }), "{error}");
}

#[test]
fn what_is_no_number_may_be_symmetric() {
    let nan = f64::NAN;
    let bits = |values: Vec<f64>| values.into_iter().map(f64::is_nan).collect::<Vec<_>>();
    let a: HostCsr<f64> = HostCsr::from_dense(2, 2, &[0.0, nan, nan, 1.0]).unwrap();
    assert_eq!(bits(there_and_back(&symmetric(), &a).to_dense()), [false, true, true, false]);
    let array = Array::new(2, 2, vec![nan, nan, nan, 1.0]).unwrap();
    let mut out = Vec::new();
    symmetric().write_array(&mut out, &array).unwrap();
    let back = Reader::new(&out[..]).unwrap().array::<f64>().unwrap();
    assert_eq!(bits(back.into_values()), [true, true, true, false]);
    // NaN equals only NaN.
    let b: HostCsr<f64> = HostCsr::from_dense(2, 2, &[0.0, nan, 2.0, 1.0]).unwrap();
    assert!(matches!(written(&symmetric(), &b), Err(WriteError::NotSymmetric { row: 0, column: 1, .. })));

    let z = HostCsr::from_dense(2, 2, &[C::new(nan, 0.0), C::new(nan, 2.0), C::new(nan, -2.0), C::default()]);
    let back = there_and_back(&Writer::new().symmetry(Symmetry::Hermitian), &z.unwrap()).to_dense();
    assert!(back[0].re.is_nan() && back[0].im == 0.0 && back[1].re.is_nan());
    assert_eq!((back[1].im, back[2].im), (2.0, -2.0));
    // The diagonal must be real, whatever its real part is.
    let file = |imaginary| {
        format!("%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 NaN {imaginary}\n")
    };
    assert!(read::<C>(file("0").as_bytes()).unwrap().values()[0].re.is_nan());
    for imaginary in ["1", "NaN"] {
        assert!(read::<C>(file(imaginary).as_bytes()).is_err());
        let im = imaginary.parse().unwrap();
        let z: HostCsr<C> = HostCsr::from_dense(1, 1, &[C::new(1.0, im)]).unwrap();
        assert!(written(&Writer::new().symmetry(Symmetry::Hermitian), &z).is_err(), "{imaginary}");
    }
}

#[test]
fn comments_are_broken_where_the_format_wants_it() {
    let a = HostCsr::<i32>::identity(1, 1).unwrap();
    let words = "one and another ".repeat(10_000);
    for text in [&"x".repeat(100_000), &"é".repeat(1021), &words, &format!(" {}", "y".repeat(3000))] {
        let out = String::from_utf8(written(&Writer::new().comment(text), &a).unwrap()).unwrap();
        let comments: Vec<&str> = out.lines().filter(|line| line.starts_with('%')).skip(1).collect();
        assert!(comments.iter().all(|line| line.len() < 1024 && line.starts_with('%')));
        let letters = |text: &str| text.chars().filter(|&char| char != ' ').collect::<String>();
        let kept: String = comments.iter().map(|line| letters(&line[1..])).collect();
        assert_eq!(kept, letters(text));
        assert_eq!(read::<i32>(out.as_bytes()).unwrap(), a);
    }
    // Comments are broken between words, and no more often than needed.
    let out = String::from_utf8(written(&Writer::new().comment(&words), &a).unwrap()).unwrap();
    assert!(out.lines().skip(1).all(|line| !line.starts_with('%') || line.ends_with(['e', 'd', 'r'])));
    assert!(out.lines().filter(|line| line.len() > 1000).count() >= words.len() / 1024);
    let fits = "z".repeat(1021);
    let out = String::from_utf8(written(&Writer::new().comment(&fits), &a).unwrap()).unwrap();
    assert_eq!(out.lines().nth(1), Some(&*format!("% {fits}")));
}

#[test]
fn comments_have_a_line_for_each_end_of_line() {
    let a = HostCsr::<i32>::identity(1, 1).unwrap();
    let comments = |text: &str| {
        let out = String::from_utf8(written(&Writer::new().comment(text), &a).unwrap()).unwrap();
        out.lines().filter(|line| line.starts_with('%')).skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(comments("one\r\ntwo"), ["% one", "% two"]);
    assert_eq!(comments("one\ntwo\rthree"), ["% one", "% two", "% three"]);
    assert_eq!(comments("one\r\n\r\ntwo\n\rthree"), ["% one", "%", "% two", "%", "% three"]);
}

#[test]
fn comments_of_any_length_are_skipped() {
    let long = "x".repeat(200_000);
    let file = format!(
        "%%MatrixMarket matrix coordinate integer general\n% {long}\n1 1 1\n%{long}\n1 1 7\n %{long}"
    );
    let mut reports: Vec<Progress> = Vec::new();
    let reader = Reader::new(file.as_bytes()).unwrap().on_progress(|progress| reports.push(progress));
    assert_eq!(reader.csr::<i32, u32>().unwrap().values(), [7]);
    assert_eq!(reports.last().unwrap().bytes, file.len() as u64);
    // Each comment counts as one line.
    let wrong = file.replace("1 1 7", "1 1 x");
    assert!(matches!(read::<i32>(wrong.as_bytes()), Err(ReadError::Malformed { line: 5, .. })));
    // Lines that are not comments have a limit: banners, sizes and entries.
    let line = |file: String| match read::<i32>(file.as_bytes()) {
        Err(ReadError::Malformed { line, problem: Problem::LongLine(_), .. }) => line,
        other => panic!("{other:?}"),
    };
    let banner = "%%MatrixMarket matrix coordinate integer general";
    assert_eq!(line(format!("{banner}{}\n1 1 1\n1 1 7\n", " ".repeat(1 << 16))), 1);
    assert_eq!(line(format!("{banner}\n1 1 1{}\n1 1 7\n", " ".repeat(1 << 16))), 2);
    assert_eq!(line(format!("{banner}\n1 1 1\n1 1 7{}\n", " ".repeat(1 << 16))), 3);
    assert_eq!(line(format!("{banner}\n1 1 1\n{}\n1 1 7\n", " ".repeat(1 << 16))), 3);
}

#[test]
fn a_mark_of_utf_8_is_skipped() {
    let file = "\u{feff}%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 7\n";
    assert_eq!(read::<i32>(file.as_bytes()).unwrap().values(), [7]);
    // The byte order mark is skipped only at the beginning.
    let later = format!("\n{file}");
    assert!(matches!(
        read::<i32>(later.as_bytes()),
        Err(ReadError::Malformed { line: 2, problem: Problem::Banner, .. })
    ));
}
