//! Set operations on sorted sequences.

mod launch;
#[cfg(test)]
mod tests;

use super::order::{Less, ascending, length};
use crate::codegen::Fused;
use crate::codegen::look_back::Method;
use crate::device_scalar::DeviceScalar;
use crate::element::Ordered;
use crate::expr::{Expr, FARTHEST, Item, Operand, Recorded, Val};
use crate::ir::graph::Graph;
use crate::ir::leaf::Scalar;
use crate::sink::{Discard, Sink};
use crate::vec::DeviceVec;
use cl_core::{Error, Result};
use launch::{Kept, Sequences};

const UNION: Kept = Kept { first: true, second: true, both: true };
const INTERSECTION: Kept = Kept { first: false, second: false, both: true };
const DIFFERENCE: Kept = Kept { first: true, second: false, both: false };
const SYMMETRIC_DIFFERENCE: Kept = Kept { first: true, second: true, both: false };

/// Stores the items of two sequences that `kept` selects. `operation` is the name in errors.
fn set_operation<'t, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    kept: Kept,
    (a, b): (Expr<'t, T>, Expr<'t, T>),
    less: impl FnOnce(T::Values, T::Values) -> R,
    output: impl Sink<'t, T>,
    method: Method,
) -> Result<DeviceScalar<u64>> {
    let lengths = [length(&a.graph(), "first sequence")?, length(&b.graph(), "second sequence")?];
    let [a_len, b_len] = lengths;
    let Some(total) = a_len.checked_add(b_len).filter(|&total| total <= FARTHEST) else {
        let reason = format!("{a_len} and {b_len} elements are more than {FARTHEST}, the largest length");
        return Err(Error::invalid_input("sequences of a set operation", reason));
    };
    // The largest number of items that can be stored.
    let limit = match (kept.first, kept.second) {
        (true, true) => total,
        (true, false) => a_len,
        _ => a_len.min(b_len),
    };
    let mut fused = Fused::new(operation).output("", "A", output).keeping();
    fused.check_with(&[&a.graph(), &b.graph()])?;
    // Vectors and slices may have less room than `limit`.
    fused.graph.len = Some(limit);
    let mut fused = fused.fitting();
    fused.graph.len = None;
    if let Some(short) = fused.targets.iter().map(|target| target.len).find(|&room| room < limit) {
        return Err(Error::length_mismatch(operation, short, limit));
    }
    let queue = fused.targets.first().map(|target| target.queue.clone());
    let Some(queue) = queue.or_else(|| Some(a.shared_queue().or_else(|| b.shared_queue())?.into_owned()))
    else {
        let reason = "neither they nor the output have a queue: use `on`".to_owned();
        return Err(Error::invalid_input("sequences of a set operation", reason));
    };
    if limit == 0 {
        return DeviceScalar::from_value(&queue, 0);
    }
    // A kernel cannot be given memory of zero bytes. It reads no item of an empty sequence.
    let (a, b) = (if a_len == 0 { zeros() } else { a }, if b_len == 0 { zeros() } else { b });
    // SAFETY: the kernel enqueued next writes the number. If it cannot be enqueued, the scalar is dropped here.
    let count = DeviceScalar::new(unsafe { DeviceVec::uninit(&queue, 1) }?);
    let sequences = Sequences { a, b, lengths, less: Less::new::<T, R>(less) };
    sequences.keep(&queue, kept, fused, limit, count.memory(), method)?;
    Ok(count)
}

/// Returns items of zeros, which stand for items that a kernel does not read.
fn zeros<'a, T: Item>() -> Expr<'a, T> {
    let mut all: Option<Graph<'a>> = None;
    T::each_element(&mut |element| {
        let zero = Graph::scalar(Scalar::zero(element));
        all = Some(match all.take() {
            Some(all) => all.zip(&zero, "zeros"),
            None => zero,
        });
    });
    Expr::new(all.unwrap_or_default())
}

/// Returns keys together with their values.
fn keyed<'t, K: Item, V: Item>(
    operation: &'static str,
    keys: impl Operand<'t, K>,
    values: impl Operand<'t, V>,
) -> Expr<'t, (K, V)> {
    Expr::new(keys.into_expr().into_graph().zip(&values.into_expr().into_graph(), operation))
}

