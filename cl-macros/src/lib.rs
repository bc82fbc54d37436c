//! `#[derive(Element)]`, `#[derive(Parameters)]`, `#[device_fn]` and `cl!`. cl-algo re-exports them: depend on cl-algo
//! instead of this crate.
//!
//! `#[derive(Element)]` makes a struct of numbers an element of device vectors. On the device, a newtype has the type
//! of its field: metres and seconds are different types on the host, and plain floats on the device. Any other struct
//! is a struct with the same layout on both sides.
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
//! The macro generates paths into cl-algo, bytemuck's traits included: bytemuck need not be a dependency. The package
//! must depend on cl-algo, under any name, or on `cl`, which re-exports cl-algo as `cl::algo`.
//!
//! [`Element`](macro@Element) describes the structs that it accepts. It rejects everything else with an error at the
//! offending token. The compiler checks the rest: the field's type must be an `Element`, and the struct must be `Copy`.

mod element;
mod function;
mod parameters;
mod paths;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Code;
use syn::{DeriveInput, Expr, ItemFn, parse_macro_input};

/// Implements `cl_algo::Element` for a struct, and generates access to its fields in expressions.
///
/// The type must be a `Copy` struct, tuple or named, without generic parameters. All its fields must be elements. It
/// needs one of these attributes:
///
/// - `#[repr(transparent)]` with one field: on the device it has the type of the field; or
/// - `#[repr(C)]`: on the device it is a struct with the same fields at the same offsets.
///
/// # Layout
///
/// Padding is never copied: a struct with padding does not compile, and the error names the position of the padding.
/// Put fields of large numbers before fields of small numbers, or fill gaps with fields. Vectors and complex numbers
/// are aligned like their numbers, so that they fit wherever their numbers fit. Fields of `bool` are bytes on the
/// device. Every byte that a kernel writes there is read back as a `bool`: bytes other than 0 are true. Arrays are not
/// elements; `Vector<T, N>` is.
///
/// # Generated items for `#[repr(C)]`
///
/// For `struct Body { mass: f32, at: F32x3 }`:
///
/// - the trait `BodyFields`. Its methods `mass()` and `at()` return the fields of each element of an expression or a
///   device vector (`bodies.mass()`), and of a symbolic value in a closure. Outside of the module it must be imported.
///   The fields of tuple structs are called `_0()`, `_1()`... A field with the name of a method that all expressions
///   have, such as `len`, is reached as `BodyFields::len(bodies)`;
/// - `Body::expr(mass, at)`: a lazy vector of bodies, made from operands;
/// - `Body::val(mass, at)`: a symbolic body in a closure, made from symbolic values and constants.
///
/// All three are as visible as the least visible among the struct and its fields. In OpenCL C the field `mass` is
/// called `field_mass`, so that a field's name cannot clash with a keyword or a macro.
///
/// Kernels and copies from the device can write any bytes, regardless of the fields' visibility. Do not derive
/// `Element` for a type with invariants that its fields do not have, such as a `NonNegative(f32)`.
///
/// The type gets no arithmetic. Its author decides which operators make sense, and implements `cl_algo::Number` and
/// similar traits for newtypes.
#[proc_macro_derive(Element)]
pub fn derive_element(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finished(element::derive(&input))
}

/// Implements `cl_algo::codegen::Parameters`. The type must be `Copy`.
///
/// In a struct, each field must have a name. A field is a macro of the kernel, named like the field in capitals, or
/// another struct of parameters. In an enum, variants must not have fields; the value is the variant's number.
#[proc_macro_derive(Parameters)]
pub fn derive_parameters(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finished(parameters::derive(&input))
}

/// Makes an ordinary function callable on the device by expressions.
///
/// The function is Rust code, which is type-checked and runs unchanged on the host. Called with numbers, it returns a
/// number. Called with a `&DeviceVec` or an expression among its arguments, it returns an expression that computes the
/// result on the device.
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
/// | feature | in a device function |
/// | --- | --- |
/// | types | elements, `bool`, `usize`, `isize`, tuples and arrays of these |
/// | parameters | values, and slices `&[T]` of device data; the function may be generic |
/// | statements | `let`, assignments, `if`, `match` on numbers, `for` over ranges, `while`, `loop` |
/// | leaving | `break` with values and labels, `continue`, `return` |
/// | operators | all of the primitive types, `as`, indexing, fields |
/// | calls | of other device functions, and of most methods of primitive types |
///
/// Everything else is a compile error with its location. A device does not panic where Rust would: integers wrap, a
/// division by zero gives zero, and an index out of bounds reads the last item. The next call that waits for the device
/// reports the index.
#[proc_macro_attribute]
pub fn device_fn(arguments: TokenStream, input: TokenStream) -> TokenStream {
    let function = parse_macro_input!(input as ItemFn);
    finished(function::device_fn(&arguments.into(), &function))
}

/// Makes a closure for the device that can have control flow. An ordinary closure cannot: it is called once
/// with symbolic values, which record the operations.
///
/// The body is the same subset of Rust as in [`device_fn`](macro@device_fn). The types of parameters must be written.
/// Lowercase names that are not declared inside are captured and become kernel arguments: a different value needs no
/// compilation.
///
/// ```ignore
/// let limit = 0.5;
/// let kept = x.iter().map(cl!(|x: f32| if x > limit { x } else { 0.0 })).collect()?;
/// let larger = x.iter().zip(&y).map(cl!(|(x, y): (f32, f32)| if x > y { x } else { y })).collect()?;
/// ```
///
/// The result is a closure over `Val`s. It runs on the host if the values are known there:
/// `cl!(|x: f32| x * x)(Val::known(3.0)).value() == Some(9.0)`.
#[proc_macro]
pub fn cl(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as Expr);
    finished(function::closure(&input).and_then(function::cl))
}

/// Returns the code with paths that the package can reach, or the error as code.
fn finished(code: syn::Result<Code>) -> TokenStream {
    paths::reachable(code.unwrap_or_else(syn::Error::into_compile_error)).into()
}
