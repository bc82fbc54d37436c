//! Calls of device functions in probes, whose types tell which functions they call.

use super::call::{Argument, Host, Join, Mode, SliceArgument};
use super::device_type::Scalar;
use super::probe::Called;
use super::{DeviceItem, DeviceType};
use crate::element::Element;
use crate::ir::function::Function;
use cl_core::Result;
use std::fmt;
use std::marker::PhantomData;

/// A value in a probe, as the argument of a device function.
pub struct Given<T>(PhantomData<fn() -> T>);

impl<T> fmt::Debug for Given<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Given<{}>", std::any::type_name::<T>())
    }
}

/// Returns a value as an argument.
pub fn given<T>(value: T) -> Given<T> {
    let _ = value;
    Given(PhantomData)
}

/// The mode of values in probes. The result of a call has the type of the function.
#[derive(Debug)]
pub enum Probed {}

impl Mode for Probed {
    type Of<F, R: DeviceItem> = Called<F, R>;
    type Passed = ();

    fn evaluate<F, R: DeviceItem>(
        _: Option<R>,
        _: impl FnOnce() -> Result<&'static Function>,
        _: impl FnOnce() -> Vec<()>,
    ) -> Called<F, R> {
        Called::new()
    }
}

impl Join<Probed> for Host {
    type Mode = Probed;

    fn left(_: Scalar) {}

    fn right((): ()) {}
}

impl Join<Probed> for Probed {
    type Mode = Probed;

    fn left((): ()) {}

    fn right((): ()) {}
}

#[diagnostic::do_not_recommend]
impl<T: DeviceType> Argument<T> for Given<T> {
    type Mode = Probed;

    fn known(&self) -> Option<T> {
        None
    }

    fn pass(self) {}
}

macro_rules! slices {
    ($($of:ty $(, $len:ident)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element $(, const $len: usize)?> SliceArgument<T> for Given<$of> {
            type Mode = Probed;

            fn known(&self) -> Option<&[T]> {
                None
            }

            fn pass(self) {}
        }
    )*};
}

slices! {
    &[T];
    &[T; N], N;
}

/// A function that a device function calls with arguments of the types `A`: the device function `F` with result `R`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a device function",
    label = "give the function the attribute `#[device_fn]`",
    note = "a device function can call functions with `#[device_fn]` only, and the methods of numbers that devices have"
)]
pub trait CalledOnDevice<A, F, R> {}

macro_rules! called {
    ($(($($argument:ident)+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<G, F, R, $($argument),+> CalledOnDevice<($(Given<$argument>,)+), F, R> for G where
            G: FnOnce($(Given<$argument>),+) -> Called<F, R>
        {
        }
    )*};
}

called! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E H)
    (A B C D E H I)
    (A B C D E H I J)
    (A B C D E H I J K)
    (A B C D E H I J K L)
    (A B C D E H I J K L M)
    (A B C D E H I J K L M N)
    (A B C D E H I J K L M N O)
    (A B C D E H I J K L M N O P)
    (A B C D E H I J K L M N O P Q)
    (A B C D E H I J K L M N O P Q S)
}

/// Returns the call of a function.
pub fn call<A, F, R, G: CalledOnDevice<A, F, R>>(function: G, arguments: A) -> Called<F, R> {
    let _ = (function, arguments);
    unreachable!("probes are type-checked, never run")
}
