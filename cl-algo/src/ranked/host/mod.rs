//! Recorded closures on the host: rows of results from rows of items.
//!
//! | file | concept |
//! | --- | --- |
//! | `compile` | from a closure's graph to steps: constants, sums |
//! | `link` | from steps to a program: registers |
//! | `functions` | the operations that steps compute |
//! | `rows` | loops over rows, programs of them |

mod compile;
mod functions;
mod link;
mod rows;

use super::stencil::Neighbourhood;
use crate::element::Element;
use bytemuck::Pod;
use cl_core::{Error, Result};
use rows::Program;
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// The numbers that the host evaluates closures of: `f32`, `f64`, `i32`, `u32`, `i64` and `u64`.
///
/// Intermediate values may also be `bool`s and shorter integers.
pub trait HostElement: Element + Pod + sealed::Sealed {}

macro_rules! host_elements {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}
        impl HostElement for $type {}
    )*};
}

host_elements!(f32 f64 i32 u32 i64 u64);

/// A recorded closure in the form in which the host evaluates it: see [`Neighbourhood::on_host`].
///
/// Threads may share it; each needs a [`HostScratch`] of its own.
#[derive(Debug)]
pub struct HostKernel<T, R> {
    /// The number of items that the closure reads.
    reads: usize,
    program: Program,
    types: PhantomData<fn(T) -> R>,
}

/// The number of inputs up to which [`HostKernel::run`] allocates no memory.
const FEW: usize = 16;

/// Memory for the intermediate values of [`HostKernel::run`]. It grows as needed, and serves any kernel.
#[derive(Clone, Debug, Default)]
pub struct HostScratch(Vec<u64>);

impl<T: HostElement, R: HostElement, K> Neighbourhood<T, R, K> {
    /// Returns the closure in a form in which the host evaluates it.
    ///
    /// Its results are those of the device: integers wrap around, `x / 0` is 0, casts are Rust's `as`, and floats are
    /// rounded after each operation, bit for bit. Only the bits of a NaN and the sign of a zero that `min` or `max` returns
    /// may differ, which OpenCL leaves open. Functions such as `sin` are those of the standard library, which differ from
    /// the device's in the last places.
    ///
    /// ```
    /// use cl_algo::ranked::{HostScratch, Neighbourhood};
    /// # fn main() -> cl_core::Result<()> {
    /// let second = Neighbourhood::<f32, f32, isize>::record(|at| at(-1) - 2.0 * at(0) + at(1));
    /// let kernel = second.on_host()?;
    /// let x = [0.0, 1.0, 4.0, 9.0, 16.0];
    /// assert_eq!(second.reads(), [-1, 0, 1]);
    /// let mut y = [0.0; 3];
    /// kernel.run(&mut HostScratch::default(), &[&x[..3], &x[1..4], &x[2..]], &mut y)?;
    /// assert_eq!(y, [2.0; 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the operation if the closure has one that the host does not evaluate: operations on
    /// vectors, complex numbers, structs and `f16`, folds, calls of device functions with loops, and these functions of
    /// OpenCL: `erf`, `erfc`, `tgamma`, `lgamma`, `sinpi`, `cospi`, `tanpi`, `remainder`, `remquo`, `frexp`, `ldexp`,
    /// `logb`, `ilogb`, `rootn`, `nan`, `mad_sat`, `mad24`, `upsample`, and saturated conversions between integers.
    pub fn on_host(&self) -> Result<HostKernel<T, R>> {
        let program = compile::compile(&self.graph)?;
        Ok(HostKernel { reads: self.reads.len(), program, types: PhantomData })
    }
}

impl<T: HostElement, R: HostElement> HostKernel<T, R> {
    /// Computes `out[i]` from item `i` of each input. The inputs are the items of [`Neighbourhood::reads`], in that order,
    /// and have the length of `out`.
    ///
    /// Inputs are read where they are, and nothing is allocated once `scratch` has grown, for closures of up to 16 reads. A
    /// call takes about 50 ns besides its loops, so rows of a thousand items are better than rows of a hundred.
    ///
    /// # Errors
    /// Returns an error if the number of inputs is not that of the reads, or if an input has another length than `out`.
    pub fn run(&self, scratch: &mut HostScratch, inputs: &[&[T]], out: &mut [R]) -> Result<()> {
        if inputs.len() != self.reads {
            let reason = format!("there are {}, and the closure reads {}", inputs.len(), self.reads);
            return Err(Error::invalid_input("inputs of a closure", reason));
        }
        if let Some(input) = inputs.iter().find(|input| input.len() != out.len()) {
            return Err(Error::length_mismatch("HostKernel::run", input.len(), out.len()));
        }
        // An allocation would take as long as a short row.
        let (mut few, many): ([&[u8]; FEW], Vec<&[u8]>);
        let inputs = if inputs.len() <= FEW {
            few = [&[]; FEW];
            few.iter_mut().zip(inputs).for_each(|(bytes, input)| *bytes = bytemuck::cast_slice(input));
            &few[..inputs.len()]
        } else {
            many = inputs.iter().map(|input| bytemuck::cast_slice(input)).collect();
            &many[..]
        };
        let size = (out.len(), size_of::<R>());
        self.program.run(&mut scratch.0, inputs, bytemuck::cast_slice_mut(out), size);
        Ok(())
    }
}
