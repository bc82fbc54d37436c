//! Expressions of programs: how they are made, their values on the host, and their form on the device.

use crate::call::{CALLS, Call};
use crate::dice::Dice;
use crate::draws::{DRAWS, Draws};
use crate::operator::Op;
use crate::world::World;
use cl_algo::prelude::*;
use cl_core::Result;

/// A form of a sparse matrix, and the kernel of its products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Chunks(usize),
    Staged,
    Lanes,
    Merge,
    Coo,
    Ell,
    Sell(usize, usize),
    Hybrid(usize),
    Optimized,
}

const FORMS: [Form; 11] = [
    Form::Chunks(1),
    Form::Chunks(5),
    Form::Staged,
    Form::Lanes,
    Form::Merge,
    Form::Coo,
    Form::Ell,
    Form::Sell(4, 1),
    Form::Sell(8, 16),
    Form::Hybrid(2),
    Form::Optimized,
];

/// The fold over the rows of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rows {
    /// The product by operators.
    Product,
    /// The largest product of an entry of the row with the vector's element, and at least 0, by `times_with`.
    Largest,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    Clamp,
    Wrap,
    Constant(i32),
}

/// An expression of `i32`. Its numbers are taken modulo the valid range when the expression is used, so that
/// every expression is valid in every state.
#[derive(Clone, Debug)]
pub(crate) enum Ex {
    Vector(usize),
    Iota(usize),
    /// Draws: their distribution, the engine's key, the number of draws that are skipped, and the length.
    Random(Draws, u64, u64, usize),
    Product(Form, Rows, usize, Box<Ex>),
    RowSums(usize),
    ColumnSums(usize),
    Transposed(usize, Box<Ex>),
    Take(Box<Ex>, usize),
    Skip(Box<Ex>, usize),
    Step(Box<Ex>, usize),
    Rev(Box<Ex>),
    Slice(Box<Ex>, usize, usize),
    /// The elements at the indices in a vector of indices, modulo the length.
    Gather(Box<Ex>, usize),
    /// The elements at the row offsets of a matrix, modulo the length.
    AtOffsets(Box<Ex>, usize),
    Shift(Box<Ex>, usize, Edge),
    Plus(Box<Ex>, i32),
    /// The sum with a scalar that is on the device.
    PlusScalar(Box<Ex>, usize),
    /// A device function of the elements and of a vector.
    Call(Call, Box<Ex>, usize),
    Map(Box<Ex>),
    /// A binary operation; both operands are shortened to the shorter one.
    Zip(Op, Box<Ex>, Box<Ex>),
    Square(Box<Ex>),
}

impl Ex {
    /// Returns a random expression. `shape` decides which kernels the expression needs, and `data` decides
    /// which values the kernels compute with. The choice of vectors and matrices changes the kernel, too: a
    /// vector that occurs twice is one argument. Therefore `shape` makes this choice.
    pub(crate) fn random(shape: &mut Dice, data: &mut Dice) -> Ex {
        let depth = 1 + shape.below(4);
        Ex::of_depth(depth, true, shape, data)
    }

