//! Functions whose body is OpenCL C text.

use super::call::{Argument, Mode, Modes, SliceArgument};
use super::lazy::{Lazy, Recorded};
use super::{DeviceItem, Type, intern};
use crate::element::Element;
use crate::ir::function::Function;
use cl_core::{Error, Result};
use std::fmt;
use std::marker::PhantomData;

/// A function whose body is OpenCL C, with a signature in Rust types: for computations that neither closures nor
/// `#[device_fn]` can express.
///
/// `F` is its signature, such as `fn(f32, Slice<u32>) -> f32`. Elements are values, and a [`Slice<T>`] named `x` is
/// `global const T *x` with its length in `ulong x_len`. Structs and unions that the text declares, and their members,
/// should begin with `VOLATILE`, which is `volatile` on devices that lose writes to structs otherwise.
///
/// ```
/// use cl_algo::function::{RawFunction, Slice};
/// use cl_algo::prelude::*;
/// use cl_algo::math::clamp;
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // SAFETY: the text reads the slice below its length only.
/// let lookup = unsafe {
///     RawFunction::<fn(f32, Slice<f32>) -> f32>::new("lookup", ["at", "table"], "
///         const ulong i = (ulong)clamp(at, 0.0f, (float)(table_len - 1));
///         return table[i];
///     ")?
/// };
/// let table = DeviceVec::from_slice(&queue, &[10.0_f32, 20.0, 30.0])?;
/// let at = DeviceVec::from_slice(&queue, &[-1.0_f32, 1.5, 9.0])?;
/// assert_eq!((lookup.call((&at, &table)) + 1.0).collect()?.to_vec()?, [11.0, 21.0, 31.0]);
/// # Ok(())
/// # }
/// ```
pub struct RawFunction<F> {
    function: &'static Function,
    signature: PhantomData<F>,
}

/// A parameter of a [`RawFunction`] that is a whole vector of `T`.
#[derive(Debug)]
pub struct Slice<T>(PhantomData<T>);

/// A parameter of a [`RawFunction`]: an element or a [`Slice`].
pub trait RawParameter {
    /// Returns the type of the parameter.
    #[doc(hidden)]
    fn parameter() -> Type;
}

impl<T: Element> RawParameter for T {
    fn parameter() -> Type {
        T::TYPE.into()
    }
}

impl<T: Element> RawParameter for Slice<T> {
    fn parameter() -> Type {
        Type::Slice(T::TYPE)
    }
}

/// A value for a parameter of a [`RawFunction`].
pub trait RawArgument<P> {
    /// The kind of the argument.
    type Mode: Mode;

    /// Returns the argument for a call on the device.
    #[doc(hidden)]
    fn pass(self) -> <Self::Mode as Mode>::Passed;
}

impl<T: Element, A: Argument<T>> RawArgument<T> for A {
    type Mode = A::Mode;

    fn pass(self) -> <A::Mode as Mode>::Passed {
        Argument::pass(self)
    }
}

impl<T: Element, A: SliceArgument<T>> RawArgument<Slice<T>> for A {
    type Mode = A::Mode;

    fn pass(self) -> <A::Mode as Mode>::Passed {
        SliceArgument::pass(self)
    }
}

/// The modes of calls that a device evaluates: with device vectors, expressions or recorded values.
#[diagnostic::on_unimplemented(
    message = "the host cannot call OpenCL C",
    note = "at least one argument must be a device vector, an expression or a recorded value"
)]
pub trait OnDevice: Mode {}

impl OnDevice for Lazy<'_> {}
impl OnDevice for Recorded {}

impl<F> RawFunction<F> {
    /// Returns the function of this body; `names` are those of the parameters. Equal functions exist once.
    fn with(
        name: &str,
        names: &[&str],
        parameters: Vec<Type>,
        result: Type,
        body: &str,
    ) -> Result<RawFunction<F>> {
        for name in names.iter().chain([&name]) {
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                let reason = format!("`{name}` is not a name in C");
                return Err(Error::invalid_input("OpenCL C function", reason));
            }
        }
        let list: Vec<String> = names.iter().zip(&parameters).map(|(name, of)| of.declared(name)).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let definition = format!("({list})\n{{\n{body}\n}}");
        let function = Function::new(name, parameters, result, &definition, Vec::new());
        Ok(RawFunction { function: intern::keep(function), signature: PhantomData })
    }

    /// Returns the function in the form that expressions use.
    #[must_use]
    pub fn function(&self) -> &'static Function {
        self.function
    }
}

macro_rules! signatures {
    ($($count:literal ($($parameter:ident $argument:ident $value:ident),+) $modes:ty;)+) => {$(
        impl<$($parameter: RawParameter,)+ R: DeviceItem> RawFunction<fn($($parameter),+) -> R> {
            /// Returns the function of this body, which returns a value of the result's type; `names` are those of the
            /// parameters. Equal functions exist once, and are kept for ever.
            ///
            /// # Errors
            /// [`Error::InvalidInput`] for a name that is not a valid name in C. Errors in the body are found when a
            /// kernel that calls it is compiled.
            ///
            /// # Safety
            /// The body is compiled unchanged: whatever its arguments are, it must end, and access no memory but the
            /// elements of its slices.
            pub unsafe fn new(name: &str, names: [&str; $count], body: &str) -> Result<Self> {
                RawFunction::with(name, &names, vec![$($parameter::parameter()),+], R::device_type(), body)
            }

            /// Returns the call with these arguments: a lazy expression, or a recorded value in a closure.
            pub fn call<$($argument: RawArgument<$parameter>),+>(
                &self,
                ($($value,)+): ($($argument,)+),
            ) -> <<$modes as Modes>::Mode as Mode>::Of<Self, R>
            where
                $modes: Modes<Mode: OnDevice, Passed = signatures!(@nested () $($argument)+)>,
            {
                let function = self.function;
                <$modes as Modes>::Mode::evaluate::<Self, R>(None, || Ok(function), || {
                    <$modes as Modes>::collect(signatures!(@values () $($value)+))
                })
            }
        }
    )+};
    (@nested $done:tt) => { $done };
    (@nested $done:tt $first:ident $($rest:ident)*) => {
        signatures!(@nested ($done, <$first::Mode as Mode>::Passed) $($rest)*)
    };
    (@values $done:expr) => { $done };
    (@values $done:expr, ) => { $done };
    (@values $done:tt $first:ident $($rest:ident)*) => {
        signatures!(@values ($done, $first.pass()) $($rest)*)
    };
}

signatures! {
    1 (P0 A0 a0) ((), A0::Mode);
    2 (P0 A0 a0, P1 A1 a1) (((), A0::Mode), A1::Mode);
    3 (P0 A0 a0, P1 A1 a1, P2 A2 a2) ((((), A0::Mode), A1::Mode), A2::Mode);
    4 (P0 A0 a0, P1 A1 a1, P2 A2 a2, P3 A3 a3) (((((), A0::Mode), A1::Mode), A2::Mode), A3::Mode);
    5 (P0 A0 a0, P1 A1 a1, P2 A2 a2, P3 A3 a3, P4 A4 a4)
        ((((((), A0::Mode), A1::Mode), A2::Mode), A3::Mode), A4::Mode);
    6 (P0 A0 a0, P1 A1 a1, P2 A2 a2, P3 A3 a3, P4 A4 a4, P5 A5 a5)
        (((((((), A0::Mode), A1::Mode), A2::Mode), A3::Mode), A4::Mode), A5::Mode);
}

impl<F> Clone for RawFunction<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for RawFunction<F> {}

impl<F> fmt::Debug for RawFunction<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawFunction({})", self.function.name())
    }
}
