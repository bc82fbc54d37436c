//! How a macro learns the types that only the compiler knows.
//!
//! Beside the tree of a body, the macros write the body once more inside a closure that nobody
//! calls, with [`Unknown::of`] around what has a type of interest. The closure is checked together
//! with the variables outside, so that the compiler infers the type parameter of each [`Unknown`]
//! by Rust's own rules, and code outside the closure can ask for it.
//!
//! Functions such as [`operand`] stand around what operators and methods work on. They let those types
//! through of which the device knows what the operator does: a type of a user's has operators of the
//! user's, which exist on the host alone.

use super::{DeviceType, Type};
use crate::element::{ComplexPart, Component, Number, Ordered, Vector};
use crate::ir::function::Function;
use cl_core::Result;
use num_complex::Complex;
use std::fmt;
use std::marker::PhantomData;

/// A type to be inferred.
pub struct Unknown<T>(PhantomData<fn() -> T>);

impl<T> Unknown<T> {
    /// A type that nothing is known of.
    #[must_use]
    #[allow(clippy::new_without_default)] // a default would be one more way to say it
    pub fn new() -> Unknown<T> {
        Unknown(PhantomData)
    }

    /// A type that is written out.
    #[must_use]
    pub fn written() -> Unknown<T>
    where
        T: DeviceType,
    {
        Unknown(PhantomData)
    }

    /// The type is that of `value`.
    pub fn of(&self, value: T) -> T
    where
        T: DeviceType,
    {
        value
    }

    /// What was inferred.
    #[must_use]
    pub fn device_type(&self) -> Type
    where
        T: DeviceType,
    {
        T::device_type()
    }
}

impl<T> Clone for Unknown<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Unknown<T> {}

impl<T> fmt::Debug for Unknown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unknown<{}>", std::any::type_name::<T>())
    }
}

/// A device function to be inferred: which monomorphisation of a generic one is called.
pub struct Callee<F>(PhantomData<fn() -> F>);

impl<F: DeviceFunction> Callee<F> {
    /// A function that nothing is known of.
    #[must_use]
    #[allow(clippy::new_without_default)] // as above
    pub fn new() -> Callee<F> {
        Callee(PhantomData)
    }

    /// The function is the one that is called.
    pub fn call<R>(&self, called: Called<F, R>) -> R {
        let _ = called;
        unreachable!("probes are type-checked, never run")
    }

    /// What was inferred.
    ///
    /// # Errors
    /// As [`DeviceFunction::function`].
    pub fn function(&self) -> Result<&'static Function> {
        F::function()
    }
}

impl<T> Clone for Callee<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Callee<T> {}

impl<F> fmt::Debug for Callee<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Callee<{}>", std::any::type_name::<F>())
    }
}

/// The call of device function `F` with result `R`.
pub struct Called<F, R>(PhantomData<fn() -> (F, R)>);

impl<F, R> Called<F, R> {
    /// A call.
    #[must_use]
    #[allow(clippy::new_without_default)] // as above
    pub fn new() -> Called<F, R> {
        Called(PhantomData)
    }
}

impl<F, R> fmt::Debug for Called<F, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Called<{}>", std::any::type_name::<F>())
    }
}

/// One monomorphisation of a `#[device_fn]`.
///
/// The attribute implements it for a struct of the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no device function",
    note = "device functions can call functions with `#[device_fn]` only"
)]
pub trait DeviceFunction: 'static {
    /// The function on the device. Translated on the first call, found on the others.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for what only shows when the types are
    /// known: recursion over several functions, a method that the type lacks on the device.
    fn function() -> Result<&'static Function>;
}

/// A type whose operators devices have.
#[diagnostic::on_unimplemented(
    message = "devices do not have the operators of `{Self}`",
    label = "this is a `{Self}`",
    note = "operators on a device take numbers, `bool`, `Vector`s and `Complex` numbers",
    note = "in a generic function, bound the type by `Number`"
)]
pub trait OperandOnDevices: Copy {}

#[diagnostic::do_not_recommend]
impl<T: Number> OperandOnDevices for T {}
impl OperandOnDevices for bool {}
impl OperandOnDevices for usize {}
impl OperandOnDevices for isize {}

/// What an operator works on.
pub fn operand<T: OperandOnDevices>(value: T) -> T {
    value
}

/// A number or `bool`, whose methods devices have.
#[diagnostic::on_unimplemented(
    message = "devices do not have this method of `{Self}`",
    label = "this is a `{Self}`",
    note = "write a function with #[device_fn], and call that",
    note = "in a generic function, bound the type by `Ordered`, `Integer` or `Float`"
)]
pub trait ScalarOnDevices: Copy {}

#[diagnostic::do_not_recommend]
impl<T: Ordered> ScalarOnDevices for T {}
impl ScalarOnDevices for usize {}
impl ScalarOnDevices for isize {}

/// The receiver of a method that scalars have.
pub fn scalar<T: ScalarOnDevices>(value: T) -> T {
    value
}

/// The receiver of a method that complex numbers have.
pub fn complex<T: ComplexPart>(value: Complex<T>) -> Complex<T> {
    value
}

/// A type that has some methods of both scalars and complex numbers.
#[diagnostic::on_unimplemented(
    message = "devices do not have this method of `{Self}`",
    label = "this is a `{Self}`",
    note = "write a function with #[device_fn], and call that"
)]
pub trait ScalarOrComplex: Copy {}

#[diagnostic::do_not_recommend]
impl<T: ScalarOnDevices> ScalarOrComplex for T {}
impl<T: ComplexPart> ScalarOrComplex for Complex<T> {}

/// The receiver of a method that both have.
pub fn scalar_or_complex<T: ScalarOrComplex>(value: T) -> T {
    value
}

/// The receiver of a method that vectors have.
pub fn vector<T: Component, const N: usize>(value: Vector<T, N>) -> Vector<T, N> {
    value
}

/// A type that `from` and `into` take and give on devices.
#[diagnostic::on_unimplemented(
    message = "devices cannot convert from or to `{Self}`",
    label = "this is a `{Self}`",
    note = "numbers, `Vector`s, `Complex` numbers and arrays can be converted on a device"
)]
pub trait ConvertibleOnDevices: Copy {}

#[diagnostic::do_not_recommend]
impl<T: OperandOnDevices> ConvertibleOnDevices for T {}
impl<T: Component, const N: usize> ConvertibleOnDevices for [T; N] {}

/// What is converted, and what it becomes.
pub fn convertible<T: ConvertibleOnDevices>(value: T) -> T {
    value
}

/// What has items and a length on devices.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no length on devices",
    label = "this is a `{Self}`",
    note = "arrays have one, and slices that are parameters"
)]
pub trait ItemsOnDevices {}

impl<T> ItemsOnDevices for &[T] {}
impl<T, const N: usize> ItemsOnDevices for [T; N] {}

/// What is asked for its length.
pub fn items<T: ItemsOnDevices>(value: T) -> T {
    value
}

/// A type whose `new` and `splat` devices have.
pub trait MadeOnDevices: Sized {
    /// The value.
    #[must_use]
    fn made_on_devices(self) -> Self {
        self
    }
}

impl<T: ComplexPart> MadeOnDevices for Complex<T> {}
impl<T: Component, const N: usize> MadeOnDevices for Vector<T, N> {}
