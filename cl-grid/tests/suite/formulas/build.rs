//! A random formula on the device, and the same function on the host.

use super::model::{EVERYWHERE, Model, Number, Point, Region, Rule as Border3, Tracked};
use super::tree::{Beyond, Offset, Rule, Symbol, Tree};
use cl_algo::ranked::HostElement;
use cl_algo::{Ordered, Signed, Val};
use cl_grid::GridNumber;
use cl_grid::prelude::*;
use std::rc::Rc;

/// The numbers of formulas: with numbers of the host on either side of an operator.
pub(super) trait Value: GridNumber + HostElement + Ordered + Signed + std::fmt::Debug {
    type Model: Number + 'static;
    const IS_DOUBLE: bool;

    fn of(value: i32) -> Self;
    /// Returns the number that stands for a coordinate in formulas.
    fn coordinate(at: Val<i32>) -> Val<Self>;
    /// Returns whether the device's result agrees with the host's, where `terms` more numbers were added in another order.
    fn agrees(self, wanted: Self::Model, terms: usize) -> bool;
    fn left<'a, const N: usize>(self, symbol: Symbol, f: Formula<'a, Self, N>) -> Formula<'a, Self, N>;
    fn right<'a, const N: usize>(self, symbol: Symbol, f: &Formula<'a, Self, N>) -> Formula<'a, Self, N>;
    fn left_of<'a, const N: usize>(self, symbol: Symbol, a: &Operator<'a, Self, N>) -> Operator<'a, Self, N>;
    fn right_of<'a, const N: usize>(self, adds: bool, a: Operator<'a, Self, N>) -> Operator<'a, Self, N>;
}

macro_rules! values {
    ($($type:ident $model:ty, $is_double:literal, $of:expr, $coordinate:expr, $agrees:expr;)*) => {$(
        impl Value for $type {
            type Model = $model;
            const IS_DOUBLE: bool = $is_double;

            fn of(value: i32) -> $type {
                $of(value)
            }

            fn coordinate(at: Val<i32>) -> Val<$type> {
                $coordinate(at)
            }

            fn agrees(self, wanted: $model, terms: usize) -> bool {
                $agrees(self, wanted, terms)
            }

            fn left<'a, const N: usize>(self, symbol: Symbol, f: Formula<'a, $type, N>) -> Formula<'a, $type, N> {
                match symbol {
                    Symbol::Add => self + f,
                    Symbol::Sub => self - &f,
                    Symbol::Mul => self * f,
                }
            }

            fn right<'a, const N: usize>(self, symbol: Symbol, f: &Formula<'a, $type, N>) -> Formula<'a, $type, N> {
                match symbol {
                    Symbol::Add => f + self,
                    Symbol::Sub => f - self,
                    Symbol::Mul => f.clone() * self,
                }
            }

            fn left_of<'a, const N: usize>(
                self,
                symbol: Symbol,
                a: &Operator<'a, $type, N>,
            ) -> Operator<'a, $type, N> {
                match symbol {
                    Symbol::Add => self + a,
                    Symbol::Sub => self - a.clone(),
                    Symbol::Mul => self * a,
                }
            }

            fn right_of<'a, const N: usize>(self, adds: bool, a: Operator<'a, $type, N>) -> Operator<'a, $type, N> {
                if adds { a + self } else { &a - self }
            }
        }
    )*};
}

macro_rules! floats_agree {
    ($type:ident) => {
        |own: $type, wanted: Tracked<$type>, terms: usize| {
            let bound = (16 + terms) as f64 * f64::from($type::EPSILON) * wanted.size;
            f64::from((own - wanted.value).abs()) <= bound
        }
    };
}

values! {
    i32 i32, false, |value| value, |at| at, |own, wanted, _| own == wanted;
    f32 Tracked<f32>, false, |value| value as f32 / 8.0, |at: Val<i32>| (at & 7).cast(), floats_agree!(f32);
    f64 Tracked<f64>, true, |value| f64::from(value) / 8.0, |at: Val<i32>| (at & 7).cast(), floats_agree!(f64);
}

