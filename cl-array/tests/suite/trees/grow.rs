//! Random trees: leaves, changes, and functions of two subtrees.

use super::change::{Change, View, view};
use super::model::{Model, joined};
use super::ranks::{Both, Lazy, Stored, any_rank, shape_of};
use super::{MOST, Random};
use cl_array::prelude::*;

/// The arrays of a program, of elements of several sizes.
pub(super) struct Leaves {
    ints: Vec<(Stored<i32>, Model)>,
    bytes: Vec<(Stored<i8>, Model)>,
    longs: Vec<(Stored<u64>, Model)>,
    /// Indices, before they are divided by a length.
    pub(super) numbers: Array<u32, 1>,
    pub(super) host_numbers: Vec<u32>,
}

/// The result of a tree.
pub(super) enum Outcome {
    Ints(Stored<i32>, Model),
    Bytes(Stored<i8>, Model),
    Longs(Stored<u64>, Model),
    Scalar,
}

/// A tree, on the device and on the host.
#[derive(Clone)]
pub(super) struct Node<'a> {
    pub(super) lazy: Lazy<'a>,
    pub(super) model: Model,
    pub(super) text: String,
}

impl Leaves {
    pub(super) fn new(queue: &Queue, random: &mut Random) -> Leaves {
        let host_numbers: Vec<u32> = (0..MOST).map(|_| random.number() as u32).collect();
        let mut leaves = Leaves {
            ints: Vec::new(),
            bytes: Vec::new(),
            longs: Vec::new(),
            numbers: Array::from_slice(queue, [MOST], &host_numbers).unwrap(),
            host_numbers,
        };
        for _ in 0..2 {
            let shape = random.shape();
            let model = Model::new(&shape, |_| random.number() as i32 >> 12);
            leaves.add(Outcome::Ints(Stored::new(queue, &shape, &model.elements), model));
        }
        let shape = random.shape();
        let bytes = Model::new(&shape, |_| i32::from(random.number() as i8));
        let elements: Vec<i8> = bytes.elements.iter().map(|&x| x as i8).collect();
        leaves.add(Outcome::Bytes(Stored::new(queue, &shape, &elements), bytes));
        let shape = random.shape();
        let longs = Model::new(&shape, |_| random.number() as i32);
        let elements: Vec<u64> = longs.elements.iter().map(|&x| i64::from(x) as u64).collect();
        leaves.add(Outcome::Longs(Stored::new(queue, &shape, &elements), longs));
        leaves
    }

    pub(super) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Ints(array, model) => self.ints.push((array, model)),
            Outcome::Bytes(array, model) => self.bytes.push((array, model)),
            Outcome::Longs(array, model) => self.longs.push((array, model)),
            Outcome::Scalar => (),
        }
    }
}

pub(super) fn grow<'a>(random: &mut Random, leaves: &'a Leaves, size: usize) -> Node<'a> {
    if size == 0 {
        return leaf(random, leaves);
    }
    if size > 1 && random.chance(35) {
        let (a, b) = (grow(random, leaves, size / 2), grow(random, leaves, (size - 1) / 2));
        let (a, b) = if random.chance(50) { (a, b) } else { (b, a) };
        return a.with(b, random, leaves);
    }
    let node = grow(random, leaves, size - 1);
    let (shape, rank) = (node.model.shape.clone(), node.model.rank());
    match random.below(14) {
        0 if rank < 5 => node.with_axis(random.below(rank + 1)),
        1 | 2 if rank > 0 => {
            let axis = random.below(rank);
            match shape[axis] {
                0 => node,
                len => node.at_index(axis, random.below(len)),
            }
        }
        3 | 4 => {
            let mut to: Vec<usize> = (0..random.below(6 - rank)).map(|_| 1 + random.below(4)).collect();
            to.extend(shape.iter().map(|&len| if len == 1 { 1 + random.below(9) } else { len }));
            if to.iter().product::<usize>() <= MOST { node.broadcast(&to) } else { node }
        }
        _ => {
            let change = Change::random(random, &shape);
            node.changed(&change, leaves)
        }
    }
}

fn leaf<'a>(random: &mut Random, leaves: &'a Leaves) -> Node<'a> {
    match random.below(12) {
        0 => scalar(random.small()),
        1 | 2 => coordinates(&random.shape(), 1 + random.below(9) as u64),
        3..5 => {
            let (array, model) = &leaves.bytes[random.below(leaves.bytes.len())];
            let lazy = any_rank!(Stored, array, array => array.iter().cast::<i32>().into());
            Node { lazy, model: model.clone(), text: format!("bytes{:?}", model.shape) }
        }
        5..7 => {
            let (array, model) = &leaves.longs[random.below(leaves.longs.len())];
            let lazy = any_rank!(Stored, array, array => array.iter().cast::<i32>().into());
            Node { lazy, model: model.clone(), text: format!("longs{:?}", model.shape) }
        }
        _ => {
            let (array, model) = &leaves.ints[random.below(leaves.ints.len())];
            let (mut views, mut viewed) = (Vec::new(), model.clone());
            if model.rank() > 0 {
                for _ in 0..random.below(3) {
                    let view = View::random(random, &viewed.shape);
                    viewed = view.on_host(&viewed);
                    views.push(view);
                }
            }
            let lazy = any_rank!(Stored, array, array => {
                let view = views.iter().fold(array.view(), |array, view| view!(array, view));
                ArrayExpr::from(view).into()
            });
            Node { lazy, model: viewed, text: format!("ints{:?}{views:?}", model.shape) }
        }
    }
}

