//! The evaluation of a tree: into arrays, into parts of arrays, by reductions, products and joins.

use super::change::{Change, View};
use super::grow::{Leaves, Node, Outcome, coordinates, grow};
use super::model::Model;
use super::ranks::{Fold, Lazy, Stored, any_rank, shape_of};
use super::{MOST, Random};
use cl_array::prelude::*;
use cl_array::{AxisSlice, Rank, Reduce};
use cl_core::Result;
use cl_test::full_or_small;

/// Returns the number of items of a large reduction, which is computed in two kernels.
fn large() -> usize {
    full_or_small(70_000, 700)
}

/// Compares an array with the model's shape and elements.
fn check<T: Element + PartialEq + std::fmt::Debug>(found: &Stored<T>, shape: &[usize], wanted: &[T]) {
    assert_eq!(found.shape(), shape);
    let elements = found.to_vec();
    assert_eq!(elements.len(), wanted.len());
    if let Some(at) = (0..wanted.len()).find(|&at| elements[at] != wanted[at]) {
        panic!("element {at} of shape {shape:?} is {:?}, not {:?}", elements[at], wanted[at]);
    }
}

fn ints(found: Stored<i32>, model: Model) -> Outcome {
    check(&found, &model.shape, &model.elements);
    Outcome::Ints(found, model)
}

fn arg<const N: usize>(
    expr: ArrayExpr<'_, i32, N>,
    axis: usize,
    largest: bool,
) -> Result<<Rank<N> as Reduce>::Array<u64>>
where
    Rank<N>: Reduce,
{
    if largest { expr.argmax_axis(axis) } else { expr.argmin_axis(axis) }
}

/// Evaluates an expression for each rank from 1 on.
macro_rules! with_axes {
    ($lazy:expr, $name:ident => $body:expr) => {
        match $lazy {
            Lazy::R0(_) => panic!("rank 0"),
            Lazy::R1($name) => $body,
            Lazy::R2($name) => $body,
            Lazy::R3($name) => $body,
            Lazy::R4($name) => $body,
            Lazy::R5($name) => $body,
        }
    };
}

impl<'a> Node<'a> {
    /// Evaluates the tree in a random way, and compares the result. Adds a description to `text`.
    pub(super) fn sink(
        self,
        random: &mut Random,
        queue: &'a Queue,
        leaves: &'a Leaves,
        text: &mut String,
    ) -> Outcome {
        let rank = self.model.rank();
        let node = Node { lazy: self.lazy.on(queue), ..self };
        assert_eq!(node.lazy.shape(), node.model.shape);
        let kind = random.below(16);
        *text += &format!(" sink {kind}");
        match kind {
            0 => {
                let wanted: Vec<i8> = node.model.elements.iter().map(|&x| x as i8).collect();
                let found = any_rank!(Lazy, node.lazy, expr => expr.cast::<i8>().collect().unwrap().into());
                check(&found, &node.model.shape, &wanted);
                Outcome::Bytes(found, node.model.map(|x| i32::from(x as i8)))
            }
            1..5 => {
                let (found, model) =
                    any_rank!(Lazy, node.lazy, expr => assigned(random, queue, expr, &node.model, text));
                ints(found, model)
            }
            5..7 if rank > 0 => node.folded(random, text),
            7 if rank > 0 => node.folded_along_several(random, text),
            8 if rank > 0 => node.extremes(random, text),
            9 => node.whole(),
            10 | 11 => node.product(random, leaves, text),
            12 if rank > 0 => node.concatenated(random, queue, leaves),
            13 if rank < 5 => node.stacked(random, queue, leaves),
            14 if rank < 5 && !node.model.elements.is_empty() => {
                let copies = large() / node.model.elements.len() + 1;
                let mut shape = vec![copies];
                shape.extend(&node.model.shape);
                let other = coordinates(&shape, 3);
                let node = Node {
                    model: node.model.join(&other.model, |a, b| a ^ b),
                    lazy: super::ranks::Both::Xor.of(node.lazy, other.lazy),
                    text: String::new(),
                };
                node.folded_along_several(random, text)
            }
            _ => {
                let found = any_rank!(Lazy, node.lazy, expr => expr.collect().unwrap().into());
                ints(found, node.model)
            }
        }
    }

    fn folded(self, random: &mut Random, text: &mut String) -> Outcome {
        let (axis, fold) = (random.below(self.model.rank()), Fold::ALL[random.below(5)]);
        *text += &format!(" {fold:?} along {axis}");
        let fold = if self.model.shape[axis] == 0 { Fold::Sum } else { fold };
        let (shape, elements) = self.model.fold(&[axis], |line| fold.on_host(line));
        let found: Stored<i32> = with_axes!(self.lazy, expr => fold.along(expr, axis).unwrap().into());
        ints(found, Model { shape, elements })
    }

