//! Kernel arguments, and their conversion from Rust values.

use super::cl_type::ClType;
use crate::hazard::Access;
use crate::memory::{Buffer, Memory};
use crate::sampler::Sampler;
use crate::scratch::Scratch;
use crate::svm::SvmMemory;
use bytemuck::Pod;
use half::f16;
use std::marker::PhantomData;

/// A kernel argument, ready to be set.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A `global` or `constant` pointer, with a promise of the kernel's access. Commands that use
    /// the same memory wait for each other accordingly.
    Memory(&'a Memory, Access),
    /// A `global` or `constant` pointer without a promise. The memory counts as written unless the
    /// kernel declares a pointer to `const` or `constant`. If the driver does not report the
    /// declaration, the memory counts as used with the access given here.
    Unmarked(&'a Memory, Access),
    /// An image or a pipe, and the kernel's access to it.
    Image(&'a Memory, Access),
    /// A sampler, with which the kernel reads images.
    Sampler(&'a Sampler),
    /// Shared virtual memory without a promise, as in `Unmarked`.
    Svm(&'a SvmMemory, Access),
    /// A value of up to 16 bytes: the bytes, and the number of bytes that are used.
    Value([u8; 16], usize),
    /// A value of 32 bytes, such as a `double4`.
    Wide([u8; 32]),
    /// A larger value, such as a struct.
    Bytes(&'a [u8]),
    /// A `local` pointer to this many bytes.
    Local(usize),
}

impl<'a> Arg<'a> {
    pub(super) fn svm(&self) -> Option<&'a SvmMemory> {
        if let Arg::Svm(memory, _) = self { Some(memory) } else { None }
    }

    /// Makes an argument of a value of up to 16 bytes, as it is in memory. Larger values go by
    /// reference, as [`Arg::Bytes`].
    ///
    /// # Panics
    /// At compile time, if `T` is larger.
    #[inline]
    pub fn value<T: Pod>(value: T) -> Arg<'a> {
        const { assert!(size_of::<T>() <= 16, "give larger values as Arg::Bytes") }
        let mut bytes = [0; 16];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        Arg::Value(bytes, size_of::<T>())
    }

    /// Copies `value`, padded to `size` bytes, into an argument; `None` if no variant holds a value
    /// of that size.
    #[inline]
    fn inline(value: &[u8], size: usize) -> Option<Arg<'a>> {
        if size <= 16 {
            let mut bytes = [0; 16];
            bytes[..value.len()].copy_from_slice(value);
            return Some(Arg::Value(bytes, size));
        }
        let mut bytes = [0; 32];
        bytes.get_mut(..value.len())?.copy_from_slice(value);
        (size == 32).then_some(Arg::Wide(bytes))
    }
}

/// A value that can be an argument of a kernel.
///
/// | Rust | OpenCL C |
/// | --- | --- |
/// | `&Buffer<T>`, `&mut Buffer<T>`, `&Scratch`, references to sub-buffers | `global T *`, `constant T *` |
/// | [`In`](crate::In), [`Out`](crate::Out), [`InOut`](crate::InOut) of these or `&Memory` | with a promise |
/// | `&SvmVec<T>`, `&mut SvmVec<T>` | `global T *`, `constant T *` |
/// | `&Image`, `&mut Image`; `&Sampler`; `&mut Pipe` | images, `sampler_t`, pipes |
/// | [`Local<T>`](Local) | `local T *` |
/// | a number, [`f16`](struct@f16) included | the same number |
/// | an array of 2, 3, 4, 8 or 16 numbers, of at most 32 bytes | a vector, `float4` |
/// | `&T` of plain old data ([`Pod`]) | larger vectors, structs |
///
/// The launch compares [`cl_type`](KernelArg::cl_type) with the kernel's declaration, if the driver
/// reports the declaration.
///
/// # Vectors and structs
///
/// On the device a vector of three takes the space of four. As an argument, an `[f32; 3]` is padded
/// to the 16 bytes of a `float3`. Elements of a buffer are not padded, so `global float3 *` needs a
/// `Buffer<[f32; 4]>`; a `Buffer<[f32; 3]>` fits `global float *` and `vload3`.
///
/// A struct is passed as its bytes, so it must have the layout of the struct in OpenCL C:
/// `#[repr(C)]`, with each vector at a multiple of its own size. For a `float4`, use a type of your
/// own with `#[repr(C, align(16))]`. [`Pod`] refuses structs with padding: make the padding a
/// field.
///
/// # Refused types
///
/// OpenCL does not define the size of a `bool`: give a number.
///
/// ```compile_fail,E0277
/// # fn give(launch: cl_core::Launch<'_>) {
/// launch.arg(true);
/// # }
/// ```
///
/// A `usize` is refused, too, because its size is the host's. A `&usize` is accepted, as every
/// reference to plain old data is: give a `u32` or a `u64` instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given to a kernel",
    label = "not a kernel argument",
    note = "give `&buffer` or `&mut buffer` (`x.buffer()`, `x.buffer_mut()` of a device vector), a number, an array of 2, 3, 4, 8 or 16 numbers, or `Local`",
    note = "vectors of more than 32 bytes go by reference, and so do structs, which derive `bytemuck::Pod`",
    note = "`bool` has no fixed size in OpenCL: give `u32::from(flag)`; `usize` neither: give a `u32` or a `u64`"
)]
pub trait KernelArg<'a> {
    /// Returns the type of the value, or of the elements of the memory, if OpenCL C has the same
    /// type.
    #[inline]
    fn cl_type(&self) -> Option<ClType> {
        None
    }

    /// Converts to an argument, borrowed from `self`.
    fn into_arg(self) -> Arg<'a>;
}

