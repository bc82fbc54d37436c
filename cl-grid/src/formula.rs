//! Formulas: lazy functions on a grid.

use crate::region::{FARTHEST, Region, Span};
use cl_algo::ranked::{Neighbourhood, check};
use cl_algo::{Castable, Number, Val};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayView, Pad};
use cl_core::{Error, Queue};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The numbers that grids hold.
pub trait GridNumber: Number + Castable {}

impl<T: Number + Castable> GridNumber for T {}

/// A key of the items that a recorded closure reads: the number of the input, and the distance from the point.
pub(crate) type Key<const N: usize> = (usize, [isize; N]);

/// A closure over the neighbours of a point, recorded once.
pub(crate) type Recording<T, const N: usize> = Neighbourhood<T, T, Key<N>>;

/// A lazy function on a grid: one number at each point.
///
/// A formula is made of arrays, numbers and functions of coordinates, by operators, by functions and by
/// [`Operator`](crate::Operator)s. It costs nothing until it is evaluated: into a new array by
/// [`collect`](Formula::collect), into an array or its inside by [`GridTarget`](crate::GridTarget), or by a reduction such
/// as [`sum`](Formula::sum). An evaluation is one kernel, unless a part of the formula is cheaper to keep in a temporary
/// array; [`plan`](Formula::plan) tells which parts these are.
///
/// Cloning a formula is cheap. Clones are the same function: an evaluation that uses both computes it once.
///
/// ```
/// use cl_grid::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let f = Array::from_fn(&queue, [4, 4], |[i, j]| (i * i + j).cast::<f32>())?;
/// let second = Operator::new(|at| at([1, 0]) - 2.0 * at([0, 0]) + at([-1, 0]));
/// let mut h = Array::zeros(&queue, [4, 4])?;
/// h.inside(1).assign(second.of(&f) / 2.0)?;
/// assert_eq!(h.slice(s![1, ..]).to_vec()?, [0.0, 1.0, 1.0, 0.0]);
/// # Ok(())
/// # }
/// ```
#[must_use = "formulas are lazy: nothing is computed until they are evaluated"]
pub struct Formula<'a, T: GridNumber, const N: usize> {
    pub(crate) node: Rc<Node<'a, T, N>>,
}

/// The decision whether a part of a formula is computed again or kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The cost model decides.
    #[default]
    Auto,
    Never,
    Always,
    /// In layers, where this is possible.
    Layers,
}

pub(crate) struct Node<'a, T: GridNumber, const N: usize> {
    pub(crate) kind: Kind<'a, T, N>,
    /// The sizes of the grid; `None` for numbers and functions of coordinates, which fit every grid.
    pub(crate) shape: Option<[usize; N]>,
    /// The points at which the formula has a value.
    pub(crate) domain: Region<N>,
    pub(crate) keep: Keep,
    /// The first deferred error.
    pub(crate) failure: Option<Error>,
    /// The largest number of formulas inside that read each other.
    depth: usize,
    /// A formula some levels below. It is dropped last, so that the levels in between are dropped before it, and a deep
    /// formula needs no deep stack. (An implementation of `Drop` would keep borrows alive until the end of a scope.)
    below: Option<Formula<'a, T, N>>,
}

/// The array of a table, and its queue.
pub(crate) type OnDevice<T> = RefCell<Option<(Queue, ArrayExpr<'static, T, 1>)>>;

/// The values of a formula's own points that continue it beyond the ends of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnValues<T> {
    pub(crate) pad: Pad<T>,
    /// `true` if the sign changes with each copy of the axis.
    pub(crate) alternates: bool,
}

