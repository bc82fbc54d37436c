//! Arrays of zeros and of ones, the identity matrix, and ranges of numbers.

use crate::array::Array;
use cl_algo::num_complex::Complex;
use cl_algo::{Castable, Element, Float, Number, Val};
use cl_core::{Queue, Result};

/// Numbers with a one: integers, floats and complex numbers.
pub trait One: Number {
    /// The number 1.
    const ONE: Self;
}

macro_rules! one {
    ($($type:ty: $one:expr;)*) => {$(
        impl One for $type {
            const ONE: $type = $one;
        }
    )*};
}

one! {
    i8: 1; u8: 1; i16: 1; u16: 1; i32: 1; u32: 1; i64: 1; u64: 1;
    half::f16: half::f16::ONE; f32: 1.0; f64: 1.0;
    Complex<f32>: Complex::new(1.0, 0.0); Complex<f64>: Complex::new(1.0, 0.0);
}

impl<T: Element, const N: usize> Array<T, N> {
    /// Returns a new array of zeros; `false` is the zero of `bool`.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::<f32, 2>::zeros(&queue, [2, 2])?;
    /// assert_eq!(a.to_vec()?, [0.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::filled`].
    #[doc(alias("zeros_like", "empty"))]
    pub fn zeros(queue: &Queue, shape: [usize; N]) -> Result<Array<T, N>> {
        Array::filled(queue, shape, T::zeroed())
    }
}

impl<T: One, const N: usize> Array<T, N> {
    /// Returns a new array of ones.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::<f32, 2>::ones(&queue, [2, 3])?;
    /// assert_eq!(a.sum()?, 6.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::filled`].
    #[doc(alias = "ones_like")]
    pub fn ones(queue: &Queue, shape: [usize; N]) -> Result<Array<T, N>> {
        Array::filled(queue, shape, T::ONE)
    }
}

impl<T: One> Array<T, 2> {
    /// Returns the identity matrix of `n` rows: 1 on the diagonal and 0 elsewhere.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// assert_eq!(Array::<i32, 2>::eye(&queue, 2)?.to_vec()?, [1, 0, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::filled`].
    #[doc(alias = "identity")]
    pub fn eye(queue: &Queue, n: usize) -> Result<Array<T, 2>> {
        Array::from_fn(queue, [n, n], |[i, j]| i.eq(j).select(T::ONE, T::zeroed()))
    }
}

impl<T: Number + Castable> Array<T, 1> {
    /// Returns the `len` numbers `start`, `start + step`, `start + 2 * step`, and so on.
    ///
    /// NumPy's `arange` takes the end instead of the length; for floats, its length depends on rounding.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// assert_eq!(Array::arange(&queue, 10, -2, 4)?.to_vec()?, [10, 8, 6, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::filled`].
    #[doc(alias("range", "iota"))]
    pub fn arange(queue: &Queue, start: T, step: T, len: usize) -> Result<Array<T, 1>> {
        Array::from_fn(queue, [len], |[i]| i.cast::<T>() * Val::known(step) + Val::known(start))
    }
}

impl<T: Float + Castable> Array<T, 1> {
    /// Returns `len` numbers at equal distances from `start` to `end`, both included. A single number is `start`.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// assert_eq!(Array::linspace(&queue, 0.0_f32, 1.0, 5)?.to_vec()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::filled`].
    pub fn linspace(queue: &Queue, start: T, end: T, len: usize) -> Result<Array<T, 1>> {
        let last = len.saturating_sub(1).max(1) as u64;
        Array::from_fn(queue, [len], |[i]| {
            let (start, end) = (Val::known(start), Val::known(end));
            let step = (end - start) / Val::known(last).cast::<T>();
            // The last number is exact, as in NumPy.
            i.eq(last).select(end, start + i.cast::<T>() * step)
        })
    }
}