    fn of_depth(depth: usize, products: bool, shape: &mut Dice, data: &mut Dice) -> Ex {
        if depth == 0 {
            return match shape.below(12) {
                0 => Ex::Iota(data.len()),
                1 if products => Ex::RowSums(shape.below(2)),
                2 if products => Ex::ColumnSums(shape.below(2)),
                3 => Ex::Random(shape.pick(&DRAWS), data.next() % 1000, data.next() % 50, data.len()),
                _ => Ex::Vector(shape.below(8)),
            };
        }
        let choice = shape.below(23);
        if products && choice < 6 {
            let form = shape.pick(&FORMS);
            let rows = if shape.one_in(4) { Rows::Largest } else { Rows::Product };
            let inside = Box::new(Ex::of_depth((depth - 1).min(1), false, shape, data));
            if choice == 0 {
                return Ex::Transposed(shape.below(2), inside);
            }
            return Ex::Product(form, rows, shape.below(2), inside);
        }
        let mut sub = || Box::new(Ex::of_depth(depth - 1, products, shape, data));
        let x = sub();
        match choice {
            6 | 0 => Ex::Take(x, data.len()),
            7 | 1 => Ex::Slice(x, data.len(), data.len()),
            8 => Ex::Skip(x, data.len()),
            9 => Ex::Step(x, data.below(7)),
            10 | 2 => Ex::Rev(x),
            11 | 3 => Ex::Gather(x, shape.below(2)),
            12 => Ex::AtOffsets(x, shape.below(2)),
            13 | 4 => {
                let edge = shape.pick(&[Edge::Clamp, Edge::Wrap, Edge::Constant(-3)]);
                Ex::Shift(x, data.len(), edge)
            }
            14 => Ex::Plus(x, data.value()),
            15 => Ex::Map(x),
            16 => Ex::Square(x),
            17 => Ex::PlusScalar(x, shape.below(2)),
            18 | 19 => Ex::Call(shape.pick(&CALLS), x, shape.below(8)),
            _ => {
                let op = shape.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Less]);
                let y = Ex::of_depth(depth - 1, false, shape, data);
                Ex::Zip(op, x, Box::new(y))
            }
        }
    }

    /// Collects the products in the expression.
    pub(crate) fn forms(&self, found: &mut Vec<(Form, usize)>) {
        match self {
            Ex::Product(form, _, matrix, x) => {
                found.push((*form, *matrix));
                x.forms(found);
            }
            Ex::Zip(_, x, y) => {
                x.forms(found);
                y.forms(found);
            }
            Ex::Transposed(_, x)
            | Ex::Take(x, _)
            | Ex::Skip(x, _)
            | Ex::Step(x, _)
            | Ex::Rev(x)
            | Ex::Slice(x, ..)
            | Ex::Gather(x, _)
            | Ex::AtOffsets(x, _)
            | Ex::Shift(x, ..)
            | Ex::Plus(x, _)
            | Ex::PlusScalar(x, _)
            | Ex::Call(_, x, _)
            | Ex::Map(x)
            | Ex::Square(x) => x.forms(found),
            Ex::Vector(_) | Ex::Iota(_) | Ex::Random(..) | Ex::RowSums(_) | Ex::ColumnSums(_) => {}
        }
    }

    /// Returns whether the expression reads memory, and so has a queue.
    pub(crate) fn has_queue(&self) -> bool {
        match self {
            Ex::Iota(_) | Ex::Random(..) => false,
            Ex::Take(x, _)
            | Ex::Skip(x, _)
            | Ex::Step(x, _)
            | Ex::Rev(x)
            | Ex::Slice(x, ..)
            | Ex::Shift(x, ..)
            | Ex::Plus(x, _)
            | Ex::Call(_, x, _)
            | Ex::Map(x)
            | Ex::Gather(x, _)
            | Ex::AtOffsets(x, _)
            | Ex::Square(x) => x.has_queue(),
            Ex::Zip(_, x, y) => x.has_queue() || y.has_queue(),
            _ => true,
        }
    }

    /// Returns the values that the host computes.
    pub(crate) fn on_host(&self, world: &World) -> Vec<i32> {
        let of = |x: &Ex| x.on_host(world);
        match self {
            Ex::Vector(i) => world.host[world.resolve(*i)].clone(),
            Ex::Iota(len) => (0..*len as i32).map(|i| i + 3).collect(),
            Ex::Product(_, rows, matrix, x) => {
                let a = &world.matrices[*matrix].host;
                let x = fit_on_host(of(x), a.columns());
                folded(a.rows(), a.entries().map(|(row, column, &value)| (row, value, x[column])), *rows)
            }
            Ex::RowSums(matrix) => {
                let a = &world.matrices[*matrix].host;
                folded(a.rows(), a.entries().map(|(row, _, &value)| (row, value, 1)), Rows::Product)
            }
            Ex::ColumnSums(matrix) => {
                let a = &world.matrices[*matrix].host;
                folded(a.columns(), a.entries().map(|(_, column, &value)| (column, value, 1)), Rows::Product)
            }
            Ex::Transposed(matrix, x) => {
                let a = &world.matrices[*matrix].host;
                let x = fit_on_host(of(x), a.rows());
                let terms = a.entries().map(|(row, column, &value)| (column, value, x[row]));
                folded(a.columns(), terms, Rows::Product)
            }
            Ex::Take(x, count) => {
                let mut x = of(x);
                x.truncate(count % (x.len() + 2));
                x
            }
            Ex::Skip(x, count) => {
                let mut x = of(x);
                let count = (count % (x.len() + 2)).min(x.len());
                x.drain(..count);
                x
            }
            Ex::Step(x, step) => of(x).into_iter().step_by(step % 7 + 1).collect(),
            Ex::Rev(x) => of(x).into_iter().rev().collect(),
            Ex::Slice(x, a, b) => {
                let x = of(x);
                let range = range(*a, *b, x.len());
                x[range].to_vec()
            }
            Ex::Gather(x, indices) => gathered(of(x), &world.host_indices[*indices]),
            Ex::AtOffsets(x, matrix) => gathered(of(x), world.matrices[*matrix].host.row_offsets()),
            Ex::Shift(x, offset, edge) => {
                let x = of(x);
                let offset = offset_of(*offset, x.len());
                (0..x.len()).map(|i| shifted(&x, i as isize + offset, *edge)).collect()
            }
            Ex::Random(draws, key, skip, len) => draws.on_host(*key, *skip, *len),
            Ex::PlusScalar(x, i) => {
                of(x).into_iter().map(|x| x.wrapping_add(world.host_scalars[*i])).collect()
            }
            Ex::Call(call, x, table) => call.on_host(&of(x), &world.host[world.resolve(*table)]),
            Ex::Plus(x, scalar) => of(x).into_iter().map(|x| x.wrapping_add(*scalar)).collect(),
            Ex::Map(x) => of(x).into_iter().map(|x| x.wrapping_mul(3).wrapping_sub(1).max(-100)).collect(),
            Ex::Square(x) => of(x).into_iter().map(|x| x.wrapping_mul(x)).collect(),
            Ex::Zip(op, x, y) => of(x).into_iter().zip(of(y)).map(|(x, y)| op.on_host(x, y)).collect(),
        }
    }

    /// Returns the expression for the device.
    pub(crate) fn on_device<'w>(&self, world: &'w World) -> Result<Expr<'w, i32>> {
        let of = |x: &Ex| x.on_device(world);
        Ok(match self {
            Ex::Vector(i) => world.vector(*i).iter(),
            Ex::Iota(len) => iota(3, *len),
            Ex::Product(form, rows, matrix, x) => {
                let matrix = &world.matrices[*matrix];
                matrix.times(*form, *rows, fit_on_device(of(x)?, matrix.host.columns()))?
            }
            Ex::RowSums(matrix) => world.matrices[*matrix].csr.row_sums(),
            Ex::ColumnSums(matrix) => world.matrices[*matrix].csr.column_sums()?,
            Ex::Transposed(matrix, x) => {
                let matrix = &world.matrices[*matrix];
                matrix.csr.times_transposed(fit_on_device(of(x)?, matrix.host.rows()))?
            }
            Ex::Take(x, count) => {
                let x = of(x)?;
                let count = count % (len(&x) + 2);
                x.take(count)
            }
            Ex::Skip(x, count) => {
                let x = of(x)?;
                let count = count % (len(&x) + 2);
                x.skip(count)
            }
            Ex::Step(x, step) => of(x)?.step_by(step % 7 + 1),
            Ex::Rev(x) => of(x)?.rev(),
            Ex::Slice(x, a, b) => {
                let x = of(x)?;
                let range = range(*a, *b, len(&x));
                x.slice(range)
            }
            Ex::Gather(x, indices) => gather_in_range(of(x)?, &world.indices[*indices]),
            Ex::AtOffsets(x, matrix) => gather_in_range(of(x)?, world.matrices[*matrix].csr.row_offsets()),
            Ex::Shift(x, offset, edge) => {
                let x = of(x)?;
                let offset = offset_of(*offset, len(&x));
                let border = match *edge {
                    Edge::Clamp => Border::Clamp,
                    Edge::Wrap => Border::Wrap,
                    Edge::Constant(value) => Border::Constant(value),
                };
                x.shifted(offset, border)
            }
            Ex::Random(draws, key, skip, len) => draws.on_device(*key, *skip, *len)?,
            Ex::PlusScalar(x, i) => of(x)? + &world.scalars[*i],
            Ex::Call(call, x, table) => call.on_device(of(x)?, world.vector(*table)),
            Ex::Plus(x, scalar) => of(x)? + *scalar,
            Ex::Map(x) => of(x)?.map(|x| (x * 3 - 1).max(-100)),
            Ex::Square(x) => {
                let x = of(x)?;
                &x * &x
            }
            Ex::Zip(op, x, y) => {
                let (x, y) = (of(x)?, of(y)?);
                let common = len(&x).min(len(&y));
                op.on_device(x.take(common), y.take(common))
            }
        })
    }
}

