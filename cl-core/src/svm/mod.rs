//! Shared virtual memory (OpenCL 2.0): memory with the same address on host and device.
//!
//! | file | concept |
//! | --- | --- |
//! | `functions` | the functions that a driver must have |
//! | `memory` | blocks of bytes, and the commands on them |
//! | `guard` | access by the host |
//! | `atomic` | simultaneous access by host and kernels |

mod atomic;
mod functions;
mod guard;
mod memory;

pub use atomic::SvmAtomics;
pub use guard::{SvmMap, SvmMapMut};
pub use memory::SvmMemory;

use crate::device::SvmCapabilities;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::launch::{Arg, ClType, KernelArg};
use crate::memory::Migration;
use crate::queue::Queue;
use crate::raw::{self, cl_svm_mem_flags};
use crate::submission::Submission;
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;

/// Coarse-grained memory: the host uses it through a guard, while no command uses it.
#[derive(Clone, Copy, Debug)]
pub enum Coarse {}

/// Fine-grained memory: the host uses it directly, while no command writes to it.
#[derive(Clone, Copy, Debug)]
pub enum Fine {}

/// Fine-grained memory that host and kernels may also use at the same time, by atomic operations.
#[derive(Clone, Copy, Debug)]
pub enum Atomic {}

/// The way in which host and device share memory: [`Coarse`], [`Fine`] or [`Atomic`].
pub trait SvmGrain: sealed::Sealed + 'static {
    #[doc(hidden)]
    const NEEDS: SvmCapabilities;
    #[doc(hidden)]
    const FLAGS: cl_svm_mem_flags;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Coarse {}
    impl Sealed for super::Fine {}
    impl Sealed for super::Atomic {}
}

impl SvmGrain for Coarse {
    const NEEDS: SvmCapabilities = SvmCapabilities::COARSE_GRAIN_BUFFER;
    const FLAGS: cl_svm_mem_flags = raw::CL_MEM_READ_WRITE;
}

impl SvmGrain for Fine {
    const NEEDS: SvmCapabilities = SvmCapabilities::FINE_GRAIN_BUFFER;
    const FLAGS: cl_svm_mem_flags = raw::CL_MEM_READ_WRITE | raw::CL_MEM_SVM_FINE_GRAIN_BUFFER;
}

impl SvmGrain for Atomic {
    const NEEDS: SvmCapabilities = SvmCapabilities::FINE_GRAIN_BUFFER.union(SvmCapabilities::ATOMICS);
    const FLAGS: cl_svm_mem_flags = Fine::FLAGS | raw::CL_MEM_SVM_ATOMICS;
}

/// Memory that needs no mapping: [`Fine`] or [`Atomic`].
pub trait FineGrain: SvmGrain {}
impl FineGrain for Fine {}
impl FineGrain for Atomic {}

