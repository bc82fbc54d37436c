//! The cache of compiled programs: in memory with their context, and on disk for the next process.
//!
//! | file | concept |
//! | --- | --- |
//! | `key` | one hash of everything that a compiled program depends on |
//! | `recent` | the programs of one context; the least recently used ones are forgotten |
//! | `driver` | drivers that keep programs on disk themselves |
//! | `place` | the choice of the folder, from the environment |
//! | `folder` | files that only the process's user can write and read |
//! | `entry` | the format of a file, sealed by a hash |
//! | `content` | the content of a file: declarations of kernels and a binary |
//! | `store` | entries in a folder; the least recently used ones are removed |

mod content;
mod driver;
mod entry;
mod folder;
mod key;
mod place;
mod recent;
mod store;

use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::error::Result;
use crate::program::{Program, Source};
use key::{DeviceKey, Key};
use recent::Recent;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};
use store::{Lookup, Store};

/// The counts of a context's programs by their origin, since the context was created.
///
/// [`Program::build`] looks for a program in three places:
///
/// 1. In memory, with the context: up to 256 programs; the least recently used ones are forgotten.
/// 2. On disk, in a folder of at most 512 MiB; the least recently used entries are removed.
/// 3. In the compiler; the result is stored in both.
///
/// # The folder
///
/// | variable | folder |
/// | --- | --- |
/// | `CL_CACHE=off` | none |
/// | `CL_CACHE=/absolute/path` | that path |
/// | not set | `cl-core` in `$XDG_CACHE_HOME`, `~/.cache`, `~/Library/Caches` or `%LOCALAPPDATA%` |
///
/// Another value of `CL_CACHE` is an error of [`Program::build`]. The variables are read once in a process. Processes with more rights than their user (setuid,
/// setgid) have no folder. The name of an entry is a hash of everything that the entry depends on:
/// source, headers, options, names and versions of device, driver and platform, and the version of
/// this crate. The entry carries a hash of its content, which is verified before the driver gets
/// the content.
///
/// This hash finds damage, but it does not protect against malice. For that, the folder must belong
/// to the process's user, and no other user may write to it (mode 0700, or 0755); each file must
/// belong to the user and be closed to all other users (0600); symbolic links are not followed. If a
/// folder or file violates these rules, nothing is read, each process logs one warning, and programs
/// are compiled. On systems other than Unix, the
/// standard library cannot report owner and rights. There the folder is trusted because it lies in
/// the user's profile, and `CL_CACHE` should not name a folder that other users may write to.
///
/// The driver may keep a cache of its own (`POCL_CACHE_DIR`, `CUDA_CACHE_PATH`), which is trusted
/// without these checks: keep it out of shared folders. This crate does not store PoCL's programs on
/// disk while PoCL has its own cache, because PoCL would then compile each kernel twice.
/// `POCL_KERNEL_CACHE=0` turns PoCL's cache off.
///
/// ```
/// # fn main() -> cl_core::Result<()> {
/// use cl_core::{BuildOptions, CacheStatistics, Context, Device, Program};
/// let context = Context::on(&Device::first()?)?;
/// for _ in 0..3 {
///     Program::build(&context, "kernel void f(global int *x) { x[0] = 1; }", &BuildOptions::new())?;
/// }
/// let statistics = CacheStatistics::of(&context);
/// assert_eq!(statistics.memory_hits, 2);
/// assert_eq!(statistics.disk_hits + statistics.builds, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStatistics {
    /// The number of programs that were found in the context's memory.
    pub memory_hits: u64,
    /// The number of programs whose binary was found on disk.
    pub disk_hits: u64,
    /// The number of programs that were compiled from source successfully, without
    /// [uncached](BuildOptions::uncached) ones.
    pub builds: u64,
    /// The number of entries on disk that were invalid, or that the driver refused; each was replaced.
    pub rejected: u64,
}

impl CacheStatistics {
    /// Returns the statistics of a context.
    #[must_use]
    pub fn of(context: &Context) -> CacheStatistics {
        let cache = context.attachment::<Cache>();
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CacheStatistics {
            memory_hits: read(&cache.memory_hits),
            disk_hits: read(&cache.disk_hits),
            builds: read(&cache.builds),
            rejected: read(&cache.rejected),
        }
    }
}

