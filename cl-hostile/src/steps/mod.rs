//! The steps of programs.

mod arrays;
mod boxes;
mod collections;
mod dense;
mod failing;
mod grids;
mod images;
mod in_place;
mod matrices;
mod mechanism;
mod memory;
mod operators;
mod orders;
mod sequences;
mod shared;
mod transforms;
mod values;

use crate::array_expression::Ax;
use crate::dice::Dice;
use crate::expression::Ex;
use crate::finding::Outcome;
use crate::operator::Op;
use crate::part::Part;
use crate::target::Target;
use crate::world::World;
use orders::{By, Comparator};
use values::{Fold, Store};

/// One step. Every step is possible in every state, so that a program remains valid when steps are taken out.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Store(Store, Target, Ex, usize),
    Collect { into: usize, ex: Ex },
    Fold(Fold, Ex),
    Scalar { into: usize, ex: Ex },
    Pair(Ex),
    Merge(Ex, Ex),
    Histogram(Ex, usize),
    Order { ex: Ex, into: usize },
    Scatter { ex: Ex, into: usize, seed: u64 },
    OutOfRange { into: usize, from: usize, seed: u64, writes: bool },
    Refused { which: usize, target: Target, ex: Ex },
    InPlace(in_place::Change, Target),
    By(By, Comparator, Target, usize),
    Pairs(in_place::Pairs, Target, Target),
    Buffer(memory::Command, usize, u64),
    Box(boxes::Move, usize, u64),
    Image { kind: usize, commands: usize, seed: u64 },
    Shared { commands: usize, seed: u64 },
    Threads { vector: usize, threads: usize, rounds: usize, seed: u64 },
    Event { events: usize, commands: usize, seed: u64 },
    Liar { solver: usize, truths: usize, seed: u64 },
    Matrix(matrices::Change, usize, u64),
    Transform(transforms::Transform, usize, usize, u64),
    Look(usize),
    Array { place: arrays::Place, into: usize, parts: Vec<Part>, ex: Ax },
    OwnElements(arrays::Own, usize, u64),
    Products { subscripts: &'static str, arrays: [usize; 2], seed: u64 },
    Put { axis: usize, into: usize, seed: u64 },
    RefusedArray { which: usize, into: usize, ex: Ax },
    Mechanism(mechanism::Mechanism, u64),
    Formula(grids::Form, u64),
    Sequence(sequences::Sequence, usize, u64),
    Collection(collections::Collection, u64),
    Dense(dense::Dense, u64),
}

/// The number of kinds of steps in [`Step::of_shape`]. Shape `number` has the kind `number % KINDS`.
pub(crate) const KINDS: usize = 32;

