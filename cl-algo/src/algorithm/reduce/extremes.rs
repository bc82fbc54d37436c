//! The smallest and the largest element, and their indices.
//!
//! NaN is ignored, as by [`f32::min`], unless all elements are NaN.

use super::launch::queue_and_len;
use super::reducer::{Reducer, Values};
use crate::element::{Integer, Ordered};
use crate::expr::{Castable, Expr, Val};
use cl_core::Result;
use std::marker::PhantomData;

/// A reducer for the smallest element; see [`Expr::reduce_min`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Min;

/// A reducer for the largest element; see [`Expr::reduce_max`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Max;

macro_rules! extremes {
    ($($reducer:ident $method:ident;)*) => {$(
        impl<T: Ordered> Reducer<T> for $reducer {
            type State = T;
            type Output = T;

            fn start(&self, item: Val<T>, _: Val<u64>) -> Val<T> {
                item
            }

            fn combine(&self, a: Val<T>, b: Val<T>) -> Val<T> {
                a.$method(b)
            }

            fn finish(&self, state: Val<T>, _: Val<u64>) -> Val<T> {
                state
            }
        }
    )*};
}

extremes! {
    Min min;
    Max max;
}

/// A reducer for the smallest element and its index; see [`Expr::min_element`].
///
/// Indices are kept as `I`: `u32` is faster, for up to 2^32 elements. More elements are an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinElement<I = u64>(PhantomData<I>);

/// A reducer for the largest element and its index; see [`Expr::max_element`].
///
/// Indices are kept as `I`: `u32` is faster, for up to 2^32 elements. More elements are an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxElement<I = u64>(PhantomData<I>);

/// The types that indices can be kept as.
pub trait IndexType: Integer + Castable + Ordered {
    /// The largest index.
    #[doc(hidden)]
    const LARGEST: u64;
}

impl IndexType for u32 {
    const LARGEST: u64 = u32::MAX as u64;
}

impl IndexType for u64 {
    const LARGEST: u64 = u64::MAX;
}

macro_rules! elements {
    ($($reducer:ident $better:ident;)*) => {$(
        impl<I: IndexType> $reducer<I> {
            /// Returns the reducer.
            #[must_use]
            pub fn new() -> Self {
                $reducer(PhantomData)
            }
        }

        impl<T: Ordered + PartialEq, I: IndexType> Reducer<T> for $reducer<I> {
            type State = (T, I);
            type Output = (u64, T);

            fn start(&self, item: Val<T>, index: Val<u64>) -> (Val<T>, Val<I>) {
                (item, index.cast())
            }

            fn combine(&self, a: Values<(T, I)>, b: Values<(T, I)>) -> Values<(T, I)> {
                choose::<T, I>(b.0.$better(a.0), a, b)
            }

            fn follow(&self, a: Values<(T, I)>, b: Values<(T, I)>) -> Values<(T, I)> {
                let mut takes_b = b.0.$better(a.0);
                if T::TYPE.is_float() {
                    takes_b = takes_b | (a.0.ne(a.0) & b.0.eq(b.0));
                }
                (takes_b.select(b.0, a.0), takes_b.select(b.1, a.1))
            }

            fn follows(&self) -> bool {
                true
            }

            fn finish(&self, (item, index): Values<(T, I)>, _: Val<u64>) -> (Val<u64>, Val<T>) {
                (index.cast(), item)
            }

            fn most_items(&self) -> u64 {
                I::LARGEST.saturating_add(1)
            }
        }
    )*};
}

elements! {
    MinElement lt;
    MaxElement gt;
}

/// Returns `b` if it is better, or equal with a smaller index; `a` otherwise. Any number is better than NaN.
fn choose<T: Ordered + PartialEq, I: IndexType>(
    is_better: Val<bool>,
    a: Values<(T, I)>,
    b: Values<(T, I)>,
) -> Values<(T, I)> {
    let is_ahead = b.1.lt(a.1);
    let mut takes_b = is_better | (b.0.eq(a.0) & is_ahead);
    if T::TYPE.is_float() {
        let (nan_a, nan_b) = (a.0.ne(a.0), b.0.ne(b.0));
        takes_b = takes_b | (nan_a & (!nan_b | is_ahead));
    }
    (takes_b.select(b.0, a.0), takes_b.select(b.1, a.1))
}

