//! Expressions of arrays of three axes: how they are made, and their values on the host beside their form on the device.

use crate::dice::Dice;
use crate::finding::Outcome;
use crate::nd::{Nd, Triple, inside, positions, random_shape, with};
use crate::operator::Op;
use crate::part::Part;
use crate::world::World;
use cl_algo::prelude::*;
use cl_array::{Array, ArrayExpr, ArrayOperand, Pad};

/// The rule for elements beyond the border.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Constant(i32),
    Edge,
    Reflect,
    Symmetric,
    Wrap,
}

impl Rule {
    pub(crate) fn random(shape: &mut Dice, data: &mut Dice) -> Rule {
        let value = data.value();
        shape.pick(&[Rule::Constant(value), Rule::Edge, Rule::Reflect, Rule::Symmetric, Rule::Wrap])
    }

    fn pad(self) -> Pad<i32> {
        match self {
            Rule::Constant(value) => Pad::Constant(value),
            Rule::Edge => Pad::Edge,
            Rule::Reflect => Pad::Reflect,
            Rule::Symmetric => Pad::Symmetric,
            Rule::Wrap => Pad::Wrap,
        }
    }

    /// Returns the item at a position that may lie beyond the borders.
    fn read(self, x: &Nd<i32>, at: [i128; 3]) -> i32 {
        let found: [Option<usize>; 3] =
            std::array::from_fn(|axis| inside(at[axis], x.shape[axis], self.pad()));
        match (found, self) {
            ([Some(i), Some(j), Some(k)], _) => x.get([i, j, k]),
            (_, Rule::Constant(value)) => value,
            _ => unreachable!("only constants stand for positions"),
        }
    }
}

/// Distances of neighbours, each with a factor.
type Terms = &'static [([isize; 3], i32)];

const STENCILS: [Terms; 3] = [
    &[([0, 0, -1], 1), ([0, 0, 0], -2), ([0, 0, 1], 3)],
    &[([-1, 0, 0], 1), ([1, 1, 0], 2)],
    &[([0, -2, 1], 5), ([0, 0, 0], 1), ([1, 0, 2], -1)],
];

/// An evaluation along an axis, whose result is stored before the expression goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Along {
    Sum,
    Largest,
    Sums,
    LargestSoFar,
    Sort,
    /// The coordinate of the largest element.
    Argmax,
}

const ALONG: [Along; 6] =
    [Along::Sum, Along::Largest, Along::Sums, Along::LargestSoFar, Along::Sort, Along::Argmax];

/// An expression of `i32` over three axes. Its numbers are taken modulo the valid range when it is used.
#[derive(Clone, Debug)]
pub(crate) enum Ax {
    /// A view of a view of an array.
    View(usize, Vec<Part>),
    /// A function of the coordinates.
    Coordinates(Triple),
    Part(Part, Box<Ax>),
    Roll(usize, isize, Box<Ax>),
    Pad(Rule, [(usize, usize); 3], Box<Ax>),
    /// The coordinates along an axis that a vector of indices has, modulo the length.
    Take(usize, usize, Box<Ax>),
    Repeat(usize, usize, Box<Ax>),
    Tile(usize, usize, Box<Ax>),
    Diff(usize, Box<Ax>),
    Lower(isize, Box<Ax>),
    /// Neighbours of elements that have all of them.
    Stencil(usize, Box<Ax>),
    /// Neighbours, beyond the borders by a rule.
    Bordered(usize, Rule, Box<Ax>),
    /// The sums of all windows.
    Windows(Triple, Box<Ax>),
    Along(Along, usize, Box<Ax>),
    Plus(i32, Box<Ax>),
    Map(Box<Ax>),
    /// A binary operation, with axes of length 1 broadcast; others are cut to the shorter one.
    Zip(Op, Box<Ax>, Box<Ax>),
}

/// The values of an expression, and the expression on the device.
pub(crate) struct Both<'w> {
    pub(crate) host: Nd<i32>,
    pub(crate) device: ArrayExpr<'w, i32, 3>,
}

/// The most items of an intermediate result.
const MOST: usize = 1 << 13;

impl Ax {
    /// Returns a random expression. `shape` decides which kernels the expression needs.
    pub(crate) fn random(shape: &mut Dice, data: &mut Dice) -> Ax {
        let depth = shape.below(4);
        Ax::of_depth(depth, shape, data)
    }

