//! Calls of a device function with host values, device vectors and recorded values.
//!
//! The [`Mode`] of an argument says where its value is. The modes of all arguments together are the mode of the call,
//! and decide its result: for host values only, the host computes a value; with one device vector among them, the
//! result is a lazy expression.

use super::device_type::Scalar;
use super::probe::DeviceFunction;
use super::{DeviceItem, DeviceType};
use crate::element::Element;
use crate::ir::function::Function;
use cl_core::Result;

/// The kind of an argument: a host value, a device vector or expression, or a recorded value. It decides the result of
/// a call.
pub trait Mode {
    /// The result of a call of the device function `F`, which returns `R`.
    type Of<F, R: DeviceItem>;
    /// An argument that is passed to the device.
    type Passed;

    /// Returns the result, computed by the host if it knows all arguments, else by `function` on the device.
    fn evaluate<F, R: DeviceItem>(
        by_host: Option<R>,
        function: impl FnOnce() -> Result<&'static Function>,
        arguments: impl FnOnce() -> Vec<Self::Passed>,
    ) -> Self::Of<F, R>;
}

/// A value for a parameter of type `T`: a scalar, a `&DeviceVec`, an expression or a recorded value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the argument for a `{T}`",
    label = "not a `{T}`, nor a device vector or expression of `{T}`",
    note = "a `{T}`, `&DeviceVec<{T}>`, an expression of `{T}` or a recorded value can",
    note = "a parameter that is a tuple takes host values only: give each part a parameter of its own, `f(&x, &y)`"
)]
pub trait Argument<T> {
    /// The kind of the argument.
    type Mode: Mode;

    /// Returns the value, if the host knows it.
    fn known(&self) -> Option<T>;

    /// Returns the argument for a call on the device.
    fn pass(self) -> <Self::Mode as Mode>::Passed;
}

/// Items for a parameter of type `&[T]`: host items, or a `&DeviceVec`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the argument for a `&[{T}]`",
    note = "`&DeviceVec<{T}>` can, and on the host also `&[{T}]`, `&Vec<{T}>` and `&[{T}; N]`"
)]
pub trait SliceArgument<T> {
    /// The kind of the argument.
    type Mode: Mode;

    /// Returns the items, if the host knows them.
    fn known(&self) -> Option<&[T]>;

    /// Returns the argument for a call on the device.
    fn pass(self) -> <Self::Mode as Mode>::Passed;
}

/// The mode of host values.
#[derive(Debug)]
pub enum Host {}

/// The mode of host items, which no device can read.
#[derive(Debug)]
pub enum HostSlice {}

/// Returns the result of the host. All arguments are host values, so there is one.
fn host_value<R>(by_host: Option<R>) -> R {
    by_host.unwrap_or_else(|| unreachable!("the host knows the arguments that live there"))
}

impl Mode for Host {
    type Of<F, R: DeviceItem> = R;
    type Passed = Scalar;

    fn evaluate<F, R: DeviceItem>(
        by_host: Option<R>,
        _: impl FnOnce() -> Result<&'static Function>,
        _: impl FnOnce() -> Vec<Scalar>,
    ) -> R {
        host_value(by_host)
    }
}

impl Mode for HostSlice {
    type Of<F, R: DeviceItem> = R;
    type Passed = ();

    fn evaluate<F, R: DeviceItem>(
        by_host: Option<R>,
        _: impl FnOnce() -> Result<&'static Function>,
        _: impl FnOnce() -> Vec<()>,
    ) -> R {
        host_value(by_host)
    }
}

/// The kind of a call with two arguments.
#[diagnostic::on_unimplemented(
    message = "arguments of the kinds `{Self}` and `{Other}` cannot be in one call",
    note = "slices of the host can stand beside host values only: copy them into a `DeviceVec`"
)]
pub trait Join<Other: Mode>: Mode {
    /// The kind of a call with both.
    type Mode: Mode;

    /// Converts an argument of this mode.
    fn left(passed: Self::Passed) -> <<Self as Join<Other>>::Mode as Mode>::Passed;

    /// Converts an argument of the other mode.
    fn right(passed: Other::Passed) -> <<Self as Join<Other>>::Mode as Mode>::Passed;
}

impl Join<Host> for Host {
    type Mode = Host;

    fn left(passed: Scalar) -> Scalar {
        passed
    }

    fn right(passed: Scalar) -> Scalar {
        passed
    }
}

impl Join<HostSlice> for Host {
    type Mode = HostSlice;

    fn left(_: Scalar) {}

    fn right((): ()) {}
}

impl Join<Host> for HostSlice {
    type Mode = HostSlice;

    fn left((): ()) {}

    fn right(_: Scalar) {}
}

impl Join<HostSlice> for HostSlice {
    type Mode = HostSlice;

    fn left((): ()) {}

    fn right((): ()) {}
}

/// The modes of a call's arguments, one after the other: `(((), A), B)`.
pub trait Modes {
    /// The kind of the call.
    type Mode: Mode;
    /// The arguments, nested in the same way.
    type Passed;

    /// Returns the arguments, converted to the call's mode.
    fn collect(passed: Self::Passed) -> Vec<<Self::Mode as Mode>::Passed>;
}

impl Modes for () {
    type Mode = Host;
    type Passed = ();

    fn collect((): ()) -> Vec<Scalar> {
        Vec::new()
    }
}

impl<First: Modes, Last: Mode> Modes for (First, Last)
where
    First::Mode: Join<Last>,
{
    type Mode = <First::Mode as Join<Last>>::Mode;
    type Passed = (First::Passed, Last::Passed);

    fn collect((first, last): Self::Passed) -> Vec<<Self::Mode as Mode>::Passed> {
        let mut all: Vec<_> = First::collect(first).into_iter().map(First::Mode::left).collect();
        all.push(First::Mode::right(last));
        all
    }
}

/// The result of a call of `F` whose arguments have these modes.
pub type Output<M, F, R> = <<M as Modes>::Mode as Mode>::Of<F, R>;

/// Evaluates the call of `F`. `by_host` is the host's result, if the host knows all arguments.
#[doc(hidden)]
pub fn evaluate<M: Modes, F: DeviceFunction, R: DeviceItem>(
    by_host: Option<R>,
    arguments: impl FnOnce() -> M::Passed,
) -> Output<M, F, R> {
    M::Mode::evaluate::<F, R>(by_host, F::function, || M::collect(arguments()))
}

impl<T: DeviceType> Argument<T> for T {
    type Mode = Host;

    fn known(&self) -> Option<T> {
        Some(*self)
    }

    fn pass(self) -> Scalar {
        self.scalar()
    }
}

macro_rules! host_slices {
    ($($of:ty $(, $len:ident)?;)*) => {$(
        impl<T: Element $(, const $len: usize)?> SliceArgument<T> for $of {
            type Mode = HostSlice;

            fn known(&self) -> Option<&[T]> {
                Some(&self[..])
            }

            fn pass(self) {}
        }
    )*};
}

host_slices! {
    &[T];
    &Vec<T>;
    &[T; N], N;
}