    fn folded_along_several(self, random: &mut Random, text: &mut String) -> Outcome {
        let mut axes = random.permutation(self.model.rank());
        axes.truncate(random.below(axes.len() + 1));
        let fold = match axes.iter().any(|&axis| self.model.shape[axis] == 0) || random.chance(50) {
            true => Fold::Sum,
            false => Fold::Max,
        };
        *text += &format!(" {fold:?} along {axes:?} of {:?}", self.model.shape);
        let (shape, elements) = self.model.fold(&axes, |line| fold.on_host(line));
        ints(self.lazy.fold_axes(fold, &axes).unwrap(), Model { shape, elements })
    }

    /// Compares the coordinates of extremes, and the numbers of elements above 0.
    fn extremes(self, random: &mut Random, text: &mut String) -> Outcome {
        let (axis, largest) = (random.below(self.model.rank()), random.chance(50));
        *text += &format!(" extremes along {axis}, largest: {largest}");
        let (shape, wanted) = self.model.fold(&[axis], |line| line.iter().filter(|&&x| x > 0).count() as u64);
        let found: Stored<u64> =
            with_axes!(self.lazy.clone(), expr => expr.gt(0).count_axis(axis).unwrap().into());
        check(&found, &shape, &wanted);
        if self.model.shape[axis] == 0 {
            return Outcome::Scalar;
        }
        let (shape, wanted) = self.model.fold(&[axis], |line| {
            let best = |a: usize, b: usize| if largest { line[b] > line[a] } else { line[b] < line[a] };
            (0..line.len()).fold(0, |at, other| if best(at, other) { other } else { at }) as u64
        });
        let found: Stored<u64> = with_axes!(self.lazy, expr => arg(expr, axis, largest).unwrap().into());
        check(&found, &shape, &wanted);
        let elements = wanted.iter().map(|&at| at as i32).collect();
        Outcome::Longs(found, Model { shape, elements })
    }

    /// Compares reductions of all elements.
    fn whole(self) -> Outcome {
        let all = &self.model.elements;
        any_rank!(Lazy, self.lazy, expr => {
            assert_eq!(expr.clone().sum().unwrap(), Fold::Sum.on_host(all));
            assert_eq!(expr.clone().reduce_min().unwrap(), all.iter().copied().min());
            assert_eq!(expr.gt(0).any().unwrap(), all.iter().any(|&x| x > 0));
        });
        Outcome::Scalar
    }

