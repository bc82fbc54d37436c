//! Reductions as values, and several of them in one pass.

use super::launch::{Operators, Order, Source, to_device_by, to_host_by};
use crate::codegen::Fused;
use crate::element::Number;
use crate::expr::Item;
use crate::expr::{Expr, Val};
use cl_core::{Error, Result};

/// The symbolic values of an item.
pub type Values<T> = <T as Item>::Values;

/// A reduction as a value, for [`Expr::reduce_with`].
///
/// A tuple of reducers is a reducer that computes all of them in one pass. Its output is the tuple of their outputs.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::reducers::{Max, Min, Sum, Variance};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 5.0, 3.0])?;
/// // Read once.
/// let all = x.iter().reduce_with((Sum, Min, Max, Variance::population()))?;
/// assert_eq!(all.map(|(sum, min, max, _)| (sum, min, max)), Some((9.0, 1.0, 5.0)));
/// # Ok(())
/// # }
/// ```
///
/// A reducer of your own, for the sum of the squares of complex numbers' magnitudes:
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::reducers::Reducer;
///
/// struct Energy;
///
/// impl Reducer<(f32, f32)> for Energy {
///     type State = f32;
///     type Output = f32;
///     fn start(&self, (re, im): (Val<f32>, Val<f32>), _: Val<u64>) -> Val<f32> {
///         re * re + im * im
///     }
///     fn combine(&self, a: Val<f32>, b: Val<f32>) -> Val<f32> {
///         a + b
///     }
///     fn finish(&self, state: Val<f32>, _: Val<u64>) -> Val<f32> {
///         state
///     }
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3.0_f32, 1.0])?;
/// let y = DeviceVec::from_slice(&queue, &[4.0_f32, 0.0])?;
/// assert_eq!(zip((&x, &y)).reduce_with(Energy)?, Some(26.0));
/// # Ok(())
/// # }
/// ```
pub trait Reducer<T: Item> {
    /// The state of the items so far.
    type State: Item;
    /// The result.
    type Output: Item;

    /// Returns the state of one item, whose index is `index`.
    fn start(&self, item: T::Values, index: Val<u64>) -> Values<Self::State>;