macro_rules! sets {
    ($(
        $kept:ident
        $(#[$doc:meta])* $name:ident
        $(#[$by_doc:meta])* $by:ident
        $(#[$key_doc:meta])* $by_key:ident ($second:ty) |$operation:ident, $b:ident| $with_values:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// Returns the number of stored elements as a [`DeviceScalar`], so the host need not wait for it. The rest of the
        /// output keeps its values. Floats are in the order of [`sort()`](crate::stl::sort()); see
        /// [Orders](crate#orders). If a sequence is not sorted, the result is unspecified.
        ///
        /// One launch on CPUs; on GPUs two, the first of which cuts the sequences into tiles. The time does not depend on
        /// how many elements are equal. A vector or a slice may have less room than the largest possible result: see
        /// [`copy_if`](crate::stl::copy_if).
        ///
        /// Algorithm: balanced path (S. Baxter, moderngpu, 2013) and decoupled look-back (D. Merrill, M. Garland, 2016).
        ///
        /// # Errors
        /// As [`copy_if`](crate::stl::copy_if); [`Error::InvalidInput`] for a sequence of scalars only, which has no
        /// length.
        pub fn $name<'t, T: Ordered + PartialEq>(
            a: impl Operand<'t, T>,
            b: impl Operand<'t, T>,
            output: impl Sink<'t, T>,
        ) -> Result<DeviceScalar<u64>> {
            let both = (a.into_expr(), b.into_expr());
            set_operation(stringify!($name), $kept, both, ascending, output, Method::ByDevice)
        }

        $(#[$by_doc])*
        ///
        /// `less(a, b)` returns whether `a` goes before `b`. Items may be tuples, and two items of which neither goes before
        /// the other count as equal. The comparator should be a strict weak order, as [`slice::sort_by`] requires. With any
        /// other comparator the result is unspecified.
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($name), "`].")]
        pub fn $by<'t, T: Item, R: Recorded<Item = bool>>(
            a: impl Operand<'t, T>,
            b: impl Operand<'t, T>,
            less: impl FnOnce(T::Values, T::Values) -> R,
            output: impl Sink<'t, T>,
        ) -> Result<DeviceScalar<u64>> {
            let both = (a.into_expr(), b.into_expr());
            set_operation(stringify!($by), $kept, both, less, output, Method::ByDevice)
        }

        $(#[$key_doc])*
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($name), "`].")]
        pub fn $by_key<'t, K: Ordered + PartialEq, V: Item>(
            a: (impl Operand<'t, K>, impl Operand<'t, V>),
            $b: $second,
            (keys, values): (impl Sink<'t, K>, impl Sink<'t, V>),
        ) -> Result<DeviceScalar<u64>> {
            let $operation = stringify!($by_key);
            let both = (keyed($operation, a.0, a.1), $with_values);
            let less = |(a, _): (Val<K>, V::Values), (b, _): (Val<K>, V::Values)| ascending(a, b);
            set_operation::<(K, V), _>($operation, $kept, both, less, (keys, values), Method::ByDevice)
        }
    )*};
}

