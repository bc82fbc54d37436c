//! How a macro learns the types that only the compiler knows.
//!
//! Beside the tree of a body, the macros write the body once more inside a closure that nobody
//! calls, with [`Unknown::of`] around what has a type of interest. The closure is checked together
//! with the variables outside, so that the compiler infers the type parameter of each [`Unknown`]
//! by Rust's own rules, and code outside the closure can ask for it.

use super::Function;
use super::device_type::{DeviceType, Type};
use cl_core::Result;
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
