//! Index spaces with several axes: elementwise evaluation, reductions along axes, scans and scatters along an axis.

use cl_algo::Format;
use cl_algo::prelude::*;
use cl_algo::ranked::{
    AxisMap, Half, Layers, Layout, Lines, Neighbourhood, NewVectors, Triangles, assign, assign_with,
    contract, contract_with, coordinate, fold, fold_left, from_coordinates, load, multiply_add, scan,
    scatter, substitute,
};
use cl_core::Result;
use cl_test::golden::Case;
use cl_test::golden_cases;
use num_complex::Complex;

pub(crate) const CASES: &[Case] = golden_cases! {
    "sums of neighbours in layers, f32": |q| {
        let output = Layout::row_major(&SHAPE.map(|len| len - 2))?;
        // GPUs have no layers.
        if let Some(layers) = Layers::<f32>::new(q, &SHAPE, &output, 64 << 10)? {
            let (x, mut y) = (matrix(q)?, matrix(q)?);
            let kept = load(&x, &Layout::row_major(&SHAPE)?) * 2.0;
            let moved = |by| layers.items().at_coordinates(&shifted(by), 2);
            let sum = moved([0, 1]) + moved([2, 1]) + moved([1, 0]) + moved([1, 2]);
            layers.assign("test", (&mut y, output), kept, sum)?
        }
    };
    "softmax of rows, f32": |q| softmax(q, &SHAPE)?;
    "softmax of long rows, f32": |q| softmax(q, &[1024, 40_000])?;
    "fold of rows in order, f32": |q| filter(q, 1)?;
    "fold of columns in order, f32": |q| filter(q, 0)?;
    "contiguous array, f32": |q| {
        let (x, mut y, all) = (matrix(q)?, matrix(q)?, Layout::row_major(&SHAPE)?);
        assign("test", (&mut y, all), load(&x, &all) * 2.0)?
    };
    "transposed matrix, f32": |q| {
        let (x, mut y) = (matrix(q)?, matrix(q)?);
        assign("test", (&mut y, Layout::row_major(&[COLUMNS, ROWS])?), transposed(&x)? * 2.0)?
    };
    "matrices that change places, one of them transposed, f32": |q| {
        let (mut x, mut y, all) = (matrix(q)?, matrix(q)?, Layout::row_major(&SHAPE)?);
        let axes = [AxisMap::whole(1), AxisMap::whole(0)];
        let turned = Layout::row_major(&[COLUMNS, ROWS])?.view(&axes, &SHAPE)?;
        assign_with("test", ((&mut x, all), (&mut y, turned)), |both| both.map(|(x, y): (Val<f32>, Val<f32>)| (y, x)))?
    };
    "row added to a matrix, f32": |q| {
        let (x, mut y, all) = (matrix(q)?, matrix(q)?, Layout::row_major(&SHAPE)?);
        let row = load(&x, &Layout::row_major(&[COLUMNS])?);
        assign("test", (&mut y, all), load(&x, &all) + row)?
    };
    "part of a matrix, u8": |q| {
        let x = DeviceVec::filled(q, 1_u8, ROWS * COLUMNS)?;
        let mut y = DeviceVec::filled(q, 1_u8, ROWS * COLUMNS)?;
        let axes = [AxisMap { axis: Some(0), stride: -2, offset: 90 }, AxisMap { axis: Some(1), stride: 1, offset: 3 }];
        let part = Layout::row_major(&SHAPE)?.view(&axes, &[40, 300])?;
        assign("test", (&mut y, part), load(&x, &part))?
    };
    "coordinates of three axes, u32": |q| {
        let mut y = DeviceVec::filled(q, 0_u32, 60 * 70 * 80)?;
        let sum = coordinate::<u32>(0, 3) + coordinate::<u32>(1, 3) * coordinate::<u32>(2, 3);
        assign("test", (&mut y, Layout::row_major(&[60, 70, 80])?), sum.on(q))?
    };
    "7-point stencil of a sum, f32": |q| {
        let shape = [12, 34, 45];
        let (x, y) = (DeviceVec::filled(q, 1.0_f32, 12 * 34 * 45)?, DeviceVec::filled(q, 1.0_f32, 12 * 34 * 45)?);
        let mut z = DeviceVec::filled(q, 0.0_f32, 10 * 32 * 43)?;
        let sum = load(&x, &Layout::row_major(&shape)?) + load(&y, &Layout::row_major(&shape)?);
        let laplace = Neighbourhood::<f32, f32, [isize; 3]>::record(|at| {
            at([0, 0, -1]) + at([0, 0, 1]) + at([0, -1, 0]) + at([0, 1, 0]) + at([-1, 0, 0]) + at([1, 0, 0])
                - 6.0 * at([0, 0, 0])
        });
        let neighbour = |at: [isize; 3]| sum.clone().at_coordinates(&shifted(at.map(|at| (at + 1) as usize)), 3);
        assign("test", (&mut z, Layout::row_major(&[10, 32, 43])?), laplace.of(neighbour))?
    };
    "7-point stencil of a sum, inside aligned rows, f32": |q| {
        let (all, len) = (Layout::row_major(&[12, 34, 48])?, 12 * 34 * 48);
        let (x, y) = (DeviceVec::filled(q, 1.0_f32, len)?, DeviceVec::filled(q, 1.0_f32, len)?);
        let mut z = DeviceVec::filled(q, 0.0_f32, len)?;
        let inside = all.view(&shifted([1, 1, 1]), &[10, 32, 46])?;
        let sum = load(&x, &all) + load(&y, &all);
        let at = |at: [usize; 3]| sum.clone().at_coordinates(&shifted(at), 3);
        let across = at([1, 1, 0]) + at([1, 1, 2]);
        let others = at([1, 0, 1]) + at([1, 2, 1]) + at([0, 1, 1]) + at([2, 1, 1]);
        assign("test", (&mut z, inside), across + others - at([1, 1, 1]))?
    };
    "convolution of 3 x 3, f32": |q| {
        let (x, weights) = (matrix(q)?, DeviceVec::filled(q, 1.0_f32, 9)?);
        let mut y = DeviceVec::filled(q, 0.0_f32, (ROWS - 2) * (COLUMNS - 2))?;
        let (x, weights) = (load(&x, &Layout::row_major(&SHAPE)?), load(&weights, &Layout::row_major(&[3, 3])?));
        let factors = |tap: usize| {
            let at = [tap / 3, tap % 3];
            (weights.clone().at_coordinates(&at.map(AxisMap::at), 2), x.clone().at_coordinates(&shifted(at), 2))
        };
        let first = factors(0);
        let sum = (1..9).map(factors).fold(first.0 * first.1, |sum, (weight, x)| multiply_add(weight, x, sum));
        assign("test", (&mut y, Layout::row_major(&[ROWS - 2, COLUMNS - 2])?), sum)?
    };
    "sums of rows, f32": |q| sums(q, &SHAPE, &[1])?;
    "sums of short rows, f32": |q| sums(q, &[COLUMNS * ROWS / 3, 3], &[1])?;
    "sums of columns, f32": |q| sums(q, &SHAPE, &[0])?;
    "sums of a few long rows, f32": |q| sums(q, &[2, ROWS * COLUMNS / 2], &[1])?;
    "largest and its square, of two axes of three, u32": |q| {
        let x = DeviceVec::filled(q, 1_u32, 30 * 40 * 50)?;
        let mut y = DeviceVec::filled(q, 0_u32, 40)?;
        let (all, results) = (Layout::row_major(&[30, 40, 50])?, Layout::row_major(&[40])?);
        let (axes, square) = ([0, 2], |x: Val<u32>| x * x);
        fold::<u32, _>("test", (&mut y, results), load(&x, &all), (&[30, 40, 50], &axes), Val::max, square)?
    };
    "product of matrices, f32": |q| product(q, 1.0_f32, [500, 600, 700], false)?;
    "product of matrices, the first transposed, f64": |q| product(q, 1.0_f64, [500, 600, 700], true)?;
    "product of matrices rounded to BF16": |q| rounded_product(q, Format::Bf16, [500, 600, 700])?;
    "product of matrices rounded to TF32": |q| rounded_product(q, Format::Tf32, [500, 600, 700])?;
    "product of matrices rounded to F16, more tiles": |q| rounded_product(q, Format::F16, [1024, 1000, 900])?;
    "product of matrices, f32, more tiles": |q| product(q, 1.0_f32, [1024, 1000, 900], false)?;
    "product of large matrices, f32": |q| product(q, 1.0_f32, [1300, 1100, 1200], false)?;
    "product of large matrices, the first transposed, f64": |q| product(q, 1.0_f64, [1300, 1100, 1200], true)?;
    "product of large matrices rounded to BF16": |q| rounded_product(q, Format::Bf16, [1300, 1100, 1200])?;
    "product of large matrices rounded to TF32": |q| rounded_product(q, Format::Tf32, [1300, 1100, 1200])?;
    "product of matrices, u8": |q| product(q, 1_u8, [50, 60, 70], false)?;
    "product of small matrices, complex": |q| product(q, Complex::new(1.0_f32, 2.0), [5, 8, 12], false)?;
    "lower half of a matrix and a product, f32": |q| half_of_product(q, 0.0_f32, Half::Lower, [500, 500])?;
    "upper half of a large matrix and a product, f64": |q| half_of_product(q, 0.0_f64, Half::Upper, [1100, 1000])?;
    "triangular systems, f64": |q| triangular(q, 1.0_f64, 20)?;
    "triangular systems, complex": |q| triangular(q, Complex::new(1.0_f32, 2.0), 9)?;
    "running sums along rows, f32": |q| running_sums(q, &SHAPE, 1)?;
    "running sums along columns, f32": |q| running_sums(q, &SHAPE, 0)?;
    "running sums along a few long rows, f32": |q| running_sums(q, &[2, ROWS * COLUMNS / 2], 1)?;
    "running sums along a few long columns, f32": |q| running_sums(q, &[ROWS * COLUMNS / 3, 3], 0)?;
    "compositions of linear functions before each column, u32": |q| {
        let (x, shape) = (DeviceVec::filled(q, 1_u32, 30 * 40 * 50)?, [30, 40, 50]);
        let (mut y, all) = (DeviceVec::filled(q, 0_u32, x.len())?, Layout::row_major(&shape)?);
        let steps = load(&x, &all).map(|x| (x + 1, x));
        let compose = |(a, b): Step, (c, d): Step| (a * c, b * c + d);
        let identity = Some(zip((1_u32, 0_u32)));
        let finish = |(_, b): Step| b;
        scan::<(u32, u32), _>("test", (&mut y, all), steps, (&shape, 2), identity, compose, finish)?
    };
    "elements of columns at computed rows, f32": |q| {
        let (x, mut y, all) = (matrix(q)?, matrix(q)?, Layout::row_major(&SHAPE)?);
        let at = DeviceVec::filled(q, 1_u16, ROWS * COLUMNS)?;
        let value = load(&x, &all).gather_along_axis(0, &SHAPE, load(&at, &all));
        assign("test", (&mut y, all), value)?
    };
    "elements of rows to computed columns, f32": |q| {
        let (x, mut y, all) = (matrix(q)?, matrix(q)?, Layout::row_major(&SHAPE)?);
        let at = DeviceVec::filled(q, 1_i32, ROWS * COLUMNS)?;
        scatter("test", (&mut y, all).into(), (1, COLUMNS), load(&at, &all), load(&x, &all))?
    };
};