    fn of_depth(depth: usize, shape: &mut Dice, data: &mut Dice) -> Ax {
        if depth == 0 {
            return match shape.below(6) {
                0 => Ax::Coordinates(random_shape(data)),
                _ => Ax::View(shape.below(3), Part::several(2, shape, data)),
            };
        }
        let x = Box::new(Ax::of_depth(depth - 1, shape, data));
        let axis = shape.below(3);
        match shape.below(18) {
            0 | 1 => Ax::Part(Part::random(shape, data), x),
            2 => Ax::Roll(axis, data.below(40) as isize - 20, x),
            3 => {
                let rule = Rule::random(shape, data);
                let mut width = |of: usize| if of == axis { (data.below(6), data.below(6)) } else { (0, 0) };
                Ax::Pad(rule, std::array::from_fn(&mut width), x)
            }
            4 => Ax::Take(axis, shape.below(2), x),
            5 => Ax::Repeat(axis, 2 + data.below(2), x),
            6 => Ax::Tile(axis, 2 + data.below(2), x),
            7 => Ax::Diff(axis, x),
            8 => Ax::Lower(data.below(9) as isize - 4, x),
            9 => Ax::Stencil(shape.below(STENCILS.len()), x),
            10 => Ax::Bordered(shape.below(STENCILS.len()), Rule::random(shape, data), x),
            11 => Ax::Windows([0; 3].map(|_| 1 + data.below(3)), x),
            12 | 13 => Ax::Along(shape.pick(&ALONG), axis, x),
            14 => Ax::Plus(data.value(), x),
            15 => Ax::Map(x),
            _ => {
                let op = shape.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Max]);
                Ax::Zip(op, x, Box::new(Ax::of_depth(depth / 2, shape, data)))
            }
        }
    }

    /// Returns the values and the expression.
    pub(crate) fn both<'w>(&self, world: &'w World) -> Outcome<Both<'w>> {
        match self {
            Ax::View(array, parts) => {
                let (array, host) = world.array(*array);
                let mut both = (host.clone(), array.view());
                for part in parts {
                    both = (part.on_host(&both.0), part.of_view(both.1));
                }
                return Ok(Both { host: both.0, device: both.1.iter() });
            }
            Ax::Coordinates(shape) => {
                let host = Nd::build(*shape, |[i, j, k]| 7 * i as i32 + 3 * j as i32 - k as i32);
                let device = ArrayExpr::from_fn(*shape, |[i, j, k]| (i * 7 + j * 3 - k).cast::<i32>());
                return Ok(Both { host, device: device.on(world.main_queue()) });
            }
            Ax::Zip(op, x, y) => {
                let (x, y) = (x.both(world)?, y.both(world)?);
                let (x, y) = fitted(x, y);
                let shape: Triple = std::array::from_fn(|axis| match x.host.shape[axis] {
                    1 => y.host.shape[axis],
                    len => len,
                });
                let read = |of: &Nd<i32>, at: Triple| {
                    of.get(std::array::from_fn(|axis| if of.shape[axis] == 1 { 0 } else { at[axis] }))
                };
                let host = Nd::build(shape, |at| op.on_host(read(&x.host, at), read(&y.host, at)));
                let op = *op;
                let device = x.device.zip(y.device).map(move |(x, y)| op.of_values(x, y));
                return Ok(Both { host, device });
            }
            _ => {}
        }
        let both = self.inner().both(world)?;
        let Both { host, device } = both;
        let shape = host.shape;
        let whole = positions(shape).next().is_some();
        Ok(match self {
            Ax::Part(part, _) => Both { host: part.on_host(&host), device: part.of_expr(device) },
            Ax::Roll(axis, shift, _) => {
                let len = shape[*axis] as isize;
                let from = |at: usize| (at as isize - shift).rem_euclid(len) as usize;
                Both { host: host.along(*axis, shape[*axis], from), device: device.roll(*axis, *shift) }
            }
            Ax::Pad(rule, widths, _) if whole => {
                let padded = std::array::from_fn(|axis| shape[axis] + widths[axis].0 + widths[axis].1);
                let from = |at: Triple| std::array::from_fn(|axis| at[axis] as i128 - widths[axis].0 as i128);
                let values = Nd::build(padded, |at| rule.read(&host, from(at)));
                Both { host: values, device: device.pad(*widths, rule.pad()) }
            }
            Ax::Take(axis, indices, _) if whole => {
                let (indices, wanted) = (&world.indices[*indices], &world.host_indices[*indices]);
                let count = wanted.len().min(9);
                let len = shape[*axis];
                let at = indices.iter().take(count) % len as u32;
                let device = device.take(*axis, ArrayExpr::from_expr(at, [count]));
                Both { host: host.along(*axis, count, |at| wanted[at] as usize % len), device }
            }
            Ax::Repeat(axis, count, _) if host.items.len() * count <= MOST => {
                let len = shape[*axis] * count;
                Both { host: host.along(*axis, len, |at| at / count), device: device.repeat(*axis, *count) }
            }
            Ax::Tile(axis, count, _) if host.items.len() * count <= MOST => {
                let values = host.along(*axis, shape[*axis] * count, |at| at % shape[*axis]);
                Both { host: values, device: device.tile(with([1; 3], *axis, *count)) }
            }
            Ax::Diff(axis, _) => {
                let cut = with(shape, *axis, shape[*axis].saturating_sub(1));
                let next = |at: Triple| with(at, *axis, at[*axis] + 1);
                let values = Nd::build(cut, |at| host.get(next(at)).wrapping_sub(host.get(at)));
                Both { host: values, device: device.diff(*axis) }
            }
            Ax::Lower(k, _) => {
                let keeps = |[_, i, j]: Triple| j as isize - i as isize <= *k;
                let values = Nd::build(shape, |at| if keeps(at) { host.get(at) } else { 0 });
                Both { host: values, device: device.tril(*k) }
            }
            Ax::Stencil(terms, _) => {
                let terms = STENCILS[*terms];
                let reach = |axis: usize, sign: isize| {
                    terms.iter().map(|(at, _)| (sign * at[axis]).max(0) as usize).max().unwrap_or(0)
                };
                let (back, ahead) =
                    ([0, 1, 2].map(|axis| reach(axis, -1)), [0, 1, 2].map(|axis| reach(axis, 1)));
                if (0..3).any(|axis| shape[axis] <= back[axis] + ahead[axis]) {
                    return Ok(Both { host, device });
                }
                let inner = std::array::from_fn(|axis| shape[axis] - back[axis] - ahead[axis]);
                let rule = Rule::Edge; // never used
                let values = Nd::build(inner, |at| {
                    neighbours(terms, &host, rule, std::array::from_fn(|axis| at[axis] + back[axis]))
                });
                Both { host: values, device: device.stencil(|at| combined(terms, at)) }
            }
            Ax::Bordered(terms, rule, _) if whole => {
                let terms = STENCILS[*terms];
                let values = Nd::build(shape, |at| neighbours(terms, &host, *rule, at));
                let device = device.stencil_padded(rule.pad(), |at| combined(terms, at));
                Both { host: values, device: device.collect_on(world.main_queue())?.into_array_expr() }
            }
            Ax::Windows(sizes, _) if whole => {
                let sizes: Triple = std::array::from_fn(|axis| sizes[axis].min(shape[axis]));
                let count = std::array::from_fn(|axis| shape[axis] - sizes[axis] + 1);
                let values = Nd::build(count, |at| {
                    let inside =
                        positions(sizes).map(|by| host.get(std::array::from_fn(|axis| at[axis] + by[axis])));
                    inside.fold(0_i32, i32::wrapping_add)
                });
                let made: Array<i32, 3> = device.windows::<6>(sizes).fold_axes(&[3, 4, 5], |a, b| a + b)?;
                Both { host: values, device: made.into_array_expr() }
            }
            Ax::Along(along, axis, _) if whole => along.both(*axis, host, device)?,
            Ax::Plus(value, _) => {
                let value = *value;
                Both { host: host.map(|x| x.wrapping_add(value)), device: device + value }
            }
            Ax::Map(_) => {
                let values = host.map(|x| x.wrapping_mul(3).wrapping_sub(1).max(-100));
                Both { host: values, device: device.map(|x| (x * 3 - 1).max(-100)) }
            }
            // An operation that the shape does not allow is left out.
            _ => Both { host, device },
        })
    }

    fn inner(&self) -> &Ax {
        match self {
            Ax::Part(_, x)
            | Ax::Roll(_, _, x)
            | Ax::Pad(_, _, x)
            | Ax::Take(_, _, x)
            | Ax::Repeat(_, _, x)
            | Ax::Tile(_, _, x)
            | Ax::Diff(_, x)
            | Ax::Lower(_, x)
            | Ax::Stencil(_, x)
            | Ax::Bordered(_, _, x)
            | Ax::Windows(_, x)
            | Ax::Along(_, _, x)
            | Ax::Plus(_, x)
            | Ax::Map(x)
            | Ax::Zip(_, x, _) => x,
            Ax::View(..) | Ax::Coordinates(_) => self,
        }
    }
}

