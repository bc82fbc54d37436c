//! The objects behind the handles. All are counted by `Arc`, and hold the state that a driver would hold.

use super::declaration::{Declaration, Declared};
use super::profile::Profile;
use cl_core::raw::*;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::sync::{Arc, Mutex, OnceLock};

/// A platform and its only device, whose handles are the same.
#[derive(Debug)]
pub(super) struct Platform {
    pub(super) profile: Profile,
    /// The programs that probed the device, without duplicates.
    pub(super) probes: Mutex<Vec<BuiltProgram>>,
}

/// A program as it was given to the compiler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BuiltProgram {
    /// The text.
    pub source: String,
    /// The options of `clBuildProgram`.
    pub options: String,
}

#[derive(Debug)]
pub(super) struct Context {
    pub(super) platform: &'static Platform,
    pub(super) built: Mutex<Vec<BuiltProgram>>,
}

#[derive(Debug)]
pub(super) struct Queue {
    pub(super) context: Arc<Context>,
    pub(super) properties: cl_command_queue_properties,
}

/// A buffer, or a part of one.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) context: Arc<Context>,
    pub(super) flags: cl_mem_flags,
    pub(super) size: usize,
    bytes: *mut u8,
    /// The layout of the block to free; `None` if other memory owns the bytes.
    owned: Option<Layout>,
    pub(super) parent: Option<(Arc<Memory>, usize)>,
}

// SAFETY: only commands and maps access the bytes, and the host orders them as OpenCL prescribes.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// Creates a buffer of zeros, or a buffer over memory of the host.
    pub(super) fn new(
        context: Arc<Context>,
        flags: cl_mem_flags,
        size: usize,
        host: *mut u8,
    ) -> Option<Memory> {
        if size == 0 {
            return None;
        }
        if flags & CL_MEM_USE_HOST_PTR != 0 {
            return Some(Memory { context, flags, size, bytes: host, owned: None, parent: None });
        }
        // The memory is less aligned than on a device: zeroed memory costs nothing before it is used only if
        // its alignment is small.
        let layout = Layout::from_size_align(size, 16).ok()?;
        // SAFETY: the size is not 0.
        let bytes = unsafe { alloc_zeroed(layout) };
        if bytes.is_null() {
            handle_alloc_error(layout);
        }
        Some(Memory { context, flags, size, bytes, owned: Some(layout), parent: None })
    }

    /// Creates a part of a buffer, if the buffer contains the range.
    pub(super) fn part(of: Arc<Memory>, flags: cl_mem_flags, begin: usize, size: usize) -> Option<Memory> {
        let bytes = of.at(begin, size)?;
        let context = of.context.clone();
        Some(Memory { context, flags, size, bytes, owned: None, parent: Some((of, begin)) })
    }

    /// Returns the address where a range begins, if the range lies in the memory.
    pub(super) fn at(&self, begin: usize, size: usize) -> Option<*mut u8> {
        // SAFETY: within the memory, or one byte behind its end.
        (begin.checked_add(size)? <= self.size).then(|| unsafe { self.bytes.add(begin) })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(layout) = self.owned {
            // SAFETY: allocated in `new` with this layout, and freed once.
            unsafe { dealloc(self.bytes, layout) }
        }
    }
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) context: Arc<Context>,
    pub(super) source: String,
    /// The declarations of the text and the options of the build; empty until the program is built.
    pub(super) built: OnceLock<(Declared, String)>,
}

impl Program {
    /// Returns the kernels that the built program has.
    pub(super) fn kernels(&self) -> &[Declaration] {
        self.built.get().map_or(&[], |(declared, _)| &declared.kernels)
    }
}

/// The bytes of a kernel's arguments that are set; `None` for local memory.
pub(super) type ArgumentBytes = Vec<Option<Vec<u8>>>;

#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) program: Arc<Program>,
    pub(super) declaration: Declaration,
    pub(super) arguments: Mutex<ArgumentBytes>,
}

/// An event of a command that has ended, or a user event.
pub(super) struct Event {
    pub(super) context: Arc<Context>,
    pub(super) queue: Option<Arc<Queue>>,
    pub(super) command: cl_command_type,
    /// The status, and the callbacks to call when it is final.
    pub(super) state: Mutex<(cl_int, Vec<Watcher>)>,
}

/// A callback and its data.
pub(super) struct Watcher {
    pub(super) call: EventCallback,
    pub(super) data: *mut c_void,
}

// SAFETY: OpenCL calls callbacks from any thread, with the pointer that was given.
unsafe impl Send for Watcher {}

/// Returns the handle of a new object.
pub(super) fn into_handle<T>(object: T) -> *mut c_void {
    Arc::into_raw(Arc::new(object)).cast_mut().cast()
}

/// Returns the object of a handle.
///
/// # Safety
/// The handle is a `T`'s, and stays alive as long as the reference.
pub(super) unsafe fn from_handle<'a, T>(handle: *mut c_void) -> &'a T {
    // SAFETY: by the caller's promise.
    unsafe { &*handle.cast_const().cast::<T>() }
}

/// Returns the object of a handle, and counts a reference.
///
/// # Safety
/// The handle is a `T`'s, and alive.
pub(super) unsafe fn clone_from_handle<T>(handle: *mut c_void) -> Arc<T> {
    let object = handle.cast_const().cast::<T>();
    // SAFETY: by the caller's promise; the count was raised for the new reference.
    unsafe {
        Arc::increment_strong_count(object);
        Arc::from_raw(object)
    }
}

/// Adds a reference to a handle's object.
///
/// # Safety
/// The same as for [`clone_from_handle`].
pub(super) unsafe fn retain<T>(handle: *mut c_void) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe { Arc::increment_strong_count(handle.cast_const().cast::<T>()) };
    CL_SUCCESS
}

/// Removes a reference from a handle's object.
///
/// # Safety
/// The same as for [`clone_from_handle`]. The caller owns a reference and gives it up.
pub(super) unsafe fn release<T>(handle: *mut c_void) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe { Arc::decrement_strong_count(handle.cast_const().cast::<T>()) };
    CL_SUCCESS
}