sets! {
    UNION
    /// Stores the union of two sorted sequences: `set_union(&a, &b, &mut both)`.
    ///
    /// An element that `a` has `m` times and `b` has `n` times is stored `max(m, n)` times: all of `a`'s, then the last
    /// `n - m` of `b`'s.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_union;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = DeviceVec::from_slice(&queue, &[1, 2, 2, 4])?;
    /// let b = DeviceVec::from_slice(&queue, &[2, 3])?;
    /// let mut either = DeviceVec::filled(&queue, 0, 6)?;
    /// assert_eq!(set_union(&a, &b, &mut either)?.get()?, 5);
    /// assert_eq!(either.to_vec()?, [1, 2, 2, 3, 4, 0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("union1d"))]
    set_union
    /// Stores the union of two sequences that are sorted by a comparator; see [`set_union`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_union_by;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = DeviceVec::from_slice(&queue, &[4, 2, 1])?;
    /// let b = DeviceVec::from_slice(&queue, &[3, 2])?;
    /// let mut either = DeviceVec::filled(&queue, 0, 5)?;
    /// assert_eq!(set_union_by(&a, &b, |a, b| a.gt(b), &mut either)?.get()?, 4);
    /// assert_eq!(either.to_vec()?, [4, 3, 2, 1, 0]);
    /// # Ok(())
    /// # }
    /// ```
    set_union_by
    /// Stores the union of two sorted sequences of keys, and the values that belong to the stored keys.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_union_by_key;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let (a, b) = (DeviceVec::from_slice(&queue, &[1, 4])?, DeviceVec::from_slice(&queue, &[2, 4])?);
    /// let (mut keys, mut values) = (DeviceVec::filled(&queue, 0, 4)?, DeviceVec::filled(&queue, 0, 4)?);
    /// let count = set_union_by_key((&a, 10), (&b, 20), (&mut keys, &mut values))?;
    /// assert_eq!(count.get()?, 3);
    /// assert_eq!(keys.to_vec()?[..3], [1, 2, 4]);
    /// assert_eq!(values.to_vec()?[..3], [10, 20, 10]);
    /// # Ok(())
    /// # }
    /// ```
    set_union_by_key ((impl Operand<'t, K>, impl Operand<'t, V>)) |name, b| keyed(name, b.0, b.1);

    INTERSECTION
    /// Stores the intersection of two sorted sequences: `set_intersection(&a, &b, &mut both)`.
    ///
    /// An element that `a` has `m` times and `b` has `n` times is stored `min(m, n)` times: the first ones of `a`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_intersection;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = DeviceVec::from_slice(&queue, &[1, 2, 2, 2, 4])?;
    /// let b = DeviceVec::from_slice(&queue, &[2, 2, 3, 4])?;
    /// let mut both = DeviceVec::filled(&queue, 0, 4)?;
    /// assert_eq!(set_intersection(&a, &b, &mut both)?.get()?, 3);
    /// assert_eq!(both.to_vec()?, [2, 2, 4, 0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("intersect1d"))]
    set_intersection
    /// Stores the intersection of two sequences that are sorted by a comparator; see [`set_intersection`].
    set_intersection_by
    /// Stores the intersection of two sorted sequences of keys, and the values that belong to the first one's keys.
    ///
    /// The second sequence has no values.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_intersection_by_key;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let (a, b) = (DeviceVec::from_slice(&queue, &[1, 4, 5])?, DeviceVec::from_slice(&queue, &[4, 4, 5])?);
    /// let (mut keys, mut values) = (DeviceVec::filled(&queue, 0, 3)?, DeviceVec::filled(&queue, 0, 3)?);
    /// let count = set_intersection_by_key((&a, index::<i32>()), &b, (&mut keys, &mut values))?;
    /// assert_eq!(count.get()?, 2);
    /// assert_eq!(keys.to_vec()?[..2], [4, 5]);
    /// assert_eq!(values.to_vec()?[..2], [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    set_intersection_by_key (impl Operand<'t, K>) |name, b| keyed(name, b, zeros::<V>());

    DIFFERENCE
    /// Stores the difference of two sorted sequences: `set_difference(&a, &b, &mut rest)`.
    ///
    /// An element that `a` has `m` times and `b` has `n` times is stored `m - n` times, or not at all: the last ones of
    /// `a`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_difference;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = DeviceVec::from_slice(&queue, &[1, 2, 2, 2, 4])?;
    /// let b = DeviceVec::from_slice(&queue, &[2, 2, 3, 4])?;
    /// let mut rest = DeviceVec::filled(&queue, 0, 5)?;
    /// assert_eq!(set_difference(&a, &b, &mut rest)?.get()?, 2);
    /// assert_eq!(rest.to_vec()?, [1, 2, 0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("setdiff1d"))]
    set_difference
    /// Stores the difference of two sequences that are sorted by a comparator; see [`set_difference`].
    set_difference_by
    /// Stores the difference of two sorted sequences of keys, and the values that belong to the stored keys.
    ///
    /// The second sequence has no values.
    set_difference_by_key (impl Operand<'t, K>) |name, b| keyed(name, b, zeros::<V>());

    SYMMETRIC_DIFFERENCE
    /// Stores the elements of two sorted sequences that are not in both: `set_symmetric_difference(&a, &b, &mut rest)`.
    ///
    /// If an element occurs `m` times in one sequence and `n` times in the other, with `m` not less than `n`, the last
    /// `m - n` of the former are stored.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::set_symmetric_difference;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = DeviceVec::from_slice(&queue, &[1, 2, 2, 2, 4])?;
    /// let b = DeviceVec::from_slice(&queue, &[2, 2, 3, 4])?;
    /// let mut rest = DeviceVec::filled(&queue, 0, 9)?;
    /// assert_eq!(set_symmetric_difference(&a, &b, &mut rest)?.get()?, 3);
    /// assert_eq!(rest.to_vec()?[..4], [1, 2, 3, 0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("setxor1d"))]
    set_symmetric_difference
    /// Stores the items that are not in both of two sequences, which are sorted by a comparator; see
    /// [`set_symmetric_difference`].
    set_symmetric_difference_by
    /// Stores the keys that are not in both of two sorted sequences, and the values that belong to the stored keys.
    set_symmetric_difference_by_key ((impl Operand<'t, K>, impl Operand<'t, V>)) |name, b| keyed(name, b.0, b.1);
}

/// Returns whether a sorted sequence has all elements of another one: each at least as often. Blocks.
///
/// It counts the elements of the [`set_difference`] of `b` and `a`, without storing them.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::includes;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = DeviceVec::from_slice(&queue, &[1, 2, 2, 4])?;
/// assert!(includes(&a, a.slice(1..))?);
/// assert!(!includes(a.slice(1..), &a)?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`set_difference`].
#[doc(alias("is_subset", "is_superset"))]
pub fn includes<'t, T: Ordered + PartialEq>(a: impl Operand<'t, T>, b: impl Operand<'t, T>) -> Result<bool> {
    let both = (b.into_expr(), a.into_expr());
    Ok(set_operation("includes", DIFFERENCE, both, ascending, Discard, Method::ByDevice)?.get()? == 0)
}

/// Returns whether a sequence has all items of another one, both sorted by a comparator; see [`includes`]. Blocks.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::includes_by;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = DeviceVec::from_slice(&queue, &[7, 4, 4, 1])?;
/// assert!(includes_by(&a, a.slice(1..3), |a, b| a.gt(b))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`set_difference`].
pub fn includes_by<'t, T: Item, R: Recorded<Item = bool>>(
    a: impl Operand<'t, T>,
    b: impl Operand<'t, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<bool> {
    let both = (b.into_expr(), a.into_expr());
    Ok(set_operation("includes_by", DIFFERENCE, both, less, Discard, Method::ByDevice)?.get()? == 0)
}
