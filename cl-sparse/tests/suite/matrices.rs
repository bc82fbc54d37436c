//! Matrices of all kinds, with small integers, so that every sum is exact in any order.
#![allow(dead_code)] // not every test uses all of them

use cl_random::{Engine, Philox4x32};
use cl_sparse::plan::Kernel;
use cl_sparse::{HostCsr, generate};

/// Returns a small integer that follows no pattern.
pub(crate) fn number(i: usize) -> i32 {
    (i.wrapping_mul(2_654_435_761) >> 7) as i32 % 9 - if i.is_multiple_of(3) { 0 } else { 4 }
}

/// Returns the matrix whose rows have entries in these columns.
pub(crate) fn of_rows(columns: usize, rows: &[Vec<usize>]) -> HostCsr<i32> {
    let mut offsets = vec![0];
    let mut indices = Vec::new();
    for row in rows {
        indices.extend(row.iter().map(|&column| column as u32));
        offsets.push(indices.len() as u32);
    }
    let values = (0..indices.len()).map(number).collect();
    HostCsr::new(rows.len(), columns, offsets, indices, values).unwrap()
}

/// Returns all matrices with their names.
pub(crate) fn all() -> Vec<(&'static str, HostCsr<i32>)> {
    let mut rng = Philox4x32::<10>::new(7).rng();
    // The rows of large matrices, the width of bands, and the length of long rows. Forms that pad all rows to the
    // longest one store the product of rows and length, which takes a simulator minutes.
    let (large, width) = cl_test::full_or_small((3000, 2000), (300, 150));
    let (long, above, below) = cl_test::full_or_small((5000, 50, 9), (1000, 10, 3));
    let law = generate::PowerLaw { shortest: 1, longest: large / 2, exponent: 1.7 };
    let empty_between = |row: usize| if row % 7 < 5 { vec![] } else { (0..row % 40).collect() };
    let long_last =
        |row: usize, rows: usize| if row + 1 == rows { (0..long).collect() } else { vec![row % long] };
    let few_long = |row: usize| match row % 1000 {
        7 => (0..width / 5).collect(),
        _ => (0..3)
            .map(|j| (row + 7 * j) % 900)
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect(),
    };
    let mut matrices = vec![
        ("0 x 0", HostCsr::empty(0, 0).unwrap()),
        ("0 x 5", HostCsr::empty(0, 5).unwrap()),
        ("5 x 0", HostCsr::empty(5, 0).unwrap()),
        ("no entries", HostCsr::empty(300, 70).unwrap()),
        ("one element", of_rows(1, &[vec![0]])),
        ("one entry, late", of_rows(9, &[&vec![vec![]; 1000][..], &[vec![8]]].concat())),
        ("one entry, early", of_rows(9, &[&[vec![8]], &vec![vec![]; 1000][..]].concat())),
        ("the identity", HostCsr::identity(513, 1).unwrap()),
        (
            "a dense row",
            of_rows(
                2 * long,
                &[vec![vec![3]; above], vec![(0..2 * long).collect()], vec![vec![]; below]].concat(),
            ),
        ),
        ("only a dense row", of_rows(long, &[(0..long).collect()])),
        ("a dense column", of_rows(3, &vec![vec![1]; large])),
        (
            "a long row in the end",
            of_rows(long, &(0..large / 4).map(|row| long_last(row, large / 4)).collect::<Vec<_>>()),
        ),
        ("few long rows", of_rows(900, &(0..large).map(few_long).collect::<Vec<_>>())),
        ("empty rows between", of_rows(40, &(0..width).map(empty_between).collect::<Vec<_>>())),
        ("a stencil", generate::five_point(cl_test::full_or_small([50, 41], [17, 11]), 4, -1).unwrap()),
        (
            "a stencil in space",
            generate::twenty_seven_point(cl_test::full_or_small([9, 10, 11], [5, 6, 7]), 26, -1).unwrap(),
        ),
        ("wide", generate::banded(30, large, 1, width, |row, column| number(row + column)).unwrap()),
        ("tall", generate::banded(large, 30, width, 1, |row, column| number(row + column)).unwrap()),
    ];
    let mut next = 0;
    let mut value = |_: &mut _| {
        next += 1;
        number(next)
    };
    matrices.push((
        "32 a row",
        generate::uniform(cl_test::full_or_small(777, 152), 900, 32, &mut rng, &mut value).unwrap(),
    ));
    matrices.push(("a power law", generate::power_law(large, large, law, &mut rng, &mut value).unwrap()));
    matrices
}

/// Returns kernels of all kinds that fit small devices.
pub(crate) fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::Chunks { chunks: 1 },
        Kernel::Chunks { chunks: 37 },
        Kernel::Staged { group: 64, per_item: 1 },
        Kernel::Staged { group: 32, per_item: 5 },
        Kernel::Shared { group: 64, items_per_row: 2 },
        Kernel::Shared { group: 64, items_per_row: 32 },
        Kernel::Merge { group: 1, per_item: 1 },
        Kernel::Merge { group: 64, per_item: 3 },
        Kernel::Merge { group: 32, per_item: 7 },
        // Tiles with more long rows than work-items.
        Kernel::Merge { group: 16, per_item: 40 },
    ]
}

/// Returns a vector of `len` small integers.
pub(crate) fn vector(len: usize) -> Vec<i32> {
    (0..len).map(|i| number(i + 12_345)).collect()
}
