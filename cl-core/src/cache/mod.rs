//! Compiled programs, kept: in memory with their context, and on disk for the next process.
//!
//! | file | concept |
//! | --- | --- |
//! | `key` | what a compiled program depends on, as one hash |
//! | `recent` | the programs of one context, the least recently used ones forgotten |
//! | `driver` | drivers that keep programs on disk themselves |
//! | `place` | which folder, from the environment |
//! | `folder` | files that nobody else can have written or will read |
//! | `entry` | the format of a file, sealed by a hash |
//! | `content` | what is in it: declarations of kernels and a binary |
//! | `store` | entries in a folder, the least recently used ones removed |

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

/// How the programs of one context came about, counted since the context was made.
///
/// [`Program::build`] looks for a program in three places:
///
/// 1. In memory, with the context: up to 256 programs, the least recently used ones forgotten.
/// 2. On disk, in a folder of at most 512 MiB, the least recently used entries removed.
/// 3. In the compiler; the result goes to both.
///
/// # The folder
///
/// | variable | folder |
/// | --- | --- |
/// | `CL_CACHE=off` | none |
/// | `CL_CACHE=/absolute/path` | that one |
/// | not set | `cl-core` in `$XDG_CACHE_HOME`, `~/.cache`, `~/Library/Caches` or `%LOCALAPPDATA%` |
///
/// Variables are read once a process; processes with more rights than their user (setuid, setgid)
/// have no folder. An entry is named by a hash of all that it depends on: source, headers, options,
/// names and versions of device, driver and platform, and the version of this crate. It carries a
/// hash of its content, which is verified before the driver sees a byte.
///
/// That hash finds damage, not malice; against malice the folder must belong to the process's user
/// and be closed to all others (mode 0700), and so must each file (0600); symbolic links are not
/// followed. Where this does not hold, nothing is read, the log has one warning, and programs are
/// compiled. On systems other than Unix the standard library cannot tell owner and rights: there the
/// folder is trusted for lying in the user's profile, and `CL_CACHE` should name none that others
/// may write to.
///
/// The driver may keep a cache of its own (`POCL_CACHE_DIR`, `CUDA_CACHE_PATH`), which is trusted
/// without such checks: keep it out of shared folders. PoCL's is the only one for its programs, unless
/// `POCL_KERNEL_CACHE=0` turns it off: PoCL would have to compile each kernel twice for ours.
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
    /// Programs that were in the context's memory.
    pub memory_hits: u64,
    /// Programs whose binary was on disk.
    pub disk_hits: u64,
    /// Programs that were compiled from source with success, [uncached](BuildOptions::uncached) ones
    /// not counted.
    pub builds: u64,
    /// Entries on disk that were there but not as they should be, or that the driver refused; each
    /// was replaced.
    pub rejected: u64,
}

impl CacheStatistics {
    /// The statistics of a context.
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

/// What a context remembers.
#[derive(Default)]
struct Cache {
    device: OnceLock<DeviceKey>,
    programs: Mutex<Recent<Program>>,
    memory_hits: AtomicU64,
    disk_hits: AtomicU64,
    builds: AtomicU64,
    rejected: AtomicU64,
}

/// Finds or compiles a program; source and options are checked.
pub(crate) fn build(context: &Context, source: &Source<'_>, options: &BuildOptions) -> Result<Program> {
    let cache = context.attachment::<Cache>();
    let device = match cache.device(context) {
        Ok(device) => device,
        // Without a name for the device nothing can be found, but much can be compiled.
        Err(error) => {
            warn_once(&format!("programs are not kept: {error}"));
            return cache.compile(context, source, options);
        }
    };
    let key = device.program(source, &options.complete());
    if let Some(program) = cache.programs.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        add_one(&cache.memory_hits);
        return Ok(program);
    }
    // Outside the lock, so that others can get other programs meanwhile. Two threads that compile
    // the same one waste time, not correctness.
    let program = match Store::of_process().filter(|_| !device.kept_by_driver) {
        Some(store) => cache.through(store, &key, context, source, options)?,
        None => cache.compile(context, source, options)?,
    };
    cache.programs.lock().unwrap_or_else(PoisonError::into_inner).insert(key, program.clone());
    Ok(program)
}

impl Cache {
    /// The device's part of all keys, asked of the driver once.
    fn device(&self, context: &Context) -> Result<&DeviceKey> {
        if let Some(device) = self.device.get() {
            return Ok(device);
        }
        let device = DeviceKey::of(context.device())?;
        Ok(self.device.get_or_init(|| device))
    }

    /// From disk, or from the compiler and then to disk.
    fn through(
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
                    // SAFETY: the entry lies where only this user writes, carries the hash of its
                    // content, and was made by this crate from what a driver of the same device, name
                    // and version returned.
                    match unsafe { Program::from_binary(context, binary, options) } {
                        Ok(program) => {
                            add_one(&self.disk_hits);
                            return Ok(program.declaring(declarations));
                        }
                        Err(error) => self.reject(key, &format!("the driver refuses it: {error}")),
                    }
                }
                None => self.reject(key, "it holds no program"),
            },
            Lookup::Rejected(reason) => self.reject(key, &reason),
            Lookup::Absent => {}
        }
        let program = self.compile(context, source, options)?;
        // A driver without binaries, or a folder that cannot be written to, costs the next process
        // a compilation and nothing else.
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

/// The first complaint of the process is a warning; the cause of later ones is mostly the same.
fn warn_once(complaint: &str) {
    static FIRST: Once = Once::new();
    let mut first = false;
    FIRST.call_once(|| first = true);
    let level = if first { log::Level::Warn } else { log::Level::Debug };
    log::log!(level, "program cache: {complaint}");
}