    /// Returns the state of the items of both states. The operator must be associative.
    ///
    /// If the reducer does not [commute](Reducer::commutes), the items of `a` come before the items of `b`.
    fn combine(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State>;

    /// Returns the same as [`combine`](Reducer::combine) if all items of `a` come before the items of `b`.
    fn follow(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
        self.combine(a, b)
    }

    /// Returns whether [`follow`](Reducer::follow) takes fewer operations than [`combine`](Reducer::combine), for a
    /// reducer that [commutes](Reducer::commutes).
    fn follows(&self) -> bool {
        false
    }

    /// Returns the same as [`follow`](Reducer::follow), for states of at most a few dozen items.
    ///
    /// It need not correct the rounding of floats, which is small for few items. It is not called for reducers that do
    /// not [commute](Reducer::commutes).
    fn combine_few(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
        self.follow(a, b)
    }

    /// Returns whether [`combine_few`](Reducer::combine_few) takes fewer operations than [`follow`](Reducer::follow).
    fn has_cheaper_combine_few(&self) -> bool {
        false
    }

    /// Returns the result for the state of all `len` items.
    fn finish(&self, state: Values<Self::State>, len: Val<u64>) -> Values<Self::Output>;

    /// Returns whether [`combine`](Reducer::combine) gives the same result for any order of the items, except for the
    /// rounding of floats. Reductions are faster then.
    fn commutes(&self) -> bool {
        true
    }

    /// Returns the largest number of items that the reducer takes: as many as its state can count. More items are an error
    /// of the reduction.
    fn most_items(&self) -> u64 {
        u64::MAX
    }
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the result of a reducer, or of a tuple of reducers in one pass; `None` for zero items. Blocks.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::reducers::{Max, Min, Sum};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, 1, 2])?;
    /// assert_eq!(x.iter().reduce_with((Sum, Min, Max))?, Some((6, 1, 3))); // in one pass
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`]; [`Error::InvalidInput`] for more items than the reducer [takes](Reducer::most_items).
    #[doc(alias("DeviceReduce", "reduce"))]
    pub fn reduce_with<R: Reducer<T>>(self, reducer: R) -> Result<Option<R::Output>> {
        self.reduce_as("reduce_with", reducer)
    }

    /// Returns [`Expr::reduce_with`]. `operation` is the name in errors.
    pub(super) fn reduce_as<R: Reducer<T>>(
        self,
        operation: &'static str,
        reducer: R,
    ) -> Result<Option<R::Output>> {
        let Some((source, order, len)) = prepare(operation, self, &reducer)? else { return Ok(None) };
        let finish = |state| reducer.finish(state, len);
        to_host_by::<R::State, _>(source, order, |fused| operators(fused, &reducer), finish).map(Some)
    }

    /// Returns the result of a reducer, and leaves it on the device. Does not block. See [`Expr::reduce_with`].
    ///
    /// The result is a [`DeviceScalar`](crate::DeviceScalar), or a tuple of these.
    ///
    /// # Errors
    /// As [`Expr::reduce_with`].
    pub fn reduce_with_on_device<R: Reducer<T>>(
        self,
        reducer: R,
    ) -> Result<Option<<R::Output as Item>::Scalars>> {
        let Some((source, order, len)) = prepare("reduce_with_on_device", self, &reducer)? else {
            return Ok(None);
        };
        let finish = |state| reducer.finish(state, len);
        to_device_by::<R::State, _>(source, order, |fused| operators(fused, &reducer), finish).map(Some)
    }
}

/// Returns the states of the items, the order in which they are combined, and their number.
fn prepare<'a, T: Item, R: Reducer<T>>(
    operation: &'static str,
    expr: Expr<'a, T>,
    reducer: &R,
) -> Result<Option<(Source<'a>, Order, Val<u64>)>> {
    let states = expr.enumerate().map(|(index, item)| reducer.start(item, index));
    let source = Source::of(operation, states)?;
    if let Some(source) = &source {
        check_items::<T, R>(operation, reducer, source.len)?;
    }
    let order = if reducer.commutes() { Order::Any } else { Order::Kept };
    Ok(source.map(|source| {
        let len = Val::known(source.len as u64);
        (source, order, len)
    }))
}

/// Returns an error unless a reducer takes `len` items. `operation` is the name in errors.
fn check_items<T: Item, R: Reducer<T>>(operation: &'static str, reducer: &R, len: usize) -> Result<()> {
    let most = reducer.most_items();
    if len as u64 > most {
        let reason = format!(
            "there are {len} items, and the reducer takes at most {most}: let it keep indices as `u64`, or reduce parts"
        );
        return Err(Error::invalid_input(operation, reason));
    }
    Ok(())
}

/// Adds the operators that combine the states.
fn operators<'a, T: Item, R: Reducer<T>>(fused: Fused<'a>, reducer: &R) -> (Fused<'a>, Operators) {
    let mut fused = fused.operator("COMBINE", "", |(a, b)| reducer.combine(a, b));
    let (follows, few) = (reducer.follows(), reducer.has_cheaper_combine_few());
    if follows {
        fused = fused.operator("FOLLOW", "", |(a, b)| reducer.follow(a, b));
    }
    if few {
        fused = fused.operator("FOR_FEW", "", |(a, b)| reducer.combine_few(a, b));
    }
    (fused, Operators { follows, few })
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<T: Item, $($name: Reducer<T>),+> Reducer<T> for ($($name,)+) {
            type State = ($($name::State,)+);
            type Output = ($($name::Output,)+);

            fn start(&self, item: T::Values, index: Val<u64>) -> Values<Self::State> {
                ($(self.$at.start(item, index),)+)
            }

            fn combine(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
                ($(self.$at.combine(a.$at, b.$at),)+)
            }

            fn follow(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
                ($(self.$at.follow(a.$at, b.$at),)+)
            }

            fn follows(&self) -> bool {
                $(self.$at.follows())||+
            }

            fn combine_few(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
                ($(self.$at.combine_few(a.$at, b.$at),)+)
            }

            fn has_cheaper_combine_few(&self) -> bool {
                $(self.$at.has_cheaper_combine_few())||+
            }

            fn finish(&self, state: Values<Self::State>, len: Val<u64>) -> Values<Self::Output> {
                ($(self.$at.finish(state.$at, len),)+)
            }

            fn commutes(&self) -> bool {
                $(self.$at.commutes())&&+
            }

            fn most_items(&self) -> u64 {
                [$(self.$at.most_items()),+].into_iter().fold(u64::MAX, u64::min)
            }
        }
    )+};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// A reducer for the sum, which carries rounding errors of floats along. For a sum alone, [`Expr::sum`] is faster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum;

impl<T: Number + PartialEq> Reducer<T> for Sum {
    /// The sum and its rounding error.
    type State = (T, T);
    type Output = T;

    fn start(&self, item: Val<T>, _: Val<u64>) -> (Val<T>, Val<T>) {
        (item, Val::known(T::zeroed()))
    }

    fn combine(&self, (a, lost_a): (Val<T>, Val<T>), (b, lost_b): (Val<T>, Val<T>)) -> (Val<T>, Val<T>) {
        let total = a + b;
        if !T::TYPE.has_floats() {
            return (total, lost_a);
        }
        // TwoSum: Knuth, TAOCP vol. 2, 4.2.2.
        let added = total - a;
        (total, (lost_a + lost_b) + ((a - (total - added)) + (b - added)))
    }

    fn finish(&self, (total, lost): (Val<T>, Val<T>), _: Val<u64>) -> Val<T> {
        // If the total is infinite or NaN, the rounding error is NaN.
        lost.eq(lost).select(total + lost, total)
    }
}

/// A reducer for the product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Product;

impl<T: Number> Reducer<T> for Product {
    type State = T;
    type Output = T;

    fn start(&self, item: Val<T>, _: Val<u64>) -> Val<T> {
        item
    }

    fn combine(&self, a: Val<T>, b: Val<T>) -> Val<T> {
        a * b
    }

    fn finish(&self, state: Val<T>, _: Val<u64>) -> Val<T> {
        state
    }
}

/// A reducer for the number of items for which a predicate is true: `CountIf(|x: Val<f32>| x.gt(0.0))`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountIf<F>(pub F);

impl<T: Item, F: Fn(T::Values) -> Val<bool>> Reducer<T> for CountIf<F> {
    type State = u64;
    type Output = u64;

    fn start(&self, item: T::Values, _: Val<u64>) -> Val<u64> {
        (self.0)(item).cast()
    }

    fn combine(&self, a: Val<u64>, b: Val<u64>) -> Val<u64> {
        a + b
    }

    fn finish(&self, state: Val<u64>, _: Val<u64>) -> Val<u64> {
        state
    }
}
