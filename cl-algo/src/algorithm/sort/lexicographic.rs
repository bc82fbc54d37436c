//! Sorts by several keys, and by keys that a closure computes.

use super::key::TakeScalars;
use super::{ScalarKey, Sort, SortKey};
use crate::algorithm::order_statistics::digits_of;
use crate::element::Element;
use crate::expr::{Expr, Operand, Val};
use crate::vec::DeviceVec;
use cl_core::{Error, Result};
use sealed::Sealed;
use std::cmp::Reverse;

mod sealed {
    /// Seals the traits of this file, so that they can change.
    pub trait Sealed {}
}

/// A key of several, as unsigned numbers in its order, and the number of their bits.
#[doc(hidden)]
#[derive(Debug)]
pub struct KeyDigits<'a> {
    digits: Expr<'a, u64>,
    bits: u32,
}

/// The digits of keys, in descending order or not.
struct Collected<'a> {
    descending: bool,
    all: Vec<KeyDigits<'a>>,
}

impl<'a> TakeScalars<'a> for Collected<'a> {
    fn take<K: ScalarKey>(&mut self, keys: Expr<'a, K>) {
        let descending = self.descending;
        let digits = keys.map(|key| digits_of(key, descending).cast::<u64>());
        self.all.push(KeyDigits { digits, bits: K::BITS });
    }
}

fn digits<'a, K: SortKey>(keys: Expr<'a, K>, descending: bool) -> Vec<KeyDigits<'a>> {
    let mut collected = Collected { descending, all: Vec::new() };
    K::scalars(keys, &mut collected);
    collected.all
}

/// One of several keys to sort by: an expression or a device vector, in ascending order, or a [`Reverse`] of these, in
/// descending order.
pub trait LexicographicKey<'a>: Sealed {
    #[doc(hidden)]
    fn digits(self) -> Vec<KeyDigits<'a>>;
}

macro_rules! keys {
    ($($keys:ty)*) => {$(
        impl<'a, K: SortKey> Sealed for $keys {}
        impl<'a, K: SortKey> Sealed for Reverse<$keys> {}

        impl<'a, K: SortKey> LexicographicKey<'a> for $keys {
            fn digits(self) -> Vec<KeyDigits<'a>> {
                digits(Operand::<K>::into_expr(self), false)
            }
        }

        impl<'a, K: SortKey> LexicographicKey<'a> for Reverse<$keys> {
            fn digits(self) -> Vec<KeyDigits<'a>> {
                digits(Operand::<K>::into_expr(self.0), true)
            }
        }
    )*};
}

keys!(Expr<'a, K> &'a DeviceVec<K>);

/// Several keys to sort by, the most important one first: a tuple of up to six [keys](LexicographicKey).
pub trait LexicographicKeys<'a>: Sealed {
    #[doc(hidden)]
    fn all(self) -> Vec<KeyDigits<'a>>;
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<$($name),+> Sealed for ($($name,)+) {}

        impl<'a, $($name: LexicographicKey<'a>),+> LexicographicKeys<'a> for ($($name,)+) {
            fn all(self) -> Vec<KeyDigits<'a>> {
                let mut all = Vec::new();
                $(all.extend(self.$at.digits());)+
                all
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

/// Returns the indices that sort by several keys: by the first one, by the second one where the first ones are equal,
/// and so on.
///
/// Keys are any expressions. [`Reverse`] sorts by a key in descending order. Indices of items with equal keys are in
/// ascending order. Structs are sorted by their fields: `lexsort((bodies.mass(), Reverse(bodies.id())))`. A pair
/// of `u64`, the upper half first, is a number of 128 bits.
///
/// The algorithm is a [radix sort](crate::stl::sort()). Keys of up to 64 bits together are one key of a sort. More keys
/// take more sorts, the last keys first.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::lexsort;
/// use std::cmp::Reverse;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let years = DeviceVec::from_slice(&queue, &[2001_u16, 1999, 2001, 1999])?;
/// let prices = DeviceVec::from_slice(&queue, &[1.5_f32, 2.5, 9.0, 0.5])?;
/// let order = lexsort((&years, Reverse(&prices)))?;
/// assert_eq!(order.to_vec()?, [1, 3, 2, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Sort::argsort`]; [`Error::LengthMismatch`] unless the keys have equal lengths.
#[doc(alias("sort_by_keys", "argsort", "lexicographic"))]
pub fn lexsort<'a>(keys: impl LexicographicKeys<'a>) -> Result<DeviceVec<u32>> {
    let mut sorts: Vec<KeyDigits<'a>> = Vec::new();
    let (mut len, mut queue) = (None, None);
    for KeyDigits { digits, bits } in keys.all().into_iter().rev() {
        digits.check()?;
        if let (Some(all), Some(own)) = (len, digits.len())
            && all != own
        {
            return Err(Error::length_mismatch("lexsort", all, own));
        }
        len = len.or(digits.len());
        queue = queue.or_else(|| digits.shared_queue().map(std::borrow::Cow::into_owned));
        match sorts.last_mut() {
            Some(last) if last.bits + bits <= u64::BITS => {
                last.digits = (digits << u64::from(last.bits)) | last.digits.clone();
                last.bits += bits;
            }
            _ => sorts.push(KeyDigits { digits, bits }),
        }
    }
    let mut order: Option<DeviceVec<u32>> = None;
    for KeyDigits { mut digits, bits } in sorts {
        // Keys that are computed from the index may have neither length nor queue of their own.
        if let (None, Some(len)) = (digits.len(), len) {
            digits = digits.take(len);
        }
        if let Some(queue) = &queue {
            digits = digits.on(queue);
        }
        let sort = Sort::new().bits(..bits);
        order = Some(match order {
            None if bits <= u32::BITS => sort.argsort(digits.cast::<u32>())?,
            None => sort.argsort(digits)?,
            Some(mut order) => {
                let count = order.len();
                // SAFETY: the indices are below the number of keys.
                let keys = unsafe { digits.gather_unchecked("lexsort", count, &order) };
                if bits <= u32::BITS {
                    let mut keys = keys.cast::<u32>().collect()?;
                    sort.by_key(&mut keys, &mut order)?;
                } else {
                    let mut keys = keys.collect()?;
                    sort.by_key(&mut keys, &mut order)?;
                }
                order
            }
        });
    }
    order.ok_or_else(|| Error::invalid_input("lexsort", "there are zero keys"))
}

impl<T: Element> DeviceVec<T> {
    /// Sorts the elements by a key that a closure computes, in ascending order and stably, as
    /// [`slice::sort_by_cached_key`] does.
    ///
    /// The key of each element is computed once, in one launch before the [sort](Sort::by_key).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[3, -4, 1, -1])?;
    /// x.sort_by_cached_key(|x| x * x)?;
    /// assert_eq!(x.to_vec()?, [1, -1, 3, -4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Sort::by_key`].
    #[doc(alias = "sort_by_key")]
    pub fn sort_by_cached_key<K: SortKey>(&mut self, key: impl FnOnce(Val<T>) -> Val<K>) -> Result<()> {
        let mut keys = self.iter().map(key).collect()?;
        Sort::new().by_key(&mut keys, self)
    }
}