/// Solves systems of `n` rows with 30 right-hand sides.
fn triangular<T: Number>(q: &Queue, value: T, n: usize) -> Result<()> {
    let (lower, mut b) = (DeviceVec::filled(q, value, n * n)?, DeviceVec::filled(q, value, n * 30)?);
    let lower = load(&lower, &Layout::row_major(&[n, n])?);
    substitute("test", (&mut b, Layout::row_major(&[n, 30])?), (lower, &[n, n]), false, value)
}

/// Multiplies matrices of shapes `[m, k]` and `[k, n]`.
fn rounded_product(q: &Queue, format: Format, [m, k, n]: [usize; 3]) -> Result<()> {
    let matrix = |rows: usize, columns: usize| DeviceVec::filled(q, 1.0_f32, rows * columns);
    let (a, b, mut c) = (matrix(m, k)?, matrix(n, k)?, matrix(m, n)?);
    let left = load(&a, &Layout::row_major(&[m, k])?).round_to(format);
    let right = load(&b, &Layout::row_major(&[n, k])?).round_to(format);
    let right = right.at_coordinates(&[AxisMap::whole(1), AxisMap::whole(0)], 2);
    let target = (&mut c, Layout::row_major(&[m, n])?);
    contract(
        "test",
        target,
        [(left, &[m, k]), (right, &[k, n])],
        zip(1.0_f32),
        |item: Val<f32>, added: Val<f32>| item + added,
    )
}

