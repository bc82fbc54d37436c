//! Adapters in the style of Rust's iterators. All are lazy and store nothing.

use super::Item;
use super::index::{FARTHEST, too_far};
use super::{Expr, Operand, Recorded, index, record};
use crate::element::{Element, Integer};
use crate::ir::graph::Graph;
use crate::ir::leaf::Vector;
use crate::ir::op::{Beyond, Op, Site};
use crate::sink::{ends, invalid_range};
use crate::vec::DeviceVec;
use cl_core::Error;
use std::ops::RangeBounds;

/// The value of neighbours beyond the ends of a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Border<T> {
    /// The element at the end, repeated.
    Clamp,
    /// The elements from the other end: the vector is a ring.
    Wrap,
    /// This value.
    Constant(T),
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the results of the closure for each item.
    ///
    /// The closure runs once, on symbolic values, and becomes part of the kernel. A tuple of results makes an
    /// expression of tuples.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
    /// let (squares, negated) = x.iter().map(|x| (x * x, -x)).collect()?; // one kernel
    /// assert_eq!(squares.to_vec()?, [1, 4, 9]);
    /// assert_eq!(negated.to_vec()?, [-1, -2, -3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("transform", "transform_iterator"))]
    pub fn map<R: Recorded>(self, closure: impl FnOnce(T::Values) -> R) -> Expr<'a, R::Item> {
        let operator = record::<T, R>(closure);
        Expr::new(self.into_graph().map(&operator, "map"))
    }

    /// Returns pairs of the items of `self` and `other`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
    /// let y = DeviceVec::from_slice(&queue, &[3, 2, 1])?;
    /// let larger = x.iter().zip(&y).map(|(x, y)| x.max(y)).collect()?;
    /// assert_eq!(larger.to_vec()?, [3, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "zip_iterator")]
    pub fn zip<U: Item>(self, other: impl Operand<'a, U>) -> Expr<'a, (T, U)> {
        Expr::new(self.into_graph().zip(&other.into_expr().into_graph(), "zip"))
    }

    /// Returns pairs of the index and the item.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 1.0, 1.0])?;
    /// let weighted = x.iter().enumerate().map(|(i, x)| x * i.cast::<f32>()).collect()?;
    /// assert_eq!(weighted.to_vec()?, [0.0, 1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn enumerate(self) -> Expr<'a, (u64, T)> {
        Expr::new(index::<u64>().into_graph().zip(&self.into_graph(), "enumerate"))
    }

    /// Returns the first `count` items, or all if there are fewer.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// assert_eq!(x.iter().take(2).collect()?.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn take(self, count: usize) -> Expr<'a, T> {
        let mut graph = self.into_graph();
        graph.keep_near(1, 0, Some(count), "take");
        graph.set_len(graph.len.map_or(count, |len| len.min(count)), "take");
        Expr::new(graph)
    }

    /// Skips the first `count` items, or all if there are fewer.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// assert_eq!(x.iter().skip(3).collect()?.to_vec()?, [4, 5]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn skip(self, count: usize) -> Expr<'a, T> {
        let len = self.len().map(|len| len.saturating_sub(count));
        let count = self.len().map_or(count, |len| len.min(count));
        self.along(1, count, len, "skip")
    }

    /// Returns every item whose index is a multiple of `step`.
    ///
    /// A step of 0 is a deferred error, which the evaluation reports.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// assert_eq!(x.iter().step_by(2).collect()?.to_vec()?, [1, 3, 5]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn step_by(self, step: usize) -> Expr<'a, T> {
        let len = self.len().map(|len| len.div_ceil(step.max(1)));
        let expr = self.along(step, 0, len, "step_by");
        if step == 0 {
            let reason = "it is 0; use a step of 1 or more".to_owned();
            return expr.failed(Error::invalid_input("step", reason));
        }
        expr
    }

    /// Returns the items from the last to the first.
    ///
    /// An expression without a length has no last item: this is a deferred error, which the evaluation reports.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// assert_eq!(x.iter().rev().collect()?.to_vec()?, [5, 4, 3, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("flip", "reverse", "reverse_iterator"))]
    pub fn rev(self) -> Expr<'a, T> {
        let len = self.len();
        let last = len.unwrap_or(0) as i64 - 1;
        let expr = Expr::new(self.into_graph().at(&Graph::line_at(-1, last), len, "rev"));
        if len.is_none() { expr.failed(no_length("rev")) } else { expr }
    }

    /// Returns the items of a range of indices.
    ///
    /// A range that goes beyond the end is a deferred error, which the evaluation reports.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// let differences = x.slice(1..) - x.slice(..4);
    /// assert_eq!(differences.collect()?.to_vec()?, [1, 1, 1, 1]);
    /// assert!(x.slice(3..6).collect().is_err()); // there are five
    /// # Ok(())
    /// # }
    /// ```
    pub fn slice(self, range: impl RangeBounds<usize>) -> Expr<'a, T> {
        let (begin, given_end) = ends(&range);
        let len = self.len();
        let end = given_end.or(len);
        let inside = end.is_none_or(|end| begin <= end && len.is_none_or(|len| end <= len));
        let wanted = end.map(|end| end.saturating_sub(begin));
        let (first, wanted) = if inside { (begin, wanted) } else { (0, Some(0)) };
        let expr = self.along(1, first, wanted, "slice");
        if !inside {
            return expr.failed(invalid_range(begin, given_end, len));
        }
        expr
    }

    /// Gathers: item `i` of the result is the item of `self` at `indices[i]`.
    ///
    /// An index out of range, or a negative index, reads the last item instead, and the next call that waits for the
    /// queue returns an error that names the first such index. Gathering from an expression with zero items is a
    /// deferred error, which the evaluation reports.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[10, 20, 30])?;
    /// let order = DeviceVec::from_slice(&queue, &[2_u32, 0, 0, 1])?;
    /// assert_eq!(x.iter().gather(&order).collect()?.to_vec()?, [30, 10, 10, 20]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("take", "permute", "permutation_iterator"))]
    pub fn gather<I: Integer>(self, indices: impl Operand<'a, I>) -> Expr<'a, T> {
        let mut indices = indices.into_expr().into_graph();
        indices.require_integer("gather");
        let (Some(bound), len) = (self.len(), indices.len) else {
            return self.failed(no_length("gather"));
        };
        if bound == 0 && len != Some(0) {
            let reason = "the expression has 0 items: gather from an expression that has items".to_owned();
            return self.failed(Error::invalid_input("gather", reason));
        }
        let indices = indices.checked(Site::Gather, bound);
        let graph = self.into_graph().at(&indices, len, "gather");
        Expr::new(if let Some(len) = len { graph.with_lines(len) } else { graph })
    }

    /// Returns the items at `stride * i + offset`.
    fn along(self, stride: usize, offset: usize, len: Option<usize>, name: &'static str) -> Expr<'a, T> {
        let mut graph = self.into_graph();
        graph.keep_near(stride, offset, len, name);
        if (stride, offset) == (1, 0) {
            graph.len = len;
            return Expr::new(graph);
        }
        // A stride above `i64::MAX` wraps around here. It does not matter: only the item at `offset` is read,
        // or `keep_near` has recorded an error.
        let line = Graph::line_at(stride as i64, offset as i64);
        Expr::new(graph.at(&line, len, name))
    }
}

impl<'a, T: Element> Expr<'a, T> {
    /// Returns for each index `i` the element at `i + offset`, for stencils. `border` gives the elements beyond the
    /// ends.
    ///
    /// A negative `offset` reads the elements before `i`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0, 9.0, 16.0])?;
    /// let at = |offset| x.iter().shifted(offset, Border::Clamp);
    /// let laplacian = at(-1) - 2.0 * &x + at(1);
    /// assert_eq!(laplacian.collect()?.to_vec()?, [3.0, 2.0, 2.0, -7.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn shifted(self, offset: isize, border: Border<T>) -> Expr<'a, T> {
        let Some(len) = self.len() else {
            return self.failed(no_length("shifted"));
        };
        // Before the border is applied, the index of a neighbour is less than twice the length.
        if len > FARTHEST / 2 {
            return self.failed(too_far("shifted", format_args!("twice a length of {len}")));
        }
        let beyond = if matches!(border, Border::Wrap) { Beyond::Wrap } else { Beyond::Clamp };
        // The offset modulo the length, or clamped to the length: small enough for 32-bit arithmetic.
        let offset = match beyond {
            Beyond::Wrap => offset.rem_euclid(len.max(1) as isize),
            Beyond::Clamp => offset.clamp(-(len as isize), len as isize),
        } as i64;
        let there = Graph::neighbour(offset, len, beyond);
        let shifted = self.into_graph().at(&there, Some(len), "shifted");
        let Border::Constant(value) = border else { return Expr::new(shifted) };
        let inside = Expr::<bool>::new(Graph::inside(offset, len));
        inside.with([shifted.into(), value.into_expr().into_postfix()], Op::Select, "shifted")
    }
}