/// A fixed number of elements in shared virtual memory, always initialised.
///
/// The commands are the same as on a [`Buffer`](crate::Buffer), and wait for each other in the same
/// way. The host also reaches the elements in place, through [`map`](SvmVec::map) and
/// [`map_mut`](SvmVec::map_mut). A kernel that gets `&SvmVec` reads it; a kernel that gets `&mut
/// SvmVec` writes it. The elements never move, so they may hold addresses of other elements. A
/// kernel that follows such addresses needs [`Launch::reaches`](crate::Launch::reaches) with their
/// memory.
///
/// ```
/// use cl_core::{Device, Error, Queue, SvmVec};
///
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let mut x: SvmVec<u32> = match SvmVec::filled(&queue, 1, 10) {
///     Err(Error::Unsupported { feature, device, .. }) => {
///         println!("{device} has no {feature}");
///         return Ok(());
///     }
///     x => x?,
/// };
/// x.map_mut(&queue)?[3] = 7;
/// assert_eq!(x.map(&queue)?.iter().sum::<u32>(), 16);
/// # Ok(())
/// # }
/// ```
pub struct SvmVec<T: Pod, G: SvmGrain = Coarse> {
    memory: SvmMemory,
    len: usize,
    kind: PhantomData<(T, G)>,
}

/// Elements in fine-grained shared virtual memory.
pub type FineSvmVec<T> = SvmVec<T, Fine>;

impl<T: Pod, G: SvmGrain> SvmVec<T, G> {
    /// Allocates memory that holds a copy of `values`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on a device without this kind of memory, [`Error::TooLarge`], or
    /// [`Error::Driver`] when the driver has no memory left.
    pub fn from_slice(queue: &Queue, values: &[T]) -> Result<SvmVec<T, G>> {
        // SAFETY: written by the next command.
        let mut vec = unsafe { SvmVec::uninit(queue, values.len())? };
        vec.write(queue, 0, values)?;
        Ok(vec)
    }

    /// Allocates memory for `len` elements that are all `value`.
    ///
    /// # Errors
    /// As [`SvmVec::from_slice`].
    pub fn filled(queue: &Queue, value: T, len: usize) -> Result<SvmVec<T, G>> {
        // SAFETY: filled by the next command.
        let mut vec = unsafe { SvmVec::uninit(queue, len)? };
        vec.fill(queue, value)?;
        Ok(vec)
    }

    /// Allocates memory for `len` elements without writing them.
    ///
    /// # Errors
    /// As [`SvmVec::from_slice`].
    ///
    /// # Safety
    /// Each element must be written before it is first read, by a command that is enqueued earlier.
    pub unsafe fn uninit(queue: &Queue, len: usize) -> Result<SvmVec<T, G>> {
        let Some(bytes) = len.checked_mul(size_of::<T>()) else {
            return Err(Error::too_large(len as u128 * size_of::<T>() as u128, queue.device()));
        };
        let memory = SvmMemory::new(queue, bytes, G::NEEDS, G::FLAGS)?;
        Ok(SvmVec { memory, len, kind: PhantomData })
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the vector has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns all elements. Blocks until the commands that write to the elements have ended and the
    /// elements have been read.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`] when this or an earlier command failed.
    pub fn to_vec<'q>(&self, to: impl Into<Submission<'q>>) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); self.len];
        self.read(to, 0, &mut values)?;
        Ok(values)
    }

    /// Reads `into.len()` elements from element `start` on. Blocks.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn read<'q>(&self, to: impl Into<Submission<'q>>, start: usize, into: &mut [T]) -> Result<()> {
        let offset = self.offset("read", start, into.len())?;
        self.memory.read(to.into(), offset, bytemuck::cast_slice_mut(into))
    }

    /// Writes `from` to the elements from `start` on. Blocks until `from` may be changed again.
    ///
    /// # Errors
    /// As [`SvmVec::read`].
    pub fn write<'q>(&mut self, to: impl Into<Submission<'q>>, start: usize, from: &[T]) -> Result<()> {
        let offset = self.offset("write", start, from.len())?;
        self.memory.write(to.into(), offset, bytemuck::cast_slice(from))
    }

    /// Enqueues a copy of all of `source`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn copy_from<'q, H: SvmGrain>(
        &mut self,
        to: impl Into<Submission<'q>>,
        source: &SvmVec<T, H>,
    ) -> Result<()> {
        if self.len != source.len {
            return Err(Error::LengthMismatch { operation: "copy", left: self.len, right: source.len });
        }
        self.memory.copy_from(to.into(), &source.memory)
    }

    /// Enqueues setting all elements to `value`.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn fill<'q>(&mut self, to: impl Into<Submission<'q>>, value: T) -> Result<()> {
        self.memory.fill(to.into(), bytemuck::bytes_of(&value))
    }

    /// Enqueues moving the elements to the device or the host that will use them next, so that the
    /// next use need not wait for the move.
    ///
    /// # Errors
    /// [`Error::Unsupported`] before OpenCL 2.1, [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn migrate<'q>(&self, to: impl Into<Submission<'q>>, where_to: Migration) -> Result<()> {
        self.memory.migrate(to.into(), where_to)
    }

    /// Borrows the elements in place, for reading, when all commands that write to them have ended.
    /// Blocks.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], [`Error::InvalidInput`] when an earlier guard was leaked, or
    /// [`Error::Driver`].
    pub fn map<'q>(&self, to: impl Into<Submission<'q>>) -> Result<SvmMap<'_, T>> {
        SvmMap::new(&self.memory, self.len, to.into())
    }

    /// Borrows the elements in place, for reading and writing, when all commands that use them have
    /// ended. Blocks.
    ///
    /// # Errors
    /// As [`SvmVec::map`].
    pub fn map_mut<'q>(&mut self, to: impl Into<Submission<'q>>) -> Result<SvmMapMut<'_, T>> {
        SvmMapMut::new(&mut self.memory, self.len, to.into())
    }

    /// Returns the untyped memory behind the elements.
    #[must_use]
    pub fn memory(&self) -> &SvmMemory {
        &self.memory
    }

    /// Returns the address of the elements, the same on host and device; null for an empty vector.
    /// The host may dereference it only while the elements are [mapped](SvmVec::map).
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        self.memory.as_ptr().cast_const().cast()
    }

    /// Returns the byte offset of element `start`, or an error unless there are `count` elements
    /// from there on.
    fn offset(&self, operation: &'static str, start: usize, count: usize) -> Result<usize> {
        let end = start.saturating_add(count);
        if end > self.len {
            return Err(Error::OutOfBounds { operation, start, end, len: self.len });
        }
        Ok(start * size_of::<T>())
    }
}

impl<T: Pod, G: FineGrain> SvmVec<T, G> {
    /// Borrows the elements in place, when all commands that write to them have ended. Blocks.
    /// Kernels may read the elements at the same time.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn as_slice<'q>(&self, to: impl Into<Submission<'q>>) -> Result<&[T]> {
        self.memory.acquire(to.into(), Access::Read)?;
        // SAFETY: the elements are initialised. Nothing writes them, and nothing can begin to as
        // long as the slice borrows this vector.
        Ok(unsafe { guard::slice(&self.memory, self.len) })
    }

    /// Borrows the elements in place, to be changed, when all commands that use them have ended.
    /// Blocks.
    ///
    /// # Errors
    /// As [`SvmVec::as_slice`].
    pub fn as_mut_slice<'q>(&mut self, to: impl Into<Submission<'q>>) -> Result<&mut [T]> {
        self.memory.acquire(to.into(), Access::Write)?;
        // SAFETY: as above, and nothing reads the elements.
        Ok(unsafe { guard::slice_mut(&mut self.memory, self.len) })
    }
}

/// The kernel reads the elements.
impl<'a, T: Pod, G: SvmGrain> KernelArg<'a> for &'a SvmVec<T, G> {
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    fn into_arg(self) -> Arg<'a> {
        Arg::Svm(&self.memory, Access::Read)
    }
}

/// The kernel writes the elements, and may read them.
impl<'a, T: Pod, G: SvmGrain> KernelArg<'a> for &'a mut SvmVec<T, G> {
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    fn into_arg(self) -> Arg<'a> {
        Arg::Svm(&self.memory, Access::Write)
    }
}

impl<T: Pod, G: SvmGrain> fmt::Debug for SvmVec<T, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SvmVec<{}>({} elements)", std::any::type_name::<T>(), self.len)
    }
}