fn len(x: &Expr<'_, i32>) -> usize {
    x.len().unwrap_or(0)
}

/// Returns a range within `len` elements.
pub(crate) fn range(a: usize, b: usize, len: usize) -> std::ops::Range<usize> {
    let begin = a % (len + 1);
    begin..begin + b % (len - begin + 1)
}

/// Returns an offset between twice the length to the left and twice the length to the right.
fn offset_of(raw: usize, len: usize) -> isize {
    (raw % (4 * len + 1)) as isize - 2 * len as isize
}

fn shifted(x: &[i32], at: isize, edge: Edge) -> i32 {
    let len = x.len() as isize;
    match edge {
        Edge::Clamp => x[at.clamp(0, len - 1) as usize],
        Edge::Wrap => x[at.rem_euclid(len) as usize],
        Edge::Constant(_) if (0..len).contains(&at) => x[at as usize],
        Edge::Constant(value) => value,
    }
}

fn gathered(x: Vec<i32>, indices: &[u32]) -> Vec<i32> {
    if x.is_empty() { x } else { indices.iter().map(|&i| x[i as usize % x.len()]).collect() }
}

fn gather_in_range<'w>(x: Expr<'w, i32>, indices: &'w DeviceVec<u32>) -> Expr<'w, i32> {
    match len(&x) {
        0 => x,
        len => x.gather(indices.iter() % len as u32),
    }
}

/// Returns `wanted` elements: the first ones of `x`, or all of `x` again and again. If `x` is empty, returns
/// numbers from 5 on.
fn fit_on_host(x: Vec<i32>, wanted: usize) -> Vec<i32> {
    if x.is_empty() { (5..5 + wanted as i32).collect() } else { x.into_iter().cycle().take(wanted).collect() }
}

fn fit_on_device(x: Expr<'_, i32>, wanted: usize) -> Expr<'_, i32> {
    match len(&x) {
        0 => iota(5, wanted),
        len if len < wanted => x.gather(iota(0_u32, wanted) % len as u32),
        _ => x.take(wanted),
    }
}

fn folded(rows: usize, terms: impl Iterator<Item = (usize, i32, i32)>, fold: Rows) -> Vec<i32> {
    let mut sums = vec![0_i32; rows];
    for (row, a, x) in terms {
        let term = a.wrapping_mul(x);
        sums[row] = match fold {
            Rows::Product => sums[row].wrapping_add(term),
            Rows::Largest => sums[row].max(term),
        };
    }
    sums
}
