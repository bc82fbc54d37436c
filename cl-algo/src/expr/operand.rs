//! Operands of expressions.

use super::Item;
use super::{Expr, Val, extend};
use crate::element::{Element, Number};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::Op;
use crate::ir::postfix::Postfix;
use crate::vec::DeviceVec;
use cl_core::{Error, Queue};
use std::borrow::Cow;

/// A value of `T` for each element: an expression, a device vector by reference or by value, a scalar, or a tuple of
/// these.
///
/// A scalar is the same for all elements and becomes a kernel argument. A vector by value moves into the expression,
/// without a copy, and its memory is released with the expression.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// fn doubled(x: DeviceVec<i32>) -> Expr<'static, i32> {
///     x.into_expr() * 2
/// }
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
/// let y = DeviceVec::from_slice(&queue, &[4, 5, 6])?;
/// assert_eq!((&x + doubled(y) - x.try_clone()?).collect()?.to_vec()?, [8, 10, 12]);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of expressions of `{T}`",
    label = "not a `{T}`, nor a vector or an expression of `{T}`",
    note = "operands have one type: write `1.0` for `1` beside floats, `1.0_f32` beside `f32`; \
            `y.iter().cast::<{T}>()` converts a vector or an expression",
    note = "a vector is borrowed, `&y`; a slice of the host becomes one by `DeviceVec::from_slice(&queue, &slice)`; \
            results such as `x.mean()?` are an `Option`: take the value out first"
)]
pub trait Operand<'a, T: Item> {
    /// Returns the operand as an expression.
    fn into_expr(self) -> Expr<'a, T>;

    /// Appends the operand to the operands of the operation `name`. Leaves append one step, without a
    /// `Postfix` of their own.
    #[doc(hidden)]
    fn append_to(self, postfix: &mut Postfix<'a>, name: &'static str)
    where
        Self: Sized,
    {
        postfix.append(self.into_expr().into_postfix(), name);
    }
}

impl<'a, T: Item> Operand<'a, T> for Expr<'a, T> {
    fn into_expr(self) -> Expr<'a, T> {
        self
    }
}

impl<'a, T: Item> Operand<'a, T> for &Expr<'a, T> {
    fn into_expr(self) -> Expr<'a, T> {
        self.clone()
    }
}

impl<'a, T: Element> Operand<'a, T> for &'a DeviceVec<T> {
    fn into_expr(self) -> Expr<'a, T> {
        let mut postfix = Postfix::new();
        self.append_to(&mut postfix, "");
        Expr::new(postfix)
    }

    fn append_to(self, postfix: &mut Postfix<'a>, name: &'static str) {
        postfix.vector(self.as_leaf(), self.len(), name);
    }
}

impl<'a, T: Element> Operand<'a, T> for DeviceVec<T> {
    fn into_expr(self) -> Expr<'a, T> {
        let mut postfix = Postfix::new();
        self.append_to(&mut postfix, "");
        Expr::new(postfix)
    }

    fn append_to(self, postfix: &mut Postfix<'a>, name: &'static str) {
        let len = self.len();
        postfix.vector(self.into_leaf(), len, name);
    }
}

impl<'a, T: Element> Operand<'a, T> for T {
    fn into_expr(self) -> Expr<'a, T> {
        let mut postfix = Postfix::new();
        self.append_to(&mut postfix, "");
        Expr::new(postfix)
    }

    fn append_to(self, postfix: &mut Postfix<'a>, _: &'static str) {
        postfix.scalar(Scalar::new(self));
    }
}

macro_rules! tuples {
    ($(($($name:ident $operand:ident $at:tt),+))+) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, $($name: Item, $operand: Operand<'a, $name>),+> Operand<'a, ($($name,)+)> for ($($operand,)+) {
            fn into_expr(self) -> Expr<'a, ($($name,)+)> {
                let mut graph = Graph::default();
                $(graph = graph.zip(&self.$at.into_expr().into_graph(), "zip");)+
                Expr::new(graph)
            }
        }
    )+};
}

