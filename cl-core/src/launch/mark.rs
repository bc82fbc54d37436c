//! Marks on arguments, with which the caller promises the kernel's access to memory.

use super::argument::{Arg, KernelArg};
use super::cl_type::ClType;
use crate::hazard::Access;
use crate::memory::{Buffer, Memory, SubBuffer, SubBufferMut};
use crate::scratch::Scratch;
use bytemuck::Pod;

/// Memory that the kernel only reads: `In(&buffer)`, `In(&memory)`.
///
/// Commands that use the same memory on an out-of-order queue, or on several queues, wait for each
/// other according to their access: a reader waits for the last writer only, a writer for all
/// earlier users. The access of a command is decided by the first of these that applies:
///
/// 1. a mark, `In`, [`Out`] or [`InOut`]: the caller's promise;
/// 2. the kernel's declaration: a pointer to `const` or `constant` is read, and any other pointer
///    is written, even if it is given as `&Buffer`;
/// 3. the borrow, if the driver does not report the declaration: `&Buffer` is read, `&mut Buffer` and
///    `&Scratch` are written.
///
/// So `global float *x` works for an input, but commands that read it wait for each other until it
/// is declared `global const float *x` or given as `In(&x)`. A wrong `In` is a race: the kernel
/// writes memory while other commands assume that it does not change. [`Out`] and [`InOut`] for an
/// argument that is declared `const` are an error, because two arguments were probably confused.
///
/// ```
/// use cl_core::{BuildOptions, Buffer, Device, In, Out, Program, Queue};
///
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let source = "kernel void copy(global int *from, global int *to) {
///     to[get_global_id(0)] = from[get_global_id(0)];
/// }";
/// let copy = Program::build(queue.context(), source, &BuildOptions::new())?.kernel("copy")?;
/// let x = Buffer::from_slice(&queue, &[1, 2, 3])?;
/// let mut y = Buffer::filled(&queue, 0, 3)?;
/// // SAFETY: work-item i copies element i; `from` is only read.
/// unsafe { copy.launch().arg(In(&x)).arg(Out(&mut y)).global(3).enqueue(&queue)? };
/// assert_eq!(y.to_vec(&queue)?, [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct In<M>(pub M);

/// Memory that the kernel writes without reading it: `Out(&mut buffer)`, `Out(&memory)`. See [`In`]
/// for the effect of marks. After a failed user event on which a buffer's contents depended, a
/// whole buffer given as `Out` can be read again.
#[derive(Clone, Copy, Debug)]
pub struct Out<M>(pub M);

/// Memory that the kernel reads and writes: `InOut(&mut buffer)`, `InOut(&memory)`. See [`In`] for
/// the effect of marks.
#[derive(Clone, Copy, Debug)]
pub struct InOut<M>(pub M);

macro_rules! marks {
    ($($mark:ident, $access:ident, $buffer:ty, $part_access:ident, $part:ty;)*) => {$(
        impl<'a, T: Pod> KernelArg<'a> for $mark<$buffer> {
            #[inline]
            fn cl_type(&self) -> Option<ClType> {
                ClType::of::<T>()
            }

            #[inline]
            fn into_arg(self) -> Arg<'a> {
                Arg::Memory(self.0.memory(), Access::$access)
            }
        }

        impl<'a, T: Pod> KernelArg<'a> for $mark<$part> {
            #[inline]
            fn cl_type(&self) -> Option<ClType> {
                ClType::of::<T>()
            }

            #[inline]
            fn into_arg(self) -> Arg<'a> {
                Arg::Memory(self.0.memory(), Access::$part_access)
            }
        }

        /// Bytes without a type, of which only the address space is compared.
        impl<'a> KernelArg<'a> for $mark<&'a Memory> {
            #[inline]
            fn into_arg(self) -> Arg<'a> {
                Arg::Memory(self.0, Access::$access)
            }
        }

        /// Bytes without a type, of which only the address space is compared.
        impl<'a> KernelArg<'a> for $mark<&'a Scratch<'_>> {
            #[inline]
            fn into_arg(self) -> Arg<'a> {
                Arg::Memory(self.0, Access::$access)
            }
        }
    )*};
}

marks! {
    In, Read, &'a Buffer<T>, Read, &'a SubBuffer<'_, T>;
    Out, Overwrite, &'a mut Buffer<T>, Write, &'a mut SubBufferMut<'_, T>;
    InOut, Write, &'a mut Buffer<T>, Write, &'a mut SubBufferMut<'_, T>;
}
