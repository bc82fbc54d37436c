//! Kernel arguments: what can be given to a kernel, and how it is handed over.

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
    /// A `global` or `constant` pointer, and a promise of what the kernel does with it: commands
    /// that use the same memory wait for each other by that.
    Memory(&'a Memory, Access),
    /// A `global` or `constant` pointer without a promise: written, unless the kernel declares a
    /// pointer to `const` or `constant`. The access given here counts where the driver does not
    /// tell.
    Unmarked(&'a Memory, Access),
    /// An image or a pipe, and what the kernel does with it.
    Image(&'a Memory, Access),
    /// How the kernel reads images.
    Sampler(&'a Sampler),
    /// Shared virtual memory, without a promise, as in `Unmarked`.
    Svm(&'a SvmMemory, Access),
    /// A value of up to 16 bytes: its bytes, and how many of them count.
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

    /// A value of up to 16 bytes, as it is in memory; larger ones go by reference, as
    /// [`Arg::Bytes`].
    ///
    /// # Panics
    /// At compile time, when `T` is larger.
    #[inline]
    pub fn value<T: Pod>(value: T) -> Arg<'a> {
        const { assert!(size_of::<T>() <= 16, "give larger values as Arg::Bytes") }
        let mut bytes = [0; 16];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        Arg::Value(bytes, size_of::<T>())
    }

    /// A copy of `value`, filled up to `size` bytes; `None` when no variant holds that.
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

/// What can be given to a kernel.
///
/// | Rust | OpenCL C |
/// | --- | --- |
/// | `&Buffer<T>`, `&mut Buffer<T>`, the same of sub-buffers, `&Scratch` | `global T *`, `constant T *` |
/// | the same, or `&Memory`, in [`In`](crate::In), [`Out`](crate::Out), [`InOut`](crate::InOut) | the same, with a promise |
/// | `&SvmVec<T>`, `&mut SvmVec<T>` | the same |
/// | `&Image`, `&mut Image`; `&Sampler`; `&mut Pipe` | images, `sampler_t`, pipes |
/// | [`Local<T>`](Local) | `local T *` |
/// | a number, [`f16`](struct@f16) included | the same number |
/// | an array of 2, 3, 4, 8 or 16 numbers, of at most 32 bytes | a vector, `float4` |
/// | `&T` of plain old data ([`Pod`]) | larger vectors, structs |
///
/// The launch compares this with what the kernel declares, where the driver tells it.
///
/// # Vectors and structs
///
/// A vector of three takes the room of four: as an argument an `[f32; 3]` is filled up to the 16
/// bytes of a `float3`. In a buffer nothing is filled up, so `global float3 *` wants a
/// `Buffer<[f32; 4]>`; a `Buffer<[f32; 3]>` suits `global float *` and `vload3`.
///
/// A struct is passed as its bytes, so it must be laid out as in OpenCL C: `#[repr(C)]`, and a
/// vector in it begins at a multiple of its own size, which `#[repr(C, align(16))]` on a type of
/// your own gives to a `float4`. [`Pod`] refuses structs with padding: make it a field.
///
/// # What is refused
///
/// A `bool` has no size that OpenCL promises: give a number.
///
/// ```compile_fail,E0277
/// # fn give(launch: cl_core::Launch<'_>) {
/// launch.arg(true);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given to a kernel",
    label = "no kernel argument",
    note = "give `&buffer` or `&mut buffer`, a number, an array of 2, 3, 4, 8 or 16 numbers, or `Local`",
    note = "vectors of more than 32 bytes go by reference, and so do structs, which derive `bytemuck::Pod`",
    note = "`bool` has no fixed size in OpenCL: give `u32::from(flag)`; `usize` neither: give a `u32` or a `u64`"
)]
pub trait KernelArg<'a> {
    /// The type of the value, or of the elements of the memory, where OpenCL C has the same.
    #[inline]
    fn cl_type(&self) -> Option<ClType> {
        None
    }

    /// The argument, borrowed from `self`.
    fn into_arg(self) -> Arg<'a>;
}

/// Local memory for `len` elements of `T`, as a kernel argument.
#[derive(Clone, Copy, Debug)]
pub struct Local<T>(usize, PhantomData<T>);

impl<T> Local<T> {
    /// Room for `len` elements in each work-group.
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

/// Read by the kernel, which must not write to it. Where the kernel declares a pointer that is not
/// `const`, other commands wait as if it were written; [`In`](crate::In) avoids that.
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

/// Read and written by the kernel; only read where the kernel declares it `const`.
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

/// Read and written by the kernel; only read where the kernel declares it `const`.
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
        // Saturated: too large for any device, and reported as such.
        Arg::Local(self.0.saturating_mul(size_of::<T>()))
    }
}

/// A value by its bytes. Vectors of three are filled up.
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
    ($($($type:ty),*; vectors of $lanes:tt;)*) => {$($(
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

        vector_arguments!($type, $lanes);
    )*)*};
}

macro_rules! vector_arguments {
    ($type:ty, [$($lanes:literal),*]) => {$(
        impl<'a> KernelArg<'a> for [$type; $lanes] {
            #[inline]
            fn cl_type(&self) -> Option<ClType> {
                ClType::of::<[$type; $lanes]>()
            }

            #[inline]
            fn into_arg(self) -> Arg<'a> {
                let lanes = if $lanes == 3 { 4 } else { $lanes };
                let inline = Arg::inline(bytemuck::bytes_of(&self), lanes * size_of::<$type>());
                inline.unwrap_or_else(|| unreachable!("these have at most 32 bytes, a power of two"))
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
