//! Comparisons, selections by them, and conversions.

use super::operators::{binary, symbolic};
use super::{Expr, Operand, Symbol, Val, extend};
use crate::element::{Element, Number, Ordered};
use crate::ir::op::{Op, Rounding};

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $op:ident $class:ident;)*) => {
        impl<'a, T: Element> Expr<'a, T> {
            $(
                $(#[$doc])*
                pub fn $name(self, other: impl Operand<'a, T>) -> Expr<'a, bool> where T: $class {
                    binary(self, other, Op::$op, stringify!($name))
                }
            )*
        }

        impl<T: Element> Val<T> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self, other: impl Symbol<T>) -> Val<bool> where T: $class {
                    symbolic(self, other, Op::$op)
                }
            )*
        }
    };
}

comparisons! {
    /// Returns `self == other` for each element.
    eq Eq PartialEq;
    /// Returns `self != other` for each element.
    ne Ne PartialEq;
    /// Returns `self < other` for each element.
    lt Lt Ordered;
    /// Returns `self <= other` for each element.
    le Le Ordered;
    /// Returns `self > other` for each element.
    gt Gt Ordered;
    /// Returns `self >= other` for each element.
    ge Ge Ordered;
}

impl<'a> Expr<'a, bool> {
    /// Returns `yes` where the flag is true, else `no`. Both are computed.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[-1.0_f32, 2.0])?;
    /// assert_eq!(x.iter().lt(0.0).select(0.0, &x).collect()?.to_vec()?, [0.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "where")]
    pub fn select<T: Element>(self, yes: impl Operand<'a, T>, no: impl Operand<'a, T>) -> Expr<'a, T> {
        self.with([yes.into_expr().into_postfix(), no.into_expr().into_postfix()], Op::Select, "select")
    }
}

impl Val<bool> {
    /// Returns `yes` if this is true, else `no`. Both are computed.
    #[must_use]
    #[doc(alias = "where")]
    pub fn select<T: Element>(self, yes: impl Symbol<T>, no: impl Symbol<T>) -> Val<T> {
        let (yes, no) = (yes.into_val(), no.into_val());
        extend(|recording| {
            let arguments = [self.node(recording), yes.node(recording), no.node(recording)];
            recording.apply(Op::Select, T::TYPE, &arguments)
        })
    }

    /// Returns `yes` if this is true, else the result of the device function that `no` calls.
    ///
    /// The device function is called only where it is needed: use this for a long computation that is rarely needed.
    /// CPUs compute `yes` for many elements at once. If the closure does anything else than call a device function,
    /// both values are computed.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    ///
    /// #[device_fn]
    /// fn root_by_steps(x: f32) -> f32 {
    ///     let mut root = x;
    ///     for _step in 0..50 {
    ///         root = 0.5 * (root + x / root);
    ///     }
    ///     root
    /// }
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0, 1.0])?;
    /// let roots = x.iter().map(|x| x.eq(1.0).select_or_else(x, || root_by_steps(x)));
    /// assert_eq!(roots.collect()?.to_vec()?, [1.0, 2.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn select_or_else<T: Element>(self, yes: impl Symbol<T>, no: impl FnOnce() -> Val<T>) -> Val<T> {
        match self.value() {
            Some(true) => return yes.into_val(),
            Some(false) => return no(),
            None => {}
        }
        let (yes, no) = (yes.into_val(), no());
        extend(|recording| {
            let [condition, yes, no] = [self.node(recording), yes.node(recording), no.node(recording)];
            let call = &recording.graph().nodes[no as usize];
            match call.op {
                Op::Function(function) => {
                    let arguments: Vec<_> = [condition, yes].iter().chain(&call.arguments).copied().collect();
                    recording.apply(Op::OrElse(function), T::TYPE, &arguments)
                }
                _ => recording.apply(Op::Select, T::TYPE, &[condition, yes, no]),
            }
        })
    }
}

/// Elements that Rust's `as` converts to numbers: numbers and `bool`.
pub trait Castable: Element + PartialEq {}

macro_rules! castable {
    ($($type:ty)*) => {$(impl Castable for $type {})*};
}

castable!(bool i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64);

impl<'a, T: Castable> Expr<'a, T> {
    /// Converts each value to another type, as Rust's `as` does.
    ///
    /// Integers wrap, floats saturate to integers and round to floats, NaN becomes 0, `true` becomes 1.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[-1.5_f32, 2.9, 300.0])?;
    /// assert_eq!(x.iter().cast::<u8>().collect()?.to_vec()?, [0, 2, 255]); // as Rust's `as`
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "astype")]
    pub fn cast<R: Castable + Number>(self) -> Expr<'a, R> {
        self.with([], Op::Cast, "cast")
    }

    /// Converts each value with a rounding mode, as OpenCL's `convert_` does.
    ///
    /// If `saturated`, integers out of range become the nearest end of the type's range instead of wrapping, and
    /// NaN becomes 0. OpenCL does not define saturation to floats: `saturated` is ignored for them.
    pub fn convert<R: Castable + Number>(self, rounding: Rounding, saturated: bool) -> Expr<'a, R> {
        let op = Op::Convert(rounding, saturated && !R::TYPE.is_float());
        self.with([], op, "convert")
    }
}

impl<T: Castable> Val<T> {
    /// Converts the value to another type; see [`Expr::cast`].
    #[must_use]
    pub fn cast<R: Castable + Number>(self) -> Val<R> {
        self.changed(Op::Cast)
    }

    /// Converts the value with a rounding mode; see [`Expr::convert`].
    #[must_use]
    pub fn convert<R: Castable + Number>(self, rounding: Rounding, saturated: bool) -> Val<R> {
        self.changed(Op::Convert(rounding, saturated && !R::TYPE.is_float()))
    }
}

impl<T: Element> Val<T> {
    pub(super) fn changed<R: Element>(self, op: Op) -> Val<R> {
        extend(|recording| {
            let argument = self.node(recording);
            recording.apply(op, R::TYPE, &[argument])
        })
    }
}

impl<'a, T: Number> Expr<'a, T> {
    /// Reinterprets the bits of each value as another type of the same size, as [`f32::to_bits`] does.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, -0.0])?;
    /// assert_eq!(x.iter().bitcast::<u32>().collect()?.to_vec()?, [0x3f80_0000, 0x8000_0000]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("as_type", "transmute"))]
    pub fn bitcast<R: Number>(self) -> Expr<'a, R> {
        const { assert!(T::TYPE.size() == R::TYPE.size(), "a bit cast keeps the size") }
        self.with([], Op::Bitcast, "bitcast")
    }
}

impl<T: Number> Val<T> {
    /// Reinterprets the bits of the value as another type of the same size; see [`Expr::bitcast`].
    #[must_use]
    pub fn bitcast<R: Number>(self) -> Val<R> {
        const { assert!(T::TYPE.size() == R::TYPE.size(), "a bit cast keeps the size") }
        self.changed(Op::Bitcast)
    }
}