impl Step {
    /// Returns a step of the shape `number`. Steps of one shape need the same kernels. `number` decides the
    /// kind of the step; stores and other kinds take turns, so that a few shapes cover many kinds. `shape`
    /// decides which kernels the step needs, and `data` decides which values the kernels compute with.
    pub(crate) fn of_shape(number: usize, shape: &mut Dice, data: &mut Dice) -> Step {
        let seed = data.next() % 1_000_000;
        let ex = |shape: &mut Dice, data: &mut Dice| {
            let ex = Ex::random(shape, data);
            if ex.has_queue() {
                ex
            } else {
                Ex::Zip(Op::Add, Box::new(ex), Box::new(Ex::Vector(shape.below(8))))
            }
        };
        match number % KINDS {
            0 => {
                // Lengths up to 64, and now and then a longer one.
                let n = match shape.below(4) {
                    0 => shape.pick(&transforms::LENGTHS),
                    _ => 1 + shape.below(64),
                };
                Step::Transform(shape.pick(&transforms::TRANSFORMS), n, 1 + data.below(3), seed)
            }
            2 | 16 | 20 => Step::Fold(shape.pick(&values::FOLDS), ex(shape, data)),
            4 | 22 => Step::Collect { into: shape.below(8), ex: ex(shape, data) },
            6 => Step::Merge(ex(shape, data), ex(shape, data)),
            8 => Step::Scatter { ex: ex(shape, data), into: shape.below(8), seed },
            10 => Step::Histogram(ex(shape, data), data.below(100)),
            12 => Step::Order { ex: ex(shape, data), into: shape.below(2) },
            14 => {
                let target = Target::random(shape, data);
                Step::Refused { which: data.below(8), target, ex: ex(shape, data) }
            }
            17 => Step::Scalar { into: shape.below(2), ex: ex(shape, data) },
            18 => Step::Pair(ex(shape, data)),
            24 | 27 | 28 | 30 => {
                let (place, into) = (shape.pick(&arrays::PLACES), shape.below(3));
                let parts = Part::several(2, shape, data);
                Step::Array { place, into, parts, ex: Ax::random(shape, data) }
            }
            25 => {
                let arrays = [shape.below(3), shape.below(3)];
                Step::Products { subscripts: shape.pick(&arrays::SUBSCRIPTS), arrays, seed }
            }
            26 => {
                let (which, into) = (data.below(arrays::WRONG), shape.below(3));
                Step::RefusedArray { which, into, ex: Ax::random(shape, data) }
            }
            29 | 31 => Step::Formula(grids::Form::random(shape), seed),
            _ => {
                // `Assign` comes most often, because most user programs use it most.
                let store = if shape.one_in(3) { Store::Assign } else { shape.pick(&values::STORES) };
                Step::Store(store, Target::random(shape, data), ex(shape, data), data.len())
            }
        }
    }

    /// Returns a random step of a kind that needs few kernels, whatever its numbers are.
    pub(crate) fn of_few_kernels(data: &mut Dice) -> Step {
        let seed = data.next() % 1_000_000;
        // Views need the same kernels whatever their shape is: only numbers differ. So they can be drawn from
        // `data`.
        let target = |data: &mut Dice| Target::random(&mut Dice::new(data.next(), 0), data);
        match data.below(32) {
            0 | 1 => Step::InPlace(data.pick(&in_place::CHANGES), target(data)),
            2 | 13 => {
                let less = Comparator::random(data);
                Step::By(data.pick(&orders::BYS), less, target(data), data.below(8))
            }
            3 => Step::Pairs(data.pick(&in_place::PAIRS), target(data), target(data)),
            4 => {
                let (into, from, writes) = (data.below(8), data.below(8), data.one_in(2));
                Step::OutOfRange { into, from, seed, writes }
            }
            5..=7 => Step::Buffer(data.pick(&memory::COMMANDS), data.below(8), seed),
            8 | 9 => {
                let (threads, rounds) = (2 + data.below(3), 1 + data.below(60));
                Step::Threads { vector: data.below(8), threads, rounds, seed }
            }
            10 => Step::Event { events: 1 + data.below(3), commands: 1 + data.below(MOST_COMMANDS), seed },
            11 => Step::Box(data.pick(&boxes::MOVES), data.below(8), seed),
            14 => Step::Image { kind: data.below(images::KINDS), commands: 1 + data.below(8), seed },
            15 => Step::Shared { commands: 1 + data.below(8), seed },
            18 => Step::OwnElements(data.pick(&arrays::OWN), data.below(3), seed),
            19 => Step::Put { axis: data.below(3), into: data.below(3), seed },
            20..=23 => Step::Mechanism(data.pick(&mechanism::MECHANISMS), seed),
            24..=26 => Step::Sequence(data.pick(&sequences::SEQUENCES), data.below(8), seed),
            27..=29 => Step::Collection(data.pick(&collections::COLLECTIONS), seed),
            30 | 31 => Step::Dense(data.pick(&dense::DENSE), seed),
            16 => Step::Liar { solver: data.below(8), truths: 6 + data.below(8), seed },
            _ => Step::Matrix(data.pick(&matrices::CHANGES), data.below(2), seed),
        }
    }

