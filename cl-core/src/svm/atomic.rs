//! Shared virtual memory that host and kernels change at the same time, by atomic operations.

use super::memory::SvmMemory;
use super::{Atomic, SvmVec};
use crate::error::Result;
use crate::hazard::Access;
use crate::launch::{Arg, KernelArg};
use crate::submission::Submission;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};

/// Numbers that host and kernels change at the same time, by atomic operations. Made by
/// [`SvmVec::atomics`]; `A` is one of the standard library's atomic types.
///
/// A kernel gets it as `&SvmAtomics`. Commands of other queues wait for the kernel, but the host
/// does not. The kernel must use the numbers by atomic operations only, with a scope that includes
/// the host (`memory_scope_all_svm_devices`, or the functions of OpenCL 1.2).
pub struct SvmAtomics<'a, A> {
    memory: &'a mut SvmMemory,
    number: PhantomData<&'a [A]>,
}

macro_rules! atomics {
    ($($number:ty, $atomic:ty;)*) => {$(
        impl SvmVec<$number, Atomic> {
            /// Borrows the numbers for atomic operations of the host while kernels run. Blocks
            /// until all commands that use the numbers now have ended.
            ///
            /// # Errors
            /// [`Error::ForeignObject`](crate::Error::ForeignObject), or
            /// [`Error::Driver`](crate::Error::Driver).
            pub fn atomics<'q>(&mut self, to: impl Into<Submission<'q>>) -> Result<SvmAtomics<'_, $atomic>> {
                self.memory.acquire(to.into(), Access::Write)?;
                Ok(SvmAtomics { memory: &mut self.memory, number: PhantomData })
            }
        }

        impl Deref for SvmAtomics<'_, $atomic> {
            type Target = [$atomic];

            fn deref(&self) -> &[$atomic] {
                let len = self.memory.bytes() / size_of::<$number>();
                if len == 0 {
                    return &[];
                }
                // SAFETY: initialised numbers, aligned for the driver's largest type, to which only
                // this guard gives access. The callers of launches promise that kernels use them by
                // atomic operations only.
                unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), len) }
            }
        }
    )*};
}

atomics! {
    i32, AtomicI32;
    u32, AtomicU32;
    i64, AtomicI64;
    u64, AtomicU64;
}

/// The kernel changes the numbers, by atomic operations.
impl<'a, A> KernelArg<'a> for &'a SvmAtomics<'_, A> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Svm(self.memory, Access::Write)
    }
}

impl<A> fmt::Debug for SvmAtomics<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SvmAtomics").field(&self.memory).finish()
    }
}
