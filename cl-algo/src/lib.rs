//! Device vectors and lazy, fused expressions on any OpenCL device.
//!
//! ```
//! use cl_algo::prelude::*;
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[0.0_f32, 1.0, 2.0])?;
//! let y = DeviceVec::filled(&queue, 1.0_f32, 3)?;
//!
//! let z = (3.0 * &x + &y * &y).collect()?; // one kernel, no temporaries
//! assert_eq!(z.to_vec()?, [1.0, 4.0, 7.0]);
//! let dot = (&x * &z).sum()?; // fused into the reduction: nothing is stored
//! assert_eq!(dot, 18.0);
//! # Ok(())
//! # }
//! ```
//!
//! An expression is a value: build it from references to [`DeviceVec`]s, scalars, operators and
//! [`math`] functions, and evaluate it with [`collect`](Expr::collect),
//! [`assign`](DeviceVec::assign) or [`sum`](Expr::sum). Evaluation generates one kernel for the
//! whole expression, or finds the one that an expression of the same structure has used before:
//! scalars are kernel arguments, so another value never compiles another kernel.
//!
//! `CL_SHOW_KERNELS=1` prints the source of every kernel as it is compiled.
//!
//! # Arithmetic
//!
//! `+ - *` give the host's results bit by bit, for integers (which wrap) and floats (products are
//! not contracted into sums; ask for that with [`mul_add`](math::mul_add)). The exception are `f32`
//! below [`f32::MIN_POSITIVE`]: OpenCL allows devices to take these subnormal numbers for zero.

mod algorithm;
pub mod codegen;
mod device_profile;
mod element;
mod expr;
mod fault;
pub mod function;
mod sink;
mod vec;

pub use algorithm::{InPlace, assign, assign_with};
// For the code that `#[derive(Element)]` writes: users need no dependency of their own.
#[doc(hidden)]
pub use bytemuck;
pub use cl_macros::{Element, cl, device_fn};
pub use device_profile::{DeviceFence, DeviceProfile, Shape};
pub use element::{
    Bits, Element, ElementType, Field, Float, Integer, Item, Number, Ordered, ScalarType, Signed, StructType,
};
pub use expr::{
    Border, Castable, Expr, Operand, Recorded, Rounding, Symbol, Val, constant, index, iota, math, zip,
};
#[doc(hidden)]
pub use expr::{Handle, Recording};
pub use function::{Function, Parameter};
pub use sink::{Discard, Mapped, Scatter, Sink, ViewMut, mapped};
#[doc(hidden)]
pub use sink::{Placing, Target};
pub use vec::DeviceVec;

/// What most programs want in scope.
pub mod prelude {
    pub use crate::expr::math::*;
    pub use crate::{
        Border, DeviceVec, Discard, Element, Expr, Float, Integer, Number, Operand, Signed, Val, assign,
        assign_with, constant, index, iota, mapped, zip,
    };
    pub use crate::{cl, device_fn};
    pub use cl_core::{Device, Queue, QueueOptions};
}