pub(crate) enum Kind<'a, T: GridNumber, const N: usize> {
    /// The elements of an array, the first of which belongs to the first point of the domain.
    Array(ArrayExpr<'a, T, N>),
    /// The values at all points of the domain, in memory of the host, in row-major order.
    Host(Cow<'a, [T]>),
    /// The same number at all points.
    Number(T),
    /// One number for each coordinate along an axis.
    Table { axis: usize, values: Rc<[T]>, on_device: OnDevice<T> },
    /// A function of the coordinates along all axes.
    Coordinates(Neighbourhood<i32, T, usize>),
    /// A function of points of other formulas.
    Stencil { inputs: Vec<Formula<'a, T, N>>, closure: Recording<T, N> },
    /// A formula that is continued beyond the two ends of an axis: by the values of a function, or by its own.
    Bordered { inner: Formula<'a, T, N>, axis: usize, own: OwnValues<T>, function: Option<Formula<'a, T, N>> },
}

/// The number of formulas that read each other between two formulas that are dropped on their own.
const DROPPED_AT_ONCE: usize = 64;

impl<'a, T: GridNumber, const N: usize> Node<'a, T, N> {
    pub(crate) fn new(
        kind: Kind<'a, T, N>,
        shape: Option<[usize; N]>,
        domain: Region<N>,
        failure: Option<Error>,
    ) -> Node<'a, T, N> {
        let mut node = Node { kind, shape, domain, keep: Keep::Auto, failure, depth: 0, below: None };
        if let Some(deepest) = node.operands().max_by_key(|operand| operand.node.depth) {
            let depth = deepest.node.depth;
            let is_milestone = depth > 0 && depth.is_multiple_of(DROPPED_AT_ONCE);
            let below = if is_milestone { Some(deepest.clone()) } else { deepest.node.below.clone() };
            (node.depth, node.below) = (depth + 1, below);
        }
        node
    }

    /// Returns the formulas that the formula reads.
    pub(crate) fn operands(&self) -> Box<dyn Iterator<Item = &Formula<'a, T, N>> + '_> {
        match &self.kind {
            Kind::Stencil { inputs, .. } => Box::new(inputs.iter()),
            Kind::Bordered { inner, function, .. } => Box::new(std::iter::once(inner).chain(function)),
            _ => Box::new(std::iter::empty()),
        }
    }
}

impl<'a, T: GridNumber, const N: usize> Formula<'a, T, N> {
    pub(crate) fn new(
        kind: Kind<'a, T, N>,
        shape: Option<[usize; N]>,
        domain: Region<N>,
        failure: Option<Error>,
    ) -> Formula<'a, T, N> {
        Formula { node: Rc::new(Node::new(kind, shape, domain, failure)) }
    }

    /// Returns the function that has the same value at all points of any grid.
    pub fn number(value: T) -> Formula<'a, T, N> {
        Formula::new(Kind::Number(value), None, Region::EVERYWHERE, None)
    }

    /// Returns the function that is zero at all points of a grid.
    pub(crate) fn zero_on(shape: Option<[usize; N]>, failure: Option<Error>) -> Formula<'a, T, N> {
        Formula::new(Kind::Number(T::zeroed()), shape, Region::EVERYWHERE, failure)
    }

    /// Returns the function on the grid of this shape, which the function fits.
    pub(crate) fn on_grid(self, shape: [usize; N]) -> Formula<'a, T, N> {
        let zero = Formula::zero_on(Some(shape), None);
        Formula::stencil("grid", vec![self, zero], |at| at((0, [0; N])))
    }

    /// Returns the function on a grid of this shape with the values of an array at the points of a region.
    pub(crate) fn part_of_grid(
        items: ArrayExpr<'a, T, N>,
        shape: [usize; N],
        region: Region<N>,
    ) -> Formula<'a, T, N> {
        Formula::new(Kind::Array(items), Some(shape), region, None)
    }

    /// Returns the function that a closure computes from the coordinates of a point, on any grid: 0 at the first point of
    /// each axis, negative before it. The closure is recorded once. The function has no storage.
    ///
    /// Where an evaluation reads coordinates beyond `i32`, the closure is computed in 64 bits: its values are those of the
    /// coordinates, also for numbers that it casts or compares. Only device functions that take an `i32` are an error there.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut h = Array::<f32, 2>::zeros(&queue, [2, 3])?;
    /// h.whole().assign(Formula::from_fn(|[i, j]| (10 * i + j).cast::<f32>()))?;
    /// assert_eq!(h.to_vec()?, [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_fn(closure: impl FnOnce([Val<i32>; N]) -> Val<T>) -> Formula<'a, T, N> {
        let closure = Neighbourhood::<i32, T, usize>::record(|at| closure(std::array::from_fn(at)));
        Formula::new(Kind::Coordinates(closure), None, Region::EVERYWHERE, None)
    }

    /// Returns the function whose value depends on the coordinate along one axis: `values[i]` at the coordinate `i`, and
    /// none at other coordinates. An axis that the grid does not have is a deferred error.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut h = Array::<i32, 2>::zeros(&queue, [2, 3])?;
    /// h.whole().assign(Formula::along_axis(0, &[10, 20]) + Formula::along_axis(1, &[1, 2, 3]))?;
    /// assert_eq!(h.to_vec()?, [11, 12, 13, 21, 22, 23]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn along_axis(axis: usize, values: &[T]) -> Formula<'a, T, N> {
        Formula::table(axis, 0, values)
    }

    /// Does the same as [`along_axis`](Formula::along_axis), where the first value belongs to the coordinate `first`.
    pub(crate) fn table(axis: usize, first: i64, values: &[T]) -> Formula<'a, T, N> {
        let kind = Kind::Table { axis, values: values.into(), on_device: RefCell::new(None) };
        if axis >= N {
            let error = Error::invalid_input("along_axis", format!("axis {axis} of a grid of {N} axes"));
            return Formula::new(Kind::Number(T::zeroed()), None, Region::EVERYWHERE, Some(error));
        }
        let domain = Region::EVERYWHERE.with(axis, Span::new(first, values.len()));
        Formula::new(kind, None, domain, None)
    }

    /// Returns the results of a closure for the values at each point. The closure is recorded once.
    pub fn map(self, closure: impl FnOnce(Val<T>) -> Val<T>) -> Formula<'a, T, N> {
        Formula::combine([self], |[x]| closure(x))
    }

    /// Returns the results of a closure for the values of several formulas at each point. The closure is recorded once.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let f = Array::from_slice(&queue, [3], &[1.0_f32, -2.0, 3.0])?;
    /// let i = Formula::from_fn(|[i]| i.cast::<f32>());
    /// let positive = Formula::combine([Formula::from(&f), i], |[f, i]| f.gt(0.0).select(f, i));
    /// assert_eq!(positive.to_vec()?, [1.0, 1.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn combine<const M: usize>(
        inputs: [Formula<'a, T, N>; M],
        closure: impl FnOnce([Val<T>; M]) -> Val<T>,
    ) -> Formula<'a, T, N> {
        Formula::stencil("combine", inputs.into(), |at| {
            closure(std::array::from_fn(|input| at((input, [0; N]))))
        })
    }

    /// Returns the results of a closure for points of `inputs`. `operation` is the name in errors.
    pub(crate) fn stencil(
        operation: &'static str,
        inputs: Vec<Formula<'a, T, N>>,
        closure: impl FnOnce(&dyn Fn(Key<N>) -> Val<T>) -> Val<T>,
    ) -> Formula<'a, T, N> {
        let closure = Recording::<T, N>::record(closure);
        let mut failure = inputs.iter().find_map(|input| input.node.failure.clone());
        let mut shape = None;
        for input in &inputs {
            match (shape, input.node.shape) {
                (Some(left), Some(right)) if left != right => {
                    let reason = format!("functions on grids of shapes {left:?} and {right:?}");
                    failure.get_or_insert_with(|| Error::invalid_input(operation, reason));
                }
                (None, other) => shape = other,
                _ => {}
            }
        }
        let is_far = |by: &isize| by.unsigned_abs() > FARTHEST;
        if let Some((_, far)) = closure.reads().iter().find(|(_, by)| by.iter().any(is_far)) {
            let reason =
                format!("it reads the point at the distance {far:?}; a distance is at most {FARTHEST}");
            failure.get_or_insert_with(|| Error::invalid_input(operation, reason));
            return Formula::new(Kind::Number(T::zeroed()), shape, Region::EVERYWHERE, failure);
        }
        let domain = closure.reads().iter().fold(Region::EVERYWHERE, |domain, &(input, offset)| {
            domain.and(&inputs[input].node.domain.moved(offset.map(|by| -by)))
        });
        Formula::new(Kind::Stencil { inputs, closure }, shape, domain, failure)
    }

    /// Computes the function again at each point that reads it, also if the cost model would keep it in a temporary array.
    /// Functions inside of it that are themselves read at several points are decided on their own.
    pub fn inline(self) -> Formula<'a, T, N> {
        self.kept(Keep::Never)
    }

    /// Keeps the function in a temporary array for the time of an evaluation, also if the cost model would compute it
    /// again at each point that reads it.
    #[doc(alias("eval", "temporary"))]
    pub fn materialize(self) -> Formula<'a, T, N> {
        self.kept(Keep::Always)
    }

    /// Keeps the layers of the function that a point reads in the caches while an evaluation walks through the grid, also if
    /// the cost model would compute the function again or keep all of it.
    ///
    /// Only CPUs do this, for grids of one to three axes, in assignments, and for one function in each kernel. Otherwise the
    /// function is computed again at each point that reads it, as at points near borders.
    pub fn in_layers(self) -> Formula<'a, T, N> {
        self.kept(Keep::Layers)
    }

    fn kept(self, keep: Keep) -> Formula<'a, T, N> {
        let (shape, domain, failure) = (self.node.shape, self.node.domain, self.node.failure.clone());
        // The decision belongs to this new point of the formula and its clones, and not to the function itself.
        let closure = Recording::<T, N>::record(|at| at((0, [0; N])));
        let kind = Kind::Stencil { inputs: vec![self], closure };
        Formula { node: Rc::new(Node { keep, ..Node::new(kind, shape, domain, failure) }) }
    }

    /// Returns the sizes of the grid; `None` if the function fits every grid.
    #[must_use]
    pub fn shape(&self) -> Option<[usize; N]> {
        self.node.shape
    }
}

