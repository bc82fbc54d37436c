//! Operators: functions from formulas to formulas.

use crate::formula::{Formula, GridNumber, IntoFormula, Key};
use cl_algo::Val;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::rc::Rc;

/// A grid operator: it makes a function on a grid from another one, each value from the neighbours of a point.
///
/// Operators are made by closures, from tables of coefficients, and by [`Grid`](crate::Grid), which has the common
/// derivatives. [`of`](Operator::of) applies an operator. Sums, differences, multiples and compositions of operators are
/// operators: `(2.0 * (3.0 + &a) - b).of(&f)`. A number in such a sum is that multiple of the identity.
///
/// ```
/// use cl_grid::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let f = Array::from_slice(&queue, [4], &[1.0_f32, 2.0, 4.0, 8.0])?;
/// let ahead = Operator::<f32, 1>::new(|at| at([1]) - at([0]));
/// let behind = Operator::new(|at| at([0]) - at([-1]));
/// let mut h = Array::zeros(&queue, [4])?;
/// h.inside(1).assign((3.0 + ahead.compose(&behind)).of(&f))?;
/// assert_eq!(h.to_vec()?, [0.0, 7.0, 14.0, 0.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Operator<'d, T: GridNumber, const N: usize> {
    rule: Rc<Rule<'d, T, N>>,
}

/// A closure over the neighbours of a point of several functions.
type Closure<'d, T, const N: usize> = Box<dyn Fn(&dyn Fn(Key<N>) -> Val<T>) -> Val<T> + 'd>;

enum Rule<'d, T: GridNumber, const N: usize> {
    /// A closure over the neighbours of the operand and of other functions.
    Closure {
        data: Vec<Formula<'d, T, N>>,
        closure: Closure<'d, T, N>,
    },
    /// This multiple of the identity.
    Multiple(T),
    Identity,
    Zero,
    Sum(Operator<'d, T, N>, Operator<'d, T, N>),
    Difference(Operator<'d, T, N>, Operator<'d, T, N>),
    /// The first operator, applied to the result of the second.
    Composition(Operator<'d, T, N>, Operator<'d, T, N>),
}

/// The values of a function at the neighbours of a point, by their distance along each axis.
pub type Neighbours<'r, T, const N: usize> = &'r dyn Fn([isize; N]) -> Val<T>;

impl<'d, T: GridNumber, const N: usize> Operator<'d, T, N> {
    /// Returns the operator that a closure over the neighbours of a point defines. `at([1, 0])` is the value at the next
    /// point along axis 0. The closure is recorded each time the operator is applied.
    pub fn new(closure: impl Fn(Neighbours<'_, T, N>) -> Val<T> + 'd) -> Operator<'d, T, N> {
        Operator::of_closure(Vec::new(), move |at| closure(&|offset| at((0, offset))))
    }

    /// Returns an operator with data: functions on the same grid, such as coefficients, whose neighbours the closure reads
    /// besides those of the function that the operator is applied to. Arrays are borrowed, not copied.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let f = Array::from_slice(&queue, [4], &[1.0_f32, 2.0, 4.0, 8.0])?;
    /// let k = Array::from_slice(&queue, [4], &[1.0_f32, 1.0, 2.0, 3.0])?;
    /// let flux = Operator::with([&k], |f, [k]| k([0]) * (f([1]) - f([0])));
    /// assert_eq!(flux.of(&f).inside([(0, 1)]).to_vec()?, [1.0, 2.0, 8.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with<const M: usize>(
        data: [impl IntoFormula<'d, T, N>; M],
        closure: impl Fn(Neighbours<'_, T, N>, [Neighbours<'_, T, N>; M]) -> Val<T> + 'd,
    ) -> Operator<'d, T, N> {
        Operator::of_closure(data.map(IntoFormula::into_formula).into(), move |at| {
            let others: [_; M] = std::array::from_fn(|input| move |offset| at((input + 1, offset)));
            closure(&|offset| at((0, offset)), others.each_ref().map(|other| other as Neighbours<'_, T, N>))
        })
    }

    /// Returns the operator of a closure over the neighbours of the operand, which has the number 0, and of `data`.
    pub(crate) fn of_closure(
        data: Vec<Formula<'d, T, N>>,
        closure: impl Fn(&dyn Fn(Key<N>) -> Val<T>) -> Val<T> + 'd,
    ) -> Operator<'d, T, N> {
        Operator::of_rule(Rule::Closure { data, closure: Box::new(closure) })
    }

    fn of_rule(rule: Rule<'d, T, N>) -> Operator<'d, T, N> {
        Operator { rule: Rc::new(rule) }
    }

    /// Returns the operator whose result at a point is the sum of the values at distances from the point, each multiplied
    /// by its coefficient. Without coefficients it is [`zero`](Operator::zero).
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let f = Array::from_slice(&queue, [3], &[1.0_f32, 2.0, 4.0])?;
    /// let second = Operator::from_table(&[([-1], 1.0), ([0], -2.0), ([1], 1.0)]);
    /// assert_eq!(second.of(&f).inside(1).to_vec()?, [1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_table(table: &[([isize; N], T)]) -> Operator<'d, T, N> {
        let table = table.to_vec();
        if table.is_empty() {
            return Operator::zero();
        }
        Operator::of_closure(Vec::new(), move |at| {
            let terms = table.iter().map(|&(offset, factor)| Val::known(factor) * at((0, offset)));
            terms.reduce(|sum, term| sum + term).unwrap_or_else(|| Val::known(T::zeroed()))
        })
    }

    /// Returns the operator that changes nothing.
    pub fn identity() -> Operator<'d, T, N> {
        Operator::of_rule(Rule::Identity)
    }

    /// Returns the operator whose results are zero.
    pub fn zero() -> Operator<'d, T, N> {
        Operator::of_rule(Rule::Zero)
    }

    /// Returns the operator that multiplies each value by a number.
    pub fn multiple(factor: T) -> Operator<'d, T, N> {
        Operator::of_rule(Rule::Multiple(factor))
    }

    /// Returns the operator that applies `inner` first, then this one.
    pub fn compose(&self, inner: &Operator<'d, T, N>) -> Operator<'d, T, N> {
        Operator::of_rule(Rule::Composition(self.clone(), inner.clone()))
    }

    /// Applies the operator to a function.
    pub fn of<'a>(&self, function: impl IntoFormula<'a, T, N>) -> Formula<'a, T, N>
    where
        'd: 'a,
    {
        let formula = function.into_formula();
        match &*self.rule {
            Rule::Closure { data, closure } => {
                let inputs = std::iter::once(formula).chain(data.iter().cloned()).collect();
                Formula::stencil("operator", inputs, closure)
            }
            &Rule::Multiple(factor) => formula.map(|x| Val::known(factor) * x),
            Rule::Identity => formula,
            // Nothing is read. The grid, the queue and the deferred error are those of the operand.
            Rule::Zero => Formula::stencil("operator", vec![formula], |_| Val::known(T::zeroed())),
            Rule::Sum(left, right) => left.of(&formula) + right.of(formula),
            Rule::Difference(left, right) => left.of(&formula) - right.of(formula),
            Rule::Composition(outer, inner) => outer.of(inner.of(formula)),
        }
    }
}

