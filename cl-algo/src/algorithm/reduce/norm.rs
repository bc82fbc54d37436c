//! The norm of all items, without undue overflow and underflow.

use super::reducer::{Reducer, Values};
use crate::element::{Element, Float};
use crate::expr::{Expr, Item, Val};
use cl_core::Result;
use half::f16;
use num_complex::Complex;

/// A reducer for the square root of the sum of the squares of absolute values; see [`Expr::norm_l2`].
///
/// Large, medium and small numbers have sums of their own, the first and the last of scaled numbers. So neither a square
/// overflows nor a sum of them loses digits by underflow, in one pass. Norms of medium numbers are the roots of the plain
/// sums.
///
/// After J. L. Blue, "A portable Fortran program to find the Euclidean norm of a vector", ACM TOMS 4, 1978, and
/// E. Anderson, "Algorithm 978: Safe scaling in the level 1 BLAS", ACM TOMS 44, 2017, as LAPACK's `nrm2`; with bounds that
/// leave room for sums of 2^40 squares in place of 2^24. (`f16` has no such room: cast its items to `f32`.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Norm;

/// Powers of two, as their logarithms, between which squares are exact enough and do not overflow.
struct Bounds {
    largest: i32,
    scale_of_large: i32,
    smallest: i32,
    scale_of_small: i32,
}

impl Bounds {
    fn of<T: Float>() -> Bounds {
        let [largest, scale_of_large, smallest, scale_of_small] = match T::TYPE.size() {
            2 => [4, -10, -7, 12],
            4 => [44, -84, -60, 90],
            _ => [480, -560, -500, 600],
        };
        Bounds { largest, scale_of_large, smallest, scale_of_small }
    }
}

/// Returns a power of two as part of the kernel's source.
fn power<T: Float>(log2: i32) -> Val<T> {
    let value = 2.0_f64.powi(log2);
    let (half, single, double) =
        (f16::from_f64(value).to_ne_bytes(), (value as f32).to_ne_bytes(), value.to_ne_bytes());
    Val::constant(T::from_bytes(&mut |_| match T::TYPE.size() {
        2 => &half,
        4 => &single,
        _ => &double,
    }))
}

/// The sums of the squares of large, medium and small numbers.
type Sums<T> = (T, T, T);

/// Returns the sums for one number. NaN is a medium number.
fn sums_of<T: Float + PartialEq>(x: Val<T>) -> Values<Sums<T>> {
    let bounds = Bounds::of::<T>();
    let zero = || Val::constant(T::zeroed());
    let size = x.max(-x);
    let (is_large, is_small) = (size.gt(power::<T>(bounds.largest)), size.lt(power::<T>(bounds.smallest)));
    let large = is_large.select(x * power::<T>(bounds.scale_of_large), zero());
    let small = is_small.select(x * power::<T>(bounds.scale_of_small), zero());
    let medium = (is_large | is_small).select(zero(), x);
    (large * large, medium * medium, small * small)
}

fn added<T: Float>(a: Values<Sums<T>>, b: Values<Sums<T>>) -> Values<Sums<T>> {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2)
}

/// Returns the norm. The smaller sums are added in the scale of the largest one.
fn root_of<T: Float + PartialEq>((large, medium, small): Values<Sums<T>>) -> Val<T> {
    let bounds = Bounds::of::<T>();
    let (down, up) = (power::<T>(bounds.scale_of_large), power::<T>(-bounds.scale_of_small));
    let of_large = (large + medium * down * down).sqrt() * power::<T>(-bounds.scale_of_large);
    let of_medium = (medium + small * up * up).sqrt();
    let of_small = small.sqrt() * up;
    let zero = || Val::constant(T::zeroed());
    large.gt(zero()).select(of_large, medium.ne(zero()).select(of_medium, of_small))
}

impl<T: Float + PartialEq> Reducer<T> for Norm {
    type State = Sums<T>;
    type Output = T;

    fn start(&self, item: Val<T>, _: Val<u64>) -> Values<Sums<T>> {
        sums_of(item)
    }

    fn combine(&self, a: Values<Sums<T>>, b: Values<Sums<T>>) -> Values<Sums<T>> {
        added::<T>(a, b)
    }

    fn finish(&self, sums: Values<Sums<T>>, _: Val<u64>) -> Val<T> {
        root_of(sums)
    }
}

macro_rules! complex {
    ($($part:ident)*) => {$(
        impl Reducer<Complex<$part>> for Norm {
            type State = Sums<$part>;
            type Output = $part;

            fn start(&self, item: Val<Complex<$part>>, _: Val<u64>) -> Values<Sums<$part>> {
                added::<$part>(sums_of(item.re()), sums_of(item.im()))
            }

            fn combine(&self, a: Values<Sums<$part>>, b: Values<Sums<$part>>) -> Values<Sums<$part>> {
                added::<$part>(a, b)
            }

            fn finish(&self, sums: Values<Sums<$part>>, _: Val<u64>) -> Val<$part> {
                root_of(sums)
            }
        }
    )*};
}

complex!(f32 f64);

impl<T: Element> Expr<'_, T> {
    /// Returns the square root of the sum of the squares of the absolute values, of real or complex numbers; 0 for zero
    /// elements. Blocks.
    ///
    /// Neither overflows nor loses digits, unless the norm itself does: see [`Norm`](crate::reducers::Norm).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3e30_f32, 4e30])?;
    /// assert_eq!(x.iter().norm_l2()?, 5e30);
    /// assert_eq!((&x * 1e-30).norm_l2()?, 5.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("nrm2", "norm", "length", "frobenius"))]
    pub fn norm_l2<R: Element>(self) -> Result<R>
    where
        Norm: Reducer<T, Output = R>,
    {
        Ok(self.reduce_as("norm_l2", Norm)?.unwrap_or(R::zeroed()))
    }
}