fn product<T: Number>(q: &Queue, value: T, [m, k, n]: [usize; 3], turned: bool) -> Result<()> {
    let (a, b) = (DeviceVec::filled(q, value, m * k)?, DeviceVec::filled(q, value, k * n)?);
    let mut c = DeviceVec::filled(q, value, m * n)?;
    let left = match turned {
        true => Layout::row_major(&[k, m])?.view(&[AxisMap::whole(1), AxisMap::whole(0)], &[m, k])?,
        false => Layout::row_major(&[m, k])?,
    };
    let right = Layout::row_major(&[k, n])?;
    let operands = [(load(&a, &left), left.shape()), (load(&b, &right), right.shape())];
    let target = (&mut c, Layout::row_major(&[m, n])?);
    contract("test", target, operands, zip(value), |item, added: Val<T>| item + added)
}

/// Subtracts half of the product of matrices of shapes `[n, k]` and `[k, n]`.
fn half_of_product<T: Number>(q: &Queue, value: T, half: Half, [n, k]: [usize; 2]) -> Result<()> {
    let (a, b) = (DeviceVec::filled(q, value, n * k)?, DeviceVec::filled(q, value, k * n)?);
    let mut c = DeviceVec::filled(q, value, n * n)?;
    let shapes = [Layout::row_major(&[n, k])?, Layout::row_major(&[k, n])?];
    let operands = [(load(&a, &shapes[0]), shapes[0].shape()), (load(&b, &shapes[1]), shapes[1].shape())];
    let triangles = Triangles { output: Some(half), ..Triangles::default() };
    let target = (&mut c, Layout::row_major(&[n, n])?);
    contract_with("test", target, operands, triangles, |item: Val<T>, own: Val<T>| own - item)
}