/// The programs that a context remembers, and their counters.
#[derive(Default)]
struct Cache {
    device: OnceLock<DeviceKey>,
    programs: Mutex<Recent<Program>>,
    memory_hits: AtomicU64,
    disk_hits: AtomicU64,
    builds: AtomicU64,
    rejected: AtomicU64,
}

/// Finds or compiles a program. Source and options have been checked.
pub(crate) fn build(context: &Context, source: &Source<'_>, options: &BuildOptions) -> Result<Program> {
    let cache = context.attachment::<Cache>();
    let store = Store::of_process()?;
    let device = match cache.device(context) {
        Ok(device) => device,
        // Without the device's name, programs cannot be looked up, but they can be compiled.
        Err(error) => {
            warn_once(&format!("programs are not kept: {error}"));
            return cache.compile(context, source, options);
        }
    };
    let key = device.program(source, &options.key());
    if let Some(program) = cache.programs.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        add_one(&cache.memory_hits);
        return Ok(program);
    }
    // Outside the lock, so that other threads can get other programs meanwhile. Two threads that
    // compile the same program waste time, but the result is correct.
    let program = match store.filter(|_| !device.kept_by_driver) {
        Some(store) => cache.load_or_compile(store, &key, context, source, options)?,
        None => cache.compile(context, source, options)?,
    };
    cache.programs.lock().unwrap_or_else(PoisonError::into_inner).insert(key, program.clone());
    Ok(program)
}

impl Cache {
    /// Returns the device's part of all keys, read from the driver once.
    fn device(&self, context: &Context) -> Result<&DeviceKey> {
        if let Some(device) = self.device.get() {
            return Ok(device);
        }
        let device = DeviceKey::of(context.device())?;
        Ok(self.device.get_or_init(|| device))
    }

    /// Returns the program from disk, or compiles it and stores it on disk.
    fn load_or_compile(
        &self,
        store: &Store,
        key: &Key,
        context: &Context,
        source: &Source<'_>,
        options: &BuildOptions,
    ) -> Result<Program> {
        match store.load(key) {
            Lookup::Found(content) => match content::split(&content) {
                Some((declarations, binary)) => {
                    // SAFETY: the entry lies where only this user can write, and carries the hash
                    // of its content. This crate made it from the binary that a driver of the same
                    // device, name and version returned.
                    match unsafe { Program::from_binary(context, binary, options) } {
                        Ok(program) => {
                            add_one(&self.disk_hits);
                            return Ok(program.declaring(declarations));
                        }
                        Err(error) => self.reject(key, &format!("the driver refuses it: {error}")),
                    }
                }
                None => self.reject(key, "it does not hold a program"),
            },
            Lookup::Rejected(reason) => self.reject(key, &reason),
            Lookup::Absent => {}
        }
        let program = self.compile(context, source, options)?;
        // If the driver has no binaries, or the folder cannot be written to, the only cost is that
        // the next process compiles the program again.
        let content = program
            .binary()
            .and_then(|binary| Ok(content::join(&program.declarations()?, &binary)))
            .map_err(|error| error.to_string());
        if let Err(reason) = content.and_then(|content| store.save(key, &content)) {
            log::debug!("program cache: {key} is not kept: {reason}");
        }
        Ok(program)
    }

    fn compile(&self, context: &Context, source: &Source<'_>, options: &BuildOptions) -> Result<Program> {
        let program = Program::compile(context, source, options)?;
        add_one(&self.builds);
        Ok(program)
    }

    fn reject(&self, key: &Key, reason: &str) {
        add_one(&self.rejected);
        warn_once(&format!("entry {key} is not used: {reason}"));
    }
}

fn add_one(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Logs a complaint. The first complaint of the process is a warning; later ones mostly have the
/// same cause and are debug messages.
fn warn_once(complaint: &str) {
    static FIRST: Once = Once::new();
    let mut first = false;
    FIRST.call_once(|| first = true);
    let level = if first { log::Level::Warn } else { log::Level::Debug };
    log::log!(level, "program cache: {complaint}");
}
