//! Native kernels: closures that a CPU device runs as commands, on device memory.

use crate::device::ExecutionCapabilities;
use crate::error::{Error, Result};
use crate::event::{Doubts, Event};
use crate::hazard::Access;
use crate::host_thread;
use crate::memory::{Buffer, Memory};
use crate::queue::Queue;
use crate::raw::{c_void, cl_mem};
use crate::submission::{Blocking, Submission};
use bytemuck::Pod;
use std::ptr::{NonNull, null, null_mut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Memory that the driver passes to a native kernel: its address on the host and its size in bytes.
#[derive(Clone, Copy, Debug)]
pub struct HostRange {
    start: *mut u8,
    bytes: usize,
}

impl HostRange {
    /// Returns the memory as elements of `T`, or `None` if the driver gave no memory or memory that
    /// is not aligned for `T`.
    fn slice<T: Pod>(self) -> Option<(*mut T, usize)> {
        if self.bytes == 0 {
            return Some((NonNull::dangling().as_ptr(), 0));
        }
        let start = self.start.cast::<T>();
        (!start.is_null() && start.is_aligned()).then_some((start, self.bytes / size_of::<T>()))
    }
}

/// A buffer that a native kernel works on. The closure gets a `&[T]` for `&Buffer<T>`, and a `&mut
/// [T]` for `&mut Buffer<T>`.
///
/// The closure runs on a thread of the driver, so the type of the elements must be `Send`, and
/// `Sync` if the closure only reads them.
///
/// ```compile_fail,E0277
/// # use cl_core::{Buffer, Event, Queue, Result};
/// # use std::marker::PhantomData;
/// #[derive(Clone, Copy)]
/// #[repr(transparent)]
/// struct OfThisThread(u32, PhantomData<*const ()>);
/// # unsafe impl bytemuck::Zeroable for OfThisThread {}
/// # unsafe impl bytemuck::Pod for OfThisThread {}
///
/// fn give(queue: &Queue, x: &mut Buffer<OfThisThread>) -> Result<Event> {
///     queue.native((x,), |(x,)| drop(x))
/// }
/// ```
pub trait NativeArg: sealed::Sealed {
    /// The closure's argument.
    type View<'v>;
    /// Returns the memory, and the access that the closure has to it.
    #[doc(hidden)]
    fn memory(&self) -> (&Memory, Access);
    /// Returns the size of the buffer's elements, which may take less than its memory.
    #[doc(hidden)]
    fn bytes(&self) -> usize;
    /// # Safety
    /// `range` is this buffer's memory. For `'v` nobody else writes to the memory, and nobody else
    /// reads it if the view is mutable.
    #[doc(hidden)]
    unsafe fn view<'v>(range: HostRange) -> Option<Self::View<'v>>;
}

/// Up to four buffers for a native kernel, as a tuple; see [`Queue::native`].
pub trait NativeArgs: sealed::Sealed {
    /// The closure's arguments.
    type Views<'v>;
    /// Returns the memory objects, and the access that the closure has to each.
    #[doc(hidden)]
    fn memories(&self) -> Vec<(&Memory, Access)>;
    /// Returns the size of each buffer's elements.
    #[doc(hidden)]
    fn bytes(&self) -> Vec<usize>;
    /// # Safety
    /// The conditions of [`NativeArg::view`], for each range.
    #[doc(hidden)]
    unsafe fn views<'v>(ranges: &[HostRange]) -> Option<Self::Views<'v>>;
}

mod sealed {
    use super::{Buffer, NativeArg, Pod};

    pub trait Sealed {}
    impl<T: Pod + Sync> Sealed for &Buffer<T> {}
    impl<T: Pod + Send> Sealed for &mut Buffer<T> {}
    impl Sealed for () {}
    impl<A: NativeArg> Sealed for (A,) {}
    impl<A: NativeArg, B: NativeArg> Sealed for (A, B) {}
    impl<A: NativeArg, B: NativeArg, C: NativeArg> Sealed for (A, B, C) {}
    impl<A: NativeArg, B: NativeArg, C: NativeArg, D: NativeArg> Sealed for (A, B, C, D) {}
}

impl<T: Pod + Sync> NativeArg for &Buffer<T> {
    type View<'v> = &'v [T];

    fn memory(&self) -> (&Memory, Access) {
        (Buffer::memory(self), Access::Read)
    }

    fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    unsafe fn view<'v>(range: HostRange) -> Option<&'v [T]> {
        let (start, len) = range.slice()?;
        // SAFETY: the buffer's elements, aligned, initialised as those of all buffers; nobody writes to them.
        Some(unsafe { std::slice::from_raw_parts(start, len) })
    }
}

impl<T: Pod + Send> NativeArg for &mut Buffer<T> {
    type View<'v> = &'v mut [T];

    fn memory(&self) -> (&Memory, Access) {
        (Buffer::memory(self), Access::Write)
    }

    fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    unsafe fn view<'v>(range: HostRange) -> Option<&'v mut [T]> {
        let (start, len) = range.slice()?;
        // SAFETY: as above, and nobody else reads it.
        Some(unsafe { std::slice::from_raw_parts_mut(start, len) })
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => {$(
        impl<$($name: NativeArg),*> NativeArgs for ($($name,)*) {
            type Views<'v> = ($($name::View<'v>,)*);

            fn memories(&self) -> Vec<(&Memory, Access)> {
                vec![$(self.$index.memory()),*]
            }

            fn bytes(&self) -> Vec<usize> {
                vec![$(self.$index.bytes()),*]
            }

            #[allow(unused_variables, clippy::unused_unit)] // for the empty tuple
            unsafe fn views<'v>(ranges: &[HostRange]) -> Option<Self::Views<'v>> {
                // SAFETY: by the caller's promise.
                Some(($(unsafe { $name::view(*ranges.get($index)?) }?,)*))
            }
        }
    )*};
}