impl<T: GridNumber, const N: usize> Clone for Formula<'_, T, N> {
    fn clone(&self) -> Self {
        Formula { node: Rc::clone(&self.node) }
    }
}

impl<T: GridNumber, const N: usize> fmt::Debug for Formula<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formula(shape {:?}, values in {})", self.node.shape, self.node.domain)
    }
}

/// The operands of formulas: an array by reference or by value, a view, an expression of arrays, another formula, a
/// number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function on a grid of `{T}` with {N} axes",
    note = "use an `Array` by value or as `&a`, a view, an expression of arrays, a `Formula`, or a number"
)]
pub trait IntoFormula<'a, T: GridNumber, const N: usize> {
    /// Returns the operand as a formula.
    fn into_formula(self) -> Formula<'a, T, N>;
}

impl<'a, T: GridNumber, const N: usize> IntoFormula<'a, T, N> for Formula<'a, T, N> {
    fn into_formula(self) -> Formula<'a, T, N> {
        self
    }
}

impl<'a, T: GridNumber, const N: usize> IntoFormula<'a, T, N> for &Formula<'a, T, N> {
    fn into_formula(self) -> Formula<'a, T, N> {
        self.clone()
    }
}

macro_rules! arrays {
    ($($type:ty),*) => {$(
        impl<'a, T: GridNumber, const N: usize> IntoFormula<'a, T, N> for $type {
            fn into_formula(self) -> Formula<'a, T, N> {
                let items: ArrayExpr<'a, T, N> = self.into_array_expr();
                let (shape, failure) = (items.shape(), check(&items.clone().into_ranked()).err());
                Formula::new(Kind::Array(items), Some(shape), Region::of_grid(shape), failure)
            }
        }

        impl<'a, T: GridNumber, const N: usize> From<$type> for Formula<'a, T, N> {
            fn from(array: $type) -> Formula<'a, T, N> {
                array.into_formula()
            }
        }
    )*};
}

arrays!(Array<T, N>, &'a Array<T, N>, ArrayView<'a, T, N>, &ArrayView<'a, T, N>, ArrayExpr<'a, T, N>);

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl<'a, const N: usize> IntoFormula<'a, $type, N> for $type {
            fn into_formula(self) -> Formula<'a, $type, N> {
                Formula::number(self)
            }
        }
    )*};
}

numbers!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