fn scalar<'a>(value: i32) -> Node<'a> {
    let lazy = Lazy::R0(ArrayOperand::<i32, 0>::into_array_expr(value));
    Node { lazy, model: Model::new(&[], |_| value), text: value.to_string() }
}

/// Returns an array whose elements are computed from their coordinates.
pub(super) fn coordinates<'a>(shape: &[usize], factor: u64) -> Node<'a> {
    fn of<const N: usize>(shape: &[usize], factor: u64) -> ArrayExpr<'static, i32, N> {
        ArrayExpr::from_fn(shape_of(shape), |at| {
            let sum = at.into_iter().fold(Val::known(1), |sum: Val<u64>, at| sum * factor + at);
            sum.cast::<i32>()
        })
    }
    let lazy = match shape.len() {
        0 => Lazy::R0(of(shape, factor)),
        1 => Lazy::R1(of(shape, factor)),
        2 => Lazy::R2(of(shape, factor)),
        3 => Lazy::R3(of(shape, factor)),
        4 => Lazy::R4(of(shape, factor)),
        _ => Lazy::R5(of(shape, factor)),
    };
    let model = Model::new(shape, |at| at.iter().fold(1, |sum, &at| sum * factor + at as u64) as i32);
    Node { lazy, model, text: format!("coordinates{shape:?}") }
}

impl<'a> Node<'a> {
    pub(super) fn changed(self, change: &Change, leaves: &'a Leaves) -> Node<'a> {
        Node {
            lazy: change.of(self.lazy, &leaves.numbers),
            model: change.on_host(&self.model, &leaves.host_numbers),
            text: format!("{}.{change:?}", self.text),
        }
    }

    pub(super) fn with_axis(self, axis: usize) -> Node<'a> {
        let mut shape = self.model.shape;
        shape.insert(axis, 1);
        let model = Model { shape, elements: self.model.elements };
        Node { lazy: self.lazy.insert_axis(axis), model, text: format!("{}.insert_axis({axis})", self.text) }
    }

    pub(super) fn at_index(self, axis: usize, index: usize) -> Node<'a> {
        let mut model = self.model.along(axis, 1, 0, |_| Some(index));
        model.shape.remove(axis);
        let text = format!("{}.index_axis({axis}, {index})", self.text);
        Node { lazy: self.lazy.index_axis(axis, index), model, text }
    }

    pub(super) fn broadcast(self, shape: &[usize]) -> Node<'a> {
        let text = format!("{}.broadcast({shape:?})", self.text);
        Node { lazy: self.lazy.broadcast(shape), model: self.model.broadcast(shape), text }
    }

    /// Returns the array with another length along an axis: a part of it, or padded.
    pub(super) fn fitted(self, axis: usize, len: usize, random: &mut Random, leaves: &'a Leaves) -> Node<'a> {
        let own = self.model.shape[axis];
        if len <= own {
            return self.changed(&Change::View(View::first(axis, len)), leaves);
        }
        let mut widths = vec![(0, 0); self.model.rank()];
        widths[axis].1 = len - own;
        let pads = [Pad::Constant(3), Pad::Edge, Pad::Reflect, Pad::Wrap];
        let pad = if self.model.elements.is_empty() { pads[0] } else { pads[random.below(4)] };
        self.changed(&Change::Pad(widths, pad), leaves)
    }

    /// Returns a function of two arrays, the second of which is changed so that the shapes fit.
    fn with(self, other: Node<'a>, random: &mut Random, leaves: &'a Leaves) -> Node<'a> {
        let (mut other, rank) = (other, self.model.rank());
        for back in 1..=rank.min(other.model.rank()) {
            let at = other.model.rank() - back;
            let (own, len) = (self.model.shape[rank - back], other.model.shape[at]);
            if own == len || own == 1 || len == 1 {
                continue;
            }
            let wanted = if len > 0 && random.chance(30) { 1 } else { own };
            other = other.fitted(at, wanted, random, leaves);
        }
        if joined(&self.model.shape, &other.model.shape).iter().product::<usize>() > 2 * MOST {
            other = scalar(random.small());
        }
        let both = Both::ALL[random.below(7)];
        Node {
            model: self.model.join(&other.model, |a, b| both.on_host(a, b)),
            text: format!("{both:?}({}, {})", self.text, other.text),
            lazy: both.of(self.lazy, other.lazy),
        }
    }
}