tuples! { () (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// A function that runs the closure with the arguments from the driver.
type Job = Box<dyn FnOnce(&[HostRange]) + Send>;

/// A closure on its way to the device.
struct Work {
    job: Mutex<Option<Job>>,
    /// The user events that the command's success depends on.
    doubts: OnceLock<Doubts>,
    /// The size of each argument in bytes. An empty argument has no slot in the block of addresses
    /// that `enqueue_native` gives to the driver.
    bytes: Vec<usize>,
}

impl Work {
    fn take(&self) -> Option<Job> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

const CALL: &str = "clEnqueueNativeKernel";

impl Queue {
    /// Runs `work` on the device as a command of this queue. It is ordered with other commands as a
    /// kernel is, and it sees the buffers in the device's memory. Some CPU devices support native
    /// kernels; other kinds of device do not.
    ///
    /// If a closure panics, a line is written to the log, and the buffers keep the contents of that
    /// moment. The command then completes like any other, because OpenCL gives it no way to fail. The
    /// closure must not wait for commands of the device, because it may occupy the device's thread.
    /// If a user event that the command depends on fails, the closure is dropped without running.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Error, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let x = Buffer::from_slice(&queue, &[1, 2, 3])?;
    /// let mut y = Buffer::filled(&queue, 0, 3)?;
    /// match queue.native((&x, &mut y), |(x, y)| y.copy_from_slice(x)) {
    ///     Ok(_) => assert_eq!(y.to_vec(&queue)?, [1, 2, 3]),
    ///     Err(Error::Unsupported { .. }) => println!("not on this device"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] on a device without native kernels, [`Error::ForeignObject`] for a
    /// buffer of another context, [`Error::InvalidInput`] if two of the buffers share memory and
    /// one of them is mutable, [`Error::Driver`] when the driver refuses.
    pub fn native<A, F>(&self, args: A, work: F) -> Result<Event>
    where
        A: NativeArgs,
        F: for<'v> FnOnce(A::Views<'v>) + Send + 'static,
    {
        Submission::from(self).native(args, work)
    }
}

impl Submission<'_> {
    /// Works as [`Queue::native`], with a wait list or a variable for the event.
    ///
    /// # Errors
    /// As [`Queue::native`].
    pub fn native<A, F>(self, args: A, work: F) -> Result<Event>
    where
        A: NativeArgs,
        F: for<'v> FnOnce(A::Views<'v>) + Send + 'static,
    {
        let (memories, bytes) = (args.memories(), args.bytes());
        check(self.queue(), &memories)?;
        let work = Arc::new(Work {
            job: Mutex::new(Some(Box::new(move |ranges: &[HostRange]| {
                // SAFETY: `ranges` are the buffers' memory, and no two of them overlap mutably.
                // While the command runs, hazard tracking keeps other commands of this crate from
                // writing to the memory, and from reading memory that the closure may change.
                match unsafe { A::views(ranges) } {
                    Some(views) => work(views),
                    None => log::error!("a native kernel did not run: the driver gave it no usable memory"),
                }
            }))),
            doubts: OnceLock::new(),
            bytes,
        });
        let sizes = work.bytes.iter();
        let used: Vec<(&Memory, Access)> = memories
            .into_iter()
            .zip(sizes)
            .filter_map(|(memory, &bytes)| (bytes > 0).then_some(memory))
            .collect();
        let event = self.enqueue_native(&work, &used)?;
        // A command that fails before it runs leaves its reference to `Work` behind. So the closure
        // is dropped here when the command has ended.
        let dropped = event.when_ended(move |_| drop(work.take()));
        if let Err(error) = dropped {
            log::debug!("a native kernel's closure cannot be watched and may never be dropped: {error}");
        }
        Ok(event)
    }

    fn enqueue_native(self, work: &Arc<Work>, used: &[(&Memory, Access)]) -> Result<Event> {
        let enqueue = self.queue().functions().clEnqueueNativeKernel;
        let for_driver = Arc::into_raw(Arc::clone(work));
        // The driver copies this block, and writes the address of each memory object into its slot.
        let mut block: Vec<*mut c_void> = vec![null_mut(); 1 + used.len()];
        block[0] = for_driver.cast_mut().cast();
        let slots: Vec<*const c_void> = block[1..].iter().map(|slot| (&raw const *slot).cast()).collect();
        let memories: Vec<cl_mem> = used.iter().map(|(memory, _)| memory.as_raw()).collect();
        let (list, locations) =
            if used.is_empty() { (null(), null()) } else { (memories.as_ptr(), slots.as_ptr()) };
        let uses = used.iter().flat_map(|(memory, access)| memory.hazards().by_host(*access));
        let mut enqueued = false;
        let event = self.run_event(CALL, uses, Blocking::No, |queue, waits, event| {
            work.doubts.get_or_init(|| waits.doubts.clone());
            // SAFETY: the queue and the memory share a context. The block begins with the pointer
            // that `run` expects, and has a slot for each memory object.
            let status = unsafe {
                enqueue(
                    queue.as_raw(),
                    Some(run),
                    block.as_mut_ptr().cast(),
                    size_of_val(block.as_slice()),
                    memories.len() as u32,
                    list,
                    locations,
                    waits.count,
                    waits.list,
                    event,
                )
            };
            enqueued = status == cl_sys::CL_SUCCESS;
            status
        });
        if !enqueued {
            // SAFETY: the driver did not take the command, so the reference is still ours.
            drop(unsafe { Arc::from_raw(for_driver) });
        }
        event
    }
}