/// Returns both with their axes cut to the shorter one, unless one of them is broadcast.
fn fitted<'w>(mut x: Both<'w>, mut y: Both<'w>) -> (Both<'w>, Both<'w>) {
    for axis in 0..3 {
        let lens = [x.host.shape[axis], y.host.shape[axis]];
        if lens[0] != lens[1] && !lens.contains(&1) {
            let len = lens[0].min(lens[1]);
            (x, y) = (cut(x, axis, len), cut(y, axis, len));
        }
    }
    (x, y)
}

/// Returns the first `len` coordinates along an axis.
pub(crate) fn cut(x: Both<'_>, axis: usize, len: usize) -> Both<'_> {
    Both { host: x.host.cut(axis, len), device: x.device.slice_axis(axis, ..len as isize) }
}

fn neighbours(terms: Terms, x: &Nd<i32>, rule: Rule, at: Triple) -> i32 {
    let value =
        |by: &[isize; 3]| rule.read(x, std::array::from_fn(|axis| at[axis] as i128 + by[axis] as i128));
    terms.iter().fold(0, |sum: i32, (by, factor)| sum.wrapping_add(value(by).wrapping_mul(*factor)))
}

fn combined(terms: Terms, at: &dyn Fn([isize; 3]) -> Val<i32>) -> Val<i32> {
    terms.iter().fold(Val::known(0), |sum, &(by, factor)| sum + at(by) * factor)
}

impl Along {
    fn both<'w>(self, axis: usize, host: Nd<i32>, device: ArrayExpr<'w, i32, 3>) -> Outcome<Both<'w>> {
        let folded = |item: &dyn Fn(Vec<i32>) -> i32| {
            Nd::build(with(host.shape, axis, 1), |at| item(host.line(at, axis)))
        };
        let scanned = |item: fn(i32, i32) -> i32| {
            Nd::build(host.shape, |at| {
                host.line(at, axis)[..=at[axis]].iter().copied().reduce(item).unwrap_or(0)
            })
        };
        let kept = |made: Array<i32, 2>| made.into_array_expr().insert_axis(axis);
        Ok(match self {
            Along::Sum => {
                let values = folded(&|line| line.into_iter().fold(0, i32::wrapping_add));
                Both { host: values, device: kept(device.sum_axis(axis)?) }
            }
            Along::Largest => {
                let values = folded(&|line| line.into_iter().max().unwrap_or(0));
                Both { host: values, device: kept(device.fold_axis(axis, Val::max)?) }
            }
            Along::Argmax => {
                let values = folded(&|line| {
                    let largest = line.iter().max();
                    line.iter().position(|x| Some(x) == largest).unwrap_or(0) as i32
                });
                let made = device.argmax_axis(axis)?.into_array_expr().insert_axis(axis);
                Both { host: values, device: made.cast::<i32>() }
            }
            Along::Sums => {
                let values = scanned(i32::wrapping_add);
                Both { host: values, device: device.cumulative_sum(axis)?.into_array_expr() }
            }
            Along::LargestSoFar => {
                Both { host: scanned(i32::max), device: device.cumulative_max(axis)?.into_array_expr() }
            }
            Along::Sort => {
                let values = Nd::build(host.shape, |at| {
                    let mut line = host.line(at, axis);
                    line.sort_unstable();
                    line[at[axis]]
                });
                Both { host: values, device: device.sort_axis(axis)?.into_array_expr() }
            }
        })
    }
}