/// Returns the error for an expression of scalars where a length is needed.
fn no_length(what: &'static str) -> Error {
    Error::invalid_input(what, "the expression reads no vector, and so has no length: call `take` first")
}

macro_rules! parts {
    ($(($($name:ident $part:ident $at:tt),+))+) => {$(
        impl<'a, $($name: Item),+> Expr<'a, ($($name,)+)> {
            /// Returns the fields of the tuple, each as an expression of its own.
            pub fn unzip(self) -> ($(Expr<'a, $name>,)+) {
                let graph = self.into_graph();
                let mut roots = graph.roots.iter().copied();
                $(let $part = graph.only(roots.by_ref().take($name::count()).collect());)+
                ($(Expr::<$name>::new($part),)+)
            }
        }
    )+};
}

parts! {
    (A a 0, B b 1)
    (A a 0, B b 1, C c 2)
    (A a 0, B b 1, C c 2, D d 3)
    (A a 0, B b 1, C c 2, D d 3, E e 4)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7)
}

impl<T: Element> DeviceVec<T> {
    /// Returns the same bytes as elements of another type.
    ///
    /// If the number of bytes is not a multiple of the other type's size, this is a deferred error, which the
    /// evaluation reports.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::U32x2;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1_u32, 2, 3, 4])?;
    /// assert_eq!(x.reinterpret::<U32x2>().collect()?.to_vec()?, [U32x2::from([1, 2]), U32x2::from([3, 4])]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "view")]
    pub fn reinterpret<U: Element>(&self) -> Expr<'_, U> {
        let bytes = self.len() * T::TYPE.size();
        let vector = Vector::new(self.memory(), self.queue(), U::TYPE).of_len(bytes / U::TYPE.size());
        let mut graph = Graph::vector(vector, bytes / U::TYPE.size());
        if !bytes.is_multiple_of(U::TYPE.size()) {
            let reason = format!("{bytes} bytes are not a multiple of the element size, {}", U::TYPE.size());
            graph.fail(Error::invalid_input("reinterpreted vector", reason));
        }
        Expr::new(graph)
    }

    /// Returns the elements as a lazy expression, on which adapters and algorithms are called.
    pub fn iter(&self) -> Expr<'_, T> {
        self.into_expr()
    }

    /// Returns the elements of a range of indices as a lazy expression; see [`Expr::slice`].
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Expr<'_, T> {
        self.into_expr().slice(range)
    }
}
