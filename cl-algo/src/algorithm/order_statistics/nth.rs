//! The element of a rank, medians and quantiles.

use super::ranked::Keys;
use crate::algorithm::sort::{ScalarKey, Sort};
use crate::device_scalar::DeviceScalar;
use crate::expr::Expr;
use crate::ir::target::Target;
use crate::vec::DeviceVec;
use cl_core::{Error, Result};

/// The largest number of ranks that are selected one after the other. For more ranks the keys are sorted.
///
/// On an H200, selecting one of 2^28 `f32` takes 1.2 ms, and sorting as many `u32` takes 4.9 ms.
const MOST_SELECTED: usize = 4;

impl<'a, T: ScalarKey> Expr<'a, T> {
    /// Returns the element that has index `n` once the elements are sorted; `select_nth(0)` is the smallest. Blocks.
    ///
    /// Floats are in their total order: see [Orders](crate#orders). Nothing is stored, and the elements are not moved.
    ///
    /// The algorithm is a radix selection. It reads all elements once, and then only the elements that lie between two
    /// elements of a sample of up to 16 384, about a thirtieth of long inputs. If these are too many, or the sample was
    /// a bad one, it reads all elements once for each 11 bits. It is one launch for a sample, one for all elements, one
    /// for each 11 bits, and one for the result: 6 launches for 32-bit elements, without a wait between them. For up to
    /// 16 384 elements it is two launches.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[5.0_f32, -1.0, 3.0, 9.0])?;
    /// assert_eq!(x.iter().select_nth(1)?, 3.0);
    /// assert_eq!((&x * &x).select_nth(3)?, 81.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`]; [`Error::OutOfBounds`] unless there are more than `n` elements; [`Error::InvalidInput`]
    /// for 2^32 elements or more.
    #[doc(alias("nth_element", "kthvalue", "order_statistic", "select_nth_unstable", "partition"))]
    pub fn select_nth(self, n: usize) -> Result<T> {
        nth_of(&Keys::of::<T>("select_nth", self, false)?, n)?.get()
    }

    /// Returns [`Expr::select_nth`], and leaves it on the device. Does not block.
    ///
    /// # Errors
    /// As [`Expr::select_nth`].
    pub fn select_nth_on_device(self, n: usize) -> Result<DeviceScalar<T>> {
        nth_of(&Keys::of::<T>("select_nth_on_device", self, false)?, n)
    }

    /// Returns the median; `None` for zero elements. Blocks. The same as `quantile(0.5)`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[7, 1, 2, 4])?;
    /// assert_eq!(x.iter().median()?, Some(3.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::quantiles`].
    pub fn median(self) -> Result<Option<f64>> {
        let found = self.quantiles_as("median", &[0.5])?;
        Ok(found.and_then(|found| found.first().copied()))
    }

    /// Returns a quantile; `None` for zero elements. Blocks. See [`Expr::quantiles`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[30.0_f32, 10.0, 20.0])?;
    /// assert_eq!(x.iter().quantile(0.75)?, Some(25.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::quantiles`].
    #[doc(alias = "percentile")]
    pub fn quantile(self, q: f64) -> Result<Option<f64>> {
        let found = self.quantiles_as("quantile", &[q])?;
        Ok(found.and_then(|found| found.first().copied()))
    }

    /// Returns several quantiles; `None` for zero elements. Blocks.
    ///
    /// The quantile `q` of `n` elements has the rank `h = q * (n - 1)`. Between two ranks it is interpolated: with the
    /// elements `a` and `b` of the ranks next to `h`, it is `a + (b - a) * fraction(h)`. NumPy calls this rule
    /// "linear". The arithmetic is that of `f64`, to which the elements are rounded. NaN is not an exception: positive
    /// NaNs are the largest elements.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[4_u32, 1, 3, 2, 5])?;
    /// assert_eq!(x.iter().quantiles(&[0.0, 0.25, 0.9])?, Some(vec![1.0, 2.0, 4.6]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Each rank takes the launches of [`select_nth`](Expr::select_nth). For more than 4 ranks the elements are copied
    /// and sorted instead. The host waits once.
    ///
    /// # Errors
    /// As [`Expr::select_nth`]; [`Error::InvalidInput`] for a quantile that is not a number from 0 to 1.
    #[doc(alias = "percentiles")]
    pub fn quantiles(self, quantiles: &[f64]) -> Result<Option<Vec<f64>>> {
        self.quantiles_as("quantiles", quantiles)
    }

