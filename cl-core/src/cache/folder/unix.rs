//! A private folder on Unix: owner and rights are checked on open files, never on a path.
//!
//! All files are opened relative to the folder's descriptor and without following symbolic links.
//! So the checked file is the file that is used, even if the path changes meanwhile.

use super::{Listed, Refused, read_whole};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawMode, Stat};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// An open folder that belongs to the process's user, and that nobody else can write to.
#[derive(Debug)]
pub(in super::super) struct Folder(OwnedFd);

impl Folder {
    /// Opens the folder. Creates it, and the folders above it, with mode 0700.
    pub(in super::super) fn open(path: &Path) -> Result<Folder, Refused> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        // `components` removes a trailing slash, because `open` would follow a link that has one.
        let path: PathBuf = path.components().collect();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = Folder(rustix::fs::open(path, flags, Mode::empty()).map_err(refused)?);
        folder.check()?;
        Ok(folder)
    }

    fn check(&self) -> Result<(), Refused> {
        // Others may list the names of entries, which are hashes, but they cannot read the entries.
        check(&self.0, FileType::Directory, 0o022)
    }

    /// Returns a file's content, at most `limit` bytes; `None` if the file does not exist.
    pub(in super::super) fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, Refused> {
        self.check()?;
        // NONBLOCK, because opening a pipe at this path would wait for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.0, name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(refused(error)),
        };
        check(&file, FileType::RegularFile, 0o077)?;
        read_whole(File::from(file), limit).map(Some)
    }

    /// Writes a new file of mode 0600.
    pub(in super::super) fn write(&self, name: &str, parts: &[&[u8]]) -> Result<(), Refused> {
        self.check()?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR).map_err(refused)?;
        let mut file = File::from(file);
        for part in parts {
            file.write_all(part)?;
        }
        Ok(())
    }

    /// Renames a file. An existing file of the new name is replaced in one step.
    pub(in super::super) fn rename(&self, from: &str, to: &str) -> Result<(), Refused> {
        rustix::fs::renameat(&self.0, from, &self.0, to).map_err(refused)
    }

    /// Removes a file, if it exists.
    pub(in super::super) fn remove(&self, name: &str) {
        rustix::fs::unlinkat(&self.0, name, AtFlags::empty()).ok();
    }

    /// Returns the folder's regular files, without files whose metadata cannot be read.
    pub(in super::super) fn list(&self) -> Vec<Listed> {
        let entries = rustix::fs::Dir::read_from(&self.0).into_iter().flatten().flatten();
        let listed = |name: &str| {
            let stat = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            let regular = FileType::from_raw_mode(stat.st_mode as RawMode) == FileType::RegularFile;
            regular.then(|| Listed {
                name: name.to_owned(),
                bytes: u64::try_from(stat.st_size).unwrap_or(0),
                used: modified(&stat),
            })
        };
        entries.filter_map(|entry| listed(entry.file_name().to_str().ok()?)).collect()
    }
}

#[allow(clippy::unnecessary_cast, clippy::useless_conversion)] // the types differ among systems
fn modified(stat: &Stat) -> SystemTime {
    let seconds = u64::try_from(stat.st_mtime).unwrap_or(0);
    let nanos = u32::try_from(stat.st_mtime_nsec).unwrap_or(0);
    SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos)
}

/// Returns an error unless an open file has this type, belongs to this user, and gives other users
/// none of the rights in `closed`.
fn check(file: impl AsFd, kind: FileType, closed: RawMode) -> Result<(), Refused> {
    let stat = rustix::fs::fstat(file).map_err(refused)?;
    let mode = stat.st_mode as RawMode;
    let user = rustix::process::geteuid().as_raw();
    if FileType::from_raw_mode(mode) != kind {
        return Err(Refused(format!(
            "is not a {}",
            if kind == FileType::Directory { "folder" } else { "file" }
        )));
    }
    if stat.st_uid != user {
        return Err(Refused(format!("belongs to user {}, the process to user {user}", stat.st_uid)));
    }
    if mode & closed != 0 {
        let mend = if kind == FileType::Directory { "chmod 700" } else { "chmod 600" };
        return Err(Refused(format!("is open to others (mode {:04o}): {mend} closes it", mode & 0o7777)));
    }
    Ok(())
}

fn refused(error: Errno) -> Refused {
    match error {
        // O_NOFOLLOW gives this error; together with O_DIRECTORY it gives the next one.
        Errno::LOOP => Refused("is a symbolic link".to_owned()),
        Errno::NOTDIR => Refused("is a symbolic link, or not a folder".to_owned()),
        other => std::io::Error::from(other).into(),
    }
}