/// Runs the closure; the driver calls this function. If the command never runs, the driver's
/// reference to [`Work`] is leaked, without the closure.
extern "C" fn run(block: *mut c_void) {
    let block = block.cast_const().cast::<*mut c_void>();
    // SAFETY: this is the driver's copy of the block. Its first entry is the reference that was
    // passed along, and a command runs once.
    let work = unsafe { Arc::from_raw(block.read_unaligned().cast_const().cast::<Work>()) };
    let mut slot = 0;
    let range = |bytes: &usize| {
        if *bytes == 0 {
            return HostRange { start: null_mut(), bytes: 0 };
        }
        slot += 1;
        // SAFETY: there is a slot for each memory object that is not empty.
        HostRange { start: unsafe { block.add(slot).read_unaligned() }.cast(), bytes: *bytes }
    };
    let ranges: Vec<HostRange> = work.bytes.iter().map(range).collect();
    let has_failed = work.doubts.get().is_some_and(|doubts| doubts.failed().is_some());
    if let Some(job) = work.take() {
        // Dropping the closure runs destructors of the program, which may panic as well.
        host_thread::contain("a native kernel", || if has_failed { drop(job) } else { job(&ranges) });
    }
}

/// Returns an error unless the device supports native kernels and a native kernel may use `memories`.
fn check(queue: &Queue, memories: &[(&Memory, Access)]) -> Result<()> {
    for (index, (memory, access)) in memories.iter().enumerate() {
        memory.check_use(queue.context().as_raw(), "native kernel", *access)?;
        let shares = |(other, mode): &&(&Memory, Access)| {
            let both = memory.bytes() > 0 && std::ptr::eq(memory.hazards(), other.hazards());
            both && (*access == Access::Write || *mode == Access::Write)
        };
        if memories[..index].iter().any(|other| shares(&other)) {
            let reason = "two buffers share memory, and one of them is mutable".to_owned();
            return Err(Error::InvalidInput { what: "arguments of a native kernel", reason });
        }
    }
    let device = queue.device();
    if !device.execution_capabilities()?.contains(ExecutionCapabilities::NATIVE_KERNELS) {
        let feature = "native kernels".to_owned();
        return Err(Error::Unsupported { feature, device: device.to_string() });
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop at the first surprise
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn memory_may_be_shared_by_readers_only() {
        for device in Device::all().unwrap() {
            let queue = Queue::on(&device).unwrap();
            let (x, y) = (Buffer::filled(&queue, 1, 10).unwrap(), Buffer::filled(&queue, 1, 10).unwrap());
            let empty = Buffer::<i32>::from_slice(&queue, &[]).unwrap();
            let checked = |first: (&Memory, Access), second: (&Memory, Access)| {
                check(&queue, &[(y.memory(), Access::Write), first, second])
            };
            let (read, write) = ((x.memory(), Access::Read), (x.memory(), Access::Write));
            if matches!(checked(read, read), Err(Error::Unsupported { .. })) {
                continue;
            }
            assert_eq!(checked(read, read), Ok(()));
            for (first, second) in [(read, write), (write, read), (write, write)] {
                let refused = checked(first, second);
                assert!(matches!(refused, Err(Error::InvalidInput { .. })), "{refused:?}");
            }
            let nothing = (empty.memory(), Access::Write);
            assert_eq!(checked(nothing, nothing), Ok(()));
        }
    }
}
