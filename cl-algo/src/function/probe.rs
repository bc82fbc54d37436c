//! Type probes, by which a macro learns types that only the compiler knows.
//!
//! Besides the tree of a body, the macros write the body once more inside a closure that is never called, with
//! [`Unknown::of`] around expressions whose type is needed. The closure is checked together with the variables outside.
//! So the compiler infers the type parameter of each [`Unknown`] by Rust's own rules, and code outside the closure can
//! ask for it.
//!
//! Functions such as [`operand`] stand around the operands of operators and methods. They accept only types for which
//! the device has the operator. A user's own type may have its own operators, which exist on the host only.

use super::{DeviceType, Type};
use crate::element::{ComplexPart, Component, Number, Ordered, Vector};
use crate::ir::function::Function;
use cl_core::Result;
use num_complex::Complex;
use std::fmt;
use std::marker::PhantomData;

/// A type that the compiler infers.
pub struct Unknown<T>(PhantomData<fn() -> T>);

impl<T> Unknown<T> {
    /// Returns an `Unknown` whose type the compiler infers from [`of`](Unknown::of).
    #[must_use]
    #[allow(clippy::new_without_default)] // a default would be one more way to say it
    pub fn new() -> Unknown<T> {
        Unknown(PhantomData)
    }

    /// Returns an `Unknown` whose type the caller writes out.
    #[must_use]
    pub fn written() -> Unknown<T>
    where
        T: DeviceType,
    {
        Unknown(PhantomData)
    }

    /// Returns `value`. The compiler infers that `T` is its type.
    pub fn of(&self, value: T) -> T
    where
        T: DeviceType,
    {
        value
    }

    /// Returns the inferred type.
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

/// A device function that the compiler infers: the monomorphisation that a call of a generic function needs.
pub struct Callee<F>(PhantomData<fn() -> F>);

impl<F: DeviceFunction> Callee<F> {
    /// Returns a `Callee` whose function the compiler infers from [`call`](Callee::call).
    #[must_use]
    #[allow(clippy::new_without_default)] // as above
    pub fn new() -> Callee<F> {
        Callee(PhantomData)
    }

    /// Takes a call, from which the compiler infers that `F` is the called function.
    pub fn call<R>(&self, called: Called<F, R>) -> R {
        let _ = called;
        unreachable!("probes are type-checked, never run")
    }

    /// Returns the inferred function.
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
    /// Returns a call.
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
/// The attribute implements this trait for a struct with the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a device function",
    note = "device functions can call functions with `#[device_fn]` only"
)]
pub trait DeviceFunction: 'static {
    /// Returns the function on the device. It is translated on the first call, and found on later ones.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for problems that only show when the types are known:
    /// recursion over several functions, or a method that the type does not have on the device.
    fn function() -> Result<&'static Function>;
}

/// A type with operators that devices have.
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
impl OperandOnDevices for u128 {}
impl OperandOnDevices for i128 {}

/// Returns an operator's operand.
pub fn operand<T: OperandOnDevices>(value: T) -> T {
    value
}

/// A number or `bool`: a type with methods that devices have.
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

/// Returns the receiver of a method that scalars have.
pub fn scalar<T: ScalarOnDevices>(value: T) -> T {
    value
}

/// Returns the receiver of a method that complex numbers have.
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

/// Returns the receiver of a method that both scalars and complex numbers have.
pub fn scalar_or_complex<T: ScalarOrComplex>(value: T) -> T {
    value
}

/// Returns the receiver of a method that vectors have.
pub fn vector<T: Component, const N: usize>(value: Vector<T, N>) -> Vector<T, N> {
    value
}

/// A stream of random numbers, whose methods draw: `Stream` of `cl-random`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stream of random numbers",
    label = "this is a `{Self}`",
    note = "random numbers are drawn from a parameter `mut stream: Stream`, of the crate `cl-random`"
)]
pub trait RandomStream: Copy {}

/// Returns the receiver of a method that draws a random number.
pub fn random_stream<T: RandomStream>(value: T) -> T {
    value
}

/// A type that `from` and `into` convert from or to on devices.
#[diagnostic::on_unimplemented(
    message = "devices cannot convert from or to `{Self}`",
    label = "this is a `{Self}`",
    note = "numbers, `Vector`s, `Complex` numbers and arrays can be converted on a device"
)]
pub trait ConvertibleOnDevices: Copy {}

#[diagnostic::do_not_recommend]
impl<T: OperandOnDevices> ConvertibleOnDevices for T {}
impl<T: Component, const N: usize> ConvertibleOnDevices for [T; N] {}

/// Returns a value that is converted, or the result of a conversion.
pub fn convertible<T: ConvertibleOnDevices>(value: T) -> T {
    value
}

/// A type with items and a length on devices.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no length on devices",
    label = "this is a `{Self}`",
    note = "arrays have one, and slices that are parameters"
)]
pub trait ItemsOnDevices {}

impl<T> ItemsOnDevices for &[T] {}
impl<T, const N: usize> ItemsOnDevices for [T; N] {}

/// Returns the receiver of `len`.
pub fn items<T: ItemsOnDevices>(value: T) -> T {
    value
}

/// A type with constructors, `new` or `splat`, that devices have.
pub trait MadeOnDevices: Sized {
    /// Returns the value.
    #[must_use]
    fn made_on_devices(self) -> Self {
        self
    }
}

impl<T: ComplexPart> MadeOnDevices for Complex<T> {}
impl<T: Component, const N: usize> MadeOnDevices for Vector<T, N> {}