/// Local memory for `len` elements of `T`, as a kernel argument.
#[derive(Clone, Copy, Debug)]
pub struct Local<T>(usize, PhantomData<T>);

impl<T> Local<T> {
    /// Makes an argument of local memory for `len` elements in each work-group.
    #[must_use]
    pub fn new(len: usize) -> Local<T> {
        Local(len, PhantomData)
    }
}

impl<'a> KernelArg<'a> for Arg<'a> {
    #[inline]
    fn into_arg(self) -> Arg<'a> {
        self
    }
}

/// The kernel reads the buffer, and must not write to it. If the kernel declares a pointer that is
/// not `const`, other commands wait as if the buffer were written; [`In`](crate::In) avoids that.
impl<'a, T: Pod> KernelArg<'a> for &'a Buffer<T> {
    #[inline]
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    #[inline]
    fn into_arg(self) -> Arg<'a> {
        Arg::Unmarked(self.memory(), Access::Read)
    }
}

/// The kernel reads and writes the buffer, or only reads it if the kernel declares it `const`.
impl<'a, T: Pod> KernelArg<'a> for &'a mut Buffer<T> {
    #[inline]
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    #[inline]
    fn into_arg(self) -> Arg<'a> {
        Arg::Unmarked(self.memory(), Access::Write)
    }
}

/// The kernel reads and writes the memory, or only reads it if the kernel declares it `const`.
impl<'a> KernelArg<'a> for &'a Scratch<'_> {
    #[inline]
    fn into_arg(self) -> Arg<'a> {
        Arg::Unmarked(self, Access::Write)
    }
}

impl<'a, T: 'static> KernelArg<'a> for Local<T> {
    #[inline]
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    #[inline]
    fn into_arg(self) -> Arg<'a> {
        // A size that saturates is too large for any device, and is reported as too large.
        Arg::Local(self.0.saturating_mul(size_of::<T>()))
    }
}

/// The bytes of a value. Vectors of three are padded to four.
impl<'a, T: Pod> KernelArg<'a> for &'a T {
    #[inline]
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    #[inline]
    fn into_arg(self) -> Arg<'a> {
        let size = ClType::of::<T>().map_or(size_of::<T>(), ClType::size);
        let bytes = bytemuck::bytes_of(self);
        Arg::inline(bytes, size).unwrap_or(Arg::Bytes(bytes))
    }
}

macro_rules! value_arguments {
    ($($($type:ty),*; vectors of $components:tt;)*) => {$($(
        impl<'a> KernelArg<'a> for $type {
            #[inline]
            fn cl_type(&self) -> Option<ClType> {
                ClType::of::<$type>()
            }

            #[inline]
            fn into_arg(self) -> Arg<'a> {
                Arg::value(self)
            }
        }

        vector_arguments!($type, $components);
    )*)*};
}

macro_rules! vector_arguments {
    ($type:ty, [$($components:literal),*]) => {$(
        impl<'a> KernelArg<'a> for [$type; $components] {
            #[inline]
            fn cl_type(&self) -> Option<ClType> {
                ClType::of::<[$type; $components]>()
            }

            #[inline]
            fn into_arg(self) -> Arg<'a> {
                let padded = if $components == 3 { 4 } else { $components };
                let inline = Arg::inline(bytemuck::bytes_of(&self), padded * size_of::<$type>());
                inline.unwrap_or_else(|| unreachable!("these vectors have at most 32 bytes, a power of two"))
            }
        }
    )*};
}

value_arguments! {
    i8, u8; vectors of [2, 3, 4, 8, 16];
    i16, u16, f16; vectors of [2, 3, 4, 8, 16];
    i32, u32, f32; vectors of [2, 3, 4, 8];
    i64, u64, f64; vectors of [2, 3, 4];
}