    /// Returns the tree with two axes.
    fn into_matrix(mut self, random: &mut Random, leaves: &'a Leaves) -> Node<'a> {
        while self.model.rank() < 2 {
            let axis = random.below(self.model.rank() + 1);
            self = self.with_axis(axis);
        }
        while self.model.rank() > 2 {
            let axis = random.below(self.model.rank());
            if self.model.shape[axis] == 0 {
                self = self.fitted(axis, 1, random, leaves);
            }
            let index = random.below(self.model.shape[axis]);
            self = self.at_index(axis, index);
        }
        for axis in [0, 1] {
            if self.model.shape[axis] > 60 {
                self = self.fitted(axis, 60, random, leaves);
            }
        }
        self
    }

    fn product(self, random: &mut Random, leaves: &'a Leaves, text: &mut String) -> Outcome {
        let a = self.into_matrix(random, leaves);
        let b = grow(random, leaves, 2).into_matrix(random, leaves);
        let [m, k] = shape_of(&a.model.shape);
        let b = b.fitted(0, k, random, leaves);
        let n = b.model.shape[1];
        *text += &format!(" matmul {m} {k} {n}: {} @ {}", a.text, b.text);
        let product = Model::new(&[m, n], |at| {
            let term = |l| a.model.at(&[at[0], l]).wrapping_mul(b.model.at(&[l, at[1]]));
            (0..k).map(term).fold(0, i32::wrapping_add)
        });
        let (Lazy::R2(left), Lazy::R2(right)) = (a.lazy, b.lazy) else { panic!("two matrices") };
        if n > 0 && random.chance(30) {
            let column = random.below(n);
            let found = left.clone().matvec(right.clone().column(column)).unwrap().into();
            let wanted = Model::new(&[m], |at| product.at(&[at[0], column]));
            check(&found, &wanted.shape, &wanted.elements);
        }
        ints(left.matmul(right).unwrap().into(), product)
    }

    /// Returns the tree, a function of it, and a part of it.
    fn parts(&self, axis: usize, leaves: &'a Leaves) -> [Node<'a>; 2] {
        let turned = self.clone().changed(&Change::View(View::Flip(axis)), leaves);
        let first = Change::View(View::first(axis, self.model.shape[axis].div_ceil(2)));
        [turned.changed(&Change::Affine(3, -1), leaves), self.clone().changed(&first, leaves)]
    }

    fn concatenated(self, random: &mut Random, queue: &Queue, leaves: &'a Leaves) -> Outcome {
        let axis = random.below(self.model.rank());
        let [turned, first] = self.parts(axis, leaves);
        let lens = [&self, &turned, &first].map(|node| node.model.shape[axis]);
        let mut shape = self.model.shape.clone();
        shape[axis] = lens.iter().sum();
        let wanted = Model::new(&shape, |at| {
            let mut at = at.to_vec();
            for (node, len) in [&self, &turned, &first].into_iter().zip(lens) {
                if at[axis] < len {
                    return node.model.at(&at);
                }
                at[axis] -= len;
            }
            panic!("{at:?}")
        });
        macro_rules! of {
            ($($rank:ident)*) => {
                match (self.lazy, turned.lazy, first.lazy) {
                    $((Lazy::$rank(a), Lazy::$rank(b), Lazy::$rank(c)) => {
                        concatenate(queue, axis, [a, b, c]).unwrap().into()
                    })*
                    _ => panic!("different ranks"),
                }
            };
        }
        ints(of!(R1 R2 R3 R4 R5), wanted)
    }

    fn stacked(self, random: &mut Random, queue: &Queue, leaves: &'a Leaves) -> Outcome {
        let axis = random.below(self.model.rank() + 1);
        let other = self.clone().changed(&Change::Affine(-2, 5), leaves);
        let mut shape = self.model.shape.clone();
        shape.insert(axis, 2);
        let wanted = Model::new(&shape, |at| {
            let mut at = at.to_vec();
            let node = [&self, &other][at.remove(axis)];
            node.model.at(&at)
        });
        macro_rules! of {
            ($($rank:ident)*) => {
                match (self.lazy, other.lazy) {
                    $((Lazy::$rank(a), Lazy::$rank(b)) => stack(queue, axis, [a, b]).unwrap().into(),)*
                    _ => panic!("different ranks"),
                }
            };
        }
        ints(of!(R0 R1 R2 R3 R4), wanted)
    }
}

/// The part of an axis of a target.
struct Part {
    slice: AxisSlice,
    /// The coordinate of the first element, and the distance to the next one.
    first: usize,
    step: isize,
    /// The length of the whole axis.
    len: usize,
}

impl Part {
    fn random(random: &mut Random, count: usize, is_small: bool) -> Part {
        let step =
            if is_small { [1, 1, 2, 3, -1, -2][random.below(6)] } else { 1 - 2 * random.below(2) as isize };
        let (before, after) = if is_small { (random.below(3), random.below(3)) } else { (0, 0) };
        let span = if count == 0 { 0 } else { (count - 1) * step.unsigned_abs() + 1 };
        let slice = AxisSlice::Range { start: before as isize, end: Some((before + span) as isize), step };
        let first = if step < 0 && count > 0 { before + span - 1 } else { before };
        Part { slice, first, step, len: before + span + after }
    }
}

/// Assigns to a part of an array with steps, some of them negative, whose axes are permuted, and compares the whole
/// array.
fn assigned<const N: usize>(
    random: &mut Random,
    queue: &Queue,
    expr: ArrayExpr<'_, i32, N>,
    model: &Model,
    text: &mut String,
) -> (Stored<i32>, Model)
where
    Array<i32, N>: Into<Stored<i32>>,
{
    const OTHER: i32 = -77_777;
    let longer = |&len: &usize| if len == 1 && random.chance(30) { 1 + random.below(4) } else { len };
    let shape: Vec<usize> = model.shape.iter().map(longer).collect();
    let value = model.broadcast(&shape);
    let is_small = value.elements.len() < MOST / 4;
    let parts: Vec<Part> = shape.iter().map(|&count| Part::random(random, count, is_small)).collect();
    let order = random.permutation(N);
    let mut whole = vec![0; N];
    order.iter().zip(&parts).for_each(|(&axis, part)| whole[axis] = part.len);
    let cut = if N > 0 { random.below(3) } else { 0 };
    if N > 0 {
        whole[0] += cut;
    }
    let is_column_major = random.chance(30);
    let slices: Vec<AxisSlice> = parts.iter().map(|part| part.slice).collect();
    *text +=
        &format!(" to {slices:?} of {whole:?}, permuted {order:?}, cut {cut}, in columns: {is_column_major}");

    let vector = DeviceVec::filled(queue, OTHER, whole.iter().product()).unwrap();
    let whole_shape = shape_of(&whole);
    let mut target = match is_column_major {
        true => Array::column_major(vector, whole_shape).unwrap(),
        false => Array::from_vec(vector, whole_shape).unwrap(),
    };
    let mut view = target.view_mut();
    if cut > 0 {
        view = view.split_at(0, cut).unwrap().1;
    }
    view = view.permute_axes(shape_of(&order));
    for (axis, part) in parts.iter().enumerate() {
        view = view.slice_axis(axis, part.slice);
    }
    assert_eq!(view.shape(), shape[..]);
    view.assign(expr).unwrap();

    let mut wanted = Model::new(&whole, |_| OTHER);
    Model::new(&shape, |at| {
        let mut to = vec![0; N];
        for ((&axis, part), &at) in order.iter().zip(&parts).zip(at) {
            to[axis] = (part.first as isize + part.step * at as isize) as usize;
        }
        if N > 0 {
            to[0] += cut;
        }
        *wanted.at_mut(&to) = value.at(at);
        0
    });
    (target.into(), wanted)
}
