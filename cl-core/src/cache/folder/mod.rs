//! A folder whose files only this user can have written, and only this user can read.

#[cfg(any(not(unix), test))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use portable::Folder;
#[cfg(unix)]
pub(super) use unix::Folder;

use std::fmt;
use std::io;
use std::time::SystemTime;

/// The reason why a folder or a file is not used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused(pub(super) String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused(format!("cannot be used: {error}"))
    }
}

/// A file of a folder.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) bytes: u64,
    /// The time at which the file was last written or read.
    pub(super) used: SystemTime,
}

/// Reads a whole open file of at most `limit` bytes, and marks it as used now.
fn read_whole(mut file: std::fs::File, limit: u64) -> Result<Vec<u8>, Refused> {
    use std::io::Read;
    let size = file.metadata()?.len();
    if size > limit {
        return Err(Refused(format!("it has {size} bytes; at most {limit} are allowed")));
    }
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // The file may grow while it is read. Its seal is then wrong, so the entry is refused.
    Read::by_ref(&mut file).take(limit).read_to_end(&mut content)?;
    // A failure affects only the order in which entries are removed.
    file.set_modified(SystemTime::now()).ok();
    Ok(content)
}