    /// Does the step on the device and in the model.
    pub(crate) fn run(&self, world: &mut World) -> Outcome {
        let mut forms = Vec::new();
        self.expressions().into_iter().for_each(|ex| ex.forms(&mut forms));
        matrices::make(world, &forms)?;
        match self {
            Step::Store(store, target, ex, start) => values::store(world, *store, target, ex, *start),
            Step::Collect { into, ex } => values::collect(world, *into, ex),
            Step::Fold(fold, ex) => values::fold(world, *fold, ex),
            Step::Pair(ex) => values::pair(world, ex),
            Step::Merge(a, b) => values::merge_two(world, a, b),
            Step::Histogram(ex, bins) => values::bins(world, ex, *bins),
            Step::Order { ex, into } => in_place::order(world, ex, *into),
            Step::Scatter { ex, into, seed } => in_place::scatter_all(world, ex, *into, *seed),
            Step::OutOfRange { into, from, seed, writes } => {
                in_place::out_of_range(world, *into, *from, *seed, *writes)
            }
            Step::Refused { which, target, ex } => values::refuse(world, *which, target, ex),
            Step::By(by, less, target, other) => orders::by(world, *by, *less, target, *other),
            Step::InPlace(change, target) => in_place::change(world, *change, target),
            Step::Pairs(how, keys, values) => in_place::pairs(world, *how, keys, values),
            Step::Scalar { into, ex } => values::scalar(world, *into, ex),
            Step::Box(what, vector, seed) => boxes::boxes(world, *what, *vector, *seed),
            Step::Image { kind, commands, seed } => images::images(world, *kind, *commands, *seed),
            Step::Shared { commands, seed } => shared::shared(world, *commands, *seed),
            Step::Buffer(command, vector, seed) => memory::command(world, *command, *vector, *seed),
            Step::Threads { vector, threads, rounds, seed } => {
                memory::threads(world, *vector, *threads, *rounds, *seed)
            }
            Step::Event { events, commands, seed } => failing::events(world, *events, *commands, *seed),
            Step::Liar { solver, truths, seed } => operators::liar(world, *solver, *truths, *seed),
            Step::Matrix(change, matrix, seed) => matrices::change(world, *change, *matrix, *seed),
            Step::Transform(transform, n, batch, seed) => {
                transforms::transform(world, *transform, *n, *batch, *seed)
            }
            Step::Look(vector) => world.compare(*vector),
            Step::Array { place, into, parts, ex } => arrays::evaluate(world, *place, *into, parts, ex),
            Step::OwnElements(own, into, seed) => arrays::update(world, *own, *into, *seed),
            Step::Products { subscripts, arrays, seed } => {
                arrays::products(world, subscripts, *arrays, *seed)
            }
            Step::Put { axis, into, seed } => arrays::put(world, *axis, *into, *seed),
            Step::RefusedArray { which, into, ex } => arrays::refuse(world, *which, *into, ex),
            Step::Mechanism(of, seed) => mechanism::mechanism(world.main_queue(), *of, *seed),
            Step::Sequence(what, vector, seed) => sequences::sequence(world, *what, *vector, *seed),
            Step::Collection(what, seed) => collections::collection(world.main_queue(), *what, *seed),
            Step::Dense(what, seed) => dense::dense(world.main_queue(), *what, *seed),
            Step::Formula(form, seed) => grids::formula(world.main_queue(), form, *seed),
        }
    }

    fn expressions(&self) -> Vec<&Ex> {
        match self {
            Step::Store(_, _, ex, _)
            | Step::Collect { ex, .. }
            | Step::Fold(_, ex)
            | Step::Scalar { ex, .. }
            | Step::Pair(ex)
            | Step::Histogram(ex, _)
            | Step::Order { ex, .. }
            | Step::Scatter { ex, .. }
            | Step::Refused { ex, .. } => vec![ex],
            Step::Merge(a, b) => vec![a, b],
            _ => Vec::new(),
        }
    }
}

/// The most commands of a step with user events.
const MOST_COMMANDS: usize = 12;