impl<T: Ordered> Expr<'_, T> {
    /// Returns the smallest element; `None` for zero elements. Blocks.
    ///
    /// NaN is the result only if all elements are NaN. If the smallest elements are zeros of both signs, the result is
    /// an unspecified one of them.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3.0_f32, f32::NAN, -1.0])?;
    /// assert_eq!(x.iter().reduce_min()?, Some(-1.0));
    /// assert_eq!(x.slice(..0).reduce_min()?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("min", "amin", "DeviceReduce"))]
    pub fn reduce_min(self) -> Result<Option<T>> {
        self.reduce_as("reduce_min", Min)
    }

    /// Returns the largest element; see [`Expr::reduce_min`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -5, 4, -5])?;
    /// assert_eq!(x.iter().reduce_max()?, Some(4));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("max", "amax", "DeviceReduce"))]
    pub fn reduce_max(self) -> Result<Option<T>> {
        self.reduce_as("reduce_max", Max)
    }

    /// Returns the smallest and the largest element, in one pass; see [`Expr::reduce_min`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -5, 4, -5])?;
    /// assert_eq!(x.iter().reduce_minmax()?, Some((-5, 4)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "aminmax")]
    pub fn reduce_minmax(self) -> Result<Option<(T, T)>> {
        self.reduce_as("reduce_minmax", (Min, Max))
    }
}

/// Returns whether 32 bits hold all indices.
fn is_short<T: Ordered>(expr: &Expr<'_, T>) -> Result<bool> {
    Ok(queue_and_len(expr)?.1 as u64 <= 1 << 32)
}

/// Converts the index to the host's type.
fn located<T>((index, item): (u64, T)) -> (usize, T) {
    (index as usize, item)
}

impl<T: Ordered + PartialEq> Expr<'_, T> {
    /// Returns the index of the smallest element and the element; `None` for zero elements. Blocks.
    ///
    /// Of several smallest elements, it is the first one. NaN is the result only if all elements are NaN. Zeros of both
    /// signs are equal.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, 1, 2, 1, 3])?;
    /// assert_eq!(x.iter().min_element()?, Some((1, 1)));
    /// assert_eq!(x.iter().max_element()?, Some((0, 3)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("argmin", "DeviceReduce", "nanargmin"))]
    pub fn min_element(self) -> Result<Option<(usize, T)>> {
        let found = match is_short(&self)? {
            true => self.reduce_as("min_element", MinElement::<u32>::new()),
            false => self.reduce_as("min_element", MinElement::<u64>::new()),
        };
        Ok(found?.map(located))
    }

    /// Returns the index of the largest element and the element; see [`Expr::min_element`].
    ///
    /// Of several largest elements, it is the first one.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -5, 4, -5])?;
    /// assert_eq!(x.iter().max_element()?, Some((2, 4)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("argmax", "DeviceReduce", "nanargmax"))]
    pub fn max_element(self) -> Result<Option<(usize, T)>> {
        let found = match is_short(&self)? {
            true => self.reduce_as("max_element", MaxElement::<u32>::new()),
            false => self.reduce_as("max_element", MaxElement::<u64>::new()),
        };
        Ok(found?.map(located))
    }

    /// Returns the results of [`min_element`](Expr::min_element) and [`max_element`](Expr::max_element), in one pass.
    ///
    /// Of several largest elements, it is the first one, as for `max_element`, Boost.Compute and NumPy. C++'s
    /// `std::minmax_element` returns the last one: it is that of the reversed sequence, `x.iter().rev().max_element()`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -5, 4, -5])?;
    /// assert_eq!(x.iter().minmax_element()?, Some(((1, -5), (2, 4))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[allow(clippy::type_complexity)] // twice the result of `min_element`
    pub fn minmax_element(self) -> Result<Option<((usize, T), (usize, T))>> {
        let found = match is_short(&self)? {
            true => self.reduce_as("minmax_element", (MinElement::<u32>::new(), MaxElement::<u32>::new())),
            false => self.reduce_as("minmax_element", (MinElement::<u64>::new(), MaxElement::<u64>::new())),
        };
        Ok(found?.map(|(min, max)| (located(min), located(max))))
    }
}