const ROWS: usize = 301;
const COLUMNS: usize = 333;
const SHAPE: [usize; 2] = [ROWS, COLUMNS];

fn matrix(queue: &Queue) -> Result<DeviceVec<f32>> {
    DeviceVec::filled(queue, 1.0, ROWS * COLUMNS)
}

/// Computes the softmax of rows.
fn softmax(queue: &Queue, shape: &[usize]) -> Result<()> {
    let x = DeviceVec::filled(queue, 1.0_f32, shape.iter().product())?;
    let y = DeviceVec::filled(queue, 0.0_f32, x.len())?;
    let rows = load(&x, &Layout::row_major(shape)?);
    let Some(lines) = Lines::new("test", rows, (shape, 1))? else { return Ok(()) };
    let power = |x: Val<f32>, greatest: Val<f32>| (x - greatest).exp();
    // SAFETY: nothing else uses the vector.
    let sink = unsafe { NewVectors::<f32>::new(&y, shape) }?;
    let folded = lines.fold(|x| x, Val::max).fold(power, |a, b| a + b);
    folded.store(sink, |x, (greatest, sum)| power(x, greatest) / sum)
}

/// Folds a matrix along an axis, in order.
fn filter(queue: &Queue, axis: usize) -> Result<()> {
    let (x, all) = (matrix(queue)?, Layout::row_major(&SHAPE)?);
    let results = Layout::row_major(&[SHAPE[1 - axis]])?;
    let mut y = DeviceVec::filled(queue, 0.0_f32, results.len())?;
    let zero = from_coordinates(|[]| Val::known(0.0));
    let step = |state: Val<f32>, x: Val<f32>| 0.5 * state + x;
    fold_left::<f32, f32, _>("test", (&mut y, results), load(&x, &all), (&SHAPE, axis), zero, step, |state| {
        state
    })
}

/// Returns the maps of an array that is read at a distance from each coordinate.
fn shifted<const N: usize>(by: [usize; N]) -> [AxisMap; N] {
    std::array::from_fn(|axis| AxisMap { offset: by[axis], ..AxisMap::whole(axis) })
}

fn transposed(x: &DeviceVec<f32>) -> Result<Expr<'_, f32>> {
    let axes = [AxisMap::whole(1), AxisMap::whole(0)];
    Ok(load(x, &Layout::row_major(&SHAPE)?.view(&axes, &[COLUMNS, ROWS])?))
}

/// A linear function, as two numbers.
type Step = (Val<u32>, Val<u32>);

/// Computes the running sums of an array along an axis.
fn running_sums(queue: &Queue, shape: &[usize], axis: usize) -> Result<()> {
    let x = DeviceVec::filled(queue, 1.0_f32, shape.iter().product())?;
    let (mut y, all) = (DeviceVec::filled(queue, 0.0_f32, x.len())?, Layout::row_major(shape)?);
    scan::<f32, _>("test", (&mut y, all), load(&x, &all), (shape, axis), None, |a, b| a + b, |sum| sum)
}

/// Adds the elements of an array along axes.
fn sums(queue: &Queue, shape: &[usize], axes: &[usize]) -> Result<()> {
    let x = DeviceVec::filled(queue, 1.0_f32, shape.iter().product())?;
    let results: Vec<usize> =
        (0..shape.len()).filter(|axis| !axes.contains(axis)).map(|axis| shape[axis]).collect();
    let results = Layout::row_major(&results)?;
    let mut y = DeviceVec::filled(queue, 0.0_f32, results.len())?;
    let value = load(&x, &Layout::row_major(shape)?);
    fold::<f32, _>("test", (&mut y, results), value, (shape, axes), |a, b| a + b, |sum| sum)
}