    /// Returns [`Expr::quantiles`]. `operation` is the name in errors.
    fn quantiles_as(self, operation: &'static str, quantiles: &[f64]) -> Result<Option<Vec<f64>>> {
        if let Some(wrong) = quantiles.iter().find(|q| !(0.0..=1.0).contains(*q)) {
            let reason = format!("{wrong} is not a number from 0 to 1");
            return Err(Error::invalid_input(operation, reason));
        }
        let keys = Keys::of::<T>(operation, self.clone(), false)?;
        let Some(last) = keys.len.checked_sub(1) else { return Ok(None) };
        if quantiles.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let ends = |q: f64| {
            let rank = q * last as f64;
            let below = (rank.floor() as usize).min(last);
            let fraction = rank - below as f64;
            (below, if fraction > 0.0 { (below + 1).min(last) } else { below }, fraction)
        };
        let mut ranks: Vec<usize> =
            quantiles.iter().map(|&q| ends(q)).flat_map(|(below, above, _)| [below, above]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let found = if ranks.len() > MOST_SELECTED {
            sorted_at(operation, &keys, self, &ranks)?
        } else {
            // SAFETY: the launches below write every element. If one cannot be enqueued, the vector is dropped.
            let found = unsafe { DeviceVec::<T>::uninit(&keys.queue, ranks.len()) }?;
            for (at, &rank) in ranks.iter().enumerate() {
                keys.store_nth::<T>(rank, &found, at)?;
            }
            found.to_vec()?
        };
        let of_rank = |rank: usize| {
            let at = ranks.binary_search(&rank).unwrap_or_default();
            found.get(at).map_or(f64::NAN, |&key| key.to_f64())
        };
        let quantile = |&q: &f64| {
            let (below, above, fraction) = ends(q);
            let (a, b) = (of_rank(below), of_rank(above));
            // The same number twice, which may be infinite.
            if fraction == 0.0 || a == b {
                a
            } else if (b - a).is_finite() {
                a + (b - a) * fraction
            } else {
                a * (1.0 - fraction) + b * fraction
            }
        };
        Ok(Some(quantiles.iter().map(quantile).collect()))
    }
}

/// Returns the key of a rank.
pub(super) fn nth_of<T: ScalarKey>(keys: &Keys<'_>, n: usize) -> Result<DeviceScalar<T>> {
    keys.check_rank(n)?;
    // SAFETY: the last launch writes the element. If it cannot be enqueued, the scalar is dropped here.
    let found = unsafe { DeviceVec::<T>::uninit(&keys.queue, 1) }?;
    keys.store_nth::<T>(n, &found, 0)?;
    Ok(DeviceScalar::new(found))
}

/// Returns the elements of several ranks, from a sorted copy.
fn sorted_at<T: ScalarKey>(
    operation: &'static str,
    keys: &Keys<'_>,
    elements: Expr<'_, T>,
    ranks: &[usize],
) -> Result<Vec<T>> {
    let sorted = elements.collect_on(&keys.queue)?;
    Sort::new().in_place::<T>(operation, vec![Target::whole(&sorted)], None)?;
    let indices: Vec<u32> = ranks.iter().map(|&rank| rank as u32).collect();
    let indices = DeviceVec::from_slice(&keys.queue, &indices)?;
    sorted.iter().gather(&indices).to_vec()
}
