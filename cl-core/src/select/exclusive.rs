//! Devices that no other process uses, by agreement through lock files of the operating system.
//!
//! A lock belongs to an open file and ends with it, even if the process crashes. So a lock is never
//! stale, and the files may stay. No process deletes a lock file, because another process may have
//! opened the file and be about to lock it. A third process would then create and lock a new file,
//! and two processes would hold the lock.

use super::Filter;
use crate::device::Device;
use crate::error::{Error, Result};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The variable that names another folder for the lock files.
const FOLDER: &str = "CL_LOCK_DIR";

/// A device that no other process of the user has chosen exclusively, as long as this value lives.
///
/// The lock is advisory: it binds only programs that ask for it, with [`Device::select_exclusive`]
/// or [`Device::try_exclusive`]. It ends when the value is dropped or the process ends, even by a
/// crash. It covers the whole hardware. A sub-device uses the lock of its root device. Two
/// platforms that offer the same device share its lock, if both report its UUID or its PCI address.
///
/// The lock files are in a private folder of the user: `CL_LOCK_DIR` if that is set, else
/// `cl-core/locks` in `XDG_CACHE_HOME` or `~/.cache` (macOS: `~/Library/Caches`, Windows:
/// `%LOCALAPPDATA%`). A file is named after the host and the device's UUID, or its PCI address, or,
/// if the driver reports neither, its position, platform and name. Processes with more rights than
/// their user (setuid, setgid) have no such folder, and get an error.
#[derive(Debug)]
#[must_use = "the device is reserved only as long as this value lives"]
pub struct Exclusive {
    device: Device,
    path: PathBuf,
    // Closing the file releases the lock.
    _locked: File,
}

impl Exclusive {
    /// Returns the device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns the path of the lock file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Device {
    /// Reserves the device for this process. Returns `None`, without waiting, if another process or
    /// another [`Exclusive`] of this process has reserved it.
    ///
    /// # Errors
    /// [`Error::DeviceLock`] when the lock file cannot be made or locked, [`Error::Driver`] when
    /// the driver fails to identify the device.
    pub fn try_exclusive(&self) -> Result<Option<Exclusive>> {
        let folder = lock_folder(cl_loader::is_privileged())?;
        let path = folder.join(format!("{}-{}.lock", sanitised(&host()), sanitised(&identity(self)?)));
        create_private(&folder).map_err(|error| failed(&folder, error))?;
        let file = open_private(&path).map_err(|error| failed(&path, error))?;
        // `File::try_lock` of the standard library does the same since Rust 1.89.
        match fs4::FileExt::try_lock(&file) {
            Ok(()) => Ok(Some(Exclusive { device: self.clone(), path, _locked: file })),
            Err(fs4::TryLockError::WouldBlock) => Ok(None),
            Err(fs4::TryLockError::Error(error)) => Err(failed(&path, error)),
        }
    }

    /// Reserves the first `count` devices that the filter chooses and that are free. If fewer are
    /// free, reserves nothing.
    ///
    /// ```no_run
    /// use cl_core::{Device, Filter, Queue};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// // On a machine of eight GPUs eight such processes share them without a conflict.
    /// let mine = Device::select_exclusive(Filter::gpu(), 1)?;
    /// let queue = Queue::on(mine[0].device())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::NoDevice`] when fewer are free, with a list of the devices in use;
    /// [`Error::InvalidInput`] for a count of 0; the errors of [`Device::select`] and
    /// [`Device::try_exclusive`].
    pub fn select_exclusive(filter: Filter, count: usize) -> Result<Vec<Exclusive>> {
        if count == 0 {
            let reason = "0 devices are requested".to_owned();
            return Err(Error::InvalidInput { what: "count", reason });
        }
        let wanted = format!("{filter}, and free: {count} needed");
        let mut reserved = Vec::new();
        let mut passed_over = Vec::new();
        for device in Device::select(filter)? {
            match device.try_exclusive()? {
                Some(exclusive) => reserved.push(exclusive),
                None => passed_over.push(format!("{device} is in use")),
            }
            if reserved.len() == count {
                return Ok(reserved);
            }
        }
        passed_over.extend(reserved.iter().map(|exclusive| format!("{} is free", exclusive.device)));
        Err(Error::NoDevice { wanted: Some(wanted), candidates: passed_over })
    }
}

/// Returns a name of the hardware that is the same in every process.
fn identity(device: &Device) -> Result<String> {
    if let Some(parent) = device.parent() {
        return identity(parent);
    }
    // A driver returns all zeros if it has no UUID.
    if let Some(uuid) = device.uuid()?.filter(|uuid| uuid.0 != [0; 16]) {
        return Ok(format!("uuid-{uuid}"));
    }
    if let Some(address) = device.pci_address()? {
        return Ok(format!("pci-{address}"));
    }
    let platform = device.platform();
    let position = platform.devices()?.iter().position(|other| other == device);
    let (platform, name) = (platform.name()?, device.name()?);
    let position = position.map_or("x".to_owned(), |position| position.to_string());
    // The position comes first, because `sanitised` cuts long texts at their end.
    Ok(format!("{position}-{platform}-{name}"))
}

/// Returns the machine's name, because home folders are shared between machines; empty if unknown.
fn host() -> String {
    let linux = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let others = || ["COMPUTERNAME", "HOSTNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    linux.or_else(others).unwrap_or_default().trim().to_owned()
}

/// Returns the first 100 characters of the text, as a part of a file name that is valid on every
/// system.
fn sanitised(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') { c } else { '_' };
    text.chars().map(plain).take(100).collect()
}

fn lock_folder(privileged: bool) -> Result<PathBuf> {
    if privileged {
        // The process has more rights than the user who set its environment.
        let reason = "a process with more rights than its user trusts no folder from the environment";
        return Err(failed(Path::new("~"), reason.to_owned()));
    }
    if let Some(folder) = set(FOLDER) {
        // A relative path would be another folder in each working directory, and processes with
        // different folders do not see each other's locks.
        return if folder.is_absolute() {
            Ok(folder)
        } else {
            Err(failed(&folder, format!("{FOLDER} is not an absolute path")))
        };
    }
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let caches = if cfg!(windows) {
        set("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Caches"))
    } else {
        set("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or(home.map(|home| home.join(".cache")))
    };
    let nowhere = || failed(Path::new("~"), format!("the user has no home folder; set {FOLDER}"));
    caches.map(|caches| caches.join("cl-core").join("locks")).ok_or_else(nowhere)
}

/// Returns the path in a variable; `None` if it is unset or empty.
fn set(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Makes the folder, if it does not exist, with access for its owner only.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens the file, or makes it with access for its owner only.
fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn failed(path: &Path, reason: impl ToString) -> Error {
    Error::DeviceLock { path: path.display().to_string(), reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_more_rights_believes_no_variable() {
        let error = lock_folder(true).unwrap_err();
        assert!(matches!(error, Error::DeviceLock { .. }), "{error}");
        assert!(error.to_string().contains("more rights"), "{error}");
    }
}