type Both<'a, T, const N: usize> = (Formula<'a, T, N>, Rc<Model<<T as Value>::Model>>);

struct Builder<'a, T: Value, const N: usize> {
    leaves: &'a [Formula<'a, T, N>; 2],
    hosts: &'a [Vec<i32>; 2],
    shape: [usize; 3],
}

/// Returns a formula and its model. Borders that the function cannot have are left out of both.
pub(super) fn build<'a, T: Value, const N: usize>(
    tree: &Tree,
    leaves: &'a [Formula<'a, T, N>; 2],
    hosts: &'a [Vec<i32>; 2],
    shape: [usize; 3],
) -> Both<'a, T, N> {
    Builder { leaves, hosts, shape }.both(tree)
}

const HERE: Point = [0; 3];

fn number<M: Number>(value: i8) -> M {
    M::of(value.into())
}

fn value<T: Value>(value: i8) -> T {
    T::of(value.into())
}

/// Returns a value of the table along an axis.
fn entry(at: i64, seed: i8) -> i32 {
    ((at * 5 + i64::from(seed)) % 7) as i32 - 3
}

fn combined<M: Number>(symbol: Symbol, x: M, y: M) -> M {
    match symbol {
        Symbol::Add => x.add(y),
        Symbol::Sub => x.sub(y),
        Symbol::Mul => x.mul(y),
    }
}

/// Returns a function of the values of other functions at the same point.
fn pointwise<M: Number + 'static, const K: usize>(
    inputs: [Rc<Model<M>>; K],
    compute: impl Fn([M; K]) -> M + 'static,
) -> Rc<Model<M>> {
    let reads = (0..K).map(|input| (input, HERE)).collect();
    Model::stencil(inputs.into(), reads, move |items| compute(std::array::from_fn(|at| items[at])))
}

/// Returns the coordinates of an offset along the axes of a grid, for the device and the host.
fn offset<const N: usize>(by: Offset) -> ([isize; N], Point) {
    let point = std::array::from_fn(|axis| if axis < N { i64::from(by[axis]) } else { 0 });
    (std::array::from_fn(|axis| by[axis].into()), point)
}

