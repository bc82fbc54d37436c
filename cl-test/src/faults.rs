//! An OpenCL library that fails when it is told to: `cl-fault`, loaded by its path.
//!
//! The plan and the ledger of the library belong to the process. A test therefore holds [`exclusive`] for as
//! long as it uses the library.

use cl_core::{Device, Library, Status};
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static LOADED: OnceLock<Loaded> = OnceLock::new();
static EXCLUSIVE: Mutex<()> = Mutex::new(());

/// The kinds of objects in the ledger, as `clRelease...` names them, and blocks of shared virtual memory.
const KINDS: [&str; 9] =
    ["Context", "CommandQueue", "MemObject", "Sampler", "Program", "Kernel", "Event", "Device", "SVM"];

/// The library, and the functions that control it.
struct Loaded {
    library: Library,
    fail: unsafe extern "C" fn(u64, i32),
    lie: unsafe extern "C" fn(u64, usize),
    hit: unsafe extern "C" fn() -> *const c_char,
    references: unsafe extern "C" fn(*const c_char) -> i64,
    guard: unsafe extern "C" fn(bool, usize),
    damaged: unsafe extern "C" fn(*mut usize, *mut isize, *mut i32) -> usize,
}

/// Returns the library's path: beside the program, where cargo puts it for tests.
fn path() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.with_file_name(libloading::library_filename("cl_fault"))
}

fn loaded() -> &'static Loaded {
    LOADED.get_or_init(|| {
        let path = path();
        let missing = |error: &dyn std::fmt::Display| -> ! {
            panic!("the test library {} must lie beside this program: {error}", path.display())
        };
        // SAFETY: this is the workspace's own OpenCL library, and these are its functions with their
        // signatures; it stays loaded.
        unsafe {
            let library = Library::open(&path).unwrap_or_else(|error| missing(&error));
            let handle = libloading::Library::new(&path).unwrap_or_else(|error| missing(&error));
            let handle: &'static libloading::Library = Box::leak(Box::new(handle));
            Loaded {
                library,
                fail: *handle.get("cl_fault_fail").unwrap_or_else(|error| missing(&error)),
                lie: *handle.get("cl_fault_lie").unwrap_or_else(|error| missing(&error)),
                hit: *handle.get("cl_fault_hit").unwrap_or_else(|error| missing(&error)),
                references: *handle.get("cl_fault_references").unwrap_or_else(|error| missing(&error)),
                guard: *handle.get("cl_fault_guard").unwrap_or_else(|error| missing(&error)),
                damaged: *handle.get("cl_fault_damaged").unwrap_or_else(|error| missing(&error)),
            }
        }
    })
}

/// Returns control of the faulty library. Waits until no other thread of the process has a [`Faults`].
///
/// # Panics
/// When the library does not lie beside the program.
#[must_use]
pub fn exclusive() -> Faults {
    let lock = EXCLUSIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let faults = Faults { loaded: loaded(), _lock: lock };
    faults.forward_all();
    faults
}

/// Control of the faulty library. Made by [`exclusive`].
pub struct Faults {
    loaded: &'static Loaded,
    _lock: MutexGuard<'static, ()>,
}

impl Faults {
    /// Returns the library.
    #[must_use]
    pub fn library(&self) -> Library {
        self.loaded.library
    }

    /// Returns the library's devices, narrowed as [`devices`](crate::devices) are.
    ///
    /// # Panics
    /// When the library has no device.
    #[must_use]
    pub fn devices(&self) -> Vec<Device> {
        crate::narrowed(Device::all_of(self.library()))
    }

    /// Makes one later driver call fail with `status`: the next one if `call` is 1, the one after it if
    /// `call` is 2.
    pub fn fail(&self, call: u64, status: Status) {
        // SAFETY: the library's own function.
        unsafe { (self.loaded.fail)(call, status.0) }
    }

    /// Makes one later driver call report `size` as the size of its answer or as the number of its answers.
    /// `call` counts only calls that report such a number; the next one is 1. The answer itself stays as it
    /// is.
    pub fn lie(&self, call: u64, size: usize) {
        // SAFETY: as above.
        unsafe { (self.loaded.lie)(call, size) }
    }

    /// Forwards every call from now on.
    pub fn forward_all(&self) {
        self.fail(0, Status::SUCCESS);
    }

    /// Poisons the memory of new buffers, and puts zones of at least `zone` bytes before and behind each buffer.
    /// [`damage`](Self::damage) then finds commands that have written to a zone. Zones of 0 bytes only poison.
    pub fn guard_buffers(&self, zone: usize) {
        // SAFETY: the library's own function.
        unsafe { (self.loaded.guard)(true, zone) }
    }

    /// Looks for buffers with a write before their begin or behind their end since
    /// [`guard_buffers`](Self::guard_buffers), and for buffers whose zones cannot be read. Describes one of them, if there are any. Every command must have
    /// ended.
    #[must_use]
    pub fn damage(&self) -> Option<String> {
        let (mut size, mut at, mut status) = (0, 0_isize, 0);
        // SAFETY: the library's own function, and room for its answers.
        let buffers = unsafe { (self.loaded.damaged)(&raw mut size, &raw mut at, &raw mut status) };
        (buffers > 0).then(|| match Status(status) {
            Status::SUCCESS => {
                format!("a write beyond {buffers} buffers: one has {size} bytes, and byte {at} was written")
            }
            status => format!(
                "damage of {buffers} buffers: what lies around the {size} bytes of one cannot be read: {status}"
            ),
        })
    }

    /// Returns the function that failed or lied since the last plan was set.
    #[must_use]
    pub fn hit(&self) -> Option<&'static str> {
        // SAFETY: the library's own function; its strings live as long as the process.
        unsafe {
            let name = (self.loaded.hit)();
            (!name.is_null()).then(|| CStr::from_ptr(name).to_str().unwrap_or("a name that is not UTF-8"))
        }
    }

    /// Returns the number of references of each kind that were made and not yet released.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        let references = |kind: &str| {
            let name = CString::new(kind).unwrap_or_default();
            // SAFETY: the library's own function and a C string.
            unsafe { (self.loaded.references)(name.as_ptr()) }
        };
        Ledger(KINDS.map(references))
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        // SAFETY: the library's own function.
        unsafe { (self.loaded.guard)(false, 0) }
    }
}

impl std::fmt::Debug for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Faults").field("hit", &self.hit()).field("ledger", &self.ledger()).finish()
    }
}

/// The number of references by kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ledger([i64; KINDS.len()]);

impl Ledger {
    /// Returns the references that were made and not released since an earlier moment.
    #[must_use]
    pub fn since(&self, earlier: &Ledger) -> Ledger {
        Ledger(std::array::from_fn(|kind| self.0[kind] - earlier.0[kind]))
    }

    /// Returns whether as many references were released as were made.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.0.iter().all(|&count| count == 0)
    }
}

impl std::fmt::Debug for Ledger {
    /// Shows only the kinds that are not in balance.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(KINDS.iter().zip(self.0).filter(|(_, count)| *count != 0)).finish()
    }
}
