//! `#[derive(Element)]`, `#[derive(Parameters)]`, `#[device_fn]` and `cl!`, which cl-algo re-exports: depend
//! on that crate, not on this one.
//!
//! The macro makes a struct of numbers an element of device vectors: a newtype is on the device what
//! its field is, so that metres and seconds stay apart on the host and are plain floats there; any
//! other is a struct with the same layout on both sides.
//!
//! ```ignore
//! use cl_algo::Element;
//!
//! #[derive(Clone, Copy, Element)]
//! #[repr(transparent)]
//! struct Metres(f32);
//!
//! #[derive(Clone, Copy, Element)]
//! #[repr(C)]
//! struct Body {
//!     mass: f32,
//!     at: cl_algo::F32x3,
//! }
//! ```
//!
//! It generates paths into `::cl_algo`, bytemuck's traits included, so cl-algo must be a dependency
//! under its own name; bytemuck need not be one at all.
//!
//! [`Element`](macro@Element) tells what it accepts. It rejects everything else at the token that is
//! to blame, and leaves to the compiler what only the compiler knows: whether the field's type is an
//! `Element`, and whether the struct is `Copy`.

mod element;
mod function;
mod parameters;

use proc_macro::TokenStream;
use syn::{DeriveInput, Expr, ItemFn, parse_macro_input};

/// Implements `cl_algo::Element` for a struct, and gives expressions its fields.
///
/// The type must be a `Copy` struct, tuple or named, without generic parameters, whose fields all are
/// elements themselves, and
///
/// - `#[repr(transparent)]` with one field: on the device it is what the field is; or
/// - `#[repr(C)]`: on the device it is a struct with the same fields at the same places.
///
/// # Layout
///
/// Padding never crosses: a struct that has some does not compile, and the error says where it is.
/// Put fields of large numbers before those of small ones, or fill gaps with fields. Vectors and
/// complex numbers have no more alignment than their numbers, so they fit wherever these do. Fields
/// of `bool` are bytes on the device, and whatever a kernel writes there is read back as a truth
/// value: bytes other than 0 are true. Arrays are no elements; `Vector<T, N>` is.
///
/// # What it generates for `#[repr(C)]`
///
/// For `struct Body { mass: f32, at: F32x3 }`:
///
/// - the trait `BodyFields`, whose methods `mass()` and `at()` are the fields of each element of an
///   expression or a device vector (`bodies.mass()`) and of a symbolic value in a closure. Outside of
///   the module it must be imported. The fields of tuple structs are called `_0()`, `_1()`... A field
///   with the name of a method that all expressions have, such as `len`, is reached as
///   `BodyFields::len(bodies)`;
/// - `Body::expr(mass, at)`: a lazy vector of bodies, of operands;
/// - `Body::val(mass, at)`: a symbolic body in a closure, of symbolic values and constants.
///
/// All three are as visible as the least visible among the struct and its fields. In OpenCL C the field
/// `mass` is called `field_mass`, so no name of a field is a word or a macro there.
///
/// Kernels and copies from the device write any bytes they like, whatever the field's visibility. Do
/// not derive `Element` for a type that promises more than its fields do, as a `NonNegative(f32)`
/// would.
///
/// The type gets no arithmetic: which operators make sense is for its author to say, by implementing
/// `cl_algo::Number` and its kin for newtypes.
#[proc_macro_derive(Element)]
pub fn derive_element(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    element::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `cl_algo::codegen::Parameters`. The type must be `Copy`.
///
/// In a struct, each field has a name and is a macro of the kernel, called by its name in capitals, or another struct of
/// parameters. In an enum, no variant has fields, and the value is the variant's number.
#[proc_macro_derive(Parameters)]
pub fn derive_parameters(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    parameters::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes an ordinary function one that expressions can call on the device.
///
/// What follows the attribute is Rust, type-checked and run on the host as it stands. Called with
/// numbers it gives a number; called with a `&DeviceVec` or an expression among its arguments, it
/// gives an expression that computes it on the device.
///
/// ```ignore
/// #[device_fn]
/// fn collatz(n: u64) -> u32 {
///     let mut n = n;
///     let mut steps = 0;
///     while n > 1 {
///         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
///         steps += 1;
///     }
///     steps
/// }
/// assert_eq!(collatz(27), 111);
/// let lengths = collatz(&numbers).collect()?; // on the device
/// ```
///
/// | what | in a device function |
/// | --- | --- |
/// | types | elements, `bool`, `usize`, `isize`, tuples and arrays of these |
/// | parameters | values, and slices `&[T]` of device data; the function may be generic |
/// | statements | `let`, assignments, `if`, `match` on numbers, `for` over ranges, `while`, `loop` |
/// | leaving | `break` with values and labels, `continue`, `return` |
/// | operators | all of the primitive types, `as`, indexing, fields |
/// | calls | of other device functions, and of most methods of primitive types |
///
/// Everything else is an error at its place. Where Rust would panic, a device does not: integers
/// wrap, a division by zero is zero, an index out of bounds is that of the last item, and is told by
/// the next call that waits for the device.
#[proc_macro_attribute]
pub fn device_fn(arguments: TokenStream, input: TokenStream) -> TokenStream {
    let function = parse_macro_input!(input as ItemFn);
    let code = function::device_fn(&arguments.into(), &function);
    code.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A closure for the device, with control flow: what recorded closures cannot have.
///
/// The body is the same subset of Rust as in [`device_fn`](macro@device_fn). Types of parameters must be written;
/// names in small letters that are not declared inside are captured, and become kernel arguments:
/// another value compiles nothing new.
///
/// ```ignore
/// let limit = 0.5;
/// let kept = x.iter().map(cl!(|x: f32| if x > limit { x } else { 0.0 })).collect()?;
/// let larger = x.iter().zip(&y).map(cl!(|(x, y): (f32, f32)| if x > y { x } else { y })).collect()?;
/// ```
///
/// The result is a closure over `Val`s. On values that are known to the host it runs as it is written:
/// `cl!(|x: f32| x * x)(Val::known(3.0)).value() == Some(9.0)`.
#[proc_macro]
pub fn cl(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as Expr);
    let code = function::closure(&input).and_then(function::cl);
    code.unwrap_or_else(syn::Error::into_compile_error).into()
}