impl<T: GridNumber, const N: usize> fmt::Debug for Operator<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operator").finish_non_exhaustive()
    }
}

/// A term of a sum of operators: an operator, or a number, which stands for that multiple of the identity.
pub trait IntoOperator<'a, T: GridNumber, const N: usize> {
    /// Returns the term as an operator.
    fn into_operator(self) -> Operator<'a, T, N>;
}

impl<'a, T: GridNumber, const N: usize> IntoOperator<'a, T, N> for Operator<'a, T, N> {
    fn into_operator(self) -> Operator<'a, T, N> {
        self
    }
}

impl<'a, T: GridNumber, const N: usize> IntoOperator<'a, T, N> for &Operator<'a, T, N> {
    fn into_operator(self) -> Operator<'a, T, N> {
        self.clone()
    }
}

macro_rules! sums {
    ($($trait:ident $method:ident $rule:ident;)*) => {$(
        impl<'a, T: GridNumber, R: IntoOperator<'a, T, N>, const N: usize> $trait<R> for Operator<'a, T, N> {
            type Output = Operator<'a, T, N>;

            fn $method(self, right: R) -> Self::Output {
                Operator::of_rule(Rule::$rule(self, right.into_operator()))
            }
        }

        impl<'a, T: GridNumber, R: IntoOperator<'a, T, N>, const N: usize> $trait<R> for &Operator<'a, T, N> {
            type Output = Operator<'a, T, N>;

            fn $method(self, right: R) -> Self::Output {
                self.clone().$method(right)
            }
        }
    )*};
}

sums! {
    Add add Sum;
    Sub sub Difference;
}

impl<'a, T: GridNumber, const N: usize> Neg for Operator<'a, T, N> {
    type Output = Operator<'a, T, N>;

    fn neg(self) -> Self::Output {
        Operator::zero() - self
    }
}

impl<'a, T: GridNumber, const N: usize> Neg for &Operator<'a, T, N> {
    type Output = Operator<'a, T, N>;

    fn neg(self) -> Self::Output {
        -self.clone()
    }
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl<'a, const N: usize> IntoOperator<'a, $type, N> for $type {
            fn into_operator(self) -> Operator<'a, $type, N> {
                Operator::multiple(self)
            }
        }

        numbers!(@left $type, Operator<'a, $type, N>);
        numbers!(@left $type, &Operator<'a, $type, N>);
    )*};
    (@left $type:ty, $operator:ty) => {
        impl<'a, const N: usize> Add<$operator> for $type {
            type Output = Operator<'a, $type, N>;

            fn add(self, right: $operator) -> Self::Output {
                Operator::multiple(self) + right
            }
        }

        impl<'a, const N: usize> Sub<$operator> for $type {
            type Output = Operator<'a, $type, N>;

            fn sub(self, right: $operator) -> Self::Output {
                Operator::multiple(self) - right
            }
        }

        impl<'a, const N: usize> Mul<$operator> for $type {
            type Output = Operator<'a, $type, N>;

            fn mul(self, right: $operator) -> Self::Output {
                Operator::multiple(self).compose(&right.into_operator())
            }
        }
    };
}

numbers!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