impl<'a, T: Value, const N: usize> Builder<'a, T, N> {
    fn both(&self, tree: &Tree) -> Both<'a, T, N> {
        let numbers = |symbol, k: i8, x, is_left: bool| {
            pointwise([x], move |[x]| match is_left {
                true => combined(symbol, number(k), x),
                false => combined(symbol, x, number(k)),
            })
        };
        match tree {
            &Tree::Array(which) => {
                let values = self.hosts[which].iter().map(|&value| T::Model::of(value)).collect();
                (self.leaves[which].clone(), Model::array(values, self.shape))
            }
            &Tree::Number(k) => {
                let model = Model::function([EVERYWHERE; 3], false, move |_| number(k));
                (Formula::number(value(k)), model)
            }
            &Tree::Coordinates(factors) => {
                let formula = Formula::from_fn(|at: [Val<i32>; N]| {
                    let term = |axis: usize| T::coordinate(at[axis]) * Val::known(value(factors[axis]));
                    (1..N).fold(term(0), |sum, axis| sum + term(axis))
                });
                let model = Model::function([EVERYWHERE; 3], false, move |at| {
                    let term = |axis: usize| T::Model::coordinate(at[axis]).mul(number(factors[axis]));
                    (1..N).fold(term(0), |sum, axis| sum.add(term(axis)))
                });
                (formula, model)
            }
            &Tree::Along(axis, seed) => {
                let axis = axis % N;
                let len = self.shape[axis] as i64;
                let table: Vec<T> = (0..len).map(|at| T::of(entry(at, seed))).collect();
                let domain: Region =
                    std::array::from_fn(|other| if other == axis { (0, len) } else { EVERYWHERE });
                let model = Model::function(domain, false, move |at| T::Model::of(entry(at[axis], seed)));
                (Formula::along_axis(axis, &table), model)
            }
            Tree::Binary(symbol, x, y) => {
                let ((x, x_model), (y, y_model)) = (self.both(x), self.both(y));
                let formula = match symbol {
                    Symbol::Add => x + y,
                    Symbol::Sub => &x - y,
                    Symbol::Mul => x * &y,
                };
                let symbol = *symbol;
                (formula, pointwise([x_model, y_model], move |[x, y]| combined(symbol, x, y)))
            }
            &Tree::NumberLeft(symbol, k, ref x) => {
                let (x, model) = self.both(x);
                (value::<T>(k).left(symbol, x), numbers(symbol, k, model, true))
            }
            &Tree::NumberRight(symbol, ref x, k) => {
                let (x, model) = self.both(x);
                (value::<T>(k).right(symbol, &x), numbers(symbol, k, model, false))
            }
            Tree::Negative(x) => {
                let (x, model) = self.both(x);
                (-x, pointwise([model], |[x]| number::<T::Model>(0).sub(x)))
            }
            &Tree::Map(k, ref x) => {
                let (x, model) = self.both(x);
                let of = move |[x]: [T::Model; 1]| number::<T::Model>(k).sub(x.add(x));
                (x.map(|x| Val::known(value(k)) - (x + x)), pointwise([model], of))
            }
            Tree::Combine(all) => {
                let [x, y, z] = [&all[0], &all[1], &all[2]].map(|tree| self.both(tree));
                let formula = Formula::combine([x.0, y.0, z.0], |[x, y, z]| x.max(y) - z);
                (formula, pointwise([x.1, y.1, z.1], |[x, y, z]| x.max(y).sub(z)))
            }
            Tree::Max(x, y) => {
                let ((x, x_model), (y, y_model)) = (self.both(x), self.both(y));
                (x.max(y), pointwise([x_model, y_model], |[x, y]| x.max(y)))
            }
            Tree::Apply(rule, x) => {
                let (x, model) = self.both(x);
                (self.operator(rule).of(x), self.applied(rule, model))
            }
            Tree::Border(axis, beyond, x) => self.bordered(axis.map(|axis| axis % N), beyond, self.both(x)),
            Tree::Inline(x) => {
                let (x, model) = self.both(x);
                (x.inline(), model)
            }
            Tree::Materialize(x) => {
                let (x, model) = self.both(x);
                (x.materialize(), model)
            }
            Tree::InLayers(x) => {
                let (x, model) = self.both(x);
                (x.in_layers(), model)
            }
            Tree::Shared(x, rule) => {
                let (x, model) = self.both(x);
                let sum = pointwise([model.clone(), self.applied(rule, model)], |[x, y]| x.add(y));
                (&x + self.operator(rule).of(&x), sum)
            }
        }
    }

    fn bordered(&self, axis: Option<usize>, beyond: &Beyond, (x, model): Both<'a, T, N>) -> Both<'a, T, N> {
        let (border, rule): (BorderRule<'a, T, N>, Box<dyn Fn() -> Border3<T::Model>>) = match beyond {
            &Beyond::Value(k) => (BorderRule::Value(value(k)), Box::new(move || Border3::Value(number(k)))),
            Beyond::Function(tree) => {
                let (function, model) = self.both(tree);
                (BorderRule::Function(function), Box::new(move || Border3::Function(model.clone())))
            }
            Beyond::Edge => (BorderRule::Edge, Box::new(|| Border3::Edge)),
            Beyond::Reflect => (BorderRule::Reflect, Box::new(|| Border3::Reflect)),
            Beyond::Symmetric => (BorderRule::Symmetric, Box::new(|| Border3::Symmetric)),
            Beyond::Antisymmetric => (BorderRule::Antisymmetric, Box::new(|| Border3::Antisymmetric)),
            Beyond::Periodic => (BorderRule::Periodic, Box::new(|| Border3::Periodic)),
        };
        let (first, end) = axis.map_or((0, N), |axis| (axis, axis + 1));
        let bordered = (first..end)
            .try_fold(model.clone(), |model, axis| Model::bordered(&model, axis, rule(), self.shape));
        match (bordered, axis) {
            (None, _) => (x, model),
            (Some(model), None) => (x.border(border), model),
            (Some(model), Some(axis)) => (x.border_axis(axis, border), model),
        }
    }

    fn operator(&self, rule: &Rule) -> Operator<'a, T, N> {
        match rule {
            Rule::Terms { by_table, terms } => {
                let table: Vec<([isize; N], T)> =
                    terms.iter().map(|&(by, k)| (offset(by).0, value(k))).collect();
                if *by_table || table.is_empty() {
                    return Operator::from_table(&table);
                }
                Operator::new(move |at| {
                    let terms = table.iter().map(|&(by, factor)| at(by) * Val::known(factor));
                    terms.reduce(|sum, term| sum + term).unwrap()
                })
            }
            Rule::Data(data, by) => {
                let [own, one, two] = by.map(|by| offset::<N>(by).0);
                Operator::with([self.both(data).0], move |f, [data]| data(own) * (f(one) - f(two)))
            }
            Rule::Identity => Operator::identity(),
            Rule::Zero => Operator::zero(),
            &Rule::Multiple(k) => Operator::multiple(value(k)),
            Rule::Sum(a, b) => self.operator(a) + self.operator(b),
            Rule::Difference(a, b) => &self.operator(a) - &self.operator(b),
            Rule::Composition(a, b) => self.operator(a).compose(&self.operator(b)),
            &Rule::NumberLeft(symbol, k, ref a) => value::<T>(k).left_of(symbol, &self.operator(a)),
            &Rule::NumberRight(adds, ref a, k) => value::<T>(k).right_of(adds, self.operator(a)),
            Rule::Negative(a) => -self.operator(a),
        }
    }

    /// Returns the function that an operator makes of another one.
    fn applied(&self, rule: &Rule, x: Rc<Model<T::Model>>) -> Rc<Model<T::Model>> {
        match rule {
            Rule::Terms { terms, .. } if terms.is_empty() => self.applied(&Rule::Zero, x),
            Rule::Terms { terms, .. } => {
                let reads = terms.iter().map(|&(by, _)| (0, offset::<N>(by).1)).collect();
                let factors: Vec<T::Model> = terms.iter().map(|&(_, k)| number(k)).collect();
                Model::stencil(vec![x], reads, move |items| {
                    let terms = items.iter().zip(&factors).map(|(item, &factor)| item.mul(factor));
                    terms.reduce(Number::add).unwrap()
                })
            }
            Rule::Data(data, by) => {
                let [own, one, two] = by.map(|by| offset::<N>(by).1);
                let reads = vec![(1, own), (0, one), (0, two)];
                Model::stencil(vec![x, self.both(data).1], reads, |items| {
                    items[0].mul(items[1].sub(items[2]))
                })
            }
            Rule::Identity => x,
            Rule::Zero => Model::function([EVERYWHERE; 3], x.has_grid, |_| number(0)),
            &Rule::Multiple(k) => pointwise([x], move |[x]| number::<T::Model>(k).mul(x)),
            Rule::Sum(a, b) => pointwise([self.applied(a, x.clone()), self.applied(b, x)], |[a, b]| a.add(b)),
            Rule::Difference(a, b) => {
                pointwise([self.applied(a, x.clone()), self.applied(b, x)], |[a, b]| a.sub(b))
            }
            Rule::Composition(a, b) => self.applied(a, self.applied(b, x)),
            &Rule::NumberLeft(Symbol::Mul, k, ref a) => {
                pointwise([self.applied(a, x)], move |[a]| number::<T::Model>(k).mul(a))
            }
            &Rule::NumberLeft(symbol, k, ref a) => {
                pointwise([x.clone(), self.applied(a, x)], move |[x, a]| {
                    combined(symbol, number::<T::Model>(k).mul(x), a)
                })
            }
            &Rule::NumberRight(adds, ref a, k) => {
                pointwise([self.applied(a, x.clone()), x], move |[a, x]| {
                    let symbol = if adds { Symbol::Add } else { Symbol::Sub };
                    combined(symbol, a, number::<T::Model>(k).mul(x))
                })
            }
            Rule::Negative(a) => pointwise([self.applied(a, x)], |[a]| number::<T::Model>(0).sub(a)),
        }
    }
}
