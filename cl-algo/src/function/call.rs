//! Calling a device function with host values, device vectors and recorded values alike.
//!
//! Each argument lives somewhere: its [`Mode`]. The modes of all arguments together are the mode of
//! the call, and decide what its result is: of host values the host computes a value; one device
//! vector among them makes it a lazy expression.

use super::device_type::Scalar;
use super::probe::DeviceFunction;
use super::{DeviceItem, DeviceType};
use crate::element::Element;
use crate::ir::function::Function;
use cl_core::Result;

/// Where arguments live, and so what a call gives.
pub trait Mode {
    /// The result of a call whose function gives `R`.
    type Of<R: DeviceItem>;
    /// An argument on its way.
    type Passed;

    /// The result: by the host if it knows all arguments, else by `function` on the device.
    fn evaluate<R: DeviceItem>(
        by_host: Option<R>,
        function: impl FnOnce() -> Result<&'static Function>,
        arguments: impl FnOnce() -> Vec<Self::Passed>,
    ) -> Self::Of<R>;
}

/// A value for a parameter of type `T`: a scalar, a `&DeviceVec`, an expression or a recorded value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the argument for a `{T}`",
    label = "not a `{T}`, nor a device vector or expression of `{T}`",
    note = "a `{T}`, `&DeviceVec<{T}>`, an expression of `{T}` or a recorded value can"
)]
pub trait Argument<T> {
    /// Where it lives.
    type Mode: Mode;

    /// The value, if the host knows it.
    fn known(&self) -> Option<T>;

    /// The argument for a call on the device.
    fn pass(self) -> <Self::Mode as Mode>::Passed;
}

/// Items for a parameter of type `&[T]`: of the host, or a `&DeviceVec` of the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the argument for a `&[{T}]`",
    note = "`&DeviceVec<{T}>` can, and on the host also `&[{T}]`, `&Vec<{T}>` and `&[{T}; N]`"
)]
pub trait SliceArgument<T> {
    /// Where it lives.
    type Mode: Mode;

    /// The items, if the host knows them.
    fn known(&self) -> Option<&[T]>;

    /// The argument for a call on the device.
    fn pass(self) -> <Self::Mode as Mode>::Passed;
}

/// Values of the host.
#[derive(Debug)]
pub enum Host {}

/// Items of the host, which no device can read.
#[derive(Debug)]
pub enum HostSlice {}

/// What the host computes when all arguments are its own.
fn host_value<R>(by_host: Option<R>) -> R {
    by_host.unwrap_or_else(|| unreachable!("the host knows the arguments that live there"))
}

impl Mode for Host {
    type Of<R: DeviceItem> = R;
    type Passed = Scalar;

    fn evaluate<R: DeviceItem>(
        by_host: Option<R>,
        _: impl FnOnce() -> Result<&'static Function>,
        _: impl FnOnce() -> Vec<Scalar>,
    ) -> R {
        host_value(by_host)
    }
}

impl Mode for HostSlice {
    type Of<R: DeviceItem> = R;
    type Passed = ();

    fn evaluate<R: DeviceItem>(
        by_host: Option<R>,
        _: impl FnOnce() -> Result<&'static Function>,
        _: impl FnOnce() -> Vec<()>,
    ) -> R {
        host_value(by_host)
    }
}

/// Two arguments of one call: where the call is evaluated.
#[diagnostic::on_unimplemented(
    message = "arguments of the kinds `{Self}` and `{Other}` cannot be in one call",
    note = "slices of the host can stand beside host values only: copy them into a `DeviceVec`"
)]
pub trait Join<Other: Mode>: Mode {
    /// Where the call is evaluated.
    type Mode: Mode;

    /// An argument of this mode.
    fn left(passed: Self::Passed) -> <<Self as Join<Other>>::Mode as Mode>::Passed;

    /// An argument of the other mode.
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
    /// Where the call is evaluated.
    type Mode: Mode;
    /// The arguments, nested alike.
    type Passed;

    /// The arguments as the call's mode wants them.
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

/// What a call gives whose arguments have these modes.
pub type Output<M, R> = <<M as Modes>::Mode as Mode>::Of<R>;

/// Evaluates the call of `F`: by the host if it knew all arguments.
#[doc(hidden)]
pub fn evaluate<M: Modes, F: DeviceFunction, R: DeviceItem>(
    by_host: Option<R>,
    arguments: impl FnOnce() -> M::Passed,
) -> Output<M, R> {
    M::Mode::evaluate(by_host, F::function, || M::collect(arguments()))
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
