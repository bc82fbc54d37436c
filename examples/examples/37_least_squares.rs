//! A line through real data in six dimensions, by least squares.
//!
//! `cargo run --release --example 37_least_squares`. How many people had work in the United States from 1947 to 1962, by
//! six other numbers of each year: Longley, "An Appraisal of Least Squares Programs for the Electronic Computer from the
//! Point of View of the User", J. Am. Stat. Assoc. 62, 1967. The columns nearly depend on each other, so that programs
//! which form `Aᵀ A` lose most digits. A QR factorisation keeps them: the coefficients are compared with the values that
//! NIST certifies for these data.

use cl_examples::picture::{self, Curve};
use cl_linalg::prelude::*;
use plotters::style::{BLUE, RED};
use std::error::Error;

/// The price index, the national product, the unemployed, the armed forces, the population, and the year.
const NUMBERS: [[f64; 6]; 16] = [
    [83.0, 234_289.0, 2356.0, 1590.0, 107_608.0, 1947.0],
    [88.5, 259_426.0, 2325.0, 1456.0, 108_632.0, 1948.0],
    [88.2, 258_054.0, 3682.0, 1616.0, 109_773.0, 1949.0],
    [89.5, 284_599.0, 3351.0, 1650.0, 110_929.0, 1950.0],
    [96.2, 328_975.0, 2099.0, 3099.0, 112_075.0, 1951.0],
    [98.1, 346_999.0, 1932.0, 3594.0, 113_270.0, 1952.0],
    [99.0, 365_385.0, 1870.0, 3547.0, 115_094.0, 1953.0],
    [100.0, 363_112.0, 3578.0, 3350.0, 116_219.0, 1954.0],
    [101.2, 397_469.0, 2904.0, 3048.0, 117_388.0, 1955.0],
    [104.6, 419_180.0, 2822.0, 2857.0, 118_734.0, 1956.0],
    [108.4, 442_769.0, 2936.0, 2798.0, 120_445.0, 1957.0],
    [110.8, 444_546.0, 4681.0, 2637.0, 121_950.0, 1958.0],
    [112.6, 482_704.0, 3813.0, 2552.0, 123_366.0, 1959.0],
    [114.2, 502_601.0, 3931.0, 2514.0, 125_368.0, 1960.0],
    [115.7, 518_173.0, 4806.0, 2572.0, 127_852.0, 1961.0],
    [116.9, 554_894.0, 4007.0, 2827.0, 130_081.0, 1962.0],
];

/// Thousands of people who had work, in each year.
const EMPLOYED: [f64; 16] = [
    60_323.0, 61_122.0, 60_171.0, 61_187.0, 63_221.0, 63_639.0, 64_989.0, 63_761.0, 66_019.0, 67_857.0,
    68_169.0, 66_513.0, 68_655.0, 69_564.0, 69_331.0, 70_551.0,
];

/// The coefficients, first that of the constant, as NIST certifies them.
const CERTIFIED: [f64; 7] = [
    -3_482_258.634_595_82,
    15.061_872_271_373_3,
    -0.035_819_179_292_591_0,
    -2.020_229_803_816_83,
    -1.033_226_867_173_59,
    -0.051_104_105_653_580_7,
    1_829.151_464_613_55,
];

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    // A column of ones, and the six numbers of each year.
    let mut a = Array::filled(&queue, [16, 7], 1.0)?;
    a.slice_mut(s![.., 1..]).write(NUMBERS.as_flattened())?;
    let employed = Array::from_slice(&queue, [16], &EMPLOYED)?;

    let coefficients = a.least_squares(&employed)?;
    let fitted = a.matvec(&coefficients)?;
    // The residual is orthogonal to all columns.
    let products = a.t().iter().matvec(&employed - &fitted)?;
    let products = products.iter().abs().reduce_max()?.unwrap_or(f64::NAN);
    assert!(products < 0.1, "{products:e}, of numbers up to {:e}", 16.0 * 7e4 * 5e5);

    let found = coefficients.to_vec()?;
    let digits = found.iter().zip(CERTIFIED).map(|(x, y)| -((x - y) / y).abs().max(1e-16).log10());
    let digits = digits.fold(f64::INFINITY, f64::min);
    println!("coefficients {found:.6?}: at least {digits:.1} digits are right");
    assert!(digits > 7.0, "{found:?}");

    let line = |name: &str, colour, values: &[f64]| Curve {
        name: name.to_owned(),
        colour,
        points: NUMBERS.iter().zip(values).map(|(row, value)| (row[5], value / 1000.0)).collect(),
    };
    let curves = vec![line("counted", BLUE, &EMPLOYED), line("fitted", RED, &fitted.to_vec()?)];
    let file = picture::draw((800, 480), |area| {
        picture::curves(area, ["year", "millions who had work"], (1946.0..1963.0, 58.0..74.0), curves)
    })?;
    println!("see {}", file.display());
    Ok(())
}