tuples! {
    (A X 0, B Y 1)
    (A X 0, B Y 1, C Z 2)
    (A X 0, B Y 1, C Z 2, D W 3)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6, H R 7)
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the expression, to be evaluated on `queue`.
    ///
    /// An expression that reads no vector needs this before a reduction or a scan. If the expression reads vectors of
    /// another queue, this is a deferred error, which the evaluation reports.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let odd = (iota(0_u32, 1000) & 1).eq(1);
    /// assert_eq!(odd.on(&queue).count()?, 500);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on(self, queue: &'a Queue) -> Expr<'a, T> {
        self.on_shared(Cow::Borrowed(queue))
    }

    /// Does the same as [`Expr::on`] for a queue that may be owned.
    pub(crate) fn on_shared(self, queue: Cow<'a, Queue>) -> Expr<'a, T> {
        let mut graph = self.into_graph();
        let mut anywhere = Graph::default();
        anywhere.on = Some(queue);
        graph.absorb(&anywhere, Replace::Nothing, "on");
        Expr::new(graph)
    }

    /// Returns the expression with a deferred error, unless it has one already. Its evaluation returns the error.
    ///
    /// For functions that return expressions and find their arguments invalid.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_core::Error;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::filled(&queue, 1.0_f32, 3)?;
    /// let error = Error::invalid_input("axis", "it is 2; a matrix has the axes 0 and 1");
    /// assert_eq!((2.0 * x.iter().failed(error.clone())).collect().unwrap_err(), error);
    /// # Ok(())
    /// # }
    /// ```
    pub fn failed(self, error: Error) -> Expr<'a, T> {
        let mut graph = self.into_graph();
        graph.fail(error);
        Expr::new(graph)
    }
}

/// Returns tuples of the items of up to eight operands: `zip((&x, &y, 2.0))`.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
/// let y = DeviceVec::from_slice(&queue, &[4, 5, 6])?;
/// let sums = zip((&x, &y, 10)).map(|(x, y, ten)| x + y * ten).collect()?;
/// assert_eq!(sums.to_vec()?, [41, 52, 63]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("zip_iterator", "make_zip_iterator"))]
pub fn zip<'a, T: Item>(operands: impl Operand<'a, T>) -> Expr<'a, T> {
    operands.into_expr()
}

/// Returns an expression of a value that becomes part of the kernel's source.
///
/// The compiler can then optimize for the value, but another value compiles another kernel. Use it for values that
/// hardly ever change, such as the exponent of [`pown`](Expr::pown).
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[7_u32, 8, 9])?;
/// assert_eq!((&x / constant(2)).collect()?.to_vec()?, [3, 4, 4]); // the compiler makes it a shift
/// # Ok(())
/// # }
/// ```
#[doc(alias = "constant_iterator")]
pub fn constant<'a, T: Number>(value: T) -> Expr<'a, T> {
    match bits_of(value) {
        Some(bits) => Expr::new(Graph::leaf(Op::Constant(bits), T::TYPE)),
        None => value.into_expr(),
    }
}

/// Returns the bits of a number of up to 8 bytes; `None` for complex numbers of 16 bytes.
fn bits_of<T: Number>(value: T) -> Option<u64> {
    let stored = T::as_stored(std::slice::from_ref(&value));
    let bytes: &[u8] = bytemuck::cast_slice(stored);
    let mut bits = [0; 8];
    bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(bits))
}

impl<T: Number> Val<T> {
    /// Returns the value as a constant of the recording's kernel; see [`constant()`].
    pub(crate) fn constant(value: T) -> Val<T> {
        match bits_of(value) {
            Some(bits) => extend(|recording| recording.apply(Op::Constant(bits), T::TYPE, &[])),
            None => Val::known(value),
        }
    }
}

/// Returns the index of each element as a number: `i as T`.
///
/// The expression has no length of its own and takes the length of the expression that it is combined with.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[5.0_f32, 5.0, 5.0])?;
/// assert_eq!((&x + index::<f32>()).collect()?.to_vec()?, [5.0, 6.0, 7.0]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("counting_iterator", "indices"))]
pub fn index<'a, T: Number>() -> Expr<'a, T> {
    Expr::new(Graph::identity().cast(T::TYPE))
}

/// Returns the `len` numbers `start, start + 1, start + 2, …`.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// assert_eq!(iota(7_i64, 3).collect_on(&queue)?.to_vec()?, [7, 8, 9]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("arange", "range", "sequence", "counting_iterator"))]
pub fn iota<'a, T: Number>(start: T, len: usize) -> Expr<'a, T> {
    let mut graph = (index::<T>() + start).into_graph();
    graph.set_len(len, "iota");
    Expr::new(graph)
}
