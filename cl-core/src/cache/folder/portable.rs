//! A folder that uses only the standard library.
//!
//! The standard library cannot report owners and rights. So the folder is trusted because of its
//! location: the user's profile, which Windows closes to other users. Links are refused as far as a
//! path shows them.

use super::{Listed, Refused, read_whole};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A folder that is not a link.
#[derive(Debug)]
pub(in super::super) struct Folder(PathBuf);

impl Folder {
    /// Creates the folder, and the folders above it, if necessary.
    pub(in super::super) fn open(path: &Path) -> Result<Folder, Refused> {
        fs::create_dir_all(path)?;
        let path: PathBuf = path.components().collect();
        if fs::symlink_metadata(&path)?.is_dir() {
            return Ok(Folder(path));
        }
        Err(Refused("is a link".to_owned()))
    }

    /// Returns a file's content, at most `limit` bytes; `None` if the file does not exist.
    pub(in super::super) fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, Refused> {
        let path = self.0.join(name);
        match fs::symlink_metadata(&path) {
            // Opened for writing, too, because Windows would otherwise not allow setting the time
            // of its use.
            Ok(facts) if facts.is_file() => {
                read_whole(File::options().read(true).write(true).open(path)?, limit).map(Some)
            }
            Ok(_) => Err(Refused("is not a file".to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a new file.
    pub(in super::super) fn write(&self, name: &str, parts: &[&[u8]]) -> Result<(), Refused> {
        let mut file = File::create_new(self.0.join(name))?;
        for part in parts {
            file.write_all(part)?;
        }
        Ok(())
    }

    /// Renames a file. An existing file of the new name is replaced in one step.
    pub(in super::super) fn rename(&self, from: &str, to: &str) -> Result<(), Refused> {
        Ok(fs::rename(self.0.join(from), self.0.join(to))?)
    }

    /// Removes a file, if it exists.
    pub(in super::super) fn remove(&self, name: &str) {
        fs::remove_file(self.0.join(name)).ok();
    }

    /// Returns the folder's regular files, without files whose metadata cannot be read.
    pub(in super::super) fn list(&self) -> Vec<Listed> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let listed = |entry: fs::DirEntry| {
            let facts = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let name = entry.file_name().into_string().ok()?;
            Some(Listed { name, bytes: facts.len(), used: facts.modified().ok()? })
        };
        entries.filter_map(listed).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise
mod tests {
    use super::*;

    #[test]
    fn files_are_written_renamed_listed_read_and_removed() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("a/b")).unwrap();
        assert_eq!(folder.read("x", 10), Ok(None));
        folder.write("new", &[b"one", b"two"]).unwrap();
        assert!(folder.write("new", &[]).is_err(), "a file is new");
        folder.rename("new", "x").unwrap();
        folder.write("new", &[b"other"]).unwrap();
        folder.rename("new", "x").unwrap();
        assert_eq!(folder.read("x", 10), Ok(Some(b"other".to_vec())));
        assert!(folder.read("x", 4).is_err(), "longer than allowed");
        let listed: Vec<_> = folder.list().into_iter().map(|file| (file.name, file.bytes)).collect();
        assert_eq!(listed, [("x".to_owned(), 5)]);
        folder.remove("x");
        assert_eq!(folder.read("x", 10), Ok(None));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_refused() {
        let home = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(home.path(), home.path().join("link")).unwrap();
        assert!(Folder::open(&home.path().join("link/")).is_err());
        let folder = Folder::open(home.path()).unwrap();
        assert!(folder.read("link", 10).is_err());
    }
}
